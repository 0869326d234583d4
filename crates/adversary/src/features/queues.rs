//! Queues: pushed, popped, full and empty.

use super::abstracts::{read, write};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Place, Ty};

/// See the head of this file.
pub(super) const QUEUES: Feature = Feature {
    name: "queues",
    prepare,
    statements: &[(3, write), (2, read), (3, push), (3, take), (2, top), (1, push_cell)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    for _ in 0..1 + b.random.below(2) {
        let element = if b.random.percent(70) { Ty::Num(0, 1) } else { Ty::Bool };
        b.declare(Kind::Abstract, Ty::Queue(Box::new(element)), None);
    }
}

fn queue(b: &mut Builder) -> Option<(String, Ty)> {
    if !b.may_touch_abstract() {
        return None;
    }
    let leaves = Leaves { abstracts: true, ..Leaves::REGISTERS };
    match b.leaf(leaves, &|ty| matches!(ty, Ty::Queue(_)))? {
        (text, Ty::Queue(element)) => Some((text, *element)),
        _ => None,
    }
}

/// One element more, if there is room, or whether or not.
fn push(b: &mut Builder) -> bool {
    let Some((text, element)) = queue(b) else { return false };
    let value = b.expr(&element, Leaves::REGISTERS, 1);
    let waits = b.is_free() && b.random.percent(60);
    let push = format!("{text} = push({text}, {value})");
    b.line(if waits { format!("atomic {{ assume size({text}) < 2; {push} }}") } else { push });
    true
}

/// The oldest element is waited for and taken out.
fn take(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let Some((text, element)) = queue(b) else { return false };
    let first = b.constant(&element);
    let name = b.let_register(element, &first);
    let body = b.region(Place::Atomic, |b| {
        if b.random.percent(85) {
            b.line(format!("assume size({text}) > 0"));
        }
        b.line(format!("{name} = top({text})"));
        b.line(format!("{text} = pop({text})"));
    });
    b.line(format!("atomic {body}"));
    true
}

fn top(b: &mut Builder) -> bool {
    let Some((text, element)) = queue(b) else { return false };
    let value = if b.random.percent(70) { format!("top({text})") } else { b.constant(&element) };
    super::basic::into_register(b, &element, &value);
    true
}

/// An element that comes from memory.
fn push_cell(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let Some(cell) = super::basic::pick_shared(b, Kind::Cell, &|ty| *ty == Ty::Num(0, 1)) else { return false };
    let Some((text, Ty::Num(..))) = queue(b) else { return false };
    let place = b.place(&cell, Leaves::REGISTERS);
    let name = b.let_register(cell.ty.clone(), &place);
    b.line(format!("{text} = push({text}, {name})"));
    true
}
