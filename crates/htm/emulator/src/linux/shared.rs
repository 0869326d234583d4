//! What the handlers of all threads know. In a shared mapping, so that no abort rolls it back.

use super::context::Registers;
use super::gate::{self, Action};
use crate::faults::{self, Causes, Fate, Faults, Stepping};
use crate::forbidden::Forbidden;
use htm::{Abort, Cause};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Pages that a snapshot may have: 2 GB, of which only what is used is ever touched.
pub(super) const MAX_PAGES: usize = 1 << 19;
pub(super) const PAGE: usize = 4096;
const MAX_FATES: usize = 1024;
const MAX_OFFENCES: usize = 64;
const MAX_SIGNALS: usize = 65;

/// Everything, zeros at first.
#[repr(C)]
pub(super) struct Shared {
    pub(super) stop: super::stop::Stop,
    counters: Counters,
    settings: Settings,
    offences: [[AtomicU64; 2]; MAX_OFFENCES],
    transaction: UnsafeCell<Transaction>,
    previous: UnsafeCell<[Action; MAX_SIGNALS]>,
    pub(super) process: u32,
    pub(super) files: Files,
}

/// Files that are open from the beginning: the lists of threads and mappings, and which pages are there.
#[derive(Clone, Copy)]
pub(super) struct Files {
    pub(super) tasks: i32,
    pub(super) maps: i32,
    pub(super) pagemap: i32,
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) begun: AtomicU64,
    pub(super) committed: AtomicU64,
    pub(super) aborted: [AtomicU64; Cause::ALL.len()],
    pub(super) stepped: AtomicU64,
    pub(super) forbidden: AtomicU64,
}

/// [`Faults`], and a queue of fates that come first.
struct Settings {
    at_begin_per_mille: AtomicU32,
    stepped_per_mille: AtomicU32,
    /// 0: to the end.
    aborts_within: AtomicU32,
    delayed_per_mille: AtomicU32,
    has_conflicts_only: AtomicBool,
    seed: AtomicU64,
    position: AtomicU64,
    decided: [AtomicU64; MAX_FATES],
    n_decided: AtomicU32,
    n_taken: AtomicU32,
}

/// The open transaction: its owner's alone.
#[repr(C)]
pub(super) struct Transaction {
    pub(super) depth: u32,
    pub(super) fallback: i64,
    pub(super) registers: Registers,
    /// Instructions that may still be executed, if it is stepped.
    pub(super) is_stepped: bool,
    pub(super) n_left: u64,
    /// The status, if it aborts when none is left.
    pub(super) status: u32,
    pub(super) snapshot: super::snapshot::Snapshot,
}

impl Settings {
    fn faults(&self) -> Faults {
        let within = self.aborts_within.load(Ordering::Relaxed);
        Faults {
            at_begin_per_mille: self.at_begin_per_mille.load(Ordering::Relaxed),
            stepped_per_mille: self.stepped_per_mille.load(Ordering::Relaxed),
            stepping: if within == 0 { Stepping::Whole } else { Stepping::AbortsWithin(within) },
            delayed_per_mille: self.delayed_per_mille.load(Ordering::Relaxed),
            causes: match self.has_conflicts_only.load(Ordering::Relaxed) {
                true => Causes::Conflicts,
                false => Causes::All,
            },
            seed: self.seed.load(Ordering::Relaxed),
        }
    }

    fn random(&self) -> u64 {
        faults::random(self.seed.load(Ordering::Relaxed), self.position.fetch_add(1, Ordering::Relaxed))
    }
}

static SHARED: AtomicPtr<Shared> = AtomicPtr::new(std::ptr::null_mut());

