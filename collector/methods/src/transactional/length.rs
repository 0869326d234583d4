//! How many steps a mutator takes in one transaction: as many as fit, found with few attempts that do not.
//!
//! They double after [`STREAK`] commits; after twice, four times .. as many where the larger number failed at once: what an attempt
//! loses that does not fit is then small beside what commits in between. Not sooner: in a short odd phase long transactions gain
//! nothing, and those that log many slots at once make the collector's abort.

use htm::Cause;

/// Steps per transaction, at most. More than 256 pay for short steps only; where they overflow sets of the cache, they are halved.
const MAX_STEPS: u32 = 2048;
/// Steps per transaction below which conflicts do not bring them.
const MIN_STEPS: u32 = 32;
/// Commits in a row after which transactions become longer, at least; so many show that a length fits.
const STREAK: u32 = 16;
/// The same, at most.
const MAX_STREAK: u32 = 512;

/// The length of a mutator's transactions: adapts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub(crate) steps: u32,
    /// Commits in a row of this length.
    n_commits: u32,
    /// How many of them make it longer.
    streak: u32,
}

impl Length {
    /// Before the first transaction.
    pub(crate) fn new() -> Length {
        Length { steps: MIN_STEPS, n_commits: 0, streak: STREAK }
    }

    /// A transaction of this length has committed.
    #[inline(always)]
    pub(crate) fn grow(&mut self) {
        self.n_commits += 1;
        if self.n_commits >= self.streak && self.steps < MAX_STEPS {
            self.steps = (self.steps * 2).min(MAX_STEPS);
            self.n_commits = 0;
        }
    }

    /// A transaction of this length has aborted. For want of room, or without a cause, after many that fitted: that was chance, and
    /// changes nothing.
    pub(crate) fn shrink(&mut self, cause: Cause) {
        let fits = std::mem::take(&mut self.n_commits) >= STREAK;
        let least = match cause {
            Cause::Capacity | Cause::Unexplained if fits => {
                self.streak = STREAK;
                return;
            }
            Cause::Capacity | Cause::Unexplained => {
                self.streak = (2 * self.streak).min(MAX_STREAK);
                1
            }
            // Lost work, but not in vain: below this, beginning and committing cost more than is lost.
            Cause::Conflict => MIN_STEPS,
            _ => return,
        };
        self.steps = (self.steps / 2).max(least).min(self.steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Random;

    /// The share of the steps taken that committed, in so many transactions, and the mean length of these. One of `n` steps fails so
    /// often of 1000 times.
    fn share(n_transactions: u32, fails: impl Fn(u32) -> u64) -> (f64, f64) {
        let mut random = Random::new(3);
        let mut length = Length::new();
        let (mut committed, mut taken) = (0.0, 0.0);
        for _ in 0..n_transactions {
            taken += f64::from(length.steps);
            if random.below(1000) < fails(length.steps) {
                length.shrink(Cause::Capacity);
            } else {
                committed += f64::from(length.steps);
                length.grow();
            }
        }
        (committed / taken, taken / f64::from(n_transactions))
    }

    #[test]
    fn short_steps_reach_the_longest_transactions_soon() {
        let (share, mean) = share(2000, |_| 0);
        assert!(share == 1.0 && mean > 0.95 * f64::from(MAX_STEPS), "{mean}");
    }

    #[test]
    fn what_does_not_fit_is_tried_seldom() {
        let (share, mean) = share(5000, |steps| [0, 450, 1000][usize::from(steps > 256) + usize::from(steps > 512)]);
        assert!(share > 0.98 && (250.0..270.0).contains(&mean), "{share} {mean}");
    }

    #[test]
    fn an_abort_now_and_then_does_not_make_them_short() {
        let (share, mean) = share(5000, |_| 10);
        assert!(share > 0.98 && mean > 0.8 * f64::from(MAX_STEPS), "{share} {mean}");
    }

    #[test]
    fn conflicts_make_them_short_but_not_too_short() {
        let mut length = Length::new();
        (0..100).for_each(|_| length.grow());
        assert_eq!(length.steps, MAX_STEPS);
        (0..20).for_each(|_| length.shrink(Cause::Conflict));
        assert_eq!(length.steps, MIN_STEPS);
        (0..STREAK - 1).for_each(|_| length.grow());
        assert_eq!(length.steps, MIN_STEPS);
        (0..20).for_each(|_| length.shrink(Cause::Capacity));
        assert_eq!(length.steps, 1);
        length.shrink(Cause::Explicit(3));
        assert_eq!(length.steps, 1);
    }
}
