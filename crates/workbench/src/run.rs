//! One run: one system under one memory model.

use crate::finding::{Finding, is_switched_off};
use crate::only::Only;
use crate::temporal::{self, FirstPass};
use crate::trace::{Trace, confirmed, retrace, retrace_late};
use automata::{Automata, PropertyId, PropertyKind};
use base::table::Id;
use explore::{Control, SearchOptions, fewest_switches, search};
use machine::{Bound, Compiled, LateReads, Options, Reductions, Tabulated};
use memory::MemoryModel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use system::{Limit, Reached, Statistics};

/// Above so many states, the shortest trace is shown as the search found it, without looking for
/// one with fewer changes of thread.
const MAX_STATES_FOR_SWITCHES: usize = 400_000;

/// Above so many states, steps that write nothing are put off.
const MANY_STATES: u64 = 3_000_000;

/// What a run is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Scope and reductions.
    pub machine: Options,
    /// Workers and limits.
    pub search: SearchOptions,
}

impl RunOptions {
    /// The same, with no step put off.
    pub(crate) fn putting_nothing_off(&self) -> Self {
        self.with_late_reads(LateReads::Never)
    }

    fn with_late_reads(&self, late_reads: LateReads) -> Self {
        let mut options = self.clone();
        options.machine.reductions.late_reads = late_reads;
        options
    }

    /// The same, ending at many states.
    fn while_small(&self) -> Self {
        let mut options = self.putting_nothing_off();
        options.search.limits.max_states = Some(MANY_STATES);
        options
    }

    /// The same, from now on: long computations outside the searches keep to the time that these have.
    pub(crate) fn begun(&self) -> Self {
        let mut options = self.clone();
        options.machine.budget = self.machine.budget.part(self.search.limits.timeout);
        options
    }

    /// The limit that cut what was done so far.
    pub(crate) fn cut(&self) -> Option<Limit> {
        self.machine.budget.hit()
    }

    /// The same, with so much of the time gone.
    pub fn after(&self, gone: Duration) -> Self {
        let mut options = self.clone();
        let timeout = &mut options.search.limits.timeout;
        *timeout = timeout.map(|timeout| timeout.saturating_sub(gone));
        options
    }

    /// The limit that stops whatever has gone on since `begun`, other than by states.
    pub fn limit_since(&self, begun: Instant, control: &Control<'_>) -> Option<Limit> {
        let is_over = |timeout: Duration| begun.elapsed() >= timeout;
        match control.stop.load(Ordering::Relaxed) {
            true => Some(Limit::Interrupted),
            false if self.search.limits.timeout.is_some_and(is_over) => Some(Limit::Time),
            false => self.machine.budget.look(),
        }
    }
}

/// The verdict of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Exhaustive for the stated scope.
    Holds,
    /// A property is violated; the trace has been executed by the interpreter.
    Violated(Box<Trace>),
    /// A limit stopped the search.
    Inconclusive(Limit),
}

impl Verdict {
    /// A violation, unless a limit has kept the interpreter from executing it.
    pub(crate) fn of(trace: Result<Trace, Limit>) -> Self {
        trace.map_or_else(Verdict::Inconclusive, |trace| Verdict::Violated(Box::new(trace)))
    }
}

/// What a run has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The property violated.
    pub property: Option<String>,
    /// Cover properties, and locations that an invariant asks something of, that were not reached, if it holds: then the
    /// pass is vacuous.
    pub uncovered: Vec<String>,
    /// Assertions at which control never came, and every `forbid` if no run ends, if it holds: nothing is said of them.
    pub unreached: Vec<String>,
    /// Properties that were switched off.
    pub unchecked: Vec<String>,
    /// With `findings`: the properties that steps violate. The thread stops there, and what it would do after that was not looked at.
    pub stops_at: Vec<String>,
    /// Bounds that made threads wait, with the threads' names.
    pub bounds_hit: Vec<(Bound, String)>,
    /// What was done.
    pub statistics: Statistics,
    /// Whether steps that write nothing were put off: then `statistics` counts what is stored, and a trace need not be a shortest.
    pub late_reads: bool,
    /// What became of each property; none if the search ended with the first violation.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// The verdict in one word.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Inconclusive(_) => "inconclusive",
        }
    }

    /// Nothing was done because of a limit.
    pub(crate) fn inconclusive(limit: Limit) -> Self {
        Outcome {
            verdict: Verdict::Inconclusive(limit),
            property: None,
            uncovered: Vec::new(),
            unreached: Vec::new(),
            unchecked: Vec::new(),
            stops_at: Vec::new(),
            bounds_hit: Vec::new(),
            statistics: Statistics::default(),
            late_reads: false,
            findings: Vec::new(),
        }
    }

    /// Whether it holds without having reached what it should.
    pub fn is_vacuous(&self) -> bool {
        self.verdict == Verdict::Holds && (!self.uncovered.is_empty() || self.has_no_step())
    }

    /// What was not reached, or that nothing was.
    pub fn vacuous_because(&self) -> String {
        match self.has_no_step() {
            true => "no thread ever steps".into(),
            false => format!("never reached {}", self.uncovered.join(", ")),
        }
    }

    /// Whether there is no run at all.
    pub fn has_no_run(&self) -> bool {
        self.verdict == Verdict::Holds && self.statistics.states == 0
    }

    /// Whether no thread ever steps.
    pub fn has_no_step(&self) -> bool {
        self.verdict == Verdict::Holds && self.statistics.transitions == 0
    }

    /// Whether it holds and every property that the file states was looked at.
    pub fn holds_strictly(&self) -> bool {
        self.verdict == Verdict::Holds && !self.is_vacuous() && self.unreached.is_empty() && self.unchecked.is_empty()
    }
}

