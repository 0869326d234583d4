//! What a thread may do next.
//!
//! A *move* is one thing that touches, or waits for, shared state. `moves` lists those of a thread that has settled; `perform` does
//! them.

use crate::rules::Rules;
use crate::rules::evaluate::{Resolved, resolve};
use crate::rules::halves;
use crate::rules::local::{Demand, Entry, Local, Mode, Part};
use crate::rules::permission::Permission;
use automata::{Access, Action, Cause, CellId, Expr, Op, PointId, RegId, Region, Value};
use memory::{Operation, StoreConditional};

/// One thing a thread may do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    /// Performs the entry at this position of its queue, on this cell.
    Perform(usize, CellId),
    /// Performs the load at this position with the value of an older store in the queue.
    Forward(usize, CellId, Value),
    /// The store-conditional at this position fails.
    FailConditional(usize, CellId),
    /// Where memory is histories: the fence, or `perform`, at the thread's point.
    Fence,
    /// Continues past a safepoint.
    Safepoint,
    /// Continues past a pause.
    Proceed,
    /// Enters a region.
    Enter(Region),
    /// Inside a region, accesses this cell; none if there is no such cell.
    Direct(Option<CellId>),
    /// Inside a transaction, accesses this cell; none if there is no such cell.
    Track(Option<CellId>),
    /// Commits the transaction, or continues with that.
    Commit,
    /// Aborts the transaction, for another reason than a conflict.
    Abort(Cause),
    /// Continues at the handler of a transaction that a conflict has aborted.
    Resume,
}

impl Move {
    /// Whether it is not enabled while another thread holds the bus.
    pub(crate) fn needs_bus(self) -> bool {
        matches!(self, Move::Perform(..) | Move::FailConditional(..) | Move::Track(_) | Move::Commit)
    }
}

/// The cell of shared memory that a move accesses, and whether it reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveFootprint {
    pub(crate) cell: CellId,
    pub(crate) reads: bool,
}

