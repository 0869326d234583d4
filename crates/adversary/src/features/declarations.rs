//! Constants, parameters, flags, names of types, lists of first values, arrays and registers of threads, variants, scenarios.

use super::basic::{into_register, pick_shared, shared_place};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Local, Shared, Ty};

/// See the head of this file.
pub(super) const DECLARATIONS: Feature = Feature {
    name: "declarations",
    prepare,
    statements: &[
        (3, constant),
        (2, flagged),
        (2, flagged_load),
        (1, flagged_fence),
        (2, named_type),
        (3, by_thread),
        (2, own),
    ],
    finish,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.items.push("const ONE = 2 - 1".into());
    b.items.push("param LEVEL: 0..2 = 1".into());
    b.items.push("flag order: acquire | relaxed | seq_cst = acquire".into());
    b.items.push("flag barrier: full | store_store | none = store_store".into());
    b.items.push("type Small = 0..ONE".into());
    if b.random.percent(30) {
        b.items.push("variant other { LEVEL = 0; order = relaxed }".into());
    }
    // A replicated thread whose name is known before it is written.
    let thread = b.fresh("t");
    let (first, second) = (b.random.below(2), b.random.below(2));
    let array =
        |name: &str, kind: Kind| Shared { name: name.into(), kind, ty: Ty::Num(0, 1), count: Some(2), is_field: false };
    b.items.push(format!("cell own[{thread}]: 0..1 = [{first}, {second}]"));
    b.shared.push(array("own", Kind::Cell));
    b.items.push(format!("abstract told[{thread}]: bool = false"));
    b.shared.push(Shared { ty: Ty::Bool, ..array("told", Kind::Abstract) });
    b.items.push(format!("register mine[{thread}]: 0..1 = [{second}, {first}]"));
    b.reserved = Some(thread);
    b.n_statements = 3;
}

/// A constant or parameter goes somewhere.
fn constant(b: &mut Builder) -> bool {
    let value = b.random.pick(&["ONE", "LEVEL & 1", "1 - ONE", "(LEVEL + ONE) % 2", "ONE"]);
    if b.may_touch_memory() && b.random.percent(60) {
        let Some(cell) = pick_shared(b, Kind::Cell, &|ty| matches!(ty, Ty::Num(0, _))) else { return false };
        let place = b.place(&cell, Leaves::REGISTERS);
        b.line(format!("{place} = {value}"));
    } else {
        into_register(b, &Ty::Num(0, 1), value);
    }
    true
}

/// A branch on a constant: one side is left out.
fn flagged(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let condition =
        b.random.pick(&["order == acquire", "order != relaxed", "LEVEL > 0", "barrier == full", "ONE == 0"]);
    let (then, otherwise) = (b.block(1), b.block(1));
    b.line(format!("if {condition} {then} else {otherwise}"));
    true
}

fn flagged_load(b: &mut Builder) -> bool {
    let Some((cell, place)) = shared_place(b, Kind::Cell, Builder::may_touch_memory) else { return false };
    into_register(b, &cell.ty, &format!("{place}.load(order)"));
    true
}

fn flagged_fence(b: &mut Builder) -> bool {
    if b.is_free() {
        b.line("fence barrier");
    }
    b.is_free()
}

/// A register of a type that has a name.
fn named_type(b: &mut Builder) -> bool {
    let name = b.fresh("r");
    let value = if b.random.percent(40) { "choose Small".into() } else { b.number(0, 1, Leaves::REGISTERS, 1) };
    b.line(format!("let {name}: Small = {value}"));
    b.know(Local { name, ty: Ty::Num(0, 1), is_assignable: true });
    true
}

/// An element of an array that threads index.
fn by_thread(b: &mut Builder) -> bool {
    let is_reserved = b.scope.is_reserved;
    let index =
        if is_reserved { b.random.pick(&["self", "self", "1 - self", "0"]) } else { b.random.pick(&["0", "1"]) };
    let value = b.random.pick(&["0", "1"]);
    match b.random.below(3) {
        0 if b.may_touch_memory() => b.line(format!("own[{index}] = {value}")),
        1 if b.may_touch_memory() => drop(into_register(b, &Ty::Num(0, 1), &format!("own[{index}]"))),
        _ if b.may_touch_abstract() => b.line(format!("told[{index}] = true")),
        _ => return false,
    }
    true
}

/// The register that each copy has of its own.
fn own(b: &mut Builder) -> bool {
    if !b.scope.is_reserved {
        return false;
    }
    let leaves = b.leaves();
    let line = match b.random.below(2) {
        0 => format!("mine = {}", b.number(0, 1, leaves, 1)),
        _ => format!("assert {}: mine == {} or {}", b.fresh("s"), b.random.below(2), b.condition(leaves, 0)),
    };
    b.line(line);
    true
}

/// Threads of scenarios, of which one runs.
fn finish(b: &mut Builder) {
    if b.random.percent(25) {
        b.items.push("scenario first { thread w1 { own[0] = 1 } }".into());
        b.items.push("scenario second default { LEVEL = 2;  thread w2 { own[1] = 0 } }".into());
    }
}
