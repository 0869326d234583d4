//! Regions: equal parts of the memory, each free, in use, or evacuated.

use crate::object::Ref;
use crate::words::Addr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// A region's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(pub u32);

/// What a region is used for. Free, then in use, then evacuated or free again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionStatus {
    /// Nothing is in it.
    Free = 0,
    /// Objects are, or will be, allocated in it.
    InUse = 1,
    /// Its objects have moved away; originals are still there until the cycle ends.
    Evacuated = 2,
    /// It never moves: the object of all global slots.
    Immortal = 3,
}

/// All regions of a heap.
pub struct Regions {
    first: u64,
    shift: u32,
    statuses: Box<[AtomicU8]>,
    births: Box<[AtomicU64]>,
    free: Mutex<Vec<RegionId>>,
    n_free: AtomicUsize,
}

impl Regions {
    /// `n` free regions of `2^shift` words from `first` on, which is a multiple of that; the first is immortal.
    pub(crate) fn new(first: u64, shift: u32, n: usize) -> Regions {
        let all = |status: RegionStatus| (0..n).map(|_| AtomicU8::new(status as u8)).collect::<Box<[_]>>();
        let statuses = all(RegionStatus::Free);
        statuses[0].store(RegionStatus::Immortal as u8, Ordering::Relaxed);
        let free: Vec<RegionId> = (1..n as u32).rev().map(RegionId).collect();
        let n_free = AtomicUsize::new(free.len());
        let births = (0..n).map(|_| AtomicU64::new(0)).collect();
        Regions { first, shift, statuses, births, free: Mutex::new(free), n_free }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.statuses.len()
    }

    /// Words of each.
    pub fn words(&self) -> u64 {
        1 << self.shift
    }

    /// How many are free.
    pub fn n_free(&self) -> usize {
        self.n_free.load(Ordering::Relaxed)
    }

    /// Every region's number.
    pub fn ids(&self) -> impl Iterator<Item = RegionId> + use<> {
        (0..self.count() as u32).map(RegionId)
    }

    /// Where a region begins.
    pub fn start(&self, region: RegionId) -> Addr {
        Addr(self.first + (u64::from(region.0) << self.shift))
    }

    /// The region of a word, if it is in one.
    #[inline]
    pub fn of(&self, at: Addr) -> Option<RegionId> {
        let idx = at.0.checked_sub(self.first)? >> self.shift;
        (idx < self.statuses.len() as u64).then_some(RegionId(idx as u32))
    }

    /// The region of an object.
    ///
    /// # Panics
    /// If it is in none.
    #[inline]
    pub fn of_object(&self, object: Ref) -> RegionId {
        self.of(object.header()).expect("an object is in a region")
    }

    /// What a region is used for.
    pub fn status(&self, region: RegionId) -> RegionStatus {
        match self.statuses[region.0 as usize].load(Ordering::Acquire) {
            0 => RegionStatus::Free,
            1 => RegionStatus::InUse,
            2 => RegionStatus::Evacuated,
            _ => RegionStatus::Immortal,
        }
    }

    /// The cycle in which the region was taken.
    pub fn birth(&self, region: RegionId) -> u64 {
        self.births[region.0 as usize].load(Ordering::Acquire)
    }

    /// Takes a free region in this cycle, but leaves `reserve` of them.
    pub fn take(&self, cycle: u64, reserve: usize) -> Option<RegionId> {
        let mut free = self.free.lock().expect("no holder panics");
        if free.len() <= reserve {
            return None;
        }
        let region = free.pop()?;
        self.n_free.store(free.len(), Ordering::Relaxed);
        self.births[region.0 as usize].store(cycle, Ordering::Release);
        self.statuses[region.0 as usize].store(RegionStatus::InUse as u8, Ordering::Release);
        Some(region)
    }

    /// Says that a region's objects have moved away.
    pub fn evacuated(&self, region: RegionId) {
        self.statuses[region.0 as usize].store(RegionStatus::Evacuated as u8, Ordering::Release);
    }

    /// Makes a region free again.
    pub fn release(&self, region: RegionId) {
        self.statuses[region.0 as usize].store(RegionStatus::Free as u8, Ordering::Release);
        let mut free = self.free.lock().expect("no holder panics");
        // At the far end: a region rests before it is used again, so that a stale reference shows.
        free.insert(0, region);
        self.n_free.store(free.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_free_in_use_evacuated_and_free_again() {
        let regions = Regions::new(1024, 8, 4);
        assert_eq!(regions.status(RegionId(0)), RegionStatus::Immortal);
        let region = regions.take(7, 0).expect("three are free");
        assert_eq!((regions.status(region), regions.birth(region), regions.n_free()), (RegionStatus::InUse, 7, 2));
        regions.evacuated(region);
        assert_eq!(regions.status(region), RegionStatus::Evacuated);
        regions.release(region);
        assert_eq!((regions.status(region), regions.n_free()), (RegionStatus::Free, 3));
        assert!(regions.take(8, 3).is_none(), "three are reserved");
    }

    #[test]
    fn every_word_is_in_its_region() {
        let regions = Regions::new(1024, 8, 4);
        assert_eq!(regions.of(Addr(1023)), None);
        assert_eq!(regions.of(Addr(1024 + 256)), Some(RegionId(1)));
        assert_eq!(regions.of(Addr(1024 + 1023)), Some(RegionId(3)));
        assert_eq!(regions.of(Addr(1024 + 1024)), None);
        assert_eq!(regions.start(RegionId(2)), Addr(1024 + 512));
    }
}
