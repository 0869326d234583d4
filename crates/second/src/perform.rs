//! Performing an operation: what it does to memory and to other threads (rules 3.9, 3.11, 4.5, 4.7, 5.4, 6.2).

use crate::code::AccessKind;
use crate::order::Plan;
use crate::state::{Assumption, Cell, Entry, Queued, State, Violation};
use crate::world::{End, Path, World, within};
use memory::{FailedCas, StoreConditional};

/// The code that other causes than `Explicit` have.
const NO_CODE: i64 = 0;
/// The variant `Conflict` of `Cause`.
const CONFLICT: i64 = 0;

/// What an operation that is performed gives and writes.
struct Effect {
    result: i64,
    writes: Option<i64>,
    reads: bool,
    ends_reservation: bool,
    reserves: bool,
}

impl World<'_> {
    /// The ways to perform the entry at `place` of a thread's queue, before the thread goes on.
    pub(crate) fn performs(&self, state: &State, t: usize, place: usize) -> Vec<Path> {
        let thread = &state.threads[t];
        let Some(queued) = thread.queue[place].access() else { return Vec::new() };
        let Cell::Known(cell) = queued.cell else { return Vec::new() };
        if !queued.is_ready() {
            return Vec::new();
        }
        let mut ways = Vec::new();
        let found = state.memory[cell];
        let operation = queued.operation();
        if queued.kind.is_cas() && self.model.failed_cas == FailedCas::Load {
            let failed = self.model.failed(operation, queued.failure_order);
            // A guess is open to loads only, and a CAS is none before it has failed.
            if !thread.guesses_before(place)
                && let Some(plan) = self.plan(thread, place, cell, failed)
            {
                let found = plan.forward.map_or(found, |(_, value)| value);
                if Some(found) != queued.operand(0) {
                    ways.push((plan, read(queued, found)));
                }
            }
            if let Some(plan) = self.plan(thread, place, cell, operation)
                && Some(found) == queued.operand(0)
            {
                ways.push((plan, self.effect(state, t, queued, cell, found)));
            }
        } else if let Some(plan) = self.plan(thread, place, cell, operation) {
            let found = plan.forward.map_or(found, |(_, value)| value);
            let may_fail = self.model.store_conditional == StoreConditional::MayFail;
            if queued.kind == AccessKind::StoreConditional && may_fail && thread.reserved.contains(&cell) {
                let plan = Plan { forward: None, assumes: plan.assumes.clone() };
                ways.push((plan, Effect { writes: None, result: 0, ..self.effect(state, t, queued, cell, found) }));
            }
            let effect = self.effect(state, t, queued, cell, found);
            ways.push((plan, effect));
        }
        let is_free = |plan: &Plan| state.bus.is_none_or(|holder| holder == t) || plan.forward.is_some();
        let ways = ways.into_iter().filter(|(plan, _)| is_free(plan));
        ways.filter_map(|(plan, effect)| self.done(state, t, place, cell, plan, effect)).collect()
    }

    /// What it gives and writes if it finds this.
    fn effect(&self, state: &State, t: usize, queued: &Queued, cell: usize, found: i64) -> Effect {
        let operand = |i: usize| queued.operand(i).unwrap_or_default();
        let old = |writes: Option<i64>| Effect { writes, ..read(queued, found) };
        match queued.kind {
            AccessKind::Load | AccessKind::LoadLinked => read(queued, found),
            AccessKind::Store => Effect { result: 0, reads: false, ..old(Some(operand(0))) },
            AccessKind::Cas | AccessKind::CasOld if found == operand(0) => {
                let result = if queued.kind == AccessKind::Cas { 1 } else { found };
                Effect { result, ..old(Some(operand(1))) }
            }
            AccessKind::Cas | AccessKind::CasOld => read(queued, found),
            AccessKind::Swap => old(Some(operand(0))),
            AccessKind::FetchAdd => old(Some(found.saturating_add(operand(0)))),
            AccessKind::FetchAnd => old(Some(found & operand(0))),
            AccessKind::FetchOr => old(Some(found | operand(0))),
            AccessKind::StoreConditional => {
                let succeeds = state.threads[t].reserved.contains(&cell);
                let writes = succeeds.then_some(operand(0));
                Effect { result: succeeds.into(), writes, reads: false, ends_reservation: true, reserves: false }
            }
        }
    }

    /// The state after it; none if it has to wait.
    fn done(&self, state: &State, t: usize, place: usize, cell: usize, plan: Plan, effect: Effect) -> Option<Path> {
        let mut path = Path::new(state.clone());
        let thread = path.state.thread(t);
        thread.spins = false;
        let queued = thread.queue[place].access()?.clone();
        let is_certain = !thread.guesses_before(place) && !thread.assumes_beside(place) && plan.assumes.is_empty();
        let in_range = effect.writes.is_none_or(|value| within(value, queued.limits).is_ok())
            && queued.result.is_none_or(|limits| within(effect.result, limits).is_ok());
        if !in_range {
            if !is_certain {
                return None;
            }
            path.fail(t, Violation::InRange);
            return Some(path);
        }
        for (older, assumption) in plan.assumes {
            if let Entry::Access(older) = &mut thread.queue[older]
                && !older.assumed.iter().any(|(known, _)| *known == assumption)
            {
                older.assumed.push((assumption, false));
                older.assumed.sort_unstable();
            }
        }
        let succeeds = effect.writes.is_some();
        if succeeds && queued.assumed.iter().any(|(assumption, _)| *assumption == Assumption::Fails) {
            path.end = End::Discarded;
        }
        match plan.forward {
            Some((store, _)) if effect.reserves => {
                if let Entry::Access(store) = &mut thread.queue[store] {
                    store.reserves = true;
                }
            }
            None if effect.reserves => thread.reserve(cell),
            _ => {}
        }
        if effect.ends_reservation {
            thread.lose_reservation(cell);
        }
        if queued.reserves {
            thread.reserve(cell);
        }
        thread.then_due = queued.then;
        thread.leave(place, effect.result);
        if effect.reads && plan.forward.is_none() {
            self.read_by(&mut path, t, cell);
        }
        if let Some(value) = effect.writes {
            self.write_by(&mut path, t, cell, value);
        }
        Some(path)
    }

    /// A thread reads a cell of memory: transactions that have written it are aborted.
    pub(crate) fn read_by(&self, path: &mut Path, t: usize, cell: usize) {
        self.conflict(path, t, |transaction| transaction.writes.iter().any(|(written, _)| *written == cell));
    }

    /// A thread touches a cell in a way that transactions which have read or written it do not survive.
    pub(crate) fn claim_by(&self, path: &mut Path, t: usize, cell: usize) {
        self.conflict(path, t, |transaction| {
            transaction.reads.contains(&cell) || transaction.writes.iter().any(|(written, _)| *written == cell)
        });
    }

    /// A thread writes a cell of memory.
    pub(crate) fn write_by(&self, path: &mut Path, t: usize, cell: usize, value: i64) {
        path.state.memory[cell] = value;
        self.claim_by(path, t, cell);
        for other in 0..path.state.threads.len() {
            if other != t && path.state.threads[other].reserved.contains(&cell) {
                path.state.thread(other).lose_reservation(cell);
            }
            let is_wrong = |queued: &Queued| {
                queued.cell == Cell::Known(cell) && queued.assumed.iter().any(|(a, _)| *a == Assumption::Unwritten)
            };
            if path.state.threads[other].accesses().any(is_wrong) {
                path.end = End::Discarded;
            }
        }
    }

    fn conflict(&self, path: &mut Path, t: usize, is_hit: impl Fn(&crate::state::Transaction) -> bool) {
        for other in 0..path.state.threads.len() {
            if other != t && path.state.threads[other].transaction.as_ref().is_some_and(&is_hit) {
                let thread = path.state.thread(other);
                if let Some(transaction) = thread.transaction.take() {
                    thread.registers = transaction.registers;
                    thread.pc = transaction.handler;
                    thread.resumes = Some((transaction.cause, transaction.code));
                    thread.spins = false;
                    thread.pauses = false;
                }
            }
        }
    }

    /// A thread that was aborted by a conflict goes on.
    pub(crate) fn resume(&self, state: &State, t: usize) -> Path {
        let mut path = Path::new(state.clone());
        let thread = path.state.thread(t);
        if let Some((cause, code)) = thread.resumes.take() {
            tell(thread, cause, code, CONFLICT, NO_CODE);
        }
        path
    }
}

/// A handler is told why.
pub(crate) fn tell(
    thread: &mut crate::state::Thread,
    cause: Option<usize>,
    code: Option<usize>,
    why: i64,
    number: i64,
) {
    use crate::term::Content::Known;
    cause.into_iter().for_each(|register| thread.registers[register] = Known(why));
    code.into_iter().for_each(|register| thread.registers[register] = Known(number));
}

/// What an operation gives that only reads.
fn read(queued: &Queued, found: i64) -> Effect {
    let result = if queued.kind == AccessKind::Cas { 0 } else { found };
    let reserves = queued.kind == AccessKind::LoadLinked;
    Effect { result, writes: None, reads: true, ends_reservation: false, reserves }
}
