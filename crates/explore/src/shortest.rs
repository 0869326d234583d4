//! Of all shortest paths to a violation, one with the fewest changes of thread.
//!
//! A second pass over the levels that the search went through: for each state and each thread that
//! can have stepped last, the least number of changes so far, and where it came from.

use rustc_hash::FxHashMap;
use system::{PropertyIndex, Reached, Successors, TransitionSystem};

/// How often states may be reached, for each state that may be kept: many threads have many ways to the same states.
const WAYS_PER_STATE: usize = 32;

/// For one state at one level, by the thread that stepped last.
type Costs = Vec<(u8, u32, Option<(usize, u8)>)>;

/// One level: its states in the order they were found, and their costs.
#[derive(Default)]
struct Level {
    states: Vec<Vec<u32>>,
    costs: Vec<Costs>,
}

/// For each state its least depth, and where it is in the level. A shortest path visits each state at that depth only.
type Places = FxHashMap<Vec<u32>, (usize, usize)>;

impl Level {
    /// Where `state` is in this level, which is at `depth`; none if it has been met before.
    fn place(&mut self, state: &[u32], depth: usize, places: &mut Places) -> Option<usize> {
        if let Some((known, at)) = places.get(state) {
            return (*known == depth).then_some(*at);
        }
        places.insert(state.to_vec(), (depth, self.states.len()));
        self.states.push(state.to_vec());
        self.costs.push(Vec::new());
        Some(self.states.len() - 1)
    }

    fn reach(&mut self, at: usize, thread: u8, cost: u32, from: Option<(usize, u8)>) {
        let costs = &mut self.costs[at];
        match costs.iter_mut().find(|(t, ..)| *t == thread) {
            Some(best) if cost < best.1 => *best = (thread, cost, from),
            Some(_) => {}
            None => costs.push((thread, cost, from)),
        }
    }
}

/// A path of `depth` steps to a state that violates `property`, with the fewest changes of thread;
/// none if more than `max_states` states would have to be kept, if there are too many ways to them, or as soon as it is given up.
pub fn fewest_switches<S: TransitionSystem + ?Sized>(
    system: &S,
    property: PropertyIndex,
    depth: usize,
    max_states: usize,
    is_given_up: &dyn Fn() -> bool,
) -> Option<Vec<Vec<u32>>> {
    const NO_THREAD: u8 = u8::MAX;
    let (mut levels, mut places) = (vec![Level::default()], Places::default());
    let mut successors = Successors::new(system.state_len());
    let mut scratch = system.scratch();
    system.initial(&mut successors);
    for (state, _) in successors.iter() {
        let at = levels[0].place(state, 0, &mut places);
        at.into_iter().for_each(|at| levels[0].reach(at, NO_THREAD, 0, None));
    }
    let (mut n_states, mut n_ways) = (levels[0].states.len(), 0);
    for d in 0..depth {
        let mut next = Level::default();
        for (at, state) in levels[d].states.iter().enumerate() {
            if is_given_up() || n_states + next.states.len() > max_states || n_ways > max_states * WAYS_PER_STATE {
                return None;
            }
            successors.clear();
            system.successors(state, &mut scratch, &mut successors);
            for (to, thread) in successors.iter() {
                let Some(target) = next.place(to, d + 1, &mut places) else { continue };
                n_ways += levels[d].costs[at].len();
                for (last, cost, _) in &levels[d].costs[at] {
                    let switched = u32::from(*last != thread && *last != NO_THREAD);
                    next.reach(target, thread, cost + switched, Some((at, *last)));
                }
            }
        }
        n_states += next.states.len();
        levels.push(next);
    }
    best_path(system, &mut scratch, property, &levels)
}

fn best_path<S: TransitionSystem + ?Sized>(
    system: &S,
    scratch: &mut S::Scratch,
    property: PropertyIndex,
    levels: &[Level],
) -> Option<Vec<Vec<u32>>> {
    let last = levels.last()?;
    let mut violates = |state: &[u32]| {
        system.inspect(state, scratch, &mut Reached::default()) == Some(property)
            || has_no_step(system, scratch, state) && system.stuck(state, scratch) == Some(property)
    };
    let ends = last.states.iter().enumerate().filter(|(_, state)| violates(state));
    let ways = ends.flat_map(|(at, _)| last.costs[at].iter().map(move |(thread, cost, _)| (*cost, at, *thread)));
    let (_, mut at, mut thread) = ways.min()?;
    let mut path = Vec::new();
    for level in levels.iter().rev() {
        path.push(level.states[at].clone());
        let (.., from) = level.costs[at].iter().find(|(t, ..)| *t == thread)?;
        if let Some((before, last)) = from {
            (at, thread) = (*before, *last);
        }
    }
    path.reverse();
    Some(path)
}

fn has_no_step<S: TransitionSystem + ?Sized>(system: &S, scratch: &mut S::Scratch, state: &[u32]) -> bool {
    let mut successors = Successors::new(system.state_len());
    system.successors(state, scratch, &mut successors);
    successors.is_end()
}
