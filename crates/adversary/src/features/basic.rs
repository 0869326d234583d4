//! Cells, registers, loads, stores, branches, assertions: in every program.

use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Local, Shared, Ty};

/// What every program has.
pub const BASIC: Feature = Feature {
    name: "basic",
    prepare,
    statements: &[(5, load), (6, store), (2, compute), (1, branch), (1, assertion), (1, cover)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    for _ in 0..2 + b.random.below(2) {
        let ty = b.small_type();
        let count = b.random.percent(15).then_some(2);
        b.declare(Kind::Cell, ty, count);
    }
}

/// One of the shared variables of a kind that may be touched here.
pub(crate) fn pick_shared(b: &mut Builder, kind: Kind, wanted: &dyn Fn(&Ty) -> bool) -> Option<Shared> {
    let all: Vec<Shared> = b.shared.iter().filter(|s| s.kind == kind && wanted(&s.ty)).cloned().collect();
    if all.is_empty() { None } else { Some(all[b.random.below(all.len())].clone()) }
}

/// A shared variable of a kind with a place in it, if it may be touched here.
pub(crate) fn shared_place(b: &mut Builder, kind: Kind, may: fn(&Builder) -> bool) -> Option<(Shared, String)> {
    if !may(b) {
        return None;
    }
    let shared = pick_shared(b, kind, &|_| true)?;
    let place = b.place(&shared, Leaves::REGISTERS);
    Some((shared, place))
}

/// A fence of some kind.
pub(crate) fn fence(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let kind = b.random.pick(&["full", "acquire", "release", "store_store"]);
    b.line(format!("fence {kind}"));
    true
}

/// Writes `value`, which is of type `ty`, into a register: a new one, or one in scope that can take it.
pub(crate) fn into_register(b: &mut Builder, ty: &Ty, value: &str) -> String {
    // A constant that is out of range is refused by the front end.
    let is_constant = !value.chars().any(char::is_alphabetic);
    let loose = !is_constant && b.random.percent(b.wild);
    let fits = |l: &&Local| l.is_assignable && if loose { l.ty.takes(ty) } else { l.ty.holds(ty) };
    let old: Vec<String> = b.scope.locals.iter().filter(fits).map(|l| l.name.clone()).collect();
    if old.is_empty() || b.random.percent(60) {
        let narrow = match ty {
            Ty::Num(low, high) if loose && high > low => Ty::Num(*low, high - 1),
            ty => ty.clone(),
        };
        return b.let_register(narrow, value);
    }
    let name = old[b.random.below(old.len())].clone();
    b.line(format!("{name} = {value}"));
    name
}

fn load(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Cell, Builder::may_touch_memory) else { return false };
    into_register(b, &shared.ty, &place);
    true
}

fn store(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Cell, Builder::may_touch_memory) else { return false };
    let leaves = Leaves { memory: b.random.percent(25), ..Leaves::REGISTERS };
    let value = b.expr(&shared.ty, leaves, 1);
    b.line(format!("{place} = {value}"));
    true
}

fn compute(b: &mut Builder) -> bool {
    let ty = b.small_type();
    let leaves = b.leaves();
    let value = b.expr(&ty, leaves, 2);
    into_register(b, &ty, &value);
    true
}

fn branch(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let leaves = b.leaves();
    let condition = b.condition(leaves, 1);
    let n = 1 + b.random.below(2);
    let then = b.block(n);
    let otherwise = if b.random.percent(35) { format!(" else {}", b.block(1)) } else { String::new() };
    b.line(format!("if {condition} {then}{otherwise}"));
    true
}

fn assertion(b: &mut Builder) -> bool {
    let mut leaves = b.leaves();
    leaves.ghosts = b.may_touch_abstract() && !leaves.memory && b.random.percent(50);
    let condition = b.likely(leaves);
    let name = b.fresh("s");
    b.line(format!("assert {name}: {condition}"));
    true
}

fn cover(b: &mut Builder) -> bool {
    let name = b.fresh("k");
    let leaves = b.leaves();
    let text = match b.random.percent(50) {
        true => format!("cover {name}: {}", b.condition(leaves, 1)),
        false => format!("cover {name}"),
    };
    b.line(text);
    true
}
