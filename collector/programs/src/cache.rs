//! A cache with churn: entries are replaced all the time, and every mutator reads what the others have published.
//!
//! What is published does not change any more: no two mutators race for a word.

use crate::random::{Random, checksum};
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const N_ENTRIES: u8 = 48;
const TABLE: Shape = Shape { n_slots: N_ENTRIES, n_data: 0 };
const ENTRY: Shape = Shape { n_slots: 1, n_data: 2 };
const PAYLOAD: Shape = Shape { n_slots: 0, n_data: 6 };
/// Global slots of each mutator, and mutators that have some.
const N_PUBLISHED: u64 = 8;
const N_SHARING: u64 = 8;

/// Register: the table. Each entry's key is known by a mirror.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    random: Random,
    keys: [u64; N_ENTRIES as usize],
    n_made: u64,
}

impl Cache {
    pub(crate) fn new(seed: u64) -> Cache {
        Cache { random: Random::new(seed), keys: [0; N_ENTRIES as usize], n_made: 0 }
    }

    fn make<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(u64, Ref), M> {
        self.n_made += 1;
        let key = self.n_made << 8 | mutator.id() as u64;
        let payload = mutator.alloc(PAYLOAD)?;
        for idx in 0..PAYLOAD.n_data {
            mutator.set_data(payload, 0, idx, checksum(key, u64::from(idx)))?;
        }
        let entry = mutator.alloc(ENTRY)?;
        mutator.store(entry, 0, payload)?;
        mutator.set_data(entry, 1, 0, key)?;
        mutator.set_data(entry, 1, 1, checksum(key, 99))?;
        Ok((key, entry))
    }

    fn replace<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        let idx = self.random.below(u64::from(N_ENTRIES)) as u8;
        let (key, entry) = self.make(mutator)?;
        mutator.store(mutator.register(0), idx, entry)?;
        self.keys[idx as usize] = key;
        if self.random.below(4) == 0 {
            let slot = mutator.id() as u64 * N_PUBLISHED + self.random.below(N_PUBLISHED);
            mutator.store(mutator.globals(), slot as u8, entry)?;
        }
        Ok(())
    }
}

/// Whether an entry and its payload belong together; its key.
fn read<M: Method>(mutator: &mut Mutator<'_, M>, entry: Ref) -> Step<Option<u64>, M> {
    let key = mutator.data(entry, 1, 0)?;
    let payload = mutator.load(entry, 0)?;
    let mut is_right = mutator.data(entry, 1, 1)? == checksum(key, 99) && !payload.is_null();
    for idx in 0..PAYLOAD.n_data {
        is_right = is_right && mutator.data(payload, 0, idx)? == checksum(key, u64::from(idx));
    }
    Ok(is_right.then_some(key))
}

impl Program for Cache {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if mutator.register(0).is_null() {
            let table = mutator.alloc(TABLE)?;
            mutator.set_register(0, table);
        }
        let idx = self.random.below(u64::from(N_ENTRIES)) as u8;
        let entry = mutator.load(mutator.register(0), idx)?;
        let key = if entry.is_null() { Some(0) } else { read(mutator, entry)? };
        if key != Some(self.keys[idx as usize]) {
            return Ok(Progress::Wrong("an entry of the cache is not the one put there"));
        }
        let shared = mutator.load(mutator.globals(), self.random.below(N_PUBLISHED * N_SHARING) as u8)?;
        if !shared.is_null() && read(mutator, shared)?.is_none() {
            return Ok(Progress::Wrong("a published entry is torn"));
        }
        if self.random.below(2) == 0 {
            self.replace(mutator)?;
        }
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if mutator.register(0).is_null() {
            return Ok(Progress::Done);
        }
        for idx in 0..N_ENTRIES {
            let entry = mutator.load(mutator.register(0), idx)?;
            let key = if entry.is_null() { Some(0) } else { read(mutator, entry)? };
            if key != Some(self.keys[idx as usize]) {
                return Ok(Progress::Wrong("an entry of the cache is wrong at the end"));
            }
        }
        Ok(Progress::Done)
    }
}
