//! Where threads have been on the way to where they rest: points that they only pass, and at which an invariant or cover sees them (rule 8.2).
//!
//! From such a point a thread goes on by local actions alone, which commute with the steps of all others. So a state in which it is there is
//! a state in which it rests, with the thread put back. A thread's state has a *trail*: what it has passed since its last step. While it
//! rests its own operations may be performed; then those on the trail perform them too, or can no longer be.

use super::numbers::Numbers;
use crate::state::Thread;
use crate::world::{End, Path, World};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A thread state that a thread passes on a step, and what the step has done by then.
pub(crate) struct Passed {
    pub(crate) state: u32,
    /// Nothing is passed before it.
    pub(crate) is_first: bool,
    pub(crate) cells: Vec<(usize, i64)>,
    pub(crate) bus: u32,
}

#[derive(Default)]
pub(crate) struct Passing {
    /// For each thread state that is passed: where the thread may rest, and what it passes until then.
    onward: FxHashMap<u32, Onward>,
    /// What others write may change one of them, or a trail was lost: then nothing of this is true.
    pub(crate) is_lost: bool,
}

#[derive(Clone, Default)]
struct Onward {
    rests: Rc<[Rc<Thread>]>,
    passes: Rc<[u32]>,
}

impl Passing {
    /// Where a thread may rest if it goes on from a state that it passes.
    pub(crate) fn rests(&self, state: u32) -> &[Rc<Thread>] {
        self.onward.get(&state).map_or(&[], |onward| &onward.rests)
    }

    /// What a thread passes if it goes on from a state that it passes.
    pub(crate) fn passes(&self, state: u32) -> &[u32] {
        self.onward.get(&state).map_or(&[], |onward| &onward.passes)
    }

    /// The number of a thread state that is passed, and of all that are passed from there on.
    pub(crate) fn note(&mut self, worlds: [&World<'_>; 2], numbers: &mut Numbers, thread: &Rc<Thread>) -> Vec<u32> {
        let [seen, unseen] = worlds;
        let (state, t) = (numbers.number(seen, thread, Rc::default()), thread.id);
        if !self.onward.contains_key(&state) {
            self.onward.insert(state, Onward::default());
            self.is_lost |= numbers.facts[state as usize].watches;
            // Local actions look at nothing but their thread.
            let mut alone = Path::new(&unseen.unstarted());
            alone.state.threads[t] = Rc::clone(thread);
            let to = |path: Path| (path.end == End::State).then(|| path.state.threads[t].clone());
            let rests = unseen.settle(alone.clone(), t).into_iter().filter_map(to).collect();
            let on: Vec<Rc<Thread>> = seen.settle(alone, t).into_iter().filter_map(to).collect();
            let on = on.iter().filter(|thread| seen.passes(thread));
            let passes = on.flat_map(|thread| self.note(worlds, numbers, thread)).collect();
            self.onward.insert(state, Onward { rests, passes });
        }
        [&[state][..], &self.onward[&state].passes].concat()
    }
}
