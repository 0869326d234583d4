//! Cells by their numbers: addresses, and the ranges of what is stored.

use crate::interval::{self, Interval};
use crate::term::Term;
use automata::{Address, Automata, BinaryOp, CellId, RegId};
use base::table::Id;

/// All cells that an address may lead to.
pub(crate) fn candidates(address: &Address) -> Vec<CellId> {
    let mut cells = vec![address.base.0];
    for term in &address.terms {
        cells = cells.iter().flat_map(|cell| (0..term.count).map(move |i| cell + i * term.stride)).collect();
    }
    cells.into_iter().map(|cell| CellId::new(cell as usize)).collect()
}

/// The number of the cell.
pub(crate) fn number(address: &Address, register: &mut impl FnMut(&RegId) -> Term) -> Term {
    let mut base = i64::from(address.base.0);
    let mut sum = None;
    for term in &address.terms {
        match Term::of(&term.index, register) {
            Term::Const(index) => base += index * i64::from(term.stride),
            index => {
                let stride = Term::Const(term.stride as i64);
                let part = if term.stride == 1 { index } else { Term::binary(BinaryOp::Multiply, index, stride) };
                sum = Some(match sum {
                    None => part,
                    Some(sum) => Term::binary(BinaryOp::Add, sum, part),
                });
            }
        }
    }
    match sum {
        None => Term::Const(base),
        Some(sum) if base == 0 => sum,
        Some(sum) => Term::binary(BinaryOp::Add, Term::Const(base), sum),
    }
}

/// Whether there is no such cell.
pub(crate) fn is_nowhere(address: &Address, register: &mut impl FnMut(&RegId) -> Term) -> Term {
    Term::any(address.terms.iter().map(|term| Term::of(&term.index, register).outside(0, term.count as i64 - 1)))
}

/// Whether `value`, one of `values`, is outside the range of the cell of this number, one of `cells`.
pub(crate) fn is_out_of_range(
    automata: &Automata,
    cells: &[CellId],
    number: &Term,
    value: &Term,
    values: Interval,
) -> Term {
    let fits = |cell: &CellId| {
        let (low, high) = interval::of_domain(automata.cells[*cell].domain);
        low <= values.0 && values.1 <= high
    };
    let tight: Vec<CellId> = cells.iter().copied().filter(|cell| !fits(cell)).collect();
    let Some(first) = tight.first() else { return Term::FALSE };
    let domain = automata.cells[*first].domain;
    if tight.len() == cells.len() && tight.iter().all(|cell| automata.cells[*cell].domain == domain) {
        return value.clone().outside(domain.low, domain.high);
    }
    Term::any(tight.iter().map(|cell| {
        let domain = automata.cells[*cell].domain;
        let is_this = number.clone().equals(Term::Const(cell.0 as i64));
        is_this.and(value.clone().outside(domain.low, domain.high))
    }))
}
