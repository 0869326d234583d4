//! Shortcuts in a lasso: where it comes to the same state twice, what is between may be superfluous.
//!
//! The search's lasso is shortest for the automaton, which may begin a cycle late or want to see a state twice. A
//! shortcut is taken if the second opinion confirms what is left.

use crate::confirm::check_lasso;
use crate::fair::FairSystem;
use crate::result::Lasso;
use ltl::Formula;

/// Longer lassos are left alone.
const LONGEST: usize = 200;
/// How many steps may be checked in all.
const PATIENCE: usize = 20_000;

/// A lasso that is confirmed if `lasso` is, and not longer.
pub(crate) fn shorten<S: FairSystem + ?Sized>(system: &S, formula: &Formula, fairness: u64, mut lasso: Lasso) -> Lasso {
    let mut n_checked = 0;
    let mut confirmed = |shorter: &Lasso| {
        n_checked += shorter.len();
        n_checked <= PATIENCE && check_lasso(system, formula, fairness, shorter).is_ok()
    };
    while lasso.len() <= LONGEST {
        let Some(shorter) = shortcuts(&lasso).find(&mut confirmed) else { break };
        lasso = shorter;
    }
    lasso
}

/// All lassos that are left when one part between two equal states is taken out.
fn shortcuts(lasso: &Lasso) -> impl Iterator<Item = Lasso> + '_ {
    let Lasso { stem, cycle } = lasso;
    let begin_early = stem.iter().enumerate().flat_map(move |(k, at)| {
        let same = (0..cycle.len()).filter(move |j| cycle[*j].state == at.state);
        same.map(move |j| Lasso { stem: stem[..k].to_vec(), cycle: [&cycle[j..], &cycle[..j]].concat() })
    });
    let cut_stem = (0..stem.len()).flat_map(move |i| {
        let same = (i + 1..stem.len()).rev().filter(move |j| stem[*j].state == stem[i].state);
        same.map(move |j| Lasso { stem: [&stem[..i], &stem[j..]].concat(), cycle: cycle.clone() })
    });
    let cut_cycle = (0..cycle.len()).flat_map(move |i| {
        let same = (i + 1..cycle.len()).rev().filter(move |j| cycle[*j].state == cycle[i].state);
        same.flat_map(move |j| {
            let inner = Lasso { stem: [&stem[..], &cycle[..i]].concat(), cycle: cycle[i..j].to_vec() };
            let outer = Lasso { stem: stem.clone(), cycle: [&cycle[..i], &cycle[j..]].concat() };
            [inner, outer]
        })
    });
    begin_early.chain(cut_stem).chain(cut_cycle)
}
