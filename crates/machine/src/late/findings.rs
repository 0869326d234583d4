//! The progress of threads that was found last, kept by each worker.
//!
//! It depends on the thread's state and on the cells that its steps look at, while much else changes from state to state.

use crate::late::choices::KeptChoices;
use crate::late::progress::InvisibleProgress;
use crate::late::system::{Late, mask};
use crate::properties::kernel::Kernel;
use crate::tabulated::locals::FAILED;
use crate::tabulated::tables::OverTables;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use system::hash;

/// How many findings a worker keeps for each thread. A power of two.
const KEPT: usize = 1 << 14;

/// What a worker keeps.
#[derive(Default)]
pub(crate) struct Findings {
    threads: Vec<OfThread>,
    /// How many variants were found.
    n_variants: u64,
    pub(crate) gathered: Gathered,
    pub(crate) choices: KeptChoices,
    /// The state's number, how often the cells that count became more, and these cells.
    key: Vec<u32>,
    bytes: Bytes,
}

/// What was found of one thread.
#[derive(Default)]
struct OfThread {
    /// By state, how often the cells that its progress was found to depend on became more, and their bits, word by word.
    looked_at: Vec<u32>,
    /// What was found last; a new one takes the place of an old one.
    kept: Vec<Option<Finding>>,
}

/// Bytes that a worker keeps, as a part of those that all workers keep.
#[derive(Default)]
struct Bytes {
    all: Arc<AtomicU64>,
    own: u64,
}

impl Bytes {
    fn replace(&mut self, old: u64, new: u64) {
        self.own = self.own + new - old;
        self.all.fetch_add(new, Relaxed);
        self.all.fetch_sub(old, Relaxed);
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.all.fetch_sub(self.own, Relaxed);
    }
}

/// What was found, and of what.
struct Finding {
    /// The state's number and the cells that may have been looked at.
    key: Vec<u32>,
    progress: Rc<InvisibleProgress>,
}

impl Findings {
    pub(crate) fn new(all_bytes: Arc<AtomicU64>) -> Self {
        Findings { bytes: Bytes { all: all_bytes, own: 0 }, ..Findings::default() }
    }

    /// Puts the key of a state of `thread` with these cells.
    fn ask(&mut self, thread: usize, number: u32, cells: &[u32]) {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, OfThread::default);
        }
        let counted = self.threads[thread].looked_at(number, cells.len());
        self.key.clear();
        self.key.extend([number, counted[0]]);
        self.key.extend(cells.iter().zip(&counted[1..]).map(|(word, mask)| word & mask));
    }

    fn row(&self) -> usize {
        hash(&self.key) as usize & (KEPT - 1)
    }

    /// What is known of a thread with the present key.
    fn known(&self, thread: usize) -> Option<Rc<InvisibleProgress>> {
        let known = self.threads[thread].kept.get(self.row())?.as_ref()?;
        (known.key == self.key).then(|| known.progress.clone())
    }

    /// Keeps what was found of a thread with the present key.
    fn put(&mut self, thread: usize, progress: Rc<InvisibleProgress>) {
        let (row, key, bytes) = (self.row(), self.key.clone(), progress.bytes());
        let kept = &mut self.threads[thread].kept;
        if kept.is_empty() {
            kept.resize_with(KEPT, || None);
        }
        let old = kept[row].replace(Finding { key, progress });
        self.bytes.replace(old.map_or(0, |old| old.progress.bytes()), bytes);
    }
}

impl OfThread {
    /// What its progress from a state was found to depend on.
    fn looked_at(&mut self, number: u32, n_words: usize) -> &mut [u32] {
        let at = (number & !FAILED) as usize * (n_words + 1);
        if self.looked_at.len() <= at {
            self.looked_at.resize(at + n_words + 1, 0);
        }
        &mut self.looked_at[at..][..n_words + 1]
    }

    /// Adds bits of cells. What was found with fewer is not found again: its number stands for states that differ in these.
    fn look_at(&mut self, number: u32, mask: &[u32]) {
        let [times, old @ ..] = self.looked_at(number, mask.len()) else { return };
        let is_more = old.iter().zip(mask).any(|(old, new)| new & !*old != 0);
        *times += u32::from(is_more);
        old.iter_mut().zip(mask).for_each(|(old, new)| *old |= new);
    }
}

/// By the number of code, when it was last gathered, and the time.
#[derive(Default)]
pub(crate) struct Gathered {
    times: Vec<u32>,
    now: u32,
}

impl Gathered {
    /// Each of `kernels` once.
    pub(crate) fn each_once<'a>(&mut self, kernels: impl Iterator<Item = &'a Arc<Kernel>>) -> Vec<Arc<Kernel>> {
        self.now += 1;
        let is_first = |kernel: &&Arc<Kernel>| {
            let number = kernel.number as usize;
            if number >= self.times.len() {
                self.times.resize(number + 1, 0);
            }
            std::mem::replace(&mut self.times[number], self.now) != self.now
        };
        kernels.filter(is_first).cloned().collect()
    }
}

impl Late<'_> {
    /// How far `thread` may come from `state` without writing, and its writes on the way.
    pub(crate) fn progress(&self, state: &[u32], thread: usize, findings: &mut Findings) -> Rc<InvisibleProgress> {
        let (cells, numbers) = state.split_at(self.tables().layout.n_words);
        findings.ask(thread, numbers[thread], cells);
        if let Some(known) = findings.known(thread) {
            return known;
        }
        let (mut progress, looked_at) = self.find_progress(state, thread, &mut findings.gathered);
        progress.number = findings.n_variants;
        findings.n_variants += progress.variants.len() as u64;
        findings.choices.number_effects(&mut progress);
        findings.threads[thread].look_at(numbers[thread], &mask(self.tables(), looked_at));
        findings.ask(thread, numbers[thread], cells);
        let progress = Rc::new(progress);
        findings.put(thread, progress.clone());
        progress
    }
}
