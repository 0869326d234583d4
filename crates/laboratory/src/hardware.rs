//! Transactions on this processor.
//!
//! What runs inside is a loop over words of one area and nothing else. Everything that a mode asks for happens outside,
//! right before each attempt.

use crate::case::{Case, Mode, Operation, Pattern, Width};
use crate::random::Random;
use crate::sweep::Subject;
use htm::area::{self, LINE_BYTES, PAGE_BYTES, Word};
use htm::{Cause, Rtm};
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Bytes from which areas are taken, for each width, usually.
const POOL_BYTES: usize = 128 << 20;
/// More than the first two levels of any known machine.
const SCRATCH_BYTES: usize = 8 << 20;

/// This processor, with memory to try.
pub struct Hardware {
    rtm: Rtm,
    words32: Pool<AtomicU32>,
    words64: Pool<AtomicU64>,
    scratch: Vec<AtomicU64>,
    random: Random,
}

/// Memory, allocated when it is first needed, and where the current area begins.
struct Pool<W> {
    n_bytes: usize,
    words: Vec<W>,
    start: usize,
}

impl Hardware {
    /// Nothing is allocated yet.
    pub fn new(rtm: Rtm) -> Hardware {
        Hardware::with_pool(rtm, POOL_BYTES)
    }

    /// With so much memory for each width: where transactions are emulated, all memory is copied for each.
    pub fn with_pool(rtm: Rtm, n_bytes: usize) -> Hardware {
        let words32 = Pool { n_bytes, words: Vec::new(), start: 0 };
        let words64 = Pool { n_bytes, words: Vec::new(), start: 0 };
        Hardware { rtm, words32, words64, scratch: Vec::new(), random: Random(1) }
    }

    /// Fills the first levels with other lines and flushes them: `wbinvd` is not for user programs.
    fn empty_caches(&mut self) {
        if self.scratch.is_empty() {
            self.scratch = allocate(SCRATCH_BYTES);
        }
        area::warm(&self.scratch, 1);
        area::flush(&self.scratch);
    }
}

impl Subject for Hardware {
    fn can_try(&self, _case: &Case) -> bool {
        true
    }

    fn start_trial(&mut self, case: &Case, n_bytes: usize) {
        let shift = self.random.below(PAGE_BYTES as u64 / LINE_BYTES as u64) as usize * LINE_BYTES;
        match case.pattern {
            Pattern::Sequential(Width::Bits32) => self.words32.start_trial(case.mode, n_bytes, shift),
            Pattern::Sequential(Width::Bits64) | Pattern::Strided(_) => {
                self.words64.start_trial(case.mode, n_bytes, shift);
            }
        }
    }

    fn attempt(&mut self, case: &Case, n_bytes: usize) -> Result<(), Cause> {
        if case.mode == Mode::Invalidated {
            self.empty_caches();
        }
        match case.pattern {
            Pattern::Sequential(Width::Bits32) => attempt(self.rtm, case, self.words32.area(n_bytes), 1),
            Pattern::Sequential(Width::Bits64) => attempt(self.rtm, case, self.words64.area(n_bytes), 1),
            Pattern::Strided(stride) => attempt(self.rtm, case, self.words64.area(n_bytes), stride / AtomicU64::BYTES),
        }
    }
}

impl<W: Word> Pool<W> {
    /// Moves to the next area, `shift` bytes further, unless the mode uses one area again.
    fn start_trial(&mut self, mode: Mode, n_bytes: usize, shift: usize) {
        if self.words.is_empty() {
            self.words = allocate(self.n_bytes);
        }
        let next = self.start + n_bytes / W::BYTES + shift / W::BYTES;
        let fits = next + n_bytes / W::BYTES <= self.words.len();
        self.start = if mode == Mode::Reused || !fits { 0 } else { next };
    }

    fn area(&self, n_bytes: usize) -> &[W] {
        &self.words[self.start..self.start + n_bytes / W::BYTES]
    }
}

/// Memory whose every page has been written.
fn allocate<W: Word>(n_bytes: usize) -> Vec<W> {
    let words: Vec<W> = std::iter::repeat_with(W::zero).take(n_bytes / W::BYTES).collect();
    area::touch_writes(&words);
    words
}

fn attempt<W: Word>(rtm: Rtm, case: &Case, area: &[W], step: usize) -> Result<(), Cause> {
    prepare(case, area);
    let result = match case.operation {
        Operation::Read => rtm.attempt(|_| read(area, step)).map(|sum| _ = black_box(sum)),
        Operation::Write => rtm.attempt(|_| write(area, step)),
    };
    result.map_err(htm::Abort::cause)
}

fn prepare<W: Word>(case: &Case, area: &[W]) {
    if case.mode != Mode::Untouched {
        match case.operation {
            Operation::Read => area::touch_reads(area),
            Operation::Write => area::touch_writes(area),
        }
    }
    match case.mode {
        Mode::Untouched | Mode::Distinct | Mode::Reused => {}
        Mode::Flushed | Mode::Invalidated => area::flush(area),
        Mode::Warm(passes) => area::warm(area, passes),
    }
}

fn read<W: Word>(area: &[W], step: usize) -> u64 {
    area.iter().step_by(step).fold(0, |sum, word| sum ^ word.read())
}

fn write<W: Word>(area: &[W], step: usize) {
    area.iter().step_by(step).for_each(|word| word.write(1));
}

/// Keeps this thread on the processor it runs on; false if that is not possible here.
pub fn stay_on_one_processor() -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
        let mut processors = CpuSet::new();
        processors.set(sched_getcpu());
        sched_setaffinity(None, &processors).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accesses_of_a_transaction_are_the_words_of_the_pattern() {
        let words: Vec<AtomicU32> = (0..64).map(AtomicU32::new).collect();
        assert_eq!(read(&words, 16), 16 ^ 32 ^ 48);
        write(&words, 32);
        let written: Vec<usize> = (0..64).filter(|n| words[*n].read() == 1).collect();
        assert_eq!(written, [0, 1, 32], "word 1 was 1 before");
    }

    #[test]
    fn areas_are_distinct_unless_they_are_reused() {
        let mut pool = Pool { n_bytes: 0, words: vec![0; 4096].into_iter().map(AtomicU64::new).collect(), start: 0 };
        pool.start_trial(Mode::Distinct, 8192, 64);
        assert_eq!((pool.start, pool.area(8192).len()), (1032, 1024));
        pool.start_trial(Mode::Distinct, 8192, 0);
        assert_eq!(pool.start, 2056);
        pool.start_trial(Mode::Distinct, 8192, 64);
        assert_eq!(pool.start, 0, "from the beginning again");
        pool.start_trial(Mode::Distinct, 8192, 0);
        pool.start_trial(Mode::Reused, 8192, 64);
        assert_eq!(pool.start, 0);
    }
}
