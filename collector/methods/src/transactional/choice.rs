//! The rule by which a batch moves: in a transaction of which size, or in a short stop.
//!
//! Both have a price: the time that mutators lose, in nanoseconds for each object moved.
//!
//! - A transaction of `n` objects: one handshake; one more for each attempt, because mutators' own transactions abort with it; and a fifth
//!   of the odd phase, in which mutators run in transactions. They reach 0.832 of their pace there, as measured
//!   (`bench/runs/2026-11-18-rtm`), and less if these are short. Attempts grow with the heat, the conflicts per object: one commits with
//!   probability `e^(-heat n)`, and if none of four does, a stop follows.
//! - A short stop of `n` objects: one handshake, and the time for which the world is stopped.
//!
//! The cheaper one is taken; a stop of at most [`MAX_STOP_NS`]. The choice is made when the batch is prepared, because then its heat
//! shows: the words that mutators have changed since they were copied, a time about as long as an attempt. With the mean of
//! other batches as prior, that gives the conflicts to expect; more, if attempts met more lately. If all four attempts meet a conflict, a
//! quarter of the batch is tried once more; if that fails too, the region is hot, and the rest of it stops. Each stop forgets a little of
//! the heat, so that transactions are tried again.
//!
//! Prices are a model. `ways` compares what it decides with only transactions and only short stops, by the steps that mutators took.
//! The tests simulate the rule, with prices that are right and with prices that are wrong.

mod ways;

use crate::options::{Moves, Options, Price, Prices};
pub(crate) use ways::Pulse;
use ways::{Way, Ways};

/// Batches are not smaller than this many objects, unless no more are left.
pub(super) const MIN_BATCH: usize = 8;
/// The longest stop that is chosen.
const MAX_STOP_NS: f64 = 2000.0;
/// The share of the odd phase that mutators lose.
const ODD_SHARE: f64 = 1.0 / 5.0;
/// Attempts of a batch before it is given up.
const MAX_ATTEMPTS: f64 = 4.0;
/// Commits after which a size is tried again that was too large.
const RETRIED: u64 = 64;
/// How much the last number weighs in a mean.
const WEIGHT: f64 = 1.0 / 8.0;
/// How much of the heat is forgotten with each batch that moves in a stop: so that transactions are tried again.
const FORGOTTEN: f64 = 1.0 / 64.0;
/// Conflicts to expect of which all four attempts meet one in half of the batches.
const HOPELESS: f64 = 1.84;
/// The shape of the gamma distribution that conflicts of batches are taken to have, with the mean of all: regions differ much.
const SHAPE: f64 = 0.5;

/// How a batch moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveBy {
    /// In a transaction.
    Transaction,
    /// In a short stop.
    Stop,
    /// In several short stops: it is too large for one.
    Cut,
}

/// A mean that forgets; none before the first number.
#[derive(Clone, Copy, Debug)]
enum Mean {
    /// It changes.
    Of(Option<f64>),
    /// It is given, and stays.
    Given(f64),
}

impl Mean {
    /// A number counts at most four times the mean: a thread may have lost its processor meanwhile.
    fn add(&mut self, number: f64) {
        if let Mean::Of(mean) = self {
            *mean = Some(mean.map_or(number, |old| old + (number.min(4.0 * old) - old) * WEIGHT));
        }
    }

    fn get(self) -> Option<f64> {
        match self {
            Mean::Of(mean) => mean,
            Mean::Given(number) => Some(number),
        }
    }
}

/// What is known about both ways.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    moves: Moves,
    max_batch: usize,
    /// Objects that a transaction takes: adapts to what fits.
    fits: usize,
    /// Whether it does.
    adapts: bool,
    /// The largest batch that has committed, until one of that size is too large.
    committed: usize,
    /// What was too large lately, and the number of commits after which it is tried again.
    too_large: (usize, u64),
    n_commits: u64,
    handshake: Mean,
    /// Of an attempt, and of a stop, for each object.
    attempt: Mean,
    stop: Mean,
    /// Words changed per object of a batch, lately; and conflicts per object of an attempt.
    changed: f64,
    heat: f64,
    ways: Ways,
    /// Batches of this region are no larger than a stop.
    is_cut: bool,
    /// Transactions have failed in this region: the rest of it stops.
    is_hot: bool,
    /// A batch met conflicts only: so many of its objects are tried once more.
    again: Option<usize>,
    /// The last batch was such a part: it is hotter than others, and says nothing about them.
    is_part: bool,
}

