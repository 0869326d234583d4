//! Many attempts: a policy that never repeats what cannot succeed.
//!
//! An abort for want of capacity, or with status 0, comes again however often the same transaction is repeated
//! (an untouched page: 0 commits of 1000). So after such an abort the caller is asked to *change* something: touch the
//! pages, halve the batch. Only conflicts are repeated as they are. All is bounded; then the caller takes its
//! fallback path, which must run the same code outside a transaction: a panic inside is invisible.

use crate::abort::{Abort, Cause};
use crate::detect::Rtm;
use crate::transaction::Transaction;

/// How often to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Attempts in all.
    pub max_attempts: u32,
    /// How many of them may follow a change.
    pub max_changes: u32,
}

/// What to do after an abort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The same again.
    Repeat,
    /// Something must change first.
    Change,
    /// Take the fallback path.
    GiveUp,
}

/// Attempts and aborts by cause, counted outside the transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Transactions begun.
    pub attempts: u64,
    /// Transactions committed.
    pub commits: u64,
    /// Aborts, in the order of [`Cause::ALL`].
    pub aborts: [u64; Cause::ALL.len()],
}

/// The result of all attempts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetryResult<T> {
    /// The body's result, or the last abort.
    pub result: Result<T, Abort>,
    /// What it took.
    pub tally: Tally,
}

impl Policy {
    /// Ten attempts, three changes.
    pub const USUAL: Policy = Policy { max_attempts: 10, max_changes: 3 };

    /// The step after an abort that followed `tally.attempts` attempts and `n_changes` changes.
    pub fn step(&self, abort: Abort, tally: &Tally, n_changes: u32) -> Step {
        if tally.attempts >= u64::from(self.max_attempts) {
            return Step::GiveUp;
        }
        let repeats = match abort.cause() {
            Cause::Conflict | Cause::Retry => true,
            Cause::Explicit(_) | Cause::Capacity | Cause::Unexplained => false,
            Cause::Debug | Cause::Nested => return Step::GiveUp,
        };
        match repeats {
            true => Step::Repeat,
            false if n_changes < self.max_changes => Step::Change,
            false => Step::GiveUp,
        }
    }

    /// Runs `body` in transactions until one commits. Where the same again would be in vain, `change` is called
    /// outside; it says whether it has changed anything.
    pub fn run<T>(
        &self,
        rtm: Rtm,
        mut body: impl FnMut(&Transaction) -> T,
        mut change: impl FnMut(Abort) -> bool,
    ) -> RetryResult<T> {
        let mut tally = Tally::default();
        let mut n_changes = 0;
        loop {
            let result = rtm.attempt(&mut body);
            tally.count(&result);
            let Err(abort) = result else { return RetryResult { result, tally } };
            match self.step(abort, &tally, n_changes) {
                Step::Repeat => wait(tally.attempts),
                Step::Change if change(abort) => n_changes += 1,
                Step::Change | Step::GiveUp => return RetryResult { result, tally },
            }
        }
    }
}

impl Tally {
    /// Counts one attempt by its result.
    pub fn count<T>(&mut self, result: &Result<T, Abort>) {
        self.attempts += 1;
        match result {
            Ok(_) => self.commits += 1,
            Err(abort) => self.aborts[abort.cause().index()] += 1,
        }
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Tally) {
        self.attempts += other.attempts;
        self.commits += other.commits;
        for (sum, n) in self.aborts.iter_mut().zip(other.aborts) {
            *sum += n;
        }
    }

    /// Aborts of one cause, whatever the code.
    pub fn aborts_by(&self, cause: Cause) -> u64 {
        self.aborts[cause.index()]
    }
}

/// Lets the other side of a conflict finish: twice as long after each attempt, up to 64 pauses.
fn wait(n_attempts: u64) {
    for _ in 0..1_u64 << n_attempts.min(6) {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFLICT: Abort = Abort { status: 0x6 };
    const CAPACITY: Abort = Abort { status: 0x8 };
    const UNEXPLAINED: Abort = Abort { status: 0 };

    fn after(n_attempts: u64) -> Tally {
        Tally { attempts: n_attempts, ..Tally::default() }
    }

    #[test]
    fn only_conflicts_are_repeated_as_they_are() {
        let policy = Policy::USUAL;
        assert_eq!(policy.step(CONFLICT, &after(1), 0), Step::Repeat);
        for abort in [CAPACITY, UNEXPLAINED, Abort::explicit(1)] {
            assert_eq!(policy.step(abort, &after(1), 0), Step::Change, "{abort}");
        }
        for status in [0x10, 0x20] {
            assert_eq!(policy.step(Abort { status }, &after(1), 0), Step::GiveUp, "{status:#x}");
        }
    }

    #[test]
    fn attempts_and_changes_are_bounded() {
        let policy = Policy { max_attempts: 5, max_changes: 2 };
        assert_eq!(policy.step(CONFLICT, &after(5), 0), Step::GiveUp);
        assert_eq!(policy.step(CAPACITY, &after(3), 1), Step::Change);
        assert_eq!(policy.step(CAPACITY, &after(3), 2), Step::GiveUp);
    }

    #[test]
    fn a_tally_counts_by_cause() {
        let mut tally = Tally::default();
        tally.count::<()>(&Err(CAPACITY));
        tally.count::<()>(&Err(Abort::explicit(7)));
        tally.count(&Ok(()));
        let mut twice = tally;
        twice.add(&tally);
        assert_eq!((twice.attempts, twice.commits), (6, 2));
        assert_eq!((twice.aborts_by(Cause::Capacity), twice.aborts_by(Cause::Explicit(0))), (2, 2));
    }
}
