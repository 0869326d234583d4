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
//! Where transactions are missing or keep aborting, the batch moves in a *short stop*, and that is counted: everything is prepared as
//! for a transaction, and what the transaction would do is done while the world is stopped. Where that is cheaper, short
//! stops are also chosen: see `choice`.

mod batch;
mod choice;
mod length;
mod runs;
mod slots;
mod steps;

use crate::access::Access;
use crate::collector::Collector;
use crate::memory::Memory;
use crate::method::Method;
use crate::mutator::{Mutator, plain};
use crate::options::Omission;
use crate::stats::{Moved, MovedBy};
use crate::stop_the_world::by_table;
use crate::world::World;
use batch::Batch;
use choice::MoveBy;
pub(crate) use choice::{Choice, Pulse};
use heap::{Addr, COMMITS, COUNTER, Ref, RegionId};
use htm::Cause;
pub(crate) use length::Length;
use slots::Slots;
use std::marker::PhantomData;
use std::mem::take;
use std::time::Instant;

/// Even phases in which a batch is prepared again, before it is given up.
const MAX_ROUNDS: u32 = 3;
/// Attempts in one odd phase.
const MAX_TRIES: u32 = 4;

/// Mutators run in transactions while objects move; no read barrier.
pub struct Transactional<T: Memory>(PhantomData<T>);

/// What became of a batch.
enum Fate {
    Committed,
    /// It was prepared, and a stop is cheaper.
    TooHot(Batch),
    /// A stop is cheaper, but would be too long.
    TooLong,
    /// It does not fit, or the reason is unknown: fewer objects may do.
    TooLarge,
    /// Every attempt met a conflict.
    Refused,
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
        if !mutator.is_in_odd_phase() {
            // What a commit has aborted does not count as failed in the next odd phase.
            mutator.n_failures = 0;
        }
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        let is_available = T::Access::is_available(&collector.world.engine);
        collector.choice.begin_region();
        let mut slots = Slots::of(region);
        let mut rest = live;
        // Of batches that were too large, too: their attempts are a part of what the move costs.
        let mut n_attempts = 0;
        let mut was_refused = false;
        while !rest.is_empty() {
            // Without transactions nothing is gained by small batches: one stop for the whole region.
            let max = if is_available { collector.choice.size() } else { live.len() };
            let n_objects = max.min(rest.len());
            let moves = collector.place(&rest[..n_objects]);
            let fate = match is_available {
                true => collector.move_batch(&mut slots, &moves, &mut n_attempts),
                false => Fate::GivenUp,
            };
            let by = match fate {
                Fate::TooLarge if collector.choice.may_shrink(n_objects) => {
                    collector.take_back(&moves);
                    collector.choice.shrink(n_objects);
                    continue;
                }
                Fate::TooLong => {
                    collector.take_back(&moves);
                    continue;
                }
                Fate::Refused if !was_refused && collector.choice.tries_again(n_objects) => {
                    collector.take_back(&moves);
                    was_refused = true;
                    continue;
                }
                Fate::Committed => {
                    collector.choice.note_commit(n_objects, n_attempts);
                    MovedBy::Commit
                }
                Fate::TooHot(batch) => {
                    collector.stop_briefly(region, &batch, &moves);
                    MovedBy::Stop
                }
                Fate::TooLarge | Fate::Refused | Fate::GivenUp => {
                    let batch = Batch::prepare(collector, &mut slots, &moves);
                    collector.stop_briefly(region, &batch, &moves);
                    collector.choice.note_fallback();
                    MovedBy::Fallback
                }
            };
            collector.stats.batches.push(Moved { n_objects, n_attempts: take(&mut n_attempts), by });
            collector.choice.note_moved(n_objects);
            collector.adopt(moves.into_iter().map(|(_, replica)| replica));
            rest = &rest[n_objects..];
            was_refused = false;
        }
    }
}

