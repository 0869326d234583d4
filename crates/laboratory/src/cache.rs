//! One level of a cache: sets of ways, and which way a new line takes.

use crate::random::Random;
use std::fmt;

/// Which line leaves a full set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// The least recently used.
    Lru,
    /// The one to which the bits of a binary tree point; every access turns the bits on its way away from itself.
    TreePlru,
    /// Any.
    Random,
}

/// The shape of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Its sets.
    pub sets: usize,
    /// Lines per set. With [`Replacement::TreePlru`] a power of two.
    pub ways: usize,
    /// Which line leaves.
    pub replacement: Replacement,
}

/// What an access did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The line was there.
    Hit,
    /// The line took an empty way.
    Filled,
    /// The line took the place of this one.
    Evicted(u64),
}

/// An empty way.
const EMPTY: u64 = u64::MAX;

/// A level with its lines.
#[derive(Clone, Debug)]
pub struct Cache {
    /// Its shape.
    pub geometry: Geometry,
    lines: Vec<u64>,
    /// When each way was used last (LRU).
    used: Vec<u64>,
    /// The bits of each set's tree (tree pseudo-LRU): bit n belongs to node n, the root is node 1.
    trees: Vec<u64>,
    now: u64,
    random: Random,
}

impl Geometry {
    /// Bytes of all its lines.
    pub fn bytes(&self) -> usize {
        self.sets * self.ways * htm::area::LINE_BYTES
    }
}

impl Cache {
    /// An empty cache.
    pub fn new(geometry: Geometry, seed: u64) -> Cache {
        let n_lines = geometry.sets * geometry.ways;
        Cache {
            geometry,
            lines: vec![EMPTY; n_lines],
            used: vec![0; n_lines],
            trees: vec![0; geometry.sets],
            now: 0,
            random: Random(seed),
        }
    }

    /// Accesses `line`, whose physical address has the line number `place`.
    pub fn access(&mut self, line: u64, place: u64) -> Access {
        let set = self.set(place);
        let start = set * self.geometry.ways;
        let lines = &self.lines[start..start + self.geometry.ways];
        let (way, result) = match lines.iter().position(|l| *l == line) {
            Some(way) => (way, Access::Hit),
            None => match lines.iter().position(|l| *l == EMPTY) {
                Some(way) => (way, Access::Filled),
                None => {
                    let way = self.victim(set);
                    (way, Access::Evicted(self.lines[start + way]))
                }
            },
        };
        self.lines[start + way] = line;
        self.touch(set, way);
        result
    }

    /// Takes `line` out.
    pub fn remove(&mut self, line: u64, place: u64) {
        let start = self.set(place) * self.geometry.ways;
        let ways = start..start + self.geometry.ways;
        self.lines[ways].iter_mut().filter(|l| **l == line).for_each(|l| *l = EMPTY);
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.lines.fill(EMPTY);
    }

    /// The set of a place.
    pub fn set(&self, place: u64) -> usize {
        (place % self.geometry.sets as u64) as usize
    }

    fn victim(&mut self, set: usize) -> usize {
        let ways = self.geometry.ways;
        match self.geometry.replacement {
            Replacement::Lru => {
                let used = &self.used[set * ways..(set + 1) * ways];
                (0..ways).min_by_key(|way| used[*way]).unwrap_or(0)
            }
            Replacement::Random => self.random.below(ways as u64) as usize,
            Replacement::TreePlru => {
                let mut node = 1;
                while node < ways {
                    node = 2 * node + (self.trees[set] >> node & 1) as usize;
                }
                node - ways
            }
        }
    }

    fn touch(&mut self, set: usize, way: usize) {
        let ways = self.geometry.ways;
        self.now += 1;
        self.used[set * ways + way] = self.now;
        if self.geometry.replacement == Replacement::TreePlru {
            let mut node = ways + way;
            while node > 1 {
                let is_right = node & 1 == 1;
                node /= 2;
                // The bit says where to look next: away from here.
                if is_right { self.trees[set] &= !(1 << node) } else { self.trees[set] |= 1 << node }
            }
        }
    }
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Replacement::Lru => "lru",
            Replacement::TreePlru => "tree-plru",
            Replacement::Random => "random",
        })
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sets, {} ways, {}", self.sets, self.ways, self.replacement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One set of four ways after these accesses: what the last one did.
    fn last(replacement: Replacement, accesses: &[u64]) -> Access {
        let mut cache = Cache::new(Geometry { sets: 1, ways: 4, replacement }, 1);
        accesses.iter().map(|line| cache.access(*line, *line)).last().expect("some accesses")
    }

    #[test]
    fn an_empty_way_is_taken_first() {
        for replacement in [Replacement::Lru, Replacement::TreePlru, Replacement::Random] {
            assert_eq!(last(replacement, &[1, 2, 3, 4]), Access::Filled);
            assert_eq!(last(replacement, &[1, 2, 3, 4, 2]), Access::Hit);
        }
    }

    #[test]
    fn lru_evicts_what_was_used_longest_ago() {
        assert_eq!(last(Replacement::Lru, &[1, 2, 3, 4, 5]), Access::Evicted(1));
        assert_eq!(last(Replacement::Lru, &[1, 2, 3, 4, 1, 5]), Access::Evicted(2));
    }

    /// Worked out by hand: after 1 2 3 4 the root points left and its left child to way 0; a hit on way 0 turns both away,
    /// so way 2 goes, though way 1 was used longer ago.
    #[test]
    fn tree_plru_may_evict_another_than_lru() {
        assert_eq!(last(Replacement::TreePlru, &[1, 2, 3, 4, 5]), Access::Evicted(1));
        assert_eq!(last(Replacement::TreePlru, &[1, 2, 3, 4, 1, 5]), Access::Evicted(3));
    }

    /// A line that is hit between any two misses leaves only the other half of the tree to them.
    #[test]
    fn a_hot_line_halves_a_tree_plru_set() {
        let mut cache = Cache::new(Geometry { sets: 1, ways: 8, replacement: Replacement::TreePlru }, 1);
        (100..108).for_each(|line| _ = cache.access(line, 0));
        let mut evicted = Vec::new();
        for line in 0..5 {
            assert_eq!(cache.access(100, 0), Access::Hit);
            if let Access::Evicted(line) = cache.access(line, 0) {
                evicted.push(line);
            }
        }
        assert!(evicted[..4].iter().all(|line| *line >= 104), "{evicted:?}");
        assert_eq!(evicted[4], 0, "the fifth new line evicts the first new one");
    }

    #[test]
    fn lines_of_different_sets_do_not_meet() {
        let mut cache = Cache::new(Geometry { sets: 2, ways: 1, replacement: Replacement::Lru }, 1);
        assert_eq!(cache.access(0, 0), Access::Filled);
        assert_eq!(cache.access(1, 1), Access::Filled);
        assert_eq!(cache.access(2, 2), Access::Evicted(0));
        cache.remove(1, 1);
        assert_eq!(cache.access(3, 3), Access::Filled);
        cache.clear();
        assert_eq!(cache.access(2, 2), Access::Filled);
    }
}
