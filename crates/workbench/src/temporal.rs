//! Temporal properties: each is a search of its own, after the search for all others.

use crate::lasso;
use crate::run::{Learnt, RunOptions, Verdict};
use automata::{Automata, BinaryOp, Expr, Ltl, Property, PropertyId, PropertyKind, StateLeaf};
use base::Span;
use explore::Control;
use liveness::{ENDED, EndingVerdict, check as search, check_ending};
use ltl::Formula;
use machine::{MAX_FAIR_THREADS, OverTables, Persistent, Refuted, Runs, Tabulated, fair_components};
use memory::MemoryModel;
use system::{Limit, Limits, Reached, Statistics};

/// After so many lassos through refuted states, every state is asked for.
const FEW_REFUTED: usize = 16;

/// The most conditions on states in one formula.
const MAX_ATOMS: usize = ENDED as usize;

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
        } else if ltl.atoms.len() > MAX_ATOMS {
            let n_atoms = ltl.atoms.len();
            format!("it speaks of {n_atoms} conditions on states, and can speak of {MAX_ATOMS}")
        } else {
            liveness::Property::new(ltl.formula.clone()).err()?.to_string()
        };
        Some((property.name.clone(), why))
    })
}

/// All temporal properties of a system, in the order of the text.
fn properties(automata: &Automata) -> impl Iterator<Item = (PropertyId, &Ltl)> {
    automata.properties.iter().filter_map(|(id, property)| match &property.kind {
        PropertyKind::Ltl(ltl) => Some((id, ltl)),
        _ => None,
    })
}

/// What the first pass leaves to be done.
pub(crate) enum FirstPass {
    /// Nothing was learnt.
    Nothing,
    /// No property of states is violated, nor any temporal one before this one, which is suspected.
    Suspicion(PropertyId, Statistics, Reached),
    /// All is known.
    Known(Verdict, Statistics, Reached),
}

/// One pass for everything, properties of states included, which says all there is to say while every run ends.
pub(crate) fn first_pass(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    control: &Control<'_>,
) -> (FirstPass, Learnt) {
    let mut statistics: Option<Statistics> = None;
    let (mut learnt, mut reached) = (Learnt::default(), Reached::default());
    if !options.machine.reductions.ending_runs {
        return (FirstPass::Nothing, learnt);
    }
    for (id, ltl) in properties(automata) {
        let system = Persistent::for_runs(automata, memory, &options.machine, ltl);
        let runs = Runs::new(&system, ltl);
        let Ok(property) = liveness::Property::new(ltl.formula.clone()) else {
            return (FirstPass::Nothing, learnt);
        };
        let so_far = statistics.unwrap_or_default();
        let asked = Asked { limits: &options.search.limits, control, so_far };
        let (limits, progress) = (asked.limits(), |found: &Statistics| asked.tell(found));
        let control = Control { progress: &progress, ..*control };
        let found = check_ending(&runs, &property, statistics.is_none(), &limits, &control);
        if found.is_broken || found.verdict == EndingVerdict::GivenUp {
            return (FirstPass::Nothing, learnt);
        }
        // Only the first looks at every state.
        if statistics.is_none() {
            reached = found.reached;
            learnt = Learnt::of(system.tables());
        }
        let total = statistics.map_or(first_statistics(&found.statistics), |_| asked.total(&found.statistics));
        statistics = Some(total);
        match found.verdict {
            EndingVerdict::Suspicion => return (FirstPass::Suspicion(id, total, reached), learnt),
            EndingVerdict::Inconclusive(limit) => {
                return (FirstPass::Known(Verdict::Inconclusive(limit), total, reached), learnt);
            }
            _ => {}
        }
    }
    let known = |total| FirstPass::Known(Verdict::Holds, total, reached);
    (statistics.map_or(FirstPass::Nothing, known), learnt)
}

fn first_statistics(found: &Statistics) -> Statistics {
    Statistics {
        states: found.states,
        transitions: found.transitions,
        depth: found.depth.saturating_sub(1),
        seconds: found.seconds,
        peak_bytes: found.peak_bytes,
        ..Statistics::default()
    }
}

