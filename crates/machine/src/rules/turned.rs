//! Where paths of settling turn back: what has been met is not visited again, and it is known what leads to a rest.

use crate::rules::SettlePath;
use crate::rules::local::Local;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use system::Reached;

/// Where a path of settling begins, among the places of `Turned`.
pub(crate) const BEGINNING: usize = 0;

/// Where paths of settling have turned back, and how they continue from there.
#[derive(Default)]
pub(crate) struct Turned {
    /// The places after the beginning.
    locals: Vec<Local>,
    /// Where each is in `locals`, and one more: by hash, or by the next free number after it. A small entry, so that growing takes little.
    places: FxHashMap<u64, usize>,
    /// What paths had reached there, if anything.
    reached: FxHashMap<usize, Reached>,
    /// From which place a path leads to which.
    ways: Vec<(usize, usize)>,
    /// Places from which a path comes to rest.
    pub(crate) rests: Vec<usize>,
}

/// A path comes to a place.
pub(crate) enum Meeting {
    /// No path has been there, or none that had reached all that this one has.
    First(usize),
    /// It has nothing new.
    Again(usize),
}

impl Turned {
    /// The path that was at `since` last turns back.
    pub(crate) fn meet(&mut self, path: &SettlePath, since: usize) -> Meeting {
        let (n_before, place) = (self.locals.len(), self.place(&path.local));
        self.ways.push((since, place));
        let has_more = self.has_more(place, path);
        if place > n_before || has_more { Meeting::First(place) } else { Meeting::Again(place) }
    }

    fn place(&mut self, local: &Local) -> usize {
        let mut hash = FxBuildHasher.hash_one(local);
        while let Some(place) = self.places.get(&hash) {
            if self.locals[place - 1] == *local {
                return *place;
            }
            hash = hash.wrapping_add(1);
        }
        self.locals.push(local.clone());
        self.places.insert(hash, self.locals.len());
        self.locals.len()
    }

    /// Whether a path has reached more than those that were there before.
    fn has_more(&mut self, place: usize, path: &SettlePath) -> bool {
        if path.reached == Reached::default() {
            return false;
        }
        let known = self.reached.entry(place).or_default();
        let has_more = !known.has_all(&path.reached);
        known.add_all(&path.reached);
        has_more
    }

    /// For each place, whether some path leads from there to where the thread rests.
    pub(crate) fn leading_out(&self) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.locals.len() + 1];
        self.ways.iter().for_each(|(from, to)| before[*to].push(*from));
        let mut leads_out = vec![false; before.len()];
        let mut found = self.rests.clone();
        while let Some(place) = found.pop() {
            if !std::mem::replace(&mut leads_out[place], true) {
                found.extend(&before[place]);
            }
        }
        leads_out
    }
}
