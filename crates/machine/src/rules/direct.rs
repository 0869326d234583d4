//! Accesses inside a region.

use crate::rules::effect::{Narrow, effect};
use crate::rules::local::Operand;
use crate::rules::perform::Source;
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Action, Automata, CellId, Value};
use base::table::Id;

impl Rules<'_> {
    /// An access inside a region: at once, past any queue. None if it is not enabled.
    pub(crate) fn access_directly(
        &self,
        path: &mut SettlePath,
        cell: Option<CellId>,
        read: Value,
    ) -> Option<Option<(CellId, Value)>> {
        let point = path.local.point;
        let Action::Access(access) = self.code.action(point) else { unreachable!("a region stalls at accesses only") };
        let effect = cell.map(|cell| (cell, effect(&access.op, read, |expr| self.value(&path.local, expr))));
        let narrow = effect.map(|(cell, effect)| (cell, self.narrow(access.dst, cell, (effect.wrote, effect.result))));
        let (cell, Narrow { wrote, result }) = match narrow {
            Some((cell, Some(narrow))) => (cell, narrow),
            wrong => {
                let property = if wrong.is_none() { Automata::VALID_REFERENCE } else { Automata::IN_RANGE };
                let progress = self.violate(path, point, property);
                return (!matches!(progress, SettleStep::Disabled)).then_some(None);
            }
        };
        let reads = access.op.is_read().then_some(read);
        let (source, passed, is_half) = (Source::Memory, 0, false);
        path.events.push(Event::Perform { point, cell, read: reads, wrote, source, passed, is_half });
        if let Some(dst) = access.dst {
            path.local.registers[dst.index()] = Operand::Value(result);
        }
        path.local.point = self.code.automaton.points[point].next;
        Some(wrote.map(|value| (cell, value)))
    }
}
