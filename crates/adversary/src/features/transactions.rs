//! Transactions: capacity, `abort`, handlers, critical sections whose lock may be elided.

use super::{Feature, nothing};
use crate::generate::{Builder, Leaves, Local, Place, Ty};

/// See the head of this file.
pub(super) const TRANSACTIONS: Feature = Feature {
    name: "transactions",
    prepare,
    statements: &[(6, transaction), (2, abort), (3, critical_section)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 2;
}

fn transaction(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let capacity = match b.random.below(3) {
        0 => format!(" capacity {}", 1 + b.random.below(3)),
        _ => String::new(),
    };
    let n = 1 + b.random.below(3);
    let body = b.region(Place::Transaction, |b| (0..n).for_each(|_| b.statement()));
    let (cause, code) = (b.fresh("cause"), b.fresh("code"));
    let reports = match b.random.below(3) {
        0 => String::new(),
        1 => format!("({cause})"),
        _ => format!("({cause}, {code})"),
    };
    let handler = b.block_of(|b| {
        if reports.contains(',') {
            b.know(Local { name: code.clone(), ty: Ty::Num(0, 255), is_assignable: false });
        }
        if !reports.is_empty() && b.random.percent(60) {
            let name = b.fresh("s");
            let which = b.random.pick(&["Conflict", "Explicit", "Capacity", "Spurious"]);
            let line = format!("assert {name}: {cause} != {which}");
            b.line(line);
        } else {
            b.statement();
        }
    });
    b.line(format!("transaction{capacity} {body} abort{reports} {handler}"));
    true
}

/// A lock is taken, and mostly given back.
fn critical_section(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let (lock, got) = ("lock", b.fresh("got"));
    if b.items.iter().all(|item| !item.starts_with("elidable cell lock")) {
        b.items.push("elidable cell lock: 0..2 = 0".into());
    }
    let take = b.random.pick(&["cas(0 -> 1)", "cas(0 -> 2)", "swap(1) == 0", "fetch_or(1) == 0", "fetch_add(1) == 0"]);
    b.line(format!("let {got} = {lock}.{take}"));
    let n = 1 + b.random.below(3);
    let give = b.random.pick(&["lock = 0", "lock = 0", "lock = 0", "lock.swap(0)", "lock.cas(1 -> 0)", "skip"]);
    let section = b.block_of(|b| {
        (0..n).for_each(|_| b.statement());
        b.line(give);
    });
    b.line(format!("if {got} {section}"));
    true
}

fn abort(b: &mut Builder) -> bool {
    if b.scope.place != Place::Transaction {
        return false;
    }
    let leaves = Leaves { memory: b.random.percent(40), ..Leaves::REGISTERS };
    let condition = b.condition(leaves, 0);
    let code = b.random.pick(&["", " 1", " 7", " 255"]);
    b.line(format!("if {condition} {{ abort{code} }}"));
    true
}
