//! Branches on loads beside loops that poll: what guesses are made of.

use super::basic::fence;
use super::basic::pick_shared;
use super::control::polling;
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file.
pub(super) const SPECULATION: Feature = Feature {
    name: "speculation",
    prepare,
    statements: &[(7, guess), (1, poll), (2, fence)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 2;
    if b.random.percent(25) {
        b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    }
}

fn poll(b: &mut Builder) -> bool {
    polling(b, 0)
}

/// A load, a branch on it, and accesses behind the branch.
fn guess(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let Some(cell) = pick_shared(b, Kind::Cell, &|ty| matches!(ty, Ty::Num(..) | Ty::Bool)) else { return false };
    let place = b.place(&cell, Leaves::REGISTERS);
    let condition = match &cell.ty {
        Ty::Bool => place,
        ty => {
            let value = b.constant(ty);
            let operator = b.random.pick(&["==", "!="]);
            format!("{place} {operator} {value}")
        }
    };
    let n = 1 + b.random.below(2);
    let body = b.block(n);
    let otherwise = if b.random.percent(25) { format!(" else {}", b.block(1)) } else { String::new() };
    b.line(format!("if {condition} {body}{otherwise}"));
    true
}
