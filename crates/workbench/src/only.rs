//! A search for the violation of one property.
//!
//! A run that violates another property is followed up to there and not beyond. So two runs of the same system under other
//! rules can be compared by one property, whatever else each may violate.

use crate::answer::Verdict;
use crate::question::Question;
use automata::{PropertyId, PropertyKind};
use explore::search;
use machine::Compiled;
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
        violated: &mut Vec<PropertyIndex>,
    ) {
        let found = TransitionSystem::inspect(self, state, scratch, reached);
        violated.extend(found.filter(|property| !violated.contains(property)));
    }

    fn stuck(&self, state: &[u32], scratch: &mut S::Scratch) -> Option<PropertyIndex> {
        if self.is_end(state, scratch) {
            return None;
        }
        self.system.stuck(state, scratch).filter(|property| *property == self.property)
    }
}

impl Question<'_> {
    /// The verdict of one property, as [`answer`](Question::answer) gives that of all.
    ///
    /// # Panics
    /// If the interpreter cannot execute the counterexample that the search found: a bug of ours.
    pub fn verdict_of(&self, property: PropertyId) -> Verdict {
        self.counted_verdict_of(property).0
    }

    /// The same, and how many states that took.
    pub fn counted_verdict_of(&self, property: PropertyId) -> (Verdict, u64) {
        if let PropertyKind::Ltl(ltl) = &self.automata.properties[property].kind {
            return self.with(&self.options.begun()).check_one_temporal(property, ltl);
        }
        let begun = Instant::now();
        let options = self.options.begun().putting_nothing_off();
        let compiled = Compiled::new(self.automata, self.memory, &options.machine);
        let found = search(&Only { system: &compiled, property: property.0 }, &options.search, self.control);
        let verdict = match found.verdict {
            system::Verdict::Holds => Verdict::Holds,
            system::Verdict::Inconclusive(limit) => Verdict::Inconclusive(limit),
            system::Verdict::Violated { path, .. } => {
                Verdict::of(self.with(&options.after(begun.elapsed())).trace(&compiled, &path, property))
            }
        };
        (verdict, found.statistics.states)
    }
}
