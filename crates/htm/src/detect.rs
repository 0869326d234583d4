//! Whether hardware transactions work here: what the processor says, and a trial that commits.
//!
//! Both are needed. Microcode of 2021 leaves the instructions in place and lets every transaction abort; a
//! hypervisor may hide the bits, or show them where nothing commits.

use crate::instructions;
use crate::transaction::Transaction;
use std::fmt;
use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Attempts of the trial. One commit is enough; a loaded virtual machine may abort a few hundred in a row.
const TRIAL_ATTEMPTS: u32 = 10_000;

/// The proof that hardware transactions commit on this machine.
///
/// Invariant: exists only where the instructions exist.
#[derive(Clone, Copy, Debug)]
pub struct Rtm {
    can_suspend: bool,
}

/// The proof that load tracking can be suspended in a transaction (TSXLDTRK).
///
/// Invariant: exists only where the instructions exist.
#[derive(Clone, Copy, Debug)]
pub struct LoadTracking(());

/// Why there are no hardware transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The architecture has none.
    Architecture,
    /// The processor does not list RTM.
    NotListed,
    /// The processor lists RTM, and says that every transaction aborts (`rtm_always_abort`).
    AlwaysAborts,
    /// The processor lists RTM, and no transaction of the trial committed.
    NeverCommitted,
}

/// What CPUID says about transactions (leaf 7, subleaf 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Restricted transactional memory: EBX bit 11.
    pub rtm: bool,
    /// Hardware lock elision: EBX bit 4.
    pub hle: bool,
    /// Every transaction aborts: EDX bit 11.
    pub rtm_always_abort: bool,
    /// Transactions can be made to abort, to free a performance counter: EDX bit 13.
    pub tsx_force_abort: bool,
    /// Load tracking can be suspended: EDX bit 16.
    pub tsx_load_tracking: bool,
}

impl Rtm {
    /// Finds out, once per process, whether hardware transactions commit here.
    pub fn detect() -> Result<Rtm, Missing> {
        static FOUND: OnceLock<Result<Rtm, Missing>> = OnceLock::new();
        *FOUND.get_or_init(find)
    }

    /// The proof without the search.
    ///
    /// # Safety
    /// The processor, or whatever stands in for it, executes `xbegin`, `xend`, `xabort` and `xtest`.
    #[allow(unsafe_code, reason = "the caller vouches for what `detect` would check")]
    pub unsafe fn assume() -> Rtm {
        Rtm { can_suspend: false }
    }

    /// The same, with load tracking that can be suspended.
    ///
    /// # Safety
    /// As for [`Rtm::assume`], and for `xsusldtrk` and `xresldtrk` too.
    #[allow(unsafe_code, reason = "the caller vouches for what `detect` would check")]
    pub unsafe fn assume_with_load_tracking() -> Rtm {
        Rtm { can_suspend: true }
    }

    /// Load tracking, if it can be suspended here: the processor says so, and a transaction that does it has committed.
    pub fn load_tracking(self) -> Option<LoadTracking> {
        self.can_suspend.then_some(LoadTracking(()))
    }

    /// Whether a transaction is open in this thread.
    #[inline(always)]
    pub fn is_inside(self) -> bool {
        instructions::is_open()
    }
}

fn find() -> Result<Rtm, Missing> {
    if cfg!(not(all(target_arch = "x86_64", not(miri)))) {
        return Err(Missing::Architecture);
    }
    let features = Features::read();
    match features {
        Features { rtm: false, .. } => Err(Missing::NotListed),
        Features { rtm_always_abort: true, .. } => Err(Missing::AlwaysAborts),
        _ if commits(Rtm { can_suspend: false }, |_| ()) => {
            let tracking = LoadTracking(());
            let can_suspend = features.tsx_load_tracking
                && commits(Rtm { can_suspend: true }, |inside| tracking.suspended(inside, || ()));
            Ok(Rtm { can_suspend })
        }
        _ => Err(Missing::NeverCommitted),
    }
}

impl LoadTracking {
    /// Runs `read` in an open transaction without adding what it loads to the read set: a write by another thread to that goes
    /// unnoticed. Only for what no other thread writes.
    #[inline(always)]
    pub fn suspended<T>(self, _inside: &Transaction, read: impl FnOnce() -> T) -> T {
        instructions::suspend_load_tracking();
        let result = read();
        instructions::resume_load_tracking();
        result
    }
}

/// Whether one of many small transactions that do this commits and what it wrote is there.
fn commits(rtm: Rtm, what: impl Fn(&Transaction)) -> bool {
    let word = AtomicU64::new(0);
    (0..TRIAL_ATTEMPTS).any(|_| {
        // Touched outside so that its page is not the reason.
        black_box(word.load(Ordering::Relaxed));
        let inside = rtm.attempt(|transaction| {
            word.store(1, Ordering::Relaxed);
            what(transaction);
            rtm.is_inside()
        });
        inside == Ok(true) && word.load(Ordering::Relaxed) == 1
    })
}

impl Features {
    /// Asks the processor.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub fn read() -> Features {
        use core::arch::x86_64::{__cpuid, __cpuid_count};
        if __cpuid(0).eax < 7 {
            return Features::default();
        }
        let leaf = __cpuid_count(7, 0);
        let bit = |word: u32, n: u32| word >> n & 1 == 1;
        Features {
            rtm: bit(leaf.ebx, 11),
            hle: bit(leaf.ebx, 4),
            rtm_always_abort: bit(leaf.edx, 11),
            tsx_force_abort: bit(leaf.edx, 13),
            tsx_load_tracking: bit(leaf.edx, 16),
        }
    }

    /// There is nothing to ask.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    pub fn read() -> Features {
        Features::default()
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Missing::Architecture => "this architecture has no hardware transactions",
            Missing::NotListed => "this processor has no RTM (CPUID leaf 7, EBX bit 11 is 0)",
            Missing::AlwaysAborts => "this processor lets every transaction abort (CPUID: rtm_always_abort)",
            Missing::NeverCommitted => "this processor lists RTM, but no trial transaction committed",
        })
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = [
            ("RTM", self.rtm),
            ("HLE", self.hle),
            ("RTM_ALWAYS_ABORT", self.rtm_always_abort),
            ("TSX_FORCE_ABORT", self.tsx_force_abort),
            ("TSXLDTRK", self.tsx_load_tracking),
        ];
        let words: Vec<String> = bits.iter().map(|(name, is_set)| format!("{name}={}", u8::from(*is_set))).collect();
        f.write_str(&words.join(" "))
    }
}
