//! An open-addressing table of positions: for a hash, where states with that hash may be.
//!
//! A bucket is one line of the cache: twelve positions, each with eight bits of its hash. What does not fit goes into the next.
//! The table is in parts that grow one by one: while one grows, it is there twice, and no more.

/// Positions of a bucket.
const SLOTS: usize = 12;

/// Parts of a table. Bits 8 to 11 of a hash say which.
const PARTS: usize = 16;

/// A part with fewer buckets, a quarter of a megabyte, is small.
const SMALL: usize = 1 << 12;

pub(crate) struct Slots {
    parts: [Part; PARTS],
}

/// One part of the table.
pub(crate) struct Part {
    buckets: Vec<Bucket>,
    n_used: usize,
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Bucket {
    /// Eight bits of each hash, 0 where there is no position yet; filled from the front.
    tags: [u8; SLOTS],
    positions: [u32; SLOTS],
}

/// A free place.
pub(crate) struct Place {
    bucket: usize,
    slot: usize,
}

const EMPTY: Bucket = Bucket { tags: [0; SLOTS], positions: [0; SLOTS] };

impl Slots {
    pub(crate) fn new() -> Self {
        Slots { parts: std::array::from_fn(|_| Part { buckets: vec![EMPTY; 1], n_used: 0 }) }
    }

    /// The part for this hash.
    pub(crate) fn part(&self, hash: u64) -> &Part {
        &self.parts[hash as usize >> 8 & (PARTS - 1)]
    }

    /// The part for this hash, for changing.
    pub(crate) fn part_mut(&mut self, hash: u64) -> &mut Part {
        &mut self.parts[hash as usize >> 8 & (PARTS - 1)]
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(Part::bytes).sum()
    }
}

impl Part {
    /// Whether one more position would make look-ups slow: then `larger` is needed first.
    pub(crate) fn is_full(&self) -> bool {
        (self.n_used + 1) * 8 > self.buckets.len() * SLOTS * 7
    }

    /// The bytes that `larger` takes.
    pub(crate) fn larger_bytes(&self) -> u64 {
        (self.larger_len() * size_of::<Bucket>()) as u64
    }

    /// Twice as large while it is small, since every state is read again; then by a half: memory is what large searches run out of.
    fn larger_len(&self) -> usize {
        let len = self.buckets.len();
        if len < SMALL { 2 * len } else { len * 3 / 2 }
    }

    /// An empty part with more room; none if there is no memory.
    pub(crate) fn larger(&self) -> Option<Self> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(self.larger_len()).ok()?;
        buckets.resize(self.larger_len(), EMPTY);
        Some(Part { buckets, n_used: 0 })
    }

    /// All positions, in order.
    pub(crate) fn positions(&self) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        all.try_reserve_exact(self.n_used).ok()?;
        let used = |bucket: &Bucket| bucket.tags.into_iter().zip(bucket.positions).filter(|(tag, _)| *tag != 0);
        all.extend(self.buckets.iter().flat_map(used).map(|(_, position)| position));
        all.sort_unstable();
        Some(all)
    }

    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// Reads what `find` reads first.
    pub(crate) fn touch(&self, hash: u64) -> u8 {
        self.buckets[self.home(hash)].tags[0]
    }

    /// A position that may be that of a state with this hash, in the bucket where the search begins.
    pub(crate) fn guess(&self, hash: u64) -> Option<usize> {
        let bucket = &self.buckets[self.home(hash)];
        let alike = slots_with(&bucket.tags, tag(hash));
        (alike != 0).then(|| bucket.positions[alike.trailing_zeros() as usize / 8] as usize)
    }

    /// The position with this hash of which `is_it` is true, or else the place for it. There must be room.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, Place> {
        let tag = tag(hash);
        let mut bucket = self.home(hash);
        loop {
            let Bucket { tags, positions } = &self.buckets[bucket];
            let mut alike = slots_with(tags, tag);
            while alike != 0 {
                let slot = alike.trailing_zeros() as usize / 8;
                alike &= alike - 1;
                if tags[slot] == tag && is_it(positions[slot] as usize) {
                    return Ok(positions[slot] as usize);
                }
            }
            let free = slots_with(tags, 0);
            if free != 0 {
                return Err(Place { bucket, slot: free.trailing_zeros() as usize / 8 });
            }
            bucket = if bucket + 1 == self.buckets.len() { 0 } else { bucket + 1 };
        }
    }

    /// Puts a position where `find` found a place for it.
    pub(crate) fn put(&mut self, place: Place, hash: u64, position: usize) {
        let bucket = &mut self.buckets[place.bucket];
        bucket.tags[place.slot] = tag(hash);
        bucket.positions[place.slot] = position as u32;
        self.n_used += 1;
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.capacity() * size_of::<Bucket>()) as u64
    }
}

/// The upper bit of the byte of each slot that has this tag, and perhaps of some slots behind the first of these: all bytes at a time.
fn slots_with(tags: &[u8; SLOTS], tag: u8) -> u128 {
    const ONES: u128 = (u128::MAX / 0xFF) >> (8 * (16 - SLOTS));
    let mut bytes = [0; 16];
    bytes[..SLOTS].copy_from_slice(tags);
    let differing = u128::from_le_bytes(bytes) ^ (ONES * u128::from(tag));
    differing.wrapping_sub(ONES) & !differing & (ONES << 7)
}

/// Eight bits of a hash that choose neither shard nor bucket; never 0.
fn tag(hash: u64) -> u8 {
    ((hash >> 24) as u8).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slot_with_a_tag_is_found_and_no_other_before_it() {
        let tags = [7, 1, 255, 7, 6, 8, 128, 0, 0, 0, 0, 0];
        for tag in 0..=255 {
            let first = tags.iter().position(|other| *other == tag);
            let found = slots_with(&tags, tag);
            assert_eq!((found != 0).then(|| found.trailing_zeros() as usize / 8), first, "{tag}");
            let missed = (0..SLOTS).filter(|slot| tags[*slot] == tag && found >> (8 * slot + 7) & 1 == 0);
            assert_eq!(missed.count(), 0, "{tag}");
        }
    }
}
