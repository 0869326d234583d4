//! An explanation as data: what the text and the page show, and what programs read. `docs/book/src/outputs.md` lists the
//! fields.

use report::heap::Heap;
use report::json::StoredEvent;
use serde::{Deserialize, Serialize};

/// Why a property is violated, in one run that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The property.
    pub property: String,
    /// The memory model.
    pub memory: String,
    /// The threads, one lane each.
    pub threads: Vec<String>,
    /// How many steps the run has.
    pub n_steps: usize,
    /// How often the thread that steps changes.
    pub n_switches: usize,
    /// How many operations something overtakes.
    pub n_delayed: usize,
    /// What the violation needs of the memory model.
    pub cause: Cause,
    /// The limit that left the cause undecided, if one did.
    pub limit: Option<String>,
    /// The reorderings that the violation needs, in the order in which they begin; none if it needs none, or if that could
    /// not be decided.
    pub reorderings: Vec<Reordering>,
    /// What it names of what the violation comes from.
    pub names: Vec<Named>,
    /// The preemptions that a violation in program order needs; none if it needs none, or if the cause is another.
    pub preemptions: Vec<Preemption>,
    /// The questions that a limit has left open.
    pub undecided: Vec<String>,
    /// The cause in sentences.
    pub sentences: Vec<String>,
    /// Which part of the property failed, with its source and what it speaks of, one sentence each.
    pub failed: Vec<String>,
    /// Who waits where, for what and for whom, one sentence each: of a deadlock, or of a run that repeats.
    pub waits: Vec<String>,
    /// From what the property saw back to the step that dropped what it should have seen, one sentence each.
    pub story: Vec<String>,
    /// Every memory operation of the run, in the order of issue.
    pub operations: Vec<Operation>,
    /// The steps that matter, ascending.
    pub slice: Vec<usize>,
    /// All that happened, in order.
    pub events: Vec<StoredEvent>,
    /// For a run that repeats forever: after so many steps it is where it repeats.
    pub loop_start: Option<usize>,
    /// The heap at the start.
    pub before: Heap,
    /// The heap at the end.
    pub after: Heap,
}

/// What a violation needs of the memory model. Each is what searches have found, not an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nothing: it happens in program order too.
    ProgramOrder,
    /// The reorderings named: with these and no other it happens, and without any one of them it does not.
    Reorderings,
    /// Neither was shown: a limit stopped a search, or the property sees more than the order of operations.
    Undecided,
}

/// What an explanation may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// An operation that is late, or that passes over newer writes.
    Reordering,
    /// Two accesses that nothing orders.
    Race,
    /// Where another thread had to come in between.
    Preemption,
    /// Who waits, for what, and who could change that.
    Wait,
    /// The reference that was dropped last, or one that is still there.
    LostReference,
    /// The steps that repeat forever.
    Repetition,
    /// The step that made the property false.
    Step,
    /// That it is false before any step.
    Start,
}

/// One operation performed after younger ones of its thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reordering {
    /// The operation that is late, by its position in `operations`.
    pub older: usize,
    /// The operations that must overtake it, likewise.
    pub younger: Vec<usize>,
    /// The last of those in program order.
    pub last: usize,
    /// It in one sentence.
    pub sentence: String,
}

/// Another thread came in between two steps of one that could have continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preemption {
    /// The thread that is interrupted, by its lane.
    pub thread: usize,
    /// After so many steps.
    pub after: usize,
    /// The step in which it continues; none if it never does.
    pub until: Option<usize>,
    /// It in one sentence.
    pub sentence: String,
}

/// One memory operation of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The thread, by its lane.
    pub thread: usize,
    /// What it is: `load`, `store`, `CAS`, `swap`, `fetch`, `load-linked`, `store-conditional`, `atomic region`, `direct action`.
    pub kind: String,
    /// The source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<usize>,
    /// The source text.
    pub text: String,
    /// The step in which it was issued; 0 is before the first.
    pub issued: usize,
    /// The step in which it was performed; none if it still waits at the end.
    pub performed: Option<usize>,
    /// The cell, once it is known.
    pub cell: Option<String>,
    /// The value read.
    pub read: Option<String>,
    /// The value written.
    pub wrote: Option<String>,
    /// The operations that overtook it, by their positions.
    pub overtaken_by: Vec<usize>,
    /// The operation that wrote the value read; none for the initial value.
    pub reads_from: Option<usize>,
    /// Whether it is part of the slice.
    pub matters: bool,
}
