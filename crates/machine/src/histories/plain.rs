//! The steps of the plain interpreter where memory is histories.

use crate::histories::room::Room;
use crate::rules::Event;
use crate::rules::interpreter::{Interpreter, MoveEnd, PlainState, PlainSuccessors};
use crate::rules::moves::Move;
use crate::rules::perform::{Applied, Source};
use automata::{PropertyId, ThreadId, Value};
use base::table::Id;
use history::{Histories, Mark};
use system::Reached;

impl Interpreter<'_> {
    /// All ways to take one move that a memory of histories allows.
    pub(crate) fn ways_by_history(
        &self,
        room: &Room,
        memory: &Histories,
        (state, thread): (&PlainState, usize),
        a_move: Move,
        (ways, out): (&mut Vec<MoveEnd>, &mut PlainSuccessors),
    ) {
        let (rules, local) = (self.rules(thread), &state.locals[thread]);
        let deed = rules.deed(room, local, a_move);
        let flat =
            || rules.move_footprint(local, a_move).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
        let reads = match deed.reads(memory, thread) {
            Some(reads) => reads.into_iter().map(|(position, value)| (Some(position), value)).collect(),
            None => vec![(None, flat())],
        };
        for (position, read) in reads {
            let Some(mut applied) = rules.apply(local, a_move, read) else { continue };
            let wrote = applied.write.map(|(_, value)| value);
            for event in deed.events(memory, thread, position, wrote) {
                let Some(next) = memory.after(&room.profile, event) else { continue };
                let after = PlainState { memory: Some(next.state), ..state.clone() };
                if let Some((property, mark)) = room.race.zip(next.race) {
                    let what = (position.map(|_| read), wrote);
                    ways.push(self.raced(after, thread, (a_move, what), (property, mark)));
                    continue;
                }
                note_newer(&mut applied, deed.newer(memory, event));
                let (first, stays_behind) = (ways.len(), deed.stays_behind(memory, thread, event));
                self.settled(&after, thread, &applied, (ways, out));
                ways[first..].iter_mut().for_each(|way| way.stays_behind = stays_behind);
            }
        }
    }

    /// The end in `after` of a move in which an access of `thread` races with another.
    fn raced(
        &self,
        mut after: PlainState,
        thread: usize,
        (a_move, (read, wrote)): (Move, (Option<Value>, Option<Value>)),
        (property, mark): (PropertyId, Mark),
    ) -> MoveEnd {
        let local = &after.locals[thread];
        let point = match a_move {
            Move::Perform(index, _) => local.queue[index].point,
            _ => local.point,
        };
        let mut events = Vec::new();
        if let Some(reach) = self.rules(thread).move_footprint(local, a_move) {
            let (cell, source, passed, is_half) = (reach.cell, Source::Memory, 0, false);
            events.push(Event::Perform { point, cell, read, wrote, source, passed, is_half });
            let Mark { thread: with, writes, is_plain, .. } = mark;
            events.push(Event::Race { point, cell, with: ThreadId::new(with), writes, is_plain });
        }
        events.push(Event::Fail(point, property));
        after.locals[thread] = local.stopped_by(property);
        self.show_memory(&mut after, thread);
        MoveEnd { state: after, stays_behind: false, events, reached: Reached::default() }
    }
}

/// Tells of newer writes that what was performed has left behind, and of no others.
fn note_newer(applied: &mut Applied, newer: Vec<Value>) {
    for path in &mut applied.settled.paths {
        let events = &mut path.events;
        events.retain(|event| !matches!(event, Event::Behind { .. }));
        let performed = events.iter().enumerate().find_map(|(at, event)| match event {
            Event::Perform { point, .. } => Some((at + 1, *point)),
            _ => None,
        });
        if let Some((at, point)) = performed.filter(|_| !newer.is_empty()) {
            events.insert(at, Event::Behind { point, newer: newer.clone() });
        }
    }
}
