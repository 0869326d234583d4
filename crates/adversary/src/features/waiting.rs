//! `assume` on registers and in regions, `choose in` of sets that may be empty, deadlocks.

use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Place, Ty};

/// See the head of this file.
pub(super) const WAITING: Feature = Feature {
    name: "waiting",
    prepare,
    statements: &[(3, assume), (4, wait), (1, assume_abstract), (2, choose_in), (2, discard)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    for _ in 0..1 + b.random.below(2) {
        b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    }
    if b.random.percent(40) {
        b.declare(Kind::Abstract, Ty::Set(Box::new(Ty::Num(0, 1))), None);
    }
}

fn assume(b: &mut Builder) -> bool {
    if b.scope.place == Place::Then {
        return false;
    }
    let leaves = Leaves { memory: b.is_free() && b.random.percent(30), ..Leaves::REGISTERS };
    let condition = b.likely(leaves);
    b.line(format!("assume {condition}"));
    true
}

/// A region that waits for a condition and then changes it.
fn wait(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let (word, place) =
        *b.random.pick(&[&("atomic", Place::Atomic), &("atomic", Place::Atomic), &("directly", Place::Direct)]);
    let n = b.random.below(2) + 1;
    let body = b.region(place, |b| {
        let leaves = b.leaves();
        let condition = b.condition(leaves, 1);
        b.line(format!("assume {condition}"));
        for _ in 0..n {
            b.statement();
        }
    });
    b.line(format!("{word} {body}"));
    true
}

fn assume_abstract(b: &mut Builder) -> bool {
    if b.scope.place == Place::Then || !b.may_touch_abstract() {
        return false;
    }
    let leaves = Leaves { abstracts: true, ..Leaves::REGISTERS };
    let condition = b.condition(leaves, 1);
    b.line(format!("assume {condition}"));
    true
}

fn choose_in(b: &mut Builder) -> bool {
    if b.scope.place == Place::Then || !b.may_touch_abstract() {
        return false;
    }
    let element = Ty::Num(0, 1);
    let leaves = Leaves { abstracts: true, ..Leaves::REGISTERS };
    let set = Ty::Set(Box::new(element.clone()));
    let Some((text, _)) = b.leaf(leaves, &|ty| *ty == set) else { return false };
    b.let_register(element, &format!("choose in {text}"));
    true
}

/// A run that is not to be looked at.
fn discard(b: &mut Builder) -> bool {
    if b.scope.place == Place::Then {
        return false;
    }
    let leaves = b.leaves();
    let condition = b.likely(leaves);
    b.line(format!("discard unless {condition}"));
    true
}
