//! A system as a model for SPIN: a third opinion, and a way out of this tool.
//!
//! Reading order: `config` (where a thread can be), `process` with `local`, `steps` and `perform` (the text of a thread),
//! `guard` (when a region can be entered), `judge` and `temporal` (properties), `text` (the model), `script` (what runs SPIN),
//! `spin` (runs that script). The meaning is that of `docs/semantics.md`; nothing of `machine` is used.

mod access;
mod conditions;
mod config;
mod guard;
mod interval;
mod judge;
mod local;
mod model;
mod perform;
mod process;
mod refusal;
mod region;
mod script;
pub mod spin;
mod steps;
mod temporal;
mod term;
mod text;
mod value;

use automata::Automata;
use base::Sources;
use memory::MemoryModel;

pub use refusal::Refusal;

/// The memory models that are exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Sc,
    Tso,
}

/// The scope of the model.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The queue bound K.
    pub queue_bound: usize,
    /// How many stores of a thread may be pending; as many as K allows if none.
    pub buffer: Option<usize>,
    /// Whether to look for deadlocks.
    pub check_deadlock: bool,
}

/// A model and the script that runs SPIN on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The text of `model.pml`.
    pub model: String,
    /// The text of `run.sh`.
    pub script: String,
}

/// The model of `automata` under `memory`. The title is its first line; comments name lines of `sources`.
///
/// # Errors
/// If the system has a part that is not exported.
pub fn export(
    automata: &Automata,
    memory: &MemoryModel,
    options: &Options,
    sources: &Sources,
    title: &str,
) -> Result<Export, Refusal> {
    let kind = refusal::memory_of(memory)?;
    refusal::check(automata, kind, options)?;
    let model = model::Model::new(automata, (memory, kind), options, sources);
    Ok(Export { model: text::write(&model, title)?, script: script::write(&model) })
}
