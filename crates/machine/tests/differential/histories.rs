//! A memory of histories: the tables give what the plain rules give, and states travel.

use super::bytes::travel;
use super::{Random, finals, is_violated, options, plain, system};
use automata::{Access, Action, Automata, CellId, Op};
use explore::reference;
use machine::{Compiled, Interpreter, PlainState, Reductions, refused};
use memory::{HistoryModel, MemoryModel, Order};
use std::collections::HashSet;

pub(super) fn rc11(bound: usize) -> MemoryModel {
    let rc11 = memory::builtin::find("rc11").expect("built in");
    MemoryModel { histories: rc11.histories.map(|histories| HistoryModel { bound, ..histories }), ..rc11 }
}

/// A system without what `rc11` refuses, in which `acq_rel` is seq_cst.
fn suited(random: &mut Random, with_asserts: bool) -> Automata {
    loop {
        let mut automata = system(random, with_asserts);
        let points = automata.threads.values_mut().flat_map(|thread| thread.automaton.points.values_mut());
        for point in points {
            if let Action::Access(access) = &mut point.action
                && access.order == Order::AcqRel
            {
                (access.order, access.failure_order) = (Order::SeqCst, Order::SeqCst);
            }
        }
        if refused(&automata, &rc11(8)).is_none() {
            return automata;
        }
    }
}

/// The same, some of whose accesses to the first cell are not atomic.
fn with_plain_accesses(random: &mut Random, with_asserts: bool) -> Automata {
    let mut automata = suited(random, with_asserts);
    automata.forbid_races();
    let points = automata.threads.values_mut().flat_map(|thread| thread.automaton.points.values_mut());
    for point in points {
        if let Action::Access(access @ Access { op: Op::Load | Op::Store(_), order: Order::Relaxed, .. }) =
            &mut point.action
        {
            access.is_plain = access.address.base == CellId(0) && random.pick(3) > 0;
        }
    }
    automata
}

#[test]
fn final_states_and_verdicts_are_those_of_the_plain_rules() {
    compare(0x5EED_0AB1, suited);
}

#[test]
fn races_are_those_of_the_plain_rules() {
    compare(0x5EED_0AB4, with_plain_accesses);
}

fn compare(seed: u64, system: fn(&mut Random, bool) -> Automata) {
    let mut random = Random(seed);
    let (mut n_compared, mut n_violated) = (0, 0);
    for _ in 0..150 {
        let automata = system(&mut random, true);
        for memory in [rc11(8), rc11(2)] {
            let none = options(Reductions::NONE);
            let Some((expected, failed)) = plain(&automata, &memory, &none, 4_000) else { continue };
            assert_eq!(is_violated(&automata, &memory, &options(Reductions::ALL)), failed, "{automata:#?}");
            if !failed {
                let reduced = options(Reductions { dead_registers: false, ..Reductions::ALL });
                assert_eq!(finals(&automata, &memory, &reduced), expected, "{automata:#?}");
            }
            n_compared += 1;
            n_violated += usize::from(failed);
        }
    }
    assert!(n_compared > 200 && n_violated > 10, "{n_compared} compared, {n_violated} violated");
}

#[test]
fn the_interpreter_and_the_tables_have_the_same_states() {
    let mut random = Random(0x5EED_0AB2);
    for _ in 0..40 {
        let (automata, memory) = (with_plain_accesses(&mut random, false), rc11(4));
        let options = options(Reductions::ALL);
        let interpreter = Interpreter::new(&automata, &memory, &options);
        let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, s)| s).collect();
        let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
        while let Some(state) = stack.pop() {
            let next = interpreter.successors(&state).steps.into_iter().map(|(_, next)| next);
            stack.extend(next.filter(|next| seen.insert(next.clone())));
        }
        let found = reference(&Compiled::new(&automata, &memory, &options));
        assert!(found.violation.is_some() || found.states == seen.len() as u64, "{automata:#?}");
    }
}

#[test]
fn states_travel() {
    let mut random = Random(0x5EED_0AB3);
    let n_states: usize = (0..30)
        .map(|_| {
            let automata = with_plain_accesses(&mut random, true);
            travel(&automata, &rc11(4), &options(Reductions { symmetry: false, ..Reductions::ALL }), &mut random)
        })
        .sum();
    assert!(n_states > 500, "{n_states}");
}
