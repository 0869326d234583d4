//! A set of numbers of so many bits, each with a mark and an epoch beside it, in as many bytes as its place does not say.
//!
//! A number is scrambled and divided: the quotient is the bucket where the search for it begins, its *home*, the remainder is kept. An entry
//! is in its home or up to three buckets further, and says how far. So the number can be had again, and no two are merged. The few for
//! which these four buckets are full are kept apart, whole.

use super::bucket::{Bucket, Slots};
use super::mix::Mix;
use std::collections::BTreeMap;
use system::{Budget, Limit};

/// Bits of a mark.
pub(crate) const MARK_BITS: u32 = 3;
/// Bits that say how far from its home an entry is.
const FAR_BITS: u32 = 2;
const FARTHEST: usize = (1 << FAR_BITS) - 1;
/// Numbers have at least so many bits, and at most so many.
pub(crate) const WIDTHS: std::ops::RangeInclusive<u32> = 8..=55;
/// So much is not taken before the budget is looked at.
const LARGE: u64 = 1 << 16;
/// What a number that is kept apart takes, about.
const APART_BYTES: usize = 32;
/// Up to so many entries a table is twice as large as needed.
const FEW: usize = 1 << 10;

/// The set.
pub(crate) struct Table {
    layout: Layout,
    /// The buckets, and those after the last one that entries may be in.
    buckets: Vec<Bucket>,
    /// Numbers that have no room near their home, with mark and epoch.
    apart: BTreeMap<u64, (u8, u32)>,
    len: usize,
}

/// What of a number says where it is, and what is kept.
#[derive(Clone, Copy, Debug)]
struct Layout {
    mix: Mix,
    width: u32,
    n_buckets: usize,
    /// What numbers are divided by, and 2^64 divided by that.
    step: u64,
    inverse: u64,
    /// Bits of a remainder, with those that say how far it is.
    low_bits: u32,
    /// Of the rest of an entry, the bits that belong to the number.
    low_mask: u64,
    epoch_bits: u32,
    slots: Slots,
}

/// A number of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) mark: u8,
    pub(crate) epoch: u32,
}

/// Where a number is looked for: its home, and its remainder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    home: usize,
    remainder: u64,
}

impl Layout {
    fn new(width: u32, n_buckets: usize, epoch_bits: u32, entry_bytes: usize) -> Option<Self> {
        let step = (1u64 << width).div_ceil(n_buckets as u64);
        // The tag belongs to the number alone.
        let low_bits = (64 - (step - 1).leading_zeros()).max(8 - FAR_BITS) + FAR_BITS;
        let fits = low_bits + MARK_BITS + epoch_bits <= 8 * entry_bytes as u32;
        fits.then(|| Layout {
            mix: Mix::new(width),
            width,
            n_buckets,
            step,
            inverse: u64::try_from((1u128 << 64) / u128::from(step)).unwrap_or(u64::MAX),
            low_bits,
            low_mask: (1 << (low_bits - 8)) - 1,
            epoch_bits,
            slots: Slots::new(entry_bytes),
        })
    }

    /// The smallest that has room for so many.
    fn for_len(width: u32, len: usize, epoch_bits: u32) -> Self {
        let n_buckets = |entry_bytes: usize| {
            let n_wanted = if len < FEW { 2 * len } else { len + len * 3 / 7 };
            n_wanted / Slots::new(entry_bytes).n + 1
        };
        let smallest = (2..=9).find_map(|bytes| Layout::new(width, n_buckets(bytes), epoch_bits, bytes));
        let mut more = n_buckets(9);
        smallest.unwrap_or_else(|| {
            loop {
                more *= 2;
                if let Some(layout) = Layout::new(width, more, epoch_bits, 9) {
                    return layout;
                }
            }
        })
    }

    /// The tag and the rest of an entry, without what is beside the number.
    #[inline]
    fn parts(&self, place: Place, far: usize) -> (u8, u64) {
        let low = place.remainder | (far as u64) << (self.low_bits - FAR_BITS);
        (low as u8, low >> 8)
    }

    fn number(&self, place: Place) -> u64 {
        self.mix.unmix(place.home as u64 * self.step + place.remainder)
    }

    fn entry(&self, bucket: usize, (tag, rest): (u8, u64)) -> Entry {
        let low = u64::from(tag) | (rest & self.low_mask) << 8;
        let beside = rest >> (self.low_bits - 8);
        let far = (low >> (self.low_bits - FAR_BITS)) as usize;
        let remainder = low & ((1 << (self.low_bits - FAR_BITS)) - 1);
        let number = self.number(Place { home: bucket - far, remainder });
        Entry { number, mark: beside as u8 & ((1 << MARK_BITS) - 1), epoch: (beside >> MARK_BITS) as u32 }
    }
}

