//! Sets: of numbers, variants and objects.

use super::abstracts::{read, write};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Place, Ty};

/// See the head of this file.
pub(super) const SETS: Feature = Feature {
    name: "sets",
    prepare,
    statements: &[(4, write), (3, read), (4, register), (3, take), (2, add_cell)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    if b.random.percent(30) {
        super::references::declare_nodes(b);
    }
    if !b.has_hue && b.random.percent(40) {
        b.has_hue = true;
        b.items.push("enum Hue { Red, Green, Blue }".into());
    }
    for _ in 0..1 + b.random.below(2) {
        let element = element(b);
        b.declare(Kind::Abstract, Ty::Set(Box::new(element)), None);
    }
    if b.random.percent(40) {
        b.declare(Kind::Ghost, Ty::Set(Box::new(Ty::Num(0, 2))), None);
    }
}

fn element(b: &mut Builder) -> Ty {
    match b.random.below(5) {
        0 if b.has_nodes => Ty::Node(false),
        1 if b.has_hue => Ty::Hue,
        2 => Ty::Bool,
        _ => Ty::Num(0, 2),
    }
}

fn register(b: &mut Builder) -> bool {
    let element = element(b);
    let leaves = Leaves { abstracts: b.may_touch_abstract() && b.random.percent(60), ..Leaves::REGISTERS };
    let value = b.set(&element, leaves, 2);
    super::basic::into_register(b, &Ty::Set(Box::new(element)), &value);
    true
}

/// Waits for an element and takes it out.
fn take(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let leaves = Leaves { abstracts: true, ..Leaves::REGISTERS };
    let Some((set, Ty::Set(element))) = b.leaf(leaves, &|ty| matches!(ty, Ty::Set(_))) else { return false };
    let first = b.constant(&element);
    let name = b.let_register((*element).clone(), &first);
    let body = b.region(Place::Atomic, |b| {
        b.line(format!("{name} = choose in {set}"));
        b.line(format!("{set} = {set} without {name}"));
        if b.random.percent(30) {
            b.statement();
        }
    });
    b.line(format!("atomic {body}"));
    true
}

/// An element that comes from memory.
fn add_cell(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let Some(cell) = super::basic::pick_shared(b, Kind::Cell, &|ty| matches!(ty, Ty::Num(0, 1))) else { return false };
    let place = b.place(&cell, Leaves::REGISTERS);
    let name = b.let_register(cell.ty.clone(), &place);
    let set = Ty::Set(Box::new(Ty::Num(0, 2)));
    let Some(shared) = super::basic::pick_shared(b, Kind::Abstract, &|ty| *ty == set) else { return true };
    b.line(format!("{0} = {0} with {name}", shared.name));
    true
}
