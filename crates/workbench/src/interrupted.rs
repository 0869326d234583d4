//! A search for the violation of one property by threads that are interrupted at few places only.

use crate::answer::Verdict;
use crate::only::Only;
use crate::options::RunOptions;
use crate::question::Question;
use crate::trace::{confirmed, retrace};
use automata::PropertyId;
use explore::search;
use machine::{Compiled, Interruptions, Turns};

impl Question<'_> {
    /// The options of searches that must know which thread steps: threads keep their names, and nothing is put off.
    pub(crate) fn keeping_names(&self) -> RunOptions {
        let mut options = self.options.begun().putting_nothing_off();
        options.machine.reductions.symmetry = false;
        options
    }

    /// The verdict of one property of states, of assertions or of deadlocks, and how many states that took. Which thread steps
    /// must be known, so threads keep
    /// their names.
    ///
    /// # Panics
    /// If the interpreter cannot execute the counterexample that the search found: a bug of ours.
    pub fn verdict_interrupted(&self, property: PropertyId, interruptions: Interruptions) -> (Verdict, u64) {
        let options = self.keeping_names();
        let compiled = Compiled::new(self.automata, self.memory, &options.machine);
        let turns = Turns::new(compiled.tables(), interruptions);
        let found = search(&Only { system: &turns, property: property.0 }, &options.search, self.control);
        let verdict = match found.verdict {
            system::Verdict::Holds => Verdict::Holds,
            system::Verdict::Inconclusive(limit) => Verdict::Inconclusive(limit),
            system::Verdict::Violated { path, .. } => {
                let path: Vec<Vec<u32>> = path.iter().map(|state| turns.plain(state).to_vec()).collect();
                Verdict::of(confirmed(retrace(&compiled, &path, property), &options))
            }
        };
        (verdict, found.statistics.states)
    }
}
