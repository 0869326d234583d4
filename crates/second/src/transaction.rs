//! Steps of transactions (rule 6).

use crate::code::{Access, Instr};
use crate::state::{State, Thread};
use crate::values::{Term, Violation};
use crate::world::{Path, World};
use memory::Transactions;
use std::collections::BTreeSet;

/// The variants of `Cause`.
const CONFLICT: i64 = 0;
const EXPLICIT: i64 = 1;
const CAPACITY: i64 = 2;
const SPURIOUS: i64 = 3;

impl World<'_> {
    /// The steps of a thread that is in a transaction.
    pub(crate) fn transaction_steps(&self, state: &State, t: usize) -> Vec<Path> {
        let (path, mut steps) = (Path::new(state), Vec::new());
        let has_bus = state.bus.is_none_or(|holder| holder == t);
        match self.instr(&state.threads[t]) {
            Instr::Access(access) if has_bus => {
                let ways = self.access_now(&path, t, &self.code[t].accesses[*access]);
                let failed = |violation| vec![path.with(t, |thread| thread.failed = Some(violation))];
                steps.extend(ways.unwrap_or_else(failed));
            }
            Instr::Commit if has_bus => steps.push(self.commit(state, t)),
            Instr::Abort(code) => steps.push(self.abort(&path, t, EXPLICIT, *code)),
            _ => {}
        }
        if self.model.transactions == Transactions::MayAbort {
            steps.push(self.abort(&path, t, SPURIOUS, 0));
        }
        steps
    }

    /// A transaction is given up: the thread is before its handler.
    pub(crate) fn roll_back(&self, thread: &mut Thread) {
        let Some(transaction) = thread.transaction.take() else { return };
        if let Instr::Begin(begin) = &self.code[thread.id].points[transaction.begin].instr {
            thread.pc = begin.handler;
        }
        thread.registers = transaction.registers;
        thread.aborted = Some(transaction.begin);
        thread.spins = false;
        thread.pauses = false;
    }

    /// The handler is told why.
    fn resume(&self, thread: &mut Thread, cause: i64, code: i64) {
        let begin = thread.aborted.take().map(|begin| &self.code[thread.id].points[begin].instr);
        let Some(Instr::Begin(begin)) = begin else { return };
        let told = begin.told.iter().zip([cause, code]);
        thread.registers.extend(told.filter_map(|(register, value)| Some(((*register)?, Term::Const(value)))));
    }

    /// A thread that was aborted by a conflict goes on.
    pub(crate) fn resumed(&self, state: &State, t: usize) -> Path {
        Path::new(state).with(t, |thread| self.resume(thread, CONFLICT, 0))
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
        if let Some(transaction) = &mut transaction {
            let Instr::Begin(begin) = &self.code[t].points[transaction.begin].instr else { return Ok(Vec::new()) };
            let others = transaction.reads.iter().chain(transaction.writes.keys());
            let n_cells = others.chain([&cell]).collect::<BTreeSet<_>>().len();
            if begin.capacity.is_some_and(|most| n_cells > most as usize) {
                return Ok(vec![self.abort(&path, t, CAPACITY, 0)]);
            }
        }
        let (result, writes) = outcome?;
        if access.is_memory && !access.is_store() {
            transaction.iter_mut().for_each(|transaction| _ = transaction.reads.insert(cell));
            self.read_by(&mut path, t, cell);
        }
        match (writes, &mut transaction) {
            (None, _) => {}
            (Some(value), Some(transaction)) => {
                transaction.writes.insert(cell, value);
                self.claim_by(&mut path, t, cell);
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
