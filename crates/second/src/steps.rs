//! The steps of a state, and the initial states (rules 2.3, 2.5, 3.4 to 3.11).

use crate::code::{Instr, Region, RegionKind};
use crate::region::is_drained;
use crate::state::State;
use crate::world::{End, Path, World};

/// A step.
pub(crate) struct Step {
    pub(crate) thread: usize,
    /// What was done, for people; and where in the text.
    pub(crate) what: String,
    pub(crate) pc: usize,
    /// It performs the oldest operation of its thread.
    pub(crate) performs_oldest: bool,
    /// The thread only goes on from a label (rule 8.2).
    pub(crate) is_pause: bool,
    pub(crate) path: Path,
}

impl World<'_> {
    /// Every thread has done the local actions that it can do from its beginning.
    pub(crate) fn initial(&self) -> Vec<Path> {
        let mut paths = vec![Path::new(self.unstarted())];
        for t in 0..self.code.len() {
            let started = |path: Path| if path.end == End::Cut { vec![path] } else { self.arrive(path, t) };
            paths = paths.into_iter().flat_map(started).collect();
        }
        paths
    }

    /// All steps; also those that are discarded. A state in which a thread has violated something has none.
    pub(crate) fn steps(&self, state: &State) -> Vec<Step> {
        if state.has_failed() { Vec::new() } else { self.steps_of_others(state) }
    }

    /// All steps of threads that have not violated anything.
    pub(crate) fn steps_of_others(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for t in 0..state.threads.len() {
            if state.threads[t].failed.is_none() {
                self.thread_steps(state, t, &mut steps);
            }
        }
        steps
    }

    fn thread_steps(&self, state: &State, t: usize, steps: &mut Vec<Step>) {
        let thread = &state.threads[t];
        let pc = thread.pc;
        if thread.pauses {
            for path in self.go_on(state, t) {
                let what = "goes on".to_string();
                steps.push(Step { thread: t, what, pc, performs_oldest: false, is_pause: true, path });
            }
            self.memory_steps(state, t, steps);
            return;
        }
        let mut add = |what: &str, pc: usize, performs_oldest: bool, path: Path| {
            for path in self.arrive(path, t) {
                steps.push(Step { thread: t, what: what.into(), pc, performs_oldest, is_pause: false, path });
            }
        };
        if thread.resumes.is_some() {
            return add("goes on after a conflict", pc, false, self.resume(state, t));
        }
        if thread.transaction.is_some() {
            for (what, path) in self.transaction_steps(state, t) {
                add(&what, pc, false, path);
            }
            return;
        }
        let oldest = thread.queue.iter().position(|entry| entry.access().is_some());
        for place in 0..thread.queue.len() {
            let Some(queued) = thread.queue[place].access() else { continue };
            for path in self.performs(state, t, place) {
                add("performed", queued.pc, oldest == Some(place), path);
            }
        }
        if thread.spins {
            return;
        }
        for (what, path) in self.acts(state, t) {
            add(what, pc, false, path);
        }
    }

    /// While a thread pauses, its operations are performed (rule 8.2).
    fn memory_steps(&self, state: &State, t: usize, steps: &mut Vec<Step>) {
        let queue = &state.threads[t].queue;
        let oldest = queue.iter().position(|entry| entry.access().is_some());
        for (place, entry) in queue.iter().enumerate() {
            let Some(queued) = entry.access() else { continue };
            for mut path in self.performs(state, t, place) {
                if path.end == End::State && path.state.threads[t].failed.is_none() {
                    self.retire(&mut path, t);
                }
                let performs_oldest = oldest == Some(place);
                steps.push(Step {
                    thread: t,
                    what: "performed".into(),
                    pc: queued.pc,
                    performs_oldest,
                    is_pause: false,
                    path,
                });
            }
        }
    }

    /// The step at the thread's point, if it is one and need not wait.
    fn acts(&self, state: &State, t: usize) -> Vec<(&'static str, Path)> {
        let thread = &state.threads[t];
        let next = || {
            let mut path = Path::new(state.clone());
            path.state.thread(t).pc += 1;
            path
        };
        let enters =
            |is_ordered: bool| if is_ordered { is_drained(thread) } else { self.may_enter_unordered(thread, &[]) };
        match self.instr(state, t) {
            Instr::Safepoint => vec![("safepoint", next())],
            Instr::Region(Region { kind: RegionKind::Then, .. }) => Vec::new(),
            Instr::Region(region) if self.may_enter(state, t, region) => {
                let ways = self.execute(Path::new(state.clone()), t, region);
                ways.into_iter().map(|way| ("region", way)).collect()
            }
            Instr::Lock { is_ordered } if state.bus.is_none() && enters(*is_ordered) => {
                let mut path = next();
                path.state.bus = Some(t);
                vec![("takes the bus", path)]
            }
            Instr::Unlock if state.bus == Some(t) && is_drained(thread) => {
                let mut path = next();
                path.state.bus = None;
                vec![("frees the bus", path)]
            }
            _ => Vec::new(),
        }
    }
}
