//! The only way from the handlers to the system: three stretches of code in one known range.
//!
//! Inside a transaction the system refuses calls from anywhere else (`PR_SET_SYSCALL_USER_DISPATCH`), so that a program's
//! system call ends its transaction, and the handlers' do not. Nothing here touches `errno`, which belongs to the program.

use std::sync::atomic::{AtomicU32, AtomicU64};

core::arch::global_asm!(
    // Known outside this object file, since the compiler may put the code that calls them into another one.
    ".globl htm_emulator_gate",
    ".hidden htm_emulator_gate",
    ".globl htm_emulator_call",
    ".hidden htm_emulator_call",
    ".globl htm_emulator_stand",
    ".hidden htm_emulator_stand",
    ".globl htm_emulator_return",
    ".hidden htm_emulator_return",
    ".globl htm_emulator_gate_end",
    ".hidden htm_emulator_gate_end",
    ".pushsection .text.htm_emulator,\"ax\",@progbits",
    ".p2align 4",
    "htm_emulator_gate:",
    "htm_emulator_call:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "syscall",
    "ret",
    // Saves what it needs before it says that the thread stands still, and changes nothing on the stack from then on: the
    // snapshot of another thread's transaction may have been taken by then, and its abort may put the stack back.
    "htm_emulator_stand:",
    "push rbx",
    "push r12",
    "push r13",
    "mov r12, rcx",
    "mov r13, r8",
    "mov rbx, r9",
    "mov [rdi], rsi",
    "lock inc dword ptr [rdx]",
    "mov rdi, rdx",
    "mov esi, {wake}",
    "mov edx, 0x7fffffff",
    "mov eax, {futex}",
    "syscall",
    "2:",
    "mov edx, [r12]",
    "xor eax, eax",
    "cmp edx, r13d",
    "sete al",
    "cmp eax, ebx",
    "je 3f",
    "mov rdi, r12",
    "mov esi, {wait}",
    "xor r10d, r10d",
    "mov eax, {futex}",
    "syscall",
    "jmp 2b",
    "3:",
    "pop r13",
    "pop r12",
    "pop rbx",
    "ret",
    "htm_emulator_return:",
    "mov rax, 15",
    "syscall",
    "ud2",
    "htm_emulator_gate_end:",
    ".popsection",
    futex = const libc::SYS_futex,
    wake = const libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
    wait = const libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
);

unsafe extern "C" {
    fn htm_emulator_gate();
    fn htm_emulator_call(number: i64, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize;
    fn htm_emulator_stand(slot: usize, says: u64, changes: usize, word: usize, value: u32, until: u32);
    fn htm_emulator_return();
    fn htm_emulator_gate_end();
}

const NOTHING: usize = 0;
const PR_SET_SYSCALL_USER_DISPATCH: usize = 59;

/// What the system knows as `struct sigaction`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Action {
    pub(super) handler: usize,
    pub(super) flags: u64,
    restorer: usize,
    mask: u64,
}

impl Action {
    pub(super) const DEFAULT: Action = Action { handler: libc::SIG_DFL, flags: 0, restorer: 0, mask: 0 };

    /// Enters `handler` on the alternate stack with every signal blocked, and leaves it through the gate.
    pub(super) fn new(handler: usize) -> Action {
        const SA_RESTORER: u64 = 0x0400_0000;
        let flags = (libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART) as u64 | SA_RESTORER;
        Action { handler, flags, restorer: htm_emulator_return as *const () as usize, mask: !0 }
    }
}

fn call(number: i64, [a, b, c, d, e]: [usize; 5]) -> isize {
    // SAFETY: the callers pass what each call wants, and no call but `madvise` and `rt_sigaction` changes more than the
    // emulator's own memory; those say why they may.
    unsafe { htm_emulator_call(number, a, b, c, d, e) }
}

/// The number of this thread.
pub(super) fn thread() -> u32 {
    call(libc::SYS_gettid, [NOTHING; 5]) as u32
}

/// Sends a signal to a thread of this process. It may have ended.
pub(super) fn signal(process: u32, thread: u32, signal: i32) {
    call(libc::SYS_tgkill, [process as usize, thread as usize, signal as usize, NOTHING, NOTHING]);
}

