//! An interference as the plain interpreter judges it: whether it is one that the guarantee allows.

use crate::confirm::{Confirmation, model, plain, without_conditions};
use crate::problem::Problem;
use crate::snapshot::Snapshot;
use automata::{Automata, Effect, Expr, NO_VALUE, Relation, StateExpr, StateLeaf, StatePlace, Wide};
use base::table::Id;
use machine::{Interpreter, Options, PlainState, Reductions};

/// Whether the step from `before` to `after` is as `relation` says. What has no value is not held against it.
pub(crate) fn confirm(
    problem: &Problem<'_>,
    relation: &Relation,
    (before, after): (&Snapshot, &Snapshot),
) -> Confirmation {
    let mut automata = without_conditions(problem.automata);
    let states = (plain(&mut automata, before), plain(&mut automata, after));
    let model = model(problem.memory);
    let options = Options { reductions: Reductions::NONE, check_deadlock: false, ..Options::default() };
    let interpreter = Interpreter::new(&automata, &model, &options);
    let is_other = |(thread, _): &(usize, _)| *thread != relation.thread.index();
    let threads = before.threads.iter().zip(&after.threads).enumerate();
    let leaves_others = threads.filter(is_other).all(|(_, (before, after))| before == after);
    match leaves_others && is_allowed(&interpreter, relation, (&states.0, &states.1)) {
        true => Confirmation::Confirmed,
        false => Confirmation::Refuted,
    }
}

/// Whether `relation` allows what shared state, and its thread, become.
fn is_allowed(interpreter: &Interpreter<'_>, relation: &Relation, (before, after): (&PlainState, &PlainState)) -> bool {
    let is_required = interpreter.judge(before, &relation.requires) != Some(false);
    let Some(effect) = &relation.effect else { return is_required };
    let old = |expr: &StateExpr| interpreter.value(before, expr).unwrap_or(NO_VALUE);
    let is_ensured = interpreter.judge(after, &without_old(&effect.ensures, &old)) != Some(false);
    is_required && is_ensured && is_framed(interpreter, effect, before, after)
}

/// Whether only what may be modified has changed; of the bus nothing is said.
fn is_framed(interpreter: &Interpreter<'_>, effect: &Effect, before: &PlainState, after: &PlainState) -> bool {
    let Some(places) = &effect.modifies else { return true };
    let automata: &Automata = interpreter.automata();
    let modified = places.iter().filter_map(|place| place.cell(interpreter.value(before, &place.index)?));
    let modified: Vec<_> = modified.chain(automata.bus).collect();
    automata.cells.ids().all(|cell| modified.contains(&cell) || before.cells[cell.index()] == after.cells[cell.index()])
}

/// The condition with values in place of what is `old`.
fn without_old(expr: &StateExpr, old: &dyn Fn(&StateExpr) -> Wide) -> StateExpr {
    let boxed = |expr: &StateExpr| Box::new(without_old(expr, old));
    let placed = |place: &StatePlace| StatePlace { index: boxed(&place.index), ..place.clone() };
    match expr {
        Expr::Const(value) => Expr::Const(*value),
        Expr::Unary(op, operand) => Expr::Unary(*op, boxed(operand)),
        Expr::Binary(op, left, right) => Expr::Binary(*op, boxed(left), boxed(right)),
        Expr::Leaf(leaf) => Expr::Leaf(match leaf {
            StateLeaf::Old(value) => return Expr::Const(old(value)),
            StateLeaf::CellAt { base, stride, count, index } => {
                StateLeaf::CellAt { base: *base, stride: *stride, count: *count, index: boxed(index) }
            }
            StateLeaf::Reached { graph, from } => StateLeaf::Reached { graph: *graph, from: boxed(from) },
            StateLeaf::Pending { thread, place, value } => {
                StateLeaf::Pending { thread: *thread, place: placed(place), value: value.as_deref().map(boxed) }
            }
            StateLeaf::Oldest { thread, place } => StateLeaf::Oldest { thread: *thread, place: placed(place) },
            leaf => leaf.clone(),
        }),
    }
}
