//! Numbers that look random and are the same in every run (splitmix64).

/// A source of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// The number that belongs to `key`.
pub(crate) fn mix(key: u64) -> u64 {
    let a = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ b >> 31
}
