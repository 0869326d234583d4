//! What properties see of a thread.

use crate::properties::specialise::Binding;
use crate::rules::Rules;
use crate::rules::local::{Entry, Local, Mode, Operand};
use automata::{Action, BinaryOp, Expr, NO_VALUE, PointId, RegId, StateExpr, StateLeaf, StatePlace, Value};
use base::table::Id;

/// A thread as properties see it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) mode: Mode,
    pub(crate) point: PointId,
    pub(crate) registers: &'a [Operand],
    /// Which registers these are; all if it does not say.
    pub(crate) named: Option<&'a [RegId]>,
    pub(crate) queue: &'a [Entry],
    /// The position in its trail of the location that it has passed, if it is seen there and not where it is.
    pub(crate) passed: Option<usize>,
}

impl View<'_> {
    fn register(&self, register: RegId) -> Option<Value> {
        let position = self.named.map_or(Some(register.index()), |named| named.iter().position(|r| *r == register));
        self.registers[position?].value()
    }
}

impl<'r> Rules<'r> {
    /// The thread where it is; with a guess open, as it was at the branch (semantics 5.3).
    pub(crate) fn view<'a>(&self, local: &'a Local) -> View<'a>
    where
        'r: 'a,
    {
        match local.oldest_guess() {
            None => View {
                mode: local.mode,
                point: local.point,
                registers: &local.registers,
                named: None,
                queue: &local.queue,
                passed: None,
            },
            Some(guess) => View {
                mode: Mode::Running,
                point: local.queue[guess].point,
                registers: &local.queue[guess].seen,
                named: Some(&self.code.observed[local.queue[guess].point]),
                queue: &local.queue[..guess],
                passed: None,
            },
        }
    }
}

impl Rules<'_> {
    /// What a leaf that speaks of this thread is.
    pub(crate) fn seen(&self, view: View<'_>, leaf: &StateLeaf) -> Binding {
        let truth = |is_true: bool| Binding::value(Some(Value::from(is_true)));
        match leaf {
            StateLeaf::Register(_, register) => Binding::value(view.register(*register)),
            StateLeaf::At(_, points) => truth(points.contains(&view.point)),
            StateLeaf::Ended(_) => truth(view.mode == Mode::Halted),
            StateLeaf::Performed(_) => truth(!view.queue.iter().any(|entry| self.is_access(entry))),
            StateLeaf::Pending { place, value, .. } => Binding::Is(self.pending(view, place, value.as_deref())),
            StateLeaf::Oldest { place, .. } => Binding::Is(self.oldest(view, place)),
            StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => {
                Binding::Open
            }
        }
    }

    /// How many stores to a place are pending, or whether one of a value is, as an expression over what the place and the value
    /// are computed from.
    fn pending(&self, view: View<'_>, place: &StatePlace, value: Option<&StateExpr>) -> StateExpr {
        let is_meant = |(index, stored): (Value, Value)| {
            let is_there = equals(&place.index, index);
            value.map_or(is_there.clone(), |value| Expr::binary(BinaryOp::BitAnd, is_there, equals(value, stored)))
        };
        let op = if value.is_some() { BinaryOp::BitOr } else { BinaryOp::Add };
        let meant = self.stores_to(view, place).map(is_meant);
        meant.reduce(|all, next| Expr::binary(op, all, next)).unwrap_or(Expr::Const(0))
    }

    /// The oldest pending store's value, or the cell's.
    fn oldest(&self, view: View<'_>, place: &StatePlace) -> StateExpr {
        let mut oldest: Vec<(Value, Value)> = Vec::new();
        for (index, stored) in self.stores_to(view, place) {
            if oldest.iter().all(|(other, _)| *other != index) {
                oldest.push((index, stored));
            }
        }
        let times = |a: StateExpr, b: StateExpr| Expr::binary(BinaryOp::Multiply, a, b);
        let none = oldest.iter().fold(Expr::Const(1), |none, (index, _)| {
            Expr::binary(BinaryOp::Subtract, none, equals(&place.index, *index))
        });
        let in_memory = match (&*place.index, &none) {
            (_, Expr::Const(0)) => Expr::Const(0),
            (Expr::Const(index), _) => {
                place.cell(*index).map_or(Expr::Const(NO_VALUE), |c| Expr::Leaf(StateLeaf::Cell(c)))
            }
            (index, _) => {
                let (base, stride, count, index) = (place.base, place.stride, place.count, Box::new(index.clone()));
                times(none, Expr::Leaf(StateLeaf::CellAt { base, stride, count, index }))
            }
        };
        oldest.iter().fold(in_memory, |sum, (index, stored)| match equals(&place.index, *index) {
            Expr::Const(0) => sum,
            is_there => Expr::binary(BinaryOp::Add, sum, times(is_there, Expr::constant(*stored))),
        })
    }

    /// The pending stores to cells of a place, by index, with their values, oldest first.
    fn stores_to<'s>(&'s self, view: View<'s>, place: &'s StatePlace) -> impl Iterator<Item = (Value, Value)> + 's {
        let index = |cell| place.cells().iter().position(|other| *other == cell);
        self.pending_stores(view.queue).filter_map(move |(cell, value)| Some((index(cell)? as Value, value)))
    }

    fn is_access(&self, entry: &Entry) -> bool {
        matches!(self.code.action(entry.point), Action::Access(_))
    }
}

fn equals(expr: &StateExpr, value: Value) -> StateExpr {
    Expr::binary(BinaryOp::Equal, expr.clone(), Expr::constant(value))
}
