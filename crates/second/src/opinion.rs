//! The result: what is violated or reached in each state, and what is true of each property (rules 3.3, 8.1 to 8.8, 9.1 to 9.4).

use crate::code::{Check, Code};
use crate::formula::Temporal;
use crate::graph::{Graph, Limits, Line};
use crate::state::{State, Thread};
use crate::values::Violation;
use crate::world::{Asked, End, Options, World};
use base::table::Id;
use memory::MemoryModel;
use program::Program;
use program::named::{LabelQuestion, Locals};
use program::typed::{Cover, Expr, Property, PropertyId, PropertyKind, StmtKind, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is true of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every state, or run, was looked at.
    Holds,
    /// Here is a run that violates it.
    Violated(Vec<Line>),
    /// An assertion that control never comes to.
    NotReached,
    /// Switched off, or not looked at because others are violated.
    NotChecked,
}

/// What the second opinion says about a program under a memory model.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// Every property by its name: the built-in ones, then those of the text.
    pub properties: Vec<(String, Answer)>,
    /// Every cover property, and whether it is reached.
    pub covers: Vec<(String, bool)>,
    /// The states of the search.
    pub n_states: usize,
}

/// Why there is no opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There are too many states; these were looked at.
    GaveUp(usize),
    /// There is no run: every initial state is discarded, or there is no thread.
    NoRun,
}

/// Judges every property of a program under a memory model.
pub fn opinion(program: &Program, model: &MemoryModel, options: &Options, limits: Limits) -> Result<Opinion, Failure> {
    let mut world = World::new(program, model, options);
    let judged = program.properties.values().filter(|property| world.is_judged(property));
    let temporals: Vec<Temporal<'_>> = judged.filter_map(|property| Temporal::new(&world, property)).collect();
    let sees_passing = world.mark(&temporals);
    if world.code.is_empty() || !world.initial().iter().any(|path| path.end == End::State) {
        return Err(Failure::NoRun);
    }
    world.sees_passing = sees_passing;
    let mut graph = world.explore(limits).map_err(Failure::GaveUp)?;
    let n_states = graph.states.len();
    let violated = world.judge(&mut graph, &temporals);
    let check = |kind: &StmtKind| match kind {
        StmtKind::Assert(id, _) => Some(Check::Assert(*id)),
        StmtKind::Cover(id, _) => Some(Check::Cover(*id)),
        _ => None,
    };
    let checks: Vec<Check> = program.live_stmts().iter().filter_map(|stmt| check(&stmt.kind)).collect();
    let answer = |violation: Violation, otherwise: Answer| match violated.get(&violation) {
        Some(at) => Answer::Violated(world.trace(&graph, *at)),
        None => otherwise,
    };
    let deadlock = if options.check_deadlock { Answer::Holds } else { Answer::NotChecked };
    let mut properties = vec![
        ("deadlock".to_string(), answer(Violation::Deadlock, deadlock)),
        ("valid_reference".to_string(), answer(Violation::ValidReference, Answer::Holds)),
        ("in_range".to_string(), answer(Violation::InRange, Answer::Holds)),
    ];
    let is_assert = |property: &Property| matches!(property.kind, PropertyKind::Assert);
    let is_there = |it: &(PropertyId, &Property)| !is_assert(it.1) || checks.contains(&Check::Assert(it.0));
    for (id, property) in program.properties.iter().filter(is_there) {
        let otherwise = match () {
            _ if !world.is_judged(property) || matches!(property.kind, PropertyKind::Ltl { .. }) => Answer::NotChecked,
            _ if is_assert(property) && !graph.passed.contains(&Check::Assert(id)) => Answer::NotReached,
            _ => Answer::Holds,
        };
        properties.push((property.name.clone(), answer(Violation::Property(id), otherwise)));
    }
    let covers =
        program.covers.iter().filter(|(id, cover)| cover.condition.is_some() || checks.contains(&Check::Cover(*id)));
    let covers = covers.map(|(id, cover)| (cover.name.clone(), graph.passed.contains(&Check::Cover(id)))).collect();
    if !temporals.is_empty() && (violated.is_empty() || options.properties.is_some()) {
        if std::mem::take(&mut world.sees_passing) {
            graph = world.explore(limits).map_err(Failure::GaveUp)?;
        }
        for temporal in &temporals {
            let found = world.violating_run(&graph, temporal, limits).map_err(Failure::GaveUp)?;
            let known = properties.iter_mut().filter(|(name, _)| *name == temporal.property.name);
            known.for_each(|(_, answer)| *answer = found.clone().map_or(Answer::Holds, Answer::Violated));
        }
    }
    if world.has_given_up.get() { Err(Failure::GaveUp(n_states)) } else { Ok(Opinion { properties, covers, n_states }) }
}

