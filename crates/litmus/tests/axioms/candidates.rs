//! All candidate executions of a litmus test, for axiomatic memory models.
//!
//! A candidate is a set of events with `po`, `rf`, `co`, `rmw` and dependencies, in which every read has the value of the write it reads
//! from. No axiom is applied: a model is a function `Fn(&Candidate) -> bool`, and
//! `finals(test, consistent)` gives the final states of the candidates that it accepts, in the form of `litmus::run`.
//!
//! Events: the initial write of each cell (no thread), reads, writes and fences. A read-modify-write is a read and a write joined by `rmw`;
//! one that fails (a CAS, an `sc`) has no write. `amo` has those pairs of `rmw` that are one instruction, not `ll` and `sc`.
//! Events of a thread have ascending numbers in program order. `addr`, `data` and `ctrl` go from the event that gave a register its value
//! (a read; for the status of an `sc`, its write) to the event that depends on it.
//! The machinery is exponential and plain on purpose; it is meant for threads of about five instructions.

use crate::axioms::relation::Relation;
use crate::axioms::threads::{Run, runs};
use litmus::{FenceName, OrderName, Test};
use std::collections::BTreeSet;

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Read,
    Write,
    Fence(FenceName),
}

/// One event of a candidate.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: Kind,
    /// Its thread; none for initial writes.
    pub(crate) thread: Option<usize>,
    /// The cell's position in `init`; of no meaning for fences.
    pub(crate) cell: usize,
    /// The value read or written.
    pub(crate) value: i32,
    /// The order of its instruction.
    pub(crate) order: OrderName,
    /// Whether it is a part of a read-modify-write instruction, or `ll` or `sc`.
    pub(crate) is_rmw: bool,
    /// Whether it is a part of a CAS.
    pub(crate) is_cas: bool,
}

impl Event {
    pub(crate) fn reads(&self) -> bool {
        self.kind == Kind::Read
    }

    pub(crate) fn writes(&self) -> bool {
        self.kind == Kind::Write
    }

    pub(crate) fn is_fence(&self, fence: FenceName) -> bool {
        self.kind == Kind::Fence(fence)
    }

    pub(crate) fn acquires(&self) -> bool {
        self.reads() && matches!(self.order, OrderName::Acq | OrderName::AcqRel | OrderName::Sc)
    }

    pub(crate) fn releases(&self) -> bool {
        self.writes() && matches!(self.order, OrderName::Rel | OrderName::AcqRel | OrderName::Sc)
    }
}

/// A candidate execution.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) events: Vec<Event>,
    /// Program order, between events of one thread.
    pub(crate) po: Relation,
    /// From a write to each read of it.
    pub(crate) rf: Relation,
    /// Coherence: a total order over the writes of each cell; the initial one is the first.
    pub(crate) co: Relation,
    pub(crate) rmw: Relation,
    pub(crate) amo: Relation,
    pub(crate) addr: Relation,
    pub(crate) data: Relation,
    pub(crate) ctrl: Relation,
}

impl Candidate {
    /// From a read to every write that comes after the one it read.
    pub(crate) fn fr(&self) -> Relation {
        self.rf.inverse().then(&self.co)
    }

    /// The pairs of `relation` that are accesses to one cell.
    pub(crate) fn same_cell(&self, relation: &Relation) -> Relation {
        let is_access = |e: usize| !matches!(self.events[e].kind, Kind::Fence(_));
        let same = |a: usize, b: usize| is_access(a) && is_access(b) && self.events[a].cell == self.events[b].cell;
        relation.and(&Relation::of(self.events.len(), same))
    }

    /// The pairs of `relation` between different threads; initial writes are in none.
    pub(crate) fn external(&self, relation: &Relation) -> Relation {
        let differ = |a: usize, b: usize| self.events[a].thread != self.events[b].thread;
        relation.and(&Relation::of(self.events.len(), differ))
    }

    /// The pairs of `relation` within a thread.
    pub(crate) fn internal(&self, relation: &Relation) -> Relation {
        relation.minus(&self.external(relation))
    }

    /// `[S]`: the events that `is_in` accepts.
    pub(crate) fn set(&self, is_in: impl Fn(&Event) -> bool) -> Relation {
        Relation::identity(self.events.len(), |e| is_in(&self.events[e]))
    }
}

