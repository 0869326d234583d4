//! All obligations of one step: one solver, called once per row.

use crate::confirm::{Confirmation, confirm};
use crate::problem::{Problem, RowKind};
use crate::region::Endless;
use crate::snapshot::Snapshot;
use crate::step::{Step, StepOf};
use crate::wishes::{POLISH, granted, wishes};
use sat::{Answer, Budget, Graph, Lit, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What became of an obligation.
#[derive(Clone, PartialEq, Debug)]
pub enum ObligationResult {
    /// The step changes nothing that the condition speaks of.
    Untouched,
    /// No state satisfies the hypotheses and has a step that breaks the condition. These hypotheses are enough, by their rows.
    Discharged(Vec<usize>),
    /// A state that satisfies the hypotheses, with a step that breaks the condition. Nobody says that it can be reached.
    Counterexample(Box<Counterexample>),
    /// The time was not enough.
    Open,
}

/// A counterexample to induction.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The state before the step.
    pub before: Snapshot,
    /// The state after it; none if the step violates the property by itself.
    pub after: Option<Snapshot>,
    /// What the plain interpreter says of it.
    pub confirmation: Confirmation,
}

/// One cell of the matrix, for one step.
#[derive(Clone, PartialEq, Debug)]
pub struct Obligation {
    /// The row.
    pub row: usize,
    /// What became of it.
    pub outcome: ObligationResult,
    /// How long it took.
    pub seconds: f64,
}

/// What is known of one step.
#[derive(Clone, PartialEq, Debug)]
pub struct StepProof {
    /// Whether it can be taken in some state that satisfies the hypotheses; none if the time was not enough.
    pub can_happen: Option<bool>,
    /// Its obligations, by row.
    pub obligations: Vec<Obligation>,
}

/// When to give up an obligation.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    pub(crate) each: Option<Duration>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop: &'a AtomicBool,
}

impl<'a> Patience<'a> {
    /// Whether it is over before anything was tried.
    fn is_over(self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn budget(self, conflicts: Option<u64>) -> Budget<'a> {
        let each = self.each.map(|each| Instant::now() + each);
        let deadline = [each, self.deadline].into_iter().flatten().min();
        Budget { conflicts, deadline, stop: Some(self.stop) }
    }
}

/// One step with all its obligations.
struct Discharge<'p, 'a> {
    problem: &'p Problem<'p>,
    of: &'p StepOf,
    graph: Graph,
    solver: Solver<'a>,
    patience: Patience<'a>,
    /// The hypotheses, as far as they speak of states in which the thread is there.
    hypotheses: Vec<Lit>,
    step: Step,
}

/// Discharges the obligations of a step.
pub(crate) fn discharge<'a>(problem: &Problem<'_>, of: &StepOf, patience: Patience<'a>) -> Result<StepProof, Endless> {
    // To make the circuits takes long too.
    if patience.is_over() {
        return Ok(open(problem));
    }
    let relation = problem.relation();
    let mut graph = problem.graph.clone();
    let before = relation.before(&problem.state, of);
    let mut known = problem.state.replaced_by(&before);
    let typing = known.apply(&mut graph, problem.typing);
    let hypotheses: Vec<Lit> = problem.conditions.iter().map(|lit| known.apply(&mut graph, *lit)).collect();
    let step = relation.step(&mut graph, &before, of)?;
    let mut replaced = problem.state.replaced_by(&step.after);
    let after: Vec<Lit> = problem.conditions.iter().map(|lit| replaced.apply(&mut graph, *lit)).collect();
    let mut solver = Solver::new();
    solver.require(&graph, typing);
    let mut discharge = Discharge { problem, of, graph, solver, patience, hypotheses, step };
    Ok(discharge.all(&after))
}

/// What is known of a step that there was no time to look at.
fn open(problem: &Problem<'_>) -> StepProof {
    let rows = problem.rows.iter().enumerate().filter(|(_, row)| row.is_selected);
    let obligations = rows.map(|(row, _)| Obligation { row, outcome: ObligationResult::Open, seconds: 0.0 }).collect();
    StepProof { can_happen: None, obligations }
}

