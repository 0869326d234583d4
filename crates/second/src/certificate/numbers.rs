//! The states of threads by their numbers, in the order in which they are first met.

use crate::code::{Instr, Region};
use crate::state::{Assumption, Entry, Thread};
use crate::world::World;
use program::typed;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is asked of a thread's state again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Which of the program's threads it is.
    pub(crate) thread: usize,
    /// It has violated something.
    pub(crate) has_failed: bool,
    /// It loops where a choice leads out: only temporal properties see it (rule 2.6).
    pub(crate) circles: bool,
    /// It neither has ended, with nothing queued, nor spins: without any step this is a deadlock (rule 3.3).
    pub(crate) waits: bool,
    /// What other threads write may change it (rules 4.7, 5.4, 6.2).
    pub(crate) watches: bool,
    /// Its next step depends on where all others are (rule 3.7).
    pub(crate) stops_the_world: bool,
}

/// The numbers of what a thread has passed since its last step, and where it still might be: see `passing`.
pub(crate) type Trail = Rc<[u32]>;

#[derive(Default)]
pub(crate) struct Numbers {
    pub(crate) threads: Vec<Rc<Thread>>,
    pub(crate) trails: Vec<Trail>,
    pub(crate) facts: Vec<Facts>,
    known: FxHashMap<(Rc<Thread>, Trail), u32>,
}

impl Numbers {
    pub(crate) fn number(&mut self, world: &World<'_>, thread: &Rc<Thread>, trail: Trail) -> u32 {
        *self.known.entry((thread.clone(), trail)).or_insert_with_key(|(thread, trail)| {
            self.threads.push(thread.clone());
            self.trails.push(trail.clone());
            self.facts.push(facts(world, thread));
            self.threads.len() as u32 - 1
        })
    }
}

fn facts(world: &World<'_>, thread: &Thread) -> Facts {
    let has_ended = world.has_ended(thread.id, thread.pc) && thread.aborted.is_none();
    let is_demand = |it: &Assumption| matches!(it, Assumption::Unwritten(_));
    let has_demand = |entry: &Entry| entry.access().is_some_and(|it| it.assumed.keys().any(is_demand));
    let stops = |region: &Region| region.kind == typed::Region::StopTheWorld;
    Facts {
        thread: thread.id,
        has_failed: thread.failed.is_some(),
        circles: thread.circles,
        waits: !has_ended && !thread.spins || thread.accesses().next().is_some(),
        watches: !thread.reserved.is_empty() || thread.transaction.is_some() || thread.queue.iter().any(has_demand),
        stops_the_world: matches!(world.instr(thread), Instr::Region(region) if stops(region)),
    }
}
