//! All obligations of one step: one solver, called once per row.

use crate::confirm::{Confirmation, confirm};
use crate::modular::{self, Question};
use crate::problem::{Problem, RowKind};
use crate::region::Endless;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::step::{Step, StepKind, StepOf};
use base::table::Id;
use sat::{Answer, Bits, Budget, Graph, Lit, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How hard a core is made smaller, and a counterexample plainer. Conflicts and not seconds, so that the same is found
/// on every machine.
const POLISH: u64 = 300;

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
    /// What was asked.
    pub question: Question,
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
    index: usize,
    of: &'p StepOf,
    graph: Graph,
    solver: Solver<'a>,
    patience: Patience<'a>,
    /// What rows say of states before the step, then what they say of those after it.
    stated: Vec<Lit>,
    /// Whether the step is as a guarantee of its thread says; and what that requires.
    promised: (Lit, Lit),
    step: Step,
}

/// Discharges the obligations of a step.
pub(crate) fn discharge<'a>(problem: &Problem<'_>, index: usize, patience: Patience<'a>) -> Result<StepProof, Endless> {
    // To make the circuits takes long too.
    if patience.is_over() {
        return Ok(open(problem, index));
    }
    let of = &problem.steps[index];
    let relation = problem.relation();
    let mut graph = problem.graph.clone();
    let before = relation.before(&problem.state, of);
    let mut known = problem.state.replaced_by(&before);
    let typing = known.apply(&mut graph, problem.typing);
    let mut stated: Vec<Lit> = problem.conditions.iter().map(|lit| known.apply(&mut graph, *lit)).collect();
    let step = relation.step(&mut graph, &before, of)?;
    debug_assert!(leaves_others(of.thread.index(), &before, &step.after), "a step changes its own thread's state only");
    let mut replaced = problem.state.replaced_by(&step.after);
    stated.extend(problem.conditions.iter().map(|lit| replaced.apply(&mut graph, *lit)));
    let promised = problem.promise(&mut graph, index, (&before, &step.after));
    let mut solver = Solver::new();
    solver.require(&graph, typing);
    let mut discharge = Discharge { problem, index, of, graph, solver, patience, stated, promised, step };
    Ok(discharge.all())
}

/// Whether the locations, registers and buffers of all threads but one are the same: assertions of others rely on it.
fn leaves_others(thread: usize, before: &State, after: &State) -> bool {
    let threads = before.threads.iter().zip(&after.threads).enumerate();
    threads.filter(|(other, _)| *other != thread).all(|(_, (before, after))| before == after)
}

/// What is known of a step that there was no time to look at.
fn open(problem: &Problem<'_>, step: usize) -> StepProof {
    let outcome = ObligationResult::Open;
    let open = |(row, question)| Obligation { row, question, outcome: outcome.clone(), seconds: 0.0 };
    StepProof { can_happen: None, obligations: questions(problem, step).map(open).collect() }
}

/// The rows that are to be proved of a step, each with the question.
fn questions<'p>(problem: &'p Problem<'_>, step: usize) -> impl Iterator<Item = (usize, Question)> + 'p {
    let rows = problem.rows.iter().enumerate().filter(|(_, row)| row.is_selected);
    rows.filter_map(move |(row, _)| Some((row, problem.question(step, row)?)))
}

