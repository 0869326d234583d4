//! One worker of the search: expands the states that it owns, level by level, and sends what they lead to to the owners.
//!
//! A level takes two times of the dataflow. At the even one its states arrive; when that is over everywhere, workers tell news: a violation, a limit, that
//! a checkpoint is due. At the odd one news arrive; when that is over, every worker knows the same, and either expands its states or does not. What
//! they lead to is sent at the odd time and arrives at the next even one. Who has neither states nor news gives up its right to send; when all
//! have, timely knows that the search is over. The first worker keeps its right as long as somebody has states, because it hears of limits.

use crate::checkpoint::Saver;
use crate::flow::{Flow, Right};
use crate::news::{Count, News, STATES};
use crate::owner::{Owners, mark};
use crate::parcel::{Incoming, Outgoing};
use crate::part::Part;
use crate::recent::Recent;
use crate::run::End;
use crate::task::{Goal, Process, Task, Violation};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use system::{Limit, PropertyIndex, Reached, Successors, Ticker, Travelling, Watch};

/// So many states are expanded before timely works.
const SOME: usize = 256;
/// Expanded states between two looks at the limits.
const LOOK: usize = 16;
/// So many words make a parcel.
const PARCEL: usize = 1 << 13;
/// So many initial states are made before the limit of states ends that.
const MOST_INITIAL: usize = 1 << 17;
/// How long a worker waits for news before it looks at the limits.
const WAIT: Duration = Duration::from_millis(5);
/// So long a worker that stops waits until all others have stopped: one may have been suspended, or its machine may be cut off.
const SILENCE: Duration = Duration::from_secs(5);

/// Where a worker is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The worker, among those of all processes.
    pub(crate) index: usize,
    /// How many there are, and how many of each process.
    pub(crate) n_workers: usize,
    pub(crate) per_process: usize,
}

impl Place {
    /// Whether another worker is in the same process.
    pub(crate) fn shares_numbers(&self, other: usize) -> bool {
        other / self.per_process == self.index / self.per_process
    }

    /// Whether this is the first worker of its process.
    pub(crate) fn is_first_here(&self) -> bool {
        self.index.is_multiple_of(self.per_process)
    }
}

/// One worker.
pub(crate) struct Member<'a, S: Travelling + ?Sized> {
    pub(crate) task: &'a Task<'a, S>,
    pub(crate) place: Place,
    pub(crate) process: &'a Process,
    pub(crate) watch: Watch<'a>,
    pub(crate) scratch: S::Scratch,
    successors: Successors,
    pub(crate) owners: Owners,
    pub(crate) part: Part,
    outgoing: Vec<Outgoing>,
    incoming: Vec<Incoming>,
    recent: Vec<Recent>,
    /// The right to send, if the worker has it.
    pub(crate) right: Option<Right>,
    /// The time that is not over yet, as far as this worker has come.
    time: u64,
    /// The level whose states are expanded, or were last.
    pub(crate) level: usize,
    /// The states of the level that are not expanded yet.
    pub(crate) rest: std::ops::Range<usize>,
    /// New states of the level that is found.
    pub(crate) n_found: u64,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) reached: Reached,
    violated: Vec<PropertyIndex>,
    /// For each property found violated, the first state that showed it.
    pub(crate) violations: Vec<Violation>,
    n_told: usize,
    /// Whether a violation ends the search.
    is_shown: bool,
    pub(crate) limit: Option<Limit>,
    must_save: bool,
    saver: Option<Saver>,
    /// What others have counted, for the first worker.
    pub(crate) counts: Vec<Count>,
    n_in_level: u64,
    n_saved: usize,
    pub(crate) counted: (Instant, u64),
    pub(crate) seconds_before: f64,
}

