//! The points of a thread as text, one line each.

use super::exprs::{domain, local, term};
use crate::action::{Access, Action, Address, AddressTerm, CasResult, FetchOp, Op, Region, Wait};
use crate::automaton::{Automaton, Kept, Point, PointId, RegId};
use crate::collection::Automata;
use crate::expr::Expr;
use base::table::Id;
use memory::Order;
use std::fmt::Write;

/// Every region with how it is written.
pub(in crate::text) const REGIONS: [(Region, &str); 7] = [
    (Region::Atomic(Wait::Performed), "atomic"),
    (Region::Atomic(Wait::Walls), "unordered atomic"),
    (Region::Then, "then"),
    (Region::Issued, "when issued"),
    (Region::Direct(Wait::Performed), "directly"),
    (Region::Direct(Wait::Walls), "unordered directly"),
    (Region::StopTheWorld, "stop_the_world"),
];

fn region_name(region: Region) -> &'static str {
    REGIONS.iter().find(|(listed, _)| *listed == region).map_or("", |(_, name)| name)
}

pub(super) fn automaton(automata: &Automata, automaton: &Automaton, out: &mut String) {
    for (id, register) in automaton.registers.iter() {
        let observed = if automaton.observed.contains(&id) { " observed" } else { "" };
        let init = if register.init == 0 { String::new() } else { format!(" = {}", register.init) };
        let _ = writeln!(out, "  register {}: {}{init}{observed}", register.name, domain(register.domain));
    }
    if automaton.entry.index() != 0 {
        let _ = writeln!(out, "  entry {}", automaton.entry);
    }
    let pairs =
        || automaton.kept.pairs().iter().map(|(older, younger)| format!(" {older}<{younger}")).collect::<String>();
    let _ = match automaton.kept {
        Kept::Nothing => Ok(()),
        Kept::Pairs(_) => writeln!(out, "  keeps{}", pairs()),
        Kept::AllBut(_) => writeln!(out, "  keeps all but{}", pairs()),
    };
    for (id, point) in automaton.points.iter() {
        let _ = writeln!(out, "  {}", line(automata, automaton, id, point));
    }
}

/// One point: id, labels, action, where it goes unless to the next, procedures.
fn line(automata: &Automata, automaton: &Automaton, id: PointId, point: &Point) -> String {
    let mut text = format!("{id}: ");
    for label in &point.labels {
        let _ = write!(text, "@{label} ");
    }
    text.push_str(&action(automata, automaton, &point.action));
    let continues =
        !matches!(point.action, Action::Branch { .. } | Action::Choose(_) | Action::Abort(_) | Action::Halt);
    if continues && point.next.index() != id.index() + 1 {
        let _ = write!(text, " -> {}", point.next);
    }
    if !point.procs.is_empty() {
        let _ = write!(text, "  // {}", point.procs.join(" > "));
    }
    text
}

/// An action of a thread.
pub fn action(automata: &Automata, automaton: &Automaton, action: &Action) -> String {
    let expr = |e: &Expr| local(automaton, e);
    match action {
        Action::Access(a) => access(automata, automaton, a),
        Action::Fence(fence) => format!("fence {}", fence.name()),
        Action::Compute { dst, value } => format!("{} = {}", automaton.registers[*dst].name, expr(value)),
        Action::Branch { condition, then, otherwise } => {
            format!("if {} then {then} else {otherwise}", expr(condition))
        }
        Action::Choose(ways) => {
            let ways: Vec<String> = ways.iter().map(PointId::to_string).collect();
            format!("choose {}", ways.join(" "))
        }
        Action::Assert { condition, property } => {
            format!("assert {}: {}", automata.properties[*property].name, expr(condition))
        }
        Action::Assume(condition) => format!("assume {}", expr(condition)),
        Action::Discard(condition) => format!("discard unless {}", expr(condition)),
        Action::Cover { condition, cover } => format!("cover {}: {}", automata.covers[*cover].name, expr(condition)),
        Action::Safepoint => "safepoint".into(),
        Action::Perform => "perform".into(),
        Action::Enter(region) => format!("enter {}", region_name(*region)),
        Action::Leave => "leave".into(),
        Action::Begin(begin) => {
            let capacity = begin.capacity.map_or(String::new(), |n| format!(" capacity {n}"));
            let name = |register: RegId| automaton.registers[register].name.as_str();
            let results = match (begin.cause, begin.code) {
                (None, None) => String::new(),
                (Some(cause), None) => name(cause).to_string(),
                (cause, Some(code)) => format!("{}, {}", cause.map_or("_", name), name(code)),
            };
            format!("begin{capacity}, abort({results}) -> {}", begin.handler)
        }
        Action::Commit => "commit".into(),
        Action::Abort(code) => format!("abort {code}"),
        Action::Halt => "halt".into(),
    }
}

fn access(automata: &Automata, automaton: &Automaton, access: &Access) -> String {
    let expr = |e: &Expr| local(automaton, e);
    let (name, mut arguments) = match &access.op {
        Op::Load => ("load", Vec::new()),
        Op::Store(value) => ("store", vec![expr(value)]),
        Op::Cas { expected, new, result } => {
            let name = if *result == CasResult::Success { "cas" } else { "cas_old" };
            (name, vec![format!("{} -> {}", expr(expected), expr(new))])
        }
        Op::Swap(value) => ("swap", vec![expr(value)]),
        Op::Fetch(FetchOp::Add, value) => ("fetch_add", vec![expr(value)]),
        Op::Fetch(FetchOp::And, value) => ("fetch_and", vec![expr(value)]),
        Op::Fetch(FetchOp::Or, value) => ("fetch_or", vec![expr(value)]),
        Op::Fetch(FetchOp::Next(next), value) => {
            let states: Vec<String> = next.states.iter().map(ToString::to_string).collect();
            ("next", vec![format!("{} by {} in {}", expr(value), next.n_events, states.join(" "))])
        }
        Op::LoadLinked => ("ll", Vec::new()),
        Op::StoreConditional(value) => ("sc", vec![expr(value)]),
    };
    let is_cas = matches!(access.op, Op::Cas { .. });
    let is_ordered = access.order != Order::Relaxed || (is_cas && access.failure_order != Order::Relaxed);
    if is_ordered {
        arguments.push(access.order.name().into());
    }
    if access.is_plain {
        arguments.push("plain".into());
    }
    if is_ordered && is_cas {
        arguments.push(access.failure_order.name().into());
    }
    let dst = access.dst.map_or(String::new(), |dst| format!("{} = ", automaton.registers[dst].name));
    let after: Vec<&str> = access.after.iter().map(|r| automaton.registers[*r].name.as_str()).collect();
    let after = if after.is_empty() { String::new() } else { format!(" after {}", after.join(", ")) };
    let after = if access.is_elidable { format!("{after} elidable") } else { after };
    format!("{dst}{}.{name}({}){after}", address(automata, automaton, &access.address), arguments.join(", "))
}

fn address(automata: &Automata, automaton: &Automaton, address: &Address) -> String {
    let mut text = automata.cells[address.base].name.clone();
    for AddressTerm { index, stride, count } in &address.terms {
        text.push_str(&term(local(automaton, index), *stride, *count));
    }
    if address.terms.is_empty() { text } else { format!("[{text}]") }
}
