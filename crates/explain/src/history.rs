//! A trace as operations: when each was issued and performed, what overtook it, where its operands came from and which
//! loads decided that it was issued at all.

use crate::control::Deciders;
use automata::{Access, Action, Automata, CellId, PointId, RegId, Region, ThreadId, Value};
use base::table::Id;
use machine::{Event, Source};
use std::collections::{BTreeMap, BTreeSet};
use workbench::Trace;

/// Operations by their positions in `History::operations`.
pub(crate) type Operations = BTreeSet<usize>;

/// One memory operation, or one atomic region, which is performed whole.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) thread: ThreadId,
    pub(crate) point: PointId,
    /// The step in which it was issued.
    pub(crate) issued: usize,
    pub(crate) performed: Option<Performed>,
    /// Operations whose results it uses, for its cell or its value.
    pub(crate) inputs: Operations,
    /// What decided that it was issued.
    pub(crate) decisions: Vec<usize>,
    pub(crate) overtaken_by: Vec<usize>,
    pub(crate) reads_from: Option<usize>,
    /// The operation whose value it wrote over.
    pub(crate) overwrote: Option<usize>,
    /// Where memory is histories, the newer writes to its cell that it has passed over, oldest first.
    pub(crate) passed_over: Vec<usize>,
}

impl Operation {
    /// The step in which it was performed.
    pub(crate) fn step(&self) -> Option<usize> {
        self.performed.as_ref().map(|performed| performed.step)
    }

    /// The cell of which it was performed.
    pub(crate) fn cell(&self) -> Option<CellId> {
        self.performed.as_ref().and_then(|performed| performed.cell)
    }

    /// What it wrote.
    pub(crate) fn wrote(&self) -> Option<Value> {
        self.performed.as_ref().and_then(|performed| performed.wrote)
    }

    /// What it read.
    pub(crate) fn read(&self) -> Option<Value> {
        self.performed.as_ref().and_then(|performed| performed.read)
    }
}

/// What an operation did when it was performed.
#[derive(Clone, Debug)]
pub(crate) struct Performed {
    pub(crate) step: usize,
    /// Its position among all that was performed.
    pub(crate) turn: usize,
    /// None for an atomic region as a whole.
    pub(crate) cell: Option<CellId>,
    pub(crate) read: Option<Value>,
    pub(crate) wrote: Option<Value>,
}

/// Where a property was seen to be violated within a thread.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) step: usize,
    pub(crate) thread: ThreadId,
    pub(crate) point: PointId,
    /// Operations whose results the condition, or the address, is made of.
    pub(crate) inputs: Operations,
    pub(crate) decisions: Vec<usize>,
}

/// A branch or an assumption that was met. A loop has one for each round, so that each holds what is new in its round.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) thread: ThreadId,
    pub(crate) point: PointId,
    pub(crate) step: usize,
    /// Operations whose results its condition is made of.
    pub(crate) inputs: Operations,
    /// What decided that it was met.
    pub(crate) decisions: Vec<usize>,
}

/// A trace as operations.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) operations: Vec<Operation>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) failure: Option<Failure>,
    /// For each thread and register, the operations that its last value is made of.
    pub(crate) registers: Vec<Vec<Operations>>,
    /// For each cell, the operation that wrote it last.
    pub(crate) last_write: BTreeMap<CellId, usize>,
    /// For each cell, the operations that wrote it, in modification order.
    writes: BTreeMap<CellId, Vec<usize>>,
    /// Two accesses that race, the earlier first.
    pub(crate) race: Option<(usize, usize)>,
}

impl History {
    /// The history of `trace`.
    pub(crate) fn new(automata: &Automata, trace: &Trace) -> Self {
        let mut scribe = Scribe::new(automata);
        let begun = trace.begun.iter().map(|step| (0, step));
        let taken = trace.taken.iter().enumerate().map(|(n, step)| (n + 1, step));
        for (n, step) in begun.chain(taken) {
            step.events.iter().for_each(|event| scribe.event(n, step.thread, event));
        }
        scribe.history.registers = scribe.lanes.into_iter().map(|lane| lane.registers).collect();
        scribe.history
    }

