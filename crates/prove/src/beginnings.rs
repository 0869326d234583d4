//! Where a proof begins besides the start of the text: in every state that satisfies a cover.

use crate::confirm::is_false_in;
use crate::problem::{Problem, RowKind};
use crate::snapshot::Snapshot;
use crate::values::Conditions;
use crate::wishes::{granted, wishes};
use automata::{Cover, StateExpr};
use sat::{Answer, Budget, Lit, Solver};

/// Why a proof cannot begin where it was asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoBeginning {
    /// No cover that is a condition on states has that name; these do.
    Unknown(Vec<String>),
    /// No state satisfies the cover.
    Nowhere,
}

/// A state in which the proof begins, and that breaks a row.
#[derive(Clone, PartialEq, Debug)]
pub struct FalseBeginning {
    /// The row.
    pub row: usize,
    /// The state.
    pub state: Snapshot,
    /// Whether the plain interpreter finds the row false there, too.
    pub is_confirmed: bool,
}

impl Problem<'_> {
    /// The proof is to begin in every state that satisfies the cover of that name.
    pub fn begin_from(&mut self, name: &str) -> Result<(), NoBeginning> {
        let covers = || self.automata.covers.values().filter(|cover| cover.condition.is_some());
        let is_meant = |cover: &&Cover| cover.name == name;
        let known = || covers().map(|cover| cover.name.clone()).collect();
        let condition: &StateExpr = covers()
            .find(is_meant)
            .and_then(|cover| cover.condition.as_ref())
            .ok_or_else(|| NoBeginning::Unknown(known()))?;
        let of_state = Conditions { automata: self.automata, state: &self.state, old: None, layout: &self.layout };
        let begins = of_state.holds(&mut self.graph, condition);
        let mut solver = Solver::new();
        solver.require(&self.graph, self.typing);
        match solver.solve(&self.graph, &[begins], Budget::default()) {
            Answer::Unsat(_) => Err(NoBeginning::Nowhere),
            _ => {
                self.begins = Some(begins);
                Ok(())
            }
        }
    }

    /// For each selected invariant that is false in such a state, one of them.
    pub(crate) fn false_beginnings(&self) -> Vec<FalseBeginning> {
        let Some(begins) = self.begins else { return Vec::new() };
        let mut graph = self.graph.clone();
        let wishes = wishes(self.automata, &self.layout, &mut graph, &self.state);
        let mut solver = Solver::new();
        solver.require(&graph, self.typing);
        solver.require(&graph, begins);
        let is_asked = |row: &usize| self.rows[*row].is_selected && self.rows[*row].kind == RowKind::Invariant;
        let mut found = |row: usize| {
            let broken: Vec<Lit> = vec![!self.conditions[row]];
            let Answer::Sat(inputs) = solver.solve(&graph, &broken, Budget::default()) else { return None };
            let inputs = granted(&mut solver, &graph, broken, &wishes, inputs, |conflicts| Budget {
                conflicts: Some(conflicts),
                ..Budget::default()
            });
            let state = Snapshot::read(&graph, &self.state, &self.layout, &inputs);
            let is_confirmed = is_false_in(self, row, &state);
            Some(FalseBeginning { row, state, is_confirmed })
        };
        (0..self.conditions.len()).filter(is_asked).filter_map(&mut found).collect()
    }
}
