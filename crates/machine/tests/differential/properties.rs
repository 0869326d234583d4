//! Invariants and cover properties, judged fast and plainly.

use super::{N_CELLS, N_REGISTERS, Random, SWITCHED, memories, options, system};
use automata::*;
use base::Span;
use base::table::Id;
use explore::{Control, SearchOptions, reference, search};
use machine::{Compiled, Interpreter, PlainState, Reductions};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use system::{Reached, Successors, TransitionSystem, Verdict};

/// A random value in a state: a cell, perhaps a computed one, a part of a thread's state, or a constant.
fn value(random: &mut Random, automata: &Automata) -> StateExpr {
    let thread = ThreadId(random.pick(2) as u32);
    let register = RegId(random.pick(u64::from(N_REGISTERS)) as u32);
    match random.pick(11) {
        8 => {
            let value = (random.pick(2) == 0).then(|| Box::new(value(random, automata)));
            Expr::Leaf(StateLeaf::Pending { thread, place: place(random, automata), value })
        }
        9 => Expr::Leaf(StateLeaf::Oldest { thread, place: place(random, automata) }),
        10 => {
            let from = Box::new(value(random, automata));
            Expr::Leaf(StateLeaf::Reached { graph: GraphId(random.pick(2) as u32), from })
        }
        0 | 1 => Expr::Leaf(StateLeaf::Cell(CellId(random.pick(u64::from(N_CELLS) + 1) as u32))),
        2 => {
            let index = Box::new(value(random, automata));
            Expr::Leaf(StateLeaf::CellAt { base: CellId(0), stride: 1 + random.pick(2) as u32, count: 2, index })
        }
        3 | 4 => Expr::Leaf(StateLeaf::Register(thread, register)),
        5 => Expr::Leaf(StateLeaf::Ended(thread)),
        6 => Expr::Leaf(StateLeaf::Performed(thread)),
        _ => Expr::constant(random.pick(3) as Value),
    }
}

/// A random place in memory, named or computed.
fn place(random: &mut Random, automata: &Automata) -> StatePlace {
    let index = if random.pick(2) == 0 { Expr::constant(random.pick(2) as Value) } else { value(random, automata) };
    StatePlace { base: CellId(random.pick(2) as u32), stride: 1, count: 2, index: Box::new(index) }
}

/// A random system with two graphs of three objects: the cells are their references. In the second one, stepping to an object asks for
/// a thread's register.
fn with_graphs(random: &mut Random) -> Automata {
    let mut automata = system(random, false);
    let leaves = [StateLeaf::Cell(CellId(0)), StateLeaf::Register(ThreadId(0), RegId(1))];
    for leaf in leaves {
        let node = |i: u32| GraphNode {
            name: format!("n{i}"),
            fields: vec![CellId(i)],
            condition: (i == 1).then(|| Expr::binary(BinaryOp::Equal, Expr::Leaf(leaf.clone()), Expr::Const(0))),
        };
        automata.graphs.push(Graph { nodes: (0..N_CELLS).map(node).collect() });
    }
    automata
}

/// A random location of one of the threads.
fn location(random: &mut Random, automata: &Automata) -> StateExpr {
    let thread = ThreadId(random.pick(2) as u32);
    location_of(random, automata, thread)
}

fn location_of(random: &mut Random, automata: &Automata, thread: ThreadId) -> StateExpr {
    let n_points = automata.threads[thread].automaton.points.len() as u64;
    let points = (0..1 + random.pick(3)).map(|_| PointId(random.pick(n_points) as u32)).collect();
    Expr::Leaf(StateLeaf::At(thread, points))
}

