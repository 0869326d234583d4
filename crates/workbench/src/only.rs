//! A search for the violation of one property.
//!
//! A run that violates another property is followed up to there and not beyond. So two runs of the same system under other
//! rules can be compared by one property, whatever else each may violate.

use crate::run::{RunOptions, Verdict, trace_of};
use crate::temporal;
use automata::{Automata, PropertyId, PropertyKind};
use explore::{Control, search};
use machine::Compiled;
use memory::MemoryModel;
use std::time::Instant;
use system::{PropertyIndex, Reached, Successors, TransitionSystem};

/// A system asked for one property.
pub(crate) struct Only<'a, S: ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) property: PropertyIndex,
}

impl<S: TransitionSystem + ?Sized> Only<'_, S> {
    /// Whether `state` violates another property, and the run ends there.
    fn is_end(&self, state: &[u32], scratch: &mut S::Scratch) -> bool {
        self.system.inspect(state, scratch, &mut Reached::default()).is_some_and(|property| property != self.property)
    }
}

impl<S: TransitionSystem + ?Sized> system::Over for Only<'_, S> {
    type Inner = S;

    fn inner(&self) -> &S {
        self.system
    }

    fn successors(&self, from: &[u32], scratch: &mut S::Scratch, out: &mut Successors) {
        if !self.is_end(from, scratch) {
            self.system.successors(from, scratch, out);
        }
    }

    fn inspect(&self, state: &[u32], scratch: &mut S::Scratch, reached: &mut Reached) -> Option<PropertyIndex> {
        self.system.inspect(state, scratch, reached).filter(|property| *property == self.property)
    }

    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut S::Scratch,
        reached: &mut Reached,
        violated: &mut dyn FnMut(PropertyIndex),
    ) {
        TransitionSystem::inspect(self, state, scratch, reached).into_iter().for_each(violated);
    }

    fn stuck(&self, state: &[u32], scratch: &mut S::Scratch) -> Option<PropertyIndex> {
        if self.is_end(state, scratch) {
            return None;
        }
        self.system.stuck(state, scratch).filter(|property| *property == self.property)
    }
}

/// Checks `automata` under `memory` for one property, as [`run`](crate::run) does for all.
///
/// # Panics
/// If the interpreter cannot execute the counterexample that the search found: a bug of ours.
pub fn run_for(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    property: PropertyId,
    control: &Control<'_>,
) -> Verdict {
    if let PropertyKind::Ltl(ltl) = &automata.properties[property].kind {
        return temporal::check_for(automata, memory, &options.begun(), (property, ltl), control);
    }
    let begun = Instant::now();
    let options = &options.begun().putting_nothing_off();
    let compiled = Compiled::new(automata, memory, &options.machine);
    let found = search(&Only { system: &compiled, property: property.0 }, &options.search, control);
    match found.verdict {
        system::Verdict::Holds => Verdict::Holds,
        system::Verdict::Inconclusive(limit) => Verdict::Inconclusive(limit),
        system::Verdict::Violated { path, .. } => {
            let options = options.after(begun.elapsed());
            Verdict::of(trace_of(automata, memory, &options, control, &compiled, &path, property))
        }
    }
}
