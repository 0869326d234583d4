//! How the handlers are entered, and whom a signal goes to that is not theirs.

use super::context::Context;
use super::gate::{self, Action};
use super::processor::Processor;
use super::shared::Shared;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::sync::atomic::{AtomicI32, Ordering};

type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// Status of an abort by a debug exception.
const DEBUG: u32 = 1 << 4;
/// Reason of a trap: one instruction was executed.
const TRAP_TRACE: c_int = 2;
/// Where the information about a refused system call has the address of the instruction after it.
const CALL_ADDRESS_AT: usize = 16;
const CALL_BYTES: u64 = 2;

/// Signals that the emulation needs for itself, with what it does about each.
const HANDLERS: [(c_int, Handler); 6] = [
    (libc::SIGILL, on_instruction),
    (libc::SIGTRAP, on_trap),
    (libc::SIGSEGV, on_fault),
    (libc::SIGBUS, on_fault),
    (libc::SIGFPE, on_fault),
    (libc::SIGSYS, on_call),
];

static STAND_STILL: AtomicI32 = AtomicI32::new(0);

/// The signal that sends a thread into its handler.
pub(super) fn stand_still_signal() -> c_int {
    STAND_STILL.load(Ordering::Relaxed)
}

/// Installs every handler.
pub(super) fn install(shared: &Shared) {
    let stand_still = libc::SIGRTMIN() + 5;
    STAND_STILL.store(stand_still, Ordering::Relaxed);
    for (signal, handler) in HANDLERS.into_iter().chain([(stand_still, on_stand_still as Handler)]) {
        // Read first: the handler may be called as soon as it is there.
        let before = gate::exchange_action(signal, &Action::DEFAULT);
        shared.set_previous(signal, before);
        gate::exchange_action(signal, &Action::new(handler as *const () as usize));
    }
}

/// The thread as the handler sees it.
fn processor<'a>(context: *mut c_void) -> Processor<'a> {
    // SAFETY: the system passes a context that is the handler's until it returns.
    Processor::new(Context(unsafe { &mut *context.cast::<ucontext_t>() }))
}

extern "C" fn on_instruction(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let mut processor = processor(context);
    if !processor.execute() && !processor.fault(0) {
        pass_on(signal, info, context);
    }
}

extern "C" fn on_trap(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes the information.
    let is_step = unsafe { (*info).si_code } == TRAP_TRACE;
    let mut processor = processor(context);
    let is_ours = if is_step { processor.step() } else { processor.fault(DEBUG) };
    if !is_ours {
        pass_on(signal, info, context);
    }
}

extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    if !processor(context).fault(0) {
        pass_on(signal, info, context);
    }
}

extern "C" fn on_call(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes the information, which has 128 bytes; in that of this signal the address is there.
    let after = unsafe { info.cast::<u8>().add(CALL_ADDRESS_AT).cast::<u64>().read() };
    if !processor(context).refuse(after.wrapping_sub(CALL_BYTES)) {
        pass_on(signal, info, context);
    }
}

extern "C" fn on_stand_still(_signal: c_int, _info: *mut siginfo_t, context: *mut c_void) {
    processor(context).stand_still();
}

/// Does what would have been done without us.
fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let previous = Shared::get().previous(signal);
    match previous.handler {
        // The instruction is executed once more, and ends the process.
        libc::SIG_DFL => _ = gate::exchange_action(signal, &Action::DEFAULT),
        libc::SIG_IGN => {}
        address => {
            // SAFETY: the address of a handler that somebody has installed; those that want less take the three, too.
            let handler = unsafe { std::mem::transmute::<usize, Handler>(address) };
            handler(signal, info, context);
        }
    }
}
