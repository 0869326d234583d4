//! A scrambling of numbers of so many bits that can be undone.

const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// The number that an odd number gives 1 with, modulo 2^64: each step doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    let mut step = 0;
    while step < 5 {
        found = found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)));
        step += 1;
    }
    found
}

/// For numbers of so many bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    mask: u64,
    /// At least half the bits, so that shifting twice leaves nothing.
    shift: u32,
}

impl Mix {
    pub(super) fn new(width: u32) -> Self {
        Mix { mask: u64::MAX >> (64 - width), shift: width.div_ceil(2) }
    }

    pub(super) fn mix(self, number: u64) -> u64 {
        let fold = |number: u64| number ^ number >> self.shift;
        let number = fold(number).wrapping_mul(FACTORS[0]) & self.mask;
        fold(fold(number).wrapping_mul(FACTORS[1]) & self.mask)
    }

    pub(super) fn unmix(self, mixed: u64) -> u64 {
        let fold = |number: u64| number ^ number >> self.shift;
        let number = fold(fold(mixed).wrapping_mul(INVERSES[1]) & self.mask);
        fold(number.wrapping_mul(INVERSES[0]) & self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mixed_can_be_unmixed() {
        for width in 1..=64 {
            let mix = Mix::new(width);
            for i in 0..2000u64 {
                let number = i.wrapping_mul(0xABCD_EF01_2345_6789) & mix.mask;
                let mixed = mix.mix(number);
                assert!(mixed <= mix.mask && mix.unmix(mixed) == number, "{width} {number}");
            }
        }
    }
}
