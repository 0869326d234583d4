//! Rule 6 of the memory machine: transactions.
//!
//! A transaction begins with an empty queue, and inside it operations are performed in program order, one step each: begin
//! and commit are full fences, and between them no other thread can see in which order they are. Writes stay in the
//! transaction until it commits. Another thread that writes what it has read or written, or reads what it has written,
//! aborts it at once, whether that thread is in a transaction or not: strong isolation, the requester wins. So no thread
//! ever computes with values that do not belong together. With weak isolation only what other transactions do aborts it.

use crate::rules::effect::{Effect, Narrow, effect};
use crate::rules::evaluate::{Resolved, resolve};
use crate::rules::local::{Local, Mode, Operand};
use crate::rules::moves::Move;
use crate::rules::touch::Touch;
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Action, Automata, Begin, Cause, CellId, NO_VALUE, PointId, Value};
use base::table::Id;
use memory::{Conflicts, Isolation, Transactions};

/// What a thread's transaction has done so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transaction {
    /// Where it began.
    pub begin: PointId,
    /// The registers at the beginning, as far as they matter after an abort.
    pub snapshot: Vec<Operand>,
    /// Cells read and not written, sorted.
    pub reads: Vec<CellId>,
    /// Cells written, with what is published at the commit, sorted.
    pub writes: Vec<(CellId, Value)>,
    /// Whether it has met a conflict that aborts it where it would commit.
    pub is_doomed: bool,
    /// The lock that it holds for its own thread only.
    pub elided: Option<Elided>,
}

/// A lock that a transaction has elided: it is among the cells read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Elided {
    /// The lock.
    pub cell: CellId,
    /// What it holds for all others, and must hold again for the thread to commit.
    pub free: Value,
    /// What it holds for the own thread.
    pub taken: Value,
}

/// The result of an operation inside a transaction.
pub(crate) type Tracked = Option<(CellId, Touch)>;

impl Transaction {
    /// What the own thread finds in `cell`, if not what memory holds.
    fn own(&self, cell: CellId) -> Option<Value> {
        let elided = self.elided.filter(|elided| elided.cell == cell).map(|elided| elided.taken);
        elided.or_else(|| self.written(cell))
    }

    /// What it has written to `cell`.
    fn written(&self, cell: CellId) -> Option<Value> {
        self.writes.iter().find(|(c, _)| *c == cell).map(|(_, value)| *value)
    }

    /// Whether another thread that so touches `cell` aborts it.
    fn conflicts_with(&self, cell: CellId, touch: Touch) -> bool {
        self.written(cell).is_some() || touch != Touch::Load && self.reads.contains(&cell)
    }

    /// All touches of other threads that abort it.
    pub(crate) fn watched(&self) -> impl Iterator<Item = (CellId, Touch)> {
        let written = self.writes.iter().map(|(cell, _)| *cell);
        let stored = self.reads.iter().copied().chain(written.clone());
        stored.flat_map(|cell| [(cell, Touch::Claim), (cell, Touch::Store)]).chain(written.map(|c| (c, Touch::Load)))
    }

    fn n_cells(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    /// Notes that `cell` was read, or that `value` was written to it.
    fn track(&mut self, cell: CellId, wrote: Option<Value>) {
        let read_at = self.reads.binary_search(&cell);
        let written_at = self.writes.binary_search_by_key(&cell, |(c, _)| *c);
        match (wrote, read_at, written_at) {
            (Some(value), _, Ok(at)) => self.writes[at].1 = value,
            (Some(value), _, Err(at)) => {
                self.reads.retain(|read| *read != cell);
                self.writes.insert(at, (cell, value));
            }
            (None, Err(at), Err(_)) => self.reads.insert(at, cell),
            (None, ..) => {}
        }
    }
}

impl Rules<'_> {
    /// Begins the transaction at the thread's point, once nothing is pending.
    pub(crate) fn begin(&self, path: &mut SettlePath, begin: &Begin) -> SettleStep {
        if !path.local.queue.is_empty() {
            return SettleStep::Stalled;
        }
        let point = path.local.point;
        path.local.transaction = Some(self.transaction(&path.local, begin.handler));
        self.pass(path, point)
    }

    /// A transaction that begins where the thread is and continues at `handler` after an abort.
    pub(crate) fn transaction(&self, local: &Local, handler: PointId) -> Box<Transaction> {
        let mut snapshot = local.registers.clone();
        if self.options.reductions.dead_registers {
            let matters = self.code.live[handler].iter();
            snapshot.iter_mut().zip(matters).filter(|(_, m)| !**m).for_each(|(r, _)| *r = Operand::Value(0));
        }
        let (begin, reads, writes) = (local.point, Vec::new(), Vec::new());
        Box::new(Transaction { begin, snapshot, reads, writes, is_doomed: false, elided: None })
    }

    /// The moves of a thread inside a transaction that has settled.
    pub(crate) fn moves_in_transaction(&self, local: &Local, moves: &mut Vec<Move>) {
        if local.mode == Mode::Running {
            match self.code.action(local.point) {
                _ if self.ends_elision(local) => moves.push(Move::Abort(Cause::Explicit(0))),
                Action::Access(_) if self.gives_lock_back(local) => moves.push(self.try_to_commit(local)),
                Action::Access(access) => {
                    match resolve(&access.address, &mut |register| local.register(*register).value()) {
                        Resolved::Cell(cell) => moves.push(Move::Track(Some(cell))),
                        _ => moves.push(Move::Track(None)),
                    }
                }
                Action::Commit => moves.push(self.try_to_commit(local)),
                Action::Abort(code) => moves.push(Move::Abort(Cause::Explicit(*code))),
                _ if self.may_proceed(local) => moves.push(Move::Proceed),
                _ => {}
            }
        }
        if self.memory.transactions == Transactions::MayAbort {
            moves.push(Move::Abort(Cause::Spurious));
        }
    }

