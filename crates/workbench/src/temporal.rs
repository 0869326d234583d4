//! Temporal properties: each is a search of its own, after the search for all others.

use crate::lasso;
use crate::run::{RunOptions, Verdict};
use automata::{Automata, BinaryOp, Expr, Ltl, Property, PropertyId, PropertyKind, StateLeaf};
use base::Span;
use explore::Control;
use liveness::check as search;
use ltl::Formula;
use machine::{MAX_FAIR_THREADS, Runs, fair_components};
use memory::MemoryModel;
use system::{Limit, Limits, Statistics};

/// The property that every thread ends at last if all are treated fairly. The name is `terminates`.
pub fn terminates(automata: &Automata) -> Property {
    let ended = automata.threads.ids().map(|thread| Expr::Leaf(StateLeaf::Ended(thread)));
    let all = ended.reduce(|all, next| Expr::binary(BinaryOp::And, all, next)).unwrap_or(Expr::Const(1));
    let ltl = Ltl { formula: Formula::eventually(Formula::Atom(0)), atoms: vec![all], is_fair: true };
    Property { name: "terminates".into(), kind: PropertyKind::Ltl(ltl), span: Span::none() }
}

/// The first temporal property that cannot be checked, and why.
pub fn unsuitable(automata: &Automata) -> Option<(String, String)> {
    let n_threads = automata.threads.len();
    automata.properties.values().find_map(|property| {
        let PropertyKind::Ltl(ltl) = &property.kind else { return None };
        let why = if n_threads > MAX_FAIR_THREADS {
            format!("there are {n_threads} threads, and fairness can speak of {MAX_FAIR_THREADS}")
        } else {
            liveness::Property::new(ltl.formula.clone()).err()?.to_string()
        };
        Some((property.name.clone(), why))
    })
}

/// Checks all temporal properties in the order of the text, up to the first that is violated.
pub(crate) fn check(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    control: &Control<'_>,
    statistics: &mut Statistics,
) -> (Verdict, Option<String>) {
    if !automata.properties.values().any(|p| matches!(p.kind, PropertyKind::Ltl(_))) {
        return (Verdict::Holds, None);
    }
    let mut runs = Runs::new(automata, memory, &options.machine);
    for (id, property) in automata.properties.iter() {
        let PropertyKind::Ltl(ltl) = &property.kind else { continue };
        runs = runs.speaking_of(ltl);
        match confirmed(&runs, automata, (id, ltl), &options.search.limits, control, statistics) {
            Verdict::Holds => {}
            Verdict::Inconclusive(limit) => return (Verdict::Inconclusive(limit), None),
            violated => return (violated, Some(property.name.clone())),
        }
    }
    (Verdict::Holds, None)
}

/// Checks one temporal property only.
pub(crate) fn check_for(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    (property, ltl): (PropertyId, &Ltl),
    control: &Control<'_>,
) -> Verdict {
    let runs = Runs::new(automata, memory, &options.machine).speaking_of(ltl);
    let mut statistics = Statistics::default();
    confirmed(&runs, automata, (property, ltl), &options.search.limits, control, &mut statistics)
}

/// Checks one temporal property; the interpreter has executed the lasso, if there is one.
fn confirmed(
    runs: &Runs<'_>,
    automata: &Automata,
    (property, ltl): (PropertyId, &Ltl),
    limits: &Limits,
    control: &Control<'_>,
    statistics: &mut Statistics,
) -> Verdict {
    match check_one(runs, automata, ltl, limits, control, statistics) {
        liveness::Verdict::Holds => Verdict::Holds,
        liveness::Verdict::Inconclusive(limit) => Verdict::Inconclusive(limit),
        liveness::Verdict::Violated(lasso) => {
            let trace = lasso::retrace(runs, &lasso, property)
                .unwrap_or_else(|error| panic!("the interpreter does not confirm the counterexample: {error}"));
            statistics.depth = trace.steps.len() as u64;
            Verdict::Violated(Box::new(trace))
        }
    }
}

/// Checks one temporal property, and adds what that took.
fn check_one(
    runs: &Runs<'_>,
    automata: &Automata,
    ltl: &Ltl,
    limits: &Limits,
    control: &Control<'_>,
    statistics: &mut Statistics,
) -> liveness::Verdict {
    let Ok(property) = liveness::Property::new(ltl.formula.clone()) else {
        return liveness::Verdict::Inconclusive(Limit::Memory);
    };
    let so_far = *statistics;
    let total = |found: &liveness::Statistics| Statistics {
        seconds: so_far.seconds + found.seconds,
        peak_bytes: so_far.peak_bytes.max(found.peak_bytes),
        ..so_far
    };
    let progress = |found: &liveness::Statistics| {
        let (states, depth) = (so_far.states + found.states, found.depth);
        (control.progress)(&Statistics { states, depth, frontier: 0, ..total(found) });
    };
    let timeout = limits.timeout.map(|timeout| timeout.saturating_sub(seconds(so_far.seconds)));
    let limits = Limits { timeout, ..*limits };
    let control = liveness::Control { stop: control.stop, progress: &progress };
    let outcome = search(runs, &property, fair_components(automata, ltl), &limits, &control);
    *statistics = total(&outcome.statistics);
    outcome.verdict
}

fn seconds(seconds: f64) -> std::time::Duration {
    std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}
