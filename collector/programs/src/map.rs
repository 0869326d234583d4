//! A hash map with chains: keys come, change and go.

use crate::random::{Random, checksum};
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const N_BUCKETS: u8 = 64;
const TABLE: Shape = Shape { n_slots: N_BUCKETS, n_data: 0 };
const ENTRY: Shape = Shape { n_slots: 1, n_data: 3 };
const N_KEYS: u64 = 256;

/// Register: the table. The mirror holds each key's version; 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    random: Random,
    versions: [u16; N_KEYS as usize],
}

impl Map {
    pub(crate) fn new(seed: u64) -> Map {
        Map { random: Random::new(seed), versions: [0; N_KEYS as usize] }
    }

    /// The entry of a key and the one before it in its chain.
    fn find<M: Method>(mutator: &mut Mutator<'_, M>, key: u64) -> Step<(Ref, Ref), M> {
        let mut before = Ref::NULL;
        let mut entry = mutator.load(mutator.register(0), bucket(key))?;
        for _ in 0..=N_KEYS {
            if entry.is_null() || mutator.data(entry, 1, 0)? == key {
                return Ok((before, entry));
            }
            before = entry;
            entry = mutator.load(entry, 0)?;
        }
        panic!("a chain of the map has no end")
    }

    fn is_right<M: Method>(&self, mutator: &mut Mutator<'_, M>, key: u64, entry: Ref) -> Step<bool, M> {
        let version = u64::from(self.versions[key as usize]);
        Ok(match entry.is_null() {
            true => version == 0,
            false => mutator.data(entry, 1, 1)? == version && mutator.data(entry, 1, 2)? == checksum(key, version),
        })
    }

    fn insert<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, key: u64) -> Step<(), M> {
        let entry = mutator.alloc(ENTRY)?;
        mutator.set_data(entry, 1, 0, key)?;
        let first = mutator.load(mutator.register(0), bucket(key))?;
        mutator.store(entry, 0, first)?;
        mutator.store(mutator.register(0), bucket(key), entry)?;
        self.write(mutator, key, entry)
    }

    fn write<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, key: u64, entry: Ref) -> Step<(), M> {
        let version = self.random.below(60_000) as u16 + 1;
        self.versions[key as usize] = version;
        mutator.set_data(entry, 1, 1, u64::from(version))?;
        mutator.set_data(entry, 1, 2, checksum(key, u64::from(version)))
    }

    fn remove<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, key: u64, before: Ref, entry: Ref) -> Step<(), M> {
        self.versions[key as usize] = 0;
        let next = mutator.load(entry, 0)?;
        match before.is_null() {
            true => mutator.store(mutator.register(0), bucket(key), next),
            false => mutator.store(before, 0, next),
        }
    }
}

fn bucket(key: u64) -> u8 {
    (checksum(key, 7) >> 40) as u8 % N_BUCKETS
}

impl Program for Map {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if mutator.register(0).is_null() {
            let table = mutator.alloc(TABLE)?;
            mutator.set_register(0, table);
        }
        let key = self.random.below(N_KEYS);
        let (before, entry) = Self::find(mutator, key)?;
        if !self.is_right(mutator, key, entry)? {
            return Ok(Progress::Wrong("an entry has another version"));
        }
        match (self.random.below(4), entry.is_null()) {
            (0, true) => self.insert(mutator, key)?,
            (0, false) => self.remove(mutator, key, before, entry)?,
            (1, false) => self.write(mutator, key, entry)?,
            _ => {}
        }
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if mutator.register(0).is_null() {
            return Ok(Progress::Done);
        }
        for key in 0..N_KEYS {
            let (_, entry) = Self::find(mutator, key)?;
            if !self.is_right(mutator, key, entry)? {
                return Ok(Progress::Wrong("an entry of the map is wrong"));
            }
        }
        Ok(Progress::Done)
    }
}
