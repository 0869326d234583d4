//! The compiled form against the plain rules, on random small programs: no reduction changes a
//! verdict, and the final states are the same.

mod bus;
mod bytes;
mod guesses;
mod histories;
mod isolation;
mod kept;
mod naive;
mod observed;
mod properties;
mod temporal;
mod transactions;

use automata::*;
use base::{Span, Table};
use explore::{Control, SearchOptions, reference, search};
use machine::{Compiled, Interpreter, Mode, Options, PlainState, Reductions};
use memory::{Fence, MemoryModel, Order};
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use system::Verdict;

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn pick(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

const N_CELLS: u32 = 3;
const N_REGISTERS: u32 = 3;

/// The cell that only regions touch.
const ABSTRACT: CellId = CellId(N_CELLS);

/// A random thread: straight-line code with forward branches, and at times one loop around it all.
fn thread(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let n_items = 3 + random.pick(4) as u32;
    let items: Vec<Vec<Action>> = (0..n_items).map(|_| item(random, property)).collect();
    thread_of(random, name, &items)
}

/// A thread that does these items one after the other, up to branches.
fn thread_of(random: &mut Random, name: &str, items: &[Vec<Action>]) -> Thread {
    let n_items = items.len() as u32;
    let start = |item: u32| PointId(items[..item as usize].iter().map(|i| i.len() as u32).sum());
    let mut points = Table::new();
    let mut push = |action: Action, at: u32| {
        points.push(Point { action, next: PointId(at + 1), span: Span::none(), labels: vec![], procs: vec![] });
    };
    for (n, item) in items.iter().enumerate() {
        for (i, action) in item.iter().enumerate() {
            let mut action = action.clone();
            if let Action::Branch { then, otherwise, .. } = &mut action {
                let n = n as u32;
                (*then, *otherwise) = (start(n + 1), start(n + 1 + random.pick(u64::from(n_items - n)) as u32));
            }
            push(action, start(n as u32).0 + i as u32);
        }
    }
    let end = start(n_items).0;
    let last = if random.pick(5) == 0 {
        Action::Choose(vec![PointId(0), PointId(end + 1)])
    } else {
        Action::Fence(Fence::Full)
    };
    push(last, end);
    push(Action::Halt, end);
    let registers: Table<RegId, Register> = (0..N_REGISTERS)
        .map(|i| Register { name: format!("r{i}"), domain: Domain::new(0, 3), init: 0, names: Vec::new() })
        .collect();
    let observed = registers.ids().collect();
    Thread::new(name, Automaton { points, entry: PointId(0), registers, observed, kept: Kept::Nothing })
}

/// One action, or a region: on abstract state, or on memory with the world stopped.
fn item(random: &mut Random, property: PropertyId) -> Vec<Action> {
    let register = RegId(random.pick(u64::from(N_REGISTERS)) as u32);
    let load = |cell| Action::Access(Access { dst: Some(register), ..Access::new(Op::Load, Address::cell(cell)) });
    let store = |cell| {
        let value = Expr::binary(BinaryOp::BitAnd, Expr::Leaf(register), Expr::Const(1));
        Action::Access(Access::new(Op::Store(value), Address::cell(cell)))
    };
    let wait = Action::Assume(Expr::binary(BinaryOp::Less, Expr::Leaf(register), Expr::Const(2)));
    match random.pick(14) {
        0 => vec![Action::Enter(Region::Atomic(Wait::Walls)), load(ABSTRACT), wait, Action::Leave],
        1 => vec![Action::Enter(Region::Atomic(Wait::Walls)), store(ABSTRACT), Action::Leave],
        2 => {
            vec![Action::Enter(Region::StopTheWorld), load(CellId(0)), store(CellId(1)), store(ABSTRACT), Action::Leave]
        }
        _ => vec![action(random, property)],
    }
}

fn order(random: &mut Random) -> Order {
    [Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel][random.pick(5) as usize]
}

fn action(random: &mut Random, property: PropertyId) -> Action {
    let register = |random: &mut Random| RegId(random.pick(u64::from(N_REGISTERS)) as u32);
    let constant = |random: &mut Random| Expr::constant(random.pick(2) as Value);
    let masked = |e: Expr| Expr::binary(BinaryOp::BitAnd, e, Expr::Const(1));
    let value = |random: &mut Random| {
        if random.pick(2) == 0 { constant(random) } else { masked(Expr::Leaf(register(random))) }
    };
    let address = |random: &mut Random| {
        if random.pick(3) == 0 {
            let index = masked(Expr::Leaf(register(random)));
            Address { base: CellId(random.pick(2) as u32), terms: vec![AddressTerm { index, stride: 1, count: 2 }] }
        } else {
            Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32))
        }
    };
    let access = |random: &mut Random, op: Op| {
        let dst = op.is_read().then(|| register(random));
        let dst = if matches!(op, Op::StoreConditional(_)) { Some(register(random)) } else { dst };
        let address = address(random);
        Action::Access(Access { order: order(random), dst, ..Access::new(op, address) })
    };
    match random.pick(17) {
        0..=2 => access(random, Op::Load),
        3..=5 => {
            let value = value(random);
            access(random, Op::Store(value))
        }
        6 => {
            let (expected, new) = (constant(random), value(random));
            access(random, Op::Cas { expected, new, result: CasResult::Success })
        }
        7 => {
            let value = value(random);
            access(random, Op::Swap(value))
        }
        8 => access(random, Op::LoadLinked),
        9 => {
            let value = value(random);
            access(random, Op::StoreConditional(value))
        }
        10 => Action::Fence([Fence::Full, Fence::Acquire, Fence::Release, Fence::StoreStore][random.pick(4) as usize]),
        11 => {
            let condition = Expr::Leaf(register(random));
            // The targets are put in once the lengths of all items are known.
            Action::Branch { condition, then: PointId(0), otherwise: PointId(0) }
        }
        12 => Action::Compute {
            dst: register(random),
            value: masked(Expr::binary(BinaryOp::Add, Expr::Leaf(register(random)), Expr::Const(1))),
        },
        _ => {
            let condition = Expr::binary(BinaryOp::Equal, Expr::Leaf(register(random)), Expr::Leaf(register(random)));
            if random.pick(3) > 0 { Action::Assert { condition, property } } else { Action::Safepoint }
        }
    }
}

