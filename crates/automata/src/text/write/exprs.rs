//! Expressions as text: one operator between two operands, the rest in brackets.

use crate::automaton::{Automaton, PointId};
use crate::collection::Automata;
use crate::expr::{Domain, Expr, StateExpr, StateLeaf, StatePlace, UnaryOp};

pub(super) fn domain(domain: Domain) -> String {
    format!("{}..{}", domain.low, domain.high)
}

/// An expression over registers.
pub(super) fn local(automaton: &Automaton, expr: &Expr) -> String {
    show(expr, &|register| automaton.registers[*register].name.clone())
}

/// An expression over a state.
pub fn state(automata: &Automata, expr: &StateExpr) -> String {
    show(expr, &|leaf| match leaf {
        StateLeaf::Cell(cell) => automata.cells[*cell].name.clone(),
        StateLeaf::CellAt { base, stride, count, index } => {
            let term = term(state(automata, index), *stride, *count);
            format!("[{}{term}]", automata.cells[*base].name)
        }
        StateLeaf::Register(thread, register) => {
            let thread = &automata.threads[*thread];
            format!("{}.{}", thread.name, thread.automaton.registers[*register].name)
        }
        StateLeaf::At(thread, points) => {
            let points: Vec<String> = points.iter().map(PointId::to_string).collect();
            format!("at({}, {})", automata.threads[*thread].name, points.join(" "))
        }
        StateLeaf::Ended(thread) => format!("ended({})", automata.threads[*thread].name),
        StateLeaf::Performed(thread) => format!("performed({})", automata.threads[*thread].name),
        StateLeaf::Pending { thread, place, value } => {
            let value = value.as_ref().map_or(String::new(), |value| format!(", {}", state(automata, value)));
            format!("pending({}, {}{value})", automata.threads[*thread].name, state_place(automata, place))
        }
        StateLeaf::Oldest { thread, place } => {
            format!("oldest({}, {})", automata.threads[*thread].name, state_place(automata, place))
        }
        StateLeaf::Old(value) => format!("old({})", state(automata, value)),
        StateLeaf::Reached { graph, from } => format!("reached({graph}, {})", state(automata, from)),
    })
}

pub(super) fn state_place(automata: &Automata, place: &StatePlace) -> String {
    let base = &automata.cells[place.base].name;
    match *place.index {
        Expr::Const(0) if (place.stride, place.count) == (1, 1) => base.clone(),
        _ => format!("[{base}{}]", term(state(automata, &place.index), place.stride, place.count)),
    }
}

/// One computed part of an address.
pub(super) fn term(index: String, stride: u32, count: u32) -> String {
    format!(" + {}*{stride} of {count}", atom(index))
}

fn show<L>(expr: &Expr<L>, leaf: &dyn Fn(&L) -> String) -> String {
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Leaf(l) => leaf(l),
        Expr::Unary(UnaryOp::Not, operand) => format!("not {}", atom(show(operand, leaf))),
        Expr::Unary(UnaryOp::Negate, operand) => format!("-{}", atom(show(operand, leaf))),
        Expr::Binary(op, left, right) => {
            format!("{} {} {}", atom(show(left, leaf)), op.symbol(), atom(show(right, leaf)))
        }
    }
}

/// In brackets, if it is more than one word.
fn atom(text: String) -> String {
    let is_bracketed = text.starts_with('[') && text.find(']') == Some(text.len() - 1);
    if text.contains(' ') && !is_bracketed { format!("({text})") } else { text }
}
