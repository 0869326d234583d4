//! The steps of threads from a packed state whose memory is histories.

use crate::histories::deed::has_ended;
use crate::histories::numbered::{After, Numbered};
use crate::tabulated::info::Continuation;
use crate::tabulated::scratch::{Begun, Regions};
use crate::tabulated::stepping::Stepping;
use history::Event;
use system::Successors;

impl<F: Fn(&mut [u32])> Stepping<'_, '_, F> {
    /// Takes every move of a thread from `from`; inside a region, the one there is, in a step that has begun.
    pub(crate) fn take_moves_by_history(
        &self,
        numbered: &Numbered,
        from: &[u32],
        begun: &Begun,
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let (tables, thread) = (self.tables, begun.thread);
        let info = tables.info(from, thread);
        for (index, a_move) in info.moves.iter().enumerate() {
            if !a_move.stops_the_world() {
                self.take_by_history(numbered, from, begun, index, regions, out);
            } else if tables.world_is_stopped(from, thread) {
                let from = tables.without_trails(from, thread);
                self.take_by_history(numbered, &from, begun, index, regions, out);
            }
        }
    }

    /// Takes the move at `index` in all ways that the memory allows.
    fn take_by_history(
        &self,
        numbered: &Numbered,
        from: &[u32],
        begun: &Begun,
        index: usize,
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let (tables, thread) = (self.tables, begun.thread);
        let locals = &tables.locals[tables.table[thread]];
        let info = tables.info(from, thread);
        let a_move = &info.moves[index];
        let number = from[tables.memory_word()];
        let state = numbered.state(number);
        let deed = tables.rules(thread).deed(&numbered.room, info.local, a_move.a_move());
        let oldest = if a_move.performs_oldest { self.label_bits } else { 0 };
        let reads = match deed.reads(state, thread) {
            Some(reads) => reads.into_iter().map(|(position, value)| (Some(position), Some(value))).collect(),
            None => vec![(None, None)],
        };
        for (position, value) in reads {
            let raw = a_move.reads.map_or(0, |slot| value.map_or_else(|| slot.raw(from), |value| slot.raw_of(value)));
            let result = locals.step(&self.around, info, index, raw);
            out.discarded |= result.discarded;
            let wrote = result.write.map(|(_, _, value)| value);
            for event in deed.events(state, thread, position, wrote) {
                let Some(After { number: next, is_race }) = numbered.after(number, event) else { continue };
                let label = begun.label | if deed.stays_behind(state, thread, event) { 0 } else { oldest };
                if let Some(property) = numbered.room.race.filter(|_| is_race) {
                    let way = Continuation { local: locals.number(info.local.stopped_by(property)), in_region: false };
                    let begun = Begun { label, ..begun.clone() };
                    self.follow(numbered, (from, next), begun, way, None, regions, out);
                    continue;
                }
                locals.count(&locals.uncounted_cut(&begun.uncounted, result));
                for (index, way) in result.ways.iter().enumerate() {
                    let begun = Begun { thread, label, uncounted: locals.uncounted(&begun.uncounted, result, index) };
                    self.follow(numbered, (from, next), begun, *way, result.write, regions, out);
                }
            }
        }
    }

    /// Goes one way from `from`, where the memory is in the state `memory` after it.
    #[allow(clippy::too_many_arguments, reason = "all of them are parts of one step")]
    fn follow(
        &self,
        numbered: &Numbered,
        (from, memory): (&[u32], u32),
        begun: Begun,
        way: Continuation,
        write: Option<(automata::CellId, crate::tabulated::layout::Slot, automata::Value)>,
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let (tables, thread) = (self.tables, begun.thread);
        let mut next = regions.copy(from);
        next[tables.layout.n_words + thread] = way.local;
        let is_over = has_ended(&tables.locals[tables.table[thread]].info(way.local).local);
        let memory = if is_over {
            numbered.after(memory, Event::End(thread)).map_or(memory, |after| after.number)
        } else {
            memory
        };
        next[tables.memory_word()] = memory;
        if let Some((_, slot, value)) = write {
            slot.set(&mut next, value);
        }
        for (cell, value) in numbered.shown(memory) {
            tables.layout.slot(cell).set(&mut next, value);
        }
        if way.in_region {
            regions.push(next, begun);
        } else {
            self.count(thread, &begun.uncounted, &next);
            (self.finish)(out.push(&next, begun.label));
            regions.give_back(next);
        }
    }
}
