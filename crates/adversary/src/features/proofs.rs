//! Steps that wait behind what they have done: whoever takes `assume` for a part of the step before it proves too much.

use super::basic::pick_shared;
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file. It has a profile, and other profiles do not draw it.
pub(crate) const PROOFS: Feature =
    Feature { name: "proofs", prepare, statements: &[(6, taken), (3, done)], finish: nothing, properties: nothing };

fn prepare(b: &mut Builder) {
    b.n_statements = 2;
    b.declare(Kind::Cell, Ty::Num(0, 2), None);
    b.declare(Kind::Abstract, Ty::Num(0, 1), None);
}

/// An operation that reads and writes, and an assumption about what it has found.
fn taken(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let Some(cell) = pick_shared(b, Kind::Cell, &|ty| matches!(ty, Ty::Num(..))) else { return false };
    let place = b.place(&cell, Leaves::REGISTERS);
    let (found, other, new) = (b.constant(&cell.ty), b.constant(&cell.ty), b.constant(&cell.ty));
    let (ty, operation, expected) = match b.random.below(4) {
        0 => (Ty::Bool, format!("{place}.cas({other} -> {new})"), "false".to_string()),
        1 => (cell.ty.clone(), format!("{place}.cas_old({other} -> {new})"), found),
        2 => (cell.ty.clone(), format!("{place}.fetch_or({new})"), found),
        _ => (cell.ty.clone(), format!("{place}.swap({new})"), found),
    };
    let register = b.let_register(ty, &operation);
    b.line(format!("assume {register} == {expected}"));
    true
}

/// A step of any kind, and something that waits forever.
fn done(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let (cell, other) = (pick_shared(b, Kind::Cell, &|_| true), pick_shared(b, Kind::Abstract, &|_| true));
    let (Some(cell), Some(other)) = (cell, other) else { return false };
    let written = [cell, other].map(|shared| {
        let (place, value) = (b.place(&shared, Leaves::REGISTERS), b.constant(&shared.ty));
        format!("{place} = {value}")
    });
    let [stored, set] = written;
    let step = match b.random.below(5) {
        0 => set,
        1 => format!("atomic {{ {set} }}"),
        2 => format!("directly {{ {stored} }}"),
        3 => format!("{stored}\nthen {{ {set} }}"),
        _ => stored,
    };
    b.line(step);
    let wait = b.random.pick(&["assume false", "choose { assume false } or { assume false }"]);
    b.line(wait);
    true
}
