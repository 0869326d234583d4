//! The rules of the memory machine, one thread at a time, and the plain interpreter that puts threads together.
//!
//! `local` is one thread's state, `code` what is known of its program before it runs. The rules: `issue` (1); `moves` and `perform`
//! (2) with `permission` (what may pass what), `effect` (what an operation writes and gives), `halves` (read-modify-writes in two),
//! `evaluate` and `direct` (accesses in regions); `retire` (3); `settle` (issuing and retiring until the thread stalls) with `turned`
//! (where its paths turn back) and `circles` (where it may loop); `ahead` (decisions that are put off); `pause` (where temporal
//! properties see it); `transaction` (6), `elision` (6.7). `touch` is what one thread does to the states of others, `refuted` says which states do not
//! exist. `interpreter` has whole states, plainly: the reference; `pending` says for people what waits. This file has what the rules
//! work on and what they say.

pub(crate) mod ahead;
pub(crate) mod circles;
pub(crate) mod code;
pub(crate) mod direct;
pub(crate) mod effect;
pub(crate) mod elision;
pub(crate) mod evaluate;
pub(crate) mod halves;
pub(crate) mod interpreter;
pub(crate) mod issue;
pub(crate) mod local;
pub(crate) mod moves;
pub(crate) mod pause;
pub(crate) mod pending;
pub(crate) mod perform;
pub(crate) mod permission;
pub(crate) mod refuted;
pub(crate) mod retire;
pub(crate) mod settle;
pub(crate) mod touch;
pub(crate) mod transaction;
pub(crate) mod turned;

use crate::options::{Bound, Options};
use crate::rules::code::Code;
use crate::rules::local::Local;
use automata::{Access, Automata, Cause, CellId, Op, PointId, PropertyId, ThreadId, Value};
use memory::{MemoryModel, Operation};
use system::Reached;

/// One thread's program under one memory model: what all rules of the machine are methods of.
pub(crate) struct Rules<'a> {
    pub(crate) code: &'a Code,
    pub(crate) automata: &'a Automata,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) options: &'a Options,
}

/// Something that happened within a step, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The operation at this point was issued and waits to be performed.
    Issue(PointId),
    /// An operation was performed.
    Perform {
        /// Where it was issued.
        point: PointId,
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written.
        wrote: Option<Value>,
        /// Whether the value read came from the own queue.
        source: crate::rules::perform::Source,
        /// How many memory operations that the thread issued earlier it overtook.
        passed: usize,
        /// Whether only its read was performed, and its write is still to come.
        is_half: bool,
    },
    /// The operation that was just performed left newer writes to its cell behind: it read an older one, or was put before them.
    Behind {
        /// Where it was issued.
        point: PointId,
        /// What the newer ones wrote, oldest first.
        newer: Vec<Value>,
    },
    /// The operation that was just performed races with the last access of that kind: nothing orders the two.
    Race {
        /// Where it was issued.
        point: PointId,
        /// The cell.
        cell: CellId,
        /// Who had the other access.
        with: ThreadId,
        /// Whether that one writes.
        writes: bool,
        /// Whether that one is plain.
        is_plain: bool,
    },
    /// An operation was performed inside a transaction: what it wrote is not published yet.
    Track {
        /// Where it stands.
        point: PointId,
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written.
        wrote: Option<Value>,
    },
    /// A transaction began in place of this read-modify-write, which takes a lock.
    Elide(PointId),
    /// The thread gave back the lock that it had elided: its transaction has committed.
    GiveBack(PointId),
    /// A transaction that commits at this point published what it wrote to a cell.
    Publish {
        /// Where it commits.
        point: PointId,
        /// The cell.
        cell: CellId,
        /// The value.
        value: Value,
    },
    /// The thread's transaction was aborted.
    Abort {
        /// Where it aborted; for a conflict, where it began.
        point: PointId,
        /// Why.
        cause: Cause,
    },
    /// A register got its value at this point as it was issued.
    Compute(PointId),
    /// Control went through this point: a branch, a choice, a region's border, a safepoint.
    Pass(PointId),
    /// The thread continues from this point, at which it has paused.
    Proceed(PointId),
    /// The thread loops once more without touching shared state.
    Spin(PointId),
    /// A branch was guessed.
    Guess(PointId, bool),
    /// The assertion or access at this point violated the property.
    Fail(PointId, PropertyId),
}

/// One path of settling, under way or at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SettlePath {
    pub(crate) local: Local,
    /// What was reached on it.
    pub(crate) reached: Reached,
    pub(crate) events: Vec<Event>,
    /// The bound that made the thread wait, if one did.
    pub(crate) bound_hit: Option<Bound>,
    /// Locations that invariants ask something of and where the thread has been for certain.
    pub(crate) been: Vec<PointId>,
}

impl SettlePath {
    /// The thread rests: unless the path may be discarded yet, it has been where it has passed, and is where it is.
    fn confirm(&mut self) {
        if !self.local.is_uncertain() {
            self.been = std::mem::take(&mut self.local.unconfirmed);
            self.been.push(self.local.point);
        }
    }
}

/// The result of settling: all paths to where the thread rests.
#[derive(Default, Debug)]
pub(crate) struct Settled {
    pub(crate) paths: Vec<SettlePath>,
    /// Whether a path was discarded: a wrong guess, an assumption that is false, or the program says so.
    pub(crate) discarded: bool,
    /// What was reached on paths before the program discarded them, if it discarded any.
    pub(crate) cut: Option<Reached>,
}

impl Settled {
    /// The program discards `path` here.
    pub(crate) fn cut(&mut self, path: &SettlePath) {
        self.discarded = true;
        self.cut.get_or_insert_default().add_all(&path.reached);
    }
}

/// What one step of settling did to a path.
pub(crate) enum SettleStep {
    /// Something was issued or retired.
    Moved,
    /// The thread waits.
    Stalled,
    /// The path forks.
    Forked(Vec<SettlePath>),
    /// The path does not exist: a wrong guess, a false assumption.
    Discarded,
    /// The program discards the run here.
    Cut,
    /// A region's guard is false: the step is not enabled.
    Disabled,
}

impl Rules<'_> {
    pub(crate) fn is_parked(&self, local: &Local) -> bool {
        local.is_parked_at(self.code.action(local.point))
    }

    /// What the ordering rules see of an access that is to be performed yet: of a CAS it is not known whether it fails, so both its
    /// orders count (semantics 4.5).
    pub(crate) fn queued(&self, access: &Access) -> Operation {
        let op = access.operation();
        match access.op {
            Op::Cas { .. } => self.memory.undecided(op, access.failure_order),
            _ => op,
        }
    }
}
