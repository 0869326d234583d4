//! An abort takes everything back, at whatever instruction it comes.

use crate::alone::alone;
use htm::{Abort, Cause};
use htm_emulator::Fate;
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

static WORD: AtomicU64 = AtomicU64::new(0);
thread_local!(static OWN: Cell<u64> = const { Cell::new(0) });

/// Memory of every kind.
struct Everything {
    boxed: Box<[u64; 700]>,
    growing: Vec<u64>,
    local: [u64; 4],
}

impl Everything {
    fn new() -> Everything {
        Everything { boxed: Box::new([0; 700]), growing: Vec::with_capacity(3), local: [0; 4] }
    }

    /// Writes `value` everywhere.
    #[inline(never)]
    fn write(&mut self, value: u64) {
        self.boxed[0] = value;
        WORD.store(value, Ordering::Relaxed);
        self.boxed[699] = value;
        OWN.set(value);
        self.local = black_box([value; 4]);
    }

    /// The vector of three allocates when it gets its fourth element.
    #[inline(never)]
    fn grow(&mut self, value: u64) {
        self.write(value);
        self.growing.extend([value; 4]);
    }

    fn read(&self) -> ([u64; 4], usize, usize, [u64; 4]) {
        let words = [self.boxed[0], self.boxed[699], WORD.load(Ordering::Relaxed), OWN.get()];
        (words, self.growing.len(), self.growing.capacity(), self.local)
    }
}

/// Lets `body` abort after the given numbers of instructions, until it commits.
fn restores(numbers: impl Iterator<Item = u32>, body: fn(&mut Everything, u64)) -> Option<Everything> {
    let (emulator, _turn) = alone()?;
    let mut everything = Everything::new();
    everything.write(1);
    let before = everything.read();
    for n_instructions in numbers {
        emulator.decide(&[Fate::AbortsAfter { n_instructions, status: 0x6 }]);
        let result = emulator.rtm().attempt(|_| body(&mut everything, 2));
        if result.is_ok() {
            assert!(n_instructions > 20, "{n_instructions}");
            return Some(everything);
        }
        assert_eq!(result.map_err(Abort::cause), Err(Cause::Conflict));
        assert_eq!(everything.read(), before, "after {n_instructions} instructions");
    }
    unreachable!("some number is enough")
}

#[test]
fn memory_of_every_kind_is_restored_after_every_number_of_instructions() {
    let Some(everything) = restores(0.., Everything::write) else { return };
    assert_eq!((everything.read().0, everything.local), ([2; 4], [2; 4]));
}

/// Allocation takes hundreds of instructions, so not all of them are tried.
#[test]
fn allocated_memory_is_given_back() {
    let Some(everything) = restores((0..).step_by(17), Everything::grow) else { return };
    assert_eq!(everything.growing, [2; 4]);
}

/// Sums that the compiler keeps in vector registers across the beginning of the transaction.
#[test]
fn vector_registers_are_restored_after_every_number_of_instructions() {
    let Some((emulator, _turn)) = alone() else { return };
    let kept: [f64; 6] = std::array::from_fn(|n| black_box(n as f64 + 0.5));
    for n_instructions in 0.. {
        emulator.decide(&[Fate::AbortsAfter { n_instructions, status: 0x8 }]);
        let [a, b, c, d, e, f] = kept.map(|one| one * 2.0);
        let result = emulator.rtm().attempt(|_| {
            let mut sums = black_box([7.0; 6]);
            sums.iter_mut().for_each(|sum| *sum *= 3.0);
            sums
        });
        assert_eq!([a, b, c, d, e, f], [1.0, 3.0, 5.0, 7.0, 9.0, 11.0]);
        match result {
            Ok(sums) => return assert_eq!(sums, [21.0; 6]),
            Err(abort) => assert_eq!(abort.cause(), Cause::Capacity),
        }
    }
}

/// All sixteen vector registers, and the flags that survive, by hand.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
#[allow(unsafe_code, reason = "registers by name; the block names its invariant")]
fn registers_are_those_of_the_beginning() {
    let Some((emulator, _turn)) = alone() else { return };
    emulator.decide(&[Fate::Starts]);
    let (mut status, mut general, mut vector): (u32, u64, u64) = (!0, 0x1234, 0x5678);
    // SAFETY: the emulation executes the instructions, the abort comes back to label 2, and all that changes is named.
    unsafe {
        core::arch::asm!(
            "movq xmm7, {vector}",
            "xbegin 2f",
            "pxor xmm7, xmm7",
            "xor {general:e}, {general:e}",
            "xabort 5",
            "2:",
            "movq {vector}, xmm7",
            inout("eax") status,
            general = inout(reg) general,
            vector = inout(reg) vector,
            out("xmm7") _,
        );
    }
    assert_eq!((status, general, vector), (0x0500_0001, 0x1234, 0x5678));
}

#[test]
fn pages_touched_first_inside_are_as_before() {
    let Some((emulator, _turn)) = alone() else { return };
    // So large that it comes from the system, untouched.
    let mut fresh = vec![0_u8; 1 << 22];
    let result: Result<(), Abort> = emulator.rtm().attempt(|transaction| {
        fresh.iter_mut().step_by(4096).for_each(|byte| *byte = black_box(1));
        transaction.abort::<9>()
    });
    assert_eq!(result, Err(Abort::explicit(9)));
    assert!(fresh.iter().all(|byte| *byte == 0));
}
