//! After the search: what each worker knows comes to the first one, which then asks for the way to a violation, level by level.
//!
//! Parents are not stored, only eight bits of their hashes. So all workers look among their states of the level before for one that has these bits and
//! leads to the state that is asked for.

use crate::flow::{Flow, Right};
use crate::member::Member;
use crate::news::STATES;
use crate::owner::mark;
use crate::parcel::{Incoming, Outgoing, pack, unpack};
use crate::run::End;
use crate::task::{Goal, Outcome};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use system::{Limit, PropertyIndex, Reached, Statistics, Successors, Travelling};

/// How long a worker waits before it looks whether the others are still there.
const WAIT: Duration = Duration::from_millis(5);
/// How long the way to a violation is looked for after a limit is hit.
const GRACE: Duration = Duration::from_millis(300);

/// Heads of parcels.
const RESULT: u32 = 1;
/// The state that violates a property is asked for.
const ASK_VIOLATION: u32 = 2;
/// A parent is asked for: its level and mark follow, and a parcel with the child.
const ASK_PARENT: u32 = 3;
/// An answer: the worker follows, and a parcel with the state, or a word.
const ANSWER: u32 = 4;
/// There is none here.
const NONE: u32 = 5;
/// It was not looked for to the end.
const GIVEN_UP: u32 = 6;

/// A violation that a worker knows of.
struct Known {
    property: PropertyIndex,
    level: usize,
    worker: usize,
}

/// All results together, as the first worker has them.
#[derive(Default)]
struct Results {
    n_results: usize,
    statistics: Statistics,
    reached: Reached,
    violations: Vec<Known>,
    limit: Option<Limit>,
}

/// An answer to a question for a state.
enum Answer {
    State(Vec<u32>, u8),
    None,
    GivenUp,
}

/// The second dataflow, as one worker has it.
pub(crate) struct After<'m, 'a, 'f, S: Travelling + ?Sized> {
    member: &'m mut Member<'a, S>,
    flow: Flow<'f>,
    outgoing: Vec<Outgoing>,
    incoming: Vec<Incoming>,
    successors: Successors,
}

impl<'m, 'a, 'f, S: Travelling + ?Sized> After<'m, 'a, 'f, S> {
    pub(crate) fn new(member: &'m mut Member<'a, S>, flow: Flow<'f>) -> Self {
        let (system, place, workers) = (member.task.system, member.place, 0..member.place.n_workers);
        After {
            outgoing: workers.clone().map(|other| Outgoing::new(system, place.shares_numbers(other))).collect(),
            incoming: workers.map(|other| Incoming::new(system, place.shares_numbers(other))).collect(),
            successors: Successors::new(system.state_len()),
            member,
            flow,
        }
    }

    /// Sends what this worker knows. The first one gets the outcome, the others answer its questions.
    pub(crate) fn outcome(mut self) -> Result<Option<Outcome>, End> {
        let right = self.flow.first_right();
        let result = self.result();
        self.flow.send(&right, 0, result);
        if !self.member.is_leader() {
            drop(right);
            while self.step()? {
                for (right, words) in self.flow.arrived() {
                    self.answer(&words).into_iter().for_each(|answer| self.flow.send(&right, 0, answer));
                }
            }
            return Ok(None);
        }
        let outcome = self.lead(&right);
        drop(right);
        while self.step()? {}
        outcome.map(Some)
    }

    fn step(&mut self) -> Result<bool, End> {
        match self.member.process.is_broken.load(Relaxed) {
            true => Err(End::Broken),
            false => Ok(self.flow.step(WAIT)),
        }
    }

    /// What this worker knows, as a parcel.
    fn result(&mut self) -> Vec<u32> {
        let member = &*self.member;
        let (system, place) = (member.task.system, member.place);
        member.process.hold(place.index % place.per_process, member.part.bytes(), system.own_bytes());
        let mut bytes = Vec::new();
        let limit = member.limit.map_or(0, |limit| 1 + crate::news::number(limit));
        let peak = if place.is_first_here() { member.process.peak() } else { 0 };
        let limit = u64::from(limit);
        let numbers = [place.index as u64, member.states, member.transitions, member.level as u64, peak, limit];
        numbers.into_iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        bytes.extend_from_slice(&(member.violations.len() as u64).to_le_bytes());
        for violation in &member.violations {
            bytes.extend_from_slice(&u64::from(violation.property).to_le_bytes());
            bytes.extend_from_slice(&(violation.level as u64).to_le_bytes());
        }
        member.reached.write(&mut bytes);
        bytes.push(u8::from(place.is_first_here()));
        if place.is_first_here() {
            system.reached().write(&mut bytes);
            system.write_shown(&mut bytes);
        }
        let mut words = vec![RESULT, bytes.len() as u32];
        pack(&bytes, &mut words);
        words
    }

