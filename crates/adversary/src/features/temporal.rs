//! Temporal properties, fair and not, of programs with and without loops.

use super::control::polling;
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Ty};

/// See the head of this file.
pub(super) const TEMPORAL: Feature = Feature {
    name: "temporal",
    prepare,
    statements: &[(3, poll), (2, super::abstracts::write)],
    finish: nothing,
    properties,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 2;
    if b.random.percent(50) {
        b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    }
}

fn poll(b: &mut Builder) -> bool {
    polling(b, 0)
}

fn properties(b: &mut Builder) {
    if b.random.percent(35) {
        b.write_thrice();
    }
    for _ in 0..1 + b.random.below(2) {
        let text = b.temporal();
        b.items.push(text);
    }
}
