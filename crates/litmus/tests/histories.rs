//! The machine of histories by itself, with nothing around it, against the axioms of RC11.

use crate::axioms::{atomics, candidates, rc11};
use history::{Access, Histories, Mark, Profile};
use litmus::{FenceName, Instruction, OrderName, Test};
use memory::Fence;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A test with what the machine is told of it.
struct Plain<'a> {
    test: &'a Test,
    cells: Vec<&'a String>,
    profile: Profile,
    /// Whether accesses have raced.
    races: Cell<bool>,
}

/// How many instructions of each thread are done, which of them are skipped, its registers, and the memory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    done: Vec<usize>,
    registers: Vec<BTreeMap<String, i32>>,
    memory: Histories,
}

/// The final states of `test` by a search that keeps every state; none if accesses race.
fn finals(test: &Test) -> Option<BTreeSet<Vec<i32>>> {
    let init: Vec<i32> = test.init.values().copied().collect();
    let cells: Vec<&String> = test.init.keys().collect();
    let profile = Profile::any(init, test.threads.len(), 64).with_accesses(kinds(cells.len(), test.threads.len()));
    let start = State {
        done: vec![0; test.threads.len()],
        registers: vec![BTreeMap::new(); test.threads.len()],
        memory: Histories::start(&profile),
    };
    let plain = Plain { test, cells, profile, races: Cell::new(false) };
    let (mut seen, mut found, mut todo) = (HashSet::from([start.clone()]), BTreeSet::new(), vec![start]);
    while let Some(state) = todo.pop() {
        let next = plain.successors(&state);
        if next.is_empty() {
            found.insert(plain.observed(&state));
        }
        todo.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    (!plain.races.get()).then_some(found)
}

/// All kinds of accesses.
fn kinds(n_cells: usize, n_threads: usize) -> Vec<Mark> {
    let places = (0..n_threads).flat_map(|thread| (0..n_cells).map(move |cell| (thread, cell)));
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    places.flat_map(|(thread, cell)| ways.map(|(writes, is_plain)| Mark { thread, cell, writes, is_plain })).collect()
}

/// The instruction that is next, and how many it stands for. One inside an `if` comes after it, or is passed over with it.
fn next_of<'a>(
    instructions: &'a [Instruction],
    registers: &BTreeMap<String, i32>,
    done: usize,
) -> Option<&'a Instruction> {
    match instructions.get(done)? {
        Instruction::If { reg, eq, then } => (register(registers, reg) == *eq).then(|| &then[0]),
        instruction => Some(instruction),
    }
}

fn register(registers: &BTreeMap<String, i32>, name: &str) -> i32 {
    registers.get(name).copied().unwrap_or(0)
}

