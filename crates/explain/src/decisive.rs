//! Which reorderings a violation needs: found by searches of the same system in which threads keep program order but for a
//! few named pairs of operations.
//!
//! One late operation is tried first, each that the run has; if none is enough, late operations are taken away one by one. Then
//! pairs are taken away. What is left is needed: with these pairs the property is violated, and without any one of them it
//! holds.

use crate::data::Cause;
use crate::history::History;
use crate::turns::{Preemption, Run, Turns, preemptions, turns};
use automata::{Action, Automata, Kept, PointId, PropertyId, ThreadId};
use machine::Interpreter;
use memory::{MemoryModel, Reorder};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Instant;
use system::Limit;
use workbench::{Question, Trace, Verdict, follow};

/// Two operations of one program: the younger is performed before the older. An operation that passes over newer writes, where memory is histories,
/// is paired with itself. Threads `mutator[0]` and `mutator[1]` run one
/// program, so that they stay interchangeable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) program: String,
    pub(crate) older: PointId,
    pub(crate) younger: PointId,
}

/// A set of pairs.
pub(crate) type Pairs = BTreeSet<Pair>;

/// What a violation needs, with the run that shows it and needs no more.
pub(crate) struct Decisive {
    pub(crate) cause: Cause,
    /// The limit that left it undecided.
    pub(crate) limit: Option<Limit>,
    pub(crate) pairs: Pairs,
    pub(crate) trace: Trace,
    /// Where threads have to be preempted, if program order is enough.
    pub(crate) turns: Option<Preempted>,
}

/// The preemptions that a violation in program order needs.
pub(crate) struct Preempted {
    pub(crate) preemptions: Vec<Preemption>,
    /// What stopped the searches that would have shown that fewer are not enough.
    pub(crate) open: Option<Limit>,
}

/// The program that a thread runs.
pub(crate) fn program(automata: &Automata, thread: ThreadId) -> &str {
    &automata.threads[thread].place.program
}

/// The pairs that a run reorders.
pub(crate) fn pairs(automata: &Automata, history: &History) -> Pairs {
    let of = |id: usize| {
        let older = &history.operations[id];
        let pair = move |younger: &usize| Pair {
            program: program(automata, older.thread).into(),
            older: older.point,
            younger: history.operations[*younger].point,
        };
        older.overtaken_by.iter().map(pair)
    };
    let stale = |id: usize| {
        let operation = &history.operations[id];
        let program = program(automata, operation.thread).into();
        Pair { program, older: operation.point, younger: operation.point }
    };
    history.delayed().flat_map(of).chain(history.stale().map(stale)).collect()
}

/// The system whose threads obey `kept`, given the pairs of their program.
pub(crate) fn constrained(automata: &Automata, pairs: &Pairs, kept: fn(Vec<(PointId, PointId)>) -> Kept) -> Automata {
    let mut constrained = automata.clone();
    for thread in automata.threads.ids() {
        let own = pairs.iter().filter(|pair| pair.program == program(automata, thread));
        constrained.threads[thread].automaton.kept = kept(own.map(|pair| (pair.older, pair.younger)).collect());
    }
    constrained
}

/// What the violation that `trace` shows needs, where threads keep the pairs `forbidden` in order; the time counts since `begun`. If `trace` is a
/// shortest, found by a search of the question, `found_in` says how many states that took.
pub(crate) fn decide(
    question: Question<'_>,
    forbidden: &Pairs,
    begun: Instant,
    trace: &Trace,
    found_in: Option<u64>,
) -> Decisive {
    let (is_lost, limit, states) = (Cell::new(false), Cell::new(None), Cell::new(0));
    Search { question, property: trace.property, forbidden, begun, is_lost, limit, states }.decide(trace, found_in)
}

struct Search<'a> {
    question: Question<'a>,
    property: PropertyId,
    /// What no run may reorder.
    forbidden: &'a Pairs,
    begun: Instant,
    /// Whether the unconstrained system could not execute some run.
    is_lost: Cell<bool>,
    /// The limit that stopped some search first.
    limit: Cell<Option<Limit>>,
    /// The states of the last search.
    states: Cell<u64>,
}

