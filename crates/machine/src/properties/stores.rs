//! The stores that a thread has pending, as properties see them.

use crate::rules::Rules;
use crate::rules::evaluate::Resolved;
use crate::rules::local::Entry;
use automata::{Action, CellId, Op, Value, Wide};

impl Rules<'_> {
    /// The stores of `queue` that are pending with their values, oldest first; those whose cell or value is not known yet are
    /// left out.
    pub(crate) fn pending_stores<'l>(&'l self, queue: &'l [Entry]) -> impl Iterator<Item = (CellId, Value)> + 'l {
        queue.iter().filter_map(|entry| self.pending_store(entry))
    }

    /// The pending store of that number, or all of them.
    pub(crate) fn numbered<'l>(
        &'l self,
        queue: &'l [Entry],
        nth: Option<u8>,
    ) -> impl Iterator<Item = (CellId, Value)> + 'l {
        self.pending_stores(queue).skip(nth.map_or(0, usize::from)).take(nth.map_or(usize::MAX, |_| 1))
    }

    fn pending_store(&self, entry: &Entry) -> Option<(CellId, Value)> {
        let Action::Access(access) = self.code.action(entry.point) else { return None };
        let Op::Store(value) = &access.op else { return None };
        match self.cell(entry) {
            Resolved::Cell(cell) => Some((cell, self.automata.cells[cell].domain.narrow(self.eval(entry, value)?)?)),
            Resolved::Unknown | Resolved::Invalid => None,
        }
    }

    /// How many stores to `cell` are pending; with a value that is `wanted`, whether one of that value is. With a number, only the store
    /// of that number counts.
    pub(crate) fn count_pending(
        &self,
        queue: &[Entry],
        cell: Option<CellId>,
        wanted: Option<Wide>,
        nth: Option<u8>,
    ) -> Value {
        let is_meant = |(to, value): &(CellId, Value)| {
            Some(*to) == cell && wanted.is_none_or(|wanted| wanted == Wide::from(*value))
        };
        let count = self.numbered(queue, nth).filter(is_meant).count() as Value;
        if wanted.is_some() { count.min(1) } else { count }
    }

    /// The value of the oldest store to `cell` that is pending.
    pub(crate) fn oldest_pending(&self, queue: &[Entry], cell: CellId) -> Option<Value> {
        self.pending_stores(queue).find(|(to, _)| *to == cell).map(|(_, value)| value)
    }
}