/// Checks the temporal properties from `first` on in the order of the text, up to the first that is violated.
pub(crate) fn check(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    control: &Control<'_>,
    first: Option<PropertyId>,
    statistics: &mut Statistics,
) -> (Verdict, Option<String>) {
    if properties(automata).next().is_none() {
        return (Verdict::Holds, None);
    }
    // All that is worked out for one property is kept for the next.
    let (tables, mut refuted) = (Tabulated::new(automata, memory, &options.machine), Refuted::default());
    for (id, ltl) in properties(automata).filter(|(id, _)| Some(*id) >= first) {
        match confirmed(&tables, &mut refuted, (id, ltl), options, control, statistics) {
            Verdict::Holds => {}
            Verdict::Inconclusive(limit) => return (Verdict::Inconclusive(limit), None),
            violated => return (violated, Some(automata.properties[id].name.clone())),
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
    let tables = Tabulated::new(automata, memory, &options.machine);
    confirmed(&tables, &mut Refuted::default(), (property, ltl), options, control, &mut Statistics::default())
}

/// Checks one temporal property; the interpreter has executed the lasso, if there is one.
fn confirmed(
    tables: &Tabulated<'_>,
    refuted: &mut Refuted,
    (property, ltl): (PropertyId, &Ltl),
    options: &RunOptions,
    control: &Control<'_>,
    statistics: &mut Statistics,
) -> Verdict {
    let mut n_refuted = 0;
    loop {
        let runs = Runs::new(tables, ltl).leaving_out(refuted);
        let fairness = fair_components(tables.interpreter().automata(), ltl);
        let lasso = match check_one(&runs, (ltl, fairness), &options.search.limits, control, statistics) {
            liveness::Verdict::Holds => return Verdict::Holds,
            liveness::Verdict::Inconclusive(limit) => return Verdict::Inconclusive(limit),
            liveness::Verdict::Violated(lasso) => lasso,
        };
        // A run that goes through a refuted state is none: then the search begins again without that state.
        let states = lasso.stem.iter().chain(&lasso.cycle).map(|step| &step.state);
        let n_found = states.filter(|state| refuted.find(tables, state)).count();
        if let Some(limit) = options.cut() {
            return Verdict::Inconclusive(limit);
        }
        if n_found == 0 {
            let trace = crate::trace::confirmed(lasso::retrace(tables, &lasso, property), options);
            if let Ok(trace) = &trace {
                statistics.depth = trace.steps.len() as u64;
            }
            return Verdict::of(trace);
        }
        n_refuted += 1;
        if n_refuted == FEW_REFUTED {
            refuted.ask_all();
        }
    }
}

/// Limits and progress of a search that is one of several.
struct Asked<'a> {
    limits: &'a Limits,
    control: &'a Control<'a>,
    /// What the searches before have done.
    so_far: Statistics,
}

impl Asked<'_> {
    fn limits(&self) -> Limits {
        let timeout = self.limits.timeout.map(|timeout| timeout.saturating_sub(seconds(self.so_far.seconds)));
        Limits { timeout, ..*self.limits }
    }

    /// What has been done in all.
    fn total(&self, found: &Statistics) -> Statistics {
        Statistics {
            seconds: self.so_far.seconds + found.seconds,
            peak_bytes: self.so_far.peak_bytes.max(found.peak_bytes),
            ..self.so_far
        }
    }

    fn tell(&self, found: &Statistics) {
        let (states, depth) = (self.so_far.states + found.states, found.depth);
        (self.control.progress)(&Statistics { states, depth, frontier: 0, ..self.total(found) });
    }
}

/// Checks one temporal property, and adds what that took.
fn check_one(
    runs: &Runs<'_, Tabulated<'_>>,
    (ltl, fairness): (&Ltl, u64),
    limits: &Limits,
    control: &Control<'_>,
    statistics: &mut Statistics,
) -> liveness::Verdict {
    let Ok(property) = liveness::Property::new(ltl.formula.clone()) else {
        return liveness::Verdict::Inconclusive(Limit::Memory);
    };
    let asked = Asked { limits, control, so_far: *statistics };
    let (limits, progress) = (asked.limits(), |found: &Statistics| asked.tell(found));
    let control = Control { progress: &progress, ..*control };
    let outcome = search(runs, &property, fairness, &limits, &control);
    *statistics = asked.total(&outcome.statistics);
    outcome.verdict
}

fn seconds(seconds: f64) -> std::time::Duration {
    std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}
