//! The steps of a state, with those of transactions, and the initial states (rules 2.3, 2.5, 3.4 to 3.11, 6).

use crate::code::{Access, Instr};
use crate::state::{State, Thread};
use crate::values::{Term, Violation};
use crate::world::{Path, World};
use base::Span;
use program::typed;
use std::collections::BTreeSet;

/// The variants of `Cause`.
const CONFLICT: i64 = 0;
const EXPLICIT: i64 = 1;
const CAPACITY: i64 = 2;
const SPURIOUS: i64 = 3;

/// A step, and where in the text it stands.
pub(crate) struct Step {
    pub(crate) thread: usize,
    pub(crate) span: Span,
    /// It performs the oldest operation of its thread.
    pub(crate) performs_oldest: bool,
    pub(crate) path: Path,
}

impl World<'_> {
    /// Every thread has done the local actions that it can do from its beginning.
    pub(crate) fn initial(&self) -> Vec<Path> {
        let start = vec![Path::new(&self.unstarted())];
        (0..self.code.len()).fold(start, |paths, t| paths.into_iter().flat_map(|path| self.settle(path, t)).collect())
    }

    /// All steps, also those that are discarded. Where a thread has failed, others only end what passing a label began.
    pub(crate) fn steps(&self, state: &State) -> Vec<Step> {
        let has_failed = state.has_failed();
        let threads = state.threads.iter().filter(|thread| !has_failed || self.passes(thread));
        threads.flat_map(|thread| self.thread_steps(state, thread.id, !has_failed)).collect()
    }

    /// All steps of threads that have not violated anything.
    pub(crate) fn steps_of_others(&self, state: &State) -> Vec<Step> {
        let others = state.threads.iter().filter(|thread| thread.failed.is_none());
        others.flat_map(|thread| self.thread_steps(state, thread.id, true)).collect()
    }

    pub(crate) fn thread_steps(&self, state: &State, t: usize, performs: bool) -> Vec<Step> {
        let thread = &state.threads[t];
        let step = |span, performs_oldest| move |path| Step { thread: t, span, performs_oldest, path };
        let span = self.code[t].points[thread.pc].span;
        let settle = |path| self.settle(path, t);
        let mut steps: Vec<Step> = self.acts(state, t).into_iter().flat_map(settle).map(step(span, false)).collect();
        let oldest = thread.queue.iter().position(|entry| entry.access().is_some());
        for (place, entry) in thread.queue.iter().enumerate().filter(|_| performs) {
            let Some(queued) = entry.access() else { continue };
            // While it pauses, its operations are performed (rule 8.2).
            let go_on = |mut path| {
                self.retire(&mut path, t);
                let stays = thread.pauses && (path.is_over(t) || self.is_seen(&path, t, true));
                if stays { vec![path] } else { settle(path) }
            };
            let paths = self.performs(state, t, place).into_iter().flat_map(go_on);
            steps.extend(paths.map(step(self.access(thread, queued).span, oldest == Some(place))));
        }
        steps
    }

    /// What a thread does apart from performing operations, before it continues.
    fn acts(&self, state: &State, t: usize) -> Vec<Path> {
        let (thread, path) = (&state.threads[t], Path::new(state));
        match self.instr(thread) {
            _ if thread.pauses && !self.passes(thread) && thread.guesses().next().is_some() => Vec::new(),
            _ if thread.pauses => vec![path],
            _ if thread.aborted.is_some() => vec![path.with(t, |thread| self.resume(thread, CONFLICT, 0))],
            _ if thread.transaction.is_some() => self.transaction_steps(state, t),
            _ if thread.spins => Vec::new(),
            Instr::Safepoint => vec![path.with(t, |thread| thread.pc += 1)],
            Instr::Region(region) if region.kind != typed::Region::Then && self.may_enter(state, thread, region) => {
                self.execute(path, t, region)
            }
            _ => Vec::new(),
        }
    }

    /// The steps of a thread that is in a transaction.
    pub(crate) fn transaction_steps(&self, state: &State, t: usize) -> Vec<Path> {
        let (path, mut steps) = (Path::new(state), Vec::new());
        let has_bus = state.bus.is_none_or(|holder| holder == t);
        match self.instr(&state.threads[t]) {
            Instr::Access(access) if has_bus => {
                let ways = self.access_now(&path, t, &self.code[t].accesses[*access]);
                steps.extend(ways.unwrap_or_else(|found| vec![path.with(t, |thread| thread.failed = Some(found))]));
            }
            Instr::Commit if has_bus => steps.push(self.commit(state, t)),
            Instr::Abort(code) => steps.push(self.abort(&path, t, EXPLICIT, *code)),
            _ => {}
        }
        let may_abort = self.model.transactions == memory::Transactions::MayAbort;
        steps.extend(may_abort.then(|| self.abort(&path, t, SPURIOUS, 0)));
        steps
    }

    /// A transaction is given up: the thread is before its handler.
    pub(crate) fn roll_back(&self, thread: &mut Thread) {
        let Some(transaction) = thread.transaction.take() else { return };
        if let Instr::Begin(_, handler, _) = &self.code[thread.id].points[transaction.begin].instr {
            thread.pc = *handler;
        }
        thread.registers = transaction.registers;
        thread.aborted = Some(transaction.begin);
        (thread.spins, thread.circles, thread.pauses) = (false, false, false);
    }

    fn resume(&self, thread: &mut Thread, cause: i64, code: i64) {
        let begin = thread.aborted.take().map(|begin| &self.code[thread.id].points[begin].instr);
        let Some(Instr::Begin(_, _, reports)) = begin else { return };
        let values = reports.iter().zip([cause, code]);
        thread.registers.extend(values.filter_map(|(register, value)| Some(((*register)?, Term::Const(value)))));
    }

    fn abort(&self, path: &Path, t: usize, cause: i64, code: i64) -> Path {
        path.with(t, |thread| {
            self.roll_back(thread);
            self.resume(thread, cause, code);
        })
    }

    fn commit(&self, state: &State, t: usize) -> Path {
        let mut path = Path::new(state);
        let thread = path.state.thread(t);
        thread.pc += 1;
        for (cell, value) in thread.transaction.take().into_iter().flat_map(|transaction| transaction.writes) {
            self.write_by(&mut path, t, cell, value);
        }
        path
    }

    /// An access at once, past every queue: in a region on shared state itself, in a transaction also on what it has written.
    pub(crate) fn access_now(&self, path: &Path, t: usize, access: &Access) -> Result<Vec<Path>, Violation> {
        let thread = &path.state.threads[t];
        let cell = self.locate(access, &access.place, thread)?;
        let (Some(cell), Some(operands)) = (cell, self.eval_all(&access.operands, thread)?) else {
            return Ok(Vec::new());
        };
        let cell = cell as usize;
        let (mut path, mut transaction) = (path.clone(), thread.transaction.clone());
        let written = transaction.as_ref().and_then(|transaction| transaction.writes.get(&cell));
        let outcome = access.outcome(&operands, *written.unwrap_or(&path.state.memory[cell]), true);
        if let Some(transaction) = &transaction {
            let begin = &self.code[t].points[transaction.begin].instr;
            let others = transaction.reads.iter().chain(transaction.writes.keys());
            let n_cells = others.chain([&cell]).collect::<BTreeSet<_>>().len();
            if matches!(begin, Instr::Begin(Some(most), ..) if n_cells > *most as usize) {
                return Ok(vec![self.abort(&path, t, CAPACITY, 0)]);
            }
        }
        let (result, writes) = outcome?;
        if access.is_memory && !access.is_store() {
            transaction.iter_mut().for_each(|transaction| _ = transaction.reads.insert(cell));
            self.touch(&mut path, t, cell, false);
        }
        match (writes, &mut transaction) {
            (None, _) => {}
            (Some(value), Some(transaction)) => {
                transaction.writes.insert(cell, value);
                self.touch(&mut path, t, cell, true);
            }
            (Some(value), None) if access.is_memory => self.write_by(&mut path, t, cell, value),
            (Some(value), None) => path.state.memory[cell] = value,
        }
        Ok(vec![path.with(t, |thread| {
            thread.transaction = transaction;
            thread.registers.extend(access.to.map(|(to, _)| (to, Term::Const(result))));
            thread.pc += 1;
        })])
    }
}
