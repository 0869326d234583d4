//! One thread's state: where it is, what its registers hold, what it has issued and not yet performed.

use crate::properties::trail::Snapshot;
use crate::rules::transaction::Transaction;
use automata::{Action, CellId, PointId, PropertyId, RegId, Value};
use base::table::Id;

/// A value, or the promise of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// The value.
    Value(Value),
    /// The result of the queue's entry at this position.
    Entry(u8),
}

impl Operand {
    /// The value, if it is there already.
    pub fn value(self) -> Option<Value> {
        match self {
            Operand::Value(value) => Some(value),
            Operand::Entry(_) => None,
        }
    }
}

/// Something issued and not yet performed (a memory operation) or retired (all else).
///
/// Its operands were taken along when it was issued, so that a later write to the same register
/// does not disturb it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// Where it was issued; its action is that point's.
    pub point: PointId,
    /// Which part of the action it is.
    pub part: Part,
    /// One operand for each register the action reads, in the order of `Code::uses`. The second part of a read-modify-write has one more: what
    /// the first part reads.
    pub operands: Vec<Operand>,
    /// For a guessed branch, the guess.
    pub guess: Option<bool>,
    /// Cells that younger operations have accessed while this one's cell was unknown. If it turns
    /// out to be one of them, the path is discarded.
    pub overtaken: Vec<CellId>,
    /// Cells that younger loads have read while the cell of this one, a load too, was unknown, if no other thread has written them since.
    /// If it turns out to be one of them, it must find the same.
    pub read_ahead: Vec<CellId>,
    /// What a younger load of the same cell, performed already, demands of this one.
    pub demand: Demand,
    /// For a CAS of which it is assumed that it succeeds or fails: whether something younger has happened since.
    pub is_relied_on: bool,
    /// Whether a load-linked has taken the value that this one is to write: then the cell is reserved when it is performed.
    pub is_linked: bool,
    /// For a guessed branch, the registers that properties look at there, as they were: a guess is invisible.
    pub seen: Vec<Operand>,
    /// Whether it is asked if what was assumed of this entry can turn out right (`is_refuted`). Only while that is asked.
    pub is_in_doubt: bool,
}

/// Which part of its action an entry is. A read-modify-write that is performed in two has two entries, one behind the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The read of a read-modify-write.
    Read,
    /// The write of a read-modify-write.
    Write,
    /// The write of a CAS of which it is assumed that it succeeds.
    Succeeds,
    /// In place of the write of a CAS, the assumption that it fails.
    Fails,
}

impl Part {
    /// Whether it is assumed what a CAS finds.
    pub fn is_assumed(self) -> bool {
        matches!(self, Part::Succeeds | Part::Fails)
    }

    /// Whether it stands behind the read of a read-modify-write.
    pub fn is_second(self) -> bool {
        matches!(self, Part::Write | Part::Succeeds | Part::Fails)
    }
}

/// What an operation must still do because a younger load of its cell went first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Demand {
    /// Nothing.
    #[default]
    Nothing,
    /// Read what the younger one read: if another thread writes the cell before, the path is discarded. For the write of a
    /// read-modify-write: what its read has found must still be there. While an older own store to the cell is queued, the value is that one's, and
    /// others may write.
    SameValue,
    /// Store where its load-linked has read: if another thread writes the cell before, the path is discarded, whatever the own thread has stored.
    Unwritten,
    /// A CAS must fail: only then is it a load that a younger load may pass.
    Fail,
}

impl Entry {
    /// What is issued at `point`, with nothing performed before it that is younger.
    pub fn new(point: PointId, part: Part, operands: impl IntoIterator<Item = Operand>) -> Self {
        Entry {
            point,
            part,
            operands: operands.into_iter().collect(),
            guess: None,
            overtaken: Vec::new(),
            read_ahead: Vec::new(),
            demand: Demand::Nothing,
            is_relied_on: false,
            is_linked: false,
            seen: Vec::new(),
            is_in_doubt: false,
        }
    }

    /// Whether something is assumed of this entry: of a CAS whether it succeeds, of others because something younger was performed.
    pub fn is_overtaken(&self) -> bool {
        self.part.is_assumed() || self.has_been_overtaken()
    }

    /// Whether something younger was performed on an assumption about this entry.
    fn has_been_overtaken(&self) -> bool {
        let has_unknown_cell = !(self.overtaken.is_empty() && self.read_ahead.is_empty());
        has_unknown_cell || self.demand != Demand::Nothing || self.is_relied_on
    }
}

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Continuing at its point.
    Running,
    /// Inside a region: no other thread steps until it leaves.
    Region,
    /// Committing a transaction: no other thread steps until all is published.
    Committing,
    /// Its transaction, which began at this point, was aborted by a conflict: it continues at the handler.
    Aborted(PointId),
    /// Looping forever without touching shared state, and with no way out; pending operations are still performed.
    Spinning,
    /// Looping so though a choice leads out: only temporal properties see it (semantics 2.6).
    Circling,
    /// Ended; pending operations are still performed.
    Halted,
    /// Has violated a property.
    Failed(PropertyId),
}

impl Mode {
    /// Whether the thread loops forever without touching shared state.
    pub fn is_looping(self) -> bool {
        matches!(self, Mode::Spinning | Mode::Circling)
    }
}

