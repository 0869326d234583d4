//! Where another thread has to come in between: the fewest preemptions that a violation in program order needs, found by searches of the same system
//! in which threads take turns.
//!
//! A thread runs until it has no step, ends, looks again or starts over (`machine::yields`). To continue elsewhere before that is a
//! preemption. Searches allow none, then one, and so
//! on, up to fewer than a run has that is known. Where several are needed, places are taken away one by one, as pairs are for reorderings.

use crate::decisive::program;
use crate::postpone::postponed;
use automata::{Automata, PointId, ThreadId};
use base::table::Id;
use machine::{Interpreter, Interruptions, PlainState, next_step, yields};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use system::Limit;
use workbench::{InTurns, Question, RunOptions, Trace, Verdict, follow, replay_run};

/// More preemptions than that are not sought.
const MAX_PREEMPTIONS: u32 = 4;

/// All searches together may see so many times the states of the search that found the violation.
const TIMES: u64 = 12;

/// And so many more: below that, no one waits.
const FEW_STATES: u64 = 10_000;

/// A thread that could continue, and another one stepped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preemption {
    pub(crate) thread: ThreadId,
    /// After so many steps.
    pub(crate) after: usize,
    /// The step in which the thread continues; none if it never does.
    pub(crate) until: Option<usize>,
    /// The step that it was about to take.
    pub(crate) point: PointId,
}

/// What is known of the preemptions that a violation needs.
pub(crate) struct Turns {
    /// A run with only these.
    pub(crate) trace: Trace,
    pub(crate) preemptions: Vec<Preemption>,
    /// Whether searches have shown that fewer are not enough, and what stopped them if they have not.
    pub(crate) open: Option<Limit>,
}

/// A run in program order that violates a property.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) trace: &'a Trace,
    /// Whether none is shorter.
    pub(crate) is_shortest: bool,
    /// What the search that found one saw.
    pub(crate) states: u64,
}

/// The preemptions that a violation in program order needs. `automata` are those of the question in program order, and the time counts since `begun`.
pub(crate) fn turns(question: Question<'_>, automata: &Automata, run: Run<'_>, begun: Instant) -> Turns {
    let options = Question { automata, options: &question.options.after(begun.elapsed()), ..question }.keeping_names();
    let in_turns = Question { automata, options: &options, ..question }.in_turns();
    let left = Cell::new(TIMES * run.states + FEW_STATES);
    Search { question, automata, trace: run.trace, in_turns, left, begun }.turns(run.is_shortest)
}

/// The preemptions of a run; of one that repeats, those on the way to where it does.
pub(crate) fn preemptions(question: Question<'_>, trace: &Trace) -> Vec<Preemption> {
    let Question { automata, memory, options, .. } = question;
    let interpreter = Interpreter::new(automata, memory, &options.machine);
    let end = trace.loop_start.unwrap_or(trace.taken.len()).min(trace.taken.len());
    let switches = (1..end).filter(|n| trace.taken[n - 1].thread != trace.taken[*n].thread);
    let mut given: BTreeMap<ThreadId, BTreeSet<PointId>> = BTreeMap::new();
    let preemption = |after: usize| {
        let (thread, state) = (trace.taken[after - 1].thread, &trace.states[after]);
        let automaton = &automata.threads[thread].automaton;
        let point = next_step(automaton, &state.locals[thread.index()]);
        let could_go_on = || interpreter.successors(state).steps.iter().any(|(step, _)| step.thread == thread);
        let later = (after..trace.taken.len()).find(|n| trace.taken[*n].thread == thread);
        let until = later.map(|n| n + 1);
        let gives_way = given.entry(thread).or_insert_with(|| yields(automaton)).contains(&point);
        (!gives_way && could_go_on()).then_some(Preemption { thread, after, until, point })
    };
    switches.filter_map(preemption).collect()
}

struct Search<'a> {
    question: Question<'a>,
    /// The system in program order.
    automata: &'a Automata,
    trace: &'a Trace,
    /// The same as all searches see it.
    in_turns: InTurns<'a>,
    /// How many states the searches may still see.
    left: Cell<u64>,
    begun: Instant,
}

