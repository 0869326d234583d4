//! Which memory model allows more.

use crate::model::{
    Acquire, AddressSpeculation, FailedCas, HistoryModel, MemoryModel, ReleaseFence, ReleaseSequence, RmwFence,
    SameCellLoads, StoreConditional, Transactions,
};
use crate::order::Operation;
use crate::vocabulary::Order;

impl MemoryModel {
    /// Whether everything that `other` allows is allowed here too: this one is at least as weak. Judged by what each may
    /// reorder, not by running anything.
    pub fn allows_all_of(&self, other: &MemoryModel) -> bool {
        match (self.histories, other.histories) {
            (None, None) => {}
            (Some(_), None) => return OLDER.iter().all(|older| other.is_never_overtaken(*older)),
            (None, Some(_)) => return false,
            (Some(mine), Some(theirs)) => return is_at_least(mine, theirs),
        }
        let mine = younger(self);
        let theirs = younger(other);
        let kinds = mine.iter().zip(&theirs);
        let mut pairs = kinds.flat_map(|(mine, theirs)| OLDER.map(|older| (older, *mine, *theirs)));
        let may_fail = |model: &MemoryModel| model.store_conditional == StoreConditional::MayFail;
        let may_abort = |model: &MemoryModel| model.transactions == Transactions::MayAbort;
        pairs.all(|(older, mine, theirs)| !other.may_overtake(older, theirs) || self.may_overtake(older, mine))
            && other.same_cell() <= self.same_cell()
            && other.liberties().into_iter().zip(self.liberties()).all(|(other, own)| other <= own)
            && may_fail(other) <= may_fail(self)
            && may_abort(other) <= may_abort(self)
            // Weak isolation allows more, and takes away aborts that strong isolation has.
            && other.isolation == self.isolation
            && other.speculate <= self.speculate
    }

    /// Whether this one allows more than `other`.
    pub fn is_weaker_than(&self, other: &MemoryModel) -> bool {
        self.allows_all_of(other) && !other.allows_all_of(self)
    }

    /// What else it lets happen, switch by switch: more is weaker.
    fn liberties(&self) -> [u8; 4] {
        let acquire = match self.acquire {
            Acquire::Rcsc => 0,
            Acquire::Rcpc => 1,
            Acquire::OneSided => 2,
        };
        let address = match self.address_speculation {
            AddressSpeculation::Forbidden => 0,
            AddressSpeculation::Loads => 1,
            AddressSpeculation::Allowed => 2,
        };
        let rmw = match self.rmw {
            RmwFence::Full | RmwFence::None => 0,
            RmwFence::Lse => 1,
            RmwFence::Exclusives => 2,
        };
        [acquire, address, rmw, u8::from(self.release_fence == ReleaseFence::Exact)]
    }

    /// How far loads of one cell may pass one another, and a CAS of it that fails.
    fn same_cell(&self) -> u8 {
        match self.same_cell_loads {
            _ if !self.reorder.load_load => 0,
            SameCellLoads::Ordered => 0,
            SameCellLoads::Coherent => 1,
            SameCellLoads::Free if self.failed_cas == FailedCas::Full => 2,
            SameCellLoads::Free => 3,
        }
    }
}

/// Whether histories kept in the one way allow all that they do in the other.
fn is_at_least(mine: HistoryModel, theirs: HistoryModel) -> bool {
    let continues = |model: HistoryModel| model.release_sequence == ReleaseSequence::SameThread;
    theirs.bound <= mine.bound && continues(mine) <= continues(theirs)
}

const RMW: Operation = Operation { writes: true, ..Operation::LOAD };

/// One operation of each kind that may be overtaken.
const OLDER: [Operation; 3] = [Operation::LOAD, Operation::STORE, RMW];

/// One operation of each kind that may overtake; the last is a CAS that fails.
fn younger(model: &MemoryModel) -> [Operation; 4] {
    [Operation::LOAD, Operation::STORE, RMW, model.failed(RMW, Order::Relaxed)]
}

#[cfg(test)]
mod tests {
    use crate::builtin::find;

    fn weaker(a: &str, b: &str) -> bool {
        find(a).expect("built in").is_weaker_than(&find(b).expect("built in"))
    }

    #[test]
    fn the_built_in_memory_models_are_ordered_as_their_papers_say() {
        for (a, b) in [
            ("tso", "sc"),
            ("pso-full", "tso"),
            ("pso-no", "pso-full"),
            ("rmo-full", "pso-full"),
            ("rmo-no", "pso-no"),
            ("relaxed", "rmo-no"),
            ("relaxed", "rmo-full"),
            ("relaxed", "relaxed-cas"),
            ("rc11", "sc"),
            ("armv8", "armv8-ldar"),
            ("armv8-exclusives", "armv8-ldar"),
        ] {
            assert!(weaker(a, b) && !weaker(b, a), "{a} allows more than {b}");
        }
        assert!(!weaker("pso-no", "rmo-full") && !weaker("rmo-full", "pso-no"), "neither allows all of the other");
        assert!(!weaker("rc11", "tso") && !weaker("relaxed", "rc11"), "rc11 is beside the processors' models");
        assert!(!weaker("sc", "sc"));
    }
}
