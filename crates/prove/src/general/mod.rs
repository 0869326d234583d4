//! Which obligations are general: discharged for any number of objects and of copies of threads, because they are at this scope.
//!
//! Two arguments, written down in `docs/decisions/0028-scopes-as-theorems.md`. *Untouched*: the step writes nothing that the row speaks of,
//! variable by variable (`footprint`). *Small models*: a counterexample at a greater scope has one at this scope inside it (`walk`
//! and `texts` for the step, `transfer` for the hypotheses that a core names and for the row, `kept` and `small_model` for how many elements
//! that needs). What neither
//! covers is bounded, with the reason.

mod cores;
mod footprint;
mod groups;
mod kept;
mod names;
mod sizes;
mod small_model;
mod texts;
mod touched;
mod transfer;
mod walk;

pub use kept::Sort;

use crate::discharge::ObligationResult;
use crate::problem::{Problem, RowKind};
use crate::run::Proof;
use crate::step::StepOf;
use automata::scalars::SortId;
use base::source::Sources;
use base::table::Id;
use cores::OfStep;
use groups::{Group, compares, depth, groups, typed_of};
use kept::Sorts;
use program::Program;
use program::indices::{Holder, Home, Indices};
use program::typed::{self, LocalId};
use program::types::Type;
use sat::Graph;
use texts::Texts;

/// Whether a discharged obligation is so at every scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Generality {
    /// The step writes nothing that the row speaks of.
    Untouched,
    /// A counterexample needs at most so many elements of each sort.
    SmallModel(Vec<(Sort, usize)>),
    /// Only at this scope, and why.
    Bounded(String),
}

/// For each step, what is known of its obligations, in the same order; none of those that are not discharged.
pub fn generality(
    problem: &Problem<'_>,
    proof: &Proof,
    program: &Program,
    sources: &Sources,
) -> Vec<Vec<Option<Generality>>> {
    let indices = Indices::new(program);
    let objection = sizes::objection(program, sources, &indices);
    let mut graph = problem.graph.clone();
    let hypotheses = groups(problem, program, &indices, &mut graph);
    let sorts = Sorts { program, indices: &indices };
    let texts = Texts::new(program);
    let general = General { problem, program, sorts: &sorts, texts: &texts, graph, hypotheses };
    let of_step = |(step, of): (&StepOf, &crate::StepProof)| match &objection {
        Some(objection) => {
            let is_done = |o: &crate::Obligation| is_discharged(&o.outcome);
            of.obligations.iter().map(|o| is_done(o).then(|| Generality::Bounded(objection.clone()))).collect()
        }
        None => general.step(step, of),
    };
    problem.steps.iter().zip(&proof.steps).map(of_step).collect()
}

fn is_discharged(outcome: &ObligationResult) -> bool {
    matches!(outcome, ObligationResult::Untouched | ObligationResult::Discharged(_))
}

struct General<'a> {
    problem: &'a Problem<'a>,
    program: &'a Program,
    sorts: &'a Sorts<'a>,
    texts: &'a Texts<'a>,
    /// The problem's graph with the conditions of the groups.
    graph: Graph,
    hypotheses: Vec<Group>,
}

impl General<'_> {
    fn step(&self, step: &StepOf, proof: &crate::StepProof) -> Vec<Option<Generality>> {
        let Ok(mut of) = OfStep::new(self, step) else { return vec![None; proof.obligations.len()] };
        let one = |obligation: &crate::Obligation| {
            is_discharged(&obligation.outcome).then(|| self.obligation(&mut of, obligation))
        };
        proof.obligations.iter().map(one).collect()
    }

    /// The sort of the program that one of the automata is; none for the variants of an enum.
    fn sort_of(&self, sort: SortId) -> Option<Sort> {
        let declared = &self.problem.automata.scalars.sorts[sort];
        let objects = &self.program.types.objects;
        if declared.threads.is_some() {
            let is_it = |(_, thread): &(typed::ThreadId, &typed::Thread)| thread.name == declared.name;
            return self.program.threads.iter().find(is_it).map(|(id, _)| Sort::Copies(id));
        }
        // Enums come first, then objects.
        let position = sort.index().checked_sub(self.program.types.enums.len())?;
        (position < objects.len()).then(|| Sort::Objects(Id::new(position)))
    }

    fn obligation(&self, of: &mut OfStep<'_>, obligation: &crate::Obligation) -> Generality {
        let row = obligation.row;
        if self.sees_all_patterns(row) && of.footprint.leaves_alone(self.problem, of.step, row) {
            return Generality::Untouched;
        }
        if self.problem.rows[row].kind == RowKind::Violation {
            return Generality::Bounded("what a step violates by itself is not looked at".into());
        }
        let used = match &obligation.outcome {
            ObligationResult::Discharged(used) => used.clone(),
            _ => vec![row],
        };
        match self.small_model(of, row, &used) {
            Ok(None) => Generality::Untouched,
            Ok(Some(counts)) => match counts.iter().find(|(sort, count)| **count > self.size(**sort)) {
                Some((sort, count)) => {
                    let n = self.size(*sort);
                    Generality::Bounded(format!(
                        "a scope of {count} of `{}` would tell, this one has {n}",
                        self.name(*sort)
                    ))
                }
                None => Generality::SmallModel(counts.into_iter().collect()),
            },
            Err(why) => Generality::Bounded(why),
        }
    }

    fn size(&self, sort: Sort) -> usize {
        match sort {
            Sort::Objects(id) => self.program.types.objects[id].instances.len(),
            Sort::Copies(id) => self.program.threads[id].count.unwrap_or(1) as usize,
        }
    }

    fn name(&self, sort: Sort) -> &str {
        match sort {
            Sort::Objects(id) => &self.program.types.objects[id].name,
            Sort::Copies(id) => &self.program.threads[id].name,
        }
    }

    /// Whether every way in which the names of a row may stand for the same or for different elements occurs at this scope: then what is left of
    /// it is, variable by variable, what is left of it at every greater scope.
    fn sees_all_patterns(&self, row: usize) -> bool {
        let name = &self.problem.rows[row].name;
        let name = name.split_once(" of ").map_or(name.as_str(), |(_, of)| of);
        let typed =
            typed_of(self.program, name).and_then(|(id, property)| Some((id, property, property.kind.of_states()?)));
        let Some((id, property, condition)) = typed else { return self.problem.rows[row].kind == RowKind::Violation };
        let objects = self.program.types.objects.ids().map(Sort::Objects);
        let copies = self.program.threads.iter().filter(|(_, thread)| thread.count.is_some());
        let mut sorts = objects.chain(copies.map(|(id, _)| Sort::Copies(id)));
        sorts.all(|sort| {
            let is_meant = |local: LocalId| self.sort_of_local((id, property), local) == Some(sort);
            let n_names = depth(self.program, condition, &is_meant) + 1;
            self.size(sort) >= if compares(self.program, condition) { n_names } else { n_names.min(2) }
        })
    }

    fn sort_of_local(&self, (id, property): (typed::PropertyId, &typed::Property), local: LocalId) -> Option<Sort> {
        match property.locals[local].ty {
            Type::Ref { object, .. } => Some(Sort::Objects(object)),
            _ => self.sorts.indices.of(Holder::Local(Home::Property(id), local)).map(Sort::Copies),
        }
    }
}