    /// The operations that passed over newer writes.
    pub(crate) fn stale(&self) -> impl Iterator<Item = usize> {
        (0..self.operations.len()).filter(|id| !self.operations[*id].passed_over.is_empty())
    }

    /// The operations that something overtook.
    pub(crate) fn delayed(&self) -> impl Iterator<Item = usize> {
        (0..self.operations.len()).filter(|id| !self.operations[*id].overtaken_by.is_empty())
    }
}

/// What is known of a thread as its events are read.
struct Lane<'a> {
    deciders: Deciders<'a>,
    registers: Vec<Operations>,
    /// Issued and not yet performed, oldest first.
    pending: Vec<usize>,
    /// For each branch or assumption, the decision when it was last met.
    decided: BTreeMap<PointId, usize>,
    /// For each queued assertion, what it is made of.
    asserted: BTreeMap<PointId, Operations>,
    /// The atomic region that the thread is in.
    region: Option<usize>,
    /// What its transaction has written and not published, by cell.
    written: BTreeMap<CellId, usize>,
}

struct Scribe<'a> {
    automata: &'a Automata,
    history: History,
    lanes: Vec<Lane<'a>>,
    n_performed: usize,
    /// The operation that was performed last, and its cell.
    last: Option<(usize, CellId)>,
}

