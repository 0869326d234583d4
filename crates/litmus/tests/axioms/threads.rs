//! What each thread of a litmus test may do by itself, whatever it reads: its events, with dependencies between them.

use crate::axioms::candidates::{Event, Kind};
use litmus::{Instruction, OrderName, Test, place};
use std::collections::{BTreeMap, BTreeSet};

/// One way through a thread: every read has some value that its cell can have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) rmw: Vec<(usize, usize)>,
    pub(crate) amo: Vec<(usize, usize)>,
    pub(crate) addr: Vec<(usize, usize)>,
    pub(crate) data: Vec<(usize, usize)>,
    pub(crate) ctrl: Vec<(usize, usize)>,
    /// What registers hold at the end.
    pub(crate) registers: BTreeMap<String, i32>,
    /// For each register, the events that its value comes from.
    sources: BTreeMap<String, BTreeSet<usize>>,
    /// The events that decided a branch so far.
    deciding: BTreeSet<usize>,
    /// The last `ll` that no `sc` has ended.
    linked: Option<usize>,
}

/// The runs of each thread of `test`.
pub(crate) fn runs(test: &Test) -> Vec<Vec<Run>> {
    let cells: Vec<String> = test.init.keys().cloned().collect();
    let mut values: Vec<BTreeSet<i32>> = test.init.values().map(|value| BTreeSet::from([*value])).collect();
    let all = |values: &[BTreeSet<i32>]| -> Vec<Vec<Run>> {
        (0..test.threads.len()).map(|thread| runs_of(test, thread, &cells, values)).collect()
    };
    // A value passes through each instruction at most once.
    for _ in 0..test.threads.iter().map(Vec::len).sum() {
        let before = values.clone();
        for event in all(&before).iter().flatten().flat_map(|run| &run.events).filter(|event| event.writes()) {
            values[event.cell].insert(event.value);
        }
        if values == before {
            break;
        }
    }
    all(&values)
}

fn runs_of(test: &Test, thread: usize, cells: &[String], values: &[BTreeSet<i32>]) -> Vec<Run> {
    let through = Through { thread, cells, values };
    through.all(vec![Run::default()], &test.threads[thread])
}

/// A thread, and the values that its reads may have.
struct Through<'a> {
    thread: usize,
    cells: &'a [String],
    values: &'a [BTreeSet<i32>],
}

