//! Which obligations are general: discharged for any number of objects and of copies of threads, because they are at this scope.
//!
//! Two arguments, written down in `docs/decisions/0026-scopes-as-theorems.md`. *Untouched*: the step writes nothing that the row speaks of,
//! variable by variable (`footprint`). *Small models*: a counterexample at a greater scope has one at this scope inside it (`walk`
//! for the step, `transfer` for the hypotheses that a core names and for the row, `kept` for how many elements that needs). What neither
//! covers is bounded, with the reason.

mod footprint;
mod groups;
mod kept;
mod sizes;
mod texts;
mod transfer;
mod walk;

pub use kept::Sort;

use crate::discharge::ObligationResult;
use crate::problem::{Problem, RowKind};
use crate::run::Proof;
use crate::step::{StepKind, StepOf};
use automata::scalars::SortId;
use base::source::Sources;
use base::table::Id;
use footprint::{Footprint, footprint};
use groups::{Group, all_conjuncts, compares, conjuncts, depth, groups, typed_of};
use kept::{Kept, Sorts};
use program::Program;
use program::indices::{Holder, Home, Indices};
use program::typed::{self, Expr, LocalId};
use program::types::Type;
use sat::{Answer, Budget, Graph, Lit, Solver};
use std::collections::{BTreeMap, BTreeSet};
use texts::Texts;
use transfer::{Bound, Direction, Moment, Transfer};
use walk::{Way, ways};

/// How hard a core is made smaller.
const POLISH: u64 = 300;

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

/// One step with what its circuit gives.
struct OfStep<'s> {
    step: &'s StepOf,
    footprint: Footprint,
    ways: Result<Vec<Way>, String>,
    graph: Graph,
    solver: Solver<'s>,
    guard: Lit,
    before: Vec<Lit>,
    after: Vec<Lit>,
}

/// A conjunct that a way through a step may break.
struct Broken<'a> {
    way: &'a Way,
    id: typed::PropertyId,
    property: &'a typed::Property,
    conjunct: &'a Expr,
    names: BTreeMap<LocalId, Bound>,
    is_buffered: bool,
}

type Counts = BTreeMap<Sort, usize>;

