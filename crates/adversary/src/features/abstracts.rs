//! Steps on abstract state beside accesses to memory, and ghosts.

use super::basic::{into_register, shared_place};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Place, Ty};

/// See the head of this file.
pub(super) const ABSTRACTS: Feature = Feature {
    name: "abstracts",
    prepare,
    statements: &[(4, write), (3, read), (3, ghost), (3, atomic), (2, both)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    for _ in 0..1 + b.random.below(2) {
        let ty = b.small_type();
        let count = b.random.percent(20).then_some(2);
        b.declare(Kind::Abstract, ty, count);
    }
    if b.random.percent(70) {
        b.declare(Kind::Ghost, Ty::Num(0, 1), None);
    }
}

/// Writes a variable of abstract state.
pub(crate) fn write(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Abstract, Builder::may_touch_abstract) else { return false };
    let leaves = Leaves { abstracts: b.random.percent(40), ..Leaves::REGISTERS };
    let value = b.expr(&shared.ty, leaves, 1);
    let unordered = b.perhaps_unordered();
    b.line(format!("{unordered}{place} = {value}"));
    true
}

/// Reads a variable of abstract state into a register.
pub(crate) fn read(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Abstract, Builder::may_touch_abstract) else { return false };
    into_register(b, &shared.ty, &place);
    true
}

/// Writes a ghost.
pub(crate) fn ghost(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Ghost, Builder::may_touch_abstract) else { return false };
    let leaves = Leaves { ghosts: b.random.percent(40), ..Leaves::REGISTERS };
    let value = b.expr(&shared.ty, leaves, 1);
    b.line(format!("{place} = {value}"));
    true
}

/// Several things on abstract state in one step.
fn atomic(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let n = 1 + b.random.below(3);
    let body = b.region(Place::Atomic, |b| (0..n).for_each(|_| b.statement()));
    let unordered = b.perhaps_unordered();
    b.line(format!("{unordered}atomic {body}"));
    true
}

/// A store and then abstract state that says so: the order of the two is what others see.
fn both(b: &mut Builder) -> bool {
    let Some((cell, place)) = shared_place(b, Kind::Cell, Builder::is_free) else { return false };
    let value = b.expr(&cell.ty, Leaves::REGISTERS, 1);
    b.line(format!("{place} = {value}"));
    if b.random.percent(20) {
        b.line("perform");
    }
    write(b)
}