/// A random condition.
pub(super) fn condition(random: &mut Random, automata: &Automata, depth: u64) -> StateExpr {
    let op = match random.pick(4) {
        0 if depth > 0 => BinaryOp::And,
        1 if depth > 0 => BinaryOp::Or,
        2 if depth > 0 => {
            let then = condition(random, automata, depth - 1);
            return Expr::binary(BinaryOp::Implies, location(random, automata), then);
        }
        _ => {
            let op = [BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::LessEqual][random.pick(3) as usize];
            let atom = match random.pick(4) {
                0 => location(random, automata),
                _ => Expr::binary(op, value(random, automata), value(random, automata)),
            };
            return if random.pick(3) == 0 { Expr::unary(UnaryOp::Not, atom) } else { atom };
        }
    };
    Expr::binary(op, condition(random, automata, depth - 1), condition(random, automata, depth - 1))
}

/// A random system with invariants and cover properties.
fn with_properties(random: &mut Random) -> Automata {
    let mut automata = with_graphs(random);
    for n in 0..6 {
        let condition = condition(random, &automata, 4);
        let kind = if n == 5 { PropertyKind::Forbid(condition) } else { PropertyKind::Invariant(condition) };
        automata.properties.push(Property { name: format!("stated{n}"), kind, span: Span::none() });
        let condition = Some(self::condition(random, &automata, 3));
        automata.covers.push(Cover { name: format!("cover{n}"), condition, span: Span::none() });
    }
    automata
}

/// All states of a compiled system, whatever they violate.
fn states(compiled: &Compiled<'_>, max: usize) -> Option<HashSet<Vec<u32>>> {
    let mut successors = Successors::new(compiled.state_len());
    let mut scratch = compiled.scratch();
    compiled.initial(&mut successors);
    let mut stack: Vec<Vec<u32>> = successors.iter().map(|(state, _)| state.to_vec()).collect();
    let mut seen: HashSet<Vec<u32>> = stack.iter().cloned().collect();
    while let Some(state) = stack.pop() {
        successors.clear();
        compiled.successors(&state, &mut scratch, &mut successors);
        let new = successors.iter().map(|(state, _)| state.to_vec()).filter(|state| seen.insert(state.clone()));
        stack.extend(new);
        if seen.len() > max {
            return None;
        }
    }
    Some(seen)
}

#[test]
fn the_fast_judge_and_the_interpreter_agree_on_every_state() {
    let mut random = Random(0x5EED_0021);
    let (mut compared, mut n_violated, mut n_covered) = (0, 0, 0);
    for _ in 0..80 {
        let automata = with_properties(&mut random);
        for memory in memories() {
            let options = options(Reductions { symmetry: false, ..Reductions::ALL });
            let compiled = Compiled::new(&automata, &memory, &options);
            let mut scratch = compiled.scratch();
            for words in states(&compiled, 3_000).into_iter().flatten() {
                let state = compiled.unpack(&words);
                let interpreter = compiled.interpreter();
                let (mut fast, mut reached) = (Vec::new(), Reached::default());
                compiled.inspect_all(&words, &mut scratch, &mut reached, &mut fast);
                let fast: HashSet<PropertyId> = fast.into_iter().map(PropertyId).collect();
                let plain = automata.properties.ids().filter(|id| interpreter.violates(&state, *id));
                assert_eq!(fast, plain.collect(), "{} {state:?} {automata:#?}", memory.name);
                assert_eq!(
                    fast.iter().min().copied(),
                    compiled.inspect(&words, &mut scratch, &mut Reached::default()).map(PropertyId)
                );
                // Where a thread has failed, nothing else is judged; a state that is refuted does not exist.
                let is_judged =
                    !compiled.has_failed(&words) && !state.locals.iter().any(machine::Local::has_assumption);
                for (id, cover) in automata.covers.iter().filter(|_| is_judged) {
                    let condition = cover.condition.as_ref().expect("stated above");
                    let is_reached = interpreter.places(&state, condition, true).is_some();
                    assert_eq!(reached.has_cover(id.index()), is_reached, "{} {state:?}", memory.name);
                    n_covered += usize::from(is_reached);
                }
                n_violated += fast.len();
                compared += 1;
            }
        }
    }
    assert!(compared > 25_000, "{compared} states");
    assert!(n_violated > compared / 2 && n_covered > compared / 2, "{n_violated} violated, {n_covered} reached");
}

