//! The progress of threads that was found last, kept by each worker.
//!
//! It depends on the thread's state and on the cells that its steps look at, while much else changes from state to state.

use crate::late::progress::{Cells, Progress};
use crate::properties::kernel::Kernel;
use crate::tabulated::compiled::Compiled;
use automata::CellId;
use base::table::Id;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use system::hash;

/// How many findings a worker keeps for each thread. A power of two.
const KEPT: usize = 1 << 14;

/// What a worker keeps.
pub(crate) struct Findings {
    /// For each thread, what was found last; a new one takes the place of an old one.
    kept: Vec<Vec<Option<Finding>>>,
    /// How many variants were found.
    n_found: u64,
    pub(crate) gathered: Gathered,
    /// The state's number and the cells that count.
    key: Vec<u32>,
    /// Bytes that all workers keep.
    all_bytes: Arc<AtomicU64>,
    bytes: u64,
}

/// What was found, and of what.
struct Finding {
    /// The state's number and the cells that may have been looked at.
    key: Vec<u32>,
    progress: Rc<Progress>,
}

impl Findings {
    pub(crate) fn new(all_bytes: Arc<AtomicU64>) -> Self {
        let (kept, key, gathered) = (Vec::new(), Vec::new(), Gathered::default());
        Findings { kept, n_found: 0, gathered, key, all_bytes, bytes: 0 }
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
        let old_bytes = old.map_or(0, |old| old.progress.bytes());
        self.bytes = self.bytes + bytes - old_bytes;
        self.all_bytes.fetch_add(bytes, Relaxed);
        self.all_bytes.fetch_sub(old_bytes, Relaxed);
    }
}

impl Drop for Findings {
    fn drop(&mut self) {
        self.all_bytes.fetch_sub(self.bytes, Relaxed);
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

impl Compiled<'_> {
    /// How far `thread` may come from `state` without writing, and its writes on the way.
    pub(crate) fn progress(&self, state: &[u32], thread: usize, findings: &mut Findings) -> Rc<Progress> {
        let number = state[self.layout.n_words + thread];
        let info = self.ready(thread, number);
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
        for (mask, word) in info.looked_at.iter().zip(self.mask(looked_at)) {
            mask.fetch_or(word, Relaxed);
        }
        key(&mut findings.key);
        let progress = Rc::new(progress);
        findings.put(thread, progress.clone());
        progress
    }

    /// The bits of these cells, word by word.
    pub(crate) fn mask(&self, cells: Cells) -> Vec<u32> {
        let mut mask = vec![0; self.layout.n_words];
        for cell in (0..Cells::BITS as usize).filter(|cell| cells >> cell & 1 == 1) {
            let (word, bits) = self.layout.slot(CellId::new(cell)).place();
            mask[word] |= bits;
        }
        mask
    }
}
