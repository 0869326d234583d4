//! The one hash of states: for the seen set, for tables of states, for what workers remember.

const K: u64 = 0x9E37_79B9_7F4A_7C15;
const ODD: u64 = 0xD6E8_FEB8_6659_FD93;

/// A hash whose every bit depends on every word; the same on every machine.
#[inline]
pub fn hash(words: &[u32]) -> u64 {
    let mut h: u64 = words.len() as u64;
    for pair in words.chunks(2) {
        let word = u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32;
        let product = u128::from(h ^ word ^ K).wrapping_mul(u128::from(ODD) | 1 << 64);
        h = (product as u64) ^ (product >> 64) as u64;
        h = h.rotate_left(23).wrapping_mul(K);
    }
    h ^= h >> 32;
    h = h.wrapping_mul(ODD);
    h ^ h >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_that_differ_in_one_bit_differ_in_both_halves() {
        let of = |bit: usize| {
            let mut words = [7, 0, 0, 0, 0];
            words[bit / 32] ^= 1 << (bit % 32);
            hash(&words)
        };
        let all: HashSet<u64> = (0..160).map(of).collect();
        assert_eq!(all.len(), 160);
        assert_eq!(all.iter().map(|hash| hash >> 32).collect::<HashSet<_>>().len(), 160);
        assert_eq!(all.iter().map(|hash| *hash as u32).collect::<HashSet<_>>().len(), 160);
        assert_eq!(hash(&[1, 2, 3]), 1385203706350449998, "the same on every machine");
    }
}
