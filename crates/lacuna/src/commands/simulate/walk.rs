//! One random walk, by its number: which way it goes depends on the seed, its number and what earlier rounds have seen, and on nothing else.

use base::random::splitmix64;
use machine::Compiled;
use rustc_hash::FxHashSet;
use system::{PropertyIndex, Reached, Successors, TransitionSystem, hash};

/// States that were seen, by hash.
pub(super) type Seen = FxHashSet<u64>;

/// A way from an initial state.
pub(super) type Path = Vec<Vec<u32>>;

/// What all walks of a round know.
pub(super) struct Plan<'a> {
    pub(super) seed: u64,
    pub(super) depth: usize,
    pub(super) seen: &'a Seen,
    pub(super) starts: &'a Starts,
}

/// Walks that have found new states: others begin where these were found.
#[derive(Default)]
pub(super) struct Starts {
    paths: Vec<Path>,
    /// The new states, each by its path and where it is there.
    places: Vec<(usize, usize)>,
    n_states: usize,
}

impl Starts {
    /// So many states of paths are kept; what is found after that is no place to begin at.
    const MOST: usize = 1 << 19;

    /// Keeps a path that has new states at these places.
    pub(super) fn keep(&mut self, path: Path, new: impl Iterator<Item = usize>) {
        if self.n_states + path.len() <= Self::MOST {
            self.n_states += path.len();
            self.places.extend(new.map(|at| (self.paths.len(), at)));
            self.paths.push(path);
        }
    }

    /// The way to one of the new states.
    fn pick(&self, dice: &mut Dice) -> Option<Path> {
        let (path, at) = *self.places.get(dice.below(self.places.len()))?;
        Some(self.paths[path][..=at].to_vec())
    }
}

/// What a walk has done.
pub(super) struct Walk {
    /// Its states, from an initial one on.
    pub(super) path: Path,
    /// How many of them it has not walked itself.
    pub(super) begun_at: usize,
    /// What the last state violates.
    pub(super) violated: Option<PropertyIndex>,
}

/// How a walk chooses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Every successor alike.
    Uniform,
    /// Every second time, states that nobody has seen.
    Guided,
    /// One thread, and its first or its last step, for a while: what others do, and what is pending, waits long.
    Persistent,
}

/// A sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(splitmix64(&mut self.0)) * n as u128) >> 64) as usize
    }
}

/// Steps for which a persistent walk keeps to its choice, on average.
const WHILE: usize = 12;

/// The walk of this number.
pub(super) fn walk(system: &Compiled<'_>, plan: &Plan<'_>, number: u64) -> Walk {
    let mut dice = Dice(plan.seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    let manner = [Manner::Uniform, Manner::Guided, Manner::Persistent, Manner::Guided][number as usize % 4];
    let mut scratch = system.scratch();
    let mut successors = Successors::new(system.state_len());
    let path = if number % 8 >= 2 { plan.starts.pick(&mut dice).unwrap_or_default() } else { Path::new() };
    match path.last() {
        Some(last) => system.successors(last, &mut scratch, &mut successors),
        None => system.initial(&mut successors),
    }
    let mut own: Seen = path.iter().map(|state| hash(state)).collect();
    let mut walk = Walk { begun_at: path.len(), path, violated: None };
    // Many short walks from new places, and few long ones.
    let most = (walk.begun_at + (plan.depth >> (number / 8 % 7))).min(plan.depth);
    let mut favourite = dice.0;
    while walk.path.len() <= most && walk.violated.is_none() && system.cut().is_none() {
        if dice.below(WHILE) == 0 {
            favourite = splitmix64(&mut dice.0);
        }
        let is_seen = |state: &u64| plan.seen.contains(state) || own.contains(state);
        let Some(state) = chosen(&successors, manner, favourite, &mut dice, &is_seen) else { break };
        own.insert(hash(&state));
        walk.violated = system.inspect(&state, &mut scratch, &mut Reached::default());
        successors.clear();
        if walk.violated.is_none() {
            system.successors(&state, &mut scratch, &mut successors);
            let stuck = || successors.is_end().then(|| system.stuck(&state, &mut scratch)).flatten();
            walk.violated = successors.violated.or_else(stuck);
        }
        walk.path.push(state);
    }
    walk
}

fn chosen(
    successors: &Successors,
    manner: Manner,
    favourite: u64,
    dice: &mut Dice,
    is_seen: &dyn Fn(&u64) -> bool,
) -> Option<Vec<u32>> {
    let mut among: Vec<(&[u32], u8)> = successors.iter().collect();
    let is_new = |state: &(&[u32], u8)| !is_seen(&hash(state.0));
    if manner == Manner::Guided && dice.below(2) == 1 && among.iter().any(is_new) {
        among.retain(is_new);
    }
    if manner == Manner::Persistent {
        let rank = |label: u8| splitmix64(&mut (favourite ^ u64::from(label)));
        let best = among.iter().map(|(_, label)| *label).max_by_key(|label| rank(*label))?;
        among.retain(|(_, label)| *label == best);
        let end = if favourite & 1 == 0 { among.first() } else { among.last() };
        return end.map(|(state, _)| state.to_vec());
    }
    (!among.is_empty()).then(|| among[dice.below(among.len())].0.to_vec())
}
