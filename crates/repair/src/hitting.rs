//! Least costly hitting sets: a set of atoms with one of each of several sets, by branch and bound.

use crate::atoms::{Atom, AtomId, covers, exclude};
use base::Table;

/// Sets to hit, and sets that are solved already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hitting {
    /// One of each is needed.
    pub needed: Vec<Vec<AtomId>>,
    /// Supersets of these add nothing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::{PlaceId, Strength};
    use memory::Fence;

    const FULL: Strength = Strength::Fence(Fence::Full);
    const RELEASE: Strength = Strength::Fence(Fence::Release);

    /// Atoms with places, strengths and costs.
    fn atoms(all: &[(u32, Strength, u64)]) -> Table<AtomId, Atom> {
        let atom = |(place, strength, cost): &_| Atom {
            place: PlaceId(*place),
            strength: *strength,
            cost: *cost,
            intrusion: 0,
        };
        all.iter().map(atom).collect()
    }

    fn ids(all: &[u32]) -> Vec<AtomId> {
        all.iter().map(|id| AtomId(*id)).collect()
    }

    /// The least set by trying all.
    fn by_trying(hitting: &Hitting, atoms: &Table<AtomId, Atom>) -> Option<u64> {
        let hits = |set: &u32| hitting.needed.iter().all(|needed| needed.iter().any(|atom| set >> atom.0 & 1 != 0));
        let chosen = |set: u32| atoms.iter().filter(move |(id, _)| set >> id.0 & 1 != 0);
        let clashes = |set: u32| chosen(set).any(|(i, a)| chosen(set).any(|(j, b)| i != j && exclude(a, b)));
        let all = (0..1u32 << atoms.len()).filter(hits).filter(|set| !clashes(*set));
        all.map(|set| chosen(set).map(|(_, atom)| atom.cost).sum()).min()
    }

    #[test]
    fn the_least_set_is_found() {
        let atoms = atoms(&[(0, FULL, 7), (1, FULL, 4), (2, FULL, 4), (3, FULL, 9), (3, RELEASE, 5), (4, FULL, 3)]);
        let mut hitting = Hitting { needed: vec![ids(&[0, 1]), ids(&[0, 2, 3])], ..Hitting::default() };
        assert_eq!(hitting.least(&atoms), Some(ids(&[0])));
        hitting.needed.push(ids(&[3, 4]));
        hitting.needed.push(ids(&[3, 5]));
        for n in 1..=hitting.needed.len() {
            let part = Hitting { needed: hitting.needed[..n].to_vec(), ..Hitting::default() };
            let cost = part.least(&atoms).map(|set| set.iter().map(|atom| atoms[*atom].cost).sum());
            assert_eq!(cost, by_trying(&part, &atoms), "{n} sets");
        }
    }

    #[test]
    fn what_covers_a_known_set_is_no_news() {
        let atoms = atoms(&[(0, RELEASE, 1), (0, FULL, 2), (1, FULL, 5)]);
        let mut hitting = Hitting { needed: vec![ids(&[0, 1, 2])], ..Hitting::default() };
        hitting.known.push(ids(&[0]));
        assert_eq!(hitting.least(&atoms), Some(ids(&[2])), "a full fence covers a release fence");
        hitting.known.push(ids(&[2]));
        assert_eq!(hitting.least(&atoms), None);
    }

    #[test]
    fn one_fence_at_a_place_is_enough_and_banned_atoms_are_not_used() {
        let atoms = atoms(&[(0, RELEASE, 1), (0, FULL, 9), (1, FULL, 2)]);
        let needed = vec![ids(&[0, 1]), ids(&[1, 2])];
        assert_eq!(Hitting { needed: needed.clone(), ..Hitting::default() }.least(&atoms), Some(ids(&[0, 2])));
        let banned = Hitting { needed, banned: ids(&[2]), ..Hitting::default() };
        assert_eq!(banned.least(&atoms), Some(ids(&[1])), "not a release fence beside the full one");
    }
}
