//! Who waits where, for what, and for whom: for deadlocks, and for runs that repeat though a thread should continue.

use crate::guard::{Blocked, Guard, blocked};
use crate::repeats::hopeless;
use crate::words::{Words, list};
use automata::{Access, Action, Address, Automata, CellId, PointId, ThreadId};
use base::table::Id;
use machine::{Interpreter, Mode, PlainState, next_step};
use std::collections::BTreeSet;
use workbench::Trace;

/// A thread that waits, for which others, and what is to be said of it.
struct Wait {
    thread: ThreadId,
    on: BTreeSet<ThreadId>,
    sentences: Vec<String>,
}

/// What is to be said of threads that wait at the end of a run: one that ends in a deadlock, or that repeats.
pub(crate) fn waits(words: &Words<'_>, interpreter: &Interpreter<'_>, trace: &Trace) -> Vec<String> {
    let is_deadlock = trace.property == Automata::DEADLOCK;
    let Some(state) = trace.loop_start.or(is_deadlock.then_some(trace.steps.len())).map(|at| &trace.states[at]) else {
        return Vec::new();
    };
    let waiting = Waiting { words, interpreter, trace, state };
    let waits: Vec<Wait> = words.automata.threads.ids().filter_map(|thread| waiting.of(thread)).collect();
    let mut sentences: Vec<String> = waits.iter().flat_map(|wait| wait.sentences.clone()).collect();
    sentences.extend(cycle(words, &waits));
    let hopeless = hopeless(&waiting, &sentences);
    sentences.extend(hopeless);
    sentences
}

pub(crate) struct Waiting<'a> {
    pub(crate) words: &'a Words<'a>,
    interpreter: &'a Interpreter<'a>,
    pub(crate) trace: &'a Trace,
    /// Where the run ends, or where it repeats.
    pub(crate) state: &'a PlainState,
}

