//! Objects in a heap, null, fields by way of pointers: address dependencies.

use super::basic::into_register;
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Shared, Ty};

/// See the head of this file.
pub(super) const REFERENCES: Feature = Feature {
    name: "references",
    prepare,
    statements: &[(5, load_field), (5, store_field), (4, pointer), (2, store_pointer)],
    finish: nothing,
    properties,
};

/// Declares `Node` with its fields and the two objects there are.
pub(crate) fn declare_nodes(b: &mut Builder) {
    if b.has_nodes {
        return;
    }
    b.has_nodes = true;
    let (first, second) = (b.random.below(2), b.random.pick(&["na", "nb", "null"]));
    let array = b.random.percent(30);
    let data = if array { "data[0..1]" } else { "data" };
    b.items.push(format!("object Node {{ {data}: 0..1 = {first}, next: Node? = {second} }}"));
    b.items.push(b.random.pick(&["heap { na: Node; nb: Node }", "heap { na: Node { data = 1 }  nb: Node }"]).into());
    let count = array.then_some(2);
    let field = |name: &str, ty: Ty, count: Option<i64>| Shared {
        name: name.into(),
        kind: Kind::Cell,
        ty,
        count,
        is_field: true,
    };
    b.shared.push(field("data", Ty::Num(0, 1), count));
    b.shared.push(field("next", Ty::Node(true), None));
}

fn prepare(b: &mut Builder) {
    declare_nodes(b);
    b.n_statements = 3;
    let nullable = b.random.percent(50);
    b.declare(Kind::Cell, Ty::Node(nullable), None);
    if b.random.percent(30) {
        b.declare(Kind::Abstract, Ty::Node(true), None);
    }
    if b.random.percent(20) {
        b.declare(Kind::Abstract, Ty::Set(Box::new(Ty::Node(false))), None);
    }
}

/// Any field of an object, and a place to find it at, if memory may be touched here.
fn field_in_memory(b: &mut Builder, percent: usize) -> Option<(Shared, String)> {
    let fields: Vec<Shared> = b.shared.iter().filter(|s| s.is_field).cloned().collect();
    if !b.may_touch_memory() || fields.is_empty() {
        return None;
    }
    let field = fields[b.random.below(fields.len())].clone();
    let leaves = Leaves { memory: b.random.percent(percent), ..Leaves::REGISTERS };
    let place = b.place(&field, leaves);
    Some((field, place))
}

fn load_field(b: &mut Builder) -> bool {
    let Some((field, place)) = field_in_memory(b, 50) else { return false };
    into_register(b, &field.ty, &place);
    true
}

fn store_field(b: &mut Builder) -> bool {
    let Some((field, place)) = field_in_memory(b, 40) else { return false };
    let value = b.expr(&field.ty, Leaves::REGISTERS, 1);
    b.line(format!("{place} = {value}"));
    true
}

/// A register that points to an object.
fn pointer(b: &mut Builder) -> bool {
    let ty = Ty::Node(b.random.percent(50));
    let leaves = Leaves { memory: b.may_touch_memory() && b.random.percent(70), ..Leaves::REGISTERS };
    let value = b.expr(&ty, leaves, 0);
    into_register(b, &ty, &value);
    true
}

fn store_pointer(b: &mut Builder) -> bool {
    if !b.may_touch_memory() {
        return false;
    }
    let is_pointer = |ty: &Ty| matches!(ty, Ty::Node(_));
    let Some(shared) = super::basic::pick_shared(b, Kind::Cell, &is_pointer) else { return false };
    let (place, value) = (b.place(&shared, Leaves::REGISTERS), b.expr(&shared.ty, Leaves::REGISTERS, 0));
    b.line(format!("{place} = {value}"));
    true
}

fn properties(b: &mut Builder) {
    if b.random.percent(50) {
        let (name, data) = (b.fresh("i"), b.random.below(2));
        let array = b.shared.iter().any(|s| s.is_field && s.count.is_some());
        let place = if array { "o.data[0]" } else { "o.data" };
        b.items
            .push(format!("invariant {name}: all o in Node: (o.next == null or {place} == {data} or reaches(o, na))"));
    }
}
