//! Threads one by one, on random programs with random guarantees: what is proved so is never violated by `check`, and steps are as
//! their guarantees say.

use crate::differential::generator::{N_CELLS, Random, candidates, fact, system};
use crate::differential::{located, memories, options, prove_all, reached};
use automata::*;
use explore::{Control, SearchOptions, search};
use machine::{Code, Compiled, Interpreter, Reductions};
use memory::MemoryModel;
use prove::{Circuits, Confirmation, Memory, ObligationResult, Problem, Question, RowKind, Snapshot};
use std::sync::atomic::AtomicBool;
use system::Verdict;

/// Assertions at locations: `at(t, ..) implies` something of what is shared.
fn assertions(random: &mut Random, automata: &mut Automata, n: usize) {
    for i in 0..n {
        let thread = ThreadId(random.pick(2) as u32);
        let n_points = automata.threads[thread].automaton.points.len() as u64;
        let first = random.pick(n_points) as u32;
        let points = (first..(first + 2).min(n_points as u32)).map(PointId).collect();
        let at = Expr::Leaf(StateLeaf::At(thread, points));
        let cell = Expr::Leaf(StateLeaf::Cell(CellId(random.pick(u64::from(N_CELLS) + 1) as u32)));
        let op = [BinaryOp::Equal, BinaryOp::GreaterEqual, BinaryOp::LessEqual][random.pick(3) as usize];
        let stated = Expr::binary(op, cell, Expr::constant(random.pick(3) as Value - 1));
        let kind = PropertyKind::Invariant(Expr::binary(BinaryOp::Implies, at, stated));
        automata.properties.push(Property { name: format!("a{i}"), kind, span: base::Span::none() });
    }
}

/// Random guarantees of both threads: most are not respected.
fn guarantees(random: &mut Random, automata: &mut Automata) {
    for thread in automata.threads.ids().collect::<Vec<_>>() {
        for half in 0..1 + random.pick(2) {
            let points = automata.threads[thread].automaton.points.ids();
            let points =
                points.filter(|point| u64::from(point.0) % 2 == half || half == 0).map(|point| (thread, point));
            let (name, points) = (format!("g{}_{half}", thread.0), points.collect());
            let relations = vec![relation(random, automata, thread)];
            automata.guarantees.push(Guarantee { name, level: 1, span: base::Span::none(), points, relations });
        }
    }
}

fn relation(random: &mut Random, automata: &Automata, thread: ThreadId) -> Relation {
    let requires = if random.pick(4) == 0 { fact(random, automata) } else { Expr::Const(1) };
    let place = |cell| StatePlace { base: CellId(cell), stride: 1, count: 1, index: Box::new(Expr::Const(0)) };
    let modifies = (random.pick(4) > 0).then(|| (0..=N_CELLS).filter(|_| random.pick(2) == 0).map(place).collect());
    let effect = Effect { modifies, ensures: ensured(random, automata) };
    Relation { thread, requires, effect: (random.pick(6) > 0).then_some(effect) }
}

/// Something that is true of many steps.
fn ensured(random: &mut Random, automata: &Automata) -> StateExpr {
    let cell = Expr::Leaf(StateLeaf::Cell(CellId(random.pick(u64::from(N_CELLS) + 1) as u32)));
    let old = |of: StateExpr| Expr::Leaf(StateLeaf::Old(Box::new(of)));
    let same = Expr::binary(BinaryOp::Equal, cell.clone(), old(cell.clone()));
    match random.pick(4) {
        0 => Expr::Const(1),
        1 => Expr::binary(BinaryOp::GreaterEqual, cell.clone(), old(cell)),
        2 => {
            let is_set = Expr::binary(BinaryOp::Equal, cell, Expr::constant(random.pick(3) as Value - 1));
            Expr::binary(BinaryOp::Or, same, is_set)
        }
        _ => {
            let fact = fact(random, automata);
            Expr::binary(BinaryOp::Implies, old(fact.clone()), fact)
        }
    }
}