    fn lead(&mut self, right: &Right) -> Result<Outcome, End> {
        let mut results = Results::default();
        while results.n_results < self.member.place.n_workers {
            for words in self.receive()? {
                let [RESULT, n_bytes, rest @ ..] = &words[..] else { continue };
                let bytes = unpack(rest, *n_bytes as usize);
                self.add(&mut results, &mut &bytes[..]).expect("a worker sends a result of this system");
            }
        }
        results.statistics.seconds = self.member.seconds_before + self.member.watch.seconds();
        let Results { mut statistics, mut reached, violations, mut limit, .. } = results;
        reached.add_all(&self.member.task.system.reached());
        if limit.is_none() && !self.member.watch.has_room(statistics.states) {
            limit = Some(Limit::States);
        }
        let mut violated = Vec::new();
        for known in &violations {
            match self.path(right, known, limit)? {
                Some(path) => violated.push((known.property, path)),
                None => limit = limit.or(Some(Limit::Time)),
            }
        }
        if let Some((_, path)) = violated.first().filter(|_| self.member.task.goal == Goal::FirstViolation) {
            statistics.depth = path.len() as u64 - 1;
        }
        Ok(Outcome { violated, limit, statistics, reached })
    }

    /// Results and answers that have arrived, those of the first worker itself included.
    fn receive(&mut self) -> Result<Vec<Vec<u32>>, End> {
        if !self.step()? {
            panic!("the dataflow ended before its questions were answered");
        }
        let arrived = self.flow.arrived();
        Ok(arrived.into_iter().map(|(_, words)| self.answer(&words).unwrap_or(words)).collect())
    }