impl<'a> Scribe<'a> {
    fn new(automata: &'a Automata) -> Self {
        let lane = |thread: &'a automata::Thread| Lane {
            deciders: Deciders::new(&thread.automaton),
            registers: vec![Operations::new(); thread.automaton.registers.len()],
            pending: Vec::new(),
            decided: BTreeMap::new(),
            asserted: BTreeMap::new(),
            region: None,
            written: BTreeMap::new(),
        };
        let history = History {
            operations: Vec::new(),
            decisions: Vec::new(),
            failure: None,
            registers: Vec::new(),
            last_write: BTreeMap::new(),
            writes: BTreeMap::new(),
            race: None,
        };
        Scribe { automata, history, lanes: automata.threads.values().map(lane).collect(), n_performed: 0, last: None }
    }

    fn event(&mut self, step: usize, thread: ThreadId, event: &Event) {
        match event {
            Event::Issue(point) => self.issue(step, thread, *point),
            Event::Compute(point) => self.compute(thread, *point),
            Event::Pass(point) | Event::Guess(point, _) => self.pass(step, thread, *point),
            Event::Proceed(_) | Event::Spin(_) | Event::Elide(_) => {}
            Event::Behind { newer, .. } => self.pass_over(newer.len()),
            Event::Race { cell, with, writes, is_plain, .. } => self.race((*with, *cell), (*writes, *is_plain)),
            Event::Track { point, cell, read, wrote } => self.track(step, thread, *point, (*cell, *read, *wrote)),
            Event::Publish { cell, value, .. } => self.publish(step, thread, *cell, *value),
            Event::Abort { .. } | Event::GiveBack(_) => self.lanes[thread.index()].written.clear(),
            Event::Fail(point, _) => self.fail(step, thread, *point),
            Event::Perform { point, cell, read, wrote, source, passed, is_half } => {
                let performed =
                    Performed { step, turn: self.n_performed, cell: Some(*cell), read: *read, wrote: *wrote };
                self.n_performed += 1;
                self.perform(thread, *point, performed, *source, (*passed, *is_half));
            }
        }
    }

    fn action(&self, thread: ThreadId, point: PointId) -> &'a Action {
        &self.automata.threads[thread].automaton.points[point].action
    }

    /// What the registers that the action at `point` reads are made of.
    fn sources(&self, thread: ThreadId, point: PointId) -> Operations {
        let registers = &self.lanes[thread.index()].registers;
        let mut sources = Operations::new();
        self.action(thread, point).uses(&mut |r: RegId| sources.extend(&registers[r.index()]));
        sources
    }

    /// What decided that `point` was reached.
    fn decided(&self, thread: ThreadId, point: PointId) -> Vec<usize> {
        let lane = &self.lanes[thread.index()];
        lane.deciders.of(point).iter().filter_map(|branch| lane.decided.get(branch).copied()).collect()
    }

    fn define(&mut self, thread: ThreadId, point: PointId, sources: Operations) {
        if let Some(dst) = self.action(thread, point).defines() {
            self.lanes[thread.index()].registers[dst.index()] = sources;
        }
    }

    fn compute(&mut self, thread: ThreadId, point: PointId) {
        let mut sources = self.sources(thread, point);
        // A constant says by which way it was assigned.
        if sources.is_empty() {
            let decisions = self.decided(thread, point);
            sources.extend(decisions.iter().flat_map(|id| &self.history.decisions[*id].inputs));
        }
        self.define(thread, point, sources);
    }

    fn issue(&mut self, step: usize, thread: ThreadId, point: PointId) {
        match self.action(thread, point) {
            Action::Access(_) => {
                let id = self.begin(step, thread, point);
                self.lanes[thread.index()].pending.push(id);
            }
            Action::Compute { .. } => self.compute(thread, point),
            Action::Assert { .. } => {
                let sources = self.sources(thread, point);
                self.lanes[thread.index()].asserted.insert(point, sources);
            }
            _ => {}
        }
    }

    /// A new operation; its result goes to its register.
    fn begin(&mut self, step: usize, thread: ThreadId, point: PointId) -> usize {
        let id = self.history.operations.len();
        let (inputs, decisions) = (self.sources(thread, point), self.decided(thread, point));
        self.history.operations.push(Operation {
            thread,
            point,
            issued: step,
            performed: None,
            inputs,
            decisions,
            overtaken_by: Vec::new(),
            reads_from: None,
            overwrote: None,
            passed_over: Vec::new(),
        });
        self.define(thread, point, Operations::from([id]));
        id
    }

    fn pass(&mut self, step: usize, thread: ThreadId, point: PointId) {
        match self.action(thread, point) {
            Action::Branch { .. } | Action::Assume(_) => {
                let (inputs, decisions) = (self.sources(thread, point), self.decided(thread, point));
                self.lanes[thread.index()].decided.insert(point, self.history.decisions.len());
                self.history.decisions.push(Decision { thread, point, step, inputs, decisions });
            }
            Action::Enter(region) => {
                let id = self.begin(step, thread, point);
                let turn = self.n_performed;
                self.n_performed += 1;
                self.history.operations[id].performed =
                    Some(Performed { step, turn, cell: None, read: None, wrote: None });
                let pending = &self.lanes[thread.index()].pending;
                let n_overtaken = match region {
                    // What its operation overtakes says it.
                    Region::Then => 0,
                    // It comes before its own store in every run.
                    Region::Issued => pending.len().saturating_sub(1),
                    _ => pending.len(),
                };
                for older in &pending[..n_overtaken] {
                    self.history.operations[*older].overtaken_by.push(id);
                }
                self.lanes[thread.index()].region = Some(id);
            }
            Action::Leave => self.lanes[thread.index()].region = None,
            _ => {}
        }
    }

    fn perform(
        &mut self,
        thread: ThreadId,
        point: PointId,
        mut performed: Performed,
        source: Source,
        (passed, is_half): (usize, bool),
    ) {
        let lane = &mut self.lanes[thread.index()];
        let is_queued = lane.region.is_none()
            && lane.pending.get(passed).is_some_and(|id| self.history.operations[*id].point == point);
        let (id, older) = if is_queued {
            let id = if is_half { lane.pending[passed] } else { lane.pending.remove(passed) };
            (id, lane.pending[..passed].to_vec())
        } else {
            (self.begin(performed.step, thread, point), Vec::new())
        };
        for older in &older {
            self.history.operations[*older].overtaken_by.push(id);
        }
        let Some(cell) = performed.cell else { return };
        let last = self.history.last_write.get(&cell).copied();
        let reads = performed.read.is_some();
        let wrote = performed.wrote.is_some();
        // The read of a read-modify-write may have been performed before.
        performed.read = performed.read.or(self.history.operations[id].read());
        self.history.operations[id].performed = Some(performed);
        if reads {
            self.history.operations[id].reads_from = match source {
                Source::Memory => last,
                Source::OwnStore => older.iter().rev().copied().find(|older| self.may_store_to(*older, cell)),
            };
        }
        if wrote {
            self.history.operations[id].overwrote = last;
            self.history.last_write.insert(cell, id);
            self.history.writes.entry(cell).or_default().push(id);
        }
        self.last = Some((id, cell));
    }

    /// What was performed last has passed over so many newer writes.
    fn pass_over(&mut self, n: usize) {
        let Some((id, cell)) = self.last else { return };
        let writes = self.history.writes.entry(cell).or_default();
        let is_write = writes.last() == Some(&id);
        writes.truncate(writes.len() - usize::from(is_write));
        let place = writes.len().saturating_sub(n);
        let before = place.checked_sub(1).map(|at| writes[at]);
        let operation = &mut self.history.operations[id];
        operation.passed_over = writes[place..].to_vec();
        operation.reads_from = operation.reads_from.and(before);
        if is_write {
            operation.overwrote = before;
            writes.insert(place, id);
        }
        self.history.last_write.extend(writes.last().map(|last| (cell, *last)));
    }

    /// What was performed last races with the last such access of another thread.
    fn race(&mut self, (thread, cell): (ThreadId, CellId), (writes, is_plain): (bool, bool)) {
        let Some((id, _)) = self.last else { return };
        let is_it = |other: &usize| {
            let operation = &self.history.operations[*other];
            let Some(performed) = operation.performed.as_ref() else { return false };
            let action = self.action(operation.thread, operation.point);
            let plain = matches!(action, Action::Access(access) if access.is_plain);
            let did = (performed.wrote.is_some(), plain);
            operation.thread == thread && performed.cell == Some(cell) && did == (writes, is_plain)
        };
        // Operations are numbered as they are issued, so the other one may have the greater number.
        let turn = |other: &usize| self.history.operations[*other].performed.as_ref().map(|performed| performed.turn);
        let other = (0..self.history.operations.len()).filter(is_it).max_by_key(turn);
        self.history.race = other.map(|other| (other, id));
    }

    /// An operation inside a transaction: it reads now, and what it writes is performed at the commit.
    fn track(
        &mut self,
        step: usize,
        thread: ThreadId,
        point: PointId,
        (cell, read, wrote): (CellId, Option<Value>, Option<Value>),
    ) {
        let id = self.begin(step, thread, point);
        let own = self.lanes[thread.index()].written.get(&cell).copied();
        if read.is_some() {
            self.history.operations[id].reads_from = own.or(self.history.last_write.get(&cell).copied());
        }
        if wrote.is_some() {
            self.lanes[thread.index()].written.insert(cell, id);
        }
        let turn = self.n_performed;
        self.n_performed += 1;
        self.history.operations[id].performed = Some(Performed { step, turn, cell: Some(cell), read, wrote: None });
    }

    fn publish(&mut self, step: usize, thread: ThreadId, cell: CellId, value: Value) {
        let Some(id) = self.lanes[thread.index()].written.remove(&cell) else { return };
        let turn = self.n_performed;
        self.n_performed += 1;
        let operation = &mut self.history.operations[id];
        let read = operation.read();
        operation.performed = Some(Performed { step, turn, cell: Some(cell), read, wrote: Some(value) });
        operation.overwrote = self.history.last_write.insert(cell, id);
    }

    /// Whether the pending operation is a store that may be to `cell`.
    fn may_store_to(&self, id: usize, cell: CellId) -> bool {
        let operation = &self.history.operations[id];
        let Action::Access(Access { op, address, .. }) = self.action(operation.thread, operation.point) else {
            return false;
        };
        op.is_write() && (!address.terms.is_empty() || address.base == cell)
    }

    fn fail(&mut self, step: usize, thread: ThreadId, point: PointId) {
        let queued = self.lanes[thread.index()].asserted.get(&point).cloned();
        let inputs = queued.unwrap_or_else(|| self.sources(thread, point));
        let decisions = self.decided(thread, point);
        self.history.failure = Some(Failure { step, thread, point, inputs, decisions });
    }
}
