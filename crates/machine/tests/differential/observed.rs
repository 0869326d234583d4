//! Pending stores and graphs as properties see them: the compiled form against the interpreter, and reductions on and off.

use super::temporal::{Plain, for_each_state, formula, holds, pass_over_ending, with_twin};
use super::{N_CELLS, Random, memories, options, system};
use ::liveness::{EndingVerdict, FairSystem};
use automata::*;
use ltl::Formula;
use machine::{Interpreter, PlainState, Reductions};

fn equal(a: StateExpr, b: StateExpr) -> StateExpr {
    Expr::binary(BinaryOp::Equal, a, b)
}

fn cell(index: u32) -> StateExpr {
    Expr::Leaf(StateLeaf::Cell(CellId(index)))
}

/// Three objects with one reference each, the cells; a path may step to the last only while the first cell is 0.
fn graph() -> Graph {
    let node = |i: u32| GraphNode {
        name: format!("n{i}"),
        fields: vec![CellId(i)],
        condition: (i == 2).then(|| equal(cell(0), Expr::Const(0))),
    };
    Graph { nodes: (0..N_CELLS).map(node).collect() }
}

/// A random system with one atom for stores that are pending, one for the oldest, and one for what is reached.
fn observed(random: &mut Random) -> Automata {
    let mut automata = system(random, false);
    let graph = automata.graphs.push(graph());
    let thread = ThreadId(random.pick(2) as u32);
    let fixed = StatePlace { base: CellId(1), stride: 1, count: 1, index: Box::new(Expr::Const(0)) };
    let computed = StatePlace { base: CellId(0), stride: 1, count: 2, index: Box::new(cell(2)) };
    let pending =
        |place: &StatePlace, value| Expr::Leaf(StateLeaf::Pending { thread, place: place.clone(), value, nth: None });
    let reached = |from| Expr::Leaf(StateLeaf::Reached { graph, from: Box::new(from) });
    let oldest = Expr::Leaf(StateLeaf::Oldest { thread, place: computed.clone() });
    let atoms = vec![
        equal(pending(&fixed, None), Expr::Const(1)),
        equal(oldest, Expr::Const(1)),
        equal(reached(Expr::Const(1 << 2)), Expr::Const(0b101)),
        pending(&computed, Some(Box::new(Expr::Const(1)))),
        pending(&fixed, None),
        equal(reached(Expr::binary(BinaryOp::ShiftLeft, Expr::Const(1), cell(1))), Expr::Const(0b011)),
    ];
    let kind = PropertyKind::Ltl(Ltl { formula: Formula::True, atoms, fairness: Fairness::None });
    automata.properties.push(automata::Property { name: "p".into(), kind, span: base::Span::none() });
    assert_eq!(validate(&automata), Ok(()));
    automata
}

fn temporal(automata: &Automata) -> &Ltl {
    let kinds = automata.properties.values().map(|property| &property.kind);
    kinds.filter_map(|kind| if let PropertyKind::Ltl(ltl) = kind { Some(ltl) } else { None }).next().unwrap()
}

/// How many stores to a cell are pending, from what people are shown of the queue.
fn shown(interpreter: &Interpreter<'_>, state: &PlainState, thread: ThreadId, cell: CellId) -> usize {
    let is_store = |point| {
        let action = &interpreter.automata().threads[thread].automaton.points[point].action;
        matches!(action, Action::Access(access) if matches!(access.op, Op::Store(_)))
    };
    let pending = interpreter.pending(state, thread);
    pending.iter().filter(|p| p.cell == Some(cell) && p.value.is_some() && is_store(p.point)).count()
}

#[test]
fn the_compiled_form_sees_the_stores_and_paths_that_the_interpreter_sees() {
    let mut random = Random(0x5EED_0007);
    let (mut n_states, mut n_true) = (0, [0; 6]);
    for _ in 0..60 {
        let automata = observed(&mut random);
        let ltl = temporal(&automata);
        let StateLeaf::Pending { thread, .. } = leaf(&ltl.atoms[4]) else { unreachable!("it is") };
        for memory in memories() {
            for_each_state(&automata, &memory, &mut |tables, runs, plain, number| {
                let (state, interpreter) = (&plain.states[number], tables.interpreter());
                assert_eq!(runs.atoms(&tables.pack(state)), plain.atoms[number], "{} {state:?}", memory.name);
                let count = interpreter.value(state, &ltl.atoms[4]);
                assert_eq!(count, Some(shown(interpreter, state, *thread, CellId(1)) as Wide), "{state:?}");
                n_states += 1;
                (0..6).for_each(|atom| n_true[atom] += plain.atoms[number] >> atom & 1);
            });
        }
    }
    assert!(n_states > 5_000 && n_true.iter().all(|n| *n > 100), "{n_states} states, {n_true:?}");
}

fn leaf(condition: &StateExpr) -> &StateLeaf {
    match condition {
        Expr::Leaf(leaf) => leaf,
        _ => unreachable!("a leaf"),
    }
}

/// Stores that a property speaks of are not put off, and threads whose stores it names are not identified.
#[test]
fn no_reduction_changes_what_is_said_of_pending_stores() {
    let mut random = Random(0x5EED_0008);
    let (mut n_held, mut n_violated) = (0, 0);
    let all = Reductions::ALL;
    let none = Reductions { eager_closure: true, ..Reductions::NONE };
    let switched = [all, Reductions { partial_order: false, ..all }, Reductions { symmetry: false, ..all }, none];
    for round in 0..40 {
        let automata = with_twin(observed(&mut random), &mut random);
        let declared = temporal(&automata);
        for memory in memories() {
            let plain_options = options(none);
            let interpreter = Interpreter::new(&automata, &memory, &plain_options);
            let Some(plain) = Plain::new(&interpreter, declared, 3_000) else { continue };
            if plain.speculates || plain.discarded.contains(&true) {
                continue;
            }
            let formula = formula(&mut random, 3);
            let expected = holds(&plain, &formula, 0);
            let ltl = Ltl { formula, atoms: declared.atoms[..N_CELLS as usize].to_vec(), fairness: Fairness::None };
            for reductions in switched {
                let found = pass_over_ending(&automata, &memory, reductions, &ltl, round % 2 == 0);
                let reported = match found.verdict {
                    EndingVerdict::Holds => true,
                    EndingVerdict::Suspicion => false,
                    _ => continue,
                };
                let text = || automata::text::write(&automata);
                assert_eq!(reported, expected, "{} {reductions:?} {ltl:?}\n{}", memory.name, text());
                n_held += usize::from(reported);
                n_violated += usize::from(!reported);
            }
        }
    }
    assert!(n_held > 50 && n_violated > 50, "{n_held} {n_violated}");
}