#[test]
fn no_reduction_changes_what_is_violated() {
    let mut random = Random(0x5EED_0022);
    let (mut n_violated, mut n_held) = (0, 0);
    for _ in 0..120 {
        let mut automata = with_graphs(&mut random);
        let condition = condition(&mut random, &automata, 4);
        let kind = PropertyKind::Invariant(condition);
        automata.properties.push(Property { name: "stated".into(), kind, span: Span::none() });
        for memory in memories() {
            let found = SWITCHED.map(|reductions| {
                let options = options(reductions);
                let compiled = Compiled::new(&automata, &memory, &options);
                reference(&compiled).violation.is_some()
            });
            assert!(found.iter().all(|violated| *violated == found[0]), "{} {found:?} {automata:#?}", memory.name);
            if found[0] { n_violated += 1 } else { n_held += 1 }
        }
    }
    assert!(n_violated > 150 && n_held > 30, "{n_violated} violated, {n_held} held");
}

/// A random condition that says where every thread is whose registers and operations it speaks of.
fn located(random: &mut Random, automata: &Automata) -> StateExpr {
    let both = [0, 1].map(|thread| location_of(random, automata, ThreadId(thread)));
    let cells = |random: &mut Random| {
        let cell = Expr::Leaf(StateLeaf::Cell(CellId(random.pick(u64::from(N_CELLS)) as u32)));
        Expr::binary(BinaryOp::Equal, cell, Expr::constant(random.pick(2) as Value))
    };
    let [first, second] = both;
    match random.pick(4) {
        0 => Expr::binary(BinaryOp::Or, first, cells(random)),
        1 => Expr::binary(BinaryOp::Implies, Expr::binary(BinaryOp::Equal, first, second), cells(random)),
        _ => {
            let there = Expr::binary(BinaryOp::And, first, second);
            Expr::binary(BinaryOp::Implies, there, condition(random, automata, 2))
        }
    }
}

/// Whether it asks nothing unless both threads are where it says.
fn guarded(condition: &StateExpr) -> bool {
    let is_both = |guard: &StateExpr| matches!(guard, Expr::Binary(BinaryOp::And, ..));
    matches!(condition, Expr::Binary(BinaryOp::Implies, guard, _) if is_both(guard))
}

/// What is violated by the rules alone: every local step is a step.
fn violated_plainly(interpreter: &Interpreter<'_>, max: usize) -> Option<HashSet<PropertyId>> {
    let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
    let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
    let mut violated = HashSet::new();
    while let Some(state) = stack.pop() {
        violated.extend(interpreter.automata().properties.ids().filter(|id| interpreter.violates(&state, *id)));
        let next = interpreter.successors(&state).steps.into_iter().map(|(_, next)| next);
        stack.extend(next.filter(|next| seen.insert(next.clone())));
        if seen.len() > max {
            return None;
        }
    }
    Some(violated)
}

