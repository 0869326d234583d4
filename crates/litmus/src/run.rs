//! All final states of a litmus test under a memory model.

use crate::build::{Built, Variable, build};
use crate::format::{Instruction, Test};
use automata::{PropertyId, Value};
use base::table::Id;
use explore::{Control, SearchOptions, search};
use machine::{Compiled, Options, Reductions};
use memory::{MemoryModel, StoreConditional};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use system::{Budget, Verdict};

/// What a memory model allows for a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finals {
    /// Whether some run ends as the test asks.
    pub allowed: bool,
    /// The final values of the observed variables, sorted, each once.
    pub finals: Vec<Vec<Value>>,
    /// Distinct states.
    pub states: u64,
    /// Whether accesses race that the memory model says must not: then nothing is defined, everything is allowed, and no final values are listed.
    pub race: bool,
}

/// Runs `test` under `memory`. An error says what is wrong with the test, or why its final states are not known.
pub fn run(test: &Test, memory: &MemoryModel) -> Result<Finals, String> {
    run_within(test, memory, &Budget::default())
}

/// As `run`, with no more than `budget`.
pub fn run_within(test: &Test, memory: &MemoryModel, budget: &Budget) -> Result<Finals, String> {
    let mut asked = test.clone();
    let observed = if test.observed.is_empty() { test.init.len() } else { test.observed.len() };
    if asked.observed.is_empty() {
        asked.observed = test.init.keys().cloned().collect();
    }
    asked.observed.extend(test.exists.iter().map(|(name, _)| name.clone()));
    let built = build(&asked)?;
    // The threads' registers are distinguished in the finals, so no two threads are interchangeable.
    let reductions = Reductions { symmetry: false, ..Reductions::ALL };
    let options = Options {
        queue_bound: built.queue_bound,
        reductions,
        check_deadlock: false,
        budget: budget.part(None),
        ..Options::default()
    };
    // The format's `sc` may fail for no reason, whatever the memory model says of its own; a test is short enough for all guesses.
    let speculate = if memory.speculate == 0 { 0 } else { memory.speculate.max(built.n_branches) };
    let mut memory = MemoryModel { store_conditional: StoreConditional::MayFail, speculate, ..memory.clone() };
    // Every instruction runs once, so no history is longer than this.
    let n_points: usize = built.automata.threads.values().map(|thread| thread.automaton.points.len()).sum();
    memory.histories.iter_mut().for_each(|histories| histories.bound = n_points + 1);
    refuse(test, &memory)?;
    let compiled = Compiled::new(&built.automata, &memory, &options);
    let rows: Mutex<BTreeSet<Vec<Value>>> = Mutex::default();
    let ended = |words: &[u32]| {
        let row = row(&built, &compiled, words);
        rows.lock().unwrap_or_else(|e| e.into_inner()).extend(row);
    };
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &ended };
    let outcome = search(&compiled, &SearchOptions::default(), &control);
    // Final states are all there are only if the search went through everything.
    match &outcome.verdict {
        Verdict::Holds => {}
        Verdict::Violated { property, .. } if Some(PropertyId(*property)) == built.automata.data_race() => {
            return Ok(Finals { allowed: true, finals: Vec::new(), states: outcome.statistics.states, race: true });
        }
        Verdict::Violated { property, .. } => {
            let name = &built.automata.properties[PropertyId(*property)].name;
            return Err(format!("under {} a run violates {name}, so not all final states are known", memory.name));
        }
        Verdict::Inconclusive(limit) => return Err(format!("not all states were looked at: {}", limit.name())),
    }
    let rows = rows.into_inner().unwrap_or_else(|e| e.into_inner());
    let asked = |row: &Vec<Value>| test.exists.iter().zip(&row[observed..]).all(|((_, wanted), got)| wanted == got);
    let allowed = rows.iter().any(asked);
    let finals: BTreeSet<Vec<Value>> = rows.iter().map(|row| row[..observed].to_vec()).collect();
    Ok(Finals { allowed, finals: finals.into_iter().collect(), states: outcome.statistics.states, race: false })
}

/// An error if the memory model has no meaning for an instruction of the test.
fn refuse(test: &Test, memory: &MemoryModel) -> Result<(), String> {
    let is_linked = |instruction: &Instruction| matches!(instruction, Instruction::Ll { .. } | Instruction::Sc { .. });
    match memory.histories.is_some() && test.threads.iter().flatten().any(is_linked) {
        true => Err(format!("{} has no `ll` and `sc`: C++ and Rust have none; use `cas`", memory.name)),
        false => Ok(()),
    }
}

/// The observed values of a final state; none for a state that is stuck but not final.
fn row(built: &Built, compiled: &Compiled<'_>, words: &[u32]) -> Option<Vec<Value>> {
    let state = compiled.unpack(words);
    let value = |variable: &Variable| match variable {
        Variable::Cell(cell) => Some(state.cells[cell.index()]),
        Variable::Register(thread, register) => state.locals[thread.index()].register(*register).value(),
        Variable::Unwritten => Some(0),
    };
    if !compiled.interpreter().is_quiescent(&state) {
        return None;
    }
    built.observed.iter().map(value).collect()
}
