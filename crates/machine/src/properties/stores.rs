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

    fn pending_store(&self, entry: &Entry) -> Option<(CellId, Value)> {
        let Action::Access(access) = self.code.action(entry.point) else { return None };
        let Op::Store(value) = &access.op else { return None };
        match self.cell(entry) {
            Resolved::Cell(cell) => Some((cell, self.automata.cells[cell].domain.narrow(self.eval(entry, value)?)?)),
            Resolved::Unknown | Resolved::Invalid => None,
        }
    }

    /// How many stores to `cell` are pending; with a value that is `wanted`, whether one of that value is.
    pub(crate) fn count_pending(&self, queue: &[Entry], cell: Option<CellId>, wanted: Option<Wide>) -> Value {
        let is_meant = |(to, value): &(CellId, Value)| {
            Some(*to) == cell && wanted.is_none_or(|wanted| wanted == Wide::from(*value))
        };
        let count = self.pending_stores(queue).filter(is_meant).count() as Value;
        if wanted.is_some() { count.min(1) } else { count }
    }

    /// The value of the oldest store to `cell` that is pending.
    pub(crate) fn oldest_pending(&self, queue: &[Entry], cell: CellId) -> Option<Value> {
        self.pending_stores(queue).find(|(to, _)| *to == cell).map(|(_, value)| value)
    }
}
