//! The naive explorer: a queue and a set, nothing else. The oracle of the fast one.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use system::{PropertyIndex, Reached, Successors, TransitionSystem};

/// What the naive explorer finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Distinct states; when a property is violated, those of all levels up to the violation's.
    pub states: u64,
    /// The level whose expansion showed the first violation, plus one, and a property violated at that depth.
    pub violation: Option<(u64, PropertyIndex)>,
    /// What was reached.
    pub reached: Reached,
}

/// Explores `system` with a queue and a set.
pub fn reference<S: TransitionSystem + ?Sized>(system: &S) -> Found {
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut queue: VecDeque<(u64, Vec<u32>)> = VecDeque::new();
    let mut found = Found { states: 0, violation: None, reached: Reached::default() };
    let mut successors = Successors::new(system.state_len());
    let mut scratch = system.scratch();
    system.initial(&mut successors);
    let mut depth = 0;
    loop {
        for (state, _) in successors.iter() {
            if seen.insert(state.to_vec()) {
                if let Some(property) = system.inspect(state, &mut scratch, &mut found.reached) {
                    found.violation.get_or_insert((depth, property));
                }
                queue.push_back((depth, state.to_vec()));
            }
        }
        let Some((at, state)) = queue.pop_front() else { break };
        if found.violation.is_some_and(|(violated_at, _)| at >= violated_at) {
            break;
        }
        successors.clear();
        system.successors(&state, &mut scratch, &mut successors);
        if successors.is_end()
            && let Some(property) = system.stuck(&state, &mut scratch)
        {
            found.violation.get_or_insert((at + 1, property));
        }
        depth = at + 1;
    }
    found.reached.add_all(&system.reached());
    found.states = seen.len() as u64;
    found
}