fn system(random: &mut Random, with_asserts: bool) -> Automata {
    system_of(random, with_asserts, &thread)
}

/// Two threads made by `thread`, at times equal ones.
fn system_of(
    random: &mut Random,
    with_asserts: bool,
    thread: &dyn Fn(&mut Random, &str, PropertyId) -> Thread,
) -> Automata {
    let mut automata = Automata::new();
    let property =
        automata.properties.push(Property { name: "asserted".into(), kind: PropertyKind::Assert, span: Span::none() });
    for i in 0..N_CELLS {
        let domain = Domain::new(0, 1);
        automata.cells.push(Cell::new(format!("c{i}").as_str(), CellKind::Memory, domain, 0));
    }
    let domain = Domain::new(0, 1);
    automata.cells.push(Cell::new("abstract", CellKind::Abstract, domain, 0));
    let first = thread(random, "a", property);
    let second =
        if random.pick(3) == 0 { Thread::new("b", first.automaton.clone()) } else { thread(random, "b", property) };
    for mut thread in [first, second] {
        if !with_asserts {
            for point in thread.automaton.points.values_mut() {
                if matches!(point.action, Action::Assert { .. }) {
                    point.action = Action::Fence(Fence::Acquire);
                }
            }
        }
        automata.threads.push(thread);
    }
    automata
}

/// Final cells and registers, and the depth-free verdict, by the rules alone.
fn plain(
    automata: &Automata,
    memory: &MemoryModel,
    options: &Options,
    max: usize,
) -> Option<(BTreeSet<Vec<Value>>, bool)> {
    let interpreter = Interpreter::new(automata, memory, options);
    let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, s)| s).collect();
    let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
    let (mut finals, mut failed) = (BTreeSet::new(), false);
    while let Some(state) = stack.pop() {
        failed |= interpreter.violation(&state).is_some();
        finals.extend(row(&interpreter, &state));
        for (_, next) in interpreter.successors(&state).steps {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
        if seen.len() > max {
            return None;
        }
    }
    Some((finals, failed))
}

fn row(interpreter: &Interpreter<'_>, state: &PlainState) -> Option<Vec<Value>> {
    if !interpreter.is_quiescent(state) {
        return None;
    }
    let registers = state.locals.iter().flat_map(|local| local.registers.iter().map(|r| r.value().unwrap_or(-1)));
    Some(state.cells.iter().copied().chain(registers).collect())
}

fn memories() -> Vec<MemoryModel> {
    let mut all = memory::builtin::all();
    let mut guessing = memory::builtin::find("rmo-no").expect("built in");
    guessing.speculate = 2;
    guessing.name = "rmo-no, guessing".into();
    guessing.store_conditional = memory::StoreConditional::MayFail;
    all.push(guessing);
    all
}

/// All reductions, and all but one.
const SWITCHED: [Reductions; 5] = [
    Reductions::ALL,
    Reductions { dead_registers: false, ..Reductions::ALL },
    Reductions { walls: false, ..Reductions::ALL },
    Reductions { symmetry: false, ..Reductions::ALL },
    Reductions { late_decisions: false, ..Reductions::ALL },
];

fn options(reductions: Reductions) -> Options {
    Options { queue_bound: 3, buffer: None, reductions, check_deadlock: false, ..Options::default() }
}