impl Rules<'_> {
    /// All moves of a thread that has settled. Whether a region may be entered depends on other
    /// threads too; that is the caller's business.
    pub(crate) fn moves(&self, local: &Local) -> Vec<Move> {
        let mut moves = Vec::new();
        match local.mode {
            Mode::Failed(_) => return moves,
            Mode::Region => {
                moves.push(self.direct(local));
                return moves;
            }
            Mode::Committing => return vec![Move::Commit],
            Mode::Aborted(_) => return vec![Move::Resume],
            _ if local.transaction.is_some() => {
                self.moves_in_transaction(local, &mut moves);
                return moves;
            }
            _ => {}
        }
        for index in 0..local.queue.len() {
            self.moves_of_entry(local, index, &mut moves);
        }
        if local.mode == Mode::Running && !self.is_undecided(local) {
            match self.code.action(local.point) {
                Action::Fence(_) | Action::Perform if local.queue.is_empty() && self.memory.histories.is_some() => {
                    moves.push(Move::Fence)
                }
                Action::Safepoint if !self.is_hidden(local) => moves.push(Move::Safepoint),
                _ if self.may_proceed(local) => moves.push(Move::Proceed),
                _ => {}
            }
            if let Some((enter, region)) = self.next_region(local)
                && self.region_is_ready(local, enter, region)
                && !self.is_kept_back(local, enter)
            {
                moves.push(Move::Enter(region));
            }
        }
        moves
    }

    /// Whether the region at the thread's point has to wait for a pending operation.
    fn is_kept_back(&self, local: &Local, enter: PointId) -> bool {
        let is_access = |entry: &&Entry| matches!(self.code.action(entry.point), Action::Access(_));
        let kept = &self.code.automaton.kept;
        local.queue.iter().filter(is_access).any(|entry| kept.keeps(entry.point, enter))
    }

    /// Whether a move performs the oldest memory operation of the queue.
    pub(crate) fn performs_oldest(&self, local: &Local, a_move: Move) -> bool {
        let performed = match a_move {
            Move::Perform(index, _) | Move::Forward(index, ..) | Move::FailConditional(index, _) => index,
            Move::Fence | Move::Safepoint | Move::Proceed | Move::Enter(_) | Move::Direct(_) => return false,
            Move::Track(_) | Move::Commit | Move::Abort(_) | Move::Resume => return false,
        };
        matches!(self.code.action(local.queue[performed].point), Action::Access(_))
            && self.n_accesses(&local.queue[..performed]) == 0
    }

    /// How many of these entries are memory operations; two halves are one.
    pub(crate) fn n_accesses(&self, entries: &[Entry]) -> usize {
        let is_first = |at: usize| entries[at].part == Part::Read;
        let is_counted = |at: &usize| !(entries[*at].part.is_second() && *at > 0 && is_first(at - 1));
        (0..entries.len()).filter(|at| self.operation(&entries[*at]).is_some()).filter(is_counted).count()
    }

    fn direct(&self, local: &Local) -> Move {
        let Action::Access(access) = self.code.action(local.point) else {
            unreachable!("a region stalls at accesses only")
        };
        match resolve(&access.address, &mut |register| local.register(*register).value()) {
            Resolved::Cell(cell) => Move::Direct(Some(cell)),
            _ => Move::Direct(None),
        }
    }

    fn moves_of_entry(&self, local: &Local, index: usize, moves: &mut Vec<Move>) {
        let entry = &local.queue[index];
        let Action::Access(access) = self.code.action(entry.point) else { return };
        let Resolved::Cell(cell) = self.cell(entry) else { return };
        let has_operands = || entry.operands.iter().all(|o| o.value().is_some());
        let is_ready = match entry.part {
            Part::Whole => has_operands(),
            Part::Read => true,
            Part::Write => halves::is_read(local, index) && has_operands(),
            Part::Succeeds | Part::Fails => false,
        };
        if !self.has_dependencies(entry) || !is_ready {
            return;
        }
        if let (true, Some(op)) = (entry.part != Part::Whole, self.operation(entry)) {
            moves.extend(self.permitted(local, index, cell, op));
            return;
        }
        match &access.op {
            Op::Cas { expected, .. } => self.moves_of_cas(local, index, cell, (access, expected), moves),
            Op::StoreConditional(_) => self.moves_of_store_conditional(local, index, cell, access, moves),
            _ => moves.extend(self.permitted(local, index, cell, access.operation())),
        }
    }

    /// The move that the ordering rules permit.
    fn permitted(&self, local: &Local, index: usize, cell: CellId, op: Operation) -> Option<Move> {
        match self.permission(local, index, cell, op) {
            Permission::Blocked => None,
            Permission::Memory(_) => Some(Move::Perform(index, cell)),
            Permission::Forward(value, _) => Some(Move::Forward(index, cell, value)),
        }
    }

    /// What a CAS reads decides whether it is a load only: then less orders it.
    fn moves_of_cas(
        &self,
        local: &Local,
        index: usize,
        cell: CellId,
        (access, expected): (&Access, &Expr<RegId>),
        moves: &mut Vec<Move>,
    ) {
        let entry = &local.queue[index];
        let op = access.operation();
        let failed = self.memory.failed(op, access.failure_order);
        let fails_in_memory = match self.permission(local, index, cell, failed) {
            Permission::Forward(value, _) if failed != op && self.eval(entry, expected) != Some(value.into()) => {
                moves.push(Move::Forward(index, cell, value));
                false
            }
            permission => matches!(permission, Permission::Memory(_)),
        };
        let may_succeed = entry.demand != Demand::Fail;
        let succeeds = may_succeed && matches!(self.permission(local, index, cell, op), Permission::Memory(_));
        if succeeds || fails_in_memory {
            moves.push(Move::Perform(index, cell));
        }
    }

    fn moves_of_store_conditional(
        &self,
        local: &Local,
        index: usize,
        cell: CellId,
        access: &Access,
        moves: &mut Vec<Move>,
    ) {
        if !matches!(self.permission(local, index, cell, access.operation()), Permission::Memory(_)) {
            return;
        }
        let reserved = local.reserved.contains(&cell);
        if reserved {
            moves.push(Move::Perform(index, cell));
        }
        if !reserved || self.memory.store_conditional == StoreConditional::MayFail {
            moves.push(Move::FailConditional(index, cell));
        }
    }

    /// What shared memory a move reaches for.
    pub(crate) fn move_footprint(&self, local: &Local, a_move: Move) -> Option<MoveFootprint> {
        let (cell, point) = match a_move {
            Move::Perform(index, cell) => (cell, local.queue[index].point),
            Move::Direct(Some(cell)) => (cell, local.point),
            Move::Track(Some(cell)) if self.own_write(local, cell).is_none() => (cell, local.point),
            _ => return None,
        };
        let Action::Access(access) = self.code.action(point) else { return None };
        let is_write = matches!(a_move, Move::Perform(index, _) if local.queue[index].part == Part::Write);
        Some(MoveFootprint { cell, reads: access.op.is_read() && !is_write })
    }
}
