//! Read-modify-writes that are performed in two: a read, then the write of what it found (semantics 4.8).
//!
//! The two are entries of the queue, one behind the other. After the read no other thread may write the cell before the write does:
//! the write *demands* that (`Demand::SameValue`), and a path on which it happens is discarded. Whether a CAS succeeds is assumed when it is issued,
//! both ways, unless nothing can pass its read. Whether a store-conditional succeeds is settled when it is issued.

use crate::rules::effect::{Effect, effect};
use crate::rules::evaluate::{Resolved, resolve};
use crate::rules::local::{Demand, Entry, Local, Operand, Part};
use crate::rules::perform::Source;
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Access, Action, Automata, CasResult, CellId, NO_VALUE, Op, RegId, Region, Value, Wide};
use base::table::Id;
use memory::{Operation, RmwFence, StoreConditional};

impl Rules<'_> {
    /// Whether `access` is performed in two.
    pub(crate) fn is_split(&self, access: &Access) -> bool {
        self.memory.splits_rmw() && access.op.is_read() && access.op.is_write()
    }

    /// Whether it is settled when `access` is issued if it succeeds.
    pub(crate) fn is_settled_early(&self, local: &Local, access: &Access) -> bool {
        self.memory.splits_rmw()
            && self.memory.store_conditional == StoreConditional::MayFail
            && matches!(access.op, Op::StoreConditional(_))
            && self.code.own_region[local.point].is_none()
            && self.next_cell(local).is_some()
    }

    /// What the ordering rules see of an entry; none if it is no memory operation.
    pub(crate) fn operation(&self, entry: &Entry) -> Option<Operation> {
        let Action::Access(access) = self.code.action(entry.point) else { return None };
        let whole = self.queued(access);
        match entry.part {
            Part::Whole => Some(whole),
            Part::Read => Some(Operation { writes: false, is_half: true, ..whole }),
            Part::Write | Part::Succeeds => Some(Operation { reads: false, is_half: access.op.is_read(), ..whole }),
            Part::Fails => None,
        }
    }

    /// The writes of those CASs whose reads are queued alone, because nothing passes these: they come if the CASs succeed.
    pub(crate) fn writes_to_come(&self, local: &Local) -> impl Iterator<Item = Operation> {
        let is_alone = |at: &usize| local.queue[*at].part == Part::Read && second(local, *at).is_none();
        let of_cas = |at: usize| match self.code.action(local.queue[at].point) {
            Action::Access(access) if matches!(access.op, Op::Cas { .. }) => Some(self.queued(access)),
            _ => None,
        };
        let write = |whole| Operation { reads: false, writes: true, is_half: true, ..whole };
        (0..local.queue.len()).filter(is_alone).filter_map(of_cas).map(write)
    }

    /// Whether whatever writes has to wait for this entry: it stands for a branch on what a CAS finds.
    pub(crate) fn is_branch(&self, entry: &Entry) -> bool {
        entry.part.is_assumed() && self.memory.rmw == RmwFence::Exclusives
    }

    /// Issues a read-modify-write in two.
    pub(crate) fn issue_in_two(&self, path: &mut SettlePath, access: &Access) -> SettleStep {
        let expected = match &access.op {
            Op::Cas { expected, .. } => self.value(&path.local, expected),
            _ => None,
        };
        let progress = self.enqueue(path, Part::Read, None);
        match &access.op {
            _ if matches!(progress, SettleStep::Stalled) => {}
            // Nothing passes it, so what it finds is known before anything else happens.
            Op::Cas { .. } if !self.may_be_undecided(access) && expected.is_some() => {}
            Op::Cas { .. } if self.puts_off() && expected.is_some() => {}
            Op::Cas { .. } => return SettleStep::Forked(self.assume(path)),
            _ => append(&mut path.local, Part::Write, matches!(access.op, Op::Fetch(..))),
        }
        progress
    }

    /// Assumes of the CAS whose read was issued last that it succeeds, and that it fails.
    pub(crate) fn assume(&self, path: &SettlePath) -> Vec<SettlePath> {
        let issued = path.local.queue.last().map(|entry| self.code.action(entry.point));
        let Some(Action::Access(access @ Access { op: Op::Cas { result, .. }, .. })) = issued else {
            return Vec::new();
        };
        [Part::Succeeds, Part::Fails].map(|part| self.assuming(path.clone(), access, *result, part)).into()
    }

    /// The path on which it is assumed of a CAS, whose read has been issued, that it succeeds or fails.
    fn assuming(&self, mut path: SettlePath, access: &Access, result: CasResult, part: Part) -> SettlePath {
        append(&mut path.local, part, true);
        if let (Some(dst), CasResult::Success) = (access.dst, result) {
            path.local.registers[dst.index()] = Operand::Entry(path.local.queue.len() as u8 - 1);
        }
        path
    }

    /// Judges what was assumed of a CAS, once what it has read and what it expects are known.
    pub(crate) fn check_assumption(&self, path: &mut SettlePath, index: usize) -> Option<SettleStep> {
        let entry = &path.local.queue[index];
        let point = entry.point;
        let Action::Access(Access { op: Op::Cas { expected, new, .. }, .. }) = self.code.action(point) else {
            unreachable!("something is assumed of a CAS only")
        };
        let read = entry.operands.last().and_then(|read| read.value())?;
        let expected = self.eval(entry, expected)?;
        let fails = entry.part == Part::Fails;
        if expected == NO_VALUE || (!fails && self.eval(entry, new) == Some(NO_VALUE)) {
            let is_certain = !path.local.is_uncertain_at(index);
            return is_certain.then(|| self.fail(path, point, Automata::IN_RANGE));
        }
        match (Wide::from(read) == expected, fails) {
            (true, true) | (false, false) => return Some(SettleStep::Discarded),
            (_, true) => path.local.remove(index, 0),
            (_, false) => {
                path.local.give(index, 1);
                let entry = &mut path.local.queue[index];
                entry.part = Part::Write;
                entry.is_relied_on = false;
                entry.operands.pop();
            }
        }
        Some(SettleStep::Moved)
    }

    /// Whether what was assumed of the CAS whose first half is at `index` is wrong if that reads `read`.
    pub(crate) fn refutes_assumption(&self, local: &Local, index: usize, read: Value) -> bool {
        let entry = &local.queue[index];
        let Action::Access(Access { op: Op::Cas { expected, .. }, .. }) = self.code.action(entry.point) else {
            return false;
        };
        let found = self.eval(entry, expected).filter(|value| *value != NO_VALUE).map(|value| value == read.into());
        match second(local, index).filter(|_| entry.part == Part::Read) {
            Some(Part::Succeeds) => found == Some(false),
            Some(Part::Fails) => found == Some(true),
            _ => false,
        }
    }

    /// What performing the entry at `index` does, given the value it reads.
    pub(crate) fn effect_of(&self, local: &Local, index: usize, access: &Access, read: Value) -> Effect {
        let entry = &local.queue[index];
        let result = match (&access.op, second(local, index)) {
            (Op::Cas { expected, result: CasResult::Success, .. }, None) => {
                Wide::from(self.eval(entry, expected) == Some(read.into()))
            }
            _ => read.into(),
        };
        match entry.part {
            Part::Whole => effect(&access.op, read, |expr| self.eval(entry, expr)),
            Part::Read => Effect { wrote: None, result },
            _ => Effect { wrote: self.written(entry, access), result: 0 },
        }
    }

    /// The register that gets the result of the entry at `index` when that is performed.
    pub(crate) fn receives(&self, local: &Local, index: usize, access: &Access) -> Option<RegId> {
        let is_success = matches!(access.op, Op::Cas { result: CasResult::Success, .. });
        match local.queue[index].part {
            Part::Whole => access.dst,
            Part::Read if is_success && second(local, index).is_some() => None,
            Part::Read => access.dst,
            _ => None,
        }
    }

    /// The first half at `index` has read `read`, and leaves: what that means for its second half. Whether a write is still to come; none if a
    /// block goes with the operation for which it is too early.
    pub(crate) fn after_read(&self, path: &mut SettlePath, index: usize, read: Value) -> Option<bool> {
        let entry = path.local.queue[index].clone();
        let Action::Access(access) = self.code.action(entry.point) else { return Some(false) };
        match (&access.op, second(&path.local, index)) {
            (Op::LoadLinked, _) => return Some(false),
            (Op::Cas { expected, .. }, Some(Part::Fails)) => {
                if self.code.own_region[entry.point] == Some(Region::Then) {
                    self.eval(&entry, expected)?;
                    path.local.remove(index + 1, 0);
                }
                return Some(false);
            }
            (_, Some(_)) => path.local.queue[index + 1].demand = Demand::SameValue,
            (Op::Cas { expected, .. }, None) => {
                if self.eval(&entry, expected) != Some(read.into()) {
                    return Some(false);
                }
                path.local.queue.push(Entry { part: Part::Write, demand: Demand::SameValue, ..entry });
            }
            (_, None) => unreachable!("the second half was issued with the first"),
        }
        Some(true)
    }

    /// What a second half is to write, if that is known.
    pub(crate) fn written(&self, entry: &Entry, access: &Access) -> Option<Wide> {
        match &access.op {
            Op::Swap(value) | Op::StoreConditional(value) => self.eval(entry, value),
            Op::Cas { new, .. } => self.eval(entry, new),
            op => {
                let read = entry.operands.last()?.value()?;
                let mut is_known = true;
                op.exprs(&mut |expr| is_known &= self.eval(entry, expr).is_some());
                is_known.then(|| effect(op, read, |expr| self.eval(entry, expr)))?.wrote
            }
        }
    }

    /// The cell of the access at the thread's point, if it is known.
    fn next_cell(&self, local: &Local) -> Option<CellId> {
        let Action::Access(access) = self.code.action(local.point) else { return None };
        match resolve(&access.address, &mut |register| local.register(*register).value()) {
            Resolved::Cell(cell) => Some(cell),
            Resolved::Unknown | Resolved::Invalid => None,
        }
    }

    /// Issues a store-conditional: it fails, or, if the thread has loaded its cell with a reservation, it will succeed.
    pub(crate) fn issue_conditional(&self, path: &mut SettlePath, access: &Access) -> SettleStep {
        let Some(cell) = self.next_cell(&path.local) else { return SettleStep::Stalled };
        let mut succeeds = path.clone();
        if matches!(self.enqueue(&mut succeeds, Part::Write, None), SettleStep::Stalled) {
            path.bound_hit = succeeds.bound_hit;
            return SettleStep::Stalled;
        }
        let mut ways = Vec::new();
        let last = succeeds.local.queue.len() - 1;
        let link = self.open_link(&path.local, cell);
        if let Some(demand) = self.link_demand(&path.local, cell, link) {
            succeeds.local.queue[last].demand = demand;
            succeeds.local.give(last, 1);
            succeeds.local.unlink(cell);
            ways.push(succeeds);
        }
        let mut fails = path.clone();
        if let Some(link) = link {
            fails.local.queue[link].part = Part::Read;
        }
        fails.local.unlink(cell);
        fails.events.push(Event::Compute(fails.local.point));
        fails.local.point = self.code.automaton.points[path.local.point].next;
        if let Some(dst) = access.dst {
            fails.local.registers[dst.index()] = Operand::Value(0);
        }
        ways.push(fails);
        SettleStep::Forked(ways)
    }

    /// The queued load-linked of `cell` that no store-conditional has been issued for yet.
    fn open_link(&self, local: &Local, cell: CellId) -> Option<usize> {
        let is_linked = |access: &Access| matches!(access.op, Op::LoadLinked | Op::StoreConditional(_));
        let newest = local.queue.iter().rposition(|entry| match self.code.action(entry.point) {
            Action::Access(access) => is_linked(access) && self.cell(entry) == Resolved::Cell(cell),
            _ => false,
        })?;
        let Action::Access(access) = self.code.action(local.queue[newest].point) else { return None };
        (matches!(access.op, Op::LoadLinked) && local.queue[newest].part == Part::Whole).then_some(newest)
    }

    /// What a store-conditional of `cell` that is to succeed demands; none if it cannot succeed.
    fn link_demand(&self, local: &Local, cell: CellId, link: Option<usize>) -> Option<Demand> {
        match link {
            Some(_) => Some(Demand::Nothing),
            None if local.reserved.contains(&cell) => Some(Demand::Unwritten),
            None => local.reserved_ahead.contains(&cell).then_some(Demand::SameValue),
        }
    }

    /// A store to `cell` is performed: a load-linked that has taken its value has its reservation now, or the store-conditional does
    /// that waits for it.
    pub(crate) fn link_store(&self, local: &mut Local, index: usize, cell: CellId) {
        if !local.queue[index].is_linked {
            return;
        }
        let is_here = |entry: &Entry| self.cell(entry) == Resolved::Cell(cell);
        let is_next = |entry: &&mut Entry| is_here(entry) && (entry.is_linked || self.is_conditional(entry));
        match local.queue[index + 1..].iter_mut().find(is_next) {
            Some(entry) if self.is_conditional(entry) && entry.demand == Demand::SameValue => {
                entry.demand = Demand::Unwritten;
            }
            None if local.reserved_ahead.contains(&cell) => {
                local.unlink(cell);
                local.reserved.push(cell);
                local.reserved.sort();
            }
            _ => {}
        }
    }

    /// Whether it is a store-conditional.
    fn is_conditional(&self, entry: &Entry) -> bool {
        let action = self.code.action(entry.point);
        matches!(action, Action::Access(access) if matches!(access.op, Op::StoreConditional(_)))
    }

    /// Notes in the store whose value the load-linked at `index` takes that the reservation begins with it.
    pub(crate) fn note_link(&self, local: &mut Local, index: usize, cell: CellId) {
        let writes = |entry: &Entry| self.operation(entry).is_some_and(|op| op.writes);
        let is_source = |entry: &&mut Entry| writes(entry) && self.cell(entry) == Resolved::Cell(cell);
        local.queue[..index].iter_mut().rfind(is_source).into_iter().for_each(|store| store.is_linked = true);
    }

    /// A load-linked of `cell` is performed: if its store-conditional is queued already, that holds the reservation. Whether it is.
    pub(crate) fn links_ahead(&self, local: &mut Local, index: usize, cell: CellId, source: Source) -> bool {
        let is_of_cell = |entry: &&mut Entry| self.cell(entry) == Resolved::Cell(cell);
        let mut younger = local.queue[index + 1..].iter_mut().filter(is_of_cell);
        let conditional = younger.find(|entry| match self.code.action(entry.point) {
            Action::Access(access) => matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)),
            _ => false,
        });
        let Some(entry) = conditional.filter(|entry| entry.part == Part::Write) else { return false };
        entry.demand = if source == Source::Memory { Demand::Unwritten } else { Demand::SameValue };
        true
    }
}

/// Appends the second half of the read-modify-write whose first half is the last of the queue; it `takes` what that reads.
fn append(local: &mut Local, part: Part, takes: bool) {
    let Some(first) = local.queue.last().cloned() else { return };
    let mut operands = first.operands.clone();
    operands.extend(takes.then(|| Operand::Entry(local.queue.len() as u8 - 1)));
    local.queue.push(Entry { part, operands, ..first });
}

/// Which second half stands behind the first half at `index`.
pub(crate) fn second(local: &Local, index: usize) -> Option<Part> {
    let first = &local.queue[index];
    let next = local.queue.get(index + 1).filter(|next| next.point == first.point && next.part.is_second());
    next.map(|next| next.part)
}

/// Whether the first half of the second half at `index` has been performed.
pub(crate) fn is_read(local: &Local, index: usize) -> bool {
    index == 0 || second(local, index - 1).is_none() || local.queue[index - 1].part != Part::Read
}
