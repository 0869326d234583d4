//! The four instructions of RTM, two that suspend load tracking, and one flush.
//!
//! Inline assembly because the intrinsics are unstable in Rust 1.95. No block has `nomem`, `pure` or
//! `preserves_flags`: to the compiler each may read and write all memory, so no access moves across the ends of a
//! transaction. Outside x86-64, and under Miri, a transaction never begins.

/// What [`begin`] returns inside a transaction: no abort has all bits set.
pub(crate) const STARTED: u32 = !0;

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code, reason = "inline assembly; every block names its invariant")]
mod x86_64 {
    use super::STARTED;
    use core::arch::asm;

    /// Begins a transaction: [`STARTED`] inside it, and the status of the abort if it comes back.
    #[inline(always)]
    pub(crate) fn begin() -> u32 {
        let status;
        // SAFETY: the caller has an `Rtm`, so the instruction exists. On an abort the processor restores registers
        // and memory and jumps to label 2 with the status in eax: to Rust, one execution of this block.
        unsafe { asm!("xbegin 2f", "2:", inlateout("eax") STARTED => status, options(nostack)) }
        status
    }

    /// Commits the innermost transaction.
    #[inline(always)]
    pub(crate) fn commit() {
        // SAFETY: the caller owns a `Transaction`, so one is open here; elsewhere `xend` would fault.
        unsafe { asm!("xend", options(nostack)) }
    }

    /// Aborts all open transactions with a code.
    #[inline(always)]
    pub(crate) fn abort<const CODE: u8>() -> ! {
        // SAFETY: the caller owns a `Transaction`, so `xabort` does not come back. If it did, `ud2` ends the process.
        unsafe { asm!("xabort {code}", "ud2", code = const CODE, options(nostack, noreturn)) }
    }

    /// Whether a transaction is open.
    #[inline(always)]
    pub(crate) fn is_open() -> bool {
        let open: u8;
        // SAFETY: the caller has an `Rtm`, so the instruction exists; it changes flags only.
        unsafe { asm!("xtest", "setnz {open}", open = out(reg_byte) open, options(nostack)) }
        open != 0
    }

    /// Loads are not tracked from here on (`xsusldtrk`).
    #[inline(always)]
    pub(crate) fn suspend_load_tracking() {
        // SAFETY: the caller has a `LoadTracking`, so the instruction exists; it changes nothing that a program can see. As bytes,
        // because not every assembler knows its name.
        unsafe { asm!(".byte 0xf2, 0x0f, 0x01, 0xe8", options(nostack)) }
    }

    /// Loads are tracked again (`xresldtrk`).
    #[inline(always)]
    pub(crate) fn resume_load_tracking() {
        // SAFETY: as above.
        unsafe { asm!(".byte 0xf2, 0x0f, 0x01, 0xe9", options(nostack)) }
    }

    /// Takes the line of `word` out of every level of the cache.
    #[inline(always)]
    pub(crate) fn flush_line<T>(word: &T) {
        // SAFETY: every x86-64 processor has `clflush`; a reference is a readable address, and no value changes.
        unsafe { asm!("clflush [{word}]", word = in(reg) std::ptr::from_ref(word), options(nostack)) }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use x86_64::{abort, begin, commit, flush_line, is_open, resume_load_tracking, suspend_load_tracking};

/// No transaction ever begins, so none is ever open.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod absent {
    pub(crate) fn begin() -> u32 {
        0
    }

    pub(crate) fn commit() {}

    pub(crate) fn abort<const CODE: u8>() -> ! {
        unreachable!("no transaction is open")
    }

    pub(crate) fn is_open() -> bool {
        false
    }

    pub(crate) fn suspend_load_tracking() {}

    pub(crate) fn resume_load_tracking() {}

    pub(crate) fn flush_line<T>(_word: &T) {}
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) use absent::{abort, begin, commit, flush_line, is_open, resume_load_tracking, suspend_load_tracking};
