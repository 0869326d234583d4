//! Which of three ways regions move, by what mutators lost: their own steps tell, whatever the loss was made of.
//!
//! In a block of [`BLOCK`] regions all batches move by prices, or in transactions, or in short stops. What mutators lost is the time that
//! passed less the steps that they took, at the pace that they have while nothing moves. That pace is the best that was seen,
//! mostly while the collector marked; all ways are judged by the same one. The way that has lost least for each object goes on, and one block in
//! [`EXPLORED`] takes another one; fewer, if that is dearer by half, and none if by its price it is far dearer.
//!
//! Both ends of a block are handshakes: there each mutator says how many steps it has taken.

use super::Mean;

/// Regions of a block.
const BLOCK: u64 = 4;
/// One block in so many takes a way that is not the best.
const EXPLORED: u64 = 16;
/// The same, of those, if that way is dearer by half.
const SELDOM: u64 = 8;
/// A way is not tried if its price is so many times that of the other: so wrong no price is.
const FAR: f64 = 4.0;
/// Fewer steps say nothing about the pace.
const ENOUGH_STEPS: f64 = 100.0;

/// How the batches of a region move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Each as its price says.
    ByPrice,
    /// In transactions; in a stop if these fail.
    InTransactions,
    /// In short stops.
    InStops,
}

const WAYS: [Way; 3] = [Way::ByPrice, Way::InTransactions, Way::InStops];

/// A moment, and the steps that mutators had taken then, all together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pulse {
    pub(crate) ns: f64,
    pub(crate) steps: f64,
}

/// What is known about the ways.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// Whether there is a choice that steps decide.
    is_measured: bool,
    n_regions: u64,
    way: usize,
    /// For each object.
    lost: [Mean; WAYS.len()],
    ns_per_step: Option<f64>,
    /// The block before ends, and this one begins, with the next handshake.
    is_due: bool,
    began: Option<Began>,
    n_objects: usize,
}

#[derive(Clone, Copy, Debug)]
struct Began {
    way: usize,
    at: Pulse,
}

impl Ways {
    pub(super) fn new(is_measured: bool) -> Ways {
        Ways {
            is_measured,
            n_regions: 0,
            way: 0,
            lost: [Mean::Of(None); WAYS.len()],
            ns_per_step: None,
            is_due: false,
            began: None,
            n_objects: 0,
        }
    }

    pub(super) fn way(&self) -> Way {
        WAYS[self.way]
    }

    /// Another region begins. The prices of transactions and of stops, for each object, if they are known.
    pub(super) fn begin_region(&mut self, prices: Option<[f64; 2]>) {
        if self.is_measured && self.n_regions.is_multiple_of(BLOCK) {
            self.way = prices.map_or(0, |prices| self.next(self.n_regions / BLOCK, prices));
            self.is_due = true;
        }
        self.n_regions += 1;
    }

    /// So many objects have moved.
    pub(super) fn note_moved(&mut self, n_objects: usize) {
        self.n_objects += n_objects;
    }

    /// Every mutator has acknowledged a handshake.
    pub(super) fn note_handshake(&mut self, now: Pulse) {
        if !std::mem::take(&mut self.is_due) {
            return;
        }
        let n_objects = std::mem::take(&mut self.n_objects) as f64;
        if let Some(Began { way, at }) = self.began.take()
            && n_objects > 0.0
            && let Some(least) = self.ns_per_step
        {
            let least = ns_per_step(at, now).map_or(least, |seen| seen.min(least));
            self.ns_per_step = Some(least);
            let lost = now.ns - at.ns - (now.steps - at.steps) * least;
            self.lost[way].add(lost.max(1.0) / n_objects);
        }
        self.began = Some(Began { way: self.way, at: now });
    }

    /// The regions of the cycle have moved: with its last handshake the block ends, however many regions it has.
    pub(super) fn end_cycle(&mut self, now: Pulse) {
        self.is_due = true;
        self.note_handshake(now);
        (self.began, self.n_regions) = (None, self.n_regions.next_multiple_of(BLOCK));
    }

    /// What mutators did between two handshakes while nothing moved. Steps may take longer by and by: programs change.
    pub(super) fn note_pace(&mut self, from: Pulse, to: Pulse) {
        if let Some(seen) = ns_per_step(from, to) {
            self.ns_per_step = Some(self.ns_per_step.map_or(seen, |least| seen.min(1.1 * least)));
        }
    }

    /// The way of a block: the best, or one that is to be measured.
    fn next(&self, block: u64, [transaction, stop]: [f64; 2]) -> usize {
        let is_near = [true, transaction < FAR * stop, stop < FAR * transaction];
        let near = || (0..WAYS.len()).filter(|way| is_near[*way]);
        if let Some(unknown) = near().find(|way| self.lost[*way].get().is_none()) {
            return unknown;
        }
        let lost = |way: usize| self.lost[way].get().unwrap_or(f64::MAX);
        let best = near().min_by(|one, other| lost(*one).total_cmp(&lost(*other))).unwrap_or(0);
        let turn = block / EXPLORED;
        let others: Vec<usize> = near().filter(|way| *way != best).collect();
        match others.get(turn as usize % others.len().max(1)) {
            Some(other) if block.is_multiple_of(EXPLORED) => {
                let is_dear = lost(*other) > 1.5 * lost(best);
                if is_dear && !(turn / 2).is_multiple_of(SELDOM) { best } else { *other }
            }
            _ => best,
        }
    }
}

/// If that were many steps.
fn ns_per_step(from: Pulse, to: Pulse) -> Option<f64> {
    let steps = to.steps - from.steps;
    (steps >= ENOUGH_STEPS).then(|| (to.ns - from.ns) / steps)
}
