//! Least costly sets of atoms that make a problem hold, by counterexamples and hitting sets.
//!
//! Every counterexample of a set of atoms says: whoever makes the problem hold needs one of these others. The least costly
//! set that has one of each is tried next. What holds in the end is least costly, and nothing of it can be left out.
//!
//! Where operations are reordered, the counterexample itself says which others help. Where memory is histories, more is put in
//! place as long as it still fails:
//! orders are monotone, so whoever makes the problem hold needs something that is not there then.

use crate::atoms::{Atom, AtomId, covers, exclude};
use crate::hitting::Hitting;
use crate::problem::{Checked, Failure, Problem};
use system::Limit;

/// How a search for sets continues.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// A set that holds; no other, apart from those found before, costs less.
    Set(Vec<AtomId>),
    /// There is none (any more). With the failure that no atom forbids, if that is why.
    None(Option<Box<Failure>>),
    /// A limit was hit.
    Inconclusive(Limit),
}

/// A search for sets of atoms.
pub(crate) struct Synthesis<'p, 'a> {
    problem: &'p Problem<'a>,
    hitting: Hitting,
    /// For each set to hit, the failure that it was learned from.
    failures: Vec<Failure>,
    /// Which instance failed last: it is the likeliest to fail again.
    last: usize,
    /// How often a set of atoms was checked.
    pub n_checks: usize,
}

impl<'p, 'a> Synthesis<'p, 'a> {
    /// A search that never uses atoms that are banned.
    pub(crate) fn new(problem: &'p Problem<'a>, is_banned: impl Fn(AtomId, &Atom) -> bool) -> Self {
        let banned = problem.atoms.iter().filter(|(id, atom)| is_banned(*id, atom)).map(|(id, _)| id).collect();
        let hitting = Hitting { banned, ..Hitting::default() };
        Synthesis { problem, hitting, failures: Vec::new(), last: 0, n_checks: 0 }
    }

    /// The next set that holds.
    pub(crate) fn next_set(&mut self) -> Found {
        loop {
            let Some(chosen) = self.hitting.least(&self.problem.atoms) else { return Found::None(None) };
            self.n_checks += 1;
            match self.problem.check(&chosen, self.last) {
                Checked::Holds => return Found::Set(chosen),
                Checked::Inconclusive(limit) => return Found::Inconclusive(limit),
                Checked::Violated(failure) => {
                    if let Some(hopeless) = self.learn(&chosen, failure) {
                        return Found::None(Some(hopeless));
                    }
                }
            }
        }
    }

    /// Notes that a set holds: supersets of it add nothing.
    pub(crate) fn accept(&mut self, set: Vec<AtomId>) {
        self.hitting.known.push(set);
    }

    /// Learns from a failure of `chosen`; gives it back if no atom forbids it.
    pub(crate) fn learn(&mut self, chosen: &[AtomId], failure: Box<Failure>) -> Option<Box<Failure>> {
        let mut failure = failure;
        self.last = failure.instance;
        if self.problem.question.memory.histories.is_some() {
            let (set, failure) = self.grow(chosen.to_vec(), failure);
            return self.note(self.not_covered(&set), failure);
        }
        let mut needed = self.needed(&failure);
        while !needed.is_empty() {
            // With all that does not help put in place, does it still fail? Then less is needed.
            self.n_checks += 1;
            let Checked::Violated(again) = self.problem.check_one(&self.all_but(&needed, chosen), failure.instance)
            else {
                break;
            };
            let fewer = self.needed(&again);
            if fewer.len() >= needed.len() {
                break;
            }
            (needed, failure) = (fewer, again);
        }
        self.note(needed, failure)
    }

    /// Notes that one of `needed` is needed, as the failure shows; gives it back if there is none.
    fn note(&mut self, needed: Vec<AtomId>, failure: Box<Failure>) -> Option<Box<Failure>> {
        if needed.is_empty() {
            return Some(failure);
        }
        self.hitting.needed.push(needed);
        self.failures.push(*failure);
        None
    }

    /// Adds to a set that fails what does not help, as much as possible: halves of the rest, and halves of these.
    fn grow(&mut self, mut set: Vec<AtomId>, mut failure: Box<Failure>) -> (Vec<AtomId>, Box<Failure>) {
        let mut open = vec![self.problem.atoms.ids().rev().collect::<Vec<AtomId>>()];
        while let Some(part) = open.pop() {
            let missing = self.not_covered(&set);
            let added: Vec<AtomId> = part.iter().filter(|atom| missing.contains(atom)).copied().collect();
            let more = self.joined(&set, &added);
            if more.len() == set.len() {
                continue;
            }
            self.n_checks += 1;
            match self.problem.check_one(&more, failure.instance) {
                Checked::Violated(again) => (set, failure) = (more, again),
                _ if added.len() > 1 => {
                    let (first, second) = added.split_at(added.len() / 2);
                    open.extend([second.to_vec(), first.to_vec()]);
                }
                _ => {}
            }
        }
        (set, failure)
    }

    /// The atoms that may be used and order something that no atom of `set` orders.
    fn not_covered(&self, set: &[AtomId]) -> Vec<AtomId> {
        let atoms = &self.problem.atoms;
        let is_covered = |atom: &Atom| set.iter().any(|other| covers(&atoms[*other], atom));
        let may = atoms.iter().filter(|(id, _)| !self.hitting.banned.contains(id));
        may.filter(|(_, atom)| !is_covered(atom)).map(|(id, _)| id).collect()
    }

    /// `set` and those of `added` that it can be joined with, the stronger one where two exclude each other.
    fn joined(&self, set: &[AtomId], added: &[AtomId]) -> Vec<AtomId> {
        let atoms = &self.problem.atoms;
        let mut joined = set.to_vec();
        for atom in added {
            joined.retain(|other| !(exclude(&atoms[*other], &atoms[*atom]) && covers(&atoms[*atom], &atoms[*other])));
            if !joined.iter().any(|other| exclude(&atoms[*other], &atoms[*atom])) {
                joined.push(*atom);
            }
        }
        joined
    }

    /// A failure met before that of all of `set` only `atom` forbids.
    pub(crate) fn failure_without(&self, set: &[AtomId], atom: AtomId) -> Option<Box<Failure>> {
        let is_alone = |needed: &&Vec<AtomId>| set.iter().all(|a| needed.contains(a) == (*a == atom));
        let mut learned = self.hitting.needed.iter().zip(&self.failures);
        learned.find(|(needed, _)| is_alone(needed)).map(|(_, failure)| Box::new(failure.clone()))
    }

    fn needed(&self, failure: &Failure) -> Vec<AtomId> {
        let mut needed = self.problem.needed(failure);
        needed.retain(|atom| !self.hitting.banned.contains(atom));
        needed
    }

    /// `chosen` and as many other atoms as go together, without `needed` and without what is banned; strongest first.
    fn all_but(&self, needed: &[AtomId], chosen: &[AtomId]) -> Vec<AtomId> {
        let atoms = &self.problem.atoms;
        let mut all = chosen.to_vec();
        for id in atoms.ids().rev() {
            let is_free = !needed.contains(&id) && !self.hitting.banned.contains(&id);
            if is_free && !all.iter().any(|other| *other == id || exclude(&atoms[*other], &atoms[id])) {
                all.push(id);
            }
        }
        all
    }
}
