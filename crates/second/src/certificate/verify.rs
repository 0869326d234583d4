//! Checks a certificate: the initial states are among its rows, no step leads out of them, and none is bad. Nothing in it is trusted.

use super::check::{Check, Fault};
use super::rows::Rows;
use super::text::Reader;
use super::{Amount, Outside, name, worlds};
use crate::world::Options;
use memory::MemoryModel;
use program::Program;
use std::io;

/// Why a certificate is refused. Rows are counted from 0.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The rules have nothing to certify.
    Outside(Outside),
    /// It ends too early, or its bytes are no rows.
    Damaged,
    /// A row is there twice.
    Twice(u64),
    /// A row is no state: a cell out of its range, or a thread where no row before leads it.
    NoState(u64),
    /// An initial state is missing.
    Initial,
    /// A step of this row leads to a state that is missing.
    Open(u64),
    /// The state of this row violates this property.
    Violated(u64, String),
    /// There is too much to look at; so many states were checked.
    GaveUp(u64),
}

/// Checks that the states that are read are closed and good; how many there are.
///
/// # Errors
/// Says why they are refused.
pub fn verify(
    program: &Program,
    model: &MemoryModel,
    options: &Options,
    amount: Amount<'_>,
    from: &mut dyn io::Read,
) -> Result<u64, Refusal> {
    let worlds = worlds(program, model, options).map_err(Refusal::Outside)?;
    let mut check = Check::new(&worlds);
    let rows = read(from, check.n_words(), amount)?;
    if !check.of.initial().iter().all(|row| rows.contains(row)) {
        return Err(Refusal::Initial);
    }
    for at in 0..rows.len() {
        if !check.of.is_state(rows.row(at)) {
            return Err(Refusal::NoState(at as u64));
        }
        if let Some(fault) = check.row(rows.row(at), |next| rows.contains(next)) {
            return Err(refusal(program, at, fault));
        }
        if amount.is_over(at, rows.len()) || check.has_given_up() {
            return Err(Refusal::GaveUp(at as u64));
        }
    }
    if check.of.passing.is_lost { Err(Refusal::Outside(Outside::Passing)) } else { Ok(rows.len() as u64) }
}

fn refusal(program: &Program, at: usize, fault: Fault) -> Refusal {
    match fault {
        Fault::Open => Refusal::Open(at as u64),
        Fault::Violated(violation) | Fault::Suspected(violation) => {
            Refusal::Violated(at as u64, name(program, violation))
        }
    }
}

/// All rows. What is not there takes no memory, whatever the bytes say.
fn read(from: &mut dyn io::Read, n_words: usize, amount: Amount<'_>) -> Result<Rows, Refusal> {
    let (mut rows, mut reader) = (Rows::new(n_words), Reader::new(from, n_words));
    while let Some(row) = reader.row().map_err(|_| Refusal::Damaged)? {
        let n_rows = rows.len();
        if !rows.insert(row) {
            return Err(Refusal::Twice(n_rows as u64));
        }
        if amount.is_over(n_rows, n_rows) {
            return Err(Refusal::GaveUp(0));
        }
    }
    Ok(rows)
}
