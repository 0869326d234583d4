//! Automata that break a rule are found out, and those that do not print as written.

use automata::{
    Access, Action, Address, Automata, Automaton, Begin, Cell, CellId, CellKind, Domain, Expr, Kept, Op, Point,
    PointId, RegId, Region, Register, Thread, Wait,
};
use base::{Span, Table};

/// One memory cell `x`, one abstract variable `a`, and a thread with these actions one after the other.
fn system(actions: Vec<Action>) -> Automata {
    let mut automata = Automata::new();
    for (name, kind) in [("x", CellKind::Memory), ("a", CellKind::Abstract)] {
        let domain = Domain::new(0, 3);
        automata.cells.push(Cell { name: name.into(), kind, domain, init: 0, names: Vec::new() });
    }
    let point = |(i, action)| {
        let next = PointId(i as u32 + 1);
        Point { action, next, span: Span::none(), labels: Vec::new(), procs: Vec::new() }
    };
    let points: Table<PointId, Point> = actions.into_iter().enumerate().map(point).collect();
    let registers =
        [Register { name: "r".into(), domain: Domain::new(0, 3), init: 0, names: Vec::new() }].into_iter().collect();
    let automaton = Automaton { points, entry: PointId(0), registers, observed: Vec::new(), kept: Kept::Nothing };
    automata.threads.push(Thread { name: "t".into(), automaton });
    automata
}

fn load(cell: u32) -> Action {
    Action::Access(Access { dst: Some(RegId(0)), ..Access::new(Op::Load, Address::cell(CellId(cell))) })
}

fn store(cell: u32, value: i32) -> Action {
    Action::Access(Access::new(Op::Store(Expr::constant(value)), Address::cell(CellId(cell))))
}

#[track_caller]
fn broken(actions: Vec<Action>, rule: &str) {
    let found = automata::validate(&system(actions)).expect_err("a rule is broken");
    assert!(found.iter().any(|f| f.contains(rule)), "{found:?}");
}

#[test]
fn what_breaks_a_rule_is_found_out() {
    let (enter, leave) = (|| Action::Enter(Region::Atomic(Wait::Performed)), || Action::Leave);
    broken(vec![load(0)], "a successor is not there");
    broken(vec![load(7), Action::Halt], "no such cell");
    broken(vec![load(1), Action::Halt], "abstract state is touched outside a region");
    broken(vec![enter(), load(0), leave(), Action::Halt], "memory is touched inside an atomic region");
    broken(vec![enter(), enter(), leave(), Action::Halt], "a region inside another");
    broken(vec![leave(), Action::Halt], "no region to leave");
    broken(vec![enter(), Action::Halt], "ends inside a region");
    broken(vec![enter(), Action::Safepoint, leave(), Action::Halt], "fence, safepoint or perform in a region");
    broken(vec![Action::Halt, Action::Halt], "cannot be reached");
    broken(vec![Action::Choose(Vec::new()), Action::Halt], "a choice without ways");
    let unknown = Action::Compute { dst: RegId(3), value: Expr::Const(0) };
    broken(vec![unknown, Action::Halt], "a register is not there");
    let branch = Action::Branch { condition: Expr::Leaf(RegId(0)), then: PointId(1), otherwise: PointId(2) };
    broken(vec![branch, enter(), leave(), Action::Halt], "paths with different regions meet");
}

fn begin(handler: u32, cause: Option<RegId>) -> Action {
    Action::Begin(Begin { handler: PointId(handler), cause, code: None, capacity: Some(2) })
}

#[test]
fn what_breaks_a_rule_of_transactions_is_found_out() {
    let (enter, leave) = (|| Action::Enter(Region::Atomic(Wait::Performed)), || Action::Leave);
    broken(vec![begin(2, Some(RegId(3))), Action::Commit, Action::Halt], "a register is not there");
    broken(vec![begin(1, None), Action::Halt], "ends inside a region or transaction");
    broken(vec![begin(3, None), begin(3, None), Action::Commit, Action::Halt], "a transaction inside another");
    broken(vec![begin(4, None), enter(), leave(), Action::Commit, Action::Halt], "inside a transaction");
    broken(vec![begin(3, None), Action::Safepoint, Action::Commit, Action::Halt], "a safepoint in a transaction");
    broken(vec![begin(1, None), Action::Commit, Action::Halt], "paths with different regions meet");
    broken(vec![Action::Commit, Action::Halt], "no transaction to commit");
    broken(vec![Action::Abort(1)], "no transaction to abort");
    let linked = Action::Access(Access::new(Op::LoadLinked, Address::cell(CellId(0))));
    broken(vec![begin(3, None), linked, Action::Commit, Action::Halt], "load-linked or store-conditional");
}

#[test]
fn transactions_print_as_written() {
    let actions = vec![begin(4, Some(RegId(0))), load(0), store(0, 1), Action::Commit, Action::Halt];
    let system = system(actions);
    assert_eq!(automata::validate(&system), Ok(()));
    let text = automata::text::write(&system);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let expected = ["p0: begin capacity 2, abort(r) -> p4", "p1: r = x.load()", "p2: x.store(1)", "p3: commit"];
    assert!(expected.iter().all(|line| lines.contains(line)), "{text}");
}

#[test]
fn a_valid_system_prints_one_line_per_point() {
    let branch = Action::Branch { condition: Expr::Leaf(RegId(0)), then: PointId(0), otherwise: PointId(2) };
    let enter = Action::Enter(Region::StopTheWorld);
    let automata = system(vec![load(0), branch, enter, load(1), store(0, 2), Action::Leave, Action::Halt]);
    assert_eq!(automata::validate(&automata), Ok(()));
    assert_eq!(
        automata::text::write(&automata),
        "cell x: 0..3 = 0
abstract a: 0..3 = 0
thread t
  register r: 0..3
  p0: r = x.load()
  p1: if r then p0 else p2
  p2: enter stop_the_world
  p3: r = a.load()
  p4: x.store(2)
  p5: leave
  p6: halt
"
    );
}