impl<'a> Discharge<'_, 'a> {
    fn all(&mut self) -> StepProof {
        let can_happen = self.can_happen();
        let mut obligations = Vec::new();
        let n_stated = self.problem.conditions.len();
        for (row, question) in questions(self.problem, self.index) {
            let of = &self.problem.rows[row];
            let started = Instant::now();
            let outcome = match of.kind {
                RowKind::Invariant if self.stated[n_stated + row] == self.stated[row] => ObligationResult::Untouched,
                RowKind::Invariant => {
                    let broken = self.graph.and(self.step.guard, !self.stated[n_stated + row]);
                    self.ask(row, question, broken)
                }
                RowKind::Guarantee => {
                    let broken = self.graph.and(self.step.guard, !self.promised.0);
                    self.ask(row, question, broken)
                }
                RowKind::Violation => {
                    let violations = self.step.violations.iter().filter(|(id, _)| *id == of.property);
                    let violations: Vec<Lit> = violations.map(|(_, lit)| *lit).collect();
                    if violations.is_empty() {
                        ObligationResult::Untouched
                    } else {
                        let violated = self.graph.any(violations);
                        self.ask(row, question, violated)
                    }
                }
            };
            obligations.push(Obligation { row, question, outcome, seconds: started.elapsed().as_secs_f64() });
        }
        StepProof { can_happen, obligations }
    }

    /// Whether some state that satisfies all hypotheses has this step.
    fn can_happen(&mut self) -> Option<bool> {
        let violated = self.graph.any(self.step.violations.iter().map(|(_, lit)| *lit).collect::<Vec<_>>());
        let enabled = self.graph.or(self.step.guard, violated);
        let mut assumptions = self.stated[..self.problem.conditions.len()].to_vec();
        assumptions.push(enabled);
        match self.solver.solve(&self.graph, &assumptions, self.patience.budget(None)) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown => None,
        }
    }

    /// Whether the hypotheses of a row exclude `broken`.
    fn ask(&mut self, row: usize, question: Question, broken: Lit) -> ObligationResult {
        if broken == Lit::FALSE {
            return ObligationResult::Discharged(Vec::new());
        }
        let hypotheses = self.problem.hypotheses(self.index, row, question);
        let n_stated = self.problem.conditions.len();
        let after = hypotheses.after.iter().map(|row| n_stated + row);
        let used: Vec<usize> = hypotheses.before.iter().copied().chain(after).collect();
        let broken = if hypotheses.required { self.graph.and(self.promised.1, broken) } else { broken };
        let budget = self.patience.budget(None);
        match self.solve(&used, broken, budget) {
            Answer::Sat(inputs) => {
                ObligationResult::Counterexample(Box::new(self.counterexample(row, &used, broken, inputs)))
            }
            Answer::Unsat(core) => {
                let mut rows: Vec<usize> =
                    self.fewer(&used, broken, &core).into_iter().map(|used| used % n_stated).collect();
                rows.sort();
                rows.dedup();
                ObligationResult::Discharged(rows)
            }
            Answer::Unknown => ObligationResult::Open,
        }
    }

    fn solve(&mut self, used: &[usize], broken: Lit, budget: Budget<'a>) -> Answer {
        let mut assumptions: Vec<Lit> = used.iter().map(|of| self.stated[*of]).collect();
        assumptions.push(broken);
        self.solver.solve(&self.graph, &assumptions, budget)
    }

    /// A small core: each hypothesis in turn is left out, and stays out if the rest is enough.
    fn fewer(&mut self, used: &[usize], broken: Lit, core: &[Lit]) -> Vec<usize> {
        let within = |rows: &[usize], core: &[Lit], of: &Self| -> Vec<usize> {
            rows.iter().copied().filter(|row| core.contains(&of.stated[*row])).collect()
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
    fn counterexample(&mut self, row: usize, used: &[usize], broken: Lit, mut inputs: Vec<bool>) -> Counterexample {
        let mut assumptions: Vec<Lit> = used.iter().map(|of| self.stated[*of]).collect();
        assumptions.push(broken);
        for wish in self.wishes() {
            let is_granted = self.graph.evaluate(&inputs, &[wish])[0];
            assumptions.push(wish);
            if !is_granted {
                match self.solver.solve(&self.graph, &assumptions, self.patience.budget(Some(POLISH))) {
                    Answer::Sat(better) => inputs = better,
                    _ => {
                        assumptions.pop();
                    }
                }
            }
        }
        let problem = self.problem;
        let before = problem.relation().before(&problem.state, self.of);
        let before = Snapshot::read(&self.graph, &before, &problem.layout, &inputs);
        let is_safe = problem.rows[row].kind != RowKind::Violation;
        let after = is_safe.then(|| Snapshot::read(&self.graph, &self.step.after, &problem.layout, &inputs));
        let confirmation = match (&self.of.kind, &after) {
            (StepKind::Interference { guarantee }, Some(after)) => {
                let relation = problem.automata.guarantees[*guarantee].of(self.of.thread).expect("it says something");
                modular::confirm(problem, relation, (&before, after))
            }
            _ => confirm(problem, self.of, &before, after.as_ref()),
        };
        Counterexample { before, after, confirmation }
    }

    /// What one would like a counterexample to be like: nothing buffered, then each cell, thread and register as at the start.
    fn wishes(&mut self) -> Vec<Lit> {
        let initial = Snapshot::initial(self.problem.automata);
        let state = self.problem.relation().before(&self.problem.state, self.of);
        let graph = &mut self.graph;
        let mut wishes: Vec<Lit> = state
            .threads
            .iter()
            .rev()
            .flat_map(|thread| thread.buffer.iter().rev().map(|slot| !slot.is_used))
            .collect();
        for (bits, value) in state.cells.iter().zip(&initial.cells) {
            wishes.push(graph.is(bits, *value));
        }
        for (index, (thread, at_start)) in state.threads.iter().zip(&initial.threads).enumerate() {
            let entry = self.problem.layout.threads[index].place(at_start.point);
            wishes.extend(entry.map(|place| graph.is(&thread.place, place as i32)));
            for (bits, value) in thread.registers.iter().zip(&at_start.registers) {
                wishes.push(graph.is(bits, *value));
            }
        }
        if matches!(self.of.kind, StepKind::Interference { .. }) {
            wishes.extend(unchanged(graph, &state, &self.step.after));
        }
        wishes.retain(|wish| wish.value().is_none());
        wishes
    }
}

/// That as little as possible is changed.
fn unchanged(graph: &mut Graph, before: &State, after: &State) -> Vec<Lit> {
    let mut wishes = Vec::new();
    let mut same = |old: &Bits, new: &Bits| wishes.push(graph.equal(old, new));
    before.cells.iter().zip(&after.cells).for_each(|(old, new)| same(old, new));
    for (old, new) in before.threads.iter().zip(&after.threads) {
        same(&old.place, &new.place);
        old.registers.iter().zip(&new.registers).for_each(|(old, new)| same(old, new));
    }
    let slots = after.threads.iter().flat_map(|thread| thread.buffer.iter().rev().map(|slot| !slot.is_used));
    wishes.extend(slots);
    wishes
}
