//! What a move does to histories.

use crate::histories::room::{Room, is_cas};
use crate::rules::Rules;
use crate::rules::local::{Local, Mode};
use crate::rules::moves::Move;
use automata::{Access, Action, CellId, Region, Value, Wait};
use history::{Event, Histories};
use memory::{Fence, Order};

/// What a move does to histories; who does it is said elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    /// Nothing.
    Nothing,
    /// Performs an access.
    Access(Touched),
    /// Accesses a cell inside a region, or where nothing may be passed over: the last write is read, and nothing comes after what is written.
    Direct(Touched),
    /// The same inside an ordered region.
    Inside(Touched),
    /// The same while the world is stopped.
    Stopped(Touched),
    /// A fence.
    Fence(Fence),
    /// Begins an ordered region.
    Region,
    /// Stops the world.
    StopTheWorld,
}

/// An access to a cell with a history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    number: usize,
    reads: bool,
    is_plain: bool,
    order: Order,
    /// The order if it writes nothing.
    otherwise: Order,
}

impl Rules<'_> {
    /// What a move does to histories.
    pub(crate) fn deed(&self, room: &Room, local: &Local, a_move: Move) -> Deed {
        let touched = |point, cell: CellId| match (self.code.action(point), room.number(cell)) {
            (Action::Access(access), Some(number)) => Some(Touched::new(access, number)),
            _ => None,
        };
        match a_move {
            Move::Perform(index, cell) => {
                let point = local.queue[index].point;
                let is_fresh = self.code.automaton.kept.keeps(point, point);
                let deed = if is_fresh { Deed::Direct } else { Deed::Access };
                touched(point, cell).map_or(Deed::Nothing, deed)
            }
            Move::Direct(Some(cell)) => match touched(local.point, cell) {
                None => Deed::Nothing,
                Some(touched) if self.code.is_stopped[local.point] => Deed::Stopped(touched),
                Some(touched) if self.code.is_ordered[local.point] => Deed::Inside(touched),
                Some(touched) => Deed::Direct(touched),
            },
            Move::Fence => fence(self.code.action(local.point)).map_or(Deed::Nothing, Deed::Fence),
            Move::Enter(Region::Atomic(Wait::Performed) | Region::Direct(Wait::Performed)) => Deed::Region,
            Move::Enter(Region::StopTheWorld) => Deed::StopTheWorld,
            _ => Deed::Nothing,
        }
    }
}

/// The fence that an action is: there is no queue that `perform` could wait for, and a seq_cst fence is what it becomes.
pub(crate) fn fence(action: &Action) -> Option<Fence> {
    match action {
        Action::Fence(fence) => Some(*fence),
        Action::Perform => Some(Fence::Full),
        _ => None,
    }
}

impl Touched {
    fn new(access: &Access, number: usize) -> Self {
        let otherwise = if is_cas(access) { access.failure_order } else { access.order };
        let (reads, is_plain) = (access.op.is_read(), access.is_plain);
        Touched { number, reads, is_plain, order: access.order, otherwise }
    }
}

/// A write that an access may read: its position, and its value.
pub(crate) type Read = (usize, Value);

impl Deed {
    /// The writes that the move may read, newest first; none if it reads none.
    pub(crate) fn reads(self, state: &Histories, thread: usize) -> Option<Vec<Read>> {
        let (touched, positions) = match self {
            Deed::Access(touched) => (touched, state.readable(thread, touched.number)),
            Deed::Direct(touched) | Deed::Inside(touched) | Deed::Stopped(touched) => {
                let n = state.cells[touched.number].messages.len();
                (touched, n - 1..n)
            }
            _ => return None,
        };
        let messages = &state.cells[touched.number].messages;
        touched.reads.then(|| positions.rev().map(|position| (position, messages[position].value)).collect())
    }

    /// What the writes wrote that an event of this move leaves behind it: newer than what it reads, or than what it writes.
    pub(crate) fn newer(self, state: &Histories, event: Event) -> Vec<Value> {
        let (Deed::Access(touched), Event::Access(access)) = (self, event) else { return Vec::new() };
        let first = access.write.map(|(place, _)| place).or(access.read.map(|position| position + 1));
        let messages = &state.cells[touched.number].messages;
        messages[first.unwrap_or(messages.len())..].iter().map(|message| message.value).collect()
    }

    /// Whether `event`, of this move, is a read of a write that its thread knows already, although there is a newer one.
    ///
    /// A fair run does not end in such reads alone (semantics 10.10).
    pub(crate) fn stays_behind(self, state: &Histories, thread: usize, event: Event) -> bool {
        let (Deed::Access(touched), Event::Access(history::Access { read: Some(read), write: None, .. })) =
            (self, event)
        else {
            return false;
        };
        let readable = state.readable(thread, touched.number);
        read == readable.start && readable.len() > 1
    }

    /// The events that the move may be, given which write it reads and what it writes.
    pub(crate) fn events(
        self,
        state: &Histories,
        thread: usize,
        read: Option<usize>,
        wrote: Option<Value>,
    ) -> Vec<Event> {
        match self {
            Deed::Nothing => vec![Event::Nothing],
            Deed::Fence(fence) => vec![Event::Fence(thread, fence)],
            Deed::Region => vec![Event::Region(thread)],
            Deed::StopTheWorld => vec![Event::StopTheWorld],
            Deed::Stopped(touched) => {
                vec![wrote.map_or(Event::Nothing, |value| Event::Overwrite(touched.number, value))]
            }
            Deed::Direct(touched) | Deed::Inside(touched) => {
                let end = state.cells[touched.number].messages.len();
                let access = touched.access(thread, read, wrote.map(|value| (end, value)));
                let event = if matches!(self, Deed::Inside(_)) { Event::Inside } else { Event::Access };
                access.map(event).into_iter().collect()
            }
            Deed::Access(touched) => match (read, wrote) {
                (Some(position), Some(_)) if !state.is_open(touched.number, position + 1) => Vec::new(),
                (Some(position), _) => {
                    let access = touched.access(thread, read, wrote.map(|value| (position + 1, value)));
                    access.map(Event::Access).into_iter().collect()
                }
                (None, None) => vec![Event::Nothing],
                (None, Some(value)) => {
                    let places: Vec<usize> = state.places(thread, touched.number).collect();
                    places
                        .into_iter()
                        .rev()
                        .filter_map(|place| touched.access(thread, None, Some((place, value))))
                        .map(Event::Access)
                        .collect()
                }
            },
        }
    }
}

impl Touched {
    fn access(self, thread: usize, read: Option<usize>, write: Option<(usize, Value)>) -> Option<history::Access> {
        let order = if write.is_some() { self.order } else { self.otherwise };
        let access = history::Access { thread, cell: self.number, read, write, order, is_plain: self.is_plain };
        (read.is_some() || write.is_some()).then_some(access)
    }
}

/// Whether a thread has no more events: then what it knows no longer matters.
pub(crate) fn has_ended(local: &Local) -> bool {
    local.mode == Mode::Halted && local.queue.is_empty()
}