/// The final states that the compiled form reaches. Registers are distinguished in them, so `options` must leave symmetry out.
fn finals(automata: &Automata, memory: &MemoryModel, options: &Options) -> BTreeSet<Vec<Value>> {
    let compiled = Compiled::new(automata, memory, options);
    let finals: Mutex<BTreeSet<Vec<Value>>> = Mutex::default();
    let ended = |words: &[u32]| finals.lock().unwrap().extend(row(compiled.interpreter(), &compiled.unpack(words)));
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &ended };
    search(&compiled, &SearchOptions::default(), &control);
    finals.into_inner().unwrap()
}

/// Whether the compiled form violates a property.
fn is_violated(automata: &Automata, memory: &MemoryModel, options: &Options) -> bool {
    let compiled = Compiled::new(automata, memory, options);
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    matches!(search(&compiled, &SearchOptions::default(), &control).verdict, Verdict::Violated { .. })
}

/// More states than are visited by the plain rules.
const MAX_PLAIN: usize = 4_000;

/// Asserts that the compiled form under each of `reduced` has the final states of the plain `rules`. Whether they were compared: not if
/// there are too many states.
fn assert_same_finals(
    automata: &Automata,
    memory: &MemoryModel,
    rules: &Options,
    reduced: impl IntoIterator<Item = Options>,
) -> bool {
    let Some((expected, _)) = plain(automata, memory, rules, MAX_PLAIN) else { return false };
    for options in reduced {
        let found = finals(automata, memory, &options);
        assert_eq!(found, expected, "{} {:?} {:?} {automata:#?}", memory.name, options.reductions, options.buffer);
    }
    true
}

/// Asserts that the compiled form under each of `reduced` has the verdict of the plain `rules`. How many were violated and how many
/// held: none if there are too many states.
fn assert_same_verdicts(
    automata: &Automata,
    memory: &MemoryModel,
    rules: &Options,
    reduced: impl IntoIterator<Item = Options>,
) -> [usize; 2] {
    let Some((_, failed)) = plain(automata, memory, rules, MAX_PLAIN) else { return [0, 0] };
    for options in reduced {
        let found = is_violated(automata, memory, &options);
        assert_eq!(found, failed, "{} {:?} {:?} {automata:#?}", memory.name, options.reductions, options.buffer);
    }
    [usize::from(failed), usize::from(!failed)]
}

/// How many random systems there are; `./test --full` has ten times as many.
pub(crate) fn rounds(usual: usize) -> usize {
    if std::env::var_os("LACUNA_FULL").is_some() { 10 * usual } else { usual }
}

#[test]
fn final_states_are_those_of_the_plain_rules() {
    let mut random = Random(0x5EED_0001);
    let mut compared = 0;
    for _ in 0..rounds(100) {
        let automata = system(&mut random, false);
        for memory in memories() {
            // Registers are distinguished in the finals, so threads are not interchangeable here.
            let reduced = options(Reductions { symmetry: false, ..Reductions::ALL });
            let none = options(Reductions::NONE);
            compared += usize::from(assert_same_finals(&automata, &memory, &none, [reduced]));
        }
    }
    assert!(compared > 190, "{compared} compared");
}

#[test]
fn no_reduction_changes_a_verdict() {
    let mut random = Random(0x5EED_0002);
    let (mut n_violated, mut n_held) = (0, 0);
    for _ in 0..rounds(100) {
        let automata = system(&mut random, true);
        for memory in memories() {
            let none = options(Reductions::NONE);
            let [violated, held] = assert_same_verdicts(&automata, &memory, &none, SWITCHED.map(options));
            (n_violated, n_held) = (n_violated + violated, n_held + held);
        }
    }
    assert!(n_violated > 30 && n_held > 45, "{n_violated} violated, {n_held} held");
}

#[test]
fn the_interpreter_and_the_compiled_form_have_the_same_states() {
    let mut random = Random(0x5EED_0003);
    for _ in 0..60 {
        let automata = system(&mut random, false);
        for memory in memories() {
            let options = options(Reductions { symmetry: false, ..Reductions::ALL });
            let interpreter = Interpreter::new(&automata, &memory, &options);
            let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, s)| s).collect();
            let mut seen: HashSet<PlainState> = stack.iter().cloned().collect();
            while let Some(state) = stack.pop() {
                if state.locals.iter().any(|l| matches!(l.mode, Mode::Failed(_))) {
                    continue;
                }
                for (_, next) in interpreter.successors(&state).steps {
                    if seen.insert(next.clone()) {
                        stack.push(next);
                    }
                }
            }
            let compiled = Compiled::new(&automata, &memory, &options);
            let found = reference(&compiled);
            if found.violation.is_none() {
                assert_eq!(found.states, seen.len() as u64, "{}", memory.name);
            }
        }
    }
}
