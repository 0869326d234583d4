//! Random programs that lock the bus or act on memory directly, with and without a bound on pending stores, against the
//! plain rules. Walls make an action that waits for nothing pending wait for what is before it, so they are on or off in
//! both.

use super::*;

/// The cell that says which thread holds the bus.
pub(super) const BUS: CellId = CellId(N_CELLS + 1);

/// The register that only locking uses.
const HOLDER: RegId = RegId(0);

/// In one step: waits until `from` holds the bus, and gives it to `to`.
fn pass_bus(from: Value, to: Value) -> Vec<Action> {
    let load = Access { dst: Some(HOLDER), ..Access::new(Op::Load, Address::cell(BUS)) };
    let is_held = Expr::binary(BinaryOp::Equal, Expr::Leaf(HOLDER), Expr::constant(from));
    let store = Access::new(Op::Store(Expr::constant(to)), Address::cell(BUS));
    let reset = Action::Compute { dst: HOLDER, value: Expr::Const(0) };
    let actions = [
        Action::Enter(Region::Atomic(Wait::Walls)),
        Action::Access(load),
        Action::Assume(is_held),
        Action::Access(store),
        reset,
    ];
    actions.into_iter().chain([Action::Leave]).collect()
}

/// A random thread, as every other, that now and then adds to a cell while it holds the bus.
fn locking_thread(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let own = Value::from(name == "b");
    let n_items = 2 + random.pick(3);
    let items: Vec<Vec<Action>> = (0..n_items)
        .map(|_| match random.pick(6) {
            0 | 1 => locked(random, own),
            2 => direct(random),
            _ => super::item(random, property),
        })
        .collect();
    thread_of(random, name, &items)
}

pub(super) fn locked(random: &mut Random, own: Value) -> Vec<Action> {
    let (cell, register) = (CellId(random.pick(u64::from(N_CELLS)) as u32), RegId(1 + random.pick(2) as u32));
    let load = Access { dst: Some(register), ..Access::new(Op::Load, Address::cell(cell)) };
    let flipped = Expr::binary(BinaryOp::BitXor, Expr::Leaf(register), Expr::Const(1));
    let flipped = Expr::binary(BinaryOp::BitAnd, flipped, Expr::Const(1));
    let store = Access::new(Op::Store(flipped), Address::cell(cell));
    let mut actions = pass_bus(Automata::FREE, own);
    actions.extend([Action::Access(load), Action::Access(store), Action::Perform]);
    actions.extend(pass_bus(own, Automata::FREE));
    actions
}

/// Copies one cell to another, directly.
pub(super) fn direct(random: &mut Random) -> Vec<Action> {
    let mut cell = || Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32));
    let (from, to) = (cell(), cell());
    let register = RegId(1 + random.pick(2) as u32);
    let load = Action::Access(Access { dst: Some(register), ..Access::new(Op::Load, from) });
    let value = Expr::binary(BinaryOp::BitAnd, Expr::Leaf(register), Expr::Const(1));
    let store = Action::Access(Access::new(Op::Store(value), to));
    vec![Action::Enter(Region::Direct(Wait::Walls)), load, store, Action::Leave]
}

fn locking_system(random: &mut Random, with_asserts: bool) -> Automata {
    let mut automata = super::system_of(random, with_asserts, &locking_thread);
    // A copy of the first thread names the first.
    if automata.threads[ThreadId(1)].automaton == automata.threads[ThreadId(0)].automaton {
        let mut other = locking_thread(random, "b", PropertyId(3));
        std::mem::swap(&mut automata.threads[ThreadId(1)], &mut other);
    }
    let domain = Domain::new(Automata::FREE, 1);
    automata.cells.push(Cell::new("bus", CellKind::Abstract, domain, Automata::FREE));
    automata.bus = Some(BUS);
    automata
}

pub(super) fn bounded(reductions: Reductions, buffer: Option<usize>) -> Options {
    Options { buffer, ..options(reductions) }
}

#[test]
fn with_the_bus_the_final_states_are_those_of_the_plain_rules() {
    let mut random = Random(0x5EED_0B05);
    let mut compared = 0;
    for n in 0..120 {
        let automata = locking_system(&mut random, false);
        let buffer = [None, Some(1), Some(2)][n % 3];
        for memory in memories() {
            for walls in [true, false] {
                let rules = bounded(Reductions { walls, ..Reductions::NONE }, buffer);
                let reduced = bounded(Reductions { symmetry: false, walls, ..Reductions::ALL }, buffer);
                compared += usize::from(assert_same_finals(&automata, &memory, &rules, [reduced]));
            }
        }
    }
    assert!(compared > 200, "{compared} compared");
}

#[test]
fn with_the_bus_no_reduction_changes_a_verdict() {
    let mut random = Random(0x5EED_0B06);
    let (mut n_violated, mut n_held) = (0, 0);
    for n in 0..120 {
        let automata = locking_system(&mut random, true);
        let buffer = [None, Some(1)][n % 2];
        for memory in memories() {
            for reductions in SWITCHED {
                let rules = bounded(Reductions { walls: reductions.walls, ..Reductions::NONE }, buffer);
                let [violated, held] = assert_same_verdicts(&automata, &memory, &rules, [bounded(reductions, buffer)]);
                (n_violated, n_held) = (n_violated + violated, n_held + held);
            }
        }
    }
    assert!(n_violated > 50 && n_held > 50, "{n_violated} violated, {n_held} held");
}

#[test]
fn with_the_bus_the_interpreter_and_the_compiled_form_have_the_same_states() {
    let mut random = Random(0x5EED_0B07);
    for n in 0..40 {
        let automata = locking_system(&mut random, false);
        for memory in memories() {
            let options = bounded(Reductions { symmetry: false, ..Reductions::ALL }, [None, Some(1)][n % 2]);
            let interpreter = Interpreter::new(&automata, &memory, &options);
            let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, s)| s).collect();
            let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
            while let Some(state) = stack.pop() {
                for (_, next) in interpreter.successors(&state).steps {
                    if seen.insert(next.clone()) {
                        stack.push(next);
                    }
                }
            }
            let found = reference(&Compiled::new(&automata, &memory, &options));
            if found.violation.is_none() {
                assert_eq!(found.states, seen.len() as u64, "{}", memory.name);
            }
        }
    }
}
