//! Least costly hitting sets: a set of atoms with one of each of several sets, by branch and bound.

use crate::atoms::{Atom, AtomId, covers, exclude};
use base::Table;

/// Sets to hit, and sets that are solved already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hitting {
    /// One of each is needed.
    pub needed: Vec<Vec<AtomId>>,
    /// What covers one of these is no news.
    pub known: Vec<Vec<AtomId>>,
    /// Atoms that may not be used.
    pub banned: Vec<AtomId>,
}

/// What a set costs: cost, then intrusion, then size.
type Price = (u64, u64, usize);

/// A node of the search: what is chosen, and what is ruled out because a sibling has tried it.
struct Search<'a> {
    hitting: &'a Hitting,
    atoms: &'a Table<AtomId, Atom>,
    chosen: Vec<AtomId>,
    ruled_out: Vec<AtomId>,
    best: Option<(Price, Vec<AtomId>)>,
}

impl Hitting {
    /// The least costly set that hits all and covers nothing known; of equals the first in the order of the atoms.
    pub(crate) fn least(&self, atoms: &Table<AtomId, Atom>) -> Option<Vec<AtomId>> {
        let ruled_out = self.banned.clone();
        let mut search = Search { hitting: self, atoms, chosen: Vec::new(), ruled_out, best: None };
        search.go();
        search.best.map(|(_, chosen)| chosen)
    }
}

impl Search<'_> {
    fn go(&mut self) {
        if self.hitting.known.iter().any(|known| self.covers_all(known)) {
            return;
        }
        let unhit: Vec<&Vec<AtomId>> =
            self.hitting.needed.iter().filter(|set| !set.iter().any(|atom| self.chosen.contains(atom))).collect();
        let price = self.price();
        let least = (price.0 + self.lower_bound(&unhit), 0, 0);
        if self.best.as_ref().is_some_and(|(best, _)| least.0 > best.0) {
            return;
        }
        let Some(set) = unhit.iter().min_by_key(|set| self.allowed(set).len()) else {
            if self.best.as_ref().is_none_or(|(best, _)| price < *best) {
                let mut chosen = self.chosen.clone();
                chosen.sort();
                self.best = Some((price, chosen));
            }
            return;
        };
        let mut options = self.allowed(set);
        options.sort_by_key(|atom| (self.atoms[*atom].cost, self.atoms[*atom].intrusion, *atom));
        let n_ruled_out = self.ruled_out.len();
        for atom in options {
            self.chosen.push(atom);
            self.go();
            self.chosen.pop();
            self.ruled_out.push(atom);
        }
        self.ruled_out.truncate(n_ruled_out);
    }

    /// The atoms of a set that may still be chosen.
    fn allowed(&self, set: &[AtomId]) -> Vec<AtomId> {
        let clashes = |atom: &AtomId| self.chosen.iter().any(|other| exclude(&self.atoms[*other], &self.atoms[*atom]));
        set.iter().filter(|atom| !self.ruled_out.contains(atom) && !clashes(atom)).copied().collect()
    }

    fn price(&self) -> Price {
        let sum = |part: fn(&Atom) -> u64| self.chosen.iter().map(|atom| part(&self.atoms[*atom])).sum();
        (sum(|atom| atom.cost), sum(|atom| atom.intrusion), self.chosen.len())
    }

    /// What the sets not yet hit cost at least: the cheapest atoms of sets that share none.
    fn lower_bound(&self, unhit: &[&Vec<AtomId>]) -> u64 {
        let mut used: Vec<AtomId> = Vec::new();
        let mut bound = 0;
        for set in unhit {
            let allowed = self.allowed(set);
            if allowed.iter().all(|atom| !used.contains(atom)) {
                let least = allowed.iter().map(|atom| self.atoms[*atom].cost).min();
                bound += least.unwrap_or(u64::MAX / 1024);
                used.extend(allowed);
            }
        }
        bound
    }

    fn covers_all(&self, known: &[AtomId]) -> bool {
        let is_covered = |atom: &AtomId| self.chosen.iter().any(|c| covers(&self.atoms[*c], &self.atoms[*atom]));
        known.iter().all(is_covered)
    }
}