impl<'a, S: Travelling + ?Sized> Member<'a, S> {
    pub(crate) fn new(task: &'a Task<'a, S>, place: Place, process: &'a Process) -> Self {
        let (system, workers) = (task.system, 0..place.n_workers);
        Member {
            watch: Watch::new(&task.options.limits, task.control, system.budget()),
            scratch: system.scratch(),
            successors: Successors::new(system.state_len()),
            owners: Owners::new(system, place.n_workers),
            part: Part::new(system.state_len()),
            outgoing: workers.clone().map(|other| Outgoing::new(system, place.shares_numbers(other))).collect(),
            incoming: workers.clone().map(|other| Incoming::new(system, place.shares_numbers(other))).collect(),
            recent: workers.map(|_| Recent::default()).collect(),
            right: None,
            time: 0,
            level: 0,
            rest: 0..0,
            n_found: 0,
            states: 0,
            transitions: 0,
            reached: Reached::default(),
            violated: Vec::new(),
            violations: Vec::new(),
            n_told: 0,
            is_shown: false,
            limit: None,
            must_save: false,
            saver: None,
            counts: vec![Count::default(); place.n_workers],
            n_in_level: 0,
            n_saved: 0,
            counted: (Instant::now(), 0),
            seconds_before: 0.0,
            task,
            place,
            process,
        }
    }

    /// Takes part in the search, up to its end.
    pub(crate) fn search(&mut self, flow: &mut Flow<'_>) -> Result<(), End> {
        self.right = Some(flow.first_right());
        self.begin(flow)?;
        let mut ticker = Ticker::new();
        let mut later: Vec<(Right, Vec<u32>)> = Vec::new();
        let mut stopped = None;
        while flow.step(if self.rest.is_empty() { WAIT } else { Duration::ZERO }) {
            if self.process.is_broken.load(Relaxed) {
                return Err(End::Broken);
            }
            later.append(&mut flow.arrived());
            self.take(flow, &mut later);
            self.expand_some(flow);
            while self.rest.is_empty() && flow.is_over(self.time) && !flow.is_over(u64::MAX) {
                self.advance(flow);
                self.take(flow, &mut later);
            }
            self.look(flow);
            if let Some(limit) = self.limit
                && stopped.get_or_insert_with(Instant::now).elapsed() > SILENCE
            {
                return Err(End::Silent(limit));
            }
            if self.is_leader() && ticker.is_due() {
                (self.task.control.progress)(&self.statistics());
            }
        }
        Ok(())
    }

    pub(crate) fn is_leader(&self) -> bool {
        self.place.index == 0
    }

    /// Whether nothing is expanded any more.
    pub(crate) fn is_done(&self) -> bool {
        self.is_shown || self.limit.is_some()
    }

    /// Puts the initial states that this worker owns, or continues a checkpoint.
    fn begin(&mut self, flow: &mut Flow<'_>) -> Result<(), End> {
        if let Some(saved) = &self.task.saved {
            let mut saver = Saver::new(saved, self.place, self.task.system);
            let is_continued = saver.restore(self).map_err(End::Unusable)?;
            self.saver = Some(saver);
            if is_continued {
                self.n_found = self.part.level(self.level).len() as u64;
                return Ok(());
            }
        }
        let most = self.task.options.limits.max_states;
        self.successors.most = most.map_or(usize::MAX, |most| MOST_INITIAL.max(most as usize));
        self.task.system.initial(&mut self.successors);
        if self.successors.is_full() {
            self.stop(flow, Limit::States);
        }
        self.successors.most = usize::MAX;
        if self.is_cut(flow) {
            return Ok(());
        }
        let successors = std::mem::replace(&mut self.successors, Successors::new(0));
        for (state, _) in successors.iter() {
            let hash = self.owners.hash(self.task.system, state);
            if self.owners.owner(hash) == self.place.index && self.part.gather(state, 0) {
                self.put(flow, 0);
            }
        }
        self.successors = successors;
        self.put(flow, 0);
        Ok(())
    }

    /// Takes the parcels whose time has come; the others wait.
    fn take(&mut self, flow: &mut Flow<'_>, later: &mut Vec<(Right, Vec<u32>)>) {
        let mut taken = std::mem::take(later);
        for (right, words) in taken.drain(..) {
            match News::read(&words) {
                Some(News::Stop(limit)) => self.limit = self.limit.or(Some(limit)),
                // A worker that is done needs no more.
                _ if self.is_done() => {}
                _ if *right.time() > self.time => later.push((right, words)),
                Some(news) => self.hear(flow, &right, news),
                None => self.receive(flow, right, &words),
            }
        }
        if self.is_done() {
            self.rest = 0..0;
            self.right = None;
        }
    }