impl<T: Memory> Collector<'_, Transactional<T>> {
    /// Algorithm 3: odd, handshake, transaction; even by commit or by hand.
    ///
    /// One handshake for each batch. Whoever acknowledges it has fixed its roots by the batches before, so forwarding entries are set
    /// only after it: by those of a batch that has not committed no root may be fixed.
    fn move_batch(&mut self, slots: &mut Slots, moves: &[(Ref, Ref)], n_attempts: &mut u32) -> Fate {
        for round in 1.. {
            // The even phase: everything that can be done outside is.
            let mut batch = Batch::prepare(self, slots, moves);
            match round {
                1 => match self.move_by(&batch, moves.len()) {
                    MoveBy::Transaction => {}
                    MoveBy::Stop => return Fate::TooHot(batch),
                    MoveBy::Cut => return Fate::TooLong,
                },
                _ => batch.touch_slots(self.world),
            }
            if self.world.options.omission == Omission::Reuse {
                self.publish(moves);
            }
            self.turn_counter();
            self.handshake_unless(Omission::Handshake);
            self.publish(moves);
            batch.catch_up(self, slots);
            let cause = self.try_to_commit(&batch, moves.len(), n_attempts);
            let Some(cause) = cause else {
                // The transaction has made the counter even.
                self.stats.n_slots += batch.n_slots();
                return Fate::Committed;
            };
            self.turn_counter();
            match cause {
                Cause::Capacity => return Fate::TooLarge,
                Cause::Unexplained if round >= MAX_ROUNDS => return Fate::TooLarge,
                Cause::Conflict | Cause::Retry if self.choice.gives_up_early() => return Fate::Refused,
                _ if round >= MAX_ROUNDS => return Fate::GivenUp,
                // The next round touches the pages again, and looks at the logs again.
                _ => {}
            }
        }
        unreachable!("rounds are bounded")
    }

    /// Attempts in one odd phase: only conflicts are repeated as they are. The cause of the last abort, or none.
    fn try_to_commit(&mut self, batch: &Batch, n_objects: usize, n_attempts: &mut u32) -> Option<Cause> {
        let started = Instant::now();
        let mut n_conflicts = 0;
        for attempt in 1.. {
            *n_attempts += 1;
            let result = batch.attempt(&mut self.access, self.world);
            self.stats.tally.count(&result);
            let cause = result.err().map(htm::Abort::cause);
            let is_conflict = matches!(cause, Some(Cause::Conflict | Cause::Retry));
            // A veto, or many slots logged meanwhile, is interference too: to the choice it counts as a conflict.
            n_conflicts += u32::from(is_conflict || matches!(cause, Some(Cause::Explicit(_))));
            if !is_conflict || attempt == MAX_TRIES {
                self.choice.note_attempts(n_objects, attempt, n_conflicts, nanoseconds(started));
                return cause;
            }
        }
        unreachable!("attempts are bounded")
    }

    fn handshake_unless(&mut self, omission: Omission) {
        if self.world.options.omission != omission {
            let started = Instant::now();
            self.handshake(Self::recording());
            self.choice.note_handshake(nanoseconds(started));
            self.choice.note_pulse(self.pulse());
        }
    }

    fn turn_counter(&mut self) {
        let counter = plain(self.access.load(COUNTER));
        plain(self.access.store(COUNTER, counter + 1));
    }

    /// How a batch moves that is prepared. Looks at it only if there is a choice.
    fn move_by(&mut self, batch: &Batch, n_objects: usize) -> MoveBy {
        if !self.choice.gives_up_early() {
            return MoveBy::Transaction;
        }
        let n_changed = batch.n_changed(&mut self.access);
        self.choice.move_by(n_objects, n_changed)
    }

    /// Moves a batch while the world is stopped. The time is reported.
    fn stop_briefly(&mut self, region: RegionId, batch: &Batch, moves: &[(Ref, Ref)]) {
        let started = Instant::now();
        let took = self.rendezvous(Self::recording(), |collector| {
            let stopped = Instant::now();
            collector.choice.note_pulse(collector.pulse());
            collector.publish(moves);
            batch.move_stopped(collector, region);
            nanoseconds(stopped)
        });
        self.choice.note_stop(moves.len(), took);
        self.stats.n_slots += batch.n_slots();
        self.stats.stopped += started.elapsed();
    }

    /// Takes the forwarding entries of a batch back, and its places where they are the last ones taken.
    fn take_back(&mut self, moves: &[(Ref, Ref)]) {
        let heap = &self.world.heap;
        moves.iter().for_each(|(original, _)| heap.forwarding.set(*original, None));
        let last = heap.regions.of(Addr::of_word(self.top - 1));
        let first_there = moves.iter().find(|(_, replica)| heap.regions.of(replica.header()) == last);
        self.top = first_there.map_or(self.top, |(_, replica)| replica.0);
    }
}

fn nanoseconds(since: Instant) -> f64 {
    since.elapsed().as_nanos() as f64
}