    /// Adds the result of a worker; of violations, those that are shown stay.
    fn add(&mut self, results: &mut Results, bytes: &mut &[u8]) -> Option<()> {
        let mut number = || bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes);
        let (worker, states, transitions, level, peak) =
            (number()? as usize, number()?, number()?, number()?, number()?);
        let limit = number()?.checked_sub(1).and_then(|n| crate::news::limit(n as u32));
        for _ in 0..number()? {
            let known = Known { property: number()? as PropertyIndex, level: number()? as usize, worker };
            results.violations.push(known);
        }
        results.reached.add_all(&Reached::read(bytes)?);
        if bytes.split_off_first()? == &1 {
            results.reached.add_all(&Reached::read(bytes)?);
            self.member.task.system.read_shown(bytes)?;
        }
        results.n_results += 1;
        results.statistics.states += states;
        results.statistics.transitions += transitions;
        results.statistics.depth = results.statistics.depth.max(level);
        results.statistics.peak_bytes += peak;
        results.limit = results.limit.or(limit);
        results.violations.sort_by_key(|known| (known.level, known.property, known.worker));
        match self.member.task.goal {
            Goal::FirstViolation => results.violations.truncate(1),
            Goal::EveryProperty => {
                let mut seen = Vec::new();
                results.violations.retain(|known| {
                    let is_first = !seen.contains(&known.property);
                    seen.push(known.property);
                    is_first
                });
            }
        }
        bytes.is_empty().then_some(())
    }

    /// A path to a violation; none if a limit ends the search for it.
    fn path(&mut self, right: &Right, known: &Known, limit: Option<Limit>) -> Result<Option<Vec<Vec<u32>>>, End> {
        self.flow.send(right, known.worker, vec![ASK_VIOLATION, known.property]);
        let answers = self.answers(1)?;
        let Some(Answer::State(state, mut mark)) = answers.into_iter().next() else {
            panic!("who knows of a violation has its state");
        };
        let mut path = vec![state];
        let is_late = u32::from(limit.is_some());
        for level in (0..known.level).rev() {
            let state = path[path.len() - 1].clone();
            for to in 0..self.member.place.n_workers {
                let mut words = vec![ASK_PARENT, level as u32, u32::from(mark), is_late];
                words.extend(self.parcel(to, &state, mark));
                self.flow.send(right, to, words);
            }
            let answers = self.answers(self.member.place.n_workers)?;
            let is_given_up = answers.iter().any(|answer| matches!(answer, Answer::GivenUp));
            let found = answers.into_iter().find_map(|answer| match answer {
                Answer::State(state, mark) => Some((state, mark)),
                _ => None,
            });
            match found {
                Some((parent, marked)) => {
                    mark = marked;
                    path.push(parent);
                }
                None if is_given_up => return Ok(None),
                None => panic!("every state has a parent one level above"),
            }
        }
        path.reverse();
        Ok(Some(path))
    }

    /// So many answers, in the order of workers.
    fn answers(&mut self, n_answers: usize) -> Result<Vec<Answer>, End> {
        let mut answers = Vec::new();
        while answers.len() < n_answers {
            for words in self.receive()? {
                let [ANSWER, worker, rest @ ..] = &words[..] else { panic!("it is an answer") };
                let worker = *worker as usize;
                let answer = match rest {
                    [NONE] => Answer::None,
                    [GIVEN_UP] => Answer::GivenUp,
                    parcel => self.state(worker, parcel),
                };
                answers.push((worker, answer));
            }
        }
        answers.sort_by_key(|(worker, _)| *worker);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    /// A state as a parcel for a worker.
    fn parcel(&mut self, to: usize, state: &[u32], mark: u8) -> Vec<u32> {
        self.outgoing[to].push(self.member.task.system, state, mark);
        self.outgoing[to].take(STATES).expect("there is a state in it")
    }

    /// The state in a parcel from a worker.
    fn state(&mut self, from: usize, parcel: &[u32]) -> Answer {
        let mut found = None;
        let incoming = &mut self.incoming[from];
        let rest = parcel.get(1..).unwrap_or_default();
        let read = incoming.read(self.member.task.system, rest, |state, mark| found = Some((state.to_vec(), mark)));
        let (state, mark) = read.and(found).expect("a worker sends states of this system");
        Answer::State(state, mark)
    }

    /// The answer to a question; none if it is no question.
    fn answer(&mut self, words: &[u32]) -> Option<Vec<u32>> {
        let found = match words {
            [ASK_VIOLATION, property] => {
                let violation = self.member.violations.iter().find(|violation| violation.property == *property);
                violation.map(|violation| violation.state.clone()).ok_or(NONE)
            }
            [ASK_PARENT, level, mark, is_late, parcel @ ..] => {
                let Answer::State(child, _) = self.state(0, parcel) else { return None };
                self.parent(&child, *level as usize, *mark as u8, *is_late == 1)
            }
            _ => return None,
        };
        let mut answer = vec![ANSWER, self.member.place.index as u32];
        match found {
            Ok(state) => {
                let mark = self.member.part.mark(&state).unwrap_or(0);
                answer.extend(self.parcel(0, &state, mark));
            }
            Err(word) => answer.push(word),
        }
        Some(answer)
    }

    /// A state of a level that has this mark and leads to `child`; else the word to answer.
    fn parent(&mut self, child: &[u32], level: usize, wanted: u8, is_late: bool) -> Result<Vec<u32>, u32> {
        let member = &mut *self.member;
        let (system, begun) = (member.task.system, Instant::now());
        let mut state = vec![0; system.state_len()];
        for position in member.part.table.positions(member.part.level(level)) {
            member.part.table.read(position, &mut state);
            if mark(member.owners.hash(system, &state)) != wanted {
                continue;
            }
            self.successors.clear();
            system.successors(&state, &mut member.scratch, &mut self.successors);
            if self.successors.iter().any(|(to, _)| to == child) {
                return Ok(state);
            }
            let hits = || member.watch.limit(0, 0).is_some_and(|l| matches!(l, Limit::Time | Limit::Interrupted));
            if begun.elapsed() > GRACE && (is_late || hits()) {
                return Err(GIVEN_UP);
            }
        }
        if system.cut().is_some() { Err(GIVEN_UP) } else { Err(NONE) }
    }
}
