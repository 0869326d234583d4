//! The states that a system stores.

use machine::Compiled;
use std::collections::HashSet;
use system::{Successors, TransitionSystem};

/// All states of a system, up to a number.
pub(crate) fn states(system: &Compiled<'_>, most: usize) -> Option<HashSet<Vec<u32>>> {
    let mut successors = Successors::new(system.state_len());
    let mut scratch = system.scratch();
    system.initial(&mut successors);
    let mut open: Vec<Vec<u32>> = successors.iter().map(|(state, _)| state.to_vec()).collect();
    let mut seen: HashSet<Vec<u32>> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        successors.clear();
        system.successors(&state, &mut scratch, &mut successors);
        for (next, _) in successors.iter() {
            if seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}