impl Search<'_> {
    fn decide(&self, trace: &Trace, found_in: Option<u64>) -> Decisive {
        // What was found with pairs forbidden has other positions of its steps.
        let followed = if self.forbidden.is_empty() { None } else { self.followed(trace) };
        let trace = followed.as_ref().unwrap_or(trace);
        if self.keeps_order(trace) {
            return self.in_program_order(trace.clone(), found_in);
        }
        let none = || self.violated_with(&Pairs::new()).map(|trace| (Pairs::new(), trace));
        let found = none().or_else(|| self.one_delay(trace)).unwrap_or_else(|| self.fewer_delays(trace));
        let (pairs, trace) = self.without_needless(found.0, found.1);
        let cause = match pairs.is_empty() {
            _ if self.is_lost.get() || self.limit.get().is_some() => Cause::Undecided,
            // A property may see that a thread has ended, or continued, while its last operations wait: then program order says
            // too little.
            true if self.question.memory.histories.is_none() && !self.is_violated_under_sc() => Cause::Undecided,
            true => Cause::ProgramOrder,
            false => Cause::Reorderings,
        };
        if cause == Cause::ProgramOrder {
            return self.in_program_order(trace, Some(self.states.get()));
        }
        let limit = self.limit.get().filter(|_| cause == Cause::Undecided);
        Decisive { cause, limit, pairs, trace, turns: None }
    }

    /// Whether no search is needed to see that the run is in program order: the memory model allows nothing else.
    fn keeps_order(&self, trace: &Trace) -> bool {
        let Question { memory, .. } = self.question;
        let may_reorder = memory.reorder != Reorder::default() || memory.speculate > 0 || memory.histories.is_some();
        !may_reorder && self.forbidden.is_empty() && self.pairs(trace).is_empty()
    }

    /// A violation in program order, by a run with the fewest preemptions. If `trace` is a shortest, `found_in` says how many states the search for it saw.
    fn in_program_order(&self, trace: Trace, found_in: Option<u64>) -> Decisive {
        let decisive = |trace, preemptions, open| Decisive {
            cause: Cause::ProgramOrder,
            limit: None,
            pairs: Pairs::new(),
            trace,
            turns: Some(Preempted { preemptions, open }),
        };
        if preemptions(self.question, &trace).is_empty() {
            return decisive(trace, Vec::new(), None);
        }
        let in_order = constrained(self.question.automata, &Pairs::new(), Kept::AllBut);
        // What is explained of a run does not depend on who asks.
        let (states, is_shortest) = found_in.map_or_else(|| self.as_short(&in_order, &trace), |states| (states, true));
        let run = Run { trace: &trace, is_shortest, states };
        let Turns { trace, preemptions, open } = turns(self.question, &in_order, run, self.begun);
        decisive(trace, preemptions, open)
    }

    /// How many states a search for the violation sees, and whether what it finds is as long as `trace`.
    fn as_short(&self, in_order: &Automata, trace: &Trace) -> (u64, bool) {
        let found = self.violation(in_order, self.question.memory);
        (self.states.get(), found.is_some_and(|found| found.steps.len() == trace.steps.len()))
    }

    fn pairs(&self, trace: &Trace) -> Pairs {
        pairs(self.question.automata, &History::new(self.question.automata, trace))
    }

    /// The operations that are late in `trace`, each with all that could ever overtake it.
    fn delays(&self, trace: &Trace) -> Vec<Pairs> {
        let pairs = self.pairs(trace);
        let late: BTreeSet<(&str, PointId)> = pairs.iter().map(|pair| (pair.program.as_str(), pair.older)).collect();
        late.into_iter().map(|(name, older)| self.anything_before(name, older)).collect()
    }

    fn anything_before(&self, name: &str, older: PointId) -> Pairs {
        let automata = self.question.automata;
        let Some(thread) = automata.threads.ids().find(|thread| program(automata, *thread) == name) else {
            return Pairs::new();
        };
        let points = &automata.threads[thread].automaton.points;
        let overtakes = |point: &PointId| matches!(points[*point].action, Action::Access(_) | Action::Enter(_));
        points.ids().filter(overtakes).map(|younger| Pair { program: name.into(), older, younger }).collect()
    }

    /// The violation with only one operation of `trace` late, if that is enough: of all such runs a shortest.
    fn one_delay(&self, trace: &Trace) -> Option<(Pairs, Trace)> {
        let found = self.delays(trace).into_iter().filter_map(|delay| self.violated_with(&delay));
        let shortest = found.min_by_key(|trace| (trace.steps.len(), trace.switches()))?;
        Some((self.pairs(&shortest), shortest))
    }

    /// The violation with as few operations of `trace` late as taking them away one by one leaves.
    fn fewer_delays(&self, trace: &Trace) -> (Pairs, Trace) {
        let mut delays = self.delays(trace);
        let mut found = trace.clone();
        let mut next = 0;
        while next < delays.len() {
            let delay = delays.remove(next);
            match self.violated_with(&delays.iter().flatten().cloned().collect()) {
                Some(simpler) => found = simpler,
                None => {
                    delays.insert(next, delay);
                    next += 1;
                }
            }
        }
        (self.pairs(&found), found)
    }

    /// Takes pairs away, the youngest first, as long as the violation remains.
    fn without_needless(&self, mut pairs: Pairs, mut trace: Trace) -> (Pairs, Trace) {
        let mut needed = Pairs::new();
        while let Some(pair) = pairs.iter().rev().find(|pair| !needed.contains(pair)).cloned() {
            let mut fewer = pairs.clone();
            fewer.remove(&pair);
            match self.violated_with(&fewer) {
                // What no search can forbid is neither needed nor needless.
                Some(simpler) if self.pairs(&simpler).contains(&pair) => {
                    self.is_lost.set(true);
                    needed.insert(pair);
                }
                Some(simpler) => {
                    pairs = self.pairs(&simpler);
                    trace = simpler;
                    needed.retain(|pair| pairs.contains(pair));
                }
                None => {
                    needed.insert(pair);
                }
            }
        }
        (pairs, trace)
    }

    fn is_violated_under_sc(&self) -> bool {
        let Question { automata, memory, .. } = self.question;
        let sc = MemoryModel { reorder: Reorder::default(), ..memory.clone() };
        self.violation(automata, &sc).is_some()
    }

    /// A run that violates the property though threads keep program order but for `pairs`, as the unconstrained system
    /// executes it.
    fn violated_with(&self, pairs: &Pairs) -> Option<Trace> {
        let Question { automata, memory, .. } = self.question;
        let allowed = pairs.difference(self.forbidden).cloned().collect();
        self.followed(&self.violation(&constrained(automata, &allowed, Kept::AllBut), memory)?)
    }

    /// The run as the unconstrained system executes it.
    fn followed(&self, trace: &Trace) -> Option<Trace> {
        let Question { automata, memory, options, .. } = self.question;
        let followed = follow(&Interpreter::new(automata, memory, &options.machine), trace);
        self.is_lost.set(self.is_lost.get() || followed.is_err());
        followed.ok()
    }

    /// A run of `automata` that violates the property, sought in the time that is left.
    fn violation(&self, automata: &Automata, memory: &MemoryModel) -> Option<Trace> {
        let Question { options, control, .. } = self.question;
        let verdict = match options.limit_since(self.begun, control) {
            None => {
                let options = options.after(self.begun.elapsed());
                let question = Question { automata, memory, options: &options, control };
                let (verdict, states) = question.counted_verdict_of(self.property);
                self.states.set(states);
                verdict
            }
            Some(limit) => Verdict::Inconclusive(limit),
        };
        match verdict {
            Verdict::Holds => None,
            Verdict::Violated(trace) => Some(*trace),
            Verdict::Inconclusive(limit) => {
                self.limit.set(self.limit.get().or(Some(limit)));
                None
            }
        }
    }
}
