//! Several properties at once, of every kind, beside accesses that are pending.

use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file.
pub(super) const PROPERTIES: Feature = Feature {
    name: "properties",
    prepare,
    statements: &[(3, labelled), (2, super::abstracts::ghost), (1, assertion)],
    finish: nothing,
    properties,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    b.declare(Kind::Ghost, Ty::Num(0, 1), None);
}

/// A statement with a label.
fn labelled(b: &mut Builder) -> bool {
    if !b.is_free() || !b.scope.in_thread {
        return false;
    }
    let at = b.lines.len();
    let label = b.fresh("l");
    b.scope.labels.push(label.clone());
    b.statement();
    match b.lines.get_mut(at) {
        Some(line) if !line.starts_with('@') => *line = format!("@{label} {line}"),
        _ => b.line(format!("@{label} skip")),
    }
    true
}

fn assertion(b: &mut Builder) -> bool {
    let condition = b.likely(Leaves::REGISTERS);
    b.line(format!("assert {condition}"));
    true
}

fn properties(b: &mut Builder) {
    if b.random.percent(20) {
        b.write_thrice();
    }
    for _ in 0..2 + b.random.below(3) {
        let text = match b.random.below(4) {
            0 => format!("forbid {}: not {}", b.fresh("f"), b.likely(Leaves::PROPERTY)),
            1 => format!("cover {}: {}", b.fresh("k"), b.condition(Leaves::PROPERTY, 2)),
            _ => format!("invariant {}: {}", b.fresh("i"), b.likely(Leaves::PROPERTY)),
        };
        b.items.push(text);
    }
    if b.random.percent(30) {
        let (name, who) = (b.fresh("h"), b.condition(Leaves::PROPERTY, 1));
        b.items.push(format!("predicate {name}(x: 0..1): x == 1 or {who}"));
        let invariant = b.fresh("i");
        b.items.push(format!("invariant {invariant}: all x in 0..1: {name}(x)"));
    }
}