impl Through<'_> {
    fn all(&self, runs: Vec<Run>, instructions: &[Instruction]) -> Vec<Run> {
        let step = |runs: Vec<Run>, instruction: &Instruction| {
            runs.into_iter().flat_map(|run| self.instruction(run, instruction)).collect()
        };
        instructions.iter().fold(runs, step)
    }

    fn instruction(&self, mut run: Run, instruction: &Instruction) -> Vec<Run> {
        match instruction {
            Instruction::Load { loc, reg, order, addr_dep } => {
                self.read(&run, loc, *order, reg, addr_dep.as_deref(), false)
            }
            Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg } => {
                let write = self.write(&mut run, loc, *val, *order, val_reg.as_deref(), false);
                run.depend(write, addr_dep.as_deref(), |run| &mut run.addr);
                run.depend(write, data_dep.as_deref(), |run| &mut run.data);
                vec![run]
            }
            Instruction::Fence { kind } => {
                let (kind, order) = (Kind::Fence(*kind), OrderName::Rlx);
                run.push(Event {
                    kind,
                    thread: Some(self.thread),
                    cell: usize::MAX,
                    value: 0,
                    order,
                    is_rmw: false,
                    is_cas: false,
                });
                vec![run]
            }
            Instruction::Branch { on } => {
                run.decide(on);
                vec![run]
            }
            Instruction::If { reg, eq, then } => {
                run.decide(reg);
                let is_taken = run.registers.get(reg).copied().unwrap_or(0) == *eq;
                if is_taken { self.all(vec![run], then) } else { vec![run] }
            }
            Instruction::Swap { loc, val, reg, order, data_dep } => {
                self.modify(&run, loc, *order, reg, data_dep.as_deref(), |_| Some((*val, false)))
            }
            Instruction::Fadd { loc, val, reg, order, data_dep } => {
                self.modify(&run, loc, *order, reg, data_dep.as_deref(), |old| Some((old + val, true)))
            }
            Instruction::Cas { loc, expect, new, reg, order, failure } => {
                let n_before = run.events.len();
                let mut runs =
                    self.modify(&run, loc, *order, reg, None, |old| (old == *expect).then_some((*new, false)));
                runs.iter_mut().flat_map(|run| &mut run.events[n_before..]).for_each(|event| event.is_cas = true);
                let failed = runs.iter_mut().filter_map(|run| run.events.last_mut()).filter(|last| last.reads());
                failed.for_each(|last| last.order = failure.unwrap_or(order.of_failure()));
                runs
            }
            Instruction::Ll { loc, reg, order } => {
                let mut runs = self.read(&run, loc, *order, reg, None, true);
                runs.iter_mut().for_each(|run| run.linked = Some(run.events.len() - 1));
                runs
            }
            Instruction::Sc { loc, val, status, order, val_reg, data_dep } => {
                let linked = run.linked.take().filter(|ll| run.events[*ll].cell == self.cell(&run, loc));
                let mut failed = run.clone();
                failed.set(status, 1, BTreeSet::new());
                let Some(ll) = linked else { return vec![failed] };
                let write = self.write(&mut run, loc, *val, *order, val_reg.as_deref(), true);
                run.depend(write, data_dep.as_deref(), |run| &mut run.data);
                run.rmw.push((ll, write));
                run.set(status, 0, BTreeSet::from([write]));
                vec![failed, run]
            }
        }
    }

    /// The cell that `loc` is in `run`.
    fn cell(&self, run: &Run, loc: &str) -> usize {
        let (name, index) = place(loc);
        let base = self.cells.iter().position(|cell| cell == name).expect("a cell of `init`");
        let value = index.and_then(|r| run.registers.get(r)).copied().unwrap_or(0);
        base + (value & 1) as usize
    }

    /// A run for each value that may be read.
    fn read(
        &self,
        run: &Run,
        loc: &str,
        order: OrderName,
        reg: &str,
        addr_dep: Option<&str>,
        is_rmw: bool,
    ) -> Vec<Run> {
        let cell = self.cell(run, loc);
        let with = |value: &i32| {
            let mut run = run.clone();
            let (kind, thread, value) = (Kind::Read, Some(self.thread), *value);
            let read = run.push(Event { kind, thread, cell, value, order, is_rmw, is_cas: false });
            run.depend(read, addr_dep, |run| &mut run.addr);
            run.depend(read, place(loc).1, |run| &mut run.addr);
            run.set(reg, value, BTreeSet::from([read]));
            run
        };
        self.values[cell].iter().map(with).collect()
    }

    fn write(
        &self,
        run: &mut Run,
        loc: &str,
        val: i32,
        order: OrderName,
        val_reg: Option<&str>,
        is_rmw: bool,
    ) -> usize {
        let value = val + val_reg.and_then(|r| run.registers.get(r)).copied().unwrap_or(0);
        let (kind, thread, cell) = (Kind::Write, Some(self.thread), self.cell(run, loc));
        let write = run.push(Event { kind, thread, cell, value, order, is_rmw, is_cas: false });
        run.depend(write, val_reg, |run| &mut run.data);
        run.depend(write, place(loc).1, |run| &mut run.addr);
        write
    }

    /// A read-modify-write. `new` says for what it reads what it writes, if it does, and whether that depends on what was read.
    fn modify(
        &self,
        run: &Run,
        loc: &str,
        order: OrderName,
        reg: &str,
        data_dep: Option<&str>,
        new: impl Fn(i32) -> Option<(i32, bool)>,
    ) -> Vec<Run> {
        let sources = data_dep.map_or(BTreeSet::new(), |r| run.sources_of(r));
        let mut runs = self.read(run, loc, order, reg, None, true);
        for run in &mut runs {
            let read = run.events.len() - 1;
            if let Some((value, depends)) = new(run.events[read].value) {
                let write = self.write(run, loc, value, order, None, true);
                run.data.extend(sources.iter().map(|source| (*source, write)));
                run.data.extend(depends.then_some((read, write)));
                run.rmw.push((read, write));
                run.amo.push((read, write));
            }
        }
        runs
    }
}

impl Run {
    fn push(&mut self, event: Event) -> usize {
        let id = self.events.len();
        self.events.push(event);
        self.ctrl.extend(self.deciding.iter().map(|source| (*source, id)));
        id
    }

    fn sources_of(&self, register: &str) -> BTreeSet<usize> {
        self.sources.get(register).cloned().unwrap_or_default()
    }

    fn depend(&mut self, event: usize, register: Option<&str>, pairs: fn(&mut Run) -> &mut Vec<(usize, usize)>) {
        let sources = register.map_or(BTreeSet::new(), |r| self.sources_of(r));
        pairs(self).extend(sources.into_iter().map(|source| (source, event)));
    }

    fn decide(&mut self, register: &str) {
        let sources = self.sources_of(register);
        self.deciding.extend(sources);
    }

    fn set(&mut self, register: &str, value: i32, sources: BTreeSet<usize>) {
        self.registers.insert(register.into(), value);
        self.sources.insert(register.into(), sources);
    }
}
