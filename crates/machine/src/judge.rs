//! What properties ask of a packed state, without unpacking it.

use crate::compiled::Compiled;
use crate::local::Mode;
use automata::{CellId, PropertyKind, StateExpr, StateLeaf, ThreadId, Value};
use base::table::Id;
use system::PropertyIndex;

impl Compiled<'_> {
    /// The value of a condition on whole states; none while a register it speaks of has no value.
    pub(crate) fn judge(&self, words: &[u32], condition: &StateExpr) -> Option<Value> {
        condition.eval(&mut |leaf| self.leaf(words, leaf))
    }

    fn leaf(&self, words: &[u32], leaf: &StateLeaf) -> Option<Value> {
        let local = |thread: &ThreadId| &self.info(words, thread.index()).local;
        match leaf {
            StateLeaf::Cell(cell) => Some(self.layout.slot(*cell).get(words)),
            StateLeaf::CellAt { base, stride, count, index } => {
                let index = self.judge(words, index)?;
                let inside = index >= 0 && (index as u32) < *count;
                let cell = |index: Value| CellId::new(base.index() + index as usize * *stride as usize);
                Some(if inside { self.layout.slot(cell(index)).get(words) } else { -1 })
            }
            StateLeaf::Register(thread, register) => local(thread).register(*register).value(),
            StateLeaf::At(thread, points) => Some(Value::from(points.contains(&local(thread).point))),
            StateLeaf::Ended(thread) => Some(Value::from(local(thread).mode == Mode::Halted)),
            StateLeaf::Reached { graph, from } => {
                let cell = |cell| self.layout.slot(cell).get(words);
                self.automata.graphs[*graph].reached(self.judge(words, from)?, cell, |c| self.judge(words, c))
            }
            StateLeaf::Performed(thread) => Some(Value::from(local(thread).queue.is_empty())),
        }
    }

    /// The first property of whole states that this one violates. Adds the cover properties it reaches.
    pub(crate) fn violated(&self, words: &[u32], covers: &mut u64) -> Option<PropertyIndex> {
        let is_true = |condition: &StateExpr| self.judge(words, condition).is_some_and(|value| value != 0);
        for (id, cover) in self.automata.covers.iter() {
            let reached = cover.condition.as_ref().is_some_and(is_true);
            *covers |= u64::from(reached) << id.index().min(63);
        }
        let is_violated = |kind: &PropertyKind| match kind {
            PropertyKind::Invariant(condition) => self.judge(words, condition) == Some(0),
            PropertyKind::Forbid(condition) => is_true(condition) && self.is_quiescent(words),
            _ => false,
        };
        self.automata.properties.iter().find(|(_, p)| is_violated(&p.kind)).map(|(id, _)| id.0)
    }

    /// Whether some thread goes round for ever.
    pub(crate) fn spins(&self, words: &[u32]) -> bool {
        (0..self.table.len()).any(|thread| self.info(words, thread).local.mode == Mode::Spinning)
    }

    /// Whether the path may yet be discarded because of some thread.
    pub(crate) fn is_speculative(&self, words: &[u32]) -> bool {
        (0..self.table.len()).any(|thread| self.info(words, thread).local.is_speculative())
    }

    /// Whether the oldest memory operation that a thread has pending may be performed, be it on a path that is
    /// discarded then.
    pub(crate) fn oldest_is_enabled(&self, words: &[u32], thread: usize) -> bool {
        let (around, info) = (self.around(), self.info(words, thread));
        let is_locked_out = self.is_locked_out(words, thread);
        let oldest =
            info.moves.iter().enumerate().filter(|(_, m)| m.performs_oldest && !(is_locked_out && m.needs_bus()));
        let mut results = oldest.map(|(index, a_move)| {
            let raw = a_move.reads.map_or(0, |slot| slot.raw(words));
            self.locals[self.table[thread]].step(&around, info, index, raw)
        });
        results.any(|result| result.discarded || !result.ways.is_empty())
    }
}
