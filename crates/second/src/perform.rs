//! Performing an operation: what it does to memory and to other threads (rules 3.9, 3.11, 4.5, 4.7, 5.4, 6.2).

use crate::code::Access;
use crate::queue::Plan;
use crate::state::{Assumption, Cell, Entry, Queued, State, Transaction};
use crate::values::{Violation, within};
use crate::world::{End, Path, World};
use memory::{FailedCas, Isolation, StoreConditional};
use program::typed::Op;

/// The result of an operation, and what it writes; or that one of them does not fit (rule 1.6).
type Effect = Result<(i64, Option<i64>), Violation>;

impl Access {
    pub(crate) fn outcome(&self, operands: &[i64], found: i64, is_reserved: bool) -> Effect {
        let is_equal = || found == operands[0];
        let (result, writes) = match self.op {
            Op::Load | Op::LoadLinked => (found, None),
            Op::Store(_) => (0, Some(operands[0])),
            Op::Cas(..) => (is_equal().into(), is_equal().then(|| operands[1])),
            Op::CasOld(..) => (found, is_equal().then(|| operands[1])),
            Op::Swap(_) => (found, Some(operands[0])),
            Op::FetchAdd(_) => (found, Some(found.saturating_add(operands[0]))),
            Op::FetchAnd(_) => (found, Some(found & operands[0])),
            Op::FetchOr(_) => (found, Some(found | operands[0])),
            Op::Report(ref report, _) => (found, report.specification.after(found, operands.iter().sum())),
            Op::StoreConditional(_) => (is_reserved.into(), is_reserved.then(|| operands[0])),
        };
        writes.map(|value| within(value, self.cell)).transpose()?;
        self.to.map(|(_, range)| within(result, range)).transpose()?;
        Ok((result, writes))
    }
}

impl World<'_> {
    /// The ways to perform the entry at `place` of a thread's queue, before the thread continues.
    pub(crate) fn performs(&self, state: &State, t: usize, place: usize) -> Vec<Path> {
        let (thread, mut paths) = (&state.threads[t], Vec::new());
        let Some(queued @ Queued { cell: Cell::Known(cell), .. }) = thread.queue[place].access() else { return paths };
        let Some(operands) = self.eval_all(&queued.operands, thread).ok().flatten() else { return paths };
        let access = self.access(thread, queued);
        let operation = access.operation();
        let failed = self.model.failed(operation, access.orders.1);
        // What it counts as, and whether what it finds must be what it expects (rule 4.5).
        let kinds = match access.is_cas() && self.model.failed_cas == FailedCas::Load {
            true => vec![(operation, Some(true)), (failed, Some(false))],
            false => vec![(operation, None)],
        };
        for (operation, wanted) in kinds {
            // A guess is open to loads only, and a CAS is none before it has failed.
            if wanted == Some(false) && thread.guesses().any(|(guess, _)| guess < place) {
                continue;
            }
            let Some(plan) = self.plan(thread, place, *cell, operation) else { continue };
            let found = plan.forward.map_or(state.memory[*cell], |(_, value)| value);
            let is_free = state.bus.is_none_or(|holder| holder == t) || plan.forward.is_some();
            if !is_free || wanted.is_some_and(|wanted| wanted != (found == operands[0])) {
                continue;
            }
            let is_reserved = thread.reserved.contains(cell);
            let outcome = access.outcome(&operands, found, is_reserved);
            paths.extend(self.done(state, t, place, *cell, &plan, outcome));
            let may_fail = self.model.store_conditional == StoreConditional::MayFail;
            if matches!(access.op, Op::StoreConditional(_)) && may_fail && is_reserved {
                let outcome = access.outcome(&operands, found, false);
                paths.extend(self.done(state, t, place, *cell, &plan, outcome));
            }
        }
        paths
    }

    /// The state after it; none if it has to wait.
    fn done(&self, state: &State, t: usize, place: usize, cell: usize, plan: &Plan, outcome: Effect) -> Option<Path> {
        let mut path = Path::new(state);
        let thread = path.state.thread(t);
        (thread.spins, thread.circles) = (false, false);
        let queued = thread.queue[place].access()?.clone();
        let access = self.access(thread, &queued);
        let (result, writes) = match outcome {
            Ok(outcome) => outcome,
            Err(violation) => {
                let is_certain = thread.is_certain_at(place) && plan.assumes.is_empty();
                thread.failed = Some(violation);
                return is_certain.then_some(path);
            }
        };
        for (older, assumption) in &plan.assumes {
            thread.queue[*older].access_mut()?.assumed.entry(*assumption).or_insert(false);
        }
        if matches!(access.op, Op::LoadLinked) {
            match plan.forward {
                Some((store, _)) => thread.queue[store].access_mut()?.reserves = true,
                None => _ = thread.reserved.insert(cell),
            }
        }
        if matches!(access.op, Op::StoreConditional(_)) {
            thread.reserved.remove(&cell);
        }
        thread.reserved.extend(queued.reserves.then_some(cell));
        thread.then_due = access.then;
        if writes.is_some() && queued.assumed.contains_key(&Assumption::Fails) {
            path.end = End::Discarded;
        }
        if access.operation().reads && plan.forward.is_none() {
            self.touch(&mut path, t, cell, false);
        }
        writes.into_iter().for_each(|value| self.write_by(&mut path, t, cell, value));
        path.state.thread(t).leave(place, result);
        Some(path)
    }

    pub(crate) fn write_by(&self, path: &mut Path, t: usize, cell: usize, value: i64) {
        path.state.memory[cell] = value;
        self.touch(path, t, cell, true);
        for other in 0..path.state.threads.len() {
            let thread = path.state.thread(other);
            thread.reserved.retain(|it| other == t || *it != cell);
            let is_own = |it: &Queued| it.cell == Cell::Known(cell) && self.queued(thread, it).writes;
            let n_before = thread.queue.iter().position(|entry| entry.access().is_some_and(is_own));
            for it in thread.queue.iter_mut().take(n_before.unwrap_or(usize::MAX)).filter_map(Entry::access_mut) {
                let Some(is_watched) = it.assumed.remove(&Assumption::Unwritten(cell)) else { continue };
                it.assumed.insert(Assumption::Elsewhere(cell), is_watched);
                path.end = if it.cell == Cell::Known(cell) { End::Discarded } else { path.end };
            }
        }
    }

    /// Transactions of other threads are aborted that have written a cell, or read it if it is written (rules 6.2, 6.6).
    pub(crate) fn touch(&self, path: &mut Path, t: usize, cell: usize, writes: bool) {
        let is_hit = |it: &Transaction| it.writes.contains_key(&cell) || writes && it.reads.contains(&cell);
        let counts = self.model.isolation == Isolation::Strong || path.state.threads[t].transaction.is_some();
        for other in (0..path.state.threads.len()).filter(|other| *other != t && counts) {
            if path.state.threads[other].transaction.as_ref().is_some_and(is_hit) {
                self.roll_back(path.state.thread(other));
            }
        }
    }
}
