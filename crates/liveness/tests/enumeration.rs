//! All lassos up to a length, one by one, each judged by the second opinion alone.

use crate::toy::Toy;
use liveness::{Lasso, Step, check_lasso};
use ltl::Formula;
use system::{Successors, TransitionSystem};

/// The length of a shortest lasso, of at most `most` steps, that violates; the second opinion says which do.
pub(crate) fn shortest(toy: &Toy, formula: &Formula, fairness: u64, most: usize) -> Option<usize> {
    let mut runs: Vec<(Vec<Step>, u32)> = toy.initial.iter().map(|state| (Vec::new(), *state)).collect();
    for length in 1..=most {
        let mut longer = Vec::new();
        for (run, at) in runs {
            let mut successors = Successors::new(1);
            toy.successors(&[at], &mut (), &mut successors);
            let mut next: Vec<(Option<u8>, u32)> = successors.iter().map(|(to, label)| (Some(label), to[0])).collect();
            if next.is_empty() && !successors.discarded {
                next.push((None, at));
            }
            for (label, to) in next {
                let mut run = run.clone();
                run.push(Step { state: vec![at], label });
                for start in (0..run.len()).filter(|start| run[*start].state[0] == to) {
                    let lasso = Lasso { stem: run[..start].to_vec(), cycle: run[start..].to_vec() };
                    if check_lasso(toy, formula, fairness, &lasso).is_ok() {
                        return Some(length);
                    }
                }
                longer.push((run, to));
            }
        }
        runs = longer;
    }
    None
}
