//! A memory model: a table of what may overtake what, and a few switches.

/// Which pairs of accesses to different cells may be performed out of program order.
///
/// `store_load` means: a younger load may be performed before an older store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[allow(missing_docs, reason = "older_younger, as the type says")]
pub struct Reorder {
    pub load_load: bool,
    pub load_store: bool,
    pub store_load: bool,
    pub store_store: bool,
}

/// How a read-modify-write is performed, and what it orders besides its own cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RmwFence {
    /// In one; it orders nothing.
    None,
    /// In one; everything older before it, and it before everything younger.
    Full,
    /// A read and then a write, with no other thread's write to the cell between. One that acquires and releases orders as a fence does
    /// (ARMv8.1: CASAL, SWPAL, LDADDAL).
    Lse,
    /// As `Lse`, but its read only acquires and its write only releases, and what follows a CAS depends on what it found
    /// (ARMv8: LDAXR and STLXR in a loop).
    Exclusives,
}

/// Which reads that acquire wait for older writes that release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Acquire {
    /// None: only seq_cst accesses wait for one another.
    OneSided,
    /// Those of read-modify-writes, and seq_cst loads; an acquire load does not (ARMv8: LDAPR).
    Rcpc,
    /// All (ARMv8: LDAR).
    Rcsc,
}

/// What a release fence orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ReleaseFence {
    /// Everything older before younger stores.
    Exact,
    /// Everything: there is no weaker instruction for it.
    Full,
}

/// What a CAS that fails is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FailedCas {
    /// A load with the failure order.
    Load,
    /// As strong as one that succeeds.
    Full,
}

/// Whether two loads of one cell are performed in program order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SameCellLoads {
    /// They are.
    Ordered,
    /// Not always, but a younger one never sees an older value than an older one.
    Coherent,
    /// They may pass one another (the memory of the MPLR'22 paper).
    Free,
}

/// When a store-conditional fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StoreConditional {
    /// Only if the reservation is lost.
    Exact,
    /// Also for no reason.
    MayFail,
}

/// When a transaction aborts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Transactions {
    /// Only for a conflict, for its capacity, or because the program says so.
    Exact,
    /// Also for no reason: best effort.
    MayAbort,
}

/// What a transaction is isolated from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Isolation {
    /// From everything that other threads do.
    Strong,
    /// From other transactions only.
    Weak,
}

/// When a conflict aborts a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Conflicts {
    /// At once.
    Eager,
    /// Where it would commit.
    Lazy,
}

/// What becomes of the locks that a program declares elidable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Locks {
    /// They are taken, as any cell is written.
    Taken,
    /// The critical section is tried in a transaction that only reads the lock, which is taken after an abort.
    Elided,
}

/// Whether an access may be performed while an older one's cell is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AddressSpeculation {
    /// It may; a path on which the cells turn out equal, and the order mattered, is discarded.
    Allowed,
    /// A read may, a write waits.
    Loads,
    /// It waits.
    Forbidden,
}

/// Which relaxed stores continue the release sequence of a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReleaseSequence {
    /// Read-modify-writes, and later stores of the same thread to the cell (RC11, C++11).
    SameThread,
    /// Read-modify-writes only (C++20, Rust).
    Rmw,
}

/// A memory of histories: no queues; a load chooses among the writes of its cell, a store its place among them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HistoryModel {
    /// How many writes of a cell can be read at once.
    pub bound: usize,
    /// What continues a release sequence.
    pub release_sequence: ReleaseSequence,
}

/// A memory model.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MemoryModel {
    /// Its name: `tso`.
    pub name: String,
    /// What it is, in a sentence or two.
    pub doc: String,
    /// The table.
    pub reorder: Reorder,
    /// How a read-modify-write is performed, and what it orders.
    pub rmw: RmwFence,
    /// Which acquiring reads wait for older releases.
    pub acquire: Acquire,
    /// What a release fence orders.
    pub release_fence: ReleaseFence,
    /// What a failed CAS is.
    pub failed_cas: FailedCas,
    /// Whether loads of one cell pass one another.
    pub same_cell_loads: SameCellLoads,
    /// When a store-conditional fails.
    pub store_conditional: StoreConditional,
    /// When a transaction aborts.
    pub transactions: Transactions,
    /// What a transaction is isolated from.
    pub isolation: Isolation,
    /// When a conflict aborts a transaction.
    pub conflicts: Conflicts,
    /// What becomes of elidable locks.
    pub locks: Locks,
    /// Whether accesses pass older ones whose cell is unknown.
    pub address_speculation: AddressSpeculation,
    /// How many unresolved branches a thread may guess at once; 0 is no speculation.
    pub speculate: usize,
    /// How histories are kept, if memory is histories; then nothing is queued, and what is said of reordering does not apply.
    pub histories: Option<HistoryModel>,
}
