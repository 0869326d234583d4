//! Random small systems, and conditions on their states.

use automata::*;
use base::{Span, Table};
use memory::{Fence, Order};

/// A small generator of numbers, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn pick(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

pub(crate) const N_CELLS: u32 = 3;
const N_REGISTERS: u32 = 2;

/// The cell that only regions touch.
const ABSTRACT: CellId = CellId(N_CELLS);

/// Two threads over three memory cells and an abstract one.
pub(crate) fn system(random: &mut Random) -> Automata {
    let mut automata = Automata::new();
    let kind = PropertyKind::Assert;
    let property = automata.properties.push(Property { name: "asserted".into(), kind, span: Span::none() });
    for i in 0..=N_CELLS {
        let kind = if CellId(i) == ABSTRACT { CellKind::Abstract } else { CellKind::Memory };
        automata.cells.push(Cell::new(format!("c{i}").as_str(), kind, Domain::new(-1, 1), 0));
    }
    for name in ["a", "b"] {
        let thread = thread(random, name, property);
        automata.threads.push(thread);
    }
    assert_eq!(automata::validate(&automata), Ok(()));
    automata
}

/// Straight-line code with forward branches and choices, and at times one loop around it all.
fn thread(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let n_items = 2 + random.pick(4) as u32;
    let items: Vec<Vec<Action>> = (0..n_items).map(|_| item(random, property)).collect();
    let start = |item: u32| PointId(items[..item as usize].iter().map(|i| i.len() as u32).sum());
    let mut points = Table::new();
    let mut push = |action: Action, at: u32| {
        let labels = vec![format!("l{at}")];
        points.push(Point { action, next: PointId(at + 1), span: Span::none(), labels, procs: vec![] });
    };
    for (n, item) in items.iter().enumerate() {
        for (i, action) in item.iter().enumerate() {
            let (n, mut action) = (n as u32, action.clone());
            let later = start(n + 1 + random.pick(u64::from(n_items - n)) as u32);
            match &mut action {
                Action::Branch { then, otherwise, .. } if i == 0 => (*then, *otherwise) = (start(n + 1), later),
                Action::Choose(ways) => *ways = vec![start(n + 1), later, start(n_items)],
                _ => {}
            }
            push(action, start(n).0 + i as u32);
        }
    }
    let end = start(n_items).0;
    let ways = vec![PointId(0), PointId(end + 1)];
    push(if random.pick(4) == 0 { Action::Choose(ways) } else { Action::Safepoint }, end);
    push(Action::Halt, end);
    let register = |i| Register { name: format!("r{i}"), domain: Domain::new(-1, 1), init: 0, names: Vec::new() };
    let registers: Table<RegId, Register> = (0..N_REGISTERS).map(register).collect();
    let observed = registers.ids().collect();
    Thread::new(name, Automaton { points, entry: PointId(0), registers, observed, kept: Kept::Nothing })
}

fn register(random: &mut Random) -> RegId {
    RegId(random.pick(u64::from(N_REGISTERS)) as u32)
}

fn value(random: &mut Random) -> Expr {
    match random.pick(3) {
        0 => Expr::Leaf(register(random)),
        // May leave the domain.
        1 => Expr::binary(BinaryOp::Add, Expr::Leaf(register(random)), Expr::constant(random.pick(2) as Value)),
        _ => Expr::constant(random.pick(3) as Value - 1),
    }
}

fn condition(random: &mut Random) -> Expr {
    Expr::binary(BinaryOp::Equal, Expr::Leaf(register(random)), value(random))
}

fn access(random: &mut Random, op: Op, cells: Address) -> Action {
    let dst = op.is_read().then(|| register(random));
    let order = [Order::Relaxed, Order::Acquire, Order::Release][random.pick(3) as usize];
    Action::Access(Access { order, dst, ..Access::new(op, cells) })
}

/// A memory cell, named or computed; a computed one need not exist.
fn memory_cell(random: &mut Random) -> Address {
    if random.pick(3) > 0 {
        return Address::cell(CellId(random.pick(u64::from(N_CELLS)) as u32));
    }
    let index = Expr::Leaf(register(random));
    Address { base: CellId(random.pick(2) as u32), terms: vec![AddressTerm { index, stride: 1, count: 2 }] }
}

