//! What programs can be made of, a file for each group.

mod abstracts;
mod basic;
mod conditionals;
mod control;
mod declarations;
mod linked;
mod orders;
mod packets;
mod proofs;
mod properties;
mod queues;
mod ranges;
mod references;
mod refined;
mod regions;
mod sets;
mod speculation;
mod symmetric;
mod temporal;
mod then;
mod transactions;
mod waiting;

use crate::generate::Builder;

/// Writes a statement where that is possible.
pub type Maker = fn(&mut Builder) -> bool;

/// A group of constructs.
#[derive(Debug)]
pub struct Feature {
    /// Its name, which is that of its profile too.
    pub name: &'static str,
    /// Declares what its statements need, before the threads.
    pub prepare: fn(&mut Builder),
    /// Its statements with their weights.
    pub statements: &'static [(usize, Maker)],
    /// Writes what must stand after the threads.
    pub finish: fn(&mut Builder),
    /// Writes properties of its own.
    pub properties: fn(&mut Builder),
}

/// Does nothing.
pub(crate) fn nothing(_: &mut Builder) {}

pub use basic::BASIC;
pub(crate) use proofs::PROOFS;

/// All groups but the basic one, which every program has.
pub const ALL: &[&Feature] = &[
    &ranges::RANGES,
    &control::CONTROL,
    &waiting::WAITING,
    &abstracts::ABSTRACTS,
    &then::THEN,
    &regions::REGIONS,
    &orders::ORDERS,
    &linked::LINKED,
    &references::REFERENCES,
    &sets::SETS,
    &queues::QUEUES,
    &packets::PACKETS,
    &transactions::TRANSACTIONS,
    &speculation::SPECULATION,
    &symmetric::SYMMETRIC,
    &properties::PROPERTIES,
    &temporal::TEMPORAL,
    &declarations::DECLARATIONS,
    &conditionals::CONDITIONALS,
    &refined::REFINED,
];
