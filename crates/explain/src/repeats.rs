//! What a run repeats forever, who looks at the wrong time in it, and who could change what the property waits for.

use crate::history::Operation;
use crate::waits::{Waiting, ahead};
use crate::words::{Words, list};
use automata::{Cause, CellId, StateLeaf, ThreadId, Value};
use base::table::Id;
use machine::{Event, Mode};
use std::collections::{BTreeMap, BTreeSet};
use workbench::Trace;

/// So many cells that do not stay as they are, and so many that nobody changes, are named.
const MAX_NAMED: usize = 3;

/// What repeats, and what of it keeps the property from coming true. None of a run that ends.
pub(crate) fn repeats(words: &Words<'_>, trace: &Trace) -> Vec<String> {
    let Some(start) = trace.loop_start else { return Vec::new() };
    let round = Round { words, trace, start };
    let changes = round.changes();
    let mut sentences = vec![round.what()];
    sentences.extend(round.aborts());
    sentences.extend(changes.iter().take(MAX_NAMED).map(|(cell, ids)| round.does_not_stay(*cell, ids)));
    sentences.extend(words.automata.threads.ids().filter_map(|thread| round.looks_too_late(thread, &changes)));
    sentences
}

/// Who could change what the property speaks of and what never changes in the round, and why they do not.
pub(crate) fn hopeless(waiting: &Waiting<'_>, told: &[String]) -> Vec<String> {
    let (words, trace) = (waiting.words, waiting.trace);
    let Some(start) = trace.loop_start else { return Vec::new() };
    let mut leaves = Vec::new();
    for condition in words.automata.properties[trace.property].kind.conditions() {
        words.automata.leaves(condition, &mut |leaf| leaves.push(leaf.clone()));
    }
    let stays = |cell: &CellId| {
        let value = |state: &machine::PlainState| state.cells[cell.index()];
        trace.states[start..].iter().all(|state| value(state) == value(&trace.states[start]))
    };
    let mut sentences: Vec<String> = Vec::new();
    for leaf in leaves {
        let cells = words.automata.cells_of(&leaf).into_iter().filter(stays);
        let said = cells.map(|cell| waiting.writers(cell, None).1).chain(nowhere(waiting, &leaf));
        sentences.extend(said.filter(|said| !told.iter().any(|told| told.trim() == said)));
    }
    let mut seen = BTreeSet::new();
    sentences.retain(|sentence| seen.insert(sentence.clone()));
    sentences.truncate(MAX_NAMED);
    sentences
}

/// Why a thread does not come to a location again, if it cannot.
fn nowhere(waiting: &Waiting<'_>, leaf: &StateLeaf) -> Option<String> {
    let StateLeaf::At(thread, points) = leaf else { return None };
    let (words, local) = (waiting.words, &waiting.state.locals[thread.index()]);
    if points.contains(&local.point) || !ahead(words.automata, waiting.state, *thread, points).is_empty() {
        return None;
    }
    let why = if local.mode == Mode::Halted { "has ended" } else { "does not come back" };
    Some(format!("{} is past {} and {why}", words.thread(*thread), words.line(*thread, *points.first()?)))
}

struct Round<'a> {
    words: &'a Words<'a>,
    trace: &'a Trace,
    start: usize,
}

