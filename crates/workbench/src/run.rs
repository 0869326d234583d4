//! The answer up to the first violation.

use crate::answer::{Answer, Verdict};
use crate::finding::is_switched_off;
use crate::keeping::Keeping;
use crate::only::Only;
use crate::question::Question;
use crate::temporal::FirstPass;
use crate::trace::{Trace, confirmed, retrace, retrace_late};
use automata::{Automata, Moment, PropertyId, PropertyKind};
use base::table::Id;
use explore::{Unusable, fewest_switches};
use machine::{Bound, Compiled, LateReads, Options, Reductions, Tabulated};
use std::sync::atomic::Ordering;
use std::time::Instant;
use system::{Limit, Reached, Statistics};

/// Above so many states, the shortest trace is shown as the search found it, without looking for
/// one with fewer changes of thread.
const MAX_STATES_FOR_SWITCHES: usize = 400_000;

/// Above so many states, steps that write nothing are put off.
const MANY_STATES: u64 = 3_000_000;

impl Question<'_> {
    /// The answer up to the first violation.
    ///
    /// # Panics
    /// If the interpreter cannot execute the counterexample that the search found: a bug of ours, never
    /// to be shown as a verdict.
    pub fn answer(&self) -> Answer {
        self.answer_keeping(&Keeping::Memory).unwrap_or_else(|_| Answer::inconclusive(Limit::Disk))
    }

    /// As `answer`, with the states where they are to be kept.
    ///
    /// # Errors
    /// If a checkpoint that is there cannot be continued.
    ///
    /// # Panics
    /// As `answer`.
    pub fn answer_keeping(&self, keeping: &Keeping) -> Result<Answer, Unusable> {
        let begun = Instant::now();
        let options = self.options.begun();
        if let Some(limit) = options.machine.budget.look() {
            return Ok(Answer::inconclusive(limit));
        }
        let question = self.with(&options);
        if let Some(late_reads) = keeping.begun()? {
            // The search was begun because the first pass has said nothing.
            return question.with(&options.with_late_reads(late_reads)).search_and_check(keeping);
        }
        let (first, learnt) = question.first_pass();
        let found = match first {
            FirstPass::Nothing => return question.with(&options.after(begun.elapsed())).search_and_check(keeping),
            FirstPass::Known(verdict, statistics, reached) => Found { verdict, property: None, statistics, reached },
            FirstPass::Suspicion(id, mut statistics, reached) => {
                let (verdict, property) = question.check_temporal(Some(id), &mut statistics);
                Found { verdict, property, statistics, reached }
            }
        };
        Ok(found.answer(&question, learnt))
    }

    /// First the properties of states, then the temporal ones. If there are many states, the search begins again and puts off what it can.
    fn search_and_check(&self, keeping: &Keeping) -> Result<Answer, Unusable> {
        let begun = Instant::now();
        let options = self.options;
        let compiled = Compiled::new(self.automata, self.memory, &options.machine);
        let late_reads = options.machine.reductions.late_reads;
        let is_limited = options.search.limits.max_states.is_some_and(|most| most <= MANY_STATES);
        if late_reads != LateReads::WhenLarge || is_limited || !compiled.could_be_late() {
            let found = keeping.search(&compiled, late_reads, &options.search, self.control)?;
            return self.conclude(&compiled, begun, found, keeping);
        }
        let found = keeping.search(&compiled, late_reads, &options.up_to(MANY_STATES).search, self.control)?;
        if found.verdict != system::Verdict::Inconclusive(Limit::States) {
            return self.conclude(&compiled, begun, found, keeping);
        }
        let before = found.statistics;
        let options = options.with_late_reads(LateReads::Always).after(begun.elapsed());
        let mut answer = self.with(&options).search_and_check(keeping)?;
        answer.statistics.seconds += before.seconds;
        Ok(answer)
    }

    /// The result of a search of all states that has begun then.
    fn conclude(
        &self,
        compiled: &Compiled<'_>,
        begun: Instant,
        found: explore::SearchResult,
        keeping: &Keeping,
    ) -> Result<Answer, Unusable> {
        let (mut statistics, learnt) = (found.statistics, Learnt::of(compiled.tables()));
        let (verdict, property) = match found.verdict {
            // All steps were put off: whether there is any, the plain search says.
            system::Verdict::Holds if compiled.is_late() && statistics.transitions == 0 => {
                return self.search_plainly(begun, keeping);
            }
            system::Verdict::Holds => self.check_temporal(None, &mut statistics),
            system::Verdict::Inconclusive(limit) => (Verdict::Inconclusive(limit), None),
            system::Verdict::Violated { property, path } => {
                let property = PropertyId(property);
                let late = compiled.late().map(|late| retrace_late(late, &path, property));
                if matches!(late, Some(Err(_))) && self.options.cut().is_none() {
                    // What the reduction stands for cannot be executed as it was put together: only the plain search decides.
                    return self.search_plainly(begun, keeping);
                }
                let trace = match late {
                    Some(late) => confirmed(late, self.options),
                    None => self.with(&self.options.after(begun.elapsed())).trace(compiled, &path, property),
                };
                let name = trace.is_ok().then(|| self.automata.properties[property].name.clone());
                (Verdict::of(trace), name)
            }
        };
        let found = Found { verdict, property, statistics, reached: found.reached };
        Ok(Answer { late_reads: compiled.is_late(), ..found.answer(self, learnt) })
    }

    /// The search again with nothing put off, in the time that is left.
    fn search_plainly(&self, begun: Instant, keeping: &Keeping) -> Result<Answer, Unusable> {
        self.with(&self.options.putting_nothing_off().after(begun.elapsed())).search_and_check(keeping)
    }

    /// The trace to show: as short as the path found, and of those one with the fewest changes of thread, if that is found within the limits.
    pub(crate) fn trace(
        &self,
        compiled: &Compiled<'_>,
        path: &[Vec<u32>],
        property: PropertyId,
    ) -> Result<Trace, Limit> {
        // The other half of the time is for the path that is there already.
        let machine = &self.options.machine;
        let left = [self.options.search.limits.timeout, machine.budget.time_left()].into_iter().flatten().min();
        let budget = machine.budget.part(left.map(|left| left / 2));
        let is_given_up = || self.control.stop.load(Ordering::Relaxed) || budget.look().is_some();
        // Which thread stepped is only known while threads keep their names.
        let reductions = Reductions { symmetry: false, ..machine.reductions };
        let machine = Options { reductions, budget: budget.clone(), ..machine.clone() };
        let renamed = (!compiled.is_plain()).then(|| Compiled::new(self.automata, self.memory, &machine));
        // The search has expanded all that is expanded here: its tables know every step already.
        let named = renamed.as_ref().unwrap_or(compiled);
        let only = Only { system: named, property: property.0 };
        let better = fewest_switches(&only, property.0, path.len() - 1, MAX_STATES_FOR_SWITCHES, &is_given_up);
        let better = better.map(|path| retrace(named, &path, property));
        let is_done = |trace: &Result<_, _>| trace.is_ok() || budget.hit().is_none();
        confirmed(better.filter(is_done).unwrap_or_else(|| retrace(compiled, path, property)), self.options)
    }
}