    fn receive(&mut self, flow: &mut Flow<'_>, right: Right, words: &[u32]) {
        self.right.get_or_insert(right);
        let from = words[0] as usize - STATES as usize;
        let Some(mut incoming) = self.incoming.get_mut(from).map(std::mem::take) else { return };
        let mut is_full = false;
        let read = incoming.read(self.task.system, &words[1..], |state, mark| is_full |= self.part.gather(state, mark));
        self.incoming[from] = incoming;
        assert!(read.is_some(), "worker {from} has sent states of another system");
        if is_full {
            let level = self.level_found();
            self.put(flow, level);
        }
    }

    /// The level of the states that arrive or are found now.
    fn level_found(&self) -> usize {
        self.part.levels.len() - 1
    }

    fn hear(&mut self, flow: &mut Flow<'_>, right: &Right, news: News) {
        match news {
            News::Count(count) => {
                self.n_in_level += count.level;
                self.counts[count.worker as usize] = count;
                let states: u64 = self.counts.iter().map(|count| count.states).sum();
                if !self.watch.has_room(states) {
                    self.right.get_or_insert_with(|| right.clone());
                    self.stop(flow, Limit::States);
                }
            }
            News::Violated => self.is_shown = self.task.goal == Goal::FirstViolation,
            News::Save => {
                self.must_save = true;
                self.right.get_or_insert_with(|| right.clone());
            }
            News::Saved(is_written) => {
                self.n_saved += 1;
                let is_whole = self.n_saved == self.place.n_workers;
                let is_kept = is_written && (!is_whole || self.saver.as_mut().is_some_and(Saver::commit));
                if !is_kept {
                    self.right.get_or_insert_with(|| right.clone());
                    self.stop(flow, Limit::Disk);
                }
            }
            News::Stop(_) => {}
        }
    }

    /// Goes on to the next time: all that arrives at this one is here.
    fn advance(&mut self, flow: &mut Flow<'_>) {
        let level = self.level_found();
        self.put(flow, level);
        match self.time % 2 {
            0 => self.tell(flow),
            _ => self.begin_level(flow),
        }
        self.time += 1;
    }

    /// All states of a level are there: says what others must know before it is expanded.
    fn tell(&mut self, flow: &mut Flow<'_>) {
        let Some(mut right) = self.right.take().filter(|_| !self.is_done()) else { return };
        let has_news = self.violations.len() > self.n_told;
        self.n_told = self.violations.len();
        if self.n_found > 0 || self.is_leader() || has_news {
            // A checkpoint may be continued by a time that is behind.
            right.downgrade(&self.time);
            flow.send(&right, 0, News::Count(self.count(self.n_found)).write());
            if has_news && self.task.goal == Goal::FirstViolation {
                self.broadcast(flow, &right, News::Violated);
            }
            if self.is_leader() && self.saver.as_ref().is_some_and(Saver::is_due) {
                self.n_saved = 0;
                self.broadcast(flow, &right, News::Save);
            }
            right.downgrade(&(self.time + 1));
            self.right = Some(right);
        }
    }

    /// All news are there: writes a checkpoint if it is due, and begins to expand the level.
    fn begin_level(&mut self, flow: &mut Flow<'_>) {
        let in_level = std::mem::take(&mut self.n_in_level);
        if self.is_done() {
            return;
        }
        let level = self.level_found();
        if std::mem::take(&mut self.must_save) {
            self.save(flow);
        }
        self.rest = self.part.level(level);
        self.part.begin_level();
        if !self.rest.is_empty() {
            self.level = level;
        }
        let has_states = std::mem::take(&mut self.n_found) > 0;
        // Whoever has nothing to expand gives its right up, unless it must hear of limits.
        let mut right = self.right.take().filter(|_| has_states || self.is_leader() && in_level > 0);
        right.iter_mut().for_each(|right| right.downgrade(&(self.time + u64::from(!has_states))));
        self.right = right;
    }

    /// Writes a checkpoint, and says so.
    fn save(&mut self, flow: &Flow<'_>) {
        let mut saver = self.saver.take();
        let is_written = saver.as_mut().is_some_and(|saver| saver.save(self).is_ok());
        self.saver = saver;
        let right = self.right.as_ref().expect("who hears news has the right to answer");
        flow.send(right, 0, News::Saved(is_written).write());
    }