impl General<'_> {
    fn step(&self, step: &StepOf, proof: &crate::StepProof) -> Vec<Option<Generality>> {
        let sort_of = |sort: SortId| self.sort_of(sort);
        let (problem, relation) = (self.problem, self.problem.relation());
        let mut graph = self.graph.clone();
        let before = relation.before(&problem.state, step);
        let mut known = problem.state.replaced_by(&before);
        let typing = known.apply(&mut graph, problem.typing);
        let hypotheses = self.hypotheses.iter().map(|group| known.apply(&mut graph, group.condition)).collect();
        let Ok(circuit) = relation.step(&mut graph, &before, step) else { return vec![None; proof.obligations.len()] };
        let mut replaced = problem.state.replaced_by(&circuit.after);
        let after = problem.conditions.iter().map(|lit| replaced.apply(&mut graph, *lit)).collect();
        let mut solver = Solver::new();
        solver.require(&graph, typing);
        let mut of = OfStep {
            step,
            footprint: footprint(problem, step),
            ways: ways(problem, (self.sorts, self.texts), &sort_of, step),
            graph,
            solver,
            guard: circuit.guard,
            before: hypotheses,
            after,
        };
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
            Ok(counts) => match counts.iter().find(|(sort, count)| **count > self.size(**sort)) {
                Some((sort, count)) => {
                    let n = self.size(*sort);
                    Generality::Bounded(format!(
                        "a scope of {count} of `{}` would tell, this one has {n}",
                        self.name(*sort)
                    ))
                }
                None if counts.is_empty() => Generality::Untouched,
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

    /// How many elements of each sort a counterexample needs, or why that is not known.
    fn small_model(&self, of: &mut OfStep<'_>, row: usize, used: &[usize]) -> Result<Counts, String> {
        let found = of.ways.clone()?;
        let core = self.core(of, row, used)?;
        let Some((id, property)) = typed_of(self.program, &self.problem.rows[row].name) else {
            return Err("it states where another row has a value, or an outcome".into());
        };
        let condition = property.kind.of_states().ok_or("it states no condition")?;
        let mut most = Counts::new();
        for way in &found {
            for (conjunct, bound) in all_conjuncts(condition) {
                for names in self.cases(of.step, (id, property), &bound) {
                    let broken = Broken { way, id, property, conjunct, names, is_buffered: of.footprint.buffer };
                    let Some(kept) = self.kept(of.step, &core, broken)? else { continue };
                    for (sort, count) in kept.counts() {
                        let most = most.entry(sort).or_default();
                        *most = count.max(*most);
                    }
                }
            }
        }
        Ok(most)
    }

    /// What the names of the row's conjunct stand for: of those for threads, the acting one or another.
    fn cases(
        &self,
        step: &StepOf,
        (id, property): (typed::PropertyId, &typed::Property),
        bound: &[LocalId],
    ) -> Vec<BTreeMap<LocalId, Bound>> {
        let (acting, copy) = self.declaration(step);
        let mut cases = vec![BTreeMap::new()];
        for local in bound {
            let name = format!("{local} of the row");
            let ways = match self.sort_of_local((id, property), *local) {
                None => {
                    let range = self.program.types.range(property.locals[*local].ty);
                    range.values().map(Bound::Number).collect()
                }
                // Of two copies, one acts and the other does not.
                Some(Sort::Copies(thread)) if thread == acting && self.size(Sort::Copies(thread)) == 2 => {
                    vec![Bound::Acting, Bound::One(format!("{thread} {}", 1 - copy))]
                }
                Some(Sort::Copies(thread)) if thread == acting => vec![Bound::Acting, Bound::One(name)],
                Some(_) => vec![Bound::One(name)],
            };
            let longer = |case: &BTreeMap<LocalId, Bound>| {
                let with = |way: &Bound| {
                    let mut case = case.clone();
                    case.insert(*local, way.clone());
                    case
                };
                ways.iter().map(with).collect::<Vec<_>>()
            };
            cases = cases.iter().flat_map(longer).collect();
        }
        cases
    }

    /// The declaration of the acting thread, and which copy it is.
    fn declaration(&self, step: &StepOf) -> (typed::ThreadId, usize) {
        let mut left = step.thread.index();
        for (id, thread) in self.program.threads.iter() {
            let count = thread.count.unwrap_or(1) as usize;
            if left < count {
                return (id, left);
            }
            left -= count;
        }
        (typed::ThreadId(0), 0)
    }

    /// What a smaller state keeps, so that the step can be taken there, the hypotheses hold and the conjunct is broken; none if the step cannot
    /// break it.
    fn kept(&self, step: &StepOf, core: &[usize], broken: Broken<'_>) -> Result<Option<Kept>, String> {
        let Broken { way, id, property, conjunct, names, is_buffered } = broken;
        let mut kept = way.kept.clone();
        let (acting, copy) = self.declaration(step);
        if self.program.threads[acting].count.is_some() {
            kept.keep(Sort::Copies(acting), "the acting thread");
        }
        for (local, bound) in &names {
            if let (Bound::One(name), Some(sort)) = (bound, self.sort_of_local((id, property), *local)) {
                kept.keep(sort, name.clone());
            }
        }
        let automaton = &self.problem.automata.threads[step.thread].automaton;
        let (start, nothing) = (self.start(step), BTreeSet::new());
        let (from, end) = match step.kind {
            StepKind::Point(point) => (Some(point), way.end),
            StepKind::Commit { .. } => (None, None),
        };
        let before =
            Moment { acting, automaton, point: from, registers: &start, written: &nothing, is_buffered: false };
        let after =
            Moment { acting, automaton, point: end, registers: &way.registers, written: &way.written, is_buffered };
        let (sorts, home, locals, mut unused) = (self.sorts, Home::Property(id), &property.locals, Kept::default());
        let earlier = Transfer { sorts, home, locals, moment: &before, bound: names.clone(), kept: &mut unused };
        let mut later = Transfer { sorts, home, locals, moment: &after, bound: names, kept: &mut kept };
        if !later.is_touched(conjunct, &earlier) {
            return Ok(None);
        }
        later.condition(conjunct, Direction::Lose)?;
        let mut read = Vec::new();
        families(self.sorts, conjunct, &mut read);
        for group in core.iter().map(|group| &self.hypotheses[*group]) {
            self.hypothesis(group, copy, &before, &mut kept, &mut read)?;
        }
        match way.reads_what_it_pops(&read) {
            true => Err("a step takes a queue's oldest element away, which may be in it twice".into()),
            false => Ok(Some(kept)),
        }
    }

    fn start(&self, step: &StepOf) -> kept::Registers {
        let sort_of = |sort: SortId| self.sort_of(sort);
        walk::start(self.problem, &sort_of, step.thread)
    }

    /// A group of hypotheses stays true.
    fn hypothesis(
        &self,
        group: &Group,
        copy: usize,
        before: &Moment<'_>,
        kept: &mut Kept,
        read: &mut Vec<u32>,
    ) -> Result<(), String> {
        let name = &self.problem.rows[group.row].name;
        let stated =
            typed_of(self.program, name).and_then(|(id, property)| Some((id, property, property.kind.of_states()?)));
        let Some((id, property, condition)) = stated else {
            return Err("it uses a row that states where another has a value, or an outcome".into());
        };
        let to = if group.violating { Direction::Lose } else { Direction::Gain };
        let found = match group.span {
            Some(span) => conjuncts(condition, span),
            None => vec![(condition, Vec::new())],
        };
        for (conjunct, bound) in found {
            let names = bound.into_iter().map(|local| {
                let declared = &property.locals[local];
                let which = group.threads.iter().find(|(name, _)| *name == declared.name);
                let of_thread = self.sorts.indices.of(Holder::Local(Home::Property(id), local));
                let bound = match (which, of_thread) {
                    (Some((_, value)), Some(thread)) if thread == before.acting && *value == copy.to_string() => {
                        Bound::Acting
                    }
                    (Some((_, value)), Some(thread)) => Bound::One(format!("{thread} {value}")),
                    _ => Bound::Each,
                };
                (local, bound)
            });
            let (home, locals) = (Home::Property(id), &property.locals);
            families(self.sorts, conjunct, read);
            let bound = names.collect();
            let mut transfer = Transfer { sorts: self.sorts, home, locals, moment: before, bound, kept };
            transfer.condition(conjunct, to)?;
        }
        Ok(())
    }

    /// The groups that are enough for the obligation, as few as are found quickly.
    fn core(&self, of: &mut OfStep<'_>, row: usize, used: &[usize]) -> Result<Vec<usize>, String> {
        let broken = of.graph.and(of.guard, !of.after[row]);
        let mut groups: Vec<usize> =
            (0..self.hypotheses.len()).filter(|group| used.contains(&self.hypotheses[*group].row)).collect();
        let all = std::mem::take(&mut groups);
        let Some(mut core) = within(of, &all, broken, Budget::default()) else {
            return Err("the hypotheses, one by one, were not enough".into());
        };
        for group in core.clone() {
            let rest: Vec<usize> = core.iter().copied().filter(|g| *g != group).collect();
            let budget = Budget { conflicts: Some(POLISH), ..Budget::default() };
            if let (true, Some(fewer)) = (core.contains(&group), within(of, &rest, broken, budget)) {
                core = fewer;
            }
        }
        Ok(core)
    }
}

/// Those of the groups that exclude `broken`, if they do.
fn within(of: &mut OfStep<'_>, groups: &[usize], broken: Lit, budget: Budget<'_>) -> Option<Vec<usize>> {
    let mut assumptions: Vec<Lit> = groups.iter().map(|group| of.before[*group]).collect();
    assumptions.push(broken);
    let conflicts = Budget { conflicts: budget.conflicts, ..Budget::default() };
    match of.solver.solve(&of.graph, &assumptions, conflicts) {
        Answer::Unsat(core) => Some(groups.iter().copied().filter(|group| core.contains(&of.before[*group])).collect()),
        _ => None,
    }
}

/// The families that a condition reads.
fn families(sorts: &Sorts<'_>, expr: &Expr, read: &mut Vec<u32>) {
    use program::typed::ExprKind;
    match &expr.kind {
        ExprKind::Load(place) | ExprKind::Oldest(_, place) | ExprKind::Pending(_, place, _) => {
            read.push(sorts.family(&place.root));
        }
        ExprKind::Reaches(graph, ..) => {
            if let Some(condition) = &sorts.program.graphs[*graph].condition {
                families(sorts, condition, read);
            }
        }
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| families(sorts, operand, read));
}
