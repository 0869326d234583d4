//! A shorter way to the end of a walk: again and again, a few states around one of the path are searched for a later one of the path.

use machine::Compiled;
use rustc_hash::FxHashMap;
use system::{Successors, TransitionSystem};

/// States that one search looks at.
const NEAR: usize = 3000;

/// A path with the same beginning and end, of which no part can be shortened within `NEAR` states.
pub(super) fn shrink(system: &Compiled<'_>, mut path: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut at = 0;
    while at + 1 < path.len() {
        match shortcut(system, &path, at) {
            Some((to, between)) => {
                path.splice(at + 1..to, between);
            }
            None => at += 1,
        }
    }
    path
}

/// The farthest state of the path that fewer steps lead to from the one at `at`, and the states between them.
fn shortcut(system: &Compiled<'_>, path: &[Vec<u32>], at: usize) -> Option<(usize, Vec<Vec<u32>>)> {
    let later: FxHashMap<&[u32], usize> =
        path.iter().enumerate().skip(at + 1).map(|(n, s)| (s.as_slice(), n)).collect();
    let mut scratch = system.scratch();
    let mut successors = Successors::new(system.state_len());
    // Each with the one before it and its distance.
    let mut found: Vec<(Vec<u32>, usize, usize)> = vec![(path[at].clone(), 0, 0)];
    let mut known: FxHashMap<Vec<u32>, ()> = [(path[at].clone(), ())].into_iter().collect();
    let mut best: Option<(usize, usize, usize)> = None;
    let mut next = 0;
    while next < found.len() && found.len() < NEAR && system.cut().is_none() {
        let (state, _, distance) = found[next].clone();
        successors.clear();
        system.successors(&state, &mut scratch, &mut successors);
        for (to, _) in successors.iter() {
            if known.insert(to.to_vec(), ()).is_none() {
                found.push((to.to_vec(), next, distance + 1));
                let saved = later.get(to).map_or(0, |n| (n - at).saturating_sub(distance + 1));
                if saved > best.map_or(0, |best| best.0) {
                    best = Some((saved, found.len() - 1, later[to]));
                }
            }
        }
        next += 1;
    }
    let (_, end, to) = best?;
    let mut between = Vec::new();
    let mut n = found[end].1;
    while n != 0 {
        between.push(found[n].0.clone());
        n = found[n].1;
    }
    between.reverse();
    Some((to, between))
}
