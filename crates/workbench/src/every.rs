//! A search that continues after a violation: what becomes of each property.
//!
//! The search continues past every violation. A thread whose step violates a property (an assertion, a reference, a range) stops there; the
//! others continue. So an assertion behind one that always fails is not reached, and is not said to hold.

use crate::answer::{Answer, Verdict};
use crate::finding::{Fate, Finding, is_switched_off};
use crate::keeping::Keeping;
use crate::question::Question;
use crate::run::{Found, Learnt, is_unreached};
use crate::trace::{Trace, confirmed, retrace};
use automata::{Ltl, Property, PropertyId, PropertyKind};
use explore::{EveryResult, Unusable};
use machine::{Compiled, Mode};
use std::time::Instant;
use system::{Limit, Reached, Statistics};

impl Question<'_> {
    /// The answer for every property, as [`answer`](Question::answer) gives it up to the first violation. The verdict is
    /// that of the property of states that is violated first, or else of the first temporal one.
    ///
    /// # Panics
    /// If the interpreter cannot execute a counterexample that the search found: a bug of ours.
    pub fn answer_every(&self) -> Answer {
        self.answer_every_keeping(&Keeping::Memory).unwrap_or_else(|_| Answer::inconclusive(Limit::Disk))
    }

    /// As `answer_every`, with the states where they are to be kept.
    ///
    /// # Errors
    /// If a checkpoint that is there cannot be continued.
    ///
    /// # Panics
    /// As `answer_every`.
    pub fn answer_every_keeping(&self, keeping: &Keeping) -> Result<Answer, Unusable> {
        let begun = Instant::now();
        // Depths are given in steps, so none is put off.
        let options = self.options.begun().putting_nothing_off();
        let question = self.with(&options);
        match options.machine.budget.look() {
            Some(limit) => Ok(question.nothing_searched(limit)),
            None => question.search_every(begun, keeping),
        }
    }

    /// A limit was hit before anything was done.
    fn nothing_searched(&self, limit: Limit) -> Answer {
        let (violated, statistics) = (Vec::new(), Statistics::default());
        let states = EveryResult { violated, limit: Some(limit), statistics, reached: Reached::default() };
        let known = Searched { question: self, states: &states, verdicts: &[], never_at: &[] };
        Answer { findings: known.findings(), ..Answer::inconclusive(limit) }
    }

    fn search_every(&self, begun: Instant, keeping: &Keeping) -> Result<Answer, Unusable> {
        let automata = self.automata;
        let compiled = Compiled::new(automata, self.memory, &self.options.machine);
        let searched = keeping.search_every(&compiled, &self.options.search, self.control)?;
        let verdict = |(id, property): (PropertyId, &Property)| match &property.kind {
            PropertyKind::Ltl(ltl) => Some((id, self.with(&self.options.after(begun.elapsed())).of_runs(id, ltl))),
            _ => Some((id, self.of_states(&compiled, &searched, id)?)),
        };
        let verdicts: Vec<(PropertyId, Verdict)> = automata.properties.iter().filter_map(verdict).collect();
        let (never_at, learnt) = (compiled.never_at(), Learnt::of(compiled.tables()));
        let known = Searched { question: self, states: &searched, verdicts: &verdicts, never_at: &never_at };
        let findings = known.findings();
        let stops_at = known.failures().map(|id| automata.properties[id].name.clone()).collect();
        let shortest = searched.violated.iter().min_by_key(|(property, path)| (path.len(), *property));
        let first = match shortest {
            Some((property, path)) => {
                let id = PropertyId(*property);
                let trace = self.with(&self.options.after(begun.elapsed())).trace(&compiled, path, id);
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
        Ok(Answer { findings, stops_at, ..found.answer(self, learnt) })
    }

    /// The verdict of a temporal property.
    fn of_runs(&self, id: PropertyId, ltl: &Ltl) -> Verdict {
        match self.check_one_temporal(id, ltl).0 {
            // A run that stops half-way says nothing of how it would continue.
            Verdict::Violated(trace) if has_failed(&trace) => Verdict::Holds,
            verdict => verdict,
        }
    }

    /// The violation of a property of states, if there is one.
    fn of_states(&self, compiled: &Compiled<'_>, searched: &EveryResult, id: PropertyId) -> Option<Verdict> {
        let (_, path) = searched.violated.iter().find(|(violated, _)| *violated == id.0)?;
        Some(Verdict::of(confirmed(retrace(compiled, path, id), self.options)))
    }
}

/// What is known once all searches are over.
struct Searched<'a> {
    question: &'a Question<'a>,
    states: &'a EveryResult,
    /// What was found of temporal properties, and which others are violated.
    verdicts: &'a [(PropertyId, Verdict)],
    never_at: &'a [(PropertyId, String)],
}

impl Searched<'_> {
    fn findings(&self) -> Vec<Finding> {
        let Question { automata, memory, .. } = self.question;
        let is_asked = |id: &PropertyId| automata.properties[*id].kind != PropertyKind::DataRace || memory.has_races();
        automata.properties.ids().filter(is_asked).map(|id| self.finding(id)).collect()
    }

    fn finding(&self, id: PropertyId) -> Finding {
        let never_at = self.never_at.iter().filter(|(of, _)| *of == id).map(|(_, location)| location.clone());
        let never_at: Vec<String> = never_at.collect();
        let fate = self.fate(id, !never_at.is_empty());
        Finding { property: self.question.automata.properties[id].name.clone(), fate, never_at }
    }

    fn fate(&self, id: PropertyId, is_never_at: bool) -> Fate {
        if is_switched_off(self.question.automata, id, self.question.options.machine.check_deadlock) {
            return Fate::NotChecked;
        }
        let verdict = self.verdicts.iter().find(|(of, _)| *of == id).map(|(_, verdict)| verdict);
        match (verdict, self.states.limit) {
            (Some(Verdict::Violated(trace)), _) => Fate::Violated(trace.steps.len() as u64),
            (Some(Verdict::Inconclusive(limit)), _) => Fate::Inconclusive(*limit),
            (_, Some(limit)) => Fate::Inconclusive(limit),
            (Some(Verdict::Holds), None) if self.failures().next().is_some() => Fate::NotChecked,
            _ if is_unreached(self.question.automata, &self.states.reached, id) => Fate::NotReached,
            _ if is_never_at || self.states.statistics.transitions == 0 => Fate::Vacuous,
            _ => Fate::Holds,
        }
    }

    /// The properties that steps violate: then runs stop half-way, and temporal properties of whole runs cannot be judged.
    fn failures(&self) -> impl Iterator<Item = PropertyId> {
        use PropertyKind::{Assert, DataRace, InRange, ValidReference};
        let violated = self.states.violated.iter().map(|(id, _)| PropertyId(*id));
        let kind = |id: &PropertyId| &self.question.automata.properties[*id].kind;
        violated.filter(move |id| matches!(kind(id), Assert | InRange | ValidReference | DataRace))
    }
}

/// Whether a thread of the run has violated a property by a step.
fn has_failed(trace: &Trace) -> bool {
    let last = trace.states.last().into_iter().flat_map(|state| &state.locals);
    last.into_iter().any(|local| matches!(local.mode, Mode::Failed(_)))
}
