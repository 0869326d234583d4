//! What workers tell one another besides states.

use system::Limit;

/// The head of a parcel of states from the first worker; the next ones follow. Numbers below are news.
pub(crate) const STATES: u32 = 16;

/// The limits, by their numbers in parcels.
const LIMITS: [Limit; 5] = [Limit::States, Limit::Memory, Limit::Time, Limit::Interrupted, Limit::Disk];

/// One piece of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// To the first worker: what the worker has done so far.
    Count(Count),
    /// To all: a property is violated on this level.
    Violated,
    /// To all: a limit is hit, the search is over.
    Stop(Limit),
    /// To all: write a checkpoint before the next level.
    Save,
    /// To the first worker: the checkpoint is written, or cannot be.
    Saved(bool),
}

/// What a worker has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) worker: u32,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) frontier: u64,
    pub(crate) bytes: u64,
    /// States of the level that is complete; none within a level.
    pub(crate) level: u64,
}

impl News {
    pub(crate) fn write(self) -> Vec<u32> {
        match self {
            News::Count(count) => {
                let mut words = vec![1, count.worker];
                let numbers = [count.states, count.transitions, count.frontier, count.bytes, count.level];
                numbers.into_iter().for_each(|number| words.extend([number as u32, (number >> 32) as u32]));
                words
            }
            News::Violated => vec![2],
            News::Stop(limit) => vec![3, number(limit)],
            News::Save => vec![4],
            News::Saved(is_written) => vec![5, u32::from(is_written)],
        }
    }

    pub(crate) fn read(words: &[u32]) -> Option<Self> {
        let number = |at: usize| Some(u64::from(*words.get(at)?) | u64::from(*words.get(at + 1)?) << 32);
        match words {
            [1, worker, ..] => Some(News::Count(Count {
                worker: *worker,
                states: number(2)?,
                transitions: number(4)?,
                frontier: number(6)?,
                bytes: number(8)?,
                level: number(10)?,
            })),
            [2] => Some(News::Violated),
            [3, limit] => self::limit(*limit).map(News::Stop),
            [4] => Some(News::Save),
            [5, is_written] => Some(News::Saved(*is_written == 1)),
            _ => None,
        }
    }
}

/// The number of a limit in parcels.
pub(crate) fn number(limit: Limit) -> u32 {
    LIMITS.iter().position(|known| *known == limit).unwrap_or(LIMITS.len()) as u32
}

/// The limit that has this number.
pub(crate) fn limit(number: u32) -> Option<Limit> {
    LIMITS.get(number as usize).copied()
}