/// Leaves out invariants and relations that are not proved, until all are. Gives the number of interferences that were looked at.
fn provable(automata: &mut Automata, memory: Memory) -> usize {
    loop {
        let (mut bad, mut broken, mut n_stable) = (Vec::new(), Vec::new(), 0);
        {
            let problem = Problem::modular(automata, memory, None, &[]).expect("supported");
            let proof = prove_all(&problem);
            bad.extend(proof.false_at_the_start.iter().map(|row| problem.rows[*row].property));
            for (step, obligation) in proof.obligations() {
                let is_seen = matches!(obligation.outcome, ObligationResult::Discharged(_));
                n_stable += usize::from(obligation.question == Question::Stable && is_seen);
                let ObligationResult::Counterexample(found) = &obligation.outcome else { continue };
                let text = || automata::text::write(automata);
                assert_eq!(found.confirmation, Confirmation::Confirmed, "{found:?}\n{}", text());
                match problem.rows[obligation.row].kind {
                    RowKind::Guarantee => broken.push(problem.steps[step].thread),
                    _ => bad.push(problem.rows[obligation.row].property),
                }
            }
        }
        let is_stated = |id: &PropertyId| matches!(automata.properties[*id].kind, PropertyKind::Invariant(_));
        bad.retain(is_stated);
        if bad.is_empty() && broken.is_empty() {
            return n_stable;
        }
        // A guarantee that is not kept says nothing about invariants, so those stay until the guarantees are.
        match broken.first() {
            Some(thread) => {
                let says_it = |guarantee: &Guarantee| guarantee.relations.iter().any(|of| of.thread == *thread);
                automata.guarantees.retain(|guarantee| !says_it(guarantee));
            }
            None => bad.into_iter().for_each(|id| automata.properties[id].kind = PropertyKind::Assert),
        }
    }
}

/// Every step from a state that is reached is as it was promised.
fn keeps_promises(automata: &Automata, model: &MemoryModel, memory: Memory) -> usize {
    let options = options(Reductions::NONE);
    let interpreter = Interpreter::new(automata, model, &options);
    let Some(states) = reached(&interpreter, 600) else { return 0 };
    let codes = Code::of_threads(automata);
    let problem = Problem::modular(automata, memory, None, &[]).expect("supported");
    let circuits = Circuits::new(&problem).expect("supported");
    let mut n_steps = 0;
    for before in states.iter().filter_map(|state| Snapshot::of(&codes, state)) {
        for (step, after) in circuits.successors(&before) {
            let Ok(after) = after else { continue };
            assert!(problem.is_as_promised(step, &before, &after), "{before:?}\n{}", automata::text::write(automata));
            n_steps += 1;
        }
    }
    n_steps
}

#[test]
fn what_is_proved_thread_by_thread_is_never_violated_by_check() {
    let mut random = Random(0x9E37_79B9_0000_0011);
    let (mut n_proved, mut n_relations, mut n_stable, mut n_steps) = (0, 0, 0, 0);
    let n_turns = if std::env::var_os("LACUNA_FULL").is_some() { 1_400 } else { 60 };
    for turn in 0..n_turns {
        let mut automata = if turn % 2 == 0 { system(&mut random) } else { located(&mut random) };
        candidates(&mut random, &mut automata, 8);
        assertions(&mut random, &mut automata, 12);
        guarantees(&mut random, &mut automata);
        for (model, memory) in memories() {
            let mut automata = automata.clone();
            let seen = provable(&mut automata, memory);
            if !Problem::modular(&automata, memory, None, &[]).expect("supported").liberties.is_empty() {
                continue;
            }
            let options = options(Reductions::ALL);
            let compiled = Compiled::new(&automata, &model, &options);
            let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
            let outcome = search(&compiled, &SearchOptions::default(), &control);
            if let Verdict::Violated { property, .. } = outcome.verdict {
                let kind = &automata.properties[PropertyId(property)].kind;
                let text = || automata::text::write(&automata);
                assert!(!matches!(kind, PropertyKind::Invariant(_)), "{} {kind:?}\n{}", model.name, text());
                continue;
            }
            n_steps += if turn % 4 < 2 { keeps_promises(&automata, &model, memory) } else { 0 };
            n_proved += automata.properties.values().filter(|p| matches!(p.kind, PropertyKind::Invariant(_))).count();
            n_relations += automata.guarantees.len();
            n_stable += seen;
        }
    }
    println!("{n_proved} proved, {n_relations} guarantees, {n_stable} stable, {n_steps} steps");
    assert!(n_proved > 30 && n_relations > 20, "{n_proved} proved, {n_relations} guarantees");
    assert!(n_stable > 20 && n_steps > 200, "{n_stable} stable, {n_steps} steps");
}
