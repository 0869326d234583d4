//! The registers of the interrupted code: general, flags, vectors.

use super::gate;
use libc::{REG_EFL, REG_RAX, REG_RIP, ucontext_t};

/// Bytes of vector state, at most: AVX-512 has less than 3 KB, matrix tiles 8 KB more.
const MAX_VECTORS: usize = 1 << 14;
/// Where the frame of a signal says how long the vector state is (`struct _fpx_sw_bytes`), and that it says so.
const SIZE_AT: usize = 464 + 16;
const MAGIC_AT: usize = 464;
const MAGIC: u32 = 0x4650_5853;
const LEGACY_BYTES: usize = 512;
const TRAP_FLAG: i64 = 1 << 8;
const ZERO_FLAG: i64 = 1 << 6;
/// Carry, parity, auxiliary, zero, sign and overflow: what `xtest` clears or sets.
const STATUS_FLAGS: i64 = 0x8d5;

/// A copy of all registers.
#[repr(C)]
pub(super) struct Registers {
    general: [i64; 23],
    n_vector_bytes: usize,
    vectors: [u8; MAX_VECTORS],
}

/// What a handler may change: the state in which the interrupted code continues.
pub(super) struct Context<'a>(pub(super) &'a mut ucontext_t);

impl Context<'_> {
    fn general(&mut self, register: i32) -> &mut i64 {
        &mut self.0.uc_mcontext.gregs[register as usize]
    }

    /// The address of the instruction.
    pub(super) fn place(&self) -> i64 {
        self.0.uc_mcontext.gregs[REG_RIP as usize]
    }

    /// A byte of the code, so many after the present instruction's first.
    pub(super) fn byte(&self, n: usize) -> u8 {
        let place = self.place() as usize;
        // SAFETY: the processor has executed, or is about to execute, this instruction, and nobody asks for more bytes than it has.
        unsafe { *((place + n) as *const u8) }
    }

    /// Goes on so many bytes later.
    pub(super) fn skip(&mut self, n_bytes: i64) {
        *self.general(REG_RIP) += n_bytes;
    }

    /// Goes on elsewhere, with a status.
    pub(super) fn jump(&mut self, place: i64, status: u32) {
        *self.general(REG_RIP) = place;
        *self.general(REG_RAX) = i64::from(status);
    }

    /// The flags of `xtest`.
    pub(super) fn set_zero(&mut self, is_zero: bool) {
        let flags = *self.general(REG_EFL) & !STATUS_FLAGS;
        *self.general(REG_EFL) = if is_zero { flags | ZERO_FLAG } else { flags };
    }

    /// Whether the processor traps after each instruction.
    pub(super) fn set_stepping(&mut self, steps: bool) {
        let flags = *self.general(REG_EFL) & !TRAP_FLAG;
        *self.general(REG_EFL) = if steps { flags | TRAP_FLAG } else { flags };
    }

    /// Where the handler's stack is. It is no part of the program, and must not be rolled back under the handler.
    pub(super) fn handler_stack(&self) -> (usize, usize) {
        let stack = &self.0.uc_stack;
        if stack.ss_flags & libc::SS_DISABLE != 0 || stack.ss_size == 0 {
            gate::die("a transaction began in a thread without an alternate stack for signals");
        }
        (stack.ss_sp as usize, stack.ss_sp as usize + stack.ss_size)
    }

    fn vectors(&mut self) -> &mut [u8] {
        let state = self.0.uc_mcontext.fpregs.cast::<u8>();
        // SAFETY: the system saved the vector state there, 512 bytes at least, and says by the magic number if it has more.
        unsafe {
            let word = |at: usize| state.add(at).cast::<u32>().read_unaligned();
            let length = if word(MAGIC_AT) == MAGIC { word(SIZE_AT) as usize } else { LEGACY_BYTES };
            std::slice::from_raw_parts_mut(state, length)
        }
    }

    /// Copies all registers.
    pub(super) fn save(&mut self, into: &mut Registers) {
        into.general = self.0.uc_mcontext.gregs;
        let vectors = self.vectors();
        if vectors.len() > MAX_VECTORS {
            gate::die("the vector registers are larger than expected");
        }
        into.n_vector_bytes = vectors.len();
        into.vectors[..vectors.len()].copy_from_slice(vectors);
    }

    /// Puts them back.
    pub(super) fn restore(&mut self, from: &Registers) {
        self.0.uc_mcontext.gregs = from.general;
        let vectors = self.vectors();
        if vectors.len() != from.n_vector_bytes {
            gate::die("the vector registers have changed their size");
        }
        vectors.copy_from_slice(&from.vectors[..from.n_vector_bytes]);
    }
}