impl Choice {
    pub(crate) fn new(options: &Options) -> Choice {
        let means = match options.moves {
            Moves::Cheapest(Prices::Given(Price { handshake_ns, attempt_ns, stop_ns })) => {
                [handshake_ns, attempt_ns, stop_ns].map(Mean::Given)
            }
            _ => [Mean::Of(None); 3],
        };
        let [handshake, attempt, stop] = means;
        Choice {
            moves: options.moves,
            max_batch: options.max_batch,
            fits: match options.moves {
                Moves::InTransactions if options.adapts => options.max_batch.min(128),
                _ => options.max_batch,
            },
            adapts: options.adapts,
            committed: 0,
            too_large: (usize::MAX, 0),
            n_commits: 0,
            handshake,
            attempt,
            stop,
            changed: 0.0,
            heat: 0.0,
            ways: Ways::new(options.moves == Moves::Cheapest(Prices::Measured)),
            is_cut: false,
            is_hot: false,
            again: None,
            is_part: false,
        }
    }

    /// Another region begins.
    pub(super) fn begin_region(&mut self) {
        self.ways.begin_region(self.best_prices());
        (self.is_cut, self.is_hot) = (false, false);
    }

    /// The objects of the next batch: the best size of the way that is cheaper, as far as is known.
    pub(super) fn size(&self) -> usize {
        if let Some(n_objects) = self.again {
            return n_objects;
        }
        match (self.moves, self.handshake.get(), self.stop.get()) {
            (_, Some(handshake), _) if self.is_cut => self.stop_size(handshake),
            (Moves::Cheapest(_), Some(handshake), Some(stop)) => {
                let (price, size) = self.best_transaction(handshake);
                let n_stopped = self.stop_size(handshake);
                match self.ways.way() {
                    Way::InTransactions => size,
                    Way::InStops => n_stopped,
                    Way::ByPrice if handshake / n_stopped as f64 + stop < price => n_stopped,
                    Way::ByPrice => size,
                }
            }
            _ => self.fits,
        }
    }

    /// How a batch moves of whose words so many have changed since they were copied, if that is known.
    pub(super) fn move_by(&mut self, n_objects: usize, n_changed: Option<usize>) -> MoveBy {
        let n = n_objects.max(1) as f64;
        let expected = |n_changed: usize| {
            let mean = (self.changed * n).max(1e-3);
            (SHAPE + n_changed as f64) / (SHAPE / mean + 1.0)
        };
        let conflicts = n_changed.map_or(0.0, expected).max(self.heat * n);
        if let Some(n_changed) = n_changed {
            self.changed += (n_changed as f64 / n - self.changed) * WEIGHT;
        }
        self.is_part = self.again.take().is_some();
        if self.is_part {
            return MoveBy::Transaction;
        }
        let (Moves::Cheapest(_), Some(handshake)) = (self.moves, self.handshake.get()) else {
            return MoveBy::Transaction;
        };
        // What was never tried costs nothing, so it is tried.
        let Some(stop) = self.stop.get() else { return MoveBy::Stop };
        let is_transaction = match self.ways.way() {
            _ if self.is_hot => false,
            Way::InTransactions => conflicts < HOPELESS,
            Way::InStops => false,
            Way::ByPrice => {
                let stop = handshake / n.min(self.stop_size(handshake) as f64) + stop;
                n_objects <= self.fits && stop > self.price(handshake, n, conflicts)
            }
        };
        if !is_transaction {
            self.heat -= self.heat * FORGOTTEN;
        }
        match is_transaction {
            true => MoveBy::Transaction,
            false if n_objects <= self.stop_size(handshake) => MoveBy::Stop,
            false => {
                self.is_cut = true;
                MoveBy::Cut
            }
        }
    }

    /// Of a transaction and of a stop, of the size that is best for each.
    fn best_prices(&self) -> Option<[f64; 2]> {
        let (handshake, stop) = (self.handshake.get()?, self.stop.get()?);
        let stopped = handshake / self.stop_size(handshake) as f64 + stop;
        Some([self.best_transaction(handshake).0, stopped])
    }

    /// The size with the least price for each object, and that price.
    fn best_transaction(&self, handshake: f64) -> (f64, usize) {
        let halved = |n: &usize| Some(n / 2).filter(|n| *n >= MIN_BATCH);
        let sizes = std::iter::successors(Some(self.fits), halved);
        let heat = self.heat.max(self.changed);
        let priced = sizes.map(|n| (self.price(handshake, n as f64, heat * n as f64), n));
        priced.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((f64::MAX, self.fits))
    }

    /// Of a transaction, for each object: with a stop in the end, if every attempt fails.
    fn price(&self, handshake: f64, n: f64, conflicts: f64) -> f64 {
        let commits = (-conflicts).exp();
        let fails = (1.0 - commits).powf(MAX_ATTEMPTS);
        let attempts = ((1.0 - fails) / commits).min(MAX_ATTEMPTS);
        let stop = handshake / n.min(self.stop_size(handshake) as f64) + self.stop.get().unwrap_or(0.0);
        let odd = handshake + attempts * self.attempt.get().unwrap_or(0.0) * n;
        ((1.0 + attempts) * handshake + odd * ODD_SHARE) / n + fails * stop
    }

