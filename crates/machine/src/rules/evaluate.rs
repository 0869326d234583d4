//! Values of expressions and addresses, from registers or from a queued entry's operands.

use crate::rules::Rules;
use crate::rules::local::{Entry, Local};
use automata::{Action, Address, CellId, Expr, RegId, Value, Wide};
use base::table::Id;

/// What is known of an access's cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    /// Its address waits for a value.
    Unknown,
    /// There is no such cell.
    Invalid,
    /// The cell.
    Cell(CellId),
}

impl Rules<'_> {
    /// The value of `expr` over the thread's registers; none while one of them is still to come.
    pub(crate) fn value(&self, local: &Local, expr: &Expr) -> Option<Wide> {
        expr.eval(&mut |register| local.register(*register).value())
    }

    /// The value of `expr` over an entry's operands.
    pub(crate) fn eval(&self, entry: &Entry, expr: &Expr) -> Option<Wide> {
        expr.eval(&mut |register| self.operand(entry, *register))
    }

    pub(crate) fn operand(&self, entry: &Entry, register: RegId) -> Option<Value> {
        let position = self.code.uses[entry.point].iter().position(|r| *r == register)?;
        entry.operands[position].value()
    }

    /// The cell of a queued access.
    pub(crate) fn cell(&self, entry: &Entry) -> Resolved {
        match self.code.action(entry.point) {
            Action::Access(access) => resolve(&access.address, &mut |register| self.operand(entry, *register)),
            _ => Resolved::Unknown,
        }
    }

    /// Whether the registers that the entry's access waits for without using them have values.
    pub(crate) fn has_dependencies(&self, entry: &Entry) -> bool {
        match self.code.action(entry.point) {
            Action::Access(access) => access.after.iter().all(|r| self.operand(entry, *r).is_some()),
            _ => true,
        }
    }
}

/// The cell at `address`, given the registers' values.
pub(crate) fn resolve(address: &Address, leaf: &mut impl FnMut(&RegId) -> Option<Value>) -> Resolved {
    let mut cell = address.base.index();
    for term in &address.terms {
        let Some(index) = term.index.eval(leaf) else { return Resolved::Unknown };
        if index < 0 || index >= i64::from(term.count) {
            return Resolved::Invalid;
        }
        cell += index as usize * term.stride as usize;
    }
    Resolved::Cell(CellId::new(cell))
}