    /// Expands some states of the level.
    fn expand_some(&mut self, flow: &mut Flow<'_>) {
        if self.rest.is_empty() || self.is_done() {
            return;
        }
        let system = self.task.system;
        let mut state = vec![0; system.state_len()];
        let positions: Vec<usize> = self.part.table.positions(self.rest.clone()).take(SOME).collect();
        self.rest.start = positions.last().map_or(self.rest.end, |last| last + 1);
        for (n, position) in positions.into_iter().enumerate() {
            if n % LOOK == LOOK - 1 && self.look(flow) {
                return;
            }
            self.part.table.read(position, &mut state);
            self.successors.clear();
            system.new_successors(&state, &mut self.scratch, &mut self.successors);
            if self.is_cut(flow) {
                return;
            }
            if self.successors.is_empty() {
                self.ended(flow, &state);
            }
            if let Some(property) = self.successors.violated {
                note(&mut self.violations, property, &state, self.level);
            }
            self.transitions += self.successors.n_steps();
            self.route(flow, &state);
        }
        self.put(flow, self.level + 1);
        if self.rest.is_empty() {
            self.end_level(flow);
        }
    }

    /// Sends the successors of a state to their owners, or keeps them.
    fn route(&mut self, flow: &mut Flow<'_>, state: &[u32]) {
        let system = self.task.system;
        let mark = mark(self.owners.hash(system, state));
        let mut is_full = false;
        let successors = std::mem::replace(&mut self.successors, Successors::new(0));
        for (to, _) in successors.iter() {
            let hash = self.owners.hash(system, to);
            let owner = self.owners.owner(hash);
            if owner == self.place.index {
                is_full |= self.part.gather(to, mark);
            } else if !self.recent[owner].has(to, hash) {
                self.outgoing[owner].push(system, to, mark);
                if self.outgoing[owner].len() >= PARCEL {
                    self.ship(flow, owner);
                }
            }
        }
        self.successors = successors;
        if is_full {
            self.put(flow, self.level + 1);
        }
    }

    /// Sends what there is for a worker.
    fn ship(&mut self, flow: &Flow<'_>, to: usize) {
        // A limit may have been hit meanwhile.
        let Some(right) = &self.right else { return };
        let parcel = self.outgoing[to].take(STATES + self.place.index as u32);
        parcel.into_iter().for_each(|parcel| flow.send(right, to, parcel));
    }

    /// All states of the level are expanded.
    fn end_level(&mut self, flow: &mut Flow<'_>) {
        (0..self.place.n_workers).for_each(|to| self.ship(flow, to));
        if let Some(right) = &mut self.right {
            right.downgrade(&self.time);
        }
    }

    /// A state without steps: final, or stuck.
    fn ended(&mut self, flow: &mut Flow<'_>, state: &[u32]) {
        (self.task.control.ended)(state);
        if !self.successors.discarded
            && let Some(property) = self.task.system.stuck(state, &mut self.scratch)
            && !self.is_cut(flow)
        {
            note(&mut self.violations, property, state, self.level);
        }
    }

    /// Puts what is gathered, which is of this level, into the table, and looks at what is new.
    fn put(&mut self, flow: &mut Flow<'_>, level: usize) {
        let Member { task, part, scratch, reached, violated, violations, .. } = self;
        let (mut is_cut, mut n_new) = (false, 0);
        let put = part.put(task.system.budget(), |state| {
            n_new += 1;
            let n_known = violated.len();
            match task.goal {
                _ if is_cut => {}
                Goal::FirstViolation => violated.extend(task.system.inspect(state, scratch, reached)),
                Goal::EveryProperty => task.system.inspect_all(state, scratch, reached, violated),
            }
            let new = &violated[n_known..];
            is_cut |= !new.is_empty() && task.system.cut().is_some();
            for property in new.iter().filter(|_| !is_cut) {
                note(violations, *property, state, level);
            }
        });
        self.states += n_new;
        self.n_found += n_new;
        if is_cut {
            self.is_cut(flow);
        }
        if let Err(limit) = put {
            self.stop(flow, limit);
        }
    }
}

/// Notes a violation, unless one of the same property was noted before.
fn note(violations: &mut Vec<Violation>, property: PropertyIndex, state: &[u32], level: usize) {
    if violations.iter().all(|other| other.property != property) {
        violations.push(Violation { property, state: state.to_vec(), level });
    }
}