    fn try_to_commit(&self, local: &Local) -> Move {
        let is_doomed = local.transaction.as_ref().is_some_and(|transaction| transaction.is_doomed);
        if is_doomed { Move::Abort(Cause::Conflict) } else { Move::Commit }
    }

    /// What a transaction has written to `cell` itself: then it does not read memory.
    pub(crate) fn own_write(&self, local: &Local, cell: CellId) -> Option<Value> {
        local.transaction.as_ref()?.own(cell)
    }

    /// Whether an access to `cell` is to one cell too many: then it is not performed.
    fn is_beyond_capacity(&self, local: &Local, cell: CellId) -> bool {
        local.transaction.as_ref().is_some_and(|transaction| {
            let Action::Begin(Begin { capacity, .. }) = self.code.action(transaction.begin) else { return false };
            let is_new = transaction.written(cell).is_none() && !transaction.reads.contains(&cell);
            is_new && capacity.is_some_and(|most| transaction.n_cells() >= most as usize)
        })
    }

    /// An operation inside a transaction, `read` being what memory holds for its cell. Gives how others see it.
    pub(crate) fn track(&self, path: &mut SettlePath, cell: Option<CellId>, read: Value) -> Tracked {
        let point = path.local.point;
        path.local.trail.clear();
        let Action::Access(access) = self.code.action(point) else { unreachable!("only accesses are tracked") };
        let Some(cell) = cell else {
            self.fail(path, point, Automata::VALID_REFERENCE);
            return None;
        };
        let read = self.own_write(&path.local, cell).unwrap_or(read);
        let Effect { wrote, result } = effect(&access.op, read, |expr| self.value(&path.local, expr));
        // An operand without value is found before the access is tried (semantics 6.3).
        if wrote != Some(NO_VALUE) && self.is_beyond_capacity(&path.local, cell) {
            self.abort(path, point, Cause::Capacity);
            return None;
        }
        let Some(Narrow { wrote, result }) = self.narrow(access.dst, cell, (wrote, result)) else {
            self.fail(path, point, Automata::IN_RANGE);
            return None;
        };
        if self.takes_lock(&path.local, cell, wrote) {
            return self.hold(path, cell, read, wrote.filter(|taken| *taken != read), result);
        }
        path.local.transaction.as_mut()?.track(cell, wrote);
        let reads = access.op.is_read().then_some(read);
        path.events.push(Event::Track { point, cell, read: reads, wrote });
        if let Some(dst) = access.dst {
            path.local.registers[dst.index()] = Operand::Value(result);
        }
        path.local.point = self.code.automaton.points[point].next;
        Some((cell, if wrote.is_some() { Touch::Claim } else { Touch::Load }))
    }

    /// Publishes one write, and ends the transaction with the last.
    pub(crate) fn commit(&self, path: &mut SettlePath) -> Option<(CellId, Value)> {
        let point = path.local.point;
        path.local.trail.clear();
        let transaction = path.local.transaction.as_mut()?;
        let write = (!transaction.writes.is_empty()).then(|| transaction.writes.remove(0));
        if let Some((cell, value)) = write {
            path.events.push(Event::Publish { point, cell, value });
        }
        if transaction.writes.is_empty() {
            let elided = transaction.elided;
            path.local.transaction = None;
            path.local.mode = Mode::Running;
            match elided {
                Some(elided) => self.give_back(path, elided),
                None => _ = self.pass(path, point),
            }
        } else {
            path.local.mode = Mode::Committing;
        }
        write
    }

    /// Aborts the thread's transaction: it continues at the handler with the registers it had.
    pub(crate) fn abort(&self, path: &mut SettlePath, point: PointId, cause: Cause) {
        path.events.push(Event::Abort { point, cause });
        self.restore(&mut path.local, cause);
    }

    /// Takes back what the thread's transaction has done.
    fn restore(&self, local: &mut Local, cause: Cause) {
        let Some(transaction) = local.transaction.take() else { return };
        local.registers = transaction.snapshot;
        local.trail.clear();
        local.mode = Mode::Running;
        let Action::Begin(begin) = self.code.action(transaction.begin) else {
            local.point = transaction.begin;
            local.takes_lock = true;
            return;
        };
        for (register, value) in [(begin.cause, cause.value()), (begin.code, cause.code())] {
            if let Some(register) = register {
                local.registers[register.index()] = Operand::Value(value);
            }
        }
        local.point = begin.handler;
    }

    /// Whether transactions are isolated from one another only. What a commit writes aborts nothing then, and need not: no other transaction
    /// has the cell, because it would have aborted this one or been aborted by it before.
    pub(crate) fn is_weakly_isolated(&self) -> bool {
        self.memory.isolation == Isolation::Weak
    }

    /// What becomes of a thread whose transaction another thread touches so; none if it does not mind. It continues at its
    /// handler in a step of its own, or, where conflicts are found lazily, as if nothing had happened.
    pub(crate) fn after_conflict(&self, local: &Local, cell: CellId, touch: Touch) -> Option<Local> {
        if touch == Touch::Store && self.is_weakly_isolated() {
            return None;
        }
        let transaction = local.transaction.as_ref().filter(|t| t.conflicts_with(cell, touch))?;
        let mut aborted = local.clone();
        if self.memory.conflicts == Conflicts::Lazy {
            let is_new = touch == Touch::Store && !transaction.is_doomed;
            aborted.transaction.as_mut().filter(|_| is_new)?.is_doomed = true;
            return Some(aborted);
        }
        self.restore(&mut aborted, Cause::Conflict);
        aborted.mode = Mode::Aborted(transaction.begin);
        Some(aborted)
    }
}
