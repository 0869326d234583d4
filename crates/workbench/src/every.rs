//! A search that goes on after a violation: what becomes of each property.
//!
//! The search continues past every violation. A thread whose step violates a property (an assertion, a reference, a range) stops there; the
//! others go on. So an assertion behind one that always fails is not reached, and is not said to hold.

use crate::finding::{Fate, Finding, is_switched_off};
use crate::run::{Found, Learnt, Outcome, RunOptions, Verdict, is_unreached, trace_of};
use crate::temporal;
use crate::trace::{Trace, confirmed, retrace};
use automata::{Automata, PropertyId, PropertyKind};
use explore::{Control, EveryOutcome, search_every};
use machine::{Compiled, Mode};
use memory::MemoryModel;
use std::time::Instant;
use system::{Reached, Statistics};

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
        let (violated, statistics) = (Vec::new(), Statistics::default());
        let states = EveryOutcome { violated, limit: Some(limit), statistics, reached: Reached::default() };
        let known = Searched { automata, options, states: &states, verdicts: &[], never_at: &[] };
        let findings = automata.properties.ids().map(|id| known.finding(id)).collect();
        return Outcome { findings, ..Outcome::inconclusive(limit) };
    }
    let compiled = Compiled::new(automata, memory, &options.machine);
    let searched = search_every(&compiled, &options.search, control);
    let violated = automata.properties.iter().filter_map(|(id, property)| {
        let verdict = match &property.kind {
            PropertyKind::Ltl(ltl) => {
                let options = options.after(begun.elapsed());
                match temporal::check_for(automata, memory, &options, (id, ltl), control) {
                    // A run that stops half-way says nothing of how it would go on.
                    Verdict::Violated(trace) if has_failed(&trace) => Verdict::Holds,
                    verdict => verdict,
                }
            }
            _ => of_states(&compiled, &searched, id, options)?,
        };
        Some((id, verdict))
    });
    let verdicts: Vec<(PropertyId, Verdict)> = violated.collect();
    let never_at = compiled.never_at();
    let known = Searched { automata, options, states: &searched, verdicts: &verdicts, never_at: &never_at };
    let findings = automata.properties.ids().map(|id| known.finding(id)).collect();
    let stops_at = known.failures().map(|id| automata.properties[id].name.clone()).collect();
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
    let found = Found { verdict, property, statistics, reached: searched.reached };
    let outcome = found.outcome(automata, options, Learnt::of(compiled.tables()));
    Outcome { findings, stops_at, ..outcome }
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

/// What is known once all searches are over.
struct Searched<'a> {
    automata: &'a Automata,
    options: &'a RunOptions,
    states: &'a EveryOutcome,
    /// What was found of temporal properties, and which others are violated.
    verdicts: &'a [(PropertyId, Verdict)],
    never_at: &'a [(PropertyId, String)],
}

impl Searched<'_> {
    fn finding(&self, id: PropertyId) -> Finding {
        let never_at = self.never_at.iter().filter(|(of, _)| *of == id).map(|(_, location)| location.clone());
        let never_at: Vec<String> = never_at.collect();
        let fate = self.fate(id, !never_at.is_empty());
        Finding { property: self.automata.properties[id].name.clone(), fate, never_at }
    }

    fn fate(&self, id: PropertyId, is_never_at: bool) -> Fate {
        if is_switched_off(self.automata, id, self.options.machine.check_deadlock) {
            return Fate::NotChecked;
        }
        let verdict = self.verdicts.iter().find(|(of, _)| *of == id).map(|(_, verdict)| verdict);
        match (verdict, self.states.limit) {
            (Some(Verdict::Violated(trace)), _) => Fate::Violated(trace.steps.len() as u64),
            (Some(Verdict::Inconclusive(limit)), _) => Fate::Inconclusive(*limit),
            (_, Some(limit)) => Fate::Inconclusive(limit),
            (Some(Verdict::Holds), None) if self.failures().next().is_some() => Fate::NotChecked,
            _ if is_unreached(self.automata, &self.states.reached, id) => Fate::NotReached,
            _ if is_never_at || self.states.statistics.transitions == 0 => Fate::Vacuous,
            _ => Fate::Holds,
        }
    }

    /// The properties that steps violate: then runs stop half-way, and temporal properties of whole runs cannot be judged.
    fn failures(&self) -> impl Iterator<Item = PropertyId> {
        use PropertyKind::{Assert, InRange, ValidReference};
        let violated = self.states.violated.iter().map(|(id, _)| PropertyId(*id));
        violated.filter(|id| matches!(self.automata.properties[*id].kind, Assert | InRange | ValidReference))
    }
}

/// Whether a thread of the run has violated a property by a step.
fn has_failed(trace: &Trace) -> bool {
    let last = trace.states.last().into_iter().flat_map(|state| &state.locals);
    last.into_iter().any(|local| matches!(local.mode, Mode::Failed(_)))
}