/// Whether some candidate of `test` is accepted.
pub(crate) fn any(test: &Test, is_it: &dyn Fn(&Candidate) -> bool) -> bool {
    !finals(test, is_it).is_empty()
}

/// The final states of all candidates of `test` that `consistent` accepts, as `litmus::run` gives them.
pub(crate) fn finals(test: &Test, consistent: &dyn Fn(&Candidate) -> bool) -> BTreeSet<Vec<i32>> {
    let threads: Vec<Vec<Run>> = runs(test);
    let mut found = BTreeSet::new();
    let mut chosen = Vec::new();
    product(&threads, &mut chosen, &mut |chosen| joined(test, chosen, consistent, &mut found));
    found
}

/// How many choices of one run for each thread there are: how long `finals` takes, roughly.
pub(crate) fn n_choices(test: &Test) -> usize {
    runs(test).iter().fold(1, |n: usize, runs| n.saturating_mul(runs.len()))
}

/// Every choice of one run for each thread.
fn product<'a>(threads: &'a [Vec<Run>], chosen: &mut Vec<&'a Run>, visit: &mut dyn FnMut(&[&Run])) {
    let Some((first, rest)) = threads.split_first() else { return visit(chosen) };
    for run in first {
        chosen.push(run);
        product(rest, chosen, visit);
        chosen.pop();
    }
}

/// The candidates of these runs of the threads.
fn joined(test: &Test, runs: &[&Run], consistent: &dyn Fn(&Candidate) -> bool, found: &mut BTreeSet<Vec<i32>>) {
    if !is_supported(test, runs) {
        return;
    }
    let mut candidate = events(test, runs);
    let writers = writers(&candidate.events);
    if writers.iter().any(|(_, writers)| writers.is_empty()) {
        return;
    }
    let mut orders = vec![Relation::empty(candidate.events.len())];
    for cell in 0..test.init.len() {
        orders = orders.iter().flat_map(|co| coherences(&candidate, cell, co)).collect();
    }
    for co in orders {
        let final_state = final_state(test, runs, &candidate.events, &co);
        if found.contains(&final_state) {
            continue;
        }
        candidate.co = co;
        if some_rf(&mut candidate, &writers, consistent) {
            found.insert(final_state);
        }
    }
}

/// Whether every value that is read is one that is written, or was there at the start.
fn is_supported(test: &Test, runs: &[&Run]) -> bool {
    let events = || runs.iter().flat_map(|run| &run.events);
    let initial: Vec<i32> = test.init.values().copied().collect();
    let is_written = |read: &Event| events().any(|w| w.writes() && w.cell == read.cell && w.value == read.value);
    events().filter(|event| event.reads()).all(|read| initial[read.cell] == read.value || is_written(read))
}

/// The events of these runs, with all relations but `rf` and `co`.
fn events(test: &Test, runs: &[&Run]) -> Candidate {
    let initial = test.init.values().enumerate().map(|(cell, value)| {
        let (kind, order) = (Kind::Write, OrderName::Rlx);
        Event { kind, thread: None, cell, value: *value, order, is_rmw: false, is_cas: false }
    });
    let mut events: Vec<Event> = initial.collect();
    let starts: Vec<usize> = runs
        .iter()
        .map(|run| {
            let start = events.len();
            events.extend(run.events.iter().cloned());
            start
        })
        .collect();
    let n = events.len();
    let shifted = |pairs: fn(&Run) -> &Vec<(usize, usize)>| {
        let mut relation = Relation::empty(n);
        for (run, start) in runs.iter().zip(&starts) {
            pairs(run).iter().for_each(|(a, b)| relation.add(start + a, start + b));
        }
        relation
    };
    let is_po = |a: usize, b: usize| a < b && events[a].thread.is_some() && events[a].thread == events[b].thread;
    Candidate {
        po: Relation::of(n, is_po),
        rf: Relation::empty(n),
        co: Relation::empty(n),
        rmw: shifted(|run| &run.rmw),
        amo: shifted(|run| &run.amo),
        addr: shifted(|run| &run.addr),
        data: shifted(|run| &run.data),
        ctrl: shifted(|run| &run.ctrl),
        events,
    }
}

