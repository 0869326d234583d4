//! Temporal properties: each is a search of its own, after the search for all others.

use crate::answer::Verdict;
use crate::lasso;
use crate::question::Question;
use crate::run::Learnt;
use crate::trace::confirmed;
use automata::{
    Automata, BinaryOp, Expr, Fairness, Ltl, Property, PropertyId, PropertyKind, StateExpr, StateLeaf, Thread, ThreadId,
};
use base::Span;
use explore::Control;
use liveness::{ENDED, EndingVerdict, check as search, check_ending};
use ltl::Formula;
use machine::{MAX_FAIR_THREADS, OverTables, Persistent, Refuted, Runs, Tabulated, fair_components};
use system::{Limit, Limits, Reached, Statistics};

/// After so many lassos through refuted states, every state is asked for.
const FEW_REFUTED: usize = 16;

/// The most conditions on states in one formula.
const MAX_ATOMS: usize = ENDED as usize;

/// The property that every thread ends at last if all are treated fairly. The name is `terminates`.
pub fn terminates(automata: &Automata) -> Property {
    let ended = automata.threads.ids().map(|thread| Expr::Leaf(StateLeaf::Ended(thread)));
    let all = ended.reduce(|all, next| Expr::binary(BinaryOp::And, all, next)).unwrap_or(Expr::Const(1));
    ends("terminates".into(), all, Fairness::All)
}

/// The properties that each thread of this name ends at last, though the others may stop anywhere: that it is wait-free, if
/// what it does is finite. There is one for each copy, called `wait_free(mutator[0])`.
pub fn wait_free(automata: &Automata, name: &str) -> Vec<Property> {
    let is_it = |thread: &Thread| thread.name == name || thread.name.split('[').next() == Some(name);
    let threads = automata.threads.iter().filter(|(_, thread)| is_it(thread));
    let property = |(id, thread): (ThreadId, &Thread)| {
        ends(format!("wait_free({})", thread.name), Expr::Leaf(StateLeaf::Ended(id)), Fairness::Thread(id))
    };
    threads.map(property).collect()
}

/// The property that a command adds to those of the file under this name.
pub fn added(automata: &Automata, name: &str) -> Option<Property> {
    let all = match name.strip_prefix("wait_free(").and_then(|rest| rest.strip_suffix(')')) {
        Some(thread) => wait_free(automata, thread),
        None => vec![terminates(automata)],
    };
    all.into_iter().find(|property| property.name == name)
}

