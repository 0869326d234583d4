//! A state of the memory.

use crate::clock::{NONE, Sources, Targets};
use crate::profile::Profile;
use crate::view::{Shape, View};

/// A write that can still be read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// What was written.
    pub value: i32,
    /// Whether it is a read-modify-write of the write before: nothing comes between.
    pub is_attached: bool,
    /// What an acquire read of it gets to know.
    pub view: View,
}

/// What seq_cst events say of a place in modification order: before the write of the same position, or at the end.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Gap {
    /// Fences that happen before a write before this place, or before a read of one.
    pub(crate) fences: Vec<u16>,
    /// Seq_cst writes before this place, and seq_cst reads of writes before it.
    pub(crate) accesses: Vec<u16>,
    /// `fences`, and those that happen before the write after this place.
    pub(crate) through: Vec<u16>,
    /// Seq_cst writes behind this place, and fences that such a write happens before.
    pub(crate) targets: Vec<u16>,
    /// These, and fences that a read of such a write happens before.
    pub(crate) fence_targets: Vec<u16>,
}

/// The history of a cell: its writes in modification order that some thread can still read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct History {
    /// The writes, oldest first.
    pub messages: Vec<Message>,
    /// One more than writes.
    pub(crate) gaps: Vec<Gap>,
}

/// What a thread knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Knowledge {
    /// What happens before its next event.
    pub(crate) current: View,
    /// What would after an acquire fence.
    pub(crate) acquired: View,
    /// What did before its last release fence.
    pub(crate) released: View,
    /// For each cell to which it may continue a release sequence, what it knew at its last release write.
    pub(crate) sequences: Vec<(u16, View)>,
    /// Its own seq_cst events.
    pub(crate) own: Vec<u16>,
    /// Those of others that come before it by `sb≠loc; hb; sb≠loc`, whatever cell it accesses next.
    pub(crate) free: Vec<u16>,
    /// The cell that it has accessed last; none after a fence.
    pub(crate) run: Option<u16>,
    /// Whether it has ended: it has no more events.
    pub(crate) has_ended: bool,
}

/// A state of the memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Histories {
    /// For each cell its history.
    pub cells: Vec<History>,
    pub(crate) threads: Vec<Knowledge>,
    /// What the last ordered region knew.
    pub(crate) region: View,
}

impl Gap {
    fn new(shape: Shape) -> Self {
        Gap {
            fences: vec![0; shape.clock(shape.fences)],
            accesses: vec![0; shape.clock(shape.accesses)],
            through: vec![0; shape.clock(shape.fences)],
            targets: vec![NONE; shape.clock(shape.accesses)],
            fence_targets: vec![NONE; shape.clock(shape.fences)],
        }
    }
}

impl Knowledge {
    /// What a thread knows that has done nothing.
    pub(crate) fn new(shape: Shape) -> Self {
        let mut knows_no_access = shape.nothing();
        knows_no_access.part_mut(shape.marks()).fill(1);
        Knowledge {
            current: knows_no_access.clone(),
            acquired: knows_no_access,
            released: shape.nothing(),
            sequences: Vec::new(),
            own: vec![0; shape.clock(shape.fences || shape.accesses)],
            free: vec![0; shape.clock(shape.accesses)],
            run: None,
            has_ended: false,
        }
    }
}

impl Knowledge {
    /// What is kept of a thread that has ended: nothing.
    pub(crate) fn ended(shape: Shape) -> Self {
        let (current, acquired) = (shape.nothing(), shape.nothing());
        Knowledge { current, acquired, has_ended: true, ..Knowledge::new(shape) }
    }
}

impl Histories {
    /// The state in which nothing has happened.
    pub fn start(profile: &Profile) -> Self {
        let shape = profile.shape();
        let nothing = shape.nothing();
        let history = |value: &i32| History {
            messages: vec![Message { value: *value, is_attached: false, view: nothing.clone() }],
            gaps: vec![Gap::new(shape); 2],
        };
        Histories {
            cells: profile.init.iter().map(history).collect(),
            threads: vec![Knowledge::new(shape); profile.n_threads],
            region: nothing.clone(),
        }
    }

    /// The value that is last in modification order.
    pub fn last(&self, cell: usize) -> i32 {
        self.cells[cell].messages.last().map_or(0, |message| message.value)
    }

    /// The writes to `cell` that `thread` may read if no seq_cst event forbids it, by position.
    pub fn readable(&self, thread: usize, cell: usize) -> std::ops::Range<usize> {
        self.threads[thread].current.seen(cell)..self.cells[cell].messages.len()
    }

    /// Where `thread` may put a write to `cell` if no seq_cst event forbids it: before the write of that position, or at the end.
    pub fn places(&self, thread: usize, cell: usize) -> impl Iterator<Item = usize> {
        let messages = &self.cells[cell].messages;
        let after = self.threads[thread].current.seen(cell) + 1;
        (after..=messages.len()).filter(move |place| self.is_open(cell, *place))
    }

    /// Whether nothing forbids a write at `place`: the write there is no read-modify-write of the one before.
    pub fn is_open(&self, cell: usize, place: usize) -> bool {
        self.cells[cell].messages.get(place).is_none_or(|message| !message.is_attached)
    }

    /// All views.
    pub(crate) fn views_mut(&mut self) -> impl Iterator<Item = &mut View> {
        let threads = self.threads.iter_mut().flat_map(|thread| {
            let sequences = thread.sequences.iter_mut().map(|(_, view)| view);
            [&mut thread.current, &mut thread.acquired, &mut thread.released].into_iter().chain(sequences)
        });
        let messages = self.cells.iter_mut().flat_map(|cell| &mut cell.messages).map(|message| &mut message.view);
        threads.chain(messages).chain([&mut self.region])
    }

    /// All sets of sources.
    pub(crate) fn for_sources(&mut self, shape: Shape, visit: &mut impl FnMut(&mut Sources)) {
        self.views_mut().for_each(|view| view.clocks_mut(shape).for_each(&mut *visit));
        self.threads
            .iter_mut()
            .for_each(|thread| [&mut thread.own, &mut thread.free].into_iter().for_each(|c| visit(c)));
        for gap in self.cells.iter_mut().flat_map(|cell| &mut cell.gaps) {
            [&mut gap.fences, &mut gap.accesses, &mut gap.through].into_iter().for_each(|clock| visit(clock));
        }
    }

    /// All sets of targets.
    pub(crate) fn for_targets(&mut self, visit: &mut impl FnMut(&mut Targets)) {
        for gap in self.cells.iter_mut().flat_map(|cell| &mut cell.gaps) {
            visit(&mut gap.targets);
            visit(&mut gap.fence_targets);
        }
    }
}