/// A control that never stops the search and says nothing.
pub fn quiet() -> Control<'static> {
    static STOP: AtomicBool = AtomicBool::new(false);
    Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} }
}

/// Checks `automata` under `memory`.
///
/// # Panics
/// If the interpreter cannot execute the counterexample that the search found: a bug of ours, never
/// to be shown as a verdict.
pub fn run(automata: &Automata, memory: &MemoryModel, options: &RunOptions, control: &Control<'_>) -> Outcome {
    let begun = Instant::now();
    let options = &options.begun();
    if let Some(limit) = options.machine.budget.look() {
        return Outcome::inconclusive(limit);
    }
    let (first, learnt) = temporal::first_pass(automata, memory, options, control);
    let found = match first {
        FirstPass::Nothing => return search_and_check(automata, memory, &options.after(begun.elapsed()), control),
        FirstPass::Known(verdict, statistics, reached) => Found { verdict, property: None, statistics, reached },
        FirstPass::Suspicion(id, mut statistics, reached) => {
            let (verdict, property) = temporal::check(automata, memory, options, control, Some(id), &mut statistics);
            Found { verdict, property, statistics, reached }
        }
    };
    found.outcome(automata, options, learnt)
}

/// First the properties of states, then the temporal ones. If there are many states, the search begins again and puts off what it can.
fn search_and_check(automata: &Automata, memory: &MemoryModel, options: &RunOptions, control: &Control<'_>) -> Outcome {
    let begun = Instant::now();
    let compiled = Compiled::new(automata, memory, &options.machine);
    let is_limited = options.search.limits.max_states.is_some_and(|most| most <= MANY_STATES);
    if options.machine.reductions.late_reads != LateReads::WhenLarge || is_limited || !compiled.could_be_late() {
        let found = search(&compiled, &options.search, control);
        return conclude(automata, memory, options, control, (&compiled, begun), found);
    }
    let found = search(&compiled, &options.while_small().search, control);
    if found.verdict != system::Verdict::Inconclusive(Limit::States) {
        return conclude(automata, memory, options, control, (&compiled, begun), found);
    }
    let before = found.statistics;
    let options = options.with_late_reads(LateReads::Always).after(begun.elapsed());
    let mut outcome = search_and_check(automata, memory, &options, control);
    outcome.statistics.seconds += before.seconds;
    outcome
}