/// One thread's state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// What it is doing.
    pub mode: Mode,
    /// Where it is.
    pub point: PointId,
    /// The registers.
    pub registers: Vec<Operand>,
    /// Issued and not yet performed or retired, oldest first.
    pub queue: Vec<Entry>,
    /// Cells reserved by a load-linked, sorted.
    pub reserved: Vec<CellId>,
    /// Cells whose load-linked took its value from the own queue: reserved once that store is performed.
    pub reserved_ahead: Vec<CellId>,
    /// The transaction that it is in.
    pub transaction: Option<Box<Transaction>>,
    /// Whether its attempt to elide the lock at its point was aborted: it takes the lock now.
    pub takes_lock: bool,
    /// Locations that it has passed unseen, sorted.
    pub trail: Vec<Snapshot>,
    /// Locations that invariants ask something of and that it has passed on a path that may be discarded yet, sorted.
    pub unconfirmed: Vec<PointId>,
}

impl Local {
    /// The state of a thread that has done nothing yet.
    pub fn start(point: PointId, registers: Vec<Operand>) -> Self {
        Local {
            mode: Mode::Running,
            point,
            registers,
            queue: Vec::new(),
            reserved: Vec::new(),
            reserved_ahead: Vec::new(),
            transaction: None,
            takes_lock: false,
            trail: Vec::new(),
            unconfirmed: Vec::new(),
        }
    }

    /// The one state of threads that have violated `property`, but for what they passed before.
    pub fn failed(&self, property: PropertyId) -> Self {
        let queue = if self.trail.is_empty() { Vec::new() } else { self.queue.clone() };
        let trail = self.trail.clone();
        Local {
            mode: Mode::Failed(property),
            queue,
            trail,
            ..Local::start(self.point, vec![Operand::Value(0); self.registers.len()])
        }
    }

    /// The same where a step has violated a property for certain, wherever it has passed.
    pub fn stopped_by(&self, property: PropertyId) -> Self {
        Local { trail: Vec::new(), ..self.clone() }.failed(property)
    }

    /// Rule 4: whether a stopped world may find the thread so: at a safepoint or ended, with nothing pending.
    pub fn is_parked_at(&self, action: &Action) -> bool {
        let at_safepoint = self.mode == Mode::Running && matches!(action, Action::Safepoint);
        self.queue.is_empty() && self.transaction.is_none() && (at_safepoint || self.mode == Mode::Halted)
    }

    /// Whether something was performed on an assumption that is still open (semantics 5.4): others may have seen it.
    pub fn has_assumption(&self) -> bool {
        self.queue.iter().any(Entry::is_overtaken)
    }

    /// The position of the oldest branch that was guessed and is not decided yet.
    pub fn oldest_guess(&self) -> Option<usize> {
        self.queue.iter().position(|entry| entry.guess.is_some())
    }

    /// Whether a branch that was guessed is not decided yet.
    pub fn is_guessing(&self) -> bool {
        self.oldest_guess().is_some()
    }

    /// Whether what comes next may belong to a path that is discarded yet: then no violation counts (semantics 5.2, 5.5).
    pub fn is_uncertain(&self) -> bool {
        self.is_guessing() || self.has_assumption()
    }

    /// Whether what the entry at `index` finds may belong to a path that is discarded yet.
    ///
    /// Nothing that others can see passes a guess, so only older guesses matter. But a store may pass
    /// a younger access whose cell is unknown, and come back through another thread.
    /// What is assumed of a younger CAS matters if something has happened behind it: else one of the two assumptions is right.
    pub fn is_uncertain_at(&self, index: usize) -> bool {
        let older = self.queue[..index].iter().any(|entry| entry.guess.is_some() || entry.is_overtaken());
        older || self.queue[index + 1..].iter().any(Entry::has_been_overtaken)
    }

    /// Something happens behind the first `n_older` entries of the queue.
    pub(crate) fn rely_on(&mut self, n_older: usize) {
        let assumed = self.queue[..n_older].iter_mut().filter(|entry| entry.part.is_assumed());
        assumed.for_each(|entry| entry.is_relied_on = true);
    }

    /// Whether it is in the middle of a step, and no other thread steps before it continues.
    pub fn is_mid_step(&self) -> bool {
        matches!(self.mode, Mode::Region | Mode::Committing)
    }

    /// The operand in register `register`.
    pub fn register(&self, register: RegId) -> Operand {
        self.registers[register.index()]
    }

    /// Those who wait for the result of the entry at `index`, which stays, get `value`.
    pub fn give(&mut self, index: usize, value: Value) {
        let entries = self.queue.iter_mut().flat_map(|entry| entry.operands.iter_mut().chain(&mut entry.seen));
        let given = |operand: &mut Operand| {
            if *operand == Operand::Entry(index as u8) {
                *operand = Operand::Value(value);
            }
        };
        entries.chain(self.registers.iter_mut()).for_each(given);
        self.trail.iter_mut().for_each(|snapshot| snapshot.give(given));
        self.trail.sort();
        self.trail.dedup();
    }

    /// Removes the entry at `index`; whoever waits for its result gets `value`.
    pub fn remove(&mut self, index: usize, value: Value) {
        self.queue.remove(index);
        let removed = index as u8;
        let waiting = self.queue[index..].iter_mut().flat_map(|entry| entry.operands.iter_mut().chain(&mut entry.seen));
        let settle = |operand: &mut Operand| match *operand {
            Operand::Entry(i) if i == removed => *operand = Operand::Value(value),
            Operand::Entry(i) if i > removed => *operand = Operand::Entry(i - 1),
            _ => {}
        };
        waiting.chain(self.registers.iter_mut()).for_each(settle);
        self.trail.iter_mut().for_each(|snapshot| snapshot.remove(index, settle));
        self.trail.sort();
        self.trail.dedup();
    }
}