impl Round<'_> {
    fn n_steps(&self) -> usize {
        self.trace.steps.len()
    }

    /// The operations that are performed in the round.
    fn operations(&self) -> impl Iterator<Item = (usize, &Operation)> {
        let operations = self.words.history.operations.iter().enumerate();
        operations.filter(|(_, operation)| operation.step() > Some(self.start))
    }

    fn what(&self) -> String {
        let (first, last) = (self.start + 1, self.n_steps());
        if self.start == last {
            let when = if last == 0 { "nothing happens".into() } else { format!("nothing happens after step {last}") };
            return format!("{when}: {}", self.where_all_are());
        }
        let steps = match first == last {
            true => format!("step {first} repeats forever"),
            false => format!("steps {first} to {last} repeat forever"),
        };
        let threads = self.words.automata.threads.ids();
        let deeds: Vec<String> = threads.filter_map(|thread| self.deed(thread)).collect();
        if deeds.is_empty() { steps } else { format!("{steps}: {}", list(&deeds)) }
    }

    fn where_all_are(&self) -> String {
        let locals = &self.trace.states[self.n_steps()].locals;
        let left = |thread: ThreadId| {
            let local = &locals[thread.index()];
            let (name, line) = (self.words.thread(thread), self.words.line(thread, local.point));
            match local.mode {
                Mode::Halted => None,
                Mode::Spinning => Some(format!("{name} goes round at {line} and touches nothing shared")),
                _ => Some(format!("{name} stays at {line}")),
            }
        };
        let left: Vec<String> = self.words.automata.threads.ids().filter_map(left).collect();
        if left.is_empty() { "every thread has ended".into() } else { list(&left) }
    }

    /// What a thread does in the round, as one verb with its cells: `worker looks at epoch (line 7)`.
    fn deed(&self, thread: ThreadId) -> Option<String> {
        let own: Vec<&Operation> = self.operations().map(|(_, o)| o).filter(|o| o.thread == thread).collect();
        let changes = |operation: &&&Operation| operation.wrote().is_some();
        let (verb, shown): (&str, Vec<&Operation>) = match own.iter().any(|operation| operation.wrote().is_some()) {
            true => ("writes", own.iter().filter(changes).copied().collect()),
            false => ("looks at", own.into_iter().filter(|operation| operation.read().is_some()).collect()),
        };
        let mut cells: Vec<(&str, Vec<String>)> = Vec::new();
        for operation in shown {
            let Some(cell) = self.words.cell(operation) else { continue };
            let line = self.words.line(thread, operation.point);
            match cells.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, lines)) if lines.contains(&line) => {}
                Some((_, lines)) => lines.push(line),
                None => cells.push((cell, vec![line])),
            }
        }
        let said: Vec<String> = cells.iter().map(|(cell, lines)| format!("{cell} ({})", list(lines))).collect();
        let name = self.words.thread(thread);
        if said.is_empty() { self.spins(thread) } else { Some(format!("{name} {verb} {}", list(&said))) }
    }

    fn spins(&self, thread: ThreadId) -> Option<String> {
        let own = self.trace.taken[self.start..].iter().filter(|step| step.thread == thread);
        let point = own.flat_map(|step| &step.events).find_map(|event| match event {
            Event::Spin(point) => Some(*point),
            _ => None,
        })?;
        let (name, line) = (self.words.thread(thread), self.words.line(thread, point));
        Some(format!("{name} goes round at {line} and touches nothing shared"))
    }

    /// Transactions that abort in the round, each place once.
    fn aborts(&self) -> Vec<String> {
        let mut places = BTreeSet::new();
        let mut sentences = Vec::new();
        for (at, step) in self.trace.taken.iter().enumerate().skip(self.start) {
            for event in &step.events {
                let Event::Abort { point, cause } = event else { continue };
                if places.insert((step.thread, *point)) && sentences.len() < MAX_NAMED {
                    let (name, line) = (self.words.thread(step.thread), self.words.line(step.thread, *point));
                    let cause = match cause {
                        Cause::Explicit(code) => format!("explicit, code {code}"),
                        cause => cause.name().to_lowercase(),
                    };
                    sentences.push(format!("{name}'s transaction aborts in step {} ({line}): {cause}", at + 1));
                }
            }
        }
        sentences
    }

    /// The writes to each cell that has several values in the round.
    fn changes(&self) -> BTreeMap<CellId, Vec<usize>> {
        let mut writes: BTreeMap<CellId, Vec<usize>> = BTreeMap::new();
        for (id, operation) in self.operations().filter(|(_, operation)| operation.wrote().is_some()) {
            operation.cell().into_iter().for_each(|cell| writes.entry(cell).or_default().push(id));
        }
        let value = |id: &usize| self.words.operation(*id).wrote();
        writes.retain(|_, ids| ids.iter().map(value).collect::<BTreeSet<Option<Value>>>().len() > 1);
        writes
    }

    /// `taken does not stay as it is: step 1: worker[0] wrote ..`: the first write, and the first that takes it back.
    fn does_not_stay(&self, cell: CellId, ids: &[usize]) -> String {
        let value = |id: &usize| self.words.operation(*id).wrote();
        let other = ids.iter().find(|id| value(id) != value(&ids[0]));
        let said: Vec<String> = [ids.first(), other]
            .into_iter()
            .flatten()
            .map(|id| format!("{} in step {}", self.words.did(*id), self.words.operation(*id).step().unwrap_or(0)))
            .collect();
        let why = other.and_then(|id| self.because(*id)).unwrap_or_default();
        format!("{} does not stay as it is: {}{why}", self.words.automata.cells[cell].name, list(&said))
    }

    /// What another thread had written that decided a write: `, after it had read true from wants[1] (line 7) in step 3`.
    fn because(&self, id: usize) -> Option<String> {
        let operation = self.words.operation(id);
        let decision = &self.words.history.decisions[*operation.decisions.last()?];
        let seen = *decision.inputs.iter().next_back()?;
        let read = self.words.operation(seen);
        let is_others = read.reads_from.is_some_and(|from| self.words.operation(from).thread != operation.thread);
        let (cell, value, step) = (read.cell()?, read.read()?, read.step()?);
        let (value, name) = (self.words.value(cell, value), &self.words.automata.cells[cell].name);
        let line = self.words.line(read.thread, read.point);
        is_others.then(|| format!(", after it had read {value} from {name} ({line}) in step {step}"))
    }

    /// A thread that looks at a cell only while it has one value, though it has another one in between.
    fn looks_too_late(&self, thread: ThreadId, changes: &BTreeMap<CellId, Vec<usize>>) -> Option<String> {
        let own: Vec<&Operation> = self.operations().map(|(_, o)| o).filter(|o| o.thread == thread).collect();
        if own.iter().any(|operation| operation.wrote().is_some()) {
            return None;
        }
        let looks = |cell: CellId| own.iter().filter(move |operation| operation.cell() == Some(cell));
        changes.keys().find_map(|cell| {
            let read = looks(*cell).next()?.read()?;
            let is_other = |at: &usize| self.trace.states[*at].cells[cell.index()] != read;
            let at = (self.start + 1..=self.n_steps()).find(is_other)?;
            let missed = looks(*cell).all(|operation| operation.read() == Some(read));
            let (name, who) = (&self.words.automata.cells[*cell].name, self.words.thread(thread));
            let (seen, then) = (self.words.value(*cell, read), self.trace.states[at].cells[cell.index()]);
            let then = self.words.value(*cell, then);
            missed.then(|| format!("{who} looks at {name} only while it is {seen}: after step {at} {name} is {then}, and {who} does not look then"))
        })
    }
}
