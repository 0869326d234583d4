//! Random numbers and checksums of programs.

pub(crate) use methods::Random;

/// A checksum that no other pair has, for all that matters here.
pub(crate) fn checksum(a: u64, b: u64) -> u64 {
    (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x1234_5678_9abc_def1)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}
