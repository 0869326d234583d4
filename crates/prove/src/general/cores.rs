//! One step with the hypotheses in groups, and which of them an obligation needs.

use super::General;
use super::footprint::{Footprint, footprint};
use super::walk::{Way, ways};
use crate::region::Endless;
use crate::step::StepOf;
use automata::scalars::SortId;
use sat::{Answer, Budget, Graph, Lit, Solver};

/// How hard a core is made smaller.
const POLISH: u64 = 300;

/// One step with what its circuit gives.
pub(crate) struct OfStep<'s> {
    pub(crate) step: &'s StepOf,
    pub(crate) footprint: Footprint,
    pub(crate) ways: Result<Vec<Way>, String>,
    graph: Graph,
    solver: Solver<'s>,
    guard: Lit,
    /// The groups of hypotheses, before the step.
    before: Vec<Lit>,
    /// The rows, after it.
    after: Vec<Lit>,
}

impl<'s> OfStep<'s> {
    pub(crate) fn new(general: &General<'_>, step: &'s StepOf) -> Result<Self, Endless> {
        let sort_of = |sort: SortId| general.sort_of(sort);
        let (problem, relation) = (general.problem, general.problem.relation());
        let mut graph = general.graph.clone();
        let before = relation.before(&problem.state, step);
        let mut known = problem.state.replaced_by(&before);
        let typing = known.apply(&mut graph, problem.typing);
        let hypotheses = general.hypotheses.iter().map(|group| known.apply(&mut graph, group.condition)).collect();
        let circuit = relation.step(&mut graph, &before, step)?;
        let mut replaced = problem.state.replaced_by(&circuit.after);
        let after = problem.conditions.iter().map(|lit| replaced.apply(&mut graph, *lit)).collect();
        let mut solver = Solver::new();
        solver.require(&graph, typing);
        Ok(OfStep {
            step,
            footprint: footprint(problem, step),
            ways: ways(problem, (general.sorts, general.texts), &sort_of, step),
            graph,
            solver,
            guard: circuit.guard,
            before: hypotheses,
            after,
        })
    }

    /// Those of the groups that are enough for a row, as few as are found quickly.
    pub(crate) fn core(&mut self, row: usize, groups: &[usize]) -> Result<Vec<usize>, String> {
        let broken = self.graph.and(self.guard, !self.after[row]);
        let enough = self.within(groups, broken, None);
        let mut core = enough.ok_or("the conjuncts that are listed of the hypotheses are not enough")?;
        for group in core.clone() {
            let rest: Vec<usize> = core.iter().copied().filter(|g| *g != group).collect();
            if let (true, Some(fewer)) = (core.contains(&group), self.within(&rest, broken, Some(POLISH))) {
                core = fewer;
            }
        }
        Ok(core)
    }

    /// Those of the groups that exclude `broken`, if they do.
    fn within(&mut self, groups: &[usize], broken: Lit, conflicts: Option<u64>) -> Option<Vec<usize>> {
        let mut assumptions: Vec<Lit> = groups.iter().map(|group| self.before[*group]).collect();
        assumptions.push(broken);
        match self.solver.solve(&self.graph, &assumptions, Budget { conflicts, ..Budget::default() }) {
            Answer::Unsat(core) => {
                Some(groups.iter().copied().filter(|group| core.contains(&self.before[*group])).collect())
            }
            _ => None,
        }
    }
}