impl Plain<'_> {
    fn observed(&self, state: &State) -> Vec<i32> {
        let value = |name: &String| match name.split_once(':') {
            Some((thread, name)) => register(&state.registers[thread.parse::<usize>().expect("a number")], name),
            None => state.memory.last(self.cell(name)),
        };
        self.test.observed.iter().map(value).collect()
    }

    fn cell(&self, name: &str) -> usize {
        self.cells.iter().position(|cell| *cell == name).expect("a cell")
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let mut next = Vec::new();
        for (thread, instructions) in self.test.threads.iter().enumerate() {
            if state.done[thread] < instructions.len() {
                let (mut after, mut states) = (state.clone(), Vec::new());
                after.done[thread] += 1;
                let has_ended = after.done[thread] == instructions.len();
                match next_of(instructions, &state.registers[thread], state.done[thread]) {
                    None => states.push(after),
                    Some(instruction) => self.steps(after, thread, instruction, &mut states),
                }
                for state in states.iter_mut().filter(|_| has_ended) {
                    state.memory = state.memory.end(&self.profile, thread);
                }
                next.extend(states);
            }
        }
        next
    }

    fn steps(&self, after: State, thread: usize, instruction: &Instruction, next: &mut Vec<State>) {
        let registers = after.registers[thread].clone();
        let with = |memory: Histories| State { memory, ..after.clone() };
        match instruction {
            Instruction::Fence { kind } => {
                let fence = match kind {
                    FenceName::Full => Fence::Full,
                    FenceName::Acq => Fence::Acquire,
                    FenceName::Rel => Fence::Release,
                    FenceName::Ww => Fence::StoreStore,
                };
                next.push(with(after.memory.fence(&self.profile, thread, fence)));
            }
            Instruction::Store { loc, val, order, val_reg, .. } => {
                let value = val + val_reg.as_ref().map_or(0, |name| register(&registers, name));
                let (cell, is_plain, order) = (self.cell(loc), *order == OrderName::Na, order.order());
                for place in after.memory.places(thread, cell) {
                    let access = Access { thread, cell, read: None, write: Some((place, value)), order, is_plain };
                    next.extend(self.after(&after, access).map(with));
                }
            }
            Instruction::Load { loc, reg, order, .. } => {
                self.reads(&after, thread, loc, reg, next, |_| (None, *order));
            }
            Instruction::Swap { loc, val, reg, order, .. } => {
                self.reads(&after, thread, loc, reg, next, |_| (Some(*val), *order));
            }
            Instruction::Fadd { loc, val, reg, order, .. } => {
                self.reads(&after, thread, loc, reg, next, |old| (Some(old + val), *order));
            }
            Instruction::Cas { loc, expect, new, reg, order, failure } => {
                let failure = failure.unwrap_or(order.of_failure());
                self.reads(&after, thread, loc, reg, next, |old| {
                    if old == *expect { (Some(*new), *order) } else { (None, failure) }
                });
            }
            _ => unreachable!("the random tests have no others"),
        }
    }

    /// The memory after an access; none if it is forbidden, or races.
    fn after(&self, state: &State, access: Access) -> Option<Histories> {
        let next = state.memory.access(&self.profile, access)?;
        self.races.set(self.races.get() || next.race.is_some());
        next.race.is_none().then_some(next.state)
    }

    /// Reads that may write what `write` says of the value read.
    fn reads(
        &self,
        after: &State,
        thread: usize,
        loc: &str,
        reg: &str,
        next: &mut Vec<State>,
        write: impl Fn(i32) -> (Option<i32>, OrderName),
    ) {
        let cell = self.cell(loc);
        for position in after.memory.readable(thread, cell) {
            let old = after.memory.cells[cell].messages[position].value;
            let (value, order) = write(old);
            if value.is_some() && !after.memory.is_open(cell, position + 1) {
                continue;
            }
            let write = value.map(|value| (position + 1, value));
            let is_plain = order == OrderName::Na;
            let access = Access { thread, cell, read: Some(position), write, order: order.order(), is_plain };
            if let Some(memory) = self.after(after, access) {
                let mut state = State { memory, ..after.clone() };
                state.registers[thread].insert(reg.into(), old);
                next.push(state);
            }
        }
    }
}

/// What is in one set and not in the other.
fn difference(test: &Test, got: &Option<BTreeSet<Vec<i32>>>, expected: &Option<BTreeSet<Vec<i32>>>) -> String {
    let (Some(got), Some(expected)) = (got, expected) else {
        return format!("{test:#?}\nraces: {}, and the axioms say {}", got.is_none(), expected.is_none());
    };
    let (extra, missing): (Vec<_>, Vec<_>) = (got.difference(expected).collect(), expected.difference(got).collect());
    format!("{test:#?}\nextra {extra:?} missing {missing:?}")
}

/// Compares `n` tests; those that the axioms say race, with nothing but that. How many race.
fn agree(n: u64, test: impl Fn(u64) -> Test) -> u64 {
    let (mut wrong, mut n_races) = (Vec::new(), 0);
    for test in (0..n).map(test) {
        let races = candidates::any(&test, &|c| rc11::allows(c) && rc11::races(c));
        n_races += u64::from(races);
        let expected = (!races).then(|| candidates::finals(&test, &rc11::allows));
        let got = finals(&test);
        if expected != got {
            wrong.push((test.threads.iter().map(Vec::len).sum::<usize>(), difference(&test, &got, &expected)));
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {n} differ, the shortest: {}", wrong.len(), wrong[0].1);
    n_races
}

fn number(otherwise: u64) -> u64 {
    std::env::var("RC11").ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn histories_agree_with_the_axioms_of_rc11() {
    assert_eq!(agree(number(100), atomics::test), 0, "nothing is plain");
}

#[test]
fn races_are_those_of_the_axioms() {
    let n = number(30);
    let n_races = agree(n, atomics::with_plain_accesses) + agree(n, atomics::message);
    assert!((n / 4..2 * n - n / 4).contains(&n_races), "{n_races} of {} race", 2 * n);
}
