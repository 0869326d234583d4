//! The operations that matter: those that what the property saw is made of, and those that decided or displaced it.

use crate::history::{History, Operations};
use automata::{Automata, PropertyKind, StateExpr, StateLeaf};
use base::table::Id;
use machine::{Mode, PlainState};
use workbench::Trace;

/// The operations that matter, beginning with `seeds` and with what the property saw.
pub(crate) fn slice(automata: &Automata, trace: &Trace, history: &History, seeds: Operations) -> Operations {
    let mut open: Vec<usize> = seeds.into_iter().chain(seen(automata, trace, history)).collect();
    let mut met = vec![false; history.decisions.len()];
    if let Some(failure) = &history.failure {
        decided_by(history, &failure.decisions, &mut met, &mut open);
    }
    let mut slice = Operations::new();
    while let Some(id) = open.pop() {
        if !slice.insert(id) {
            continue;
        }
        let operation = &history.operations[id];
        open.extend(operation.inputs.iter().copied().chain(operation.reads_from));
        decided_by(history, &operation.decisions, &mut met, &mut open);
        // What another thread wrote and this one wrote over is what may be missed.
        open.extend(operation.overwrote.filter(|lost| history.operations[*lost].thread != operation.thread));
    }
    slice
}

/// Adds to `open` the operations that decisions, and those behind them, are made of; each decision is met once.
fn decided_by(history: &History, decisions: &[usize], met: &mut [bool], open: &mut Vec<usize>) {
    let mut ahead = decisions.to_vec();
    while let Some(id) = ahead.pop() {
        if !std::mem::replace(&mut met[id], true) {
            let decision = &history.decisions[id];
            open.extend(&decision.inputs);
            ahead.extend(&decision.decisions);
        }
    }
}

/// The operations whose results the property saw.
pub(crate) fn seen(automata: &Automata, trace: &Trace, history: &History) -> Operations {
    let last = trace.states.last().expect("there is an initial state");
    let kind = &automata.properties[trace.property].kind;
    match (&history.failure, kind, kind.state_property()) {
        (Some(failure), ..) if failure.inputs.is_empty() => {
            failure.decisions.iter().flat_map(|id| &history.decisions[*id].inputs).copied().collect()
        }
        (Some(failure), ..) => failure.inputs.clone(),
        (None, _, Some(judged)) => named(automata, judged.condition, history),
        (None, PropertyKind::Ltl(ltl), _) => {
            let start = trace.loop_start.unwrap_or(0);
            let in_loop = |id: &usize| history.operations[*id].step() > Some(start);
            let repeated = (0..history.operations.len()).filter(in_loop);
            repeated.chain(ltl.atoms.iter().flat_map(|atom| named(automata, atom, history))).collect()
        }
        _ => last_of_unfinished(last, history),
    }
}

/// The operations that the cells and registers of a condition were written by.
fn named(automata: &Automata, condition: &StateExpr, history: &History) -> Operations {
    let mut operations = Operations::new();
    automata.leaves(condition, &mut |leaf| match leaf {
        StateLeaf::Register(thread, register) => {
            operations.extend(&history.registers[thread.index()][register.index()]);
        }
        StateLeaf::Pending { thread, .. } | StateLeaf::Oldest { thread, .. } => {
            let cells = automata.cells_of(leaf);
            operations.extend(cells.iter().filter_map(|cell| history.last_write.get(cell)));
            let is_pending = |id: &usize| history.operations[*id].performed.is_none();
            let own = (0..history.operations.len()).filter(|id| history.operations[*id].thread == *thread);
            operations.extend(own.filter(is_pending));
        }
        StateLeaf::Ended(thread) | StateLeaf::At(thread, _) | StateLeaf::Performed(thread) => {
            operations.extend((0..history.operations.len()).rev().find(|id| history.operations[*id].thread == *thread));
        }
        StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => {
            operations.extend(automata.cells_of(leaf).iter().filter_map(|cell| history.last_write.get(cell)));
        }
    });
    operations
}

/// The last operation of each thread that has not ended.
fn last_of_unfinished(state: &PlainState, history: &History) -> Operations {
    let unfinished = (0..state.locals.len()).filter(|thread| state.locals[*thread].mode != Mode::Halted);
    let is_of = |id: &usize, thread: usize| history.operations[*id].thread.index() == thread;
    unfinished.filter_map(|thread| (0..history.operations.len()).rev().find(|id| is_of(id, thread))).collect()
}
