//! The result: what is true of each property (rules 8.8, 9.1 to 9.4).

use crate::code::Instr;
use crate::search::{Found, Judges, Limits, Line, Name, labels_in};
use crate::world::{Options, World};
use memory::MemoryModel;
use program::Program;
use program::typed::{CoverId, Expr, ExprKind, PropertyId, PropertyKind};
use std::time::Instant;

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
    /// The bounds that were hit.
    pub hit: Vec<&'static str>,
    /// The least number of steps to a violation of what is not temporal.
    pub first_violation: Option<u32>,
}

/// Why there is no opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There are too many states; these were looked at.
    GaveUp(usize),
    /// There is no run: every initial state is discarded, or there is no thread.
    NoRun,
}

impl Opinion {
    /// The answer for a property.
    pub fn of(&self, name: &str) -> Option<&Answer> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, answer)| answer)
    }

    /// The names of the violated properties.
    pub fn violated(&self) -> Vec<&str> {
        let is_violated = |answer: &Answer| matches!(answer, Answer::Violated(_));
        self.properties.iter().filter(|(_, answer)| is_violated(answer)).map(|(name, _)| name.as_str()).collect()
    }
}

/// Judges every property of a program under a memory model.
pub fn opinion(program: &Program, model: &MemoryModel, options: &Options, limits: Limits) -> Result<Opinion, Failure> {
    let mut world = World::new(program, model, options);
    if world.code.is_empty() {
        return Err(Failure::NoRun);
    }
    world.rests = world.marked(&world.labels_of_runs());
    let labels = labels_of_states(&world);
    let judges = if labels.is_empty() { Judges::All } else { Judges::Resting };
    let resting = world.search(limits, judges).map_err(Failure::GaveUp)?;
    if !resting.has_initial {
        return Err(Failure::NoRun);
    }
    let mut opinion = Opinion {
        properties: Vec::new(),
        covers: Vec::new(),
        n_states: resting.states.len(),
        hit: Vec::new(),
        first_violation: None,
    };
    let passing = if labels.is_empty() {
        None
    } else {
        world.pause_at(&labels);
        let found = world.search(limits, Judges::Passing).map_err(Failure::GaveUp)?;
        Some(found)
    };
    drop(labels);
    let searches: Vec<&Found> = [Some(&resting), passing.as_ref()].into_iter().flatten().collect();
    state_properties(&world, &searches, &mut opinion);
    world.pause_at(&[]);
    temporal(&mut world, limits, &mut opinion)?;
    if world.hit.locals.get() {
        return Err(Failure::GaveUp(opinion.n_states));
    }
    let bounds = [(&world.hit.queue, "K"), (&world.hit.buffer, "buffer"), (&world.hit.guesses, "speculate")];
    opinion.hit = bounds.into_iter().filter(|(hit, _)| hit.get()).map(|(_, name)| name).collect();
    Ok(opinion)
}

/// Answers for all that is not temporal; temporal properties are not checked yet.
fn state_properties(world: &World<'_>, searches: &[&Found], opinion: &mut Opinion) {
    let program = world.program;
    let shortest = |name: Name| {
        let all = searches.iter().filter_map(|found| found.traces.get(&name));
        all.min_by_key(|(depth, _)| *depth)
    };
    let mut answer = |name: Name, otherwise: Answer| match shortest(name) {
        None => otherwise,
        Some((depth, lines)) => {
            opinion.first_violation = Some(opinion.first_violation.map_or(*depth, |known| known.min(*depth)));
            Answer::Violated(lines.clone())
        }
    };
    let mut properties = Vec::new();
    let deadlock = match world.options.check_deadlock {
        true => answer(Name::Deadlock, Answer::Holds),
        false => Answer::NotChecked,
    };
    properties.push(("deadlock".to_string(), deadlock));
    properties.push(("valid_reference".to_string(), answer(Name::ValidReference, Answer::Holds)));
    properties.push(("in_range".to_string(), answer(Name::InRange, Answer::Holds)));
    for (id, property) in program.properties.iter() {
        if matches!(property.kind, PropertyKind::Assert) && !world.has_assert(id) {
            continue;
        }
        let is_reached = searches.iter().any(|found| found.asserts.contains(&id));
        let otherwise = match property.kind {
            _ if !world.is_judged(id) => Answer::NotChecked,
            PropertyKind::Ltl { .. } => Answer::NotChecked,
            PropertyKind::Assert if !is_reached => Answer::NotReached,
            _ => Answer::Holds,
        };
        properties.push((property.name.clone(), answer(Name::Property(id), otherwise)));
    }
    opinion.properties = properties;
    for (id, cover) in program.covers.iter().filter(|(id, cover)| cover.condition.is_some() || world.has_cover(*id)) {
        let is_reached = searches.iter().any(|found| found.covers.contains(&id));
        opinion.covers.push((cover.name.clone(), is_reached));
    }
}

