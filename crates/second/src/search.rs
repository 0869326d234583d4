//! Every state, breadth first, and what is violated or reached in each (rules 3.3, 5.6, 8.1 to 8.5).

use crate::property::Seen;
use crate::state::{State, Violation};
use crate::values::Fault;
use crate::world::{End, Path, World};
use base::Span;
use base::table::Id;
use program::typed::{CoverId, Expr, ExprKind, PropertyId, PropertyKind, ThreadId};
use program::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;

/// What is judged apart from stated properties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Name {
    Deadlock,
    InRange,
    ValidReference,
    Property(PropertyId),
}

/// A line of a trace: what happened, and where in the text it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The thread, what it did, and what changed.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states of one search.
    pub max_states: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// What a search found.
#[derive(Default)]
pub(crate) struct Found {
    /// The first state that violates each, and its depth.
    violated: BTreeMap<Name, (usize, u32)>,
    /// The steps to each of these states, with their number.
    pub(crate) traces: BTreeMap<Name, (u32, Vec<Line>)>,
    pub(crate) covers: Vec<CoverId>,
    pub(crate) asserts: Vec<PropertyId>,
    pub(crate) states: Vec<State>,
    pub(crate) has_initial: bool,
    parents: Vec<Option<(usize, usize)>>,
    depths: Vec<u32>,
    n_expanded: usize,
}

/// Which properties a search judges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judges {
    All,
    /// Those that do not speak of labels that threads only pass.
    Resting,
    /// Those that do.
    Passing,
}

impl World<'_> {
    /// Searches all states; none if there are too many.
    pub(crate) fn search(&self, limits: Limits, judges: Judges) -> Result<Found, usize> {
        let mut found = Found::default();
        let mut known: FxHashMap<State, usize> = FxHashMap::default();
        let mut level: Vec<usize> = Vec::new();
        for path in self.initial() {
            self.noted(&mut found, &path);
            if path.end == End::State {
                found.has_initial = true;
                level.extend(add(&mut found, &mut known, path.state, None, 0));
            }
        }
        let mut depth = 0;
        let mut is_expanded: Vec<bool> = Vec::new();
        while !level.is_empty() {
            let mut next = Vec::new();
            while let Some(at) = level.pop() {
                is_expanded.resize(found.states.len(), false);
                if std::mem::replace(&mut is_expanded[at], true) {
                    continue;
                }
                found.n_expanded += 1;
                let state = found.states[at].clone();
                if self.is_refuted(&state) {
                    continue;
                }
                let steps = self.steps(&state);
                self.judge(&mut found, at, depth, steps.is_empty(), judges);
                for (i, step) in steps.into_iter().enumerate() {
                    if step.path.end == End::Discarded {
                        continue;
                    }
                    self.noted(&mut found, &step.path);
                    if step.path.end == End::Cut {
                        continue;
                    }
                    if step.is_pause {
                        let place = add_at(&mut found, &mut known, step.path.state, (at, i), depth);
                        level.extend(place);
                    } else {
                        next.extend(add(&mut found, &mut known, step.path.state, Some((at, i)), depth + 1));
                    }
                }
                if found.states.len() > limits.max_states || limits.deadline.is_some_and(|end| Instant::now() > end) {
                    return Err(found.states.len());
                }
            }
            level = next;
            depth += 1;
        }
        let traces = found.violated.iter().map(|(name, (at, depth))| (*name, (*depth, self.trace(&found, *at))));
        found.traces = traces.collect();
        Ok(found)
    }

    /// What a step passed, unless it leads to a state that cannot be.
    fn noted(&self, found: &mut Found, path: &Path) {
        let is_news = path.covers.iter().any(|cover| !found.covers.contains(cover))
            || path.asserts.iter().any(|property| !found.asserts.contains(property));
        if path.end == End::Discarded || !is_news || self.is_refuted(&path.state) {
            return;
        }
        for property in &path.asserts {
            if !found.asserts.contains(property) {
                found.asserts.push(*property);
            }
        }
        // Where a step violates something, nothing is covered.
        for cover in path.covers.iter().filter(|_| !path.state.has_failed()) {
            if !found.covers.contains(cover) {
                found.covers.push(*cover);
            }
        }
    }

    fn judge(&self, found: &mut Found, at: usize, depth: u32, is_stuck: bool, judges: Judges) {
        let state = found.states[at].clone();
        let mut violated = Vec::new();
        for thread in &state.threads {
            match thread.failed {
                None => {}
                Some(Violation::InRange) => violated.push(Name::InRange),
                Some(Violation::ValidReference) => violated.push(Name::ValidReference),
                Some(Violation::Assert(property)) => violated.push(Name::Property(property)),
            }
        }
        if violated.is_empty() {
            self.judge_state(found, &state, is_stuck, judges, &mut violated);
        }
        for name in violated {
            found.violated.entry(name).or_insert((at, depth));
        }
    }

    /// A state in which no thread has violated anything (rule 8.5).
    fn judge_state(&self, found: &mut Found, state: &State, is_stuck: bool, judges: Judges, violated: &mut Vec<Name>) {
        if judges != Judges::Passing && is_stuck && self.is_deadlock(state) {
            violated.push(Name::Deadlock);
        }
        for (id, property) in self.program.properties.iter().filter(|(id, _)| self.is_judged(*id)) {
            let types: Vec<Type> = property.locals.values().map(|local| local.ty).collect();
            let seen = match &property.kind {
                PropertyKind::Invariant(condition) if !self.is_seen(state, condition) => continue,
                PropertyKind::Invariant(condition) => self.see(state, &Vec::new(), &types, condition),
                PropertyKind::Forbid(condition) if self.is_quiescent(state) => {
                    match self.see(state, &Vec::new(), &types, condition) {
                        Seen::Value(value) => Seen::Value(1 - value),
                        other => other,
                    }
                }
                PropertyKind::Ltl { formula, .. } if judges != Judges::Passing => {
                    self.faults(state, &types, formula, &mut Vec::new())
                }
                _ => continue,
            };
            violated.extend(judged(seen, Name::Property(id)));
        }
        for (id, cover) in self.program.covers.iter() {
            let Some(condition) = cover.condition.as_ref().filter(|c| self.is_seen(state, c)) else { continue };
            let types: Vec<Type> = cover.locals.values().map(|local| local.ty).collect();
            match self.see(state, &Vec::new(), &types, condition) {
                Seen::Value(1) if !found.covers.contains(&id) => found.covers.push(id),
                seen @ Seen::None(_) => violated.extend(judged(seen, Name::InRange)),
                _ => {}
            }
        }
    }

    /// Whether a condition sees all threads where they are: one that pauses only if it names a label of it (rule 8.2).
    fn is_seen(&self, state: &State, condition: &Expr) -> bool {
        let passes = |t: &usize| state.threads[*t].pauses && !self.rests[*t][state.threads[*t].pc];
        let pausing: Vec<usize> = (0..state.threads.len()).filter(passes).collect();
        if pausing.is_empty() {
            return true;
        }
        let mut labels = Vec::new();
        labels_in(condition, &mut labels);
        pausing.into_iter().all(|t| labels.iter().any(|question| self.names(question, t)))
    }

    /// Whether a question about labels may be about this thread.
    fn names(&self, question: &Expr, t: usize) -> bool {
        let ExprKind::At(asked, _) = &question.kind else { return false };
        let count = |id: ThreadId| self.program.threads[id].count.unwrap_or(1) as usize;
        let first: usize = self.program.threads.ids().take(asked.thread.index()).map(count).sum();
        match asked.index.as_ref().and_then(|index| index.constant()) {
            Some(copy) => i64::from(copy) + first as i64 == t as i64,
            None => (first..first + count(asked.thread)).contains(&t),
        }
    }

    /// Whether a stated property is to be looked at.
    pub(crate) fn is_judged(&self, id: PropertyId) -> bool {
        let names = self.options.properties.as_ref();
        let property = &self.program.properties[id];
        matches!(property.kind, PropertyKind::Assert) || names.is_none_or(|names| names.contains(&property.name))
    }

    /// Rule 3.3, for a state without steps.
    pub(crate) fn is_deadlock(&self, state: &State) -> bool {
        let waits = |t: usize| {
            let thread = &state.threads[t];
            let has_ended = self.has_ended(t, thread.pc) && thread.resumes.is_none();
            !has_ended && !thread.spins || thread.accesses().next().is_some()
        };
        (0..state.threads.len()).any(waits)
    }

    /// The steps from the beginning to a state.
    fn trace(&self, found: &Found, mut at: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some((parent, index)) = found.parents[at] {
            let before = &found.states[parent];
            if let Some(step) = self.steps(before).into_iter().nth(index) {
                lines.push(self.line(before, &step));
            }
            at = parent;
        }
        lines.reverse();
        if lines.is_empty() {
            lines.push(Line { text: "in the first state".into(), span: Span::none() });
        }
        lines
    }

    /// What a step did, and what changed.
    pub(crate) fn line(&self, before: &State, step: &crate::steps::Step) -> Line {
        let code = &self.code[step.thread];
        let mut text = format!("{}: {}", code.name, step.what);
        let after = &step.path.state;
        for (cell, (old, new)) in before.memory.iter().zip(&after.memory).enumerate() {
            if old != new {
                let shown = self.program.types.show_value(self.layout.types[cell], *new as i32);
                text.push_str(&format!("; {} is {shown}", self.layout.names[cell]));
            }
        }
        if after.threads[step.thread].failed.is_some() {
            text.push_str("; violated");
        }
        Line { text, span: code.spans[step.pc] }
    }
}

