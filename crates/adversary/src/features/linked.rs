//! Load-linked and store-conditional.

use super::basic::{fence, into_register, pick_shared, shared_place};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file.
pub(super) const LINKED: Feature = Feature {
    name: "linked",
    prepare: nothing,
    statements: &[(5, linked), (5, conditional), (4, pair), (1, retried), (1, fence)],
    finish: nothing,
    properties: nothing,
};

fn linked(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Cell, Builder::is_free) else { return false };
    let order = b.random.pick(&["", "", "acquire"]);
    into_register(b, &shared.ty, &format!("{place}.ll({order})"));
    true
}

fn conditional(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Cell, Builder::is_free) else { return false };
    let value = b.expr(&shared.ty, Leaves::REGISTERS, 1);
    let order = b.random.pick(&["", "", ", release"]);
    into_register(b, &Ty::Bool, &format!("{place}.sc({value}{order})"));
    true
}

/// Both on one cell.
fn pair(b: &mut Builder) -> bool {
    let Some((shared, place)) = shared_place(b, Kind::Cell, Builder::is_free) else { return false };
    b.let_register(shared.ty.clone(), &format!("{place}.ll()"));
    if b.random.percent(30) {
        b.statement();
    }
    let value = b.expr(&shared.ty, Leaves::REGISTERS, 1);
    into_register(b, &Ty::Bool, &format!("{place}.sc({value})"));
    true
}

/// Again and again until it succeeds.
fn retried(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let Some(shared) = pick_shared(b, Kind::Cell, &|_| true) else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let was = std::mem::replace(&mut b.scope.in_loop, true);
    let body = b.block_of(|b| {
        b.let_register(shared.ty.clone(), &format!("{place}.ll()"));
        let value = b.expr(&shared.ty, Leaves::REGISTERS, 1);
        b.line(format!("if {place}.sc({value}) {{ break }}"));
    });
    b.scope.in_loop = was;
    b.line(format!("loop {body}"));
    true
}
