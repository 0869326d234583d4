//! A search that goes on after a violation: what becomes of each property.
//!
//! Where a step violates a property (an assertion, a reference, a range), the run is followed up to there and not beyond: the thread
//! has no state to go on from. A state that violates an invariant is gone on from.

use crate::run::{Found, Learnt, Outcome, RunOptions, Verdict, trace_of};
use crate::temporal;
use crate::trace::{confirmed, retrace};
use automata::{Action, Automata, Point, PropertyId, PropertyKind};
use explore::{Control, EveryOutcome, search_every};
use machine::Compiled;
use memory::MemoryModel;
use std::time::Instant;
use system::{Budget, Limit, PropertyIndex, Successors, TransitionSystem};

/// What became of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub property: String,
    /// Steps to its first violation; none if no violation was found.
    pub depth: Option<u64>,
    /// The limit that stopped the search, if no violation was found before.
    pub limit: Option<Limit>,
    /// Locations at which it asks something, and where no thread ever was.
    pub never_at: Vec<String>,
}

impl Finding {
    /// The finding in one word.
    pub fn word(&self) -> &'static str {
        match (self.depth, self.limit) {
            (Some(_), _) => "violated",
            (None, Some(_)) => "inconclusive",
            (None, None) => "holds",
        }
    }
}

/// A system in which nobody steps once a step has violated a property.
struct Every<'a> {
    compiled: &'a Compiled<'a>,
}

impl TransitionSystem for Every<'_> {
    fn state_len(&self) -> usize {
        self.compiled.state_len()
    }

    fn initial(&self, out: &mut Successors) {
        self.compiled.initial(out);
    }

    fn successors(&self, from: &[u32], out: &mut Successors) {
        if !self.compiled.has_failed(from) {
            self.compiled.successors(from, out);
        }
    }

    fn inspect(&self, state: &[u32], covers: &mut u64) -> Option<PropertyIndex> {
        self.compiled.inspect(state, covers)
    }

    fn inspect_all(&self, state: &[u32], covers: &mut u64, violated: &mut dyn FnMut(PropertyIndex)) {
        self.compiled.inspect_all(state, covers, violated);
    }

    fn stuck(&self, state: &[u32]) -> Option<PropertyIndex> {
        if self.compiled.has_failed(state) { None } else { self.compiled.stuck(state) }
    }

    fn covers(&self) -> u64 {
        self.compiled.covers()
    }

    fn own_bytes(&self) -> u64 {
        self.compiled.own_bytes()
    }

    fn budget(&self) -> Option<&Budget> {
        self.compiled.budget()
    }
}

/// Checks `automata` under `memory` for every property, as [`run`](crate::run) does up to the first violation. The verdict is
/// that of the property of states that is violated first, or else of the first temporal one.
///
/// # Panics
/// If the interpreter cannot execute a counterexample that the search found: a bug of ours.
pub fn run_every(automata: &Automata, memory: &MemoryModel, options: &RunOptions, control: &Control<'_>) -> Outcome {
    // Depths are told in steps, so none is put off.
    let begun = Instant::now();
    let options = &options.begun().putting_nothing_off();
    if let Some(limit) = options.machine.budget.look() {
        let asked = automata.properties.ids().filter(|id| is_asked(automata, *id));
        let findings = asked.map(|id| finding(automata, id, &[], Some(limit), &[])).collect();
        return Outcome { findings, ..Outcome::inconclusive(limit) };
    }
    let compiled = Compiled::new(automata, memory, &options.machine);
    let searched = search_every(&Every { compiled: &compiled }, &options.search, control);
    let violated = automata.properties.iter().filter_map(|(id, property)| {
        let verdict = match &property.kind {
            PropertyKind::Ltl(ltl) => {
                temporal::check_for(automata, memory, &options.after(begun.elapsed()), (id, ltl), control)
            }
            _ => of_states(&compiled, &searched, id, options)?,
        };
        Some((id, verdict))
    });
    let verdicts: Vec<(PropertyId, Verdict)> = violated.collect();
    let asked = automata.properties.ids().filter(|id| is_asked(automata, *id));
    let never_at = compiled.never_at();
    let findings = asked.map(|id| finding(automata, id, &verdicts, searched.limit, &never_at)).collect();
    let shortest = searched.violated.iter().min_by_key(|(property, path)| (path.len(), *property));
    let first = match shortest {
        Some((property, path)) => {
            let id = PropertyId(*property);
            let options = options.after(begun.elapsed());
            let trace = trace_of(automata, memory, &options, control, &compiled, path, id);
            Some((id, Verdict::of(trace)))
        }
        // A violation outweighs a limit, and a limit a pass.
        None => verdicts.into_iter().min_by_key(|(_, verdict)| match verdict {
            Verdict::Violated(_) => 0,
            Verdict::Inconclusive(_) => 1,
            Verdict::Holds => 2,
        }),
    };
    let mut statistics = searched.statistics;
    let (verdict, property) = match (first, searched.limit) {
        (Some((id, Verdict::Violated(trace))), _) => {
            statistics.depth = trace.steps.len() as u64;
            (Verdict::Violated(trace), Some(automata.properties[id].name.clone()))
        }
        (_, Some(limit)) => (Verdict::Inconclusive(limit), None),
        (Some((_, verdict)), None) => (verdict, None),
        (None, None) => (Verdict::Holds, None),
    };
    let outcome = Found { verdict, property, statistics }.outcome(automata, Learnt::of(&compiled));
    Outcome { findings, ..outcome }
}

/// The violation of a property of states, if there is one.
fn of_states(
    compiled: &Compiled<'_>,
    searched: &EveryOutcome,
    id: PropertyId,
    options: &RunOptions,
) -> Option<Verdict> {
    let (_, path) = searched.violated.iter().find(|(violated, _)| *violated == id.0)?;
    Some(Verdict::of(confirmed(retrace(compiled, path, id), options)))
}

fn finding(
    automata: &Automata,
    id: PropertyId,
    verdicts: &[(PropertyId, Verdict)],
    limit: Option<Limit>,
    never_at: &[(PropertyId, String)],
) -> Finding {
    let (depth, limit) = match verdicts.iter().find(|(of, _)| *of == id).map(|(_, verdict)| verdict) {
        Some(Verdict::Violated(trace)) => (Some(trace.steps.len() as u64), None),
        Some(Verdict::Inconclusive(limit)) => (None, Some(*limit)),
        Some(Verdict::Holds) => (None, None),
        None => (None, limit),
    };
    let never_at = never_at.iter().filter(|(of, _)| *of == id).map(|(_, location)| location.clone()).collect();
    Finding { property: automata.properties[id].name.clone(), depth, limit, never_at }
}

/// Whether anything is asked: an assertion may be named by no point, be it because the property was not chosen.
fn is_asked(automata: &Automata, id: PropertyId) -> bool {
    let asserts = |point: &Point| matches!(&point.action, Action::Assert { property, .. } if *property == id);
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    automata.properties[id].kind != PropertyKind::Assert || points.any(asserts)
}
