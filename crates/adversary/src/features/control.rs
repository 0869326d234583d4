//! Loops, `break`, `continue`, procedures, `each`, `choose`, `stop`.

use super::basic::{into_register, pick_shared};
use super::{Feature, nothing};
use crate::generate::{Builder, Kind, Leaves, Local, Place, Ty};

/// See the head of this file.
pub(super) const CONTROL: Feature = Feature {
    name: "control",
    prepare,
    statements: &[
        (2, repeat),
        (2, while_loop),
        (2, each),
        (2, choose),
        (2, choose_value),
        (3, call),
        (7, leave_loop),
        (1, stop),
        (1, spin),
        (1, skip),
    ],
    finish: nothing,
    properties: nothing,
};

fn prepare(b: &mut Builder) {
    b.n_statements = 3;
    if !b.has_hue && b.random.percent(60) {
        b.has_hue = true;
        b.items.push("enum Hue { Red, Green, Blue }".into());
    }
    if b.random.percent(50) {
        let ty = if b.has_hue { Ty::Hue } else { Ty::Num(0, 2) };
        let init = b.constant(&ty);
        let name = b.fresh("z");
        b.items.push(format!("register {name}: {} = {init}", ty.text()));
        b.registers.push(Local { name, ty, is_assignable: true });
    }
    if b.random.percent(40) {
        b.declare(Kind::Abstract, Ty::Num(0, 1), None);
    }
    for _ in 0..1 + b.random.below(2) {
        let has_abstract = b.shared.iter().any(|s| s.kind == Kind::Abstract);
        let touches = match b.random.below(3) {
            0 => None,
            1 if has_abstract => Some(Kind::Abstract),
            _ => Some(Kind::Cell),
        };
        b.write_proc(touches);
    }
}

/// A loop that ends, or loops by way of memory: one that touches nothing spins.
pub(crate) fn polling(b: &mut Builder, rest: usize) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let Some(shared) = pick_shared(b, Kind::Cell, &|ty| ty.fits_memory()) else { return false };
    let was = std::mem::replace(&mut b.scope.in_loop, true);
    let body = b.block_of(|b| {
        let place = b.place(&shared, Leaves::REGISTERS);
        into_register(b, &shared.ty, &place);
        for _ in 0..rest {
            b.statement();
        }
        let condition = b.condition(Leaves::REGISTERS, 0);
        b.line(format!("if {condition} {{ break }}"));
    });
    b.scope.in_loop = was;
    b.line(format!("loop {body}"));
    true
}

fn repeat(b: &mut Builder) -> bool {
    let rest = b.random.below(2);
    polling(b, rest)
}

fn while_loop(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let leaves = Leaves { memory: true, ..Leaves::REGISTERS };
    let Some((text, ty)) = b.leaf(leaves, &|ty| matches!(ty, Ty::Num(0, _))) else { return false };
    // Only a condition that loads makes every turn a step.
    if b.scope.locals.iter().any(|l| text == l.name) {
        return false;
    }
    let value = b.constant(&ty);
    let was = std::mem::replace(&mut b.scope.in_loop, true);
    let n = 1 + b.random.below(2);
    let body = b.block(n);
    b.scope.in_loop = was;
    b.line(format!("while {text} == {value} {body}"));
    true
}

fn each(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let name = b.fresh("x");
    let (ty, low) = match b.random.below(3) {
        0 if b.has_hue => (Ty::Hue, None),
        1 => (Ty::Bool, None),
        _ => (Ty::Num(0, 1), Some(0)),
    };
    let was = std::mem::replace(&mut b.scope.in_loop, low.is_some());
    let body = b.block_of(|b| {
        b.know(Local { name: name.clone(), ty: ty.clone(), is_assignable: false });
        b.statement();
    });
    b.scope.in_loop = was;
    b.line(format!("each {name} in {} {body}", ty.text()));
    true
}

fn choose(b: &mut Builder) -> bool {
    if !b.may_nest() {
        return false;
    }
    let blocks: Vec<String> = (0..2).map(|_| b.block(1)).collect();
    b.line(format!("choose {}", blocks.join(" or ")));
    true
}

fn choose_value(b: &mut Builder) -> bool {
    let ty = b.small_type();
    let value = format!("choose {}", ty.text());
    into_register(b, &ty, &value);
    true
}

/// A call of a procedure that may stand here.
fn call(b: &mut Builder) -> bool {
    let place = b.scope.place;
    let may = |touches: Option<Kind>| match touches {
        None => true,
        Some(Kind::Abstract) => matches!(place, Place::Free | Place::Atomic | Place::Then | Place::Direct),
        Some(_) => matches!(place, Place::Free),
    };
    let procs: Vec<_> = b.procs.iter().filter(|p| may(p.touches)).cloned().collect();
    if procs.is_empty() || !b.scope.in_thread {
        return false;
    }
    let proc = procs[b.random.below(procs.len())].clone();
    let arguments: Vec<String> = proc.params.iter().map(|ty| b.expr(ty, Leaves::REGISTERS, 1)).collect();
    let call = format!("{}({})", proc.name, arguments.join(", "));
    match &proc.result {
        Some(ty) if b.random.percent(80) => drop(into_register(b, ty, &call)),
        _ => b.line(call),
    }
    true
}

fn leave_loop(b: &mut Builder) -> bool {
    if !b.scope.in_loop {
        return false;
    }
    let condition = b.condition(Leaves::REGISTERS, 0);
    let word = b.random.pick(&["break", "continue", "continue"]);
    b.line(format!("if {condition} {{ {word} }}"));
    true
}

/// A loop that touches nothing: one that a choice or a condition leads into, or one that a choice leads out of.
fn spin(b: &mut Builder) -> bool {
    if !b.is_free() || !b.may_nest() {
        return false;
    }
    let endless = "{ loop { skip } }";
    match b.random.below(3) {
        0 => {
            let other = b.block(1);
            b.line(format!("choose {other} or {endless}"));
        }
        1 => {
            let condition = b.condition(Leaves::REGISTERS, 0);
            b.line(format!("if {condition} {endless}"));
        }
        _ => {
            let was = std::mem::replace(&mut b.scope.in_loop, true);
            let out = b.block_of(|b| {
                b.statement();
                b.line("break");
            });
            b.scope.in_loop = was;
            b.line(format!("loop {{ choose {out} or {{ skip }} }}"));
        }
    }
    true
}

fn stop(b: &mut Builder) -> bool {
    if !b.is_free() || b.scope.depth == 0 || !b.scope.in_thread {
        return false;
    }
    b.line("stop");
    true
}

fn skip(b: &mut Builder) -> bool {
    b.line("skip");
    true
}
