//! `then` after loads, stores, CAS, swap, fetch and `ll`; `when issued` after stores.

use super::basic::pick_shared;
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Place, Ty};

/// See the head of this file.
pub(super) const THEN: Feature =
    Feature { name: "then", prepare, statements: &[(9, then), (4, issued)], finish: nothing, properties: nothing };

fn prepare(b: &mut Builder) {
    b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    b.declare(Kind::Ghost, Ty::Num(0, 1), None);
    if b.random.percent(40) {
        b.declare(Kind::Abstract, Ty::Num(0, 2), None);
    }
}

fn then(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let Some(cell) = pick_shared(b, Kind::Cell, &|_| true) else { return false };
    let place = b.place(&cell, Leaves::REGISTERS);
    let value = b.expr(&cell.ty, Leaves::REGISTERS, 1);
    let other = b.expr(&cell.ty, Leaves::REGISTERS, 0);
    match b.random.below(8) {
        0..=2 => drop(b.let_register(cell.ty.clone(), &place)),
        3 | 4 => b.line(format!("{place} = {value}")),
        5 => drop(b.let_register(Ty::Bool, &format!("{place}.cas({other} -> {value})"))),
        6 => drop(b.let_register(cell.ty.clone(), &format!("{place}.swap({value})"))),
        _ if matches!(cell.ty, Ty::Num(..)) => {
            drop(b.let_register(cell.ty.clone(), &format!("{place}.fetch_or(0)")));
        }
        _ => drop(b.let_register(cell.ty.clone(), &format!("{place}.ll()"))),
    }
    let n = 1 + b.random.below(2);
    let body = b.region(Place::Then, |b| (0..n).for_each(|_| effect(b)));
    b.line(format!("then {body}"));
    true
}

/// Something on abstract state that does not wait.
fn effect(b: &mut Builder) {
    if b.random.percent(40) && b.may_nest() {
        let leaves = Leaves { abstracts: b.random.percent(30), ..Leaves::REGISTERS };
        let condition = b.condition(leaves, 0);
        let body = b.block_of(write_one);
        b.line(format!("if {condition} {body}"));
    } else {
        write_one(b);
    }
}

fn write_one(b: &mut Builder) {
    let is_ghost = b.random.percent(40);
    let done = if is_ghost { super::abstracts::ghost(b) } else { super::abstracts::write(b) };
    if !done {
        b.line("skip");
    }
}

/// A store with what happens when it is issued.
fn issued(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let Some(cell) = pick_shared(b, Kind::Cell, &|_| true) else { return false };
    let (place, value) = (b.place(&cell, Leaves::REGISTERS), b.expr(&cell.ty, Leaves::REGISTERS, 1));
    match b.random.percent(30) {
        true => b.line(format!("{place}.store({value}, release)")),
        false => b.line(format!("{place} = {value}")),
    }
    let n = 1 + b.random.below(2);
    let body = b.region(Place::Then, |b| (0..n).for_each(|_| effect(b)));
    b.line(format!("when issued {body}"));
    true
}