/// What a search shows of the system besides.
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
    pub(crate) fn answer(self, question: &Question<'_>, learnt: Learnt) -> Answer {
        let Found { verdict, property, statistics, reached } = self;
        let Learnt { bounds_hit, never_at } = learnt;
        let automata = question.automata;
        // What else was not looked at matters only where nothing is violated.
        let (mut uncovered, mut unreached) = (Vec::new(), Vec::new());
        if verdict == Verdict::Holds {
            let covers = automata.covers.iter().filter(|(id, _)| !reached.has_cover(id.index()));
            uncovered = covers.map(|(_, cover)| cover.name.clone()).chain(never_at).collect();
            let is_unreached = |id: &PropertyId| is_unreached(automata, &reached, *id);
            unreached = names(automata, automata.properties.ids().filter(is_unreached));
        }
        let is_off = |id: &PropertyId| is_switched_off(automata, *id, question.options.machine.check_deadlock);
        Answer {
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
    let kind = &automata.properties[id].kind;
    let may_be_unreached = match kind.state_property() {
        Some(judged) => judged.moment == Moment::Quiescent,
        None => matches!(kind, PropertyKind::Assert),
    };
    may_be_unreached && !reached.has_judged(id.0)
}

fn names(automata: &Automata, ids: impl Iterator<Item = PropertyId>) -> Vec<String> {
    ids.map(|id| automata.properties[id].name.clone()).collect()
}
