//! Expressions and addresses.

use super::line::{Line, Result};
use super::position;
use crate::automaton::{Automaton, RegId};
use crate::collection::{Automata, CellId, ThreadId};
use crate::expr::{BinaryOp, Expr, StateExpr, StateLeaf, StatePlace, UnaryOp};

/// Reads one leaf.
type Leaf<'r, L> = &'r dyn Fn(&mut Line<'_>) -> Result<Expr<L>>;

/// One computed part of an address: index, stride, count.
pub(super) type Term<L> = (Expr<L>, u32, u32);

/// An expression over registers.
pub(super) fn local(automaton: &Automaton, line: &mut Line<'_>) -> Result<Expr> {
    expr(line, &|line| register(automaton, line).map(Expr::Leaf))
}

/// A register, by its name.
pub(super) fn register(automaton: &Automaton, line: &mut Line<'_>) -> Result<RegId> {
    line.known(&automaton.registers, |register| &register.name, "register")
}

/// An expression over states.
pub(super) fn state(automata: &Automata, line: &mut Line<'_>) -> Result<StateExpr> {
    expr(line, &|line| state_leaf(automata, line).map(Expr::Leaf))
}

/// The cell and the terms of an address over registers.
pub(super) fn address(
    automata: &Automata,
    automaton: &Automaton,
    line: &mut Line<'_>,
) -> Result<(CellId, Vec<Term<RegId>>)> {
    place(automata, line, &|line| register(automaton, line).map(Expr::Leaf))
}

/// An operand, or two with an operator between them.
fn expr<L>(line: &mut Line<'_>, leaf: Leaf<'_, L>) -> Result<Expr<L>> {
    let left = operand(line, leaf)?;
    let Some((op, symbol)) = BinaryOp::SYMBOLS.into_iter().find(|(_, symbol)| line.is_next(symbol)) else {
        return Ok(left);
    };
    line.expect(symbol)?;
    Ok(Expr::Binary(op, Box::new(left), Box::new(operand(line, leaf)?)))
}

fn operand<L>(line: &mut Line<'_>, leaf: Leaf<'_, L>) -> Result<Expr<L>> {
    if line.eat("not") {
        return Ok(Expr::Unary(UnaryOp::Not, Box::new(operand(line, leaf)?)));
    }
    if line.eat("-") {
        return Ok(Expr::Unary(UnaryOp::Negate, Box::new(operand(line, leaf)?)));
    }
    if line.eat("(") {
        let inner = expr(line, leaf)?;
        line.expect(")")?;
        return Ok(inner);
    }
    let is_number = |word: &str| word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if line.peek(0).is_some_and(is_number) { line.number().map(Expr::Const) } else { leaf(line) }
}

/// A cell, or `[cell + index*stride of count + ..]`.
fn place<L>(automata: &Automata, line: &mut Line<'_>, leaf: Leaf<'_, L>) -> Result<(CellId, Vec<Term<L>>)> {
    let is_computed = line.eat("[");
    let base = line.known(&automata.cells, |cell| &cell.name, "cell")?;
    let mut terms = Vec::new();
    while is_computed && line.eat("+") {
        let index = operand(line, leaf)?;
        line.expect("*")?;
        let stride = line.number()?;
        line.expect("of")?;
        terms.push((index, stride, line.number()?));
    }
    if is_computed {
        line.expect("]")?;
    }
    Ok((base, terms))
}

/// A place with at most one computed part.
pub(super) fn state_place(automata: &Automata, line: &mut Line<'_>) -> Result<StatePlace> {
    let (base, mut terms) = place(automata, line, &|line| state_leaf(automata, line).map(Expr::Leaf))?;
    if terms.len() > 1 {
        return Err(line.error("a property speaks of places with one computed part at most"));
    }
    let (index, stride, count) = terms.pop().unwrap_or((Expr::Const(0), 1, 1));
    Ok(StatePlace { base, stride, count, index: Box::new(index) })
}

fn state_leaf(automata: &Automata, line: &mut Line<'_>) -> Result<StateLeaf> {
    if line.is_next("[") {
        let StatePlace { base, stride, count, index } = state_place(automata, line)?;
        return Ok(StateLeaf::CellAt { base, stride, count, index });
    }
    if line.peek(1) == Some("(") {
        return called(automata, line);
    }
    let word = line.word()?;
    if let Some(cell) = position(&automata.cells, |cell| &cell.name, word) {
        return Ok(StateLeaf::Cell(cell));
    }
    register_of(automata, word)
        .map(|(thread, register)| StateLeaf::Register(thread, register))
        .ok_or_else(|| line.error(format!("there is no cell or register `{word}`")))
}

/// `thread.register`
pub(super) fn register_of(automata: &Automata, word: &str) -> Option<(ThreadId, RegId)> {
    automata.threads.iter().find_map(|(id, thread)| {
        let name = word.strip_prefix(thread.name.as_str())?.strip_prefix('.')?;
        Some((id, position(&thread.automaton.registers, |register| &register.name, name)?))
    })
}

/// `word(..)`
fn called(automata: &Automata, line: &mut Line<'_>) -> Result<StateLeaf> {
    let word = line.word()?;
    line.expect("(")?;
    if word == "reached" {
        let graph = line.id()?;
        line.expect(",")?;
        let from = Box::new(state(automata, line)?);
        return line.expect(")").map(|()| StateLeaf::Reached { graph, from });
    }
    if word == "old" {
        let value = Box::new(state(automata, line)?);
        return line.expect(")").map(|()| StateLeaf::Old(value));
    }
    let thread = line.known(&automata.threads, |thread| &thread.name, "thread")?;
    let leaf = match word {
        "ended" => StateLeaf::Ended(thread),
        "performed" => StateLeaf::Performed(thread),
        "at" => {
            line.expect(",")?;
            let mut points = Vec::new();
            while !line.is_next(")") {
                points.push(line.id()?);
            }
            StateLeaf::At(thread, points)
        }
        "pending" => {
            line.expect(",")?;
            let place = state_place(automata, line)?;
            let value = if line.eat(",") { Some(Box::new(state(automata, line)?)) } else { None };
            StateLeaf::Pending { thread, place, value }
        }
        "oldest" => {
            line.expect(",")?;
            StateLeaf::Oldest { thread, place: state_place(automata, line)? }
        }
        _ => return Err(line.error(format!("`{word}` is nothing that properties ask"))),
    };
    line.expect(")").map(|()| leaf)
}
