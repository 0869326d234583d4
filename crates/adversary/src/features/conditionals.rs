//! Conditional expressions, and procedures that take places.

use super::basic::{into_register, pick_shared, shared_place};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file.
pub(super) const CONDITIONALS: Feature = Feature {
    name: "conditionals",
    prepare,
    statements: &[(4, register), (3, store), (3, abstract_write), (2, branch), (4, place)],
    finish: nothing,
    properties,
};

/// The procedures, each with the kind of its place.
const PROCS: [(&str, Kind); 3] = [("change", Kind::Cell), ("alter", Kind::Abstract), ("mark", Kind::Ghost)];

fn prepare(b: &mut Builder) {
    for (_, kind) in PROCS {
        let count = b.random.percent(30).then_some(2);
        b.declare(kind, Ty::Num(0, 1), count);
    }
    b.items.push("proc change(place p: 0..1, v: 0..1) -> 0..1 { let old = p; p = v; return old }".into());
    b.items.push("proc alter(place p: 0..1, v: 0..1) { p = if v == 0 then 1 - p else v }".into());
    b.items.push("proc mark(place p: 0..1, v: 0..1) { p = v }".into());
}

/// `(if c then a else b)`, of which each part may read what `leaves` says.
fn conditional(b: &mut Builder, ty: &Ty, leaves: Leaves) -> String {
    let condition = b.condition(leaves, 1);
    let then = b.expr(ty, leaves, 1);
    let otherwise = b.expr(ty, leaves, 1);
    format!("(if {condition} then {then} else {otherwise})")
}

fn register(b: &mut Builder) -> bool {
    let ty = b.small_type();
    let leaves = b.leaves();
    let value = conditional(b, &ty, leaves);
    into_register(b, &ty, &value);
    true
}

fn store(b: &mut Builder) -> bool {
    let Some((cell, place)) = shared_place(b, Kind::Cell, Builder::may_touch_memory) else { return false };
    let memory = b.random.percent(40);
    let value = conditional(b, &cell.ty, Leaves { memory, ..Leaves::REGISTERS });
    b.line(format!("{place} = {value}"));
    true
}

fn abstract_write(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Abstract, Builder::may_touch_abstract) else { return false };
    let abstracts = b.random.percent(60);
    let value = conditional(b, &shared.ty, Leaves { abstracts, ..Leaves::REGISTERS });
    b.line(format!("{place} = {value}"));
    true
}

/// A conditional expression on the right of `and` and `or`.
fn branch(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let leaves = b.leaves();
    let (left, right) = (b.condition(leaves, 0), conditional(b, &Ty::Bool, leaves));
    let (word, body) = (b.random.pick(&["and", "or", "implies"]), b.block(1));
    b.line(format!("if {left} {word} {right} {body}"));
    true
}

/// A call with a place.
fn place(b: &mut Builder) -> bool {
    let (name, kind) = PROCS[b.random.below(PROCS.len())];
    let may = match kind {
        Kind::Cell => b.may_touch_memory(),
        _ => b.may_touch_abstract(),
    };
    if !may || !b.scope.in_thread {
        return false;
    }
    let Some(shared) = pick_shared(b, kind, &|ty| *ty == Ty::Num(0, 1)) else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let value = b.expr(&Ty::Num(0, 1), Leaves::REGISTERS, 1);
    let call = format!("{name}({place}, {value})");
    match kind {
        Kind::Cell => drop(into_register(b, &Ty::Num(0, 1), &call)),
        _ => b.line(call),
    }
    true
}

fn properties(b: &mut Builder) {
    let value = conditional(b, &Ty::Num(0, 1), Leaves::PROPERTY);
    let (name, word) = (b.fresh("i"), b.random.pick(&["invariant", "cover"]));
    let other = b.random.below(3);
    b.items.push(format!("{word} {name}: {value} <= {other}"));
}