fn ends(name: String, ended: StateExpr, fairness: Fairness) -> Property {
    let ltl = Ltl { formula: Formula::eventually(Formula::Atom(0)), atoms: vec![ended], fairness };
    Property { name, kind: PropertyKind::Ltl(ltl), span: Span::none() }
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

impl Question<'_> {
    /// One pass for everything, properties of states included, which says all there is to say while every run ends.
    pub(crate) fn first_pass(&self) -> (FirstPass, Learnt) {
        let mut statistics: Option<Statistics> = None;
        let (mut learnt, mut reached) = (Learnt::default(), Reached::default());
        // Where threads may stop, a run may end anywhere.
        let may_stop = properties(self.automata).any(|(_, ltl)| ltl.others_may_stop());
        if may_stop || !self.options.machine.reductions.ending_runs {
            return (FirstPass::Nothing, learnt);
        }
        for (id, ltl) in properties(self.automata) {
            let system = Persistent::for_runs(self.automata, self.memory, &self.options.machine, ltl);
            let runs = Runs::new(&system, ltl);
            let Ok(property) = liveness::Property::new(ltl.formula.clone()) else {
                return (FirstPass::Nothing, learnt);
            };
            let part = Part { question: self, before: statistics.unwrap_or_default() };
            let progress = |found: &Statistics| part.show(found);
            let control = Control { progress: &progress, ..*self.control };
            let found = check_ending(&runs, &property, statistics.is_none(), &part.limits(), &control);
            if found.is_broken || found.verdict == EndingVerdict::GivenUp {
                return (FirstPass::Nothing, learnt);
            }
            // Only the first looks at every state.
            if statistics.is_none() {
                reached = found.reached;
                learnt = Learnt::of(system.tables());
            }
            let total = statistics.map_or(first_statistics(&found.statistics), |_| part.total(&found.statistics));
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

    /// Checks the temporal properties from `first` on in the order of the text, up to the first that is violated.
    pub(crate) fn check_temporal(
        &self,
        first: Option<PropertyId>,
        statistics: &mut Statistics,
    ) -> (Verdict, Option<String>) {
        if properties(self.automata).next().is_none() {
            return (Verdict::Holds, None);
        }
        let mut search = Search::new(self, *statistics);
        let mut found = (Verdict::Holds, None);
        for (id, ltl) in properties(self.automata).filter(|(id, _)| Some(*id) >= first) {
            found = match search.confirmed(id, ltl) {
                Verdict::Holds => continue,
                Verdict::Inconclusive(limit) => (Verdict::Inconclusive(limit), None),
                violated => (violated, Some(self.automata.properties[id].name.clone())),
            };
            break;
        }
        *statistics = search.statistics;
        found
    }

    /// Checks one temporal property only, and counts the states that its searches saw.
    pub(crate) fn check_one_temporal(&self, property: PropertyId, ltl: &Ltl) -> (Verdict, u64) {
        let mut search = Search::new(self, Statistics::default());
        (search.confirmed(property, ltl), search.n_states)
    }
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

/// The search for runs that violate temporal properties. What is worked out for one property is kept for the next.
struct Search<'q> {
    question: &'q Question<'q>,
    tables: Tabulated<'q>,
    refuted: Refuted,
    /// What has been done so far.
    statistics: Statistics,
    /// The states of all searches for lassos.
    n_states: u64,
}

impl<'q> Search<'q> {
    fn new(question: &'q Question<'q>, statistics: Statistics) -> Self {
        let tables = Tabulated::new(question.automata, question.memory, &question.options.machine);
        Search { question, tables, refuted: Refuted::default(), statistics, n_states: 0 }
    }

    /// Checks one temporal property; the interpreter has executed the lasso, if there is one.
    fn confirmed(&mut self, property: PropertyId, ltl: &Ltl) -> Verdict {
        let options = self.question.options;
        let mut n_refuted = 0;
        loop {
            let lasso = match self.lasso(ltl) {
                liveness::Verdict::Holds => return Verdict::Holds,
                liveness::Verdict::Inconclusive(limit) => return Verdict::Inconclusive(limit),
                liveness::Verdict::Violated(lasso) => lasso,
            };
            // A run that goes through a refuted state is none: then the search begins again without that state.
            let states = lasso.stem.iter().chain(&lasso.cycle).map(|step| &step.state);
            let n_found = states.filter(|state| self.refuted.find(&self.tables, state)).count();
            if let Some(limit) = options.cut() {
                return Verdict::Inconclusive(limit);
            }
            if n_found == 0 {
                let trace = confirmed(lasso::retrace(&self.tables, &lasso, property), options);
                if let Ok(trace) = &trace {
                    self.statistics.depth = trace.steps.len() as u64;
                }
                return Verdict::of(trace);
            }
            n_refuted += 1;
            if n_refuted == FEW_REFUTED {
                self.refuted.ask_all();
            }
        }
    }

    /// Searches for a lasso, and adds what that took.
    fn lasso(&mut self, ltl: &Ltl) -> liveness::Verdict {
        let Ok(property) = liveness::Property::new(ltl.formula.clone()) else {
            return liveness::Verdict::Inconclusive(Limit::Memory);
        };
        let runs = Runs::new(&self.tables, ltl).leaving_out(&self.refuted);
        let fairness = fair_components(self.question.automata, ltl);
        let part = Part { question: self.question, before: self.statistics };
        let progress = |found: &Statistics| part.show(found);
        let control = Control { progress: &progress, ..*self.question.control };
        let found = search(&runs, &property, fairness, &part.limits(), &control);
        self.statistics = part.total(&found.statistics);
        self.n_states += found.statistics.states;
        found.verdict
    }
}

/// A search that is one of several: its limits and its progress.
struct Part<'a> {
    question: &'a Question<'a>,
    /// What the searches before have done.
    before: Statistics,
}

impl Part<'_> {
    fn limits(&self) -> Limits {
        let limits = self.question.options.search.limits;
        let timeout = limits.timeout.map(|timeout| timeout.saturating_sub(seconds(self.before.seconds)));
        Limits { timeout, ..limits }
    }

    /// What has been done in all.
    fn total(&self, found: &Statistics) -> Statistics {
        Statistics {
            seconds: self.before.seconds + found.seconds,
            peak_bytes: self.before.peak_bytes.max(found.peak_bytes),
            ..self.before
        }
    }

    fn show(&self, found: &Statistics) {
        let (states, depth) = (self.before.states + found.states, found.depth);
        (self.question.control.progress)(&Statistics { states, depth, frontier: 0, ..self.total(found) });
    }
}

fn seconds(seconds: f64) -> std::time::Duration {
    std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}
