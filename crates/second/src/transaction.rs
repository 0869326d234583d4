//! Steps of transactions (rule 6).

use crate::code::{Access, AccessKind, Instr};
use crate::perform::tell;
use crate::region::outcome;
use crate::state::State;
use crate::term::Content;
use crate::values::Fault;
use crate::world::{Path, World, within};
use memory::Transactions;

/// The variants of `Cause`.
const EXPLICIT: i64 = 1;
const CAPACITY: i64 = 2;
const SPURIOUS: i64 = 3;

impl World<'_> {
    /// The steps of a thread that is in a transaction, with what each is.
    pub(crate) fn transaction_steps(&self, state: &State, t: usize) -> Vec<(String, Path)> {
        let mut steps = Vec::new();
        let has_bus = state.bus.is_none_or(|holder| holder == t);
        match self.instr(state, t) {
            Instr::Access(access) if has_bus => {
                steps.extend(self.transactional(state, t, access).map(|path| ("in the transaction".into(), path)));
            }
            Instr::Commit if has_bus => steps.push(("commits".into(), self.commit(state, t))),
            Instr::Abort(code) => steps.push(("aborts".into(), self.abort(state, t, EXPLICIT, *code))),
            _ => {}
        }
        if self.model.transactions == Transactions::MayAbort {
            steps.push(("aborts for no reason".into(), self.abort(state, t, SPURIOUS, 0)));
        }
        steps
    }

    fn abort(&self, state: &State, t: usize, cause: i64, code: i64) -> Path {
        let mut path = Path::new(state.clone());
        let thread = path.state.thread(t);
        thread.spins = false;
        if let Some(transaction) = thread.transaction.take() {
            thread.registers = transaction.registers;
            thread.pc = transaction.handler;
            tell(thread, transaction.cause, transaction.code, cause, code);
        }
        path
    }

    fn commit(&self, state: &State, t: usize) -> Path {
        let mut path = Path::new(state.clone());
        let thread = path.state.thread(t);
        thread.pc += 1;
        if let Some(transaction) = thread.transaction.take() {
            for (cell, value) in transaction.writes {
                self.write_by(&mut path, t, cell, value);
            }
        }
        path
    }

    /// One access of a transaction.
    fn transactional(&self, state: &State, t: usize, access: &Access) -> Option<Path> {
        let mut path = Path::new(state.clone());
        match self.access_in(&mut path, t, access) {
            Ok(true) => {}
            Ok(false) => return Some(self.abort(state, t, CAPACITY, 0)),
            Err(fault) => path.fail(t, fault.into()),
        }
        Some(path)
    }

    /// False if it is one cell too many.
    fn access_in(&self, path: &mut Path, t: usize, access: &Access) -> Result<bool, Fault> {
        let thread = &path.state.threads[t];
        let Some(mut transaction) = thread.transaction.clone() else { return Ok(true) };
        let cell = self.locate(&access.address, &thread.registers)?.unwrap_or_default();
        let mut operands = Vec::new();
        for operand in &access.operands {
            operands.push(self.eval(operand, thread)?.unwrap_or_default());
        }
        let written = transaction.writes.iter().position(|(known, _)| *known == cell);
        let found = written.map_or(path.state.memory[cell], |i| transaction.writes[i].1);
        let (result, writes) = outcome(access.kind, &operands, found);
        let mut cells: Vec<usize> = transaction.writes.iter().map(|(cell, _)| *cell).collect();
        cells.extend(transaction.reads.iter().chain([&cell]));
        cells.sort_unstable();
        cells.dedup();
        if transaction.capacity.is_some_and(|most| cells.len() > most as usize) {
            return Ok(false);
        }
        if let Some(value) = writes {
            within(value, access.cell)?;
        }
        if access.kind != AccessKind::Store {
            if !transaction.reads.contains(&cell) {
                transaction.reads.push(cell);
                transaction.reads.sort_unstable();
            }
            self.read_by(path, t, cell);
        }
        if let Some(value) = writes {
            match written {
                Some(i) => transaction.writes[i].1 = value,
                None => transaction.writes.push((cell, value)),
            }
            transaction.writes.sort_unstable();
            self.claim_by(path, t, cell);
        }
        let thread = path.state.thread(t);
        thread.transaction = Some(transaction);
        if let Some((to, limits)) = access.to {
            thread.registers[to] = Content::Known(within(result, limits)?);
        }
        thread.pc += 1;
        Ok(true)
    }
}
