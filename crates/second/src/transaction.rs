//! Steps of transactions (rule 6).

use crate::code::{Access, Instr};
use crate::state::{State, Thread};
use crate::term::Term;
use crate::values::Violation;
use crate::world::{Path, World};
use memory::Transactions;

/// The variants of `Cause`.
const CONFLICT: i64 = 0;
const EXPLICIT: i64 = 1;
const CAPACITY: i64 = 2;
const SPURIOUS: i64 = 3;

impl World<'_> {
    /// The steps of a thread that is in a transaction.
    pub(crate) fn transaction_steps(&self, state: &State, t: usize) -> Vec<Path> {
        let mut steps = Vec::new();
        let has_bus = state.bus.is_none_or(|holder| holder == t);
        match self.instr(&state.threads[t]) {
            Instr::Access(access) if has_bus => {
                let mut path = Path::new(state);
                match self.access_in(&mut path, t, &self.code[t].accesses[*access]) {
                    Ok(true) => {}
                    Ok(false) => path = self.abort(state, t, CAPACITY, 0),
                    Err(violation) => path.fail(t, violation),
                }
                steps.push(path);
            }
            Instr::Commit if has_bus => steps.push(self.commit(state, t)),
            Instr::Abort(code) => steps.push(self.abort(state, t, EXPLICIT, *code)),
            _ => {}
        }
        if self.model.transactions == Transactions::MayAbort {
            steps.push(self.abort(state, t, SPURIOUS, 0));
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
        for (register, value) in begin.told.iter().zip([cause, code]) {
            register.iter().for_each(|register| thread.registers[*register] = Term::Const(value));
        }
    }

    /// A thread that was aborted by a conflict goes on.
    pub(crate) fn resumed(&self, state: &State, t: usize) -> Path {
        let mut path = Path::new(state);
        self.resume(path.state.thread(t), CONFLICT, 0);
        path
    }

    fn abort(&self, state: &State, t: usize, cause: i64, code: i64) -> Path {
        let mut path = Path::new(state);
        let thread = path.state.thread(t);
        self.roll_back(thread);
        self.resume(thread, cause, code);
        path
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

    /// One access. False if it is one cell too many.
    fn access_in(&self, path: &mut Path, t: usize, access: &Access) -> Result<bool, Violation> {
        let thread = &path.state.threads[t];
        let Some(mut transaction) = thread.transaction.clone() else { return Ok(true) };
        let Instr::Begin(begin) = &self.code[t].points[transaction.begin].instr else { return Ok(true) };
        let cell = self.locate(access, &access.place, thread)?.unwrap_or_default() as usize;
        let operands = self.eval_all(&access.operands, thread)?.unwrap_or_default();
        let written = transaction.writes.iter().find(|(known, _)| *known == cell);
        let outcome = access.outcome(&operands, written.map_or(path.state.memory[cell], |(_, value)| *value), true);
        let mut cells: Vec<usize> = transaction.writes.iter().map(|(cell, _)| *cell).collect();
        cells.extend(transaction.reads.iter().chain([&cell]));
        cells.sort_unstable();
        cells.dedup();
        if begin.capacity.is_some_and(|most| cells.len() > most as usize) {
            return Ok(false);
        }
        let (result, writes) = outcome?;
        if !access.is_store() {
            transaction.reads.push(cell);
            transaction.reads.sort_unstable();
            transaction.reads.dedup();
            self.read_by(path, t, cell);
        }
        if let Some(value) = writes {
            transaction.writes.retain(|(known, _)| *known != cell);
            transaction.writes.push((cell, value));
            transaction.writes.sort_unstable();
            self.claim_by(path, t, cell);
        }
        let thread = path.state.thread(t);
        thread.transaction = Some(transaction);
        if let Some((to, _)) = access.to {
            thread.registers[to] = Term::Const(result);
        }
        thread.pc += 1;
        Ok(true)
    }
}
