//! The thesis' method: objects move in a collector transaction while mutators run in transactions of their own.
//!
//! | thesis | here |
//! |---|---|
//! | algorithm 1, write barrier | `Mutator::record`: slots are logged after the store, and the transaction reads the logs' ends |
//! | algorithm 2, collector transaction | `batch`: forwarding in a table, slots last |
//! | algorithm 3, collector protocol | [`Method::move_region`] here: aborts change the counter too, but not `COMMITS` |
//! | algorithm 4, handshake | `handshake`: waits until all have acknowledged |
//! | algorithm 5, mutator handshake | [`Method::observe`]: roots are fixed if `COMMITS` has changed |
//! | algorithm 6, mutator protocol | `steps`: the counter is read first and last; who cannot commit runs under a veto |
//!
//! Where transactions are missing or keep aborting, the batch moves while the world stands still, and that is counted.

mod batch;
mod runs;
mod steps;

use crate::access::Access;
use crate::collector::Collector;
use crate::memory::Memory;
use crate::method::Method;
use crate::mutator::{Mutator, plain};
use crate::options::Omission;
use crate::stats::Moved;
use crate::stop_the_world::by_table;
use crate::world::World;
use batch::Batch;
use heap::{Addr, COMMITS, COUNTER, Ref, RegionId};
use htm::Cause;
use std::marker::PhantomData;
use std::mem::take;
use std::time::Instant;

/// Batches are not halved below this many objects.
const MIN_BATCH: usize = 8;
/// Even phases in which a batch is prepared again, before it is given up.
const MAX_ROUNDS: u32 = 3;
/// Attempts in one odd phase.
const MAX_TRIES: u32 = 4;

/// Mutators run in transactions while objects move; no read barrier.
pub struct Transactional<T: Memory>(PhantomData<T>);

/// What became of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Committed,
    /// It does not fit, or the reason is unknown: fewer objects may do.
    TooLarge,
    GivenUp,
}

impl<T: Memory> Method for Transactional<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = T::NAME;
    const IS_TRANSACTIONAL: bool = true;

    fn forward(world: &World, object: Ref) -> Ref {
        by_table(world, object)
    }

    /// The counter first: read the other way round, a commit between the two would go unnoticed.
    fn observe(mutator: &mut Mutator<'_, Self>) {
        let counter = plain(mutator.access.load(COUNTER));
        let commits = plain(mutator.access.load(COMMITS));
        if commits != mutator.local.commits {
            if mutator.world.options.omission != Omission::Roots {
                mutator.fix();
            }
            mutator.local.commits = commits;
        }
        mutator.local.counter = counter;
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        let is_available = T::Access::is_available(&collector.world.engine);
        let mut rest = live;
        // Of batches that were too large, too: their attempts are a part of what the move costs.
        let mut n_attempts = 0;
        while !rest.is_empty() {
            // Without transactions nothing is gained by small batches: one stop for the whole region.
            let max = if is_available { collector.batch } else { live.len() };
            let n_objects = max.min(rest.len());
            let moves = collector.plan(&rest[..n_objects]);
            let fate = match is_available {
                true => collector.move_batch(region, &moves, &mut n_attempts),
                false => Fate::GivenUp,
            };
            match fate {
                Fate::TooLarge if collector.may_shrink(n_objects) => {
                    collector.unplan(&moves);
                    collector.batch = n_objects / 2;
                    continue;
                }
                Fate::Committed => collector.adapt(n_objects, n_attempts),
                Fate::TooLarge | Fate::GivenUp => collector.fall_back(region, &moves),
            }
            let is_committed = fate == Fate::Committed;
            collector.stats.batches.push(Moved { n_objects, n_attempts: take(&mut n_attempts), is_committed });
            collector.adopt(moves.into_iter().map(|(_, replica)| replica));
            rest = &rest[n_objects..];
        }
    }
}

impl<T: Memory> Collector<'_, Transactional<T>> {
    /// Algorithm 3: odd, handshake, transaction; even by commit or by hand.
    fn move_batch(&mut self, region: RegionId, moves: &[(Ref, Ref)], n_attempts: &mut u32) -> Fate {
        for round in 1.. {
            // The even phase: everything that can be done outside is.
            let batch = Batch::prepare(self, region, moves);
            self.turn_counter();
            self.handshake_unless(Omission::Handshake);
            let cause = self.try_to_commit(&batch, n_attempts);
            let Some(cause) = cause else {
                // The transaction has made the counter even. Before forwarding entries are set anew, every mutator must have
                // fixed its roots by the present ones.
                self.handshake_unless(Omission::Reuse);
                return Fate::Committed;
            };
            self.turn_counter();
            match cause {
                Cause::Capacity => return Fate::TooLarge,
                Cause::Unexplained if round >= MAX_ROUNDS => return Fate::TooLarge,
                _ if round >= MAX_ROUNDS => return Fate::GivenUp,
                // The next round touches the pages again, and looks at the logs again.
                _ => {}
            }
        }
        unreachable!("rounds are bounded")
    }

    /// Attempts in one odd phase: only conflicts are repeated as they are. The cause of the last abort, or none.
    fn try_to_commit(&mut self, batch: &Batch, n_attempts: &mut u32) -> Option<Cause> {
        for attempt in 1.. {
            *n_attempts += 1;
            let result = batch.attempt(&mut self.access, self.world);
            self.stats.tally.count(&result);
            match result.err()?.cause() {
                Cause::Conflict | Cause::Retry if attempt < MAX_TRIES => {}
                cause => return Some(cause),
            }
        }
        unreachable!("attempts are bounded")
    }

    fn handshake_unless(&mut self, omission: Omission) {
        if self.world.options.omission != omission {
            self.handshake(Self::recording());
        }
    }

    fn turn_counter(&mut self) {
        let counter = plain(self.access.load(COUNTER));
        plain(self.access.store(COUNTER, counter + 1));
    }

    /// Stop-the-world for this batch. Its time is reported.
    fn fall_back(&mut self, region: RegionId, moves: &[(Ref, Ref)]) {
        let started = Instant::now();
        self.rendezvous(Self::recording(), |collector| collector.move_stopped(region, moves));
        self.stats.fallback += started.elapsed();
        if self.world.options.adapts {
            self.batch = (self.batch / 2).max(MIN_BATCH);
        }
    }

    fn may_shrink(&self, n_objects: usize) -> bool {
        self.world.options.adapts && n_objects >= 2 * MIN_BATCH
    }

    /// Shrinks where conflicts come: a shorter transaction meets fewer. Grows slowly, every eighth commit, where none come.
    fn adapt(&mut self, n_objects: usize, n_attempts: u32) {
        let options = &self.world.options;
        if !options.adapts {
            return;
        }
        match n_attempts {
            1 if n_objects >= self.batch && self.stats.batches.len().is_multiple_of(8) => {
                self.batch = (self.batch + self.batch / 4 + 1).min(options.max_batch);
            }
            1 | 2 => {}
            _ => self.batch = (n_objects - n_objects / 4).max(MIN_BATCH),
        }
    }

    /// Takes the forwarding entries of a batch back, and its places where they are the last ones taken.
    fn unplan(&mut self, moves: &[(Ref, Ref)]) {
        let heap = &self.world.heap;
        moves.iter().for_each(|(original, _)| heap.forwarding.set(*original, None));
        let last = heap.regions.of(Addr::of_word(self.top - 1));
        let first_there = moves.iter().find(|(_, replica)| heap.regions.of(replica.header()) == last);
        self.top = first_there.map_or(self.top, |(_, replica)| replica.0);
    }
}
