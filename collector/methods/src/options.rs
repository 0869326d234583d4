//! What one may choose for a run.

use heap::Size;
use htm::Rtm;
use std::time::Duration;

/// How the transactional method copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copying {
    /// Objects are copied inside the transaction (thesis, algorithm 2).
    Direct,
    /// Objects are copied before it, and compared inside (thesis, section 8.6).
    Optimistic(Compare),
}

/// How an optimistic copy is compared with its original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// Word by word with a shadow; what differs is repaired.
    Shadow,
    /// The same, and the shadow is read while the processor does not track loads (TSXLDTRK), which keeps it out of the read set.
    /// Opt-in; where the processor cannot do that, it is [`Compare::Shadow`].
    Untracked,
    /// By a 64-bit hash, which keeps the shadow out of the read set. Opt-in: a collision, however unlikely, loses an update.
    Hash,
}

/// How the transactional method moves batches, where there are transactions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Moves {
    /// In transactions; what fits no transaction, or keeps aborting, in a short stop.
    InTransactions,
    /// In transactions or in short stops: whichever costs mutators less, batch by batch.
    Cheapest(Prices),
}

/// Where the prices of both ways come from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Prices {
    /// Measured as the run continues.
    Measured,
    /// Known: for tests, whose clocks say nothing about hardware, and for runs that are repeated exactly.
    Given(Price),
}

/// What the parts of a move cost, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    /// A handshake.
    pub handshake_ns: f64,
    /// An attempt, for each object.
    pub attempt_ns: f64,
    /// A stop, for each object.
    pub stop_ns: f64,
}

/// Which regions a cycle moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Every region that has live objects.
    All,
    /// Those of which at most so many percent are live.
    Sparse {
        /// The percentage.
        max_live: u64,
    },
}

/// When a cycle begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// Never.
    Never,
    /// As soon as the last one has ended.
    Continuous,
    /// When more than half of the regions are taken.
    HalfFull,
}

/// Which hardware transactions the transactional method uses.
#[derive(Clone, Copy, Debug)]
pub enum Transactions {
    /// None: every batch takes the fallback path.
    Off,
    /// The processor's, where there are any.
    Detected,
    /// These: the instructions are known to work, or are emulated.
    Given(Rtm),
}

impl Transactions {
    /// The proof that the instructions work, if they are to be used.
    pub fn rtm(self) -> Option<Rtm> {
        match self {
            Transactions::Off => None,
            Transactions::Detected => Rtm::detect().ok(),
            Transactions::Given(rtm) => Some(rtm),
        }
    }
}

/// A part of a protocol that is left out, to see that it is missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Omission {
    /// Nothing is left out.
    None,
    /// Mutators' transactions do not look at the counter (line 6 of algorithm 6).
    Counter,
    /// Mutators do not fix their roots.
    Roots,
    /// Slots logged since the collector looked are not updated.
    Tail,
    /// The collector's transaction does not wait until mutators run in transactions (the thesis' problematic gap).
    Handshake,
    /// Forwarding entries of a batch are set before every mutator has fixed its roots by those of the last one.
    Reuse,
    /// The collector's transaction does not look at vetoes.
    Veto,
    /// A mutator whose program has ended looks at it once more outside transactions, though the counter is odd.
    Phase,
    /// Slots are logged only when marking, which looks at them, is over.
    Recording,
    /// Read barriers: the region has moved, say the barriers, before every mutator has passed a yieldpoint.
    Flip,
}

/// The options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How large the heap is.
    pub size: Size,
    /// When to collect.
    pub trigger: Trigger,
    /// What to move.
    pub selection: Selection,
    /// At least so long from the beginning of one region's move to that of the next.
    pub period: Duration,
    /// Whether the heap is re-traced and every object checked after each cycle.
    pub sanity: bool,
    /// How the transactional method copies.
    pub copying: Copying,
    /// Passes over what a collector transaction will read, before it.
    pub warm_passes: u32,
    /// Objects that one collector transaction moves, at most. It adapts below that.
    pub max_batch: usize,
    /// Whether the size of a batch adapts, or stays.
    pub adapts: bool,
    /// How batches move.
    pub moves: Moves,
    /// Which hardware transactions are used.
    pub hardware: Transactions,
    /// Aborts on purpose: so many of a thousand transactions.
    pub aborts_per_mille: u32,
    /// Words that an emulated transaction may read and write.
    pub emulated_capacity: usize,
    /// Mutators run in transactions all the time, though nothing moves: to measure what that costs.
    pub always_odd: bool,
    /// What is left out, in tests of the tests.
    pub omission: Omission,
    /// Threads take turns, as random numbers that begin with this say, so that the run can be repeated exactly: for methods
    /// on [`crate::Software`], and programs that end by themselves.
    pub schedule: Option<u64>,
    /// When to end, if the programs do not.
    pub limit: Option<Duration>,
    /// Where random numbers begin.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            size: Size { n_regions: 128, region_shift: 10 },
            trigger: Trigger::HalfFull,
            selection: Selection::Sparse { max_live: 75 },
            period: Duration::ZERO,
            sanity: false,
            copying: Copying::Optimistic(Compare::Shadow),
            warm_passes: 1,
            max_batch: 256,
            adapts: true,
            moves: Moves::InTransactions,
            hardware: Transactions::Detected,
            aborts_per_mille: 0,
            emulated_capacity: usize::MAX,
            always_odd: false,
            omission: Omission::None,
            schedule: None,
            limit: None,
            seed: 1,
        }
    }
}
