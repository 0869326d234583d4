//! Instructions that no transaction may execute: Intel's manual, volume 1, "RTM Execution Environment", and what was measured.

use std::fmt;

/// Why an instruction aborts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forbidden {
    /// `syscall`, `sysenter`, `int`.
    SystemCall = 1,
    /// `pause`.
    Pause,
    /// `vzeroupper`, `vzeroall`.
    Vzero,
    /// `cpuid`.
    Cpuid,
    /// `clflush`, `clflushopt`, `clwb`.
    Flush,
    /// Stores and loads around the caches.
    NonTemporal,
    /// x87, and the end of MMX.
    X87,
    /// Saving or restoring the state of vector registers.
    StateSave,
    /// `int3`, `int1`.
    Breakpoint,
    /// Ports, interrupt flags, `hlt`, `popf`, `monitor`, `mwait`.
    Privileged,
    /// `ud2`.
    Undefined,
}

impl Forbidden {
    const ALL: [Forbidden; 11] = [
        Forbidden::SystemCall,
        Forbidden::Pause,
        Forbidden::Vzero,
        Forbidden::Cpuid,
        Forbidden::Flush,
        Forbidden::NonTemporal,
        Forbidden::X87,
        Forbidden::StateSave,
        Forbidden::Breakpoint,
        Forbidden::Privileged,
        Forbidden::Undefined,
    ];

    /// The status of the abort it causes.
    pub fn status(self) -> u32 {
        if self == Forbidden::Breakpoint { 0x10 } else { 0 }
    }

    pub(crate) fn of_number(number: u32) -> Option<Forbidden> {
        Forbidden::ALL.into_iter().find(|forbidden| *forbidden as u32 == number)
    }

    /// What is wrong with the instruction that begins here, if anything is. `byte(n)` is its n-th byte; none is asked for
    /// that the instruction does not have.
    pub(crate) fn at(byte: impl Fn(usize) -> u8) -> Option<Forbidden> {
        let (mut n, mut prefix) = (0, 0);
        loop {
            match byte(n) {
                found @ (0x66 | 0xf2 | 0xf3) => prefix = found,
                0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0x67 | 0xf0 | 0x40..=0x4f => {}
                _ => break,
            }
            n += 1;
        }
        match byte(n) {
            0x0f => two_bytes(prefix, byte(n + 1), || byte(n + 2)),
            0xc5 => vex(1, byte(n + 1), byte(n + 2)),
            0xc4 => vex(byte(n + 1) & 0x1f, byte(n + 2), byte(n + 3)),
            0x90 if prefix == 0xf3 => Some(Forbidden::Pause),
            0xcc | 0xf1 => Some(Forbidden::Breakpoint),
            0xcd => Some(Forbidden::SystemCall),
            0xd8..=0xdf | 0x9b => Some(Forbidden::X87),
            0x6c..=0x6f | 0xe4..=0xe7 | 0xec..=0xef | 0x9d | 0xf4 | 0xfa | 0xfb => Some(Forbidden::Privileged),
            _ => None,
        }
    }
}

fn two_bytes(prefix: u8, opcode: u8, next: impl Fn() -> u8) -> Option<Forbidden> {
    match opcode {
        0x01 if matches!(next(), 0xc8 | 0xc9 | 0xd1 | 0xfa | 0xfb) => Some(Forbidden::Privileged),
        0x05 | 0x34 => Some(Forbidden::SystemCall),
        0x0b => Some(Forbidden::Undefined),
        0x2b | 0xc3 | 0xe7 | 0xf7 if opcode != 0xf7 || next() >= 0xc0 => non_temporal(prefix, opcode),
        0x38 if prefix == 0x66 && next() == 0x2a => Some(Forbidden::NonTemporal),
        0x77 => Some(Forbidden::X87),
        0xa2 => Some(Forbidden::Cpuid),
        0xae => fences_and_states(prefix, next()),
        // `xsavec`, `xsaves`, `xrstors`; the others of this opcode are `cmpxchg16b` and random numbers.
        0xc7 if next() < 0xc0 && matches!(next() >> 3 & 7, 3..=5) => Some(Forbidden::StateSave),
        _ => None,
    }
}

/// `movntps`, `movnti`, `movntq`, `movntdq`, `maskmovq`, `maskmovdqu`; with `f3`, 0xe7 is nothing, and with `f2` a conversion.
fn non_temporal(prefix: u8, opcode: u8) -> Option<Forbidden> {
    let converts = opcode != 0x2b && opcode != 0xc3 && matches!(prefix, 0xf2 | 0xf3);
    (!converts).then_some(Forbidden::NonTemporal)
}

