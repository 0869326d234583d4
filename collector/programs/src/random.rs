//! Random numbers and checksums of programs.

/// xorshift64*.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// A checksum that no other pair has, for all that matters here.
pub(crate) fn checksum(a: u64, b: u64) -> u64 {
    (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x1234_5678_9abc_def1)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}