/// One action, or a region.
fn item(random: &mut Random, property: PropertyId) -> Vec<Action> {
    let (stored, read) = (value(random), condition(random));
    let address = memory_cell(random);
    let on_abstract = |op| Access::new(op, Address::cell(ABSTRACT));
    let load = Action::Access(Access { dst: Some(register(random)), ..on_abstract(Op::Load) });
    let store = Action::Access(on_abstract(Op::Store(stored.clone())));
    // After a region the interpreter continues until it stalls: a safepoint makes it stall there.
    let pause = Action::Safepoint;
    let wait = if random.pick(2) == 0 { Wait::Performed } else { Wait::Walls };
    match random.pick(20) {
        0..=3 => vec![access(random, Op::Load, address)],
        4..=6 => vec![access(random, Op::Store(stored), address)],
        // Where the condition is false, the store is performed all the same.
        7 => vec![access(random, Op::Store(stored), address), Action::Assume(read)],
        8 => {
            let op = Op::Cas { expected: value(random), new: stored, result: CasResult::Success };
            vec![access(random, op, address)]
        }
        9 => vec![access(random, Op::Swap(stored), address)],
        10 => vec![access(random, Op::Fetch(FetchOp::Or, stored), address)],
        11 => vec![Action::Fence([Fence::Full, Fence::Acquire, Fence::StoreStore][random.pick(3) as usize])],
        12 => vec![Action::Branch { condition: read, then: PointId(0), otherwise: PointId(0) }],
        13 => vec![Action::Choose(Vec::new())],
        14 => {
            let dst = register(random);
            // May have no value.
            let divided = Expr::binary(BinaryOp::Divide, stored.clone(), Expr::Leaf(dst));
            vec![Action::Compute { dst, value: if random.pick(2) == 0 { divided } else { stored } }]
        }
        15 => vec![if random.pick(3) == 0 { Action::Assume(read) } else { Action::Perform }],
        16 => vec![Action::Enter(Region::Atomic(wait)), load, Action::Assume(read), store, Action::Leave, pause],
        17 => {
            vec![
                Action::Enter(Region::Direct(wait)),
                load,
                access(random, Op::Store(stored), address),
                Action::Leave,
                pause,
            ]
        }
        18 => {
            let inner = access(random, Op::Swap(stored), address);
            vec![Action::Enter(Region::StopTheWorld), inner, store, Action::Leave, pause]
        }
        _ if random.pick(2) == 0 => vec![Action::Assert { condition: read, property }],
        _ => vec![access(random, Op::Load, address), Action::Enter(Region::Then), store, Action::Leave, pause],
    }
}

/// Adds `n` conditions on states as invariants, most of them false.
pub(crate) fn candidates(random: &mut Random, automata: &mut Automata, n: usize) {
    for i in 0..n {
        let (a, b, c) = (fact(random, automata), fact(random, automata), fact(random, automata));
        let both = Expr::binary(BinaryOp::And, a, b);
        let condition = Expr::binary(BinaryOp::Implies, both, Expr::unary(UnaryOp::Not, c));
        let kind = PropertyKind::Invariant(condition);
        automata.properties.push(Property { name: format!("i{i}"), kind, span: Span::none() });
    }
}

pub(crate) fn fact(random: &mut Random, automata: &Automata) -> StateExpr {
    let is = |leaf, value: u64| Expr::binary(BinaryOp::Equal, Expr::Leaf(leaf), Expr::constant(value as Value - 1));
    let thread = ThreadId(random.pick(2) as u32);
    let points = automata.threads[thread].automaton.points.len() as u64;
    match random.pick(6) {
        0 | 1 => is(StateLeaf::Cell(CellId(random.pick(u64::from(N_CELLS) + 1) as u32)), random.pick(3)),
        2 => is(StateLeaf::Register(thread, register(random)), random.pick(3)),
        3 => Expr::Leaf(StateLeaf::Performed(thread)),
        4 => Expr::Leaf(StateLeaf::Ended(thread)),
        _ => {
            let first = random.pick(points) as u32;
            Expr::Leaf(StateLeaf::At(thread, (first..(first + 3).min(points as u32)).map(PointId).collect()))
        }
    }
}