/// What is violated where a condition that must be true is seen so.
fn judged(seen: Seen, name: Name) -> Option<Name> {
    match seen {
        Seen::Value(0) => Some(name),
        Seen::None(Fault::Range) => Some(Name::InRange),
        Seen::None(Fault::Reference) => Some(Name::ValidReference),
        _ => None,
    }
}

/// A state that was not known: its place.
fn add(
    found: &mut Found,
    known: &mut FxHashMap<State, usize>,
    state: State,
    parent: Option<(usize, usize)>,
    depth: u32,
) -> Option<usize> {
    if known.contains_key(&state) {
        return None;
    }
    known.insert(state.clone(), found.states.len());
    found.states.push(state);
    found.parents.push(parent);
    found.depths.push(depth);
    Some(found.states.len() - 1)
}

/// A state that belongs to the present depth, also if it was put off to the next.
fn add_at(
    found: &mut Found,
    known: &mut FxHashMap<State, usize>,
    state: State,
    parent: (usize, usize),
    depth: u32,
) -> Option<usize> {
    match known.get(&state) {
        None => add(found, known, state, Some(parent), depth),
        Some(place) if found.depths[*place] > depth => {
            found.depths[*place] = depth;
            found.parents[*place] = Some(parent);
            Some(*place)
        }
        Some(_) => None,
    }
}

/// Whether an expression asks where a thread is.
pub(crate) fn labels_in<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    if matches!(expr.kind, ExprKind::At(..)) {
        out.push(expr);
    }
    expr.operands().into_iter().for_each(|operand| labels_in(operand, out));
}
