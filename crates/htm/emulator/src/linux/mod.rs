//! The emulation, on Linux and x86-64.

#![allow(unsafe_code, reason = "signal handlers; every block names its invariant")]

mod context;
mod gate;
mod mappings;
mod processor;
mod shared;
mod signals;
mod snapshot;
mod stop;

use crate::{Counts, Fate, Faults, Offence, Unavailable};
use htm::{Features, Rtm, Tally};
use shared::{Files, Shared};
use std::fs::File;
use std::os::fd::IntoRawFd;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The emulation of this process.
#[derive(Clone, Copy)]
pub struct Emulator {
    shared: &'static Shared,
    rtm: Rtm,
}

/// Switches the emulation on, for all threads and for as long as the process lives.
///
/// # Panics
/// If the system does not say which threads and which memory the process has.
pub fn install() -> Result<Emulator, Unavailable> {
    static INSTALLED: OnceLock<Emulator> = OnceLock::new();
    if Features::read().rtm {
        return Err(Unavailable::NotNeeded);
    }
    Ok(*INSTALLED.get_or_init(|| {
        let open = |path| File::open(path).expect("the system describes the process").into_raw_fd();
        let files = ["/proc/self/task", "/proc/self/maps", "/proc/self/pagemap"].map(open);
        let [tasks, maps, pagemap] = files;
        let shared = Shared::make(Files { tasks, maps, pagemap });
        shared.set(Faults::NONE);
        signals::install(shared);
        // SAFETY: the handlers that stand in for the instructions are installed, and stay.
        Emulator { shared, rtm: unsafe { Rtm::assume_with_load_tracking() } }
    }))
}

// SAFETY: everything in it is atomic, constant after installation, or given to one thread by the lock of `stop`.
unsafe impl Sync for Shared {}

impl Emulator {
    /// The proof that the instructions work.
    pub fn rtm(self) -> Rtm {
        self.rtm
    }

    /// From now on, what goes wrong on purpose.
    pub fn set(self, faults: Faults) {
        self.shared.set(faults);
    }

    /// Decides about the next transactions, before `Faults` decide about others. One thread at a time may say so.
    pub fn decide(self, fates: &[Fate]) {
        self.shared.decide(fates);
    }

    /// What was counted.
    pub fn counts(self) -> Counts {
        let counters = self.shared.counters();
        Counts {
            tally: Tally {
                attempts: counters.begun.load(Ordering::Relaxed),
                commits: counters.committed.load(Ordering::Relaxed),
                aborts: std::array::from_fn(|idx| counters.aborted[idx].load(Ordering::Relaxed)),
            },
            n_stepped: counters.stepped.load(Ordering::Relaxed),
            n_forbidden: counters.forbidden.load(Ordering::Relaxed),
        }
    }

    /// The first forbidden instructions that were met.
    pub fn offences(self) -> Vec<Offence> {
        let mappings = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        self.shared.offences().map(|(forbidden, address)| Offence::new(forbidden, address, &mappings)).collect()
    }
}

impl std::fmt::Debug for Emulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Emulator").finish_non_exhaustive()
    }
}
