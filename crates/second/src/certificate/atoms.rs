//! What an expression of a property says of a thread's state alone: where it is, a register, whether it has ended. Worked out once for each.

use super::numbers::Numbers;
use crate::values::Value;
use crate::world::World;
use program::typed::{Expr, ExprKind};
use rustc_hash::FxHashMap;

/// Not worked out yet.
const UNKNOWN: u32 = u32::MAX;

pub(crate) struct Atoms<'p> {
    /// All expressions that say something of a thread, by where they are.
    exprs: FxHashMap<*const Expr, &'p Expr>,
    /// The number of each that was asked; and for each, what it says of each thread state.
    known: FxHashMap<*const Expr, u32>,
    asked: Vec<&'p Expr>,
    said: Vec<Vec<u32>>,
    values: Vec<Value>,
}

impl<'p> Atoms<'p> {
    pub(crate) fn new(world: &World<'p>) -> Self {
        let program = world.program;
        let mut exprs = FxHashMap::default();
        let covers = program.covers.values().filter_map(|cover| cover.condition.as_ref());
        let graphs = program.graphs.values().filter_map(|graph| graph.condition.as_ref());
        let stated = program.properties.values().flat_map(|property| property.kind.of_states());
        for condition in stated.chain(covers).chain(graphs) {
            collect(condition, &mut exprs);
        }
        let (known, asked, said, values) = Default::default();
        Atoms { exprs, known, asked, said, values }
    }

    /// The number of an expression about a thread.
    pub(crate) fn number(&mut self, expr: *const Expr) -> u32 {
        let (exprs, asked, said) = (&self.exprs, &mut self.asked, &mut self.said);
        *self.known.entry(expr).or_insert_with(|| {
            asked.push(exprs[&expr]);
            said.push(Vec::new());
            asked.len() as u32 - 1
        })
    }

    /// What it says of a thread state, as a number; equal numbers are equal values.
    pub(crate) fn says(&mut self, world: &World<'_>, numbers: &Numbers, atom: u32, state: u32) -> u32 {
        let said = &mut self.said[atom as usize];
        if said.len() <= state as usize {
            said.resize(state as usize + 1, UNKNOWN);
        }
        if said[state as usize] == UNKNOWN {
            let value = world.says(self.asked[atom as usize], &numbers.threads[state as usize]);
            let known = self.values.iter().position(|known| *known == value);
            said[state as usize] = known.unwrap_or_else(|| {
                self.values.push(value);
                self.values.len() - 1
            }) as u32;
        }
        said[state as usize]
    }
}

fn collect<'p>(expr: &'p Expr, exprs: &mut FxHashMap<*const Expr, &'p Expr>) {
    if matches!(expr.kind, ExprKind::Register(..) | ExprKind::At(..) | ExprKind::Ended(_) | ExprKind::Performed(_)) {
        exprs.insert(expr, expr);
    }
    expr.operands().into_iter().for_each(|operand| collect(operand, exprs));
}
