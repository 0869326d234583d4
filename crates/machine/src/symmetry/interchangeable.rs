//! Which threads are interchangeable: those with equal programs that no property tells apart. A condition that says the
//! same of all of them, such as that all have ended, does not.
//!
//! Equal means equal: a program that names a cell of its own (such as `requested[self]`) differs from
//! its sibling's and is left alone, because then the collector treats them in some order.

use crate::rules::pause::pauses;
use crate::symmetry::conditions::conditions;
use automata::{Automata, Automaton, BinaryOp, Expr, StateExpr, StateLeaf, ThreadId};
use base::table::Id;

/// For each thread, the first thread that runs an equal program (itself, mostly).
pub(crate) fn same_program(automata: &Automata) -> Vec<usize> {
    let programs = automata.threads.values().map(|thread| program(&thread.automaton));
    let programs: Vec<_> = programs.zip(pauses(automata)).collect();
    programs.iter().map(|p| programs.iter().position(|q| q == p).expect("it equals itself")).collect()
}

/// A program without what only people see.
fn program(automaton: &Automaton) -> impl PartialEq {
    let points: Vec<_> = automaton.points.values().map(|p| (&p.action, p.next)).collect();
    let registers: Vec<_> = automaton.registers.values().map(|r| (r.domain, r.init)).collect();
    (points, automaton.entry, registers, &automaton.observed, &automaton.kept)
}

/// Groups of two or more interchangeable threads, `atoms` being what a temporal property speaks of besides.
pub(crate) fn interchangeable(automata: &Automata, atoms: &[StateExpr]) -> Vec<Vec<usize>> {
    let stated = conditions(automata);
    let conditions: Vec<&StateExpr> = stated.iter().chain(atoms).collect();
    let same = same_program(automata);
    let group = |first: usize| {
        let group: Vec<usize> = (0..same.len()).filter(|t| same[*t] == first).collect();
        let distinguishes =
            |c: &&&StateExpr| group.windows(2).any(|pair| normal(automata, c, None) != normal(automata, c, Some(pair)));
        let mut named = vec![false; same.len()];
        conditions.iter().filter(distinguishes).for_each(|condition| mark_named(automata, condition, &mut named));
        group.into_iter().filter(|thread| !named[*thread]).collect::<Vec<_>>()
    };
    (0..same.len()).map(group).filter(|group| group.len() > 1).collect()
}

/// A condition written so that the order of operands of `and` and `or` does not matter, after two threads have changed
/// places. Equal texts mean equal conditions.
fn normal(automata: &Automata, condition: &StateExpr, swapped: Option<&[usize]>) -> String {
    let normal = |condition: &StateExpr| normal(automata, condition, swapped);
    let thread = |thread: &ThreadId| match swapped {
        Some(&[a, b]) if thread.index() == a => b,
        Some(&[a, b]) if thread.index() == b => a,
        _ => thread.index(),
    };
    match condition {
        Expr::Const(value) => value.to_string(),
        Expr::Leaf(StateLeaf::Cell(cell)) => format!("{cell:?}"),
        Expr::Leaf(StateLeaf::CellAt { base, stride, count, index }) => {
            format!("{base:?}[{stride} {count} {}]", normal(index))
        }
        Expr::Leaf(StateLeaf::Register(t, register)) => format!("{register:?}@{}", thread(t)),
        Expr::Leaf(StateLeaf::At(t, points)) => format!("{points:?}@{}", thread(t)),
        Expr::Leaf(StateLeaf::Ended(t)) => format!("ended@{}", thread(t)),
        Expr::Leaf(StateLeaf::Performed(t)) => format!("performed@{}", thread(t)),
        Expr::Leaf(leaf @ (StateLeaf::Pending { thread: t, place, .. } | StateLeaf::Oldest { thread: t, place })) => {
            let word = if matches!(leaf, StateLeaf::Oldest { .. }) { "oldest" } else { "pending" };
            let held: Vec<String> = automata.held(leaf).into_iter().map(normal).collect();
            let place = (place.base, place.stride, place.count);
            format!("{word}{place:?}[{}]@{}", held.join(" "), thread(t))
        }
        Expr::Leaf(leaf @ StateLeaf::Reached { graph, .. }) => {
            let held: Vec<String> = automata.held(leaf).into_iter().map(normal).collect();
            format!("{graph:?}[{}]", held.join(" "))
        }
        Expr::Leaf(StateLeaf::Old(value)) => format!("old({})", normal(value)),
        Expr::Unary(op, operand) => format!("{op:?}({})", normal(operand)),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
            let mut operands = Vec::new();
            flatten(condition, *op, &mut |operand| operands.push(normal(operand)));
            operands.sort();
            format!("{op:?}({})", operands.join(","))
        }
        Expr::Binary(op, left, right) => format!("{op:?}({},{})", normal(left), normal(right)),
    }
}

/// The operands of nested applications of `op`.
fn flatten(condition: &StateExpr, op: BinaryOp, visit: &mut dyn FnMut(&StateExpr)) {
    match condition {
        Expr::Binary(inner, left, right) if *inner == op => {
            flatten(left, op, visit);
            flatten(right, op, visit);
        }
        _ => visit(condition),
    }
}

fn mark_named(automata: &Automata, condition: &StateExpr, named: &mut [bool]) {
    automata.leaves(condition, &mut |leaf| match leaf {
        StateLeaf::Register(thread, _)
        | StateLeaf::At(thread, _)
        | StateLeaf::Ended(thread)
        | StateLeaf::Pending { thread, .. }
        | StateLeaf::Oldest { thread, .. }
        | StateLeaf::Performed(thread) => named[ThreadId::index(*thread)] = true,
        StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => {}
    });
}