/// When a thread that stands still continues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WakeWhen {
    /// When the word has another value.
    AtAnother,
    /// When it has this one.
    AtThis,
}

/// Says in a slot that this thread stands still, counts the change, and sleeps.
pub(super) fn stand(
    slot: &AtomicU64,
    says: u64,
    changes: &AtomicU32,
    word: &AtomicU32,
    value: u32,
    wake_when: WakeWhen,
) {
    let (slot, changes, word) = (slot.as_ptr() as usize, changes.as_ptr() as usize, word.as_ptr() as usize);
    // SAFETY: three atomic words that live as long as the process; an aligned store of eight bytes is one access.
    unsafe { htm_emulator_stand(slot, says, changes, word, value, wake_when as u32) }
}

/// Sleeps while the word has the value, until woken, or for some milliseconds at most.
pub(super) fn wait(word: &AtomicU32, value: u32, max_ms: u32) {
    let time = libc::timespec { tv_sec: 0, tv_nsec: i64::from(max_ms) * 1_000_000 };
    let time = std::ptr::from_ref(&time);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    call(libc::SYS_futex, [word.as_ptr() as usize, operation as usize, value as usize, time as usize, NOTHING]);
}

/// Wakes everybody who waits at the word.
pub(super) fn wake(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    call(libc::SYS_futex, [word.as_ptr() as usize, operation as usize, i32::MAX as usize, NOTHING, NOTHING]);
}

/// Lets other threads run.
pub(super) fn pass() {
    call(libc::SYS_sched_yield, [NOTHING; 5]);
}

/// Reads a file from a place on. How many bytes came.
pub(super) fn read_at(file: i32, into: &mut [u8], from: usize) -> usize {
    let n = call(libc::SYS_pread64, [file as usize, into.as_mut_ptr() as usize, into.len(), from, NOTHING]);
    usize::try_from(n).unwrap_or(0)
}

/// Reads a folder, from its beginning if so asked. How many bytes came.
pub(super) fn read_folder(folder: i32, into: &mut [u8], rewinds: bool) -> usize {
    if rewinds {
        call(libc::SYS_lseek, [folder as usize, 0, libc::SEEK_SET as usize, NOTHING, NOTHING]);
    }
    let n = call(libc::SYS_getdents64, [folder as usize, into.as_mut_ptr() as usize, into.len(), NOTHING, NOTHING]);
    usize::try_from(n).unwrap_or(0)
}

/// Gives a page back that the transaction was the first to touch: it is as it was before.
pub(super) fn forget_page(address: usize) {
    call(libc::SYS_madvise, [address, 4096, libc::MADV_DONTNEED as usize, NOTHING, NOTHING]);
}

/// Lets the system refuse calls of this thread from outside the gate, or takes that back. Systems before Linux 5.11 cannot.
pub(super) fn refuse_calls(refuses: bool) {
    let from = htm_emulator_gate as *const () as usize;
    let length = htm_emulator_gate_end as *const () as usize - from;
    let [mode, from, length] = if refuses { [1, from, length] } else { [0; 3] };
    call(libc::SYS_prctl, [PR_SET_SYSCALL_USER_DISPATCH, mode, from, length, NOTHING]);
}

/// Installs an action for a signal. What was there before.
pub(super) fn exchange_action(signal: i32, action: &Action) -> Action {
    let mut old = Action::DEFAULT;
    let (new, before) = (std::ptr::from_ref(action) as usize, std::ptr::from_mut(&mut old) as usize);
    call(libc::SYS_rt_sigaction, [signal as usize, new, before, 8, NOTHING]);
    old
}

/// Says why the emulation cannot continue, and ends the process.
pub(super) fn die(message: &str) -> ! {
    for part in ["the emulator of transactions: ", message, "\n"] {
        call(libc::SYS_write, [2, part.as_ptr() as usize, part.len(), NOTHING, NOTHING]);
    }
    loop {
        call(libc::SYS_exit_group, [101, NOTHING, NOTHING, NOTHING, NOTHING]);
    }
}
