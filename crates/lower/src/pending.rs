//! What properties ask of the stores that a thread has pending.

use crate::properties::{Stating, Term, one_term};
use automata::{Expr, StateExpr, StateLeaf, StatePlace};
use program::typed::{self, Place, ThreadRef};

impl Stating<'_> {
    /// How many stores to a place are pending, or whether one of a value is; 0 if there is no such thread.
    pub(crate) fn pending(&mut self, thread: &ThreadRef, place: &Place, value: Option<&typed::Expr>) -> StateExpr {
        let place = self.state_place(place);
        let value = value.map(|value| Box::new(self.expr(value)));
        self.copy(thread).map_or(Expr::Const(0), |thread| Expr::Leaf(StateLeaf::Pending { thread, place, value }))
    }

    /// The value of the oldest store to a place that is pending, else the value there.
    pub(crate) fn oldest(&mut self, thread: &ThreadRef, place: &Place) -> StateExpr {
        match self.copy(thread) {
            Some(thread) => Expr::Leaf(StateLeaf::Oldest { thread, place: self.state_place(place) }),
            None => self.load(place),
        }
    }

    pub(crate) fn state_place(&mut self, place: &Place) -> StatePlace {
        let (base, terms) = self.place(place);
        let fixed = Term { index: Expr::Const(0), stride: 1, count: 1 };
        let Term { index, stride, count } = one_term(terms).unwrap_or(fixed);
        StatePlace { base, stride: stride as u32, count: count as u32, index: Box::new(index) }
    }
}
