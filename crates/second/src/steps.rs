//! The steps of a state, and the initial states (rules 2.3, 2.5, 3.4 to 3.11).

use crate::code::Instr;
use crate::state::State;
use crate::world::{Path, World};
use base::Span;
use program::typed;

/// What a thread that pauses does.
const GOES_ON: &str = "goes on";

/// A step.
pub(crate) struct Step {
    pub(crate) thread: usize,
    /// What was done, for people; and where in the text.
    pub(crate) what: &'static str,
    pub(crate) span: Span,
    /// It performs the oldest operation of its thread.
    pub(crate) performs_oldest: bool,
    pub(crate) path: Path,
}

impl World<'_> {
    /// Every thread has done the local actions that it can do from its beginning.
    pub(crate) fn initial(&self) -> Vec<Path> {
        let start = vec![Path::new(&self.unstarted())];
        (0..self.code.len()).fold(start, |paths, t| paths.into_iter().flat_map(|path| self.settle(path, t)).collect())
    }

    /// All steps; also those that are discarded. Where a thread has violated something the run ends, but others that only
    /// pass a label end what they do.
    pub(crate) fn steps(&self, state: &State) -> Vec<Step> {
        if !state.has_failed() {
            return self.steps_of_others(state);
        }
        let passing = state.threads.iter().filter(|thread| self.passes(thread));
        passing.flat_map(|thread| self.thread_steps(state, thread.id)).filter(|step| step.what == GOES_ON).collect()
    }

    /// All steps of threads that have not violated anything.
    pub(crate) fn steps_of_others(&self, state: &State) -> Vec<Step> {
        let others = state.threads.iter().filter(|thread| thread.failed.is_none());
        others.flat_map(|thread| self.thread_steps(state, thread.id)).collect()
    }

    fn thread_steps(&self, state: &State, t: usize) -> Vec<Step> {
        let (thread, mut steps) = (&state.threads[t], Vec::new());
        let span = self.code[t].points[thread.pc].span;
        let mut add = |what, span, performs_oldest, paths: Vec<Path>| {
            steps.extend(paths.into_iter().map(|path| Step { thread: t, what, span, performs_oldest, path }));
        };
        let settled = |paths: Vec<Path>| paths.into_iter().flat_map(|path| self.settle(path, t)).collect();
        if thread.pauses {
            add(GOES_ON, span, false, settled(vec![Path::new(state)]));
        } else if thread.aborted.is_some() {
            add("goes on after a conflict", span, false, settled(vec![self.resumed(state, t)]));
        } else if thread.transaction.is_some() {
            add("in the transaction", span, false, settled(self.transaction_steps(state, t)));
        }
        if thread.aborted.is_some() || thread.transaction.is_some() {
            return steps;
        }
        let oldest = thread.queue.iter().position(|entry| entry.access().is_some());
        for (place, entry) in thread.queue.iter().enumerate() {
            let Some(queued) = entry.access() else { continue };
            let mut paths = self.performs(state, t, place);
            match thread.pauses {
                // While it pauses, its operations are performed (rule 8.2).
                true => paths.iter_mut().for_each(|path| self.retire(path, t)),
                false => paths = settled(paths),
            }
            add("performed", self.access(thread, queued).span, oldest == Some(place), paths);
        }
        if !thread.pauses && !thread.spins {
            add("at once", span, false, settled(self.acts(state, t)));
        }
        steps
    }

    /// The step at the thread's point, if it is one and need not wait.
    fn acts(&self, state: &State, t: usize) -> Vec<Path> {
        let mut path = Path::new(state);
        match self.instr(&state.threads[t]) {
            Instr::Safepoint => {
                path.state.thread(t).pc += 1;
                vec![path]
            }
            Instr::Region(region) if region.kind != typed::Region::Then => {
                match self.may_enter(state, &state.threads[t], region) {
                    true => self.execute(path, t, region),
                    false => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}
