//! The progress of threads that was found last, kept by each worker.
//!
//! It depends on the thread's state and on the cells that its steps look at, while much else changes from state to state.

use crate::late::progress::Progress;
use crate::late::system::{Late, mask};
use crate::properties::kernel::Kernel;
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
    /// For each thread, what was found last; a new one takes the place of an old one.
    kept: Vec<Vec<Option<Finding>>>,
    /// How many variants were found.
    n_found: u64,
    pub(crate) gathered: Gathered,
    /// The state's number and the cells that count.
    key: Vec<u32>,
    bytes: Bytes,
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
    progress: Rc<Progress>,
}

impl Findings {
    pub(crate) fn new(all_bytes: Arc<AtomicU64>) -> Self {
        Findings { bytes: Bytes { all: all_bytes, own: 0 }, ..Findings::default() }
    }

    /// The place for what is found of a thread with the present key.
    fn place(&mut self, thread: usize) -> &mut Option<Finding> {
        if self.kept.len() <= thread {
            self.kept.resize_with(thread + 1, || (0..KEPT).map(|_| None).collect());
        }
        let row = self.row();
        &mut self.kept[thread][row]
    }

    fn row(&self) -> usize {
        hash(&self.key) as usize & (KEPT - 1)
    }

    /// What is known of a thread with the present key.
    fn known(&self, thread: usize) -> Option<Rc<Progress>> {
        let known = self.kept.get(thread)?[self.row()].as_ref()?;
        (known.key == self.key).then(|| known.progress.clone())
    }

    fn put(&mut self, thread: usize, progress: Rc<Progress>) {
        let (key, bytes) = (self.key.clone(), progress.bytes());
        let old = self.place(thread).replace(Finding { key, progress });
        self.bytes.replace(old.map_or(0, |old| old.progress.bytes()), bytes);
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
    pub(crate) fn progress(&self, state: &[u32], thread: usize, findings: &mut Findings) -> Rc<Progress> {
        let number = state[self.tables().layout.n_words + thread];
        let info = self.tables().ready(thread, number);
        let key = |key: &mut Vec<u32>| {
            key.clear();
            key.push(number);
            key.extend(state.iter().zip(&info.looked_at).map(|(word, mask)| word & mask.load(Relaxed)));
        };
        key(&mut findings.key);
        if let Some(known) = findings.known(thread) {
            return known;
        }
        let (mut progress, looked_at) = self.find_progress(state, thread, &mut findings.gathered);
        progress.number = findings.n_found;
        findings.n_found += progress.variants.len() as u64;
        for (mask, word) in info.looked_at.iter().zip(mask(self.tables(), looked_at)) {
            mask.fetch_or(word, Relaxed);
        }
        key(&mut findings.key);
        let progress = Rc::new(progress);
        findings.put(thread, progress.clone());
        progress
    }
}