#[test]
fn what_is_asked_of_a_location_is_asked_though_the_closure_passes_it() {
    let mut random = Random(0x5EED_0023);
    let (mut compared, mut n_violated, mut n_passed) = (0, 0, 0);
    for n in 0..super::rounds(55) {
        let mut automata = with_graphs(&mut random);
        for n in 0..4 {
            let kind = PropertyKind::Invariant(located(&mut random, &automata));
            automata.properties.push(Property { name: format!("stated{n}"), kind, span: Span::none() });
        }
        let walls = n % 2 == 0;
        for memory in memories() {
            let none = options(Reductions { walls, ..Reductions::NONE });
            let Some(expected) = violated_plainly(&Interpreter::new(&automata, &memory, &none), 6_000) else {
                continue;
            };
            let reduced = options(Reductions { walls, ..Reductions::ALL });
            let compiled = Compiled::new(&automata, &memory, &reduced);
            let mut found = Vec::new();
            let mut seen_where_it_is = HashSet::new();
            let mut scratch = compiled.scratch();
            for words in states(&compiled, 6_000).into_iter().flatten() {
                compiled.inspect_all(&words, &mut scratch, &mut Reached::default(), &mut found);
                let state = compiled.unpack(&words);
                seen_where_it_is.extend(automata.properties.iter().filter_map(|(id, property)| match &property.kind {
                    PropertyKind::Invariant(c) => {
                        (compiled.interpreter().judge(&state, c) == Some(false)).then_some(id)
                    }
                    _ => None,
                }));
            }
            let found: HashSet<PropertyId> = found.into_iter().map(PropertyId).collect();
            // A point that no property names is seen only where a thread waits.
            let is_guarded =
                |id: &&PropertyId| matches!(&automata.properties[**id].kind, PropertyKind::Invariant(c) if guarded(c));
            let place = || format!("{}, walls {walls}\n{}", memory.name, text::write(&automata));
            assert!(found.is_subset(&expected), "{found:?} but not {expected:?}: {}", place());
            let missed: Vec<_> = expected.difference(&found).filter(is_guarded).collect();
            assert!(missed.is_empty(), "{missed:?}: {}", place());
            n_violated += found.len();
            n_passed += found.difference(&seen_where_it_is).count();
            compared += 1;
        }
    }
    assert!(compared > 300 && n_violated > 300, "{compared} compared, {n_violated} violated");
    assert!(n_passed > 50, "{n_passed} violated only at locations passed");
}

/// Two threads: `a` chooses a value for its register, tells it, and continues; `b` stores.
fn choosing(invariant: impl Fn(ThreadId, RegId, PointId) -> StateExpr) -> Automata {
    let mut automata = system(&mut Random(1), false);
    let store = |value: Expr| Action::Access(Access::new(Op::Store(value), Address::cell(CellId(0))));
    let actions = [
        Action::Choose(vec![PointId(1), PointId(2)]),
        Action::Compute { dst: RegId(0), value: Expr::Const(1) },
        Action::Safepoint,
        store(Expr::Leaf(RegId(0))),
        Action::Safepoint,
        Action::Safepoint,
        Action::Halt,
    ];
    for thread in automata.threads.values_mut() {
        let point = |(n, action): (usize, &Action)| Point {
            action: action.clone(),
            next: PointId::new(n + 1),
            span: Span::none(),
            labels: vec![],
            procs: vec![],
        };
        thread.automaton.points = actions.iter().enumerate().map(point).collect();
        thread.automaton.observed = Vec::new();
    }
    let kind = PropertyKind::Invariant(invariant(ThreadId(0), RegId(0), PointId(2)));
    automata.properties.push(Property { name: "stated".into(), kind, span: Span::none() });
    automata
}

#[test]
fn a_register_matters_only_where_a_property_looks_at_it() {
    let sane = |thread, register| {
        let register = Expr::Leaf(StateLeaf::Register(thread, register));
        Expr::binary(BinaryOp::LessEqual, register, Expr::Const(1))
    };
    let everywhere = choosing(|thread, register, _| sane(thread, register));
    let there = choosing(|thread, register, point| {
        let is_there = Expr::Leaf(StateLeaf::At(thread, vec![point]));
        Expr::binary(BinaryOp::Implies, is_there, sane(thread, register))
    });
    let sc = memory::builtin::find("sc").expect("built in");
    let options = options(Reductions { symmetry: false, ..Reductions::ALL });
    let n_states = |automata: &Automata| {
        let compiled = Compiled::new(automata, &sc, &options);
        let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
        let outcome = search(&compiled, &SearchOptions::default(), &control);
        assert_eq!(outcome.verdict, Verdict::Holds);
        outcome.statistics.states
    };
    assert!(n_states(&there) < n_states(&everywhere), "{} and {}", n_states(&there), n_states(&everywhere));
}