impl Search<'_> {
    fn turns(&self, is_shortest: bool) -> Turns {
        // The run that is there shows how many are enough; of those with so many, a shortest run is a shortest.
        let known = self.preemptions(self.trace);
        if known.is_empty() {
            // In program order, whoever was left could not go on.
            return Turns { trace: self.trace.clone(), preemptions: known, open: None };
        }
        let n_known = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let is_best = is_shortest && self.trace.loop_start.is_none() && n_known <= MAX_PREEMPTIONS;
        let most = if is_best { n_known - 1 } else { n_known.min(MAX_PREEMPTIONS) };
        match self.violated(Interruptions::UpTo(most), 1) {
            Ok(Some(trace)) => self.with_fewer_places(trace),
            Ok(None) if is_best => self.with_fewer_places(postponed(self.question, self.trace.clone())),
            Ok(None) => Turns { trace: self.trace.clone(), preemptions: known, open: Some(Limit::States) },
            Err(limit) => Turns { trace: self.trace.clone(), preemptions: known, open: Some(limit) },
        }
    }

    fn preemptions(&self, trace: &Trace) -> Vec<Preemption> {
        preemptions(Question { automata: self.automata, ..self.question }, trace)
    }

    /// Takes away places at which threads are interrupted, as long as the violation remains.
    fn with_fewer_places(&self, mut trace: Trace) -> Turns {
        let mut open = None;
        let mut needed = BTreeSet::new();
        let mut preemptions = self.preemptions(&trace);
        while let Some(place) = self.places(&preemptions).into_iter().find(|place| !needed.contains(place)) {
            let mut fewer = self.places(&preemptions);
            fewer.remove(&place);
            // Without any, the first search has answered.
            let found = if fewer.is_empty() { Ok(None) } else { self.violated(self.before(&fewer), 2) };
            match found {
                Ok(Some(simpler)) => {
                    trace = simpler;
                    preemptions = self.preemptions(&trace);
                }
                Ok(None) => {
                    needed.insert(place);
                }
                Err(limit) => {
                    open = open.or(Some(limit));
                    needed.insert(place);
                }
            }
        }
        Turns { trace, preemptions, open }
    }

    /// The places of preemptions, by program: copies of a thread share them.
    fn places(&self, preemptions: &[Preemption]) -> BTreeSet<(String, PointId)> {
        preemptions.iter().map(|p| (program(self.automata, p.thread).to_string(), p.point)).collect()
    }

    fn before(&self, places: &BTreeSet<(String, PointId)>) -> Interruptions {
        let of = |thread: ThreadId| {
            let own = places.iter().filter(|(name, _)| name == program(self.automata, thread));
            own.map(|(_, point)| *point).collect()
        };
        Interruptions::Before(self.automata.threads.ids().map(of).collect())
    }

    /// What a search may see: a part of the states that are left, in the time that is left.
    fn within(&self, part: u64) -> Result<RunOptions, Limit> {
        let Question { options, control, .. } = self.question;
        if let Some(limit) = options.limit_since(self.begun, control) {
            return Err(limit);
        }
        let mut options = options.after(self.begun.elapsed());
        let limits = &mut options.search.limits;
        let most = self.left.get() / part;
        limits.max_states = Some(limits.max_states.map_or(most, |given| given.min(most)));
        Ok(options)
    }

    /// A run that violates the property with these interruptions, as the unconstrained system executes it, sought in a part of what is left.
    fn violated(&self, interruptions: Interruptions, part: u64) -> Result<Option<Trace>, Limit> {
        let within = self.within(part)?;
        if let Some(start) = self.trace.loop_start {
            return self.repeated(&within, start, interruptions);
        }
        let (verdict, states) = self.in_turns.verdict(self.trace.property, interruptions, &within.search);
        self.left.set(self.left.get().saturating_sub(states));
        match verdict {
            Verdict::Holds => Ok(None),
            Verdict::Inconclusive(limit) => Err(limit),
            Verdict::Violated(trace) => {
                let Question { automata, memory, options, .. } = self.question;
                let interpreter = Interpreter::new(automata, memory, &options.machine);
                follow(&interpreter, &trace).map(Some).map_err(|_| Limit::States)
            }
        }
    }

    /// The run with another way to where it repeats.
    fn repeated(&self, within: &RunOptions, start: usize, how: Interruptions) -> Result<Option<Trace>, Limit> {
        let (way, states) = self.in_turns.way(&self.trace.states[start], how, &within.search);
        self.left.set(self.left.get().saturating_sub(states));
        let Some(way) = way? else { return Ok(None) };
        let Question { automata, memory, options, .. } = self.question;
        let interpreter = Interpreter::new(automata, memory, &options.machine);
        let initial = interpreter.initial().iter().position(|(_, state)| Some(state) == way.first());
        let position =
            |pair: &[PlainState]| interpreter.run_successors(&pair[0]).steps.iter().position(|(_, to)| *to == pair[1]);
        let steps: Option<Vec<usize>> = way.windows(2).map(position).collect();
        let (initial, mut steps) = initial.zip(steps).ok_or(Limit::States)?;
        let start_now = steps.len();
        steps.extend(&self.trace.steps[start..]);
        let found = replay_run(&interpreter, initial, &steps, Some(start_now), self.trace.property);
        found.map(Some).map_err(|_| Limit::States)
    }
}