    fn stop_size(&self, handshake: f64) -> usize {
        let per_object = self.stop.get().unwrap_or(0.0).max(0.1);
        let n = (MAX_STOP_NS - handshake).max(0.0) / per_object;
        (n as usize).clamp(MIN_BATCH, self.max_batch.max(MIN_BATCH))
    }

    /// Every mutator has acknowledged a handshake; in a region that moves, or the last one of a cycle.
    pub(crate) fn note_pulse(&mut self, now: Pulse) {
        self.ways.note_handshake(now);
    }

    /// The last handshake of a cycle.
    pub(crate) fn end_cycle(&mut self, now: Pulse) {
        self.ways.end_cycle(now);
    }

    /// Between these handshakes nothing moved.
    pub(crate) fn note_pace(&mut self, from: Pulse, to: Pulse) {
        self.ways.note_pace(from, to);
    }

    /// So many objects have moved, in whatever way.
    pub(super) fn note_moved(&mut self, n_objects: usize) {
        self.ways.note_moved(n_objects);
    }

    /// A handshake took so long.
    pub(super) fn note_handshake(&mut self, ns: f64) {
        self.handshake.add(ns);
    }

    /// Attempts of a batch took so long altogether, and so many of them met a conflict.
    pub(super) fn note_attempts(&mut self, n_objects: usize, n_attempts: u32, n_conflicts: u32, ns: f64) {
        let tried = f64::from(n_attempts.max(1)) * n_objects.max(1) as f64;
        self.attempt.add(ns / tried);
        if self.is_part {
            return;
        }
        // Of k attempts of which all but the last conflict, each commits with probability 1/k.
        let n_others = f64::from(n_attempts - n_conflicts).max(0.5);
        let heat = (1.0 + f64::from(n_conflicts) / n_others).ln() / n_objects.max(1) as f64;
        self.heat += (heat - self.heat) * WEIGHT;
    }

    /// A stop of so many objects took so long.
    pub(super) fn note_stop(&mut self, n_objects: usize, ns: f64) {
        self.stop.add(ns / n_objects.max(1) as f64);
    }

    /// Whether a batch is tried again in another round after conflicts, or moves in a stop.
    pub(super) fn gives_up_early(&self) -> bool {
        self.moves != Moves::InTransactions
    }

    /// A batch met a conflict in each of its attempts. Whether a quarter of it is tried once more, instead of a stop for all of it:
    /// where four attempts fail because they take long, shorter ones rarely do.
    pub(super) fn tries_again(&mut self, n_objects: usize) -> bool {
        let may = self.adapts && self.moves != Moves::InTransactions && n_objects >= 2 * MIN_BATCH;
        self.again = may.then_some((n_objects / 4).max(MIN_BATCH));
        may
    }

    /// Whether a batch that did not fit may be halved.
    pub(super) fn may_shrink(&self, n_objects: usize) -> bool {
        self.adapts && n_objects >= 2 * MIN_BATCH
    }

    /// It was too large.
    pub(super) fn shrink(&mut self, n_objects: usize) {
        if self.adapts {
            if n_objects <= self.committed {
                self.committed = 0;
            }
            self.fits = (n_objects / 2).max(self.committed).max(MIN_BATCH);
            self.too_large = (n_objects, self.n_commits + RETRIED);
        }
    }

    /// A batch took the fallback path. Where only sizes adapt, they are halved; where there is a choice, the rest of the region stops.
    pub(super) fn note_fallback(&mut self) {
        self.is_hot = true;
        if self.adapts && self.moves == Moves::InTransactions {
            self.fits = (self.fits / 2).max(MIN_BATCH);
        }
    }

    /// A batch has committed. Where only sizes adapt, they shrink where conflicts come; they grow slowly, every eighth commit.
    pub(super) fn note_commit(&mut self, n_objects: usize, n_attempts: u32) {
        self.n_commits += 1;
        self.committed = self.committed.max(n_objects);
        if !self.adapts {
            return;
        }
        match n_attempts {
            1 if n_objects >= self.fits && self.n_commits.is_multiple_of(8) => {
                let larger = (self.fits + self.fits / 4 + 1).min(self.max_batch);
                let (too_large, until) = self.too_large;
                if larger < too_large || self.n_commits >= until {
                    self.fits = larger;
                }
            }
            1 | 2 => {}
            // Prices find the size themselves.
            _ if self.moves != Moves::InTransactions => {}
            _ => self.fits = (n_objects - n_objects / 4).max(MIN_BATCH),
        }
    }
}

#[cfg(test)]
mod simulated;
