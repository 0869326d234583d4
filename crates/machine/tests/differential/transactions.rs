//! Random small programs with transactions: the compiled form against the plain rules, reductions on and off.

use super::*;
use memory::{Isolation, Transactions};

/// A random thread in which transactions stand between other actions.
fn transactional(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let mut points: Table<PointId, Point> = Table::new();
    for _ in 0..2 + random.pick(2) {
        if random.pick(3) > 0 {
            add_transaction(random, &mut points, property);
        } else {
            add(&mut points, plain_action(random, property));
        }
    }
    add(&mut points, Action::Halt);
    let domain = Domain::new(0, 3);
    let registers: Table<RegId, Register> =
        (0..N_REGISTERS).map(|i| Register { name: format!("r{i}"), domain, init: 0, names: Vec::new() }).collect();
    let observed = registers.ids().collect();
    let automaton = Automaton { points, entry: PointId(0), registers, observed, kept: Kept::Nothing };
    Thread::new(name, automaton)
}

pub(super) fn add(points: &mut Table<PointId, Point>, action: Action) {
    let next = PointId(points.len() as u32 + 1);
    points.push(Point { action, next, span: Span::none(), labels: vec![], procs: vec![] });
}

/// An action that needs no targets.
pub(super) fn plain_action(random: &mut Random, property: PropertyId) -> Action {
    loop {
        let action = action(random, property);
        if !matches!(action, Action::Branch { .. }) {
            return action;
        }
    }
}

/// An action that may stand inside a transaction.
fn inner_action(random: &mut Random, property: PropertyId) -> Action {
    loop {
        let action = plain_action(random, property);
        let is_linked = |access: &Access| matches!(access.op, Op::LoadLinked | Op::StoreConditional(_));
        match &action {
            Action::Access(access) if is_linked(access) => {}
            Action::Safepoint => {}
            _ => return action,
        }
    }
}

/// A transaction that may abort itself before it commits; the handler continues behind it, or tries once more.
pub(super) fn add_transaction(random: &mut Random, points: &mut Table<PointId, Point>, property: PropertyId) {
    let begin = points.len() as u32;
    let inner: Vec<Action> = (0..1 + random.pick(3)).map(|_| inner_action(random, property)).collect();
    let (branch, abort) = (begin + 1 + inner.len() as u32, begin + 2 + inner.len() as u32);
    let commit = abort + 1;
    let mut register = || Some(RegId(random.pick(u64::from(N_REGISTERS)) as u32)).filter(|_| random.pick(2) == 0);
    let (cause, code) = (register(), register());
    let capacity = if random.pick(4) == 0 { Some(1) } else { None };
    let handler = if random.pick(4) == 0 { PointId(begin) } else { PointId(commit + 1) };
    add(points, Action::Begin(Begin { handler, cause, code, capacity }));
    inner.into_iter().for_each(|action| add(points, action));
    let condition = Expr::Leaf(RegId(random.pick(u64::from(N_REGISTERS)) as u32));
    let condition = Expr::binary(BinaryOp::BitAnd, condition, Expr::Const(1));
    add(points, Action::Branch { condition, then: PointId(abort), otherwise: PointId(commit) });
    assert_eq!(points.len() as u32, branch + 1);
    add(points, Action::Abort(1 + random.pick(2) as Value));
    add(points, Action::Commit);
}

pub(super) fn transactions(random: &mut Random, with_asserts: bool) -> Automata {
    let mut automata = system(random, with_asserts);
    let property = PropertyId(3);
    let first = transactional(random, "a", property);
    let second = match random.pick(4) {
        0 => Thread::new("b", first.automaton.clone()),
        1 => thread(random, "b", property),
        _ => transactional(random, "b", property),
    };
    automata.threads = [first, second].into_iter().collect();
    if !with_asserts {
        for thread in automata.threads.values_mut() {
            for point in thread.automaton.points.values_mut() {
                if matches!(point.action, Action::Assert { .. }) {
                    point.action = Action::Fence(Fence::Acquire);
                }
            }
        }
    }
    assert_eq!(automata::validate(&automata), Ok(()));
    automata
}

pub(super) fn all_memories() -> Vec<MemoryModel> {
    let best_effort = |memory: MemoryModel| MemoryModel { transactions: Transactions::MayAbort, ..memory };
    let tso = memory::builtin::find("tso").map(best_effort);
    let weakly_isolated = |memory: MemoryModel| MemoryModel { isolation: Isolation::Weak, ..memory };
    let weak = ["sc", "tso"].into_iter().filter_map(memory::builtin::find).map(weakly_isolated);
    memories().into_iter().chain(tso).chain(weak).collect()
}

#[test]
fn transactions_end_as_the_plain_rules_say() {
    let mut random = Random(0x5EED_0011);
    let mut compared = 0;
    for _ in 0..150 {
        let automata = transactions(&mut random, false);
        for memory in all_memories() {
            let none = options(Reductions::NONE);
            let reduced = |dead_registers| options(Reductions { symmetry: false, dead_registers, ..Reductions::ALL });
            let is_compared = assert_same_finals(&automata, &memory, &none, [false, true].map(reduced));
            compared += usize::from(is_compared);
        }
    }
    assert!(compared > 400, "{compared} compared");
}

#[test]
fn no_reduction_changes_a_verdict_of_transactions() {
    let mut random = Random(0x5EED_0012);
    let (mut n_violated, mut n_held) = (0, 0);
    let all = Reductions::ALL;
    let switched = [all, Reductions { walls: false, ..all }, Reductions { symmetry: false, ..all }];
    for _ in 0..150 {
        let automata = transactions(&mut random, true);
        for memory in all_memories() {
            let none = options(Reductions::NONE);
            let [violated, held] = assert_same_verdicts(&automata, &memory, &none, switched.map(options));
            (n_violated, n_held) = (n_violated + violated, n_held + held);
        }
    }
    assert!(n_violated > 70 && n_held > 70, "{n_violated} violated, {n_held} held");
}
