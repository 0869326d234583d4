//! A state: shared memory, the bus, and the threads (rule 2.1).

use crate::certificate::cells::Cells;
use crate::code::Check;
use crate::values::{Registers, Term, Violation};
use memory::Fence;
use program::types::Range;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) memory: Cells,
    pub(crate) bus: Option<usize>,
    pub(crate) threads: Vec<Rc<Thread>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Thread {
    /// Which of the program's threads it is.
    pub(crate) id: usize,
    pub(crate) pc: usize,
    pub(crate) registers: Registers,
    /// What is issued and not performed, oldest first.
    pub(crate) queue: Vec<Entry>,
    /// The cells that it has reserved (rule 4.7).
    pub(crate) reserved: BTreeSet<usize>,
    pub(crate) transaction: Option<Transaction>,
    /// Where the transaction began that was aborted by a conflict: the thread continues at the handler.
    pub(crate) aborted: Option<usize>,
    /// It loops in local actions forever; and whether a choice leads out, so that only temporal properties see it.
    pub(crate) spins: bool,
    pub(crate) circles: bool,
    /// It is seen at a label that it passes.
    pub(crate) pauses: bool,
    /// The operation that a `then` belongs to is performed in this step.
    pub(crate) then_due: bool,
    pub(crate) failed: Option<Violation>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transaction {
    /// Where it began, and the registers of then.
    pub(crate) begin: usize,
    pub(crate) registers: Registers,
    /// The cells that it has read, and those that it has written with their values.
    pub(crate) reads: BTreeSet<usize>,
    pub(crate) writes: BTreeMap<usize, i64>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Entry {
    Access(Queued),
    Fence(Fence),
    Compute(Term, Range),
    Check(Check, Term),
    Guess(Box<Guess>),
}

/// A branch that was taken before its condition came, and the thread at the branch (rule 5.1).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Guess {
    pub(crate) condition: Term,
    pub(crate) value: bool,
    pub(crate) pc: usize,
    pub(crate) registers: Registers,
}

/// Where an access goes: still to come, by the terms of its place; a cell; or none, which violates rule 1.8.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    ToCome(Vec<Term>),
    Known(usize),
    None,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Queued {
    /// Its number in the thread's code.
    pub(crate) access: usize,
    pub(crate) cell: Cell,
    pub(crate) operands: Vec<Term>,
    /// An `ll` took its value: it reserves the cell when it is performed.
    pub(crate) reserves: bool,
    /// What younger operations have assumed of it; whether each is watched (rule 5.6).
    pub(crate) assumed: BTreeMap<Assumption, bool>,
}

/// What a younger operation assumed of an older one (rule 5.4): another cell; no write before it, if it is this cell; that it fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Assumption {
    Elsewhere(usize),
    Unwritten(usize),
    Fails,
}

impl Entry {
    pub(crate) fn access(&self) -> Option<&Queued> {
        if let Entry::Access(queued) = self { Some(queued) } else { None }
    }

    pub(crate) fn access_mut(&mut self) -> Option<&mut Queued> {
        if let Entry::Access(queued) = self { Some(queued) } else { None }
    }

    fn terms(&mut self) -> Vec<&mut Term> {
        match self {
            Entry::Access(Queued { cell: Cell::ToCome(place), operands, .. }) => {
                place.iter_mut().chain(operands).collect()
            }
            Entry::Access(queued) => queued.operands.iter_mut().collect(),
            Entry::Compute(term, _) | Entry::Check(_, term) => vec![term],
            Entry::Guess(guess) => guess.registers.values_mut().chain([&mut guess.condition]).collect(),
            Entry::Fence(_) => Vec::new(),
        }
    }
}

impl Thread {
    /// An entry leaves the queue, with its result.
    pub(crate) fn leave(&mut self, place: usize, result: i64) {
        self.queue.remove(place);
        let queued = self.queue.iter_mut().flat_map(Entry::terms);
        self.registers.values_mut().chain(queued).for_each(|term| term.settle(place, result));
    }

    pub(crate) fn accesses(&self) -> impl Iterator<Item = &Queued> {
        self.queue.iter().filter_map(Entry::access)
    }

    /// The open guesses, oldest first, with their places in the queue.
    pub(crate) fn guesses(&self) -> impl Iterator<Item = (usize, &Guess)> {
        let places = self.queue.iter().enumerate();
        places.filter_map(|(place, entry)| if let Entry::Guess(guess) = entry { Some((place, &**guess)) } else { None })
    }

    /// Whether what is at this place, or behind all that is queued, may violate something or pass an `assert` (rules 5.2, 5.5).
    pub(crate) fn is_certain_at(&self, place: usize) -> bool {
        let assumed = |(i, entry): (usize, &Entry)| i != place && entry.access().is_some_and(|a| !a.assumed.is_empty());
        !self.guesses().any(|(guess, _)| guess < place) && !self.queue.iter().enumerate().any(assumed)
    }
}

impl State {
    pub(crate) fn thread(&mut self, t: usize) -> &mut Thread {
        Rc::make_mut(&mut self.threads[t])
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.threads.iter().any(|thread| thread.failed.is_some())
    }
}
