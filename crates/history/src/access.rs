//! Reads, writes and read-modify-writes.

use crate::clock::{join, widen};
use crate::order::Node;
use crate::profile::{Mark, Profile};
use crate::state::{Histories, Knowledge, Message};
use memory::Order;

/// One way to perform an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Who.
    pub thread: usize,
    /// The cell.
    pub cell: usize,
    /// For what reads, the position of the write that it reads.
    pub read: Option<usize>,
    /// For what writes, its place, before the write of that position or at the end, and the value. A read-modify-write
    /// comes next after what it reads.
    pub write: Option<(usize, i32)>,
    /// Its order.
    pub order: Order,
    /// Whether it is not atomic; then its order is relaxed.
    pub is_plain: bool,
}

/// A state that an event leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// The state.
    pub state: Histories,
    /// Whether a write that some thread could still read was dropped, because the history was full.
    pub is_cut: bool,
    /// The last access of this kind races with the event: nothing orders the two. Then the state means nothing.
    pub race: Option<Mark>,
}

impl Histories {
    /// The state after `access`; none if RC11 forbids it. Position and place must be among `readable` and `places`, or be open.
    pub fn access(&self, profile: &Profile, access: Access) -> Option<Next> {
        let Access { thread, cell, read, write, order, is_plain } = access;
        let mut next = self.clone();
        next.threads[thread].change_cell(profile, cell);
        if let Some(position) = read {
            next.observe(access, position);
        }
        let race = next.mark(profile, Mark { thread, cell, writes: write.is_some(), is_plain });
        let place = write.map(|(place, _)| place).or(read.map(|position| position + 1))?;
        if !next.order_fences(profile, thread, (cell, place)) {
            return None;
        }
        let node = match order {
            Order::SeqCst => Some(next.order_access(profile, thread, (cell, place), write.is_some())?),
            _ => None,
        };
        if let Some((_, value)) = write {
            let read = read.map(|position| self.cells[cell].messages[position].view.clone());
            let message = Message { value, is_attached: read.is_some(), view: profile.shape().nothing() };
            next.insert(profile, thread, (cell, place), message, node.as_ref());
            let view = (!is_plain).then(|| next.released(profile, thread, cell, order));
            let written = &mut next.cells[cell].messages[place].view;
            view.iter().for_each(|view| written.join(view));
            read.iter().for_each(|view| written.join(view));
        } else {
            next.leave_sources(profile, thread, (cell, place), node.as_ref());
            next.remember(profile, thread, cell, node.as_ref());
        }
        let is_cut = next.cut(profile, cell);
        next.prune(profile);
        Some(Next { state: next, is_cut, race })
    }

    /// The access reads the write at `position`. A plain one acquires nothing, not even for a fence.
    fn observe(&mut self, Access { thread, cell, order, is_plain, .. }: Access, position: usize) {
        let Knowledge { current, acquired, .. } = &mut self.threads[thread];
        let view = &self.cells[cell].messages[position].view;
        if !is_plain {
            acquired.join(view);
        }
        if order.is_acquire() {
            current.join(view);
        }
        [current, acquired].into_iter().for_each(|known| known.see(cell, position));
    }

    /// Puts a write of `thread` in at a place.
    fn insert(
        &mut self,
        profile: &Profile,
        thread: usize,
        (cell, place): (usize, usize),
        message: Message,
        node: Option<&Node>,
    ) {
        let shape = profile.shape();
        self.views_mut().for_each(|view| view.shift(shape, cell, place));
        let history = &mut self.cells[cell];
        history.messages.insert(place, message);
        let gap = history.gaps[place].clone();
        history.gaps.insert(place + 1, gap);
        let fences = self.threads[thread].current.part(shape.fences());
        let before = &mut history.gaps[place];
        before.through = before.fences.clone();
        join(&mut before.through, fences);
        let targets = node.map_or(&[][..], |node| &node.targets);
        for gap in &mut history.gaps[..=place] {
            widen(&mut gap.targets, targets);
            widen(&mut gap.fence_targets, targets);
        }
        self.leave_sources(profile, thread, (cell, place + 1), node);
        let Knowledge { current, acquired, .. } = &mut self.threads[thread];
        [current, acquired].into_iter().for_each(|known| known.write(shape, cell, place));
        self.remember(profile, thread, cell, node);
    }

    /// What comes behind `place` comes after an event of `thread`, and after the seq_cst fences that happen before it.
    fn leave_sources(&mut self, profile: &Profile, thread: usize, (cell, place): (usize, usize), node: Option<&Node>) {
        let fences = self.threads[thread].current.part(profile.shape().fences());
        for gap in &mut self.cells[cell].gaps[place..] {
            join(&mut gap.fences, fences);
            join(&mut gap.through, fences);
            node.iter().for_each(|node| join(&mut gap.accesses, &node.sources));
        }
    }

    /// A seq_cst access to `cell` happens before all that `thread` does next.
    fn remember(&mut self, profile: &Profile, thread: usize, cell: usize, node: Option<&Node>) {
        let Some(node) = node else { return };
        let Knowledge { current, acquired, own, .. } = &mut self.threads[thread];
        join(own, &node.sources);
        let part = profile.shape().accesses(cell);
        [current, acquired].into_iter().for_each(|view| join(view.part_mut(part.clone()), &node.sources));
    }

    /// What an acquire read of the write that `thread` has just done gets to know.
    fn released(&mut self, profile: &Profile, thread: usize, cell: usize, order: Order) -> crate::View {
        let Knowledge { current, released, sequences, .. } = &mut self.threads[thread];
        let number = cell as u16;
        if order.is_release() {
            if profile.continues[thread][cell] {
                sequences.retain(|(other, _)| *other != number);
                sequences.push((number, current.clone()));
                sequences.sort_by_key(|(cell, _)| *cell);
            }
            return current.clone();
        }
        let mut view = released.clone();
        sequences.iter().filter(|(other, _)| *other == number).for_each(|(_, sequence)| view.join(sequence));
        view
    }

    /// Whether the history of `cell` is too long. Then its oldest write is dropped: no thread reads it any more.
    fn cut(&mut self, profile: &Profile, cell: usize) -> bool {
        let is_cut = self.cells[cell].messages.len() > profile.bound;
        for thread in self.threads.iter_mut().filter(|_| is_cut) {
            [&mut thread.current, &mut thread.acquired].into_iter().for_each(|view| view.see(cell, 1));
        }
        is_cut
    }
}

impl Knowledge {
    /// Its next event is at another cell than the last one, unless it is at the same: `sb≠loc`.
    pub(crate) fn change_cell(&mut self, profile: &Profile, cell: usize) {
        if self.run == Some(cell as u16) || !profile.has_sc_accesses {
            return;
        }
        self.run = Some(cell as u16);
        self.pass(profile);
    }

    /// All its seq_cst accesses so far, and all that it has heard of, are followed by an event of another cell, or of none.
    pub(crate) fn pass(&mut self, profile: &Profile) {
        let passed = profile.shape().passed();
        [&mut self.current, &mut self.acquired]
            .into_iter()
            .for_each(|view| join(view.part_mut(passed.clone()), &self.own));
        self.free = self.current.part(passed).to_vec();
    }
}