impl Table {
    /// An empty set of numbers of so many bits.
    pub(crate) fn new(width: u32) -> Self {
        let layout = Layout::for_len(width, 0, 0);
        Table { layout, buckets: Vec::new(), apart: BTreeMap::new(), len: 0 }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.capacity() * size_of::<Bucket>() + self.apart.len() * APART_BYTES) as u64
    }

    /// Where a number is looked for, as long as the table does not grow.
    #[inline]
    pub(crate) fn place(&self, number: u64) -> Place {
        let Layout { mix, step, inverse, .. } = &self.layout;
        let mixed = mix.mix(number);
        // The quotient, or one less: a division takes longer.
        let quotient = ((u128::from(mixed) * u128::from(*inverse)) >> 64) as u64;
        let remainder = mixed - quotient * step;
        let is_less = u64::from(remainder >= *step);
        Place { home: (quotient + is_less) as usize, remainder: remainder - is_less * step }
    }

    /// Reads what `insert` will read first.
    #[inline]
    pub(crate) fn touch(&self, place: Place) -> usize {
        self.buckets.get(place.home).map_or(0, Bucket::len)
    }

    /// What is stored of a number, if it is there.
    pub(crate) fn find(&self, number: u64) -> Option<Entry> {
        let (layout, place) = (&self.layout, self.place(number));
        for far in 0..=FARTHEST {
            let bucket = self.buckets.get(place.home + far)?;
            let (tag, rest) = layout.parts(place, far);
            if let Some(slot) = bucket.find(layout.slots, tag, rest, layout.low_mask) {
                return Some(layout.entry(place.home + far, bucket.get(layout.slots, slot)));
            }
        }
        self.apart.get(&number).map(|(mark, epoch)| Entry { number, mark: *mark, epoch: *epoch })
    }

    /// Whether the number of this place is new. From now on it is there. None if there is no room: then the table has to grow.
    #[inline]
    pub(crate) fn insert(&mut self, place: Place, mark: u8, epoch: u32) -> Option<bool> {
        let Table { layout, buckets, len, .. } = self;
        let has_room = *len * 20 < layout.n_buckets * layout.slots.n * 17 && u64::from(epoch) >> layout.epoch_bits == 0;
        for far in 0..=FARTHEST {
            let bucket = buckets.get_mut(place.home + far)?;
            let (tag, rest) = layout.parts(place, far);
            if bucket.find(layout.slots, tag, rest, layout.low_mask).is_some() {
                return Some(false);
            }
            if bucket.len() < layout.slots.n {
                let beside = u64::from(mark) & ((1 << MARK_BITS) - 1) | u64::from(epoch) << MARK_BITS;
                return has_room.then(|| {
                    bucket.push(layout.slots, tag, rest | beside << (layout.low_bits - 8));
                    *len += 1;
                    true
                });
            }
        }
        self.insert_apart(place, mark, epoch, has_room)
    }

    /// As `insert`, where all buckets are full.
    #[cold]
    fn insert_apart(&mut self, place: Place, mark: u8, epoch: u32, has_room: bool) -> Option<bool> {
        let number = self.layout.number(place);
        if self.apart.contains_key(&number) {
            return Some(false);
        }
        has_room.then(|| {
            self.apart.insert(number, (mark & ((1 << MARK_BITS) - 1), epoch));
            self.len += 1;
            true
        })
    }

    /// All numbers, in the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry> {
        let layout = &self.layout;
        let of = move |(at, bucket): (usize, &'_ Bucket)| {
            let bucket = *bucket;
            (0..bucket.len()).map(move |slot| layout.entry(at, bucket.get(layout.slots, slot)))
        };
        let apart = |(number, (mark, epoch)): (&u64, &(u8, u32))| Entry { number: *number, mark: *mark, epoch: *epoch };
        self.buckets.iter().enumerate().flat_map(of).chain(self.apart.iter().map(apart))
    }

    /// Grows, so that a number with this epoch has room.
    ///
    /// # Errors
    /// The limit that is hit.
    pub(crate) fn grow(&mut self, epoch: u32, budget: Option<&Budget>) -> Result<(), Limit> {
        *self = self.rebuilt(self.layout.width, epoch, budget, Ok)?;
        Ok(())
    }

    /// The same with other numbers in place of these, of other width, and room for more.
    ///
    /// # Errors
    /// What `renumber` says, or the limit that is hit.
    pub(crate) fn rebuilt<E: From<Limit>>(
        &self,
        width: u32,
        epoch: u32,
        budget: Option<&Budget>,
        mut renumber: impl FnMut(u64) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let epoch_bits = self.layout.epoch_bits.max(32 - epoch.leading_zeros()).max(5);
        let layout = Layout::for_len(width, self.len + 1, epoch_bits);
        let buckets = empty(layout.n_buckets + FARTHEST, budget)?;
        let mut table = Table { layout, buckets, apart: BTreeMap::new(), len: 0 };
        for entry in self.iter() {
            let place = table.place(renumber(entry.number)?);
            let is_new = table.insert(place, entry.mark, entry.epoch);
            assert_eq!(is_new, Some(true), "two numbers stay two, and there is room");
        }
        Ok(table)
    }
}

