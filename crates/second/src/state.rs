//! A state: shared memory, the bus, and the threads (rule 2.1).

use crate::code::{AccessKind, Address};
use crate::term::{Content, Term};
use crate::values::Limits;
use memory::{Fence, Operation, Order};
use program::typed::{CoverId, PropertyId};
use std::rc::Rc;

/// A state of the whole program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) memory: Vec<i64>,
    /// The thread that holds the bus.
    pub(crate) bus: Option<usize>,
    pub(crate) threads: Vec<Rc<Thread>>,
}

/// A state of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Thread {
    pub(crate) pc: usize,
    pub(crate) registers: Vec<Content>,
    /// What is issued and not performed, oldest first.
    pub(crate) queue: Vec<Entry>,
    /// The cells that it has reserved, sorted.
    pub(crate) reserved: Vec<usize>,
    pub(crate) transaction: Option<Transaction>,
    /// It was aborted by a conflict and goes on at the handler: the registers for cause and code.
    pub(crate) resumes: Option<(Option<usize>, Option<usize>)>,
    /// It goes round in local actions for ever.
    pub(crate) spins: bool,
    /// It is seen at a label that it passes.
    pub(crate) pauses: bool,
    /// The operation that a `then` belongs to is performed in this step.
    pub(crate) then_due: bool,
    pub(crate) failed: Option<Violation>,
}

/// What a thread can violate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Violation {
    InRange,
    ValidReference,
    Assert(PropertyId),
}

/// A running transaction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transaction {
    pub(crate) reads: Vec<usize>,
    /// Cells with the values that they get, sorted by cell.
    pub(crate) writes: Vec<(usize, i64)>,
    pub(crate) capacity: Option<u32>,
    pub(crate) handler: usize,
    pub(crate) cause: Option<usize>,
    pub(crate) code: Option<usize>,
    /// The registers at the beginning.
    pub(crate) registers: Vec<Content>,
}

/// An entry of a queue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Entry {
    Access(Box<Queued>),
    Fence(Fence),
    Compute(Term, Limits),
    Assert(PropertyId, Term),
    Cover(CoverId, Term),
    Guess(Box<Guess>),
}

/// A branch that was taken before its condition came (rule 5.1).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Guess {
    pub(crate) condition: Term,
    pub(crate) value: bool,
    /// The thread at the branch.
    pub(crate) pc: usize,
    pub(crate) registers: Vec<Content>,
}

/// Where an access goes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    ToCome(Address),
    Known(usize),
    /// A field of `null`, or an element outside the array.
    None,
}

/// An issued memory operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Queued {
    pub(crate) kind: AccessKind,
    pub(crate) cell: Cell,
    /// The values of the cell.
    pub(crate) limits: Limits,
    pub(crate) operands: Vec<Term>,
    pub(crate) order: Order,
    pub(crate) failure_order: Order,
    /// The values of the register that gets the result.
    pub(crate) result: Option<Limits>,
    pub(crate) then: bool,
    /// An `ll` took its value: it reserves the cell when it is performed.
    pub(crate) reserves: bool,
    /// What younger operations have assumed of it; whether each is watched (rule 5.6).
    pub(crate) assumed: Vec<(Assumption, bool)>,
    /// Where it stands in the text.
    pub(crate) pc: usize,
}

/// What a younger operation that was performed before assumed of an older one (rule 5.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Assumption {
    /// Its cell is not this.
    Elsewhere(usize),
    /// No one writes its cell before it is performed.
    Unwritten,
    /// It is a CAS that fails.
    Fails,
}

impl Queued {
    pub(crate) fn operation(&self) -> Operation {
        self.kind.operation(self.order)
    }

    /// The value of an operand that has come.
    pub(crate) fn operand(&self, i: usize) -> Option<i64> {
        match self.operands.get(i) {
            Some(Term::Const(value)) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.operands.iter().all(|operand| matches!(operand, Term::Const(_)))
    }
}

impl Entry {
    pub(crate) fn access(&self) -> Option<&Queued> {
        match self {
            Entry::Access(queued) => Some(queued),
            _ => None,
        }
    }

    fn settle(&mut self, place: usize, result: i64) {
        match self {
            Entry::Access(queued) => {
                queued.operands.iter_mut().for_each(|operand| operand.settle(place, result));
                if let Cell::ToCome(address) = &mut queued.cell {
                    if let Some((object, ..)) = &mut address.object {
                        object.settle(place, result);
                    }
                    if let Some((index, _)) = &mut address.index {
                        index.settle(place, result);
                    }
                }
            }
            Entry::Compute(term, _) | Entry::Assert(_, term) | Entry::Cover(_, term) => term.settle(place, result),
            Entry::Guess(guess) => {
                guess.condition.settle(place, result);
                guess.registers.iter_mut().for_each(|register| register.settle(place, result));
            }
            Entry::Fence(_) => {}
        }
    }
}

impl Thread {
    /// An entry leaves the queue, with its result.
    pub(crate) fn leave(&mut self, place: usize, result: i64) {
        self.queue.remove(place);
        self.registers.iter_mut().for_each(|register| register.settle(place, result));
        self.queue.iter_mut().for_each(|entry| entry.settle(place, result));
    }

    pub(crate) fn reserve(&mut self, cell: usize) {
        if let Err(place) = self.reserved.binary_search(&cell) {
            self.reserved.insert(place, cell);
        }
    }

    pub(crate) fn lose_reservation(&mut self, cell: usize) {
        self.reserved.retain(|reserved| *reserved != cell);
    }

    pub(crate) fn accesses(&self) -> impl Iterator<Item = &Queued> {
        self.queue.iter().filter_map(Entry::access)
    }

    pub(crate) fn n_guesses(&self) -> usize {
        self.queue.iter().filter(|entry| matches!(entry, Entry::Guess(_))).count()
    }

    /// Whether a guess is open that is older than this place in the queue.
    pub(crate) fn guesses_before(&self, place: usize) -> bool {
        self.queue[..place.min(self.queue.len())].iter().any(|entry| matches!(entry, Entry::Guess(_)))
    }

    /// Whether an assumption is open of another operation than the one at this place.
    pub(crate) fn assumes_beside(&self, place: usize) -> bool {
        let open = |(i, entry): (usize, &Entry)| i != place && entry.access().is_some_and(|a| !a.assumed.is_empty());
        self.queue.iter().enumerate().any(open)
    }

    pub(crate) fn assumes(&self) -> bool {
        self.assumes_beside(usize::MAX)
    }

    /// Whether it may violate something, or be seen to pass an `assert`, as the youngest of all (rules 5.2, 5.5).
    pub(crate) fn is_certain(&self) -> bool {
        self.n_guesses() == 0 && !self.assumes()
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
