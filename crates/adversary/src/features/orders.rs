//! Memory orders, fences, and operations that read and write.

use super::basic::{into_register, pick_shared};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Shared, Ty};

/// See the head of this file.
pub(super) const ORDERS: Feature = Feature {
    name: "orders",
    prepare: nothing,
    statements: &[(4, fence), (4, load), (4, store), (3, cas), (2, cas_old), (2, swap), (2, fetch), (1, branch)],
    finish: nothing,
    properties: nothing,
};

fn target(b: &mut Builder, wanted: &dyn Fn(&Ty) -> bool) -> Option<(Shared, String)> {
    if !b.may_touch_memory() {
        return None;
    }
    let shared = pick_shared(b, Kind::Cell, wanted)?;
    let place = b.place(&shared, Leaves::REGISTERS);
    Some((shared, place))
}

fn fence(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let kind = b.random.pick(&["full", "acquire", "release", "store_store", "none"]);
    b.line(format!("fence {kind}"));
    true
}

fn load(b: &mut Builder) -> bool {
    let Some((shared, place)) = target(b, &|_| true) else { return false };
    let order = b.random.pick(&["acquire", "seq_cst", "relaxed"]);
    into_register(b, &shared.ty, &format!("{place}.load({order})"));
    true
}

fn store(b: &mut Builder) -> bool {
    let Some((shared, place)) = target(b, &|_| true) else { return false };
    let value = b.expr(&shared.ty, Leaves::REGISTERS, 1);
    let order = b.random.pick(&["release", "seq_cst", "relaxed"]);
    b.line(format!("{place}.store({value}, {order})"));
    true
}

/// The orders of an operation that reads and writes, if any are written.
fn orders(b: &mut Builder) -> String {
    match b.random.below(3) {
        0 => String::new(),
        _ => format!(", {}", b.random.pick(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"])),
    }
}

fn exchange(b: &mut Builder, method: &str) -> Option<(String, Ty)> {
    let (shared, place) = target(b, &|_| true)?;
    let (from, to) = (b.expr(&shared.ty, Leaves::REGISTERS, 0), b.expr(&shared.ty, Leaves::REGISTERS, 0));
    let mut orders = orders(b);
    if !orders.is_empty() && b.random.percent(40) {
        orders += b.random.pick(&[", relaxed", ", acquire"]);
    }
    Some((format!("{place}.{method}({from} -> {to}{orders})"), shared.ty))
}

fn cas(b: &mut Builder) -> bool {
    let Some((text, _)) = exchange(b, "cas") else { return false };
    if b.random.percent(25) {
        b.line(text);
    } else {
        into_register(b, &Ty::Bool, &text);
    }
    true
}

fn cas_old(b: &mut Builder) -> bool {
    let Some((text, ty)) = exchange(b, "cas_old") else { return false };
    into_register(b, &ty, &text);
    true
}

fn swap(b: &mut Builder) -> bool {
    let Some((shared, place)) = target(b, &|_| true) else { return false };
    let value = b.expr(&shared.ty, Leaves::REGISTERS, 0);
    let orders = orders(b);
    into_register(b, &shared.ty, &format!("{place}.swap({value}{orders})"));
    true
}

fn fetch(b: &mut Builder) -> bool {
    let Some((shared, place)) = target(b, &|ty| matches!(ty, Ty::Num(0, _))) else { return false };
    let (method, value) =
        *b.random.pick(&[&("fetch_add", "0"), &("fetch_and", "1"), &("fetch_or", "1"), &("fetch_and", "0")]);
    let orders = orders(b);
    into_register(b, &shared.ty, &format!("{place}.{method}({value}{orders})"));
    true
}

/// A branch on what an operation finds.
fn branch(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let Some((text, _)) = exchange(b, "cas") else { return false };
    let body = b.block(1);
    b.line(format!("if {text} {body}"));
    true
}
