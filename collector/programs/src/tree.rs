//! A complete binary tree, changed by copying the path from the root: old paths become garbage, the rest is shared.

use crate::random::{Random, checksum};
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const NODE: Shape = Shape { n_slots: 2, n_data: 2 };
const DEPTH: u32 = 7;
const N_KEYS: usize = 1 << DEPTH;

/// Register: the root. A leaf holds a version and its checksum; 0 versions are leaves that are not there.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    random: Random,
    versions: [u16; N_KEYS],
}

impl Tree {
    pub(crate) fn new(seed: u64) -> Tree {
        Tree { random: Random::new(seed), versions: [0; N_KEYS] }
    }

    /// A tree like `old`, but with this version at the key.
    fn with<M: Method>(mutator: &mut Mutator<'_, M>, old: Ref, key: usize, version: u16, depth: u32) -> Step<Ref, M> {
        let node = mutator.alloc(NODE)?;
        if depth == 0 {
            mutator.set_data(node, 2, 0, u64::from(version))?;
            mutator.set_data(node, 2, 1, checksum(key as u64, u64::from(version)))?;
            return Ok(node);
        }
        let side = (key >> (depth - 1) & 1) as u8;
        let (below, beside) = match old.is_null() {
            true => (Ref::NULL, Ref::NULL),
            false => (mutator.load(old, side)?, mutator.load(old, 1 - side)?),
        };
        let below = Self::with(mutator, below, key, version, depth - 1)?;
        mutator.store(node, side, below)?;
        mutator.store(node, 1 - side, beside)?;
        Ok(node)
    }

    fn is_right<M: Method>(&self, mutator: &mut Mutator<'_, M>, key: usize) -> Step<bool, M> {
        let mut node = mutator.register(0);
        for depth in (0..DEPTH).rev() {
            if node.is_null() {
                return Ok(self.versions[key] == 0);
            }
            node = mutator.load(node, (key >> depth & 1) as u8)?;
        }
        let version = u64::from(self.versions[key]);
        Ok(match node.is_null() {
            true => version == 0,
            false => mutator.data(node, 2, 0)? == version && mutator.data(node, 2, 1)? == checksum(key as u64, version),
        })
    }
}

impl Program for Tree {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let key = self.random.below(N_KEYS as u64) as usize;
        if !self.is_right(mutator, key)? {
            return Ok(Progress::Wrong("a leaf has another version"));
        }
        if self.random.below(4) == 0 {
            self.versions[key] = (self.versions[key] + 1).max(1);
            let root = Self::with(mutator, mutator.register(0), key, self.versions[key], DEPTH)?;
            mutator.set_register(0, root);
        }
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        for key in 0..N_KEYS {
            if !self.is_right(mutator, key)? {
                return Ok(Progress::Wrong("a leaf of the tree is wrong"));
            }
        }
        Ok(Progress::Done)
    }
}
