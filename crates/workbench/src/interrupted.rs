//! Searches for the violation of one property by threads that are interrupted at few places only.

use crate::answer::Verdict;
use crate::only::Only;
use crate::options::RunOptions;
use crate::question::Question;
use crate::trace::{confirmed, retrace};
use automata::PropertyId;
use explore::{SearchOptions, cheapest, search};
use machine::{Compiled, Interruptions, Turns};
use system::TransitionSystem;

/// A system whose threads take turns. What one search has computed of their steps serves the next.
pub struct InTurns<'a> {
    pub(crate) question: Question<'a>,
    pub(crate) compiled: Compiled<'a>,
}

impl<'a> Question<'a> {
    /// The options of searches that must know which thread steps: threads keep their names, and nothing is put off.
    pub fn keeping_names(&self) -> RunOptions {
        let mut options = self.options.begun().putting_nothing_off();
        options.machine.reductions.symmetry = false;
        options
    }

    /// The system as searches by turns see it; the options [keep names](Question::keeping_names).
    pub fn in_turns(&self) -> InTurns<'a> {
        InTurns { question: *self, compiled: Compiled::new(self.automata, self.memory, &self.options.machine) }
    }
}

impl InTurns<'_> {
    /// The verdict of one property of states, of assertions or of deadlocks, and how many states that took.
    ///
    /// # Panics
    /// If the interpreter cannot execute the counterexample that the search found: a bug of ours.
    pub fn verdict(&self, property: PropertyId, how: Interruptions, options: &SearchOptions) -> (Verdict, u64) {
        let turns = Turns::new(self.compiled.tables(), how);
        let (found, states) =
            self.search(&Only { system: &turns, property: property.0 }, turns.interruptions(), options);
        let verdict = match found {
            system::Verdict::Holds => Verdict::Holds,
            system::Verdict::Inconclusive(limit) => Verdict::Inconclusive(limit),
            system::Verdict::Violated { path, .. } => {
                let path: Vec<Vec<u32>> = path.iter().map(|state| turns.plain(state).to_vec()).collect();
                Verdict::of(confirmed(retrace(&self.compiled, &path, property), self.question.options))
            }
        };
        (verdict, states)
    }

    /// Where interruptions are counted, the fewest are sought, by a path with the fewest steps; else a shortest path.
    pub(crate) fn search<S: TransitionSystem>(
        &self,
        system: &S,
        how: &Interruptions,
        options: &SearchOptions,
    ) -> (system::Verdict, u64) {
        if let Interruptions::UpTo(_) = how {
            return cheapest(system, &options.limits, self.question.control);
        }
        let found = search(system, options, self.question.control);
        (found.verdict, found.statistics.states)
    }
}
