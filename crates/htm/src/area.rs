//! Memory before an attempt: pages touched, lines warmed up or flushed.
//!
//! A page that is resident may still have no usable translation, and then aborts every transaction with status 0. So
//! touching is not an optimisation: it is done outside, right before the attempt, and again after status 0.

use crate::instructions;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Bytes of the smallest page.
pub const PAGE_BYTES: usize = 4096;
/// Bytes of a line of the cache.
pub const LINE_BYTES: usize = 64;

/// A shared word of 32 or 64 bits.
pub trait Word: Sync {
    /// Its size.
    const BYTES: usize;
    /// The word 0.
    fn zero() -> Self;
    /// Reads it.
    fn read(&self) -> u64;
    /// Writes it.
    fn write(&self, value: u64);
    /// Writes the value it has, if nobody interferes.
    ///
    /// A compare-and-swap, because the compiler turns a read-modify-write that changes nothing into a load.
    fn rewrite(&self);
}

macro_rules! word {
    ($atomic:ty, $plain:ty) => {
        impl Word for $atomic {
            const BYTES: usize = size_of::<$plain>();

            fn zero() -> Self {
                <$atomic>::new(0)
            }

            #[inline(always)]
            fn read(&self) -> u64 {
                u64::from(self.load(Ordering::Relaxed))
            }

            #[inline(always)]
            fn write(&self, value: u64) {
                self.store(value as $plain, Ordering::Relaxed);
            }

            #[inline(always)]
            fn rewrite(&self) {
                let value = self.load(Ordering::Relaxed);
                let _ = self.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    };
}

word!(AtomicU32, u32);
word!(AtomicU64, u64);

/// The first word of each line or page, and the last word of all.
fn every<W: Word>(area: &[W], bytes: usize) -> impl Iterator<Item = &W> {
    area.iter().step_by(bytes / W::BYTES).chain(area.last())
}

/// Reads one word of every page, so that a transaction may read the area.
pub fn touch_reads<W: Word>(area: &[W]) {
    every(area, PAGE_BYTES).for_each(|word| {
        black_box(word.read());
    });
}

/// Rewrites one word of every page, so that a transaction may write the area.
pub fn touch_writes<W: Word>(area: &[W]) {
    every(area, PAGE_BYTES).for_each(W::rewrite);
}

/// Reads one word of every line, `passes` times: what a transaction will read is in the cache.
pub fn warm<W: Word>(area: &[W], passes: u32) {
    for _ in 0..passes {
        every(area, LINE_BYTES).for_each(|word| {
            black_box(word.read());
        });
    }
}

/// Takes every line out of the caches.
pub fn flush<W: Word>(area: &[W]) {
    every(area, LINE_BYTES).for_each(instructions::flush_line);
    fence(Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_done_before_an_attempt_changes_a_word() {
        let area: Vec<AtomicU32> = (0..5000).map(AtomicU32::new).collect();
        touch_reads(&area);
        touch_writes(&area);
        warm(&area, 2);
        flush(&area);
        assert!(area.iter().enumerate().all(|(idx, word)| word.read() == idx as u64));
    }

    #[test]
    fn every_page_is_visited_though_the_area_begins_inside_one() {
        let area: Vec<AtomicU64> = (0..PAGE_BYTES / 8 + 1).map(|_| AtomicU64::zero()).collect();
        let visited: Vec<usize> = every(&area[1..], PAGE_BYTES)
            .map(|word| (word as *const _ as usize - area.as_ptr() as usize) / 8)
            .collect();
        assert_eq!(visited, [1, PAGE_BYTES / 8]);
    }
}
