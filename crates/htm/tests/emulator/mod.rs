//! A stand-in for RTM on processors without it: the instructions trap, and the handler does what they would do.
//!
//! Enough to execute every line of assembly of the crate: registers, flags, the stack near its top, and one watched
//! area are rolled back. No isolation, no capacity, and other memory is not rolled back. One thread only.

#![allow(unsafe_code, reason = "a signal handler; every block names its invariant")]

use htm::Rtm;
use libc::{REG_EFL, REG_RAX, REG_RIP, REG_RSP, c_int, c_void, siginfo_t, ucontext_t};
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;

/// Bytes of stack that are rolled back: the red zone below the pointer, and this much above.
const RED_ZONE: usize = 128;
const STACK: usize = 4096;
const ZERO_FLAG: i64 = 1 << 6;
/// Carry, parity, auxiliary, zero, sign and overflow: what `xtest` clears or sets.
const FLAGS: i64 = 0x8d5;

/// Instead of a status: this one does not abort.
pub(crate) const STARTS: u32 = !0;

/// What the processor would keep about an open transaction.
struct Processor {
    depth: u32,
    fallback: i64,
    registers: [i64; 23],
    vectors: Vec<u8>,
    stack: Vec<u8>,
    watched: *mut u8,
    saved: Vec<u8>,
    /// Statuses that the next beginnings abort with.
    aborts: VecDeque<u32>,
}

struct Shared(UnsafeCell<Option<Processor>>);
// SAFETY: one thread uses it, in and outside the handler; the handler runs only at a trapping instruction, and no
// borrow of the cell is alive at one.
unsafe impl Sync for Shared {}
static PROCESSOR: Shared = Shared(UnsafeCell::new(None));

/// Switches the emulation on, for this thread. `watched` is rolled back by aborts.
pub(crate) fn install(watched: &'static [AtomicU64]) -> Rtm {
    let n_bytes = size_of_val(watched);
    let processor = Processor {
        depth: 0,
        fallback: 0,
        registers: [0; 23],
        vectors: vec![0; 512],
        stack: vec![0; RED_ZONE + STACK],
        watched: watched.as_ptr().cast_mut().cast(),
        saved: vec![0; n_bytes],
        aborts: VecDeque::with_capacity(64),
    };
    let handler_stack = Box::leak(vec![0_u8; 1 << 16].into_boxed_slice());
    // SAFETY: no handler is installed yet, so nobody else looks at the cell; the structures passed to the system are
    // complete, and the handler's stack lives as long as the process.
    unsafe {
        *PROCESSOR.0.get() = Some(processor);
        let stack = libc::stack_t { ss_sp: handler_stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: 1 << 16 };
        assert_eq!(libc::sigaltstack(&raw const stack, std::ptr::null_mut()), 0);
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = trap;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        assert_eq!(libc::sigaction(libc::SIGILL, &raw const action, std::ptr::null_mut()), 0);
        Rtm::assume()
    }
}

/// Lets the next beginnings abort at once, with these statuses.
pub(crate) fn abort_next(statuses: &[u32]) {
    // SAFETY: outside the handler, in the only thread.
    let processor = unsafe { (*PROCESSOR.0.get()).as_mut() };
    processor.expect("installed").aborts.extend(statuses);
}

extern "C" fn trap(_signal: c_int, _info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes a context that is ours until we return; the instruction pointer points at the
    // instruction that trapped, and the longest one here has 6 bytes.
    let (processor, context, code) = unsafe {
        let context = &mut *context.cast::<ucontext_t>();
        let code = &*(context.uc_mcontext.gregs[REG_RIP as usize] as *const [u8; 6]);
        ((*PROCESSOR.0.get()).as_mut().expect("installed"), context, *code)
    };
    match code {
        [0xc7, 0xf8, offset @ ..] => processor.begin(context, i64::from(i32::from_le_bytes(offset))),
        [0x0f, 0x01, 0xd5, ..] if processor.depth > 0 => {
            processor.depth -= 1;
            context.uc_mcontext.gregs[REG_RIP as usize] += 3;
        }
        [0x0f, 0x01, 0xd6, ..] => {
            let registers = &mut context.uc_mcontext.gregs;
            registers[REG_EFL as usize] &= !FLAGS;
            registers[REG_EFL as usize] |= if processor.depth == 0 { ZERO_FLAG } else { 0 };
            registers[REG_RIP as usize] += 3;
        }
        [0xc6, 0xf8, code, ..] => processor.abort(context, code),
        _ => std::process::abort(),
    }
}

impl Processor {
    fn begin(&mut self, context: &mut ucontext_t, offset: i64) {
        let fallback = context.uc_mcontext.gregs[REG_RIP as usize] + 6 + offset;
        if let Some(status) = self.aborts.pop_front().filter(|status| *status != STARTS) {
            context.uc_mcontext.gregs[REG_RIP as usize] = fallback;
            context.uc_mcontext.gregs[REG_RAX as usize] = i64::from(status);
            return;
        }
        if self.depth == 0 {
            self.fallback = fallback;
            self.registers = context.uc_mcontext.gregs;
            self.exchange(context, true);
        }
        self.depth += 1;
        context.uc_mcontext.gregs[REG_RIP as usize] += 6;
    }

    fn abort(&mut self, context: &mut ucontext_t, code: u8) {
        if self.depth == 0 {
            // Outside a transaction `xabort` does nothing.
            context.uc_mcontext.gregs[REG_RIP as usize] += 3;
            return;
        }
        let nested = if self.depth > 1 { 0x20 } else { 0 };
        self.depth = 0;
        context.uc_mcontext.gregs = self.registers;
        self.exchange(context, false);
        context.uc_mcontext.gregs[REG_RIP as usize] = self.fallback;
        context.uc_mcontext.gregs[REG_RAX as usize] = i64::from(u32::from(code) << 24 | 1 | nested);
    }

    /// Saves, or restores, vector registers, the top of the stack and the watched area.
    fn exchange(&mut self, context: &ucontext_t, saves: bool) {
        let stack = (self.registers[REG_RSP as usize] as usize - RED_ZONE) as *mut u8;
        let parts = [
            (context.uc_mcontext.fpregs.cast::<u8>(), &mut self.vectors),
            (stack, &mut self.stack),
            (self.watched, &mut self.saved),
        ];
        for (live, copy) in parts {
            // SAFETY: the vector state has 512 bytes; the tests run with more than `STACK` bytes of stack above them,
            // and the handler runs on a stack of its own; the watched area is static and has the copy's length.
            unsafe {
                match saves {
                    true => std::ptr::copy_nonoverlapping(live, copy.as_mut_ptr(), copy.len()),
                    false => std::ptr::copy_nonoverlapping(copy.as_ptr(), live, copy.len()),
                }
            }
        }
    }
}
