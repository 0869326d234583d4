//! Counters, for the tests and for the example that says how fast a check is.

use liveness::FairSystem;
use system::{Successors, TransitionSystem};

/// What the system says that it holds itself.
pub(crate) const OWN_BYTES: u64 = 1 << 24;

/// Threads that count to `most` and, if they loop, begin again; thread `i` may step while it is not done.
pub(crate) struct Counters {
    pub(crate) n: usize,
    pub(crate) most: u32,
    pub(crate) round: bool,
}

impl TransitionSystem for Counters {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        self.n
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&vec![0; self.n], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        for i in 0..self.n {
            if from[i] < self.most {
                out.push(from, i as u8)[i] += 1;
            } else if self.round {
                out.push(from, i as u8)[i] = 0;
            }
        }
    }
    fn own_bytes(&self) -> u64 {
        OWN_BYTES
    }
}

impl FairSystem for Counters {
    /// Bit `i`: counter `i` is at its end.
    fn atoms(&self, state: &[u32]) -> u64 {
        (0..self.n).filter(|i| state[*i] == self.most).map(|i| 1 << i).sum()
    }
    fn n_components(&self) -> u32 {
        self.n as u32
    }
    fn taken(&self, label: u8) -> u64 {
        1 << label
    }
}