impl<'a> Discharge<'_, 'a> {
    fn all(&mut self, after: &[Lit]) -> StepProof {
        let can_happen = self.can_happen();
        let mut obligations = Vec::new();
        for (row, of) in self.problem.rows.iter().enumerate().filter(|(_, row)| row.is_selected) {
            let started = Instant::now();
            let outcome = match of.kind {
                RowKind::Invariant if after[row] == self.hypotheses[row] => ObligationResult::Untouched,
                RowKind::Invariant => {
                    let broken = self.graph.and(self.step.guard, !after[row]);
                    self.ask(row, broken)
                }
                RowKind::Violation => {
                    let violations = self.step.violations.iter().filter(|(id, _)| *id == of.property);
                    let violations: Vec<Lit> = violations.map(|(_, lit)| *lit).collect();
                    if violations.is_empty() {
                        ObligationResult::Untouched
                    } else {
                        let violated = self.graph.any(violations);
                        self.ask(row, violated)
                    }
                }
            };
            obligations.push(Obligation { row, outcome, seconds: started.elapsed().as_secs_f64() });
        }
        StepProof { can_happen, obligations }
    }

    /// Whether some state that satisfies all hypotheses has this step.
    fn can_happen(&mut self) -> Option<bool> {
        let violated = self.graph.any(self.step.violations.iter().map(|(_, lit)| *lit).collect::<Vec<_>>());
        let enabled = self.graph.or(self.step.guard, violated);
        let mut assumptions = self.hypotheses.clone();
        assumptions.push(enabled);
        match self.solver.solve(&self.graph, &assumptions, self.patience.budget(None)) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown => None,
        }
    }

    /// Whether the hypotheses of a row exclude `broken`.
    fn ask(&mut self, row: usize, broken: Lit) -> ObligationResult {
        if broken == Lit::FALSE {
            return ObligationResult::Discharged(Vec::new());
        }
        let level = self.problem.rows[row].level;
        let may_use = |hypothesis: &usize| self.problem.rows[*hypothesis].level <= level;
        let used: Vec<usize> = (0..self.hypotheses.len()).filter(may_use).collect();
        let budget = self.patience.budget(None);
        match self.solve(&used, broken, budget) {
            Answer::Sat(inputs) => {
                ObligationResult::Counterexample(Box::new(self.counterexample(row, &used, broken, inputs)))
            }
            Answer::Unsat(core) => ObligationResult::Discharged(self.fewer(&used, broken, &core)),
            Answer::Unknown => ObligationResult::Open,
        }
    }

    fn solve(&mut self, used: &[usize], broken: Lit, budget: Budget<'a>) -> Answer {
        let mut assumptions: Vec<Lit> = used.iter().map(|row| self.hypotheses[*row]).collect();
        assumptions.push(broken);
        self.solver.solve(&self.graph, &assumptions, budget)
    }

    /// A small core: each hypothesis in turn is left out, and stays out if the rest is enough.
    fn fewer(&mut self, used: &[usize], broken: Lit, core: &[Lit]) -> Vec<usize> {
        let within = |rows: &[usize], core: &[Lit], of: &Self| -> Vec<usize> {
            rows.iter().copied().filter(|row| core.contains(&of.hypotheses[*row])).collect()
        };
        let mut rows = within(used, core, self);
        for row in rows.clone() {
            if !rows.contains(&row) {
                continue;
            }
            let rest: Vec<usize> = rows.iter().copied().filter(|r| *r != row).collect();
            let budget = self.patience.budget(Some(POLISH));
            if let Answer::Unsat(core) = self.solve(&rest, broken, budget) {
                rows = within(&rest, &core, self);
            }
        }
        rows
    }

    /// The counterexample as plain as can be: as much as possible is as at the start.
    fn counterexample(&mut self, row: usize, used: &[usize], broken: Lit, inputs: Vec<bool>) -> Counterexample {
        let mut assumptions: Vec<Lit> = used.iter().map(|row| self.hypotheses[*row]).collect();
        assumptions.push(broken);
        let problem = self.problem;
        let before = problem.relation().before(&problem.state, self.of);
        let wishes = wishes(problem.automata, &problem.layout, &mut self.graph, &before);
        let patience = self.patience;
        let budget = |conflicts| patience.budget(Some(conflicts));
        let inputs = granted(&mut self.solver, &self.graph, assumptions, &wishes, inputs, budget);
        let before = Snapshot::read(&self.graph, &before, &problem.layout, &inputs);
        let is_invariant = problem.rows[row].kind == RowKind::Invariant;
        let after = is_invariant.then(|| Snapshot::read(&self.graph, &self.step.after, &problem.layout, &inputs));
        let confirmation = confirm(problem, self.of, &before, after.as_ref());
        Counterexample { before, after, confirmation }
    }
}
