//! Rule 6.7: locks are elided.
//!
//! A read-modify-write that takes an elidable lock begins a transaction, in which the lock is only read: several threads may be in the critical
//! section. The own thread sees the lock taken. Giving it back commits. After an abort, the thread takes the lock as if it were not elidable.

use crate::rules::effect::{Effect, Narrow, effect};
use crate::rules::evaluate::{Resolved, resolve};
use crate::rules::local::{Local, Operand};
use crate::rules::touch::Touch;
use crate::rules::transaction::{Elided, Tracked};
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Access, Action, Cause, CellId, Value};
use base::table::Id;
use memory::Locks;

impl Rules<'_> {
    /// Whether the access at the thread's point, which is not in a transaction, begins one instead of taking a lock. A block that goes with the
    /// access could not be undone.
    pub(crate) fn elides(&self, local: &Local, access: &Access) -> bool {
        let is_tried = self.memory.locks == Locks::Elided && !local.takes_lock;
        is_tried && access.takes_elidable_lock() && self.code.own_region[local.point].is_none()
    }

    /// Begins a transaction at the thread's point, once nothing is pending.
    pub(crate) fn begin_elision(&self, path: &mut SettlePath) -> SettleStep {
        if !path.local.queue.is_empty() {
            return SettleStep::Stalled;
        }
        let point = path.local.point;
        path.local.transaction = Some(self.transaction(&path.local, point));
        path.events.push(Event::Elide(point));
        SettleStep::Moved
    }

    /// Whether a thread in a transaction is about to take the lock for which that began, or writes into it. A CAS that fails only reads it.
    pub(crate) fn takes_lock(&self, local: &Local, cell: CellId, wrote: Option<Value>) -> bool {
        local.transaction.as_ref().is_some_and(|transaction| match transaction.elided {
            Some(elided) => elided.cell == cell && wrote.is_some(),
            None => transaction.begin == local.point && !matches!(self.code.action(local.point), Action::Begin(_)),
        })
    }

    /// The thread reads the lock `cell`, and sees it `taken` from now on. If it finds that it cannot take it, or writes to it before it gives it
    /// back, the attempt is aborted.
    pub(crate) fn hold(
        &self,
        path: &mut SettlePath,
        cell: CellId,
        free: Value,
        taken: Option<Value>,
        result: Value,
    ) -> Tracked {
        let point = path.local.point;
        let transaction = path.local.transaction.as_mut()?;
        let taken = taken.filter(|_| transaction.elided.is_none());
        path.events.push(Event::Track { point, cell, read: Some(free), wrote: taken });
        match taken {
            Some(taken) => {
                transaction.elided = Some(Elided { cell, free, taken });
                transaction.reads.push(cell);
                self.finish(path, result);
            }
            None => self.abort(path, point, Cause::Explicit(0)),
        }
        Some((cell, Touch::Load))
    }

    /// Whether a thread that has elided a lock is where a transaction cannot go on.
    pub(crate) fn ends_elision(&self, local: &Local) -> bool {
        let elides = local
            .transaction
            .as_ref()
            .is_some_and(|transaction| matches!(self.code.action(transaction.begin), Action::Access(_)));
        elides
            && match self.code.action(local.point) {
                Action::Access(access) => self.code.own_region[local.point].is_some() || access.is_linked(),
                Action::Safepoint | Action::Enter(_) | Action::Begin(_) | Action::Halt => true,
                _ => false,
            }
    }

    /// Whether the access at the thread's point writes to the lock that it has elided what the lock holds for all others.
    pub(crate) fn gives_lock_back(&self, local: &Local) -> bool {
        let elided = local.transaction.as_ref().and_then(|transaction| transaction.elided);
        elided.is_some_and(|elided| self.giving_back(local, elided).is_some())
    }

    /// The result of the access that gives the lock back.
    fn giving_back(&self, local: &Local, elided: Elided) -> Option<Value> {
        let Action::Access(access) = self.code.action(local.point) else { return None };
        let cell = resolve(&access.address, &mut |register| local.register(*register).value());
        if cell != Resolved::Cell(elided.cell) {
            return None;
        }
        let Effect { wrote, result } = effect(&access.op, elided.taken, |expr| self.value(local, expr));
        let Narrow { wrote, result } = self.narrow(access.dst, elided.cell, (wrote, result))?;
        (wrote == Some(elided.free)).then_some(result)
    }

    /// The transaction has committed: the thread continues behind the access that gave the lock back.
    pub(crate) fn give_back(&self, path: &mut SettlePath, elided: Elided) {
        path.events.push(Event::GiveBack(path.local.point));
        let result = self.giving_back(&path.local, elided).unwrap_or(elided.free);
        self.finish(path, result);
    }

    /// The access at the thread's point is done.
    fn finish(&self, path: &mut SettlePath, result: Value) {
        let point = path.local.point;
        if let Action::Access(access) = self.code.action(point)
            && let Some(dst) = access.dst
        {
            path.local.registers[dst.index()] = Operand::Value(result);
        }
        path.local.point = self.code.automaton.points[point].next;
    }
}
