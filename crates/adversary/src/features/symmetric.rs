//! Replicated threads that look alike and are not: `self`, arrays by thread, constants of one copy.

use super::Feature;
use crate::generate::{Builder, Kind, Leaves, Shared, Ty};

/// See the head of this file.
pub(super) const SYMMETRIC: Feature = Feature {
    name: "symmetric",
    prepare,
    statements: &[(3, own_store), (2, other_load), (2, by_copy), (2, token)],
    finish: super::nothing,
    properties,
};

fn prepare(b: &mut Builder) {
    b.replicate = 100;
    b.n_threads = 1 + usize::from(b.random.percent(20));
    b.n_statements = 3;
    b.declare(Kind::Cell, Ty::Num(0, 1), Some(2));
    b.declare(Kind::Abstract, Ty::Num(0, 2), None);
    if b.random.percent(40) {
        b.declare(Kind::Abstract, Ty::Bool, Some(2));
    }
}

fn array(b: &mut Builder, kind: Kind) -> Option<Shared> {
    let all: Vec<Shared> =
        b.shared.iter().filter(|s| s.kind == kind && s.count == Some(2) && !s.is_field).cloned().collect();
    if all.is_empty() { None } else { Some(all[b.random.below(all.len())].clone()) }
}

/// A store to the thread's own element.
fn own_store(b: &mut Builder) -> bool {
    let kind = if b.random.percent(70) { Kind::Cell } else { Kind::Abstract };
    let may = if kind == Kind::Cell { b.may_touch_memory() } else { b.may_touch_abstract() };
    if !may || b.scope.copies.is_none() {
        return false;
    }
    let Some(array) = array(b, kind) else { return false };
    let value = b.expr(&array.ty, Leaves::REGISTERS, 1);
    b.line(format!("{}[self] = {value}", array.name));
    true
}

/// A load of the other copy's element, or of a fixed one.
fn other_load(b: &mut Builder) -> bool {
    if !b.may_touch_memory() || b.scope.copies.is_none() {
        return false;
    }
    let Some(array) = array(b, Kind::Cell) else { return false };
    let index = b.random.pick(&["1 - self", "self", "0", "1"]);
    super::basic::into_register(b, &array.ty, &format!("{}[{index}]", array.name));
    true
}

/// Something that only one copy does.
fn by_copy(b: &mut Builder) -> bool {
    if b.scope.copies.is_none() || !b.may_nest() {
        return false;
    }
    let copy = b.random.below(2);
    let body = b.block(1);
    b.line(format!("if self == {copy} {body}"));
    true
}

/// A value that says which copy came last.
fn token(b: &mut Builder) -> bool {
    if !b.may_touch_abstract() || b.scope.copies.is_none() {
        return false;
    }
    let is_it = |ty: &Ty| *ty == Ty::Num(0, 2);
    let Some(shared) = super::basic::pick_shared(b, Kind::Abstract, &is_it) else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let value = b.random.pick(&["self", "self + 1", "1 - self", "2"]);
    b.line(format!("{place} = {value}"));
    true
}

fn properties(b: &mut Builder) {
    let Some(array) = array(b, Kind::Cell) else { return };
    let (low, high) = (b.constant(&array.ty), b.constant(&array.ty));
    let text = match b.random.below(3) {
        0 => format!("invariant {}: not ({1}[0] == {low} and {1}[1] == {high})", b.fresh("i"), array.name),
        1 => format!("cover {}: {1}[0] != {1}[1]", b.fresh("k"), array.name),
        _ => format!("forbid {}: {1}[1] == {low} and {1}[0] == {high}", b.fresh("f"), array.name),
    };
    b.items.push(text);
}
