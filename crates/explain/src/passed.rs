//! Writes that threads decided against: what a thread had read when it went past a place where it might have written a cell.

use crate::control::Deciders;
use crate::history::Decision;
use crate::waits::{ahead, writes};
use crate::words::{Words, list};
use automata::{Access, Action, Address, CellId, Op, PointId, RegId, ThreadId, Wide};
use base::table::Id;
use machine::Event;
use workbench::Trace;

/// So many places are named.
const MAX_PLACES: usize = 3;

/// So many reads that one decision was made of are named.
const MAX_READS: usize = 2;

/// A place that a thread went past, and the operations whose results decided it.
pub(crate) struct PassedBy {
    pub(crate) sentence: String,
    pub(crate) reads: Vec<usize>,
}

/// The places at which threads might have changed a cell that stayed as it is, and went past.
pub(crate) fn passed_by(words: &Words<'_>, trace: &Trace, cell: CellId) -> Vec<PassedBy> {
    let past = Past { words, trace, cell };
    let of = |thread: ThreadId| writes(words.automata, thread, cell).into_iter().map(move |point| (thread, point));
    let mut places: Vec<PassedBy> = Vec::new();
    for (thread, point) in words.automata.threads.ids().flat_map(of) {
        let place = past.place(thread, point);
        places.extend(place.filter(|place| places.iter().all(|known| known.sentence != place.sentence)));
    }
    places.truncate(MAX_PLACES);
    places
}

struct Past<'a> {
    words: &'a Words<'a>,
    trace: &'a Trace,
    cell: CellId,
}

impl Past<'_> {
    fn place(&self, thread: ThreadId, point: PointId) -> Option<PassedBy> {
        let history = self.words.history;
        let (automaton, last) = (&self.words.automata.threads[thread].automaton, self.trace.states.last()?);
        let was_there = history.operations.iter().any(|known| known.thread == thread && known.point == point);
        if was_there || !ahead(self.words.automata, last, thread, &[point]).is_empty() {
            return None;
        }
        let Action::Access(access) = &automaton.points[point].action else { return None };
        let deciders = Deciders::new(automaton);
        let decides = |known: &&Decision| known.thread == thread && deciders.of(point).contains(&known.point);
        let decision = history.decisions.iter().rev().find(decides)?;
        let is_read =
            |id: &usize| self.words.operation(*id).read().is_some() && self.words.operation(*id).step().is_some();
        let reads: Vec<usize> = decision.inputs.iter().copied().filter(is_read).take(MAX_READS).collect();
        let would_be = self.would_be(decision, access)?;
        let line = self.words.line(thread, point);
        let did = |id: &usize| {
            let step = self.words.operation(*id).step().map_or(String::new(), |step| format!(" in step {step}"));
            format!("{}{step}", self.words.did(*id))
        };
        let did: Vec<String> = reads.iter().map(did).collect();
        let sentence = format!("  {} goes past {would_be} ({line}): {}", self.words.thread(thread), list(&did));
        (!did.is_empty()).then_some(PassedBy { sentence, reads })
    }

    /// What an access would have been if the thread had gone there: a write to the cell, or one through a reference that is `null`.
    fn would_be(&self, decision: &Decision, access: &Access) -> Option<String> {
        let kind = match &access.op {
            Op::Store(value) => {
                let stored = value.eval(&mut |register: &RegId| self.register(decision, *register));
                let is_same = stored == Some(Wide::from(self.trace.states.last()?.cells[self.cell.index()]));
                if is_same { None } else { Some("store") }
            }
            Op::Cas { .. } => Some("CAS"),
            _ => Some("write"),
        }?;
        match self.meant(decision, &access.address)? {
            Some(cell) => {
                (cell == self.cell).then(|| format!("its {kind} to {}", self.words.automata.cells[cell].name))
            }
            None => Some(format!("its {kind}, as there is no object to write to")),
        }
    }

    /// The cell that an address meant when the decision was made: `Some(None)` if it leads nowhere, none if that is not known.
    fn meant(&self, decision: &Decision, address: &Address) -> Option<Option<CellId>> {
        let mut cell = address.base.index();
        for term in &address.terms {
            let index = term.index.eval(&mut |register: &RegId| self.register(decision, *register))?;
            match usize::try_from(index).ok().filter(|index| *index < term.count as usize) {
                Some(index) => cell += index * term.stride as usize,
                None => return Some(None),
            }
        }
        Some(Some(CellId::new(cell)))
    }

    /// The value of a register of the thread when the decision was made, if the run shows it.
    fn register(&self, decision: &Decision, register: RegId) -> Option<Wide> {
        let Decision { thread, step, .. } = *decision;
        let automaton = &self.words.automata.threads[thread].automaton;
        let before = step.checked_sub(1)?;
        let defines = |point: &PointId| automaton.points[*point].action.defines() == Some(register);
        let mut fresh = self.trace.taken[before].events.iter().filter_map(|event| match event {
            Event::Issue(point) | Event::Compute(point) => defines(point).then_some(None),
            Event::Perform { point, read, .. } => defines(point).then_some(*read),
            _ => None,
        });
        match fresh.next_back() {
            Some(read) => read.map(Wide::from),
            None => self.trace.states[before].locals[thread.index()].register(register).value().map(Wide::from),
        }
    }
}
