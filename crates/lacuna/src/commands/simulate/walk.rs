//! One random walk, by its number: which way it goes depends on the seed, its number and what earlier rounds have seen, and on nothing else.

use base::random::splitmix64;
use machine::Compiled;
use rustc_hash::FxHashSet;
use system::{PropertyIndex, Reached, Successors, TransitionSystem, hash};

/// States that were seen, by hash.
pub(super) type Seen = FxHashSet<u64>;

/// What a walk has done.
pub(super) struct Walk {
    /// Its states, from an initial one on.
    pub(super) path: Vec<Vec<u32>>,
    /// What the last state violates.
    pub(super) violated: Option<PropertyIndex>,
}

/// A sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(splitmix64(&mut self.0)) * n as u128) >> 64) as usize
    }
}

/// Walks up to `depth` steps. Every second choice prefers states that nobody has seen.
pub(super) fn walk(system: &Compiled<'_>, seed: u64, number: u64, depth: usize, seen: &Seen) -> Walk {
    let mut dice = Dice(seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    let mut scratch = system.scratch();
    let mut successors = Successors::new(system.state_len());
    let mut own = Seen::default();
    system.initial(&mut successors);
    let mut walk = Walk { path: Vec::new(), violated: None };
    while let Some(state) = chosen(&successors, &mut dice, &|state| seen.contains(state) || own.contains(state)) {
        own.insert(hash(&state));
        walk.violated = system.inspect(&state, &mut scratch, &mut Reached::default());
        successors.clear();
        if walk.violated.is_none() {
            system.successors(&state, &mut scratch, &mut successors);
            let stuck = || successors.is_end().then(|| system.stuck(&state, &mut scratch)).flatten();
            walk.violated = successors.violated.or_else(stuck);
        }
        walk.path.push(state);
        if walk.violated.is_some() || walk.path.len() > depth || system.cut().is_some() {
            break;
        }
    }
    walk
}

fn chosen(successors: &Successors, dice: &mut Dice, is_seen: &dyn Fn(&u64) -> bool) -> Option<Vec<u32>> {
    let all: Vec<&[u32]> = successors.iter().map(|(state, _)| state).collect();
    let new: Vec<&[u32]> = match dice.below(2) {
        0 => Vec::new(),
        _ => all.iter().filter(|state| !is_seen(&hash(state))).copied().collect(),
    };
    let among = if new.is_empty() { all } else { new };
    (!among.is_empty()).then(|| among[dice.below(among.len())].to_vec())
}