/// Opcode `0f ae`: by the register field, and by whether the operand is memory.
fn fences_and_states(prefix: u8, operand: u8) -> Option<Forbidden> {
    let (is_memory, field) = (operand < 0xc0, operand >> 3 & 7);
    match field {
        // `fxsave`, `fxrstor`, `xsave`, `xrstor`; as registers these are `rdfsbase` and the like, and `lfence`.
        0 | 1 | 4 | 5 if is_memory => Some(Forbidden::StateSave),
        // `xsaveopt` or `clwb`; as registers `mfence`, `umonitor`, `umwait`, `tpause`.
        6 if is_memory => Some(if prefix == 0x66 { Forbidden::Flush } else { Forbidden::StateSave }),
        6 if prefix != 0 => Some(Forbidden::Pause),
        7 if is_memory => Some(Forbidden::Flush),
        _ => None,
    }
}

/// Instructions with a VEX prefix: map 1 has `vzeroupper`, and what goes around the caches; map 2 has one such load.
fn vex(map: u8, prefix: u8, opcode: u8) -> Option<Forbidden> {
    match (map, opcode) {
        (1, 0x77) => Some(Forbidden::Vzero),
        (1, 0x2b) | (2, 0x2a) => Some(Forbidden::NonTemporal),
        (1, 0xe7 | 0xf7) if prefix & 3 == 1 => Some(Forbidden::NonTemporal),
        _ => None,
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::SystemCall => "a system call",
            Forbidden::Pause => "pause",
            Forbidden::Vzero => "vzeroupper or vzeroall",
            Forbidden::Cpuid => "cpuid",
            Forbidden::Flush => "a flush",
            Forbidden::NonTemporal => "an access around the caches",
            Forbidden::X87 => "x87 or MMX",
            Forbidden::StateSave => "saving or restoring vector state",
            Forbidden::Breakpoint => "a breakpoint",
            Forbidden::Privileged => "ports, interrupts or waiting",
            Forbidden::Undefined => "ud2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_told_apart_by_their_bytes() {
        let cases: [(&[u8], Option<Forbidden>); 32] = [
            (&[0x0f, 0x05], Some(Forbidden::SystemCall)),
            (&[0xcd, 0x80], Some(Forbidden::SystemCall)),
            (&[0xf3, 0x90], Some(Forbidden::Pause)),
            (&[0x90], None),
            (&[0x66, 0x90], None),
            (&[0xc5, 0xf8, 0x77], Some(Forbidden::Vzero)),
            (&[0xc5, 0xfc, 0x77], Some(Forbidden::Vzero)),
            (&[0xc4, 0xe1, 0x7c, 0x77], Some(Forbidden::Vzero)),
            (&[0xc5, 0xfe, 0x6f, 0x06], None),
            (&[0xc5, 0xfd, 0xe7, 0x07], Some(Forbidden::NonTemporal)),
            (&[0xc5, 0xfa, 0xe6, 0xc0], None),
            (&[0x0f, 0xa2], Some(Forbidden::Cpuid)),
            (&[0x0f, 0xae, 0x38], Some(Forbidden::Flush)),
            (&[0x66, 0x41, 0x0f, 0xae, 0x3f], Some(Forbidden::Flush)),
            (&[0x66, 0x0f, 0xae, 0x30], Some(Forbidden::Flush)),
            (&[0x0f, 0xae, 0xf0], None),
            (&[0x0f, 0xae, 0xe8], None),
            (&[0x0f, 0xae, 0xf8], None),
            (&[0x66, 0x0f, 0xae, 0xf0], Some(Forbidden::Pause)),
            (&[0x48, 0x0f, 0xae, 0x26], Some(Forbidden::StateSave)),
            (&[0x0f, 0xae, 0x18], None),
            (&[0x48, 0x0f, 0xc3, 0x07], Some(Forbidden::NonTemporal)),
            (&[0x66, 0x0f, 0xe7, 0x07], Some(Forbidden::NonTemporal)),
            (&[0x48, 0x0f, 0xc7, 0x0f], None),
            (&[0x48, 0x0f, 0xc7, 0x27], Some(Forbidden::StateSave)),
            (&[0xd9, 0xe8], Some(Forbidden::X87)),
            (&[0xcc], Some(Forbidden::Breakpoint)),
            (&[0x0f, 0x0b], Some(Forbidden::Undefined)),
            (&[0xf4], Some(Forbidden::Privileged)),
            (&[0x48, 0x89, 0xd8], None),
            (&[0xf0, 0x48, 0x0f, 0xb1, 0x0f], None),
            (&[0xf3, 0xa4], None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Forbidden::at(|n| bytes[n]), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn numbers_name_them() {
        assert!(Forbidden::ALL.iter().all(|one| Forbidden::of_number(*one as u32) == Some(*one)));
        assert_eq!(Forbidden::of_number(0), None);
    }
}
