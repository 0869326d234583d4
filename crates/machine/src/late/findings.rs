//! The progress of threads that was found last, kept by each worker.
//!
//! It depends on the thread's state and on the cells that its steps look at, while much else changes from state to state.

use crate::late::progress::{Cells, Progress};
use crate::tabulated::compiled::Compiled;
use automata::CellId;
use base::table::Id;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

/// How many findings a worker keeps for each thread. A power of two.
const KEPT: usize = 1 << 14;

/// What was found, and of what.
struct Finding {
    system: u64,
    number: u32,
    /// The cells that may have been looked at.
    cells: Vec<u32>,
    progress: Rc<Progress>,
}

thread_local! {
    static FINDINGS: RefCell<Vec<Vec<Option<Finding>>>> = const { RefCell::new(Vec::new()) };
    /// How many variants were found.
    static FOUND: Cell<u64> = const { Cell::new(0) };
}

impl Compiled<'_> {
    /// How far `thread` may come from `state` without writing, and its writes on the way.
    pub(crate) fn progress(&self, state: &[u32], thread: usize) -> Rc<Progress> {
        let number = state[self.layout.n_words + thread];
        let info = self.ready(thread, number);
        let cells = || state.iter().zip(&info.looked_at).map(|(word, mask)| word & mask.load(Relaxed));
        FINDINGS.with_borrow_mut(|findings| {
            if findings.len() <= thread {
                findings.resize_with(thread + 1, || (0..KEPT).map(|_| None).collect());
            }
            let findings = &mut findings[thread];
            if let Some(known) = &findings[row(number, cells())]
                && (known.system, known.number) == (self.identity, number)
                && known.cells.iter().copied().eq(cells())
            {
                return known.progress.clone();
            }
            let (mut progress, looked_at) = self.find_progress(state, thread);
            progress.number = FOUND.replace(FOUND.get() + progress.variants.len() as u64);
            for (mask, word) in info.looked_at.iter().zip(self.mask(looked_at)) {
                mask.fetch_or(word, Relaxed);
            }
            let progress = Rc::new(progress);
            let cells = cells().collect::<Vec<u32>>();
            let place = &mut findings[row(number, cells.iter().copied())];
            let finding = Finding { system: self.identity, number, cells, progress: progress.clone() };
            self.kept_bytes.fetch_add(finding.progress.bytes(), Relaxed);
            if let Some(old) = place.replace(finding)
                && old.system == self.identity
            {
                self.kept_bytes.fetch_sub(old.progress.bytes(), Relaxed);
            }
            progress
        })
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

fn row(number: u32, cells: impl Iterator<Item = u32>) -> usize {
    let mix = |hash: u64, word: u32| (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let hash = cells.fold(u64::from(number), mix);
    (hash ^ hash >> 32) as usize & (KEPT - 1)
}
