//! Which words are whose: the counter's line, one block per mutator, then the regions.
//!
//! What two threads write, or one writes at different times, lies on different pairs of lines: a transaction's conflicts are counted
//! in lines, and the processor fetches lines in pairs.

use crate::words::Addr;

/// Mutators that a heap has room for. Few under Miri, for which every word is work.
pub const MAX_MUTATORS: usize = if cfg!(miri) { 2 } else { 8 };
/// References of a mutator that live in machine registers between two yieldpoints.
pub const N_REGISTERS: usize = 4;
/// Words of a shadow stack, the registers' places first.
pub const N_ROOTS: usize = 64;
/// Entries of a log: a ring.
pub const LOG_WORDS: u64 = if cfg!(miri) { 2048 } else { 4096 };
/// The monotonic counter of the transactional method (`CollectorCopyingState`): odd while objects may move.
pub const COUNTER: Addr = Addr(64);
/// How many collector transactions have committed. Not in the thesis, whose counter also changes by aborts. On the counter's line: it
/// changes only with the counter.
pub const COMMITS: Addr = Addr(65);

/// Words of two lines.
const PAIR: u64 = 16;
const FIRST_BLOCK: u64 = 512;
const ROOTS: u64 = 64;
const LOGS: u64 = ROOTS + N_ROOTS as u64;
const BLOCK: u64 = (LOGS + 2 * LOG_WORDS).next_multiple_of(512);
/// Where the first region may begin.
pub(crate) const REGIONS: u64 = FIRST_BLOCK + MAX_MUTATORS as u64 * BLOCK;

/// What a mutator logs for the collector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogKind {
    /// Objects that marking must reach.
    Greys,
    /// Slots that were given a reference.
    Slots,
}

fn block(mutator: usize) -> u64 {
    debug_assert!(mutator < MAX_MUTATORS);
    FIRST_BLOCK + mutator as u64 * BLOCK
}

/// The word by which a mutator forbids commits while it runs outside a transaction in the odd phase.
pub fn veto(mutator: usize) -> Addr {
    Addr(block(mutator))
}

/// How many entries a log has ever got.
#[inline(always)]
pub fn log_written(mutator: usize, kind: LogKind) -> Addr {
    Addr(block(mutator) + (1 + kind as u64) * PAIR)
}

/// Where the entry with this number is, or was.
#[inline(always)]
pub fn log_entry(mutator: usize, kind: LogKind, number: u64) -> Addr {
    Addr(block(mutator) + LOGS + kind as u64 * LOG_WORDS + number % LOG_WORDS)
}

/// A word of a mutator's shadow stack.
#[inline(always)]
pub fn root(mutator: usize, idx: usize) -> Addr {
    debug_assert!(idx < N_ROOTS);
    Addr(block(mutator) + ROOTS + idx as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_things_share_a_word() {
        let mut all = vec![COUNTER, COMMITS];
        for mutator in 0..MAX_MUTATORS {
            all.push(veto(mutator));
            all.extend((0..N_ROOTS).map(|idx| root(mutator, idx)));
            for kind in [LogKind::Greys, LogKind::Slots] {
                all.push(log_written(mutator, kind));
                all.extend((0..LOG_WORDS).map(|number| log_entry(mutator, kind, number)));
            }
        }
        let n = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), n);
        assert!(all.iter().all(|at| at.0 < REGIONS));
    }

    /// A collector transaction reads vetoes and the ends of logs of slots, and writes the counter.
    #[test]
    fn what_a_collector_transaction_needs_shares_no_pair_of_lines() {
        let needed = |mutator| [veto(mutator), log_written(mutator, LogKind::Slots)];
        let others =
            |mutator| [log_written(mutator, LogKind::Greys), root(mutator, 0), log_entry(mutator, LogKind::Greys, 0)];
        let mut pairs: Vec<u64> = vec![COUNTER.0 / PAIR];
        for mutator in 0..MAX_MUTATORS {
            pairs.extend(needed(mutator).iter().chain(&others(mutator)).map(|at| at.0 / PAIR));
        }
        let n = pairs.len();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), n);
    }
}