/// What comes of a search of all states that has begun then.
fn conclude(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    control: &Control<'_>,
    (compiled, begun): (&Compiled<'_>, Instant),
    found: explore::Outcome,
) -> Outcome {
    let mut statistics = found.statistics;
    let (verdict, property) = match found.verdict {
        // All steps were put off: whether there is any, the plain search says.
        system::Verdict::Holds if compiled.is_late() && statistics.transitions == 0 => {
            let options = options.putting_nothing_off().after(begun.elapsed());
            return search_and_check(automata, memory, &options, control);
        }
        system::Verdict::Holds => temporal::check(automata, memory, options, control, None, &mut statistics),
        system::Verdict::Inconclusive(limit) => (Verdict::Inconclusive(limit), None),
        system::Verdict::Violated { property, path } => {
            let property = PropertyId(property);
            let late = compiled.late().map(|late| retrace_late(late, &path, property));
            if matches!(late, Some(Err(_))) && options.cut().is_none() {
                // What the reduction stands for cannot be executed as it was put together: only the plain search decides.
                let options = options.putting_nothing_off().after(begun.elapsed());
                return search_and_check(automata, memory, &options, control);
            }
            let trace = match late {
                Some(late) => confirmed(late, options),
                None => {
                    let options = options.after(begun.elapsed());
                    trace_of(automata, memory, &options, control, compiled, &path, property)
                }
            };
            let name = trace.is_ok().then(|| automata.properties[property].name.clone());
            (Verdict::of(trace), name)
        }
    };
    let found = Found { verdict, property, statistics, reached: found.reached };
    let outcome = found.outcome(automata, options, Learnt::of(compiled.tables()));
    Outcome { late_reads: compiled.is_late(), ..outcome }
}

/// What a search tells of the system besides.
#[derive(Default)]
pub(crate) struct Learnt {
    bounds_hit: Vec<(Bound, String)>,
    never_at: Vec<String>,
}

impl Learnt {
    pub(crate) fn of(tables: &Tabulated<'_>) -> Self {
        let mut never_at: Vec<String> = tables.never_at().into_iter().map(|(_, location)| location).collect();
        never_at.sort();
        never_at.dedup();
        Learnt { bounds_hit: tables.bounds_hit(), never_at }
    }
}

/// What the searches of a run have found.
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    pub(crate) property: Option<String>,
    pub(crate) statistics: Statistics,
    pub(crate) reached: Reached,
}

impl Found {
    pub(crate) fn outcome(self, automata: &Automata, options: &RunOptions, learnt: Learnt) -> Outcome {
        let Found { verdict, property, statistics, reached } = self;
        let Learnt { bounds_hit, never_at } = learnt;
        // What else was not looked at matters only where nothing is violated.
        let (mut uncovered, mut unreached) = (Vec::new(), Vec::new());
        if verdict == Verdict::Holds {
            let covers = automata.covers.iter().filter(|(id, _)| !reached.has_cover(id.index()));
            uncovered = covers.map(|(_, cover)| cover.name.clone()).chain(never_at).collect();
            let is_unreached = |id: &PropertyId| is_unreached(automata, &reached, *id);
            unreached = names(automata, automata.properties.ids().filter(is_unreached));
        }
        let is_off = |id: &PropertyId| is_switched_off(automata, *id, options.machine.check_deadlock);
        Outcome {
            verdict,
            property,
            uncovered,
            unreached,
            unchecked: names(automata, automata.properties.ids().filter(is_off)),
            stops_at: Vec::new(),
            bounds_hit,
            statistics,
            late_reads: false,
            findings: Vec::new(),
        }
    }
}

/// Whether it is an assertion at which control never came, or a `forbid` though no run ends.
pub(crate) fn is_unreached(automata: &Automata, reached: &Reached, id: PropertyId) -> bool {
    matches!(automata.properties[id].kind, PropertyKind::Assert | PropertyKind::Forbid(_)) && !reached.has_judged(id.0)
}

fn names(automata: &Automata, ids: impl Iterator<Item = PropertyId>) -> Vec<String> {
    ids.map(|id| automata.properties[id].name.clone()).collect()
}

/// The trace to show: as short as the path found, and of those one with the fewest changes of thread, if that is found within the limits.
pub(crate) fn trace_of(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    control: &Control<'_>,
    compiled: &Compiled<'_>,
    path: &[Vec<u32>],
    property: PropertyId,
) -> Result<Trace, Limit> {
    // The other half of the time is for the path that is there already.
    let left = [options.search.limits.timeout, options.machine.budget.time_left()].into_iter().flatten().min();
    let budget = options.machine.budget.part(left.map(|left| left / 2));
    let is_given_up = || control.stop.load(Ordering::Relaxed) || budget.look().is_some();
    // Which thread stepped is only known while threads keep their names.
    let reductions = Reductions { symmetry: false, ..options.machine.reductions };
    let machine = Options { reductions, budget: budget.clone(), ..options.machine.clone() };
    let named = Compiled::new(automata, memory, &machine);
    let only = Only { system: &named, property: property.0 };
    let better = fewest_switches(&only, property.0, path.len() - 1, MAX_STATES_FOR_SWITCHES, &is_given_up);
    let better = better.map(|path| retrace(&named, &path, property));
    let is_done = |trace: &Result<_, _>| trace.is_ok() || budget.hit().is_none();
    confirmed(better.filter(is_done).unwrap_or_else(|| retrace(compiled, path, property)), options)
}