impl Waiting<'_> {
    fn of(&self, thread: ThreadId) -> Option<Wait> {
        let local = &self.state.locals[thread.index()];
        let steps = self.trace.loop_start.map_or(&[][..], |start| &self.trace.taken[start..]);
        if local.mode == Mode::Halted && local.queue.is_empty() {
            return None;
        }
        match steps.iter().any(|step| step.thread == thread) {
            true => self.polls(thread),
            false => self.is_passed_over(thread).or_else(|| Some(self.without_step(thread))),
        }
    }

    fn line(&self, thread: ThreadId) -> String {
        let automaton = &self.words.automata.threads[thread].automaton;
        self.words.line(thread, next_step(automaton, &self.state.locals[thread.index()]))
    }

    /// A thread without a step.
    fn without_step(&self, thread: ThreadId) -> Wait {
        let (name, line) = (self.words.thread(thread), self.line(thread));
        let mut wait = Wait { thread, on: BTreeSet::new(), sentences: Vec::new() };
        match blocked(self.words.automata, self.state, thread) {
            Blocked::Guards(guards) => guards.iter().for_each(|guard| self.guarded(&mut wait, guard)),
            Blocked::World(others) => {
                let where_they_are =
                    |other: &ThreadId| format!("{} is at {}", self.words.thread(*other), self.line(*other));
                let others_are = list(&others.iter().map(where_they_are).collect::<Vec<_>>());
                let none = if others.len() == 1 { "not at a safepoint" } else { "none of them at a safepoint" };
                wait.sentences.push(format!("{name} waits at {line} to stop the world: {others_are}, {none}"));
                wait.on.extend(others);
            }
            Blocked::Bus(holder) => {
                let holds = self.words.thread(holder);
                wait.sentences.push(format!("{name} waits at {line} for the bus, which {holds} holds"));
                wait.on.insert(holder);
            }
            Blocked::Spins => wait.sentences.push(format!("{name} loops at {line} and touches nothing shared")),
            Blocked::Unknown => wait.sentences.push(format!("{name} waits at {line}")),
        }
        wait
    }

    /// A thread without a step in what repeats that could have taken one.
    fn is_passed_over(&self, thread: ThreadId) -> Option<Wait> {
        let start = self.trace.loop_start?;
        let is_enabled = |at: &usize| {
            let steps = self.interpreter.run_successors(&self.trace.states[*at]).steps;
            steps.iter().any(|(step, _)| step.thread == thread)
        };
        let (can, cannot): (Vec<usize>, Vec<usize>) =
            (start..self.trace.steps.len().max(start + 1)).partition(is_enabled);
        can.first()?;
        let (name, line) = (self.words.thread(thread), self.line(thread));
        let why = match cannot.first() {
            None => "and is never scheduled".into(),
            Some(0) => "but not at the start: a fair scheduler may pass it over".into(),
            Some(step) => format!("but not after step {step}: a fair scheduler may pass it over"),
        };
        Some(Wait { thread, on: BTreeSet::new(), sentences: vec![format!("{name} could go on at {line}, {why}")] })
    }

    /// One condition that is false.
    fn guarded(&self, wait: &mut Wait, guard: &Guard) {
        let words = self.words;
        let (name, line) = (words.thread(wait.thread), words.line(wait.thread, guard.point));
        let text = words.text(wait.thread, guard.point);
        let cells = guard.cells.iter().map(|(cell, value)| self.now(*cell, *value));
        let registers =
            guard.registers.iter().filter_map(|(register, value)| words.register(wait.thread, *register, *value));
        let values: Vec<String> = cells.chain(registers).collect();
        let is = if values.is_empty() { "which is never true".into() } else { list(&values) };
        let sentence = format!("{name} waits at {line}, `{text}`: {is}");
        // Several ways on may wait for the same.
        if wait.sentences.contains(&sentence) {
            return;
        }
        wait.sentences.push(sentence);
        let cells: Vec<CellId> = guard.cells.iter().map(|(cell, _)| *cell).collect();
        self.hopes(wait, &cells);
        if cells.is_empty() && !values.is_empty() {
            wait.sentences.push(format!("  these are {name}'s own: no other thread changes them"));
        }
    }

    fn now(&self, cell: CellId, value: automata::Value) -> String {
        format!("{} is {}", self.words.automata.cells[cell].name, self.words.value(cell, value))
    }

    /// A thread that steps in what repeats, and only looks.
    fn polls(&self, thread: ThreadId) -> Option<Wait> {
        let start = self.trace.loop_start?;
        let operations = self.words.history.operations.iter();
        let repeated = operations.filter(|o| o.thread == thread && o.step() > Some(start));
        let mut read: Vec<(CellId, Vec<String>)> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for operation in repeated {
            let Some(cell) = operation.cell() else { continue };
            if operation.wrote().is_some_and(|wrote| operation.read() != Some(wrote)) {
                return None;
            }
            let value = self.words.value(cell, operation.read()?);
            lines.push(self.words.line(thread, operation.point));
            match read.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, values)) if values.contains(&value) => {}
                Some((_, values)) => values.push(value),
                None => read.push((cell, vec![value])),
            }
        }
        lines.sort();
        lines.dedup();
        let cells: Vec<CellId> = read.iter().map(|(cell, _)| *cell).collect();
        let says: Vec<String> = read.iter().map(|(cell, values)| self.varies(*cell, values)).collect();
        let sentence =
            format!("{} looks again and again at {}: {}", self.words.thread(thread), list(&lines), list(&says));
        let mut wait = Wait { thread, on: BTreeSet::new(), sentences: vec![sentence] };
        self.hopes(&mut wait, &cells);
        (!cells.is_empty()).then_some(wait)
    }

    /// The values that a cell has in what repeats.
    fn varies(&self, cell: CellId, values: &[String]) -> String {
        let name = &self.words.automata.cells[cell].name;
        let start = self.trace.loop_start.unwrap_or(self.trace.steps.len());
        let value = |state: &PlainState| state.cells[cell.index()];
        let stays = self.trace.states[start..].iter().all(|state| value(state) == value(self.state));
        match values {
            [value] if stays => format!("{name} is {value}"),
            [value] => format!("{name} is {value} each time"),
            values => format!("{name} varies between {}", list(values)),
        }
    }

    /// Who could change the cells that a thread waits for, and why they will not.
    fn hopes(&self, wait: &mut Wait, cells: &[CellId]) {
        for cell in cells {
            let (still, sentence) = self.writers(*cell, Some(wait.thread));
            wait.on.extend(still);
            wait.sentences.push(format!("  {sentence}"));
        }
    }

    /// The threads but for one that may still write a cell, and of all that could what keeps them from it.
    pub(crate) fn writers(&self, cell: CellId, but: Option<ThreadId>) -> (Vec<ThreadId>, String) {
        let name = &self.words.automata.cells[cell].name;
        let threads = self.words.automata.threads.ids().filter(|thread| Some(*thread) != but);
        let writers: Vec<(ThreadId, Vec<PointId>)> = threads
            .map(|thread| (thread, writes(self.words.automata, thread, cell)))
            .filter(|(_, points)| !points.is_empty())
            .collect();
        let whys: Vec<String> = writers.iter().map(|(writer, points)| self.why_not(*writer, name, points)).collect();
        let still = writers
            .iter()
            .filter(|(writer, points)| !ahead(self.words.automata, self.state, *writer, points).is_empty());
        let sentence = match &whys[..] {
            [] if but.is_some() => format!("no other thread writes {name}"),
            [] => format!("no thread writes {name}"),
            [why] => format!("only {why}"),
            whys => whys.join("; "),
        };
        (still.map(|(writer, _)| *writer).collect(), sentence)
    }

    fn why_not(&self, thread: ThreadId, cell: &str, points: &[PointId]) -> String {
        let name = self.words.thread(thread);
        let ahead = ahead(self.words.automata, self.state, thread, points);
        let shown = if ahead.is_empty() { points } else { &ahead };
        let mut lines: Vec<String> = shown.iter().map(|point| self.words.line(thread, *point)).collect();
        lines.dedup();
        let lines = list(&lines);
        let local = &self.state.locals[thread.index()];
        let why = match (ahead.is_empty(), local.mode) {
            (true, Mode::Halted) => "and has ended".to_string(),
            (true, _) => format!("and is past that, at {}", self.line(thread)),
            (false, _) => format!("and is at {}", self.line(thread)),
        };
        format!("{name} writes {cell} ({lines}), {why}")
    }
}

