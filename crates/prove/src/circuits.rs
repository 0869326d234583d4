//! The circuits as a transition system on concrete states: what tests compare with the plain interpreter.

use crate::problem::{Problem, Refused};
use crate::snapshot::Snapshot;
use crate::step::{Step, StepKind};
use automata::PropertyId;
use base::Span;
use base::table::Id;
use sat::{Graph, Lit};

/// The most free choices in one step that are tried.
const MAX_CHOICES: usize = 12;

/// Every step of a system as a circuit.
pub struct Circuits<'p> {
    problem: &'p Problem<'p>,
    steps: Vec<(Graph, Step)>,
}

impl<'p> Circuits<'p> {
    /// The circuits of all steps.
    pub fn new(problem: &'p Problem<'p>) -> Result<Self, Refused> {
        let relation = problem.relation();
        let circuit = |step| {
            let mut graph = problem.graph.clone();
            let before = relation.before(&problem.state, step);
            let step = relation.step(&mut graph, &before, step);
            step.map(|step| (graph, step)).map_err(|_| Refused { what: "an endless region".into(), span: Span::none() })
        };
        Ok(Circuits { problem, steps: problem.steps.iter().map(circuit).collect::<Result<_, _>>()? })
    }

    /// Whether each row that is an invariant is true; none if the state is no typed one.
    pub fn judge(&self, state: &Snapshot) -> Option<Vec<bool>> {
        let Problem { graph, state: of, layout, conditions, typing, .. } = self.problem;
        let inputs = state.inputs(graph, of, layout)?;
        graph.evaluate(&inputs, &[*typing])[0].then(|| graph.evaluate(&inputs, conditions))
    }

    /// All states after one step from `state`, or the properties that the step violates by itself.
    pub fn successors(&self, state: &Snapshot) -> Vec<(usize, Result<Snapshot, PropertyId>)> {
        let mut found = Vec::new();
        for (index, of) in self.problem.steps.iter().enumerate() {
            let thread = &state.threads[of.thread.index()];
            let is_there = match &of.kind {
                StepKind::Point(point) => thread.point == *point,
                StepKind::Interference { .. } => false,
                StepKind::Commit { cells, .. } => thread.buffer.first().is_some_and(|(cell, _)| cells.contains(cell)),
            };
            if is_there {
                self.after(index, state, &mut found);
            }
        }
        found
    }

    fn after(&self, index: usize, state: &Snapshot, found: &mut Vec<(usize, Result<Snapshot, PropertyId>)>) {
        let (graph, step) = &self.steps[index];
        let problem = self.problem;
        let Some(inputs) = state.inputs(graph, &problem.state, &problem.layout) else { return };
        assert!(step.choices.len() <= MAX_CHOICES, "too many choices to go through");
        for way in 0..1usize << step.choices.len() {
            let mut inputs = inputs.clone();
            for (n, choice) in step.choices.iter().enumerate() {
                inputs[graph.input_number(*choice).expect("a choice is an input")] = way >> n & 1 == 1;
            }
            let violated: Vec<Lit> = step.violations.iter().map(|(_, lit)| *lit).collect();
            let values = graph.evaluate(&inputs, &violated);
            let violations = step.violations.iter().zip(values).filter(|(_, is_violated)| *is_violated);
            found.extend(violations.map(|((property, _), _)| (index, Err(*property))));
            if graph.evaluate(&inputs, &[step.guard])[0] {
                let after = Snapshot::read(graph, &step.after, &problem.layout, &inputs);
                found.push((index, Ok(after)));
            }
        }
    }
}
