//! Certificates: all states of a program, in the terms of these rules, and the check that they are closed under every step and that none is
//! bad.
//!
//! A state is a row of words (`rows`): the cells, who holds the bus, and the number of each thread's state (`numbers`). The rules are evaluated
//! once for all states that agree in what a step or a property looks at (`decisions`, `tabulated`; `atoms`, `judge`; together `check`).
//! `observed` and `passing` are what properties see of threads. `write` finds the rows, `verify`
//! needs only the rows and trusts none of them; `text` is how they are written.
//!
//! Thread states are numbered in the order in which the steps of the rows, row after row, lead to them. So a row can speak only of thread
//! states that the rules give, and none is read from a file.

mod atoms;
pub(crate) mod cells;
mod check;
mod decisions;
mod judge;
mod numbers;
mod observed;
mod passing;
mod rows;
mod tabulated;
mod text;
mod verify;
mod write;

use crate::code::Access;
use crate::values::Violation;
use crate::world::{End, Options, World};
use memory::{Conflicts, Locks, MemoryModel};
use program::Program;
use program::typed::PropertyKind;

pub use verify::{Refusal, verify};
pub use write::{Unwritten, write};

/// How much may be looked at.
#[derive(Clone, Copy)]
pub struct Amount<'a> {
    /// The most states.
    pub max_states: usize,
    /// Whether time or memory is over; asked now and then.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Amount<'_> {
    /// Whether that is too much; `at` counts.
    fn is_over(&self, at: usize, n_states: usize) -> bool {
        n_states > self.max_states || at.is_multiple_of(64) && (self.is_over)()
    }
}

/// Why the rules here have nothing to certify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// There is no initial state.
    NoRun,
    /// The memory model's memory is histories, for which there are no rules here.
    Histories,
    /// The memory model performs read-modify-writes in two (rule 4.8), the rules here in one, and there are some.
    InTwo,
    /// The memory model elides locks (rule 6.7), the rules here take them, and there are some.
    ElidedLocks,
    /// The memory model finds conflicts at commits (rule 6.8), the rules here at once.
    LazyConflicts,
    /// A thread is seen at a point that it passes, and what others write may change it there.
    Passing,
    /// This property is about runs, and a set of states says nothing about it.
    Temporal(String),
}

/// The program under the rules, if all that is judged is a property of states.
///
/// Twice: with the pauses at points that threads only pass, and without.
fn worlds<'p>(program: &'p Program, model: &'p MemoryModel, options: &'p Options) -> Result<[World<'p>; 2], Outside> {
    let (mut world, mut unseen) = (World::new(program, model, options), World::new(program, model, options));
    unseen.mark(&[]);
    observed::forget_the_rest(&mut unseen);
    observed::forget_the_rest(&mut world);
    let mut judged = program.properties.values().filter(|property| world.is_judged(property));
    if let Some(temporal) = judged.find(|property| matches!(property.kind, PropertyKind::Ltl { .. })) {
        return Err(Outside::Temporal(temporal.name.clone()));
    }
    let mut accesses = world.code.iter().flat_map(|code| &code.accesses).map(Access::operation);
    if model.histories.is_some() {
        return Err(Outside::Histories);
    }
    if model.splits_rmw() && accesses.any(|it| it.is_rmw() || it.linked) {
        return Err(Outside::InTwo);
    }
    let mut fields = program.types.objects.values().flat_map(|object| &object.fields);
    let has_locks = program.shared.values().any(|it| it.is_elidable) || fields.any(|it| it.is_elidable);
    if model.locks == Locks::Elided && has_locks {
        return Err(Outside::ElidedLocks);
    }
    if model.conflicts == Conflicts::Lazy {
        return Err(Outside::LazyConflicts);
    }
    let sees_passing = world.mark(&[]);
    if world.code.is_empty() || !world.initial().iter().any(|path| path.end == End::State) {
        return Err(Outside::NoRun);
    }
    world.sees_passing = sees_passing;
    Ok([world, unseen])
}

/// The name of what is violated.
fn name(program: &Program, violation: Violation) -> String {
    match violation {
        Violation::ValidReference => "valid_reference".into(),
        Violation::InRange => "in_range".into(),
        Violation::Deadlock => "deadlock".into(),
        Violation::Property(id) => program.properties[id].name.clone(),
    }
}