/// The points at which a thread may write a cell.
pub(crate) fn writes(automata: &Automata, thread: ThreadId, cell: CellId) -> Vec<PointId> {
    let points = automata.threads[thread].automaton.points.iter();
    let may_write = |action: &Action| matches!(action, Action::Access(Access { op, address, .. }) if op.is_write() && may_be(address, cell));
    points.filter(|(_, point)| may_write(&point.action)).map(|(id, _)| id).collect()
}

/// Those of `points` that a thread can come to from where it is.
pub(crate) fn ahead(automata: &Automata, state: &PlainState, thread: ThreadId, points: &[PointId]) -> Vec<PointId> {
    let local = &state.locals[thread.index()];
    let automaton = &automata.threads[thread].automaton;
    let mut reached: BTreeSet<PointId> = local.queue.iter().map(|entry| entry.point).collect();
    let mut open = if local.mode == Mode::Halted { Vec::new() } else { vec![local.point] };
    while let Some(point) = open.pop() {
        if reached.insert(point) {
            open.extend(automaton.successors(point));
        }
    }
    points.iter().copied().filter(|point| reached.contains(point)).collect()
}

/// Whether an address may be a cell.
fn may_be(address: &Address, cell: CellId) -> bool {
    let Some(distance) = cell.index().checked_sub(address.base.index()) else { return false };
    match &address.terms[..] {
        [] => distance == 0,
        [term] => distance % term.stride as usize == 0 && distance / (term.stride as usize) < term.count as usize,
        terms => distance <= terms.iter().map(|t| t.stride as usize * (t.count as usize).saturating_sub(1)).sum(),
    }
}

/// The threads that wait for each other in a ring, drawn: a shortest one.
fn cycle(words: &Words<'_>, waits: &[Wait]) -> Option<String> {
    let ring = waits.iter().filter_map(|first| ring(waits, first.thread)).min_by_key(Vec::len)?;
    let names: Vec<&str> = ring.iter().map(|thread| words.thread(*thread)).collect();
    Some(format!("each waits for the next: {}", names.join(" → ")))
}

/// A shortest way from a thread along those that each waits for, back to it.
fn ring(waits: &[Wait], first: ThreadId) -> Option<Vec<ThreadId>> {
    let mut ways = vec![vec![first]];
    let mut met = BTreeSet::new();
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned() {
        let last = way.last()?;
        let on = waits.iter().find(|wait| wait.thread == *last).map(|wait| &wait.on);
        for next in on.into_iter().flatten() {
            let way: Vec<ThreadId> = way.iter().chain([next]).copied().collect();
            if *next == first {
                return Some(way);
            }
            if met.insert(*next) {
                ways.push(way);
            }
        }
        at += 1;
    }
    None
}
