//! A bucket: one line of the cache with as many entries as fit, filled from the front.
//!
//! An entry is a byte, its *tag*, and a rest of up to eight bytes. All tags come first, then the rests; the last byte counts the entries.

/// Bytes of a bucket besides the count.
const ROOM: usize = 63;

/// A bucket.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(super) struct Bucket([u8; ROOM + 1]);

/// How entries of so many bytes are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// Entries that a bucket has room for.
    pub(super) n: usize,
    rest_bytes: usize,
    rest_mask: u64,
}

impl Slots {
    /// For entries of 2 to 9 bytes.
    pub(super) fn new(entry_bytes: usize) -> Self {
        let rest_bytes = entry_bytes - 1;
        Slots { n: ROOM / entry_bytes, rest_bytes, rest_mask: u64::MAX >> (64 - 8 * rest_bytes) }
    }
}

impl Bucket {
    pub(super) const EMPTY: Bucket = Bucket([0; ROOM + 1]);

    /// How many entries there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.0[ROOM])
    }

    #[inline]
    fn load(&self, at: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[at..at + 8]);
        u64::from_le_bytes(bytes)
    }

    /// The tag and the rest of an entry.
    #[inline]
    pub(super) fn get(&self, slots: Slots, slot: usize) -> (u8, u64) {
        (self.0[slot], self.rest(slots, slot))
    }

    #[inline]
    fn rest(&self, slots: Slots, slot: usize) -> u64 {
        let byte = slots.n + slot * slots.rest_bytes;
        // What is read may not begin so late that it ends behind the bucket.
        let at = byte.min(ROOM - 7);
        self.load(at) >> (8 * (byte - at)) & slots.rest_mask
    }

    /// The first entry with this tag and this rest, as far as `mask` says.
    #[inline]
    pub(super) fn find(&self, slots: Slots, tag: u8, rest: u64, mask: u64) -> Option<usize> {
        const ONES: u64 = u64::MAX / 0xFF;
        let len = self.len();
        let mut first = 0;
        while first < len {
            let differing = self.load(first) ^ (ONES * u64::from(tag));
            // The upper bit of each byte that is 0, and perhaps of bytes behind the first of these.
            let mut alike = differing.wrapping_sub(ONES) & !differing & (ONES << 7);
            while alike != 0 {
                let slot = first + alike.trailing_zeros() as usize / 8;
                alike &= alike - 1;
                if slot < len && self.0[slot] == tag && (self.rest(slots, slot) ^ rest) & mask == 0 {
                    return Some(slot);
                }
            }
            first += 8;
        }
        None
    }

    /// Adds an entry; there must be room.
    #[inline]
    pub(super) fn push(&mut self, slots: Slots, tag: u8, rest: u64) {
        let slot = self.len();
        let byte = slots.n + slot * slots.rest_bytes;
        self.0[slot] = tag;
        self.0[byte..byte + slots.rest_bytes].copy_from_slice(&rest.to_le_bytes()[..slots.rest_bytes]);
        self.0[ROOM] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_into_a_bucket_is_found_there() {
        for entry_bytes in 2..=9 {
            let slots = Slots::new(entry_bytes);
            let entry = |i: u64| ((i % 3) as u8, i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & slots.rest_mask);
            let mut bucket = Bucket::EMPTY;
            for i in 0..slots.n as u64 {
                let (tag, rest) = entry(i);
                assert_eq!(bucket.find(slots, tag, rest, slots.rest_mask), None);
                bucket.push(slots, tag, rest);
            }
            for i in 0..slots.n as u64 {
                let (tag, rest) = entry(i);
                assert_eq!(bucket.get(slots, i as usize), (tag, rest));
                assert_eq!(bucket.find(slots, tag, rest, slots.rest_mask), Some(i as usize), "{entry_bytes} bytes");
                assert_eq!(bucket.find(slots, tag, rest ^ 1, slots.rest_mask), None);
            }
        }
    }
}
