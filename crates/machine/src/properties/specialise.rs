//! Partial evaluation of conditions: leaves are replaced by what is known of them, and the rest is simplified to a *residual*.
//!
//! A conjunct counts only if it is false for certain. So where a value is still to come, an operand of `and`, `or`,
//! `implies` or `not` is replaced by what keeps the whole from being false. Operands of all other operators are needed:
//! there, constants are folded only if all operands are constant so that no value that is still to come is lost.

use automata::{BinaryOp, CellId, Expr, NO_VALUE, StateExpr, StateLeaf, StatePlace, UnaryOp, Value};
use base::table::Id;

/// What is known of a leaf.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Binding {
    /// Nothing: it stays.
    Open,
    /// It has no value yet.
    ToCome,
    /// It is the same as this.
    Is(StateExpr),
}

impl Binding {
    /// A constant, or a value that is still to come.
    pub(crate) fn value(value: Option<Value>) -> Self {
        value.map_or(Binding::ToCome, |value| Binding::Is(Expr::constant(value)))
    }
}

/// The residual of `condition`; true for every value of the leaves that are left if it is the constant 1.
pub(crate) fn specialise(condition: &StateExpr, known: &dyn Fn(&StateLeaf) -> Binding) -> StateExpr {
    match decided(condition, known, true) {
        Expr::Const(value) => Expr::constant(value != 0),
        open => open,
    }
}

/// Whether a condition is true whatever its leaves are.
pub(crate) fn is_true(condition: &StateExpr) -> bool {
    matches!(condition, Expr::Const(value) if *value != 0)
}

fn decided(condition: &StateExpr, known: &dyn Fn(&StateLeaf) -> Binding, is_positive: bool) -> StateExpr {
    match condition {
        Expr::Unary(UnaryOp::Not, operand) => not(decided(operand, known, !is_positive)),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            join(*op, decided(left, known, is_positive), decided(right, known, is_positive))
        }
        Expr::Binary(BinaryOp::Implies, left, right) => {
            join(BinaryOp::Or, not(decided(left, known, !is_positive)), decided(right, known, is_positive))
        }
        _ => {
            let computed = computed(condition, known).filter(|computed| *computed != Expr::Const(NO_VALUE));
            computed.unwrap_or(Expr::constant(is_positive))
        }
    }
}

fn not(operand: StateExpr) -> StateExpr {
    match operand {
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        operand => Expr::unary(UnaryOp::Not, operand),
    }
}

/// `left and right` or `left or right`.
fn join(op: BinaryOp, left: StateExpr, right: StateExpr) -> StateExpr {
    let is_and = op == BinaryOp::And;
    match (left, right) {
        (Expr::Const(value), other) | (other, Expr::Const(value)) if (value != 0) == is_and => other,
        (Expr::Const(_), _) | (_, Expr::Const(_)) => Expr::constant(Value::from(!is_and)),
        (left, right) => Expr::binary(op, left, right),
    }
}

/// As `decided`, where the value is needed; none if it is still to come.
fn computed(expr: &StateExpr, known: &dyn Fn(&StateLeaf) -> Binding) -> Option<StateExpr> {
    Some(match expr {
        Expr::Const(value) => Expr::Const(*value),
        Expr::Leaf(leaf) => match held(leaf, known)? {
            Expr::Leaf(leaf) => match known(&leaf) {
                Binding::Open => Expr::Leaf(leaf),
                Binding::ToCome => return None,
                Binding::Is(expr) => expr,
            },
            folded => folded,
        },
        Expr::Unary(op, operand) => Expr::unary(*op, computed(operand, known)?),
        Expr::Binary(op, left, right) => match (op, computed(left, known)?, computed(right, known)?) {
            // Conditions on an object look alike for all objects, and the first one of a set is tested without a shift.
            (BinaryOp::ShiftRight, set, Expr::Const(0)) => set,
            (op, left, right) => Expr::binary(*op, left, right),
        },
    })
}

/// A leaf with what it holds evaluated in part.
fn held(leaf: &StateLeaf, known: &dyn Fn(&StateLeaf) -> Binding) -> Option<StateExpr> {
    Some(match leaf {
        StateLeaf::CellAt { base, stride, count, index } => match computed(index, known)? {
            Expr::Const(index) if index < 0 || index as u32 >= *count => Expr::Const(NO_VALUE),
            Expr::Const(index) => {
                let cell = CellId::new(base.index() + index as usize * *stride as usize);
                Expr::Leaf(StateLeaf::Cell(cell))
            }
            index => {
                let (base, stride, count, index) = (*base, *stride, *count, Box::new(index));
                Expr::Leaf(StateLeaf::CellAt { base, stride, count, index })
            }
        },
        StateLeaf::Reached { graph, from } => {
            let from = Box::new(computed(from, known)?);
            Expr::Leaf(StateLeaf::Reached { graph: *graph, from })
        }
        StateLeaf::Pending { thread, place, value } => {
            let value = match value {
                Some(value) => Some(Box::new(computed(value, known)?)),
                None => None,
            };
            Expr::Leaf(StateLeaf::Pending { thread: *thread, place: held_place(place, known)?, value })
        }
        StateLeaf::Oldest { thread, place } => {
            Expr::Leaf(StateLeaf::Oldest { thread: *thread, place: held_place(place, known)? })
        }
        StateLeaf::Cell(_)
        | StateLeaf::Old(_)
        | StateLeaf::Register(..)
        | StateLeaf::At(..)
        | StateLeaf::Ended(_)
        | StateLeaf::Performed(_) => Expr::Leaf(leaf.clone()),
    })
}

fn held_place(place: &StatePlace, known: &dyn Fn(&StateLeaf) -> Binding) -> Option<StatePlace> {
    Some(StatePlace { index: Box::new(computed(&place.index, known)?), ..place.clone() })
}
