//! The result: what is true of each property (rules 8.8, 9.1 to 9.4).

use crate::code::{Check, Instr};
use crate::graph::{Limits, Line};
use crate::values::Violation;
use crate::world::{End, Options, World};
use memory::MemoryModel;
use program::Program;
use program::typed::PropertyKind;

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
    let temporals = world.temporals();
    let sees_passing = world.mark(&temporals);
    if world.code.is_empty() || !world.initial().iter().any(|path| path.end == End::State) {
        return Err(Failure::NoRun);
    }
    world.sees_passing = sees_passing;
    let mut graph = world.explore(limits).map_err(Failure::GaveUp)?;
    let n_states = graph.states.len();
    let violated = world.judge(&mut graph, &temporals);
    // What is not in any thread's code is not there (rule 9.3).
    let instrs = || world.code.iter().flat_map(|code| &code.points).map(|point| &point.instr);
    let is_there = |check: Check| instrs().any(|instr| matches!(instr, Instr::Check(known, _) if *known == check));
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
    for (id, property) in program.properties.iter() {
        let is_assert = matches!(property.kind, PropertyKind::Assert);
        if is_assert && !is_there(Check::Assert(id)) {
            continue;
        }
        let otherwise = match property.kind {
            _ if !world.is_judged(property) => Answer::NotChecked,
            PropertyKind::Ltl { .. } => Answer::NotChecked,
            _ if is_assert && !graph.passed.contains(&Check::Assert(id)) => Answer::NotReached,
            _ => Answer::Holds,
        };
        properties.push((property.name.clone(), answer(Violation::Property(id), otherwise)));
    }
    let covers = program.covers.iter().filter(|(id, cover)| cover.condition.is_some() || is_there(Check::Cover(*id)));
    let covers = covers.map(|(id, cover)| (cover.name.clone(), graph.passed.contains(&Check::Cover(id)))).collect();
    if !temporals.is_empty() && (violated.is_empty() || options.properties.is_some()) {
        if std::mem::take(&mut world.sees_passing) {
            graph = world.explore(limits).map_err(Failure::GaveUp)?;
        }
        for temporal in temporals.values() {
            let found = world.violating_run(&graph, temporal, limits).map_err(Failure::GaveUp)?;
            let known = properties.iter_mut().filter(|(name, _)| *name == temporal.property.name);
            known.for_each(|(_, answer)| *answer = found.clone().map_or(Answer::Holds, Answer::Violated));
        }
    }
    if world.has_given_up.get() { Err(Failure::GaveUp(n_states)) } else { Ok(Opinion { properties, covers, n_states }) }
}
