//! Automata that break a rule are found out. They are stated as text.

use automata::{Action, Automata, CellId, Expr, RegId};

/// One memory cell `x`, one abstract variable `a`, and a thread with a register `r` and these points.
pub(crate) fn system(points: &[&str]) -> Automata {
    let head = "cell x: 0..3 = 0\nabstract a: 0..3 = 0\nthread t\n  register r: 0..3\n";
    let points: String = points.iter().enumerate().map(|(i, action)| format!("  p{i}: {action}\n")).collect();
    automata::text::read(&format!("{head}{points}")).expect("a system")
}

#[track_caller]
fn broken(points: &[&str], rule: &str) {
    is_broken(&system(points), rule);
}

#[track_caller]
fn is_broken(automata: &Automata, rule: &str) {
    let found = automata::validate(automata).expect_err("a rule is broken");
    assert!(found.iter().any(|f| f.contains(rule)), "{found:?}");
}

/// The same with the first action changed to what no text can state.
#[track_caller]
fn broken_by(points: &[&str], change: impl Fn(&mut Action), rule: &str) {
    let mut automata = system(points);
    let first = automata.threads.values_mut().flat_map(|thread| thread.automaton.points.values_mut()).next();
    change(&mut first.expect("a point").action);
    is_broken(&automata, rule);
}

#[test]
fn what_breaks_a_rule_is_found_out() {
    broken(&["r = x.load()"], "a successor is not there");
    broken(&["r = a.load()", "halt"], "abstract state is touched outside a region");
    broken(&["enter atomic", "r = x.load()", "leave", "halt"], "memory is touched inside an atomic region");
    broken(&["enter atomic", "enter atomic", "leave", "halt"], "a region inside another");
    broken(&["leave", "halt"], "no region to leave");
    broken(&["enter atomic", "halt"], "ends inside a region");
    broken(&["enter atomic", "safepoint", "leave", "halt"], "fence, safepoint or perform in a region");
    broken(&["halt", "halt"], "cannot be reached");
    broken(&["choose", "halt"], "a choice without ways");
    broken(&["if r then p1 else p2", "enter atomic", "leave", "halt"], "paths with different regions meet");
    let no_cell = |action: &mut Action| {
        if let Action::Access(access) = action {
            access.address.base = CellId(7);
        }
    };
    broken_by(&["r = x.load()", "halt"], no_cell, "no such cell");
    let no_register = |action: &mut Action| *action = Action::Compute { dst: RegId(3), value: Expr::Const(0) };
    broken_by(&["safepoint", "halt"], no_register, "a register is not there");
}

#[test]
fn what_breaks_a_rule_of_transactions_is_found_out() {
    broken(&["begin, abort() -> p1", "halt"], "ends inside a region or transaction");
    broken(&["begin, abort() -> p3", "begin, abort() -> p3", "commit", "halt"], "a transaction inside another");
    broken(&["begin, abort() -> p4", "enter atomic", "leave", "commit", "halt"], "inside a transaction");
    broken(&["begin, abort() -> p3", "safepoint", "commit", "halt"], "a safepoint in a transaction");
    broken(&["begin, abort() -> p1", "commit", "halt"], "paths with different regions meet");
    broken(&["commit", "halt"], "no transaction to commit");
    broken(&["abort 1"], "no transaction to abort");
    broken(&["begin, abort() -> p3", "x.ll()", "commit", "halt"], "load-linked or store-conditional");
    let no_register = |action: &mut Action| {
        if let Action::Begin(begin) = action {
            begin.cause = Some(RegId(3));
        }
    };
    broken_by(&["begin, abort(r) -> p2", "commit", "halt"], no_register, "a register is not there");
}
