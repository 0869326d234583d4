//! `directly`, `stop_the_world` with safepoints, the bus lock, `perform`.

use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Place, Ty};

/// See the head of this file.
pub(super) const REGIONS: Feature = Feature {
    name: "regions",
    prepare,
    statements: &[
        (3, directly),
        (2, stop_the_world),
        (2, safepoint),
        (3, locked),
        (1, lock),
        (2, perform),
        (2, atomic),
    ],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    if b.random.percent(30) {
        b.declare(Kind::Ghost, Ty::Bool, None);
    }
}

fn region(b: &mut Builder, word: &str, place: Place) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let n = 1 + b.random.below(2);
    let body = b.region(place, |b| (0..n).for_each(|_| b.statement()));
    let unordered = if word == "stop_the_world" { "" } else { b.perhaps_unordered() };
    b.line(format!("{unordered}{word} {body}"));
    true
}

fn directly(b: &mut Builder) -> bool {
    region(b, "directly", Place::Direct)
}

fn atomic(b: &mut Builder) -> bool {
    region(b, "atomic", Place::Atomic)
}

fn stop_the_world(b: &mut Builder) -> bool {
    region(b, "stop_the_world", Place::Direct)
}

fn safepoint(b: &mut Builder) -> bool {
    if b.is_free() {
        b.line("safepoint");
    }
    b.is_free()
}

fn perform(b: &mut Builder) -> bool {
    if b.is_free() {
        b.line("perform");
    }
    b.is_free()
}

/// A few statements with the bus held.
fn locked(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let unordered = b.perhaps_unordered();
    b.line(format!("{unordered}lock"));
    for _ in 0..1 + b.random.below(2) {
        b.statement();
    }
    b.line("unlock");
    true
}

/// The bus taken or freed, rightly or not.
fn lock(b: &mut Builder) -> bool {
    if !b.is_free() {
        return false;
    }
    let word = b.random.pick(&["lock", "unlock", "lock"]);
    b.line(word);
    true
}