/// So many empty buckets.
fn empty(n_buckets: usize, budget: Option<&Budget>) -> Result<Vec<Bucket>, Limit> {
    let bytes = (n_buckets * size_of::<Bucket>()) as u64;
    if bytes >= LARGE
        && let Some(limit) = budget.and_then(|budget| budget.look_for(bytes))
    {
        return Err(limit);
    }
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(n_buckets).map_err(|_| Limit::Memory)?;
    buckets.resize(n_buckets, Bucket::EMPTY);
    Ok(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn insert(table: &mut Table, number: u64, mark: u8, epoch: u32) -> bool {
        loop {
            let place = table.place(number);
            match table.insert(place, mark, epoch) {
                Some(is_new) => return is_new,
                None => table.grow(epoch, None).expect("there is room"),
            }
        }
    }

    /// Numbers that follow each other, all numbers of few bits, numbers with bits at both ends, and many epochs.
    #[test]
    fn every_number_is_there_once_with_what_is_beside_it() {
        for (width, n, factor) in [(8, 300, 1), (12, 5000, 1), (56, 3000, 1 << 40), (40, 20_000, 0x9E37_79B9)] {
            let (mut table, mut all) = (Table::new(width), BTreeMap::new());
            for i in 0..n as u64 {
                let number = i.wrapping_mul(factor) & ((1 << width) - 1);
                let entry = Entry { number, mark: i as u8 % 8, epoch: (i / 2) as u32 };
                let is_new = insert(&mut table, number, entry.mark, entry.epoch);
                assert_eq!(is_new, !all.contains_key(&number), "{width} {i}");
                all.entry(number).or_insert(entry);
            }
            assert!(all.values().all(|entry| table.find(entry.number) == Some(*entry)), "{width}");
            let mut found: Vec<Entry> = table.iter().collect();
            found.sort_unstable_by_key(|entry| entry.number);
            assert!(found.iter().eq(all.values()) && table.len() == all.len());
        }
    }

    #[test]
    fn places_are_quotients_and_remainders() {
        for (width, n) in [(8, 1), (8, 255), (9, 3000), (34, 70_001), (56, 1), (56, 12_345_678)] {
            let mut table = Table::new(width);
            table.layout = Layout::for_len(width, n, 5);
            let step = table.layout.step;
            let multiples = (0..1000u64).map(|i| i.wrapping_mul(step));
            for mixed in multiples.flat_map(|multiple| [multiple, multiple.wrapping_sub(1)]) {
                let mixed = mixed & ((1 << width) - 1);
                let place = table.place(table.layout.mix.unmix(mixed));
                assert_eq!((place.home as u64, place.remainder), (mixed / step, mixed % step), "{width} {n} {mixed}");
            }
        }
    }

    #[test]
    fn numbers_may_become_wider() {
        let mut table = Table::new(20);
        (0..9000).for_each(|i| assert!(insert(&mut table, i * 7, 3, 1)));
        let wider = table.rebuilt(30, 1, None, |number| Ok::<_, Limit>(number << 9)).expect("there is room");
        assert!((0..9000).all(|i| wider.find((i * 7) << 9) == Some(Entry { number: (i * 7) << 9, mark: 3, epoch: 1 })));
        assert_eq!((wider.len(), wider.find(1)), (9000, None));
    }

    #[test]
    fn a_table_that_does_not_grow_names_the_limit() {
        static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        let full = |budget: Budget| {
            let mut table = Table::new(40);
            (0..1 << 20).find_map(|number| {
                let place = table.place(number);
                table.insert(place, 0, 0).is_none().then(|| table.grow(0, Some(&budget)).err())?
            })
        };
        assert_eq!(full(Budget::new(Some(std::time::Duration::ZERO), None, &STOP)), Some(Limit::Time));
        assert_eq!(full(Budget::new(None, Some(1), &STOP)), Some(Limit::Memory));
        assert_eq!(full(Budget::default()), None);
    }

    /// What a state costs in a shard of a large search: numbers of 34 bits, 33 levels.
    #[test]
    fn an_entry_takes_few_bytes() {
        let mut table = Table::new(34);
        (0..200_000).for_each(|i| assert!(insert(&mut table, i * 80_000, 0, 32)));
        let bytes = table.bytes() as f64 / table.len() as f64;
        assert!(bytes < 6.0, "{bytes}");
    }
}
