//! Random programs that guess, with steps on abstract state and on memory behind branches, against the plain rules. As in `bus`,
//! walls are on or off in both.

use super::bus::{bounded, direct};
use super::*;
use machine::Event;

/// A load or store with a step on abstract state that is part of it.
fn with_then(random: &mut Random) -> Vec<Action> {
    let register = RegId(random.pick(u64::from(N_REGISTERS)) as u32);
    let cell = Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32));
    let value = Expr::binary(BinaryOp::BitAnd, Expr::Leaf(register), Expr::Const(1));
    let access = match random.pick(2) {
        0 => Access { dst: Some(register), ..Access::new(Op::Load, cell) },
        _ => Access::new(Op::Store(value.clone()), cell),
    };
    let store = Access::new(Op::Store(value), Address::cell(ABSTRACT));
    vec![Action::Access(access), Action::Enter(Region::Then), Action::Access(store), Action::Leave]
}

/// A random thread in which loads decide branches.
fn guessing_thread(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let branch =
        |register: RegId| Action::Branch { condition: Expr::Leaf(register), then: PointId(0), otherwise: PointId(0) };
    let mut items: Vec<Vec<Action>> = Vec::new();
    for _ in 0..2 + random.pick(2) {
        match random.pick(6) {
            0 | 1 => {
                let register = RegId(random.pick(u64::from(N_REGISTERS)) as u32);
                let cell = Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32));
                let load = Access { dst: Some(register), ..Access::new(Op::Load, cell) };
                items.extend([vec![Action::Access(load)], vec![branch(register)]]);
            }
            2 => items.push(with_then(random)),
            3 => items.push(direct(random)),
            _ => items.push(super::item(random, property)),
        }
    }
    thread_of(random, name, &items)
}

fn guessing_memories() -> Vec<MemoryModel> {
    let guessing = |name: &str, speculate: usize| {
        let memory = memory::builtin::find(name).expect("built in");
        MemoryModel { speculate, name: format!("{name}, guessing"), ..memory }
    };
    vec![guessing("rmo-no", 1), guessing("relaxed", 2), guessing("tso", 1)]
}

#[test]
fn with_guesses_the_final_states_are_those_of_the_plain_rules() {
    let mut random = Random(0x5EED_0031);
    let mut compared = 0;
    for _ in 0..super::rounds(100) {
        let automata = super::system_of(&mut random, false, &guessing_thread);
        assert_eq!(automata::validate(&automata), Ok(()));
        for memory in guessing_memories() {
            for walls in [true, false] {
                let rules = bounded(Reductions { walls, ..Reductions::NONE }, None);
                let reduced = bounded(Reductions { symmetry: false, walls, ..Reductions::ALL }, None);
                compared += usize::from(assert_same_finals(&automata, &memory, &rules, [reduced]));
            }
        }
    }
    assert!(compared > 190, "{compared} compared");
}

/// Where read-modify-writes are performed in two, and it is assumed of a CAS that it succeeds.
#[test]
fn in_two_halves_the_final_states_are_those_of_the_plain_rules() {
    let mut random = Random(0x5EED_0033);
    let mut compared = 0;
    for _ in 0..60 {
        let automata = super::system_of(&mut random, false, &guessing_thread);
        for name in ["armv8", "armv8-exclusives"] {
            let memory = MemoryModel { speculate: 2, ..memory::builtin::find(name).expect("built in") };
            let rules = bounded(Reductions { walls: true, ..Reductions::NONE }, None);
            let Some((expected, _)) = plain(&automata, &memory, &rules, 2_000) else { continue };
            for late_decisions in [true, false] {
                let options = bounded(Reductions { symmetry: false, late_decisions, ..Reductions::ALL }, None);
                assert_eq!(finals(&automata, &memory, &options), expected, "{name} {automata:#?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} compared");
}

/// Only stores that were issued before the branch change what others see while a guess is open.
#[test]
fn nobody_enters_a_region_behind_a_guess() {
    let mut random = Random(0x5EED_0032);
    let (mut n_entered, mut n_guessing) = (0, 0);
    for _ in 0..100 {
        let automata = super::system_of(&mut random, false, &guessing_thread);
        for memory in guessing_memories() {
            let options = bounded(Reductions::NONE, None);
            let interpreter = Interpreter::new(&automata, &memory, &options);
            let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, s)| s).collect();
            let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
            while let Some(state) = stack.pop().filter(|_| seen.len() < 4_000) {
                for (step, next) in interpreter.successors(&state).steps {
                    let points = &automata.threads[step.thread].automaton.points;
                    let enters = |event: &Event| matches!(event, Event::Pass(p) if matches!(points[*p].action, Action::Enter(_)));
                    let has_entered = step.events.iter().any(enters);
                    // The step may have decided the guess first.
                    let is_guessing = next.locals[step.thread.0 as usize].is_guessing();
                    assert!(!(has_entered && is_guessing), "{} {step:?} {automata:#?}", memory.name);
                    assert!(has_entered || next.cells[ABSTRACT.0 as usize] == state.cells[ABSTRACT.0 as usize]);
                    n_entered += usize::from(has_entered);
                    n_guessing += usize::from(is_guessing);
                    if seen.insert(next.clone()) {
                        stack.push(next);
                    }
                }
            }
        }
    }
    assert!(n_entered > 1_000 && n_guessing > 1_000, "{n_entered} regions, {n_guessing} steps behind guesses");
}
