//! Values at the edges of ranges, arithmetic that leaves them, words, narrow registers that receive wide cells.

use super::basic::{into_register, pick_shared};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Ty};

/// See the head of this file.
pub(super) const RANGES: Feature = Feature {
    name: "ranges",
    prepare,
    statements: &[(4, wide), (4, narrow), (2, word), (2, fetch), (1, condition)],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.wild = 25;
    b.n_statements = 3;
    if b.random.percent(50) && !b.has_pair {
        b.has_pair = true;
        b.items.push("word Pair { low: 0..1, up: bool }".into());
        b.declare(Kind::Cell, Ty::Pair, None);
    }
    for _ in 0..2 {
        let ty = wide_type(b);
        let kind = if b.random.percent(70) { Kind::Cell } else { Kind::Abstract };
        b.declare(kind, ty, None);
    }
    if b.random.percent(30) {
        b.declare(Kind::Ghost, Ty::Num(0, 2), None);
    }
}

fn wide_type(b: &mut Builder) -> Ty {
    match b.random.below(7) {
        0 => Ty::Num(-1, 1),
        1 => Ty::Num(0, 3),
        2 => Ty::Num(2_147_483_645, 2_147_483_647),
        3 => Ty::Num(-2_147_483_647, -2_147_483_645),
        4 => Ty::Num(0, 2_147_483_647),
        5 => Ty::Num(-3, 70),
        _ => Ty::Num(-2_147_483_647, 2_147_483_647),
    }
}

/// A register of a wide type.
fn wide(b: &mut Builder) -> bool {
    let ty = wide_type(b);
    let leaves = b.leaves();
    let value = b.expr(&ty, leaves, 2);
    b.let_register(ty, &value);
    true
}

/// A narrow register gets what a wider cell or variable holds.
fn narrow(b: &mut Builder) -> bool {
    let kind = if b.may_touch_memory() && b.random.percent(70) { Kind::Cell } else { Kind::Abstract };
    if kind == Kind::Abstract && !b.may_touch_abstract() {
        return false;
    }
    let Some(shared) = pick_shared(b, kind, &|ty| matches!(ty, Ty::Num(..))) else { return false };
    let Ty::Num(low, high) = shared.ty else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let value = match b.random.below(4) {
        0 if kind == Kind::Cell => format!("{place}.swap({})", b.number(low, high, Leaves::REGISTERS, 0)),
        1 if kind == Kind::Cell => {
            let (from, to) = (b.number(low, high, Leaves::REGISTERS, 0), b.number(low, high, Leaves::REGISTERS, 0));
            format!("{place}.cas_old({from} -> {to})")
        }
        _ => place,
    };
    let ty = match b.random.below(3) {
        0 => Ty::Num(low, (high - 1).max(low)),
        1 => Ty::Num((low + 1).min(high), high),
        _ => Ty::Num(0, 1),
    };
    b.let_register(ty, &value);
    true
}

fn word(b: &mut Builder) -> bool {
    if !b.has_pair || !b.may_touch_memory() {
        return false;
    }
    let Some(shared) = pick_shared(b, Kind::Cell, &|ty| *ty == Ty::Pair) else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let low = match b.has_number(Leaves::REGISTERS) && b.random.percent(40) {
        true => b.wild_number(Leaves::REGISTERS, 1),
        false => b.number(0, 1, Leaves::REGISTERS, 1),
    };
    let up = b.condition(Leaves::REGISTERS, 0);
    b.line(format!("{place} = Pair({low}, {up})"));
    true
}

fn fetch(b: &mut Builder) -> bool {
    if !b.may_touch_memory() {
        return false;
    }
    let Some(shared) = pick_shared(b, Kind::Cell, &|ty| matches!(ty, Ty::Num(..))) else { return false };
    let place = b.place(&shared, Leaves::REGISTERS);
    let method = b.random.pick(&["fetch_add", "fetch_and", "fetch_or"]);
    let value =
        if b.has_number(Leaves::REGISTERS) { b.wild_number(Leaves::REGISTERS, 1) } else { b.constant(&shared.ty) };
    into_register(b, &shared.ty, &format!("{place}.{method}({value})"));
    true
}

/// A condition that may have no value.
fn condition(b: &mut Builder) -> bool {
    let leaves = b.leaves();
    let (left, right) = (b.wild_number(leaves, 2), b.wild_number(leaves, 1));
    let operator = b.random.pick(&["==", "<", ">=", "!="]);
    let (word, name) = (b.random.pick(&["assert", "cover"]), b.fresh("s"));
    b.line(format!("{word} {name}: {left} {operator} {right}"));
    true
}
