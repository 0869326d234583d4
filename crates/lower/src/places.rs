//! Addresses: a named cell, or a cell computed from references and indices.

use crate::cells::offset;
use crate::simplify::binary;
use crate::thread::Lowering;
use automata::{Address, AddressTerm, BinaryOp, CellId, Expr};
use program::typed::{Place, PlaceRoot};

impl<'p> Lowering<'p, '_> {
    /// The address of a place; what it is computed from is evaluated from left to right.
    pub(crate) fn address(&mut self, place: &'p Place) -> Address {
        let object = match &place.root {
            PlaceRoot::Shared(_) => None,
            PlaceRoot::Field(object, ..) => Some(self.eval(object)),
        };
        let index = place.index.as_ref().map(|index| self.eval(index));
        self.address_at(place, object, index)
    }

    /// The address of a place whose object and index are evaluated.
    pub(crate) fn address_at(&self, place: &Place, object: Option<Expr>, index: Option<Expr>) -> Address {
        let types = &self.program.types;
        let mut address = match &place.root {
            PlaceRoot::Shared(id) => Address::cell(self.layout.shared(*id)),
            PlaceRoot::Field(_, id, field) => Address::cell(self.layout.field(types, *id, *field)),
        };
        if let (PlaceRoot::Field(_, id, _), Some(object)) = (&place.root, object) {
            let kind = &types.objects[*id];
            add_term(&mut address, object, kind.size, kind.instances.len());
        }
        if let Some(index) = index {
            let from_zero = binary(BinaryOp::Subtract, index, Expr::constant(place.index_range.low));
            add_term(&mut address, from_zero, 1, place.index_range.count() as usize);
        }
        address
    }
}

/// Adds an index: to the base if it is constant and allowed, else as a term.
fn add_term(address: &mut Address, index: Expr, stride: usize, count: usize) {
    if let Some(base) = constant_base(address.base, &index, stride, count) {
        address.base = base;
        return;
    }
    address.terms.push(AddressTerm { index, stride: stride as u32, count: count as u32 });
}

/// The cell that a constant index leads to, if it is allowed.
pub(crate) fn constant_base<L>(base: CellId, index: &Expr<L>, stride: usize, count: usize) -> Option<CellId> {
    let Expr::Const(index) = index else { return None };
    let index = usize::try_from(*index).ok().filter(|i| *i < count)?;
    Some(offset(base, index * stride))
}