impl<'p> World<'p> {
    /// Whether a stated property is to be looked at.
    pub(crate) fn is_judged(&self, property: &Property) -> bool {
        let names = self.options.properties.as_ref();
        matches!(property.kind, PropertyKind::Assert) || names.is_none_or(|names| names.contains(&property.name))
    }

    /// Marks the points at which threads are seen: whether there are any that they otherwise only pass.
    pub(crate) fn mark(&mut self, temporals: &[Temporal<'p>]) -> bool {
        let mut of_runs: Vec<LabelQuestion<'_>> = Vec::new();
        for Temporal { property, atoms, .. } in temporals {
            atoms.iter().for_each(|(expr, bound)| of_runs.extend(self.program.labels(expr, &property.locals, bound)));
        }
        let properties = self.program.properties.values().filter(|property| self.is_judged(property));
        let invariants = properties.filter_map(|property| match &property.kind {
            PropertyKind::Invariant(condition) => Some((condition, &property.locals)),
            _ => None,
        });
        let covers = self.program.covers.values().filter_map(|cover| Some((cover.condition.as_ref()?, &cover.locals)));
        let graphs = self.program.graphs.values().filter_map(|graph| Some((graph.condition.as_ref()?, &graph.locals)));
        let mut of_states: Vec<LabelQuestion<'_>> = Vec::new();
        for (condition, locals) in invariants.chain(covers).chain(graphs) {
            of_states.extend(self.program.labels(condition, locals, &[]));
        }
        for code in &mut self.code {
            for point in &mut code.points {
                let is_named = |(asked, patterns): &LabelQuestion<'_>| {
                    let is_label = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
                    asked.thread == code.thread && point.labels.iter().any(is_label)
                };
                let (thread, copy) = (code.thread, code.copy);
                point.rests = of_runs.iter().any(|asked| is_about(asked, thread, copy) && is_named(asked));
                point.is_seen = of_states.iter().any(is_named);
            }
        }
        let is_seen = !of_states.is_empty();
        let of_property = |property: &'p Property| match &property.kind {
            PropertyKind::Invariant(condition) => self.asked(Some((condition, &property.locals))),
            // Where all threads have ended, none is at a point that it only passes.
            _ => vec![false; self.code.len()],
        };
        let of_cover =
            |cover: &'p Cover| self.asked(cover.condition.as_ref().map(|condition| (condition, &cover.locals)));
        let properties = self.program.properties.values().map(of_property).collect();
        self.asked = Asked { properties, covers: self.program.covers.values().map(of_cover).collect() };
        is_seen
    }

    /// The first state that violates each; covers that are reached are noted.
    pub(crate) fn judge(&self, graph: &mut Graph, temporals: &[Temporal<'p>]) -> BTreeMap<Violation, usize> {
        let mut violated = BTreeMap::new();
        let circles = |state: &State| state.threads.iter().any(|thread| thread.circles);
        for (at, state) in graph.states.iter().enumerate().filter(|(_, state)| !circles(state)) {
            let is_stuck = graph.edges[at].iter().any(|edge| edge.thread.is_none());
            let mut found: Vec<Violation> = state.threads.iter().filter_map(|thread| thread.failed).collect();
            if found.is_empty() {
                found = self.judge_state(state, temporals, &mut graph.passed);
                let has_ended = |thread: &Thread| self.has_ended(thread.id, thread.pc) && thread.aborted.is_none();
                let waits = |t: &Rc<Thread>| !has_ended(t) && !t.spins || t.accesses().next().is_some();
                let is_deadlock = is_stuck && self.options.check_deadlock && state.threads.iter().any(waits);
                found.extend(is_deadlock.then_some(Violation::Deadlock));
            }
            found.into_iter().for_each(|violation| _ = violated.entry(violation).or_insert(at));
        }
        violated
    }

    /// A state in which no thread has violated anything (rule 8.5).
    fn judge_state(&self, state: &State, temporals: &[Temporal<'p>], passed: &mut BTreeSet<Check>) -> Vec<Violation> {
        let mut found = Vec::new();
        for (id, property) in self.program.properties.iter().filter(|(_, property)| self.is_judged(property)) {
            let sees = |_: &()| self.sees(state, &self.asked.properties[id.index()]);
            found.extend(Some(()).filter(sees).and_then(|()| self.judge_property(state, id, property)));
        }
        for temporal in temporals.iter().filter(|_| self.sees(state, &[])) {
            found.extend(temporal.see(self, state).into_iter().find_map(Result::err));
        }
        for (id, cover) in self.program.covers.iter() {
            if !self.sees(state, &self.asked.covers[id.index()]) {
                continue;
            }
            match self.judge_cover(state, cover) {
                Ok(is_reached) => passed.extend(is_reached.then_some(Check::Cover(id))),
                Err(violation) => found.push(violation),
            }
        }
        found
    }

    /// What a state violates because of an invariant or a forbidden outcome.
    pub(crate) fn judge_property(&self, state: &State, id: PropertyId, property: &Property) -> Option<Violation> {
        let see = |condition| self.view(state, &property.locals).see(condition);
        let is_violated = match &property.kind {
            PropertyKind::Invariant(it) => see(it).map(|value| value == Some(0)),
            PropertyKind::Forbid(it) if self.is_quiescent(state) => see(it).map(|value| value == Some(1)),
            _ => return None,
        };
        is_violated.map_or_else(Some, |is_violated| is_violated.then_some(Violation::Property(id)))
    }

    /// Whether a state reaches a cover property.
    pub(crate) fn judge_cover(&self, state: &State, cover: &Cover) -> Result<bool, Violation> {
        let Some(condition) = &cover.condition else { return Ok(false) };
        self.view(state, &cover.locals).see(condition).map(|value| value == Some(1))
    }

    /// Whether a condition sees all threads where they are: one at a point that it only passes if the condition asks where it is.
    pub(crate) fn sees(&self, state: &State, asked: &[bool]) -> bool {
        state.threads.iter().filter(|thread| self.passes(thread)).all(|thread| asked.get(thread.id) == Some(&true))
    }

    /// For each thread, whether a condition names a label of it.
    fn asked(&self, condition: Option<(&Expr, &Locals)>) -> Vec<bool> {
        let labels = |(it, locals)| self.program.labels(it, locals, &[]);
        let labels: Vec<LabelQuestion<'_>> = condition.into_iter().flat_map(labels).collect();
        let is_asked = |code: &Code| labels.iter().any(|asked| is_about(asked, code.thread, code.copy));
        self.code.iter().map(is_asked).collect()
    }

    /// Whether a thread is at a point that it only passes (rule 8.2).
    pub(crate) fn passes(&self, thread: &Thread) -> bool {
        thread.pauses && !self.code[thread.id].points[thread.pc].rests
    }
}

/// Whether a question may be about this copy of a thread.
fn is_about((asked, _): &LabelQuestion<'_>, thread: ThreadId, copy: i64) -> bool {
    let index = asked.index.as_ref().and_then(|index| index.constant());
    asked.thread == thread && index.is_none_or(|index| i64::from(index) == copy)
}