impl Shared {
    /// Makes it, once per process and before any handler is installed.
    pub(super) fn make(files: Files) -> &'static Shared {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping that is never unmapped, large enough and aligned to a page; zeros are a valid `Shared`;
        // nobody else knows it yet.
        unsafe {
            let length = size_of::<Shared>();
            let memory = libc::mmap(std::ptr::null_mut(), length, protection, flags | libc::MAP_NORESERVE, -1, 0);
            assert_ne!(memory, libc::MAP_FAILED, "there is no memory for the emulator");
            let shared = memory.cast::<Shared>();
            (*shared).process = std::process::id();
            (*shared).files = files;
            SHARED.store(shared, Ordering::Release);
            &*shared
        }
    }

    pub(super) fn get() -> &'static Shared {
        // SAFETY: set before the first handler was installed, and never unmapped.
        unsafe { SHARED.load(Ordering::Acquire).as_ref() }.unwrap_or_else(|| gate::die("it is not installed"))
    }

    /// The open transaction.
    ///
    /// # Safety
    /// The caller is the owner, in a handler, and holds no other borrow.
    #[allow(clippy::mut_from_ref, reason = "the owner is alone, and the caller vouches for the rest")]
    pub(super) unsafe fn transaction(&self) -> &mut Transaction {
        // SAFETY: the lock of `stop` gives the transaction to its owner; the caller vouches for the rest.
        unsafe { &mut *self.transaction.get() }
    }

    /// What was installed for a signal before us.
    pub(super) fn previous(&self, signal: i32) -> Action {
        // SAFETY: written by `set_previous` only, before the signal's handler is installed.
        unsafe { (*self.previous.get())[signal as usize] }
    }

    pub(super) fn set_previous(&self, signal: i32, action: Action) {
        // SAFETY: during installation, by one thread; nobody reads this entry before its handler is there.
        unsafe { (*self.previous.get())[signal as usize] = action }
    }

    /// What becomes of the transaction that begins.
    pub(super) fn fate(&self) -> Fate {
        let settings = &self.settings;
        let position = settings.n_taken.load(Ordering::Acquire);
        if position < settings.n_decided.load(Ordering::Acquire) {
            let position = settings.n_taken.fetch_add(1, Ordering::AcqRel) as usize;
            let word = settings.decided[position % MAX_FATES].load(Ordering::Acquire);
            return faults::decode(word).unwrap_or(Fate::Starts);
        }
        settings.faults().fate(settings.random())
    }

    /// How many turns it lets pass first.
    pub(super) fn n_turns(&self) -> u32 {
        self.settings.faults().n_turns(self.settings.random())
    }

    pub(super) fn set(&self, faults: Faults) {
        let settings = &self.settings;
        settings.at_begin_per_mille.store(faults.at_begin_per_mille, Ordering::Relaxed);
        settings.stepped_per_mille.store(faults.stepped_per_mille, Ordering::Relaxed);
        let within = match faults.stepping {
            Stepping::Whole => 0,
            Stepping::AbortsWithin(n) => n.max(1),
        };
        settings.aborts_within.store(within, Ordering::Relaxed);
        settings.delayed_per_mille.store(faults.delayed_per_mille, Ordering::Relaxed);
        settings.has_conflicts_only.store(faults.causes == Causes::Conflicts, Ordering::Relaxed);
        settings.seed.store(faults.seed, Ordering::Relaxed);
        settings.position.store(0, Ordering::Relaxed);
    }

    pub(super) fn decide(&self, fates: &[Fate]) {
        let settings = &self.settings;
        for fate in fates {
            let position = settings.n_decided.load(Ordering::Acquire);
            settings.decided[position as usize % MAX_FATES].store(faults::encode(*fate), Ordering::Release);
            settings.n_decided.store(position + 1, Ordering::Release);
        }
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn count_abort(&self, status: u32) {
        self.counters.aborted[Abort { status }.cause().index()].fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a forbidden instruction; each address once, as long as there is room.
    pub(super) fn offend(&self, forbidden: Forbidden, address: u64) {
        self.counters.forbidden.fetch_add(1, Ordering::Relaxed);
        for [place, kind] in &self.offences {
            let seen = place.load(Ordering::Relaxed);
            if seen == address {
                return;
            }
            if seen == 0 {
                kind.store(forbidden as u64, Ordering::Relaxed);
                place.store(address, Ordering::Release);
                return;
            }
        }
    }

    /// The forbidden instructions met so far, with their addresses.
    pub(super) fn offences(&self) -> impl Iterator<Item = (Forbidden, u64)> {
        self.offences.iter().filter_map(|[place, kind]| {
            let address = place.load(Ordering::Acquire);
            Some((Forbidden::of_number(kind.load(Ordering::Relaxed) as u32)?, address))
        })
    }
}
