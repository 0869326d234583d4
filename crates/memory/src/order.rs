//! The ordering predicate: may this younger operation be performed before that older one?
//!
//! Cells are the machine's business: these rules speak of operations on different cells. The rules are
//! rule 2 of the memory machine; each line here is one clause of it.

use crate::model::{Acquire, AddressSpeculation, FailedCas, MemoryModel, ReleaseFence, RmwFence};
use crate::vocabulary::{Fence, Order};

/// What the ordering rules see of a queued memory operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// It reads its cell.
    pub reads: bool,
    /// It writes its cell.
    pub writes: bool,
    /// It is a load-linked or store-conditional.
    pub linked: bool,
    /// It is the read or the write of a read-modify-write that is performed in two.
    pub is_half: bool,
    /// The order it carries.
    pub order: Order,
}

impl Operation {
    /// A plain load.
    pub const LOAD: Operation =
        Operation { reads: true, writes: false, linked: false, is_half: false, order: Order::Relaxed };
    /// A plain store.
    pub const STORE: Operation = Operation { reads: false, writes: true, ..Operation::LOAD };

    /// Whether it reads and writes in one.
    pub fn is_rmw(self) -> bool {
        self.reads && self.writes
    }

    /// Whether it reads, and nothing younger may overtake it.
    pub fn acquires(self) -> bool {
        self.reads && self.order.is_acquire()
    }

    /// Whether it writes, and may overtake nothing older.
    pub fn releases(self) -> bool {
        self.writes && self.order.is_release()
    }
}

impl Fence {
    /// Whether this fence, standing between them in program order, orders the two.
    pub fn orders(self, older: Operation, younger: Operation) -> bool {
        match self {
            Fence::Full => true,
            Fence::Acquire => older.reads,
            Fence::Release => younger.writes,
            Fence::StoreStore => older.writes && younger.writes,
        }
    }

    /// Whether the fence stays in the queue while `older` is pending: it orders something with it.
    pub fn waits_for(self, older: Operation) -> bool {
        [Operation::LOAD, Operation::STORE].into_iter().any(|younger| self.orders(older, younger))
    }
}

impl MemoryModel {
    /// Whether plain accesses that nothing orders are an error: in languages, not in processors.
    pub fn has_races(&self) -> bool {
        self.histories.is_some()
    }

    /// Whether `younger` may be performed before `older`, the two being on different cells with no
    /// fence between.
    pub fn may_overtake(&self, older: Operation, younger: Operation) -> bool {
        let full = self.rmw == RmwFence::Full && (older.is_rmw() || younger.is_rmw());
        let linked = older.linked && younger.linked && !self.splits_rmw();
        let is_fence = self.rmw == RmwFence::Lse && older.is_half && older.releases() && older.order.is_acquire();
        let sequential = older.order == Order::SeqCst && younger.order == Order::SeqCst;
        let awaited = older.releases() && self.awaits_releases(younger);
        let ordered = older.acquires() || younger.releases() || full || linked || is_fence || sequential || awaited;
        !ordered && self.relaxes(older, younger)
    }

    /// Whether `younger` is an acquiring read that waits for older releases.
    fn awaits_releases(&self, younger: Operation) -> bool {
        let is_load = !(younger.is_half || younger.linked || younger.writes);
        match self.acquire {
            Acquire::OneSided => false,
            Acquire::Rcpc => younger.acquires() && (!is_load || younger.order == Order::SeqCst),
            Acquire::Rcsc => younger.acquires(),
        }
    }

    /// Whether a read-modify-write is performed as a read and then a write.
    pub fn splits_rmw(&self) -> bool {
        matches!(self.rmw, RmwFence::Lse | RmwFence::Exclusives)
    }

    /// Whether `younger` has to wait until it is known which cells older operations access.
    pub fn waits_for_address(&self, younger: Operation) -> bool {
        match self.address_speculation {
            AddressSpeculation::Allowed => false,
            AddressSpeculation::Loads => younger.writes,
            AddressSpeculation::Forbidden => true,
        }
    }

    /// The fence that `fence` is here.
    pub fn fence(&self, fence: Fence) -> Fence {
        match (fence, self.release_fence) {
            (Fence::Release, ReleaseFence::Full) => Fence::Full,
            _ => fence,
        }
    }

    /// Whether the table relaxes every class of `older` with every class of `younger`.
    fn relaxes(&self, older: Operation, younger: Operation) -> bool {
        let table = &self.reorder;
        let pairs = [
            (older.reads && younger.reads, table.load_load),
            (older.reads && younger.writes, table.load_store),
            (older.writes && younger.reads, table.store_load),
            (older.writes && younger.writes, table.store_store),
        ];
        pairs.into_iter().all(|(occurs, relaxed)| !occurs || relaxed)
    }

    /// Whether nothing younger, of whatever class, may overtake `older`.
    pub fn is_never_overtaken(&self, older: Operation) -> bool {
        !self.may_overtake(older, Operation::LOAD) && !self.may_overtake(older, Operation::STORE)
    }

    /// What a CAS counts as while nobody knows whether it fails, given what it counts as when it succeeds.
    pub fn undecided(&self, cas: Operation, failure_order: Order) -> Operation {
        match self.failed_cas {
            FailedCas::Full => cas,
            FailedCas::Load => Operation { order: cas.order.joined(failure_order), ..cas },
        }
    }

    /// What a CAS that fails counts as, given what it counts as when it succeeds.
    pub fn failed(&self, cas: Operation, failure_order: Order) -> Operation {
        match self.failed_cas {
            FailedCas::Full => cas,
            FailedCas::Load => Operation { writes: false, order: failure_order, ..cas },
        }
    }
}
