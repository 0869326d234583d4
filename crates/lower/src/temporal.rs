//! Temporal formulas, with quantifiers unrolled and each condition on states once.

use crate::properties::Stating;
use automata::{Definedness, Expr, Fairness, Ltl, Moment, StateExpr, Stated};
use base::table::Id;
use ltl::Formula;
use program::typed::{self, BinaryOp, Quantifier, TemporalOp};

impl Stating<'_> {
    pub(crate) fn ltl(&mut self, formula: &typed::Formula, is_fair: bool) -> Ltl {
        let mut atoms = Vec::new();
        let formula = self.formula(formula, &mut atoms);
        Ltl { formula, atoms, fairness: if is_fair { Fairness::All } else { Fairness::None } }
    }

    /// What must hold in every state for the atoms to have values.
    pub(crate) fn definedness_of_atoms(&mut self, formula: &typed::Formula, of: Stated) -> Vec<Definedness> {
        match formula {
            typed::Formula::State(condition) => self.definedness(condition, of, Moment::Always),
            typed::Formula::Not(f) => self.definedness_of_atoms(f, of),
            typed::Formula::Join(_, f, g) => {
                let mut all = self.definedness_of_atoms(f, of);
                all.extend(self.definedness_of_atoms(g, of));
                all
            }
            typed::Formula::Temporal(_, operands) => {
                operands.iter().flat_map(|operand| self.definedness_of_atoms(operand, of)).collect()
            }
            typed::Formula::Quantified(_, local, f) => {
                let mut all = Vec::new();
                for value in self.program.types.range(self.locals[*local].ty).values() {
                    self.bindings[local.index()] = value;
                    all.extend(self.definedness_of_atoms(f, of));
                }
                all
            }
        }
    }

    fn formula(&mut self, formula: &typed::Formula, atoms: &mut Vec<StateExpr>) -> Formula {
        match formula {
            typed::Formula::State(condition) => atom(self.expr(condition), atoms),
            typed::Formula::Not(f) => Formula::negation(self.formula(f, atoms)),
            typed::Formula::Join(op, f, g) => {
                let f = self.left_of(*op, |stating| stating.formula(f, atoms));
                let g = self.formula(g, atoms);
                match op {
                    BinaryOp::And => Formula::and(f, g),
                    BinaryOp::Or => Formula::or(f, g),
                    _ => Formula::implies(f, g),
                }
            }
            typed::Formula::Temporal(op, operands) => {
                let mut operands = operands.iter().map(|operand| self.formula(operand, atoms)).collect::<Vec<_>>();
                let last = operands.pop().unwrap_or(Formula::True);
                temporal(*op, operands.pop().unwrap_or(Formula::True), last)
            }
            typed::Formula::Quantified(quantifier, local, f) => self.unrolled(*quantifier, *local, f, atoms),
        }
    }

    fn unrolled(
        &mut self,
        quantifier: Quantifier,
        local: typed::LocalId,
        body: &typed::Formula,
        atoms: &mut Vec<StateExpr>,
    ) -> Formula {
        let mut all = None;
        for value in self.program.types.range(self.locals[local].ty).values() {
            self.bindings[local.index()] = value;
            let turn = self.formula(body, atoms);
            all = Some(match (all, quantifier) {
                (None, _) => turn,
                (Some(all), Quantifier::All) => Formula::and(all, turn),
                (Some(all), Quantifier::Exists) => Formula::or(all, turn),
            });
        }
        all.unwrap_or(if quantifier == Quantifier::All { Formula::True } else { Formula::False })
    }
}

/// The atom for a condition on states.
fn atom(condition: StateExpr, atoms: &mut Vec<StateExpr>) -> Formula {
    match condition {
        Expr::Const(0) => Formula::False,
        Expr::Const(_) => Formula::True,
        condition => {
            let known = atoms.iter().position(|atom| *atom == condition);
            let position = known.unwrap_or_else(|| {
                atoms.push(condition);
                atoms.len() - 1
            });
            Formula::Atom(position as u32)
        }
    }
}

/// A temporal word; `first` is there for those between two operands only.
fn temporal(op: TemporalOp, first: Formula, last: Formula) -> Formula {
    match op {
        TemporalOp::Always => Formula::always(last),
        TemporalOp::Eventually => Formula::eventually(last),
        TemporalOp::Next => Formula::next(last),
        TemporalOp::Until => Formula::until(first, last),
        TemporalOp::WeaklyUntil => Formula::weak_until(first, last),
        TemporalOp::Release => Formula::release(first, last),
    }
}