/// For each read, the writes that it may have read from.
fn writers(events: &[Event]) -> Vec<(usize, Vec<usize>)> {
    let reads = events.iter().enumerate().filter(|(_, event)| event.reads());
    let may_read = |read: &Event, write: &Event| write.writes() && write.cell == read.cell && write.value == read.value;
    reads
        .map(|(r, read)| {
            let writes = events.iter().enumerate().filter(|(_, write)| may_read(read, write));
            (r, writes.map(|(w, _)| w).collect())
        })
        .collect()
}

/// `co` extended by each order of the writes to `cell`.
fn coherences(candidate: &Candidate, cell: usize, co: &Relation) -> Vec<Relation> {
    let is_write = |e: &usize| candidate.events[*e].writes() && candidate.events[*e].cell == cell;
    let writes: Vec<usize> = (0..candidate.events.len()).filter(is_write).collect();
    let mut orders = Vec::new();
    permutations(&mut writes[1..].to_vec(), 0, &mut |order| {
        // A cell's writes of one thread are in program order in every model.
        let is_right = |(i, a): (usize, &usize)| !order[i + 1..].iter().any(|b| candidate.po.has(*b, *a));
        if order.iter().enumerate().all(is_right) {
            let mut extended = co.clone();
            let all: Vec<usize> = writes[..1].iter().chain(order).copied().collect();
            all.iter().enumerate().for_each(|(i, a)| all[i + 1..].iter().for_each(|b| extended.add(*a, *b)));
            orders.push(extended);
        }
    });
    orders
}

fn permutations(items: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == items.len() {
        return visit(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        permutations(items, from + 1, visit);
        items.swap(from, i);
    }
}

/// Whether some choice of writers makes the candidate consistent.
fn some_rf(
    candidate: &mut Candidate,
    writers: &[(usize, Vec<usize>)],
    consistent: &dyn Fn(&Candidate) -> bool,
) -> bool {
    let Some(((read, choices), rest)) = writers.split_first() else { return consistent(candidate) };
    for write in choices {
        if !is_coherent(candidate, *write, *read) {
            continue;
        }
        candidate.rf.add(*write, *read);
        let is_found = some_rf(candidate, rest, consistent);
        candidate.rf.0[*write] &= !(1 << read);
        if is_found {
            return true;
        }
    }
    false
}

/// Whether a read of `write` fits what its thread does to the cell before and after it. In every model each cell by itself is
/// sequentially consistent; to ask early saves much time.
fn is_coherent(candidate: &Candidate, write: usize, read: usize) -> bool {
    let Candidate { events, po, co, rf, .. } = candidate;
    let same_cell = |e: &usize| !matches!(events[*e].kind, Kind::Fence(_)) && events[*e].cell == events[read].cell;
    let is_newer = |e: usize| match events[e].writes() {
        true => co.has(write, e),
        false => (0..events.len()).any(|w| rf.has(w, e) && co.has(write, w)),
    };
    let mut others = (0..events.len()).filter(same_cell);
    others.all(|e| match (po.has(e, read), po.has(read, e)) {
        (true, _) => !is_newer(e),
        (_, true) => !events[e].writes() || e != write && !co.has(e, write),
        _ => true,
    })
}

/// The values of what the test observes.
fn final_state(test: &Test, runs: &[&Run], events: &[Event], co: &Relation) -> Vec<i32> {
    let cells: Vec<&String> = test.init.keys().collect();
    let last = |cell: usize| {
        let mut writes = (0..events.len()).filter(|e| events[*e].writes() && events[*e].cell == cell);
        writes.find(|e| co.0[*e] == 0).map_or(0, |e| events[e].value)
    };
    let value = |name: &String| match name.split_once(':') {
        Some((thread, register)) => {
            let thread: usize = thread.parse().expect("a thread's number");
            runs[thread].registers.get(register).copied().unwrap_or(0)
        }
        None => last(cells.iter().position(|cell| *cell == name).expect("a cell")),
    };
    let all: Vec<String> = test.init.keys().cloned().collect();
    let observed = if test.observed.is_empty() { &all } else { &test.observed };
    observed.iter().map(value).collect()
}