/// Answers for temporal properties, if nothing else is violated or they were asked for (rule 8.8).
fn temporal(world: &mut World<'_>, limits: Limits, opinion: &mut Opinion) -> Result<(), Failure> {
    if opinion.first_violation.is_some() && world.options.properties.is_none() {
        return Ok(());
    }
    let ids: Vec<PropertyId> = world.program.properties.ids().filter(|id| world.is_judged(*id)).collect();
    for id in ids {
        let property = &world.program.properties[id];
        let PropertyKind::Ltl { formula, is_fair } = &property.kind else { continue };
        let found = world.violating_run(property, formula, *is_fair, limits).map_err(Failure::GaveUp)?;
        let answer = found.map_or(Answer::Holds, Answer::Violated);
        if let Some((_, known)) = opinion.properties.iter_mut().find(|(name, _)| *name == property.name) {
            *known = answer;
        }
    }
    Ok(())
}

/// The questions about labels in invariants and covers.
fn labels_of_states<'p>(world: &World<'p>) -> Vec<&'p Expr> {
    let mut labels = Vec::new();
    for (id, property) in world.program.properties.iter() {
        if let (PropertyKind::Invariant(condition), true) = (&property.kind, world.is_judged(id)) {
            labels_in(condition, &mut labels);
        }
    }
    for cover in world.program.covers.values() {
        cover.condition.iter().for_each(|condition| labels_in(condition, &mut labels));
    }
    for graph in world.program.graphs.values() {
        graph.condition.iter().for_each(|condition| labels_in(condition, &mut labels));
    }
    labels
}

impl World<'_> {
    /// Whether some thread's code has a cover: else it is not there (rule 9.3).
    fn has_cover(&self, id: CoverId) -> bool {
        let mut all = self.code.iter().flat_map(|code| &code.instrs);
        all.any(|instr| matches!(instr, Instr::Cover(cover, _) if *cover == id))
    }

    /// Whether some thread's code has an assertion.
    fn has_assert(&self, id: PropertyId) -> bool {
        let mut all = self.code.iter().flat_map(|code| &code.instrs);
        all.any(|instr| matches!(instr, Instr::Assert(property, _) if *property == id))
    }

    /// Threads pause where these questions about labels are true of them, and nowhere else.
    pub(crate) fn pause_at(&mut self, labels: &[&Expr]) {
        self.pauses = self.marked(labels);
    }

    /// For each thread, the points at which one of these questions about labels is true of it.
    pub(crate) fn marked(&self, labels: &[&Expr]) -> Vec<Vec<bool>> {
        let mut marked = Vec::new();
        for (id, thread) in self.program.threads.iter() {
            for _ in 0..thread.count.unwrap_or(1) {
                let is_named = |label: &String| {
                    labels.iter().any(|question| match &question.kind {
                        ExprKind::At(asked, patterns) => {
                            asked.thread == id && patterns.iter().any(|pattern| pattern.matches(label))
                        }
                        _ => false,
                    })
                };
                let code = &self.code[marked.len()];
                marked.push(code.labels.iter().map(|labels| labels.iter().any(is_named)).collect());
            }
        }
        marked
    }

    /// Whether there is time left.
    pub(crate) fn is_late(&self, limits: Limits) -> bool {
        limits.deadline.is_some_and(|end| Instant::now() > end)
    }
}
