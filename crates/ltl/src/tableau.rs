//! Formula to automaton: what must be true now, and what next.
//!
//! A state is a set of formulas that must be true from here on. Each is unfolded into covers: literals for this letter,
//! formulas for the next, and promises: the `until`s put off. An edge carries the mark of every promise that it does
//! not make, so a run that puts one off forever is not accepting. (Couvreur, FM'99.)
//!
//! A cover that demands no more than another, in each of its parts, makes the other superfluous: from the state it leads
//! to, every run of the other's state can be imitated with at least the same marks.

use crate::normal::{Node, NodeId, Nodes};
use crate::{Automaton, Edge, Formula, State, reduce};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// Why there is no automaton for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// An atom is not below 64.
    Atoms,
    /// More than 63 formulas have to become true eventually.
    Marks,
    /// The automaton has too many states or edges.
    States,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            TooLarge::Atoms => "the formula has more than 64 atoms",
            TooLarge::Marks => "the formula has more than 63 subformulas that must become true",
            TooLarge::States => "the automaton of the formula is too large",
        })
    }
}

impl std::error::Error for TooLarge {}

/// The most states before reduction.
const MAX_STATES: usize = 4096;
/// The most marks: one bit of a word is left to those who use the automaton.
const MAX_MARKS: u32 = 63;
/// The most covers of a set of formulas.
const MAX_COVERS: usize = 512;

/// The automaton that accepts exactly the words of which `formula` is true.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    formula.atoms().ok_or(TooLarge::Atoms)?;
    let mut nodes = Nodes::new();
    let root = nodes.normal(formula, true);
    let mut tableau = Tableau { nodes, covers: BTreeMap::new(), promises: BTreeMap::new() };
    let mut numbers: BTreeMap<Vec<NodeId>, u16> = BTreeMap::new();
    let mut sets = vec![tableau.state([root])];
    numbers.insert(sets[0].clone(), 0);
    let mut found: Vec<Vec<(Cover, u16)>> = Vec::new();
    while found.len() < sets.len() {
        let mut edges = Vec::new();
        for cover in tableau.unfold_all(&sets[found.len()])? {
            let set = tableau.state(cover.next.iter().copied());
            let to = *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                (sets.len() - 1) as u16
            });
            edges.push((cover, to));
        }
        if sets.len() > MAX_STATES {
            return Err(TooLarge::States);
        }
        found.push(edges);
    }
    // Only now is it known how many promises there are.
    let n_marks = tableau.promises.len() as u32;
    let mut automaton = Automaton { initial: 0, states: Vec::new(), n_marks };
    let all = automaton.all_marks();
    let edge = |(c, to): &(Cover, u16)| Edge { must: c.must, must_not: c.must_not, marks: all & !c.promises, to: *to };
    automaton.states = found.iter().map(|edges| State { edges: edges.iter().map(edge).collect() }).collect();
    Ok(reduce::reduce(automaton))
}

/// One way to make a formula true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cover {
    must: u64,
    must_not: u64,
    /// The `until`s put off.
    promises: u64,
    /// What must be true from the next letter on, sorted.
    next: Vec<NodeId>,
}

impl Cover {
    /// Whether this one demands no more than the other.
    fn is_within(&self, other: &Cover) -> bool {
        self.must & !other.must == 0
            && self.must_not & !other.must_not == 0
            && self.promises & !other.promises == 0
            && self.next.iter().all(|id| other.next.binary_search(id).is_ok())
    }

    /// Both at once; none if they contradict one another.
    fn join(&self, other: &Cover) -> Option<Cover> {
        let (must, must_not) = (self.must | other.must, self.must_not | other.must_not);
        if must & must_not != 0 {
            return None;
        }
        let mut next = [self.next.as_slice(), &other.next].concat();
        next.sort_unstable();
        next.dedup();
        Some(Cover { must, must_not, promises: self.promises | other.promises, next })
    }
}

/// Adds a cover unless one that is there makes it superfluous; drops those that it makes superfluous.
fn add(covers: &mut Vec<Cover>, cover: Cover) -> Result<(), TooLarge> {
    if covers.iter().any(|other| other.is_within(&cover)) {
        return Ok(());
    }
    covers.retain(|other| !cover.is_within(other));
    covers.push(cover);
    if covers.len() > MAX_COVERS { Err(TooLarge::States) } else { Ok(()) }
}

/// The ways to satisfy one of `some` and one of `others` at once.
fn both(some: &[Cover], others: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
    let mut covers = Vec::new();
    for cover in some {
        for joined in others.iter().filter_map(|other| cover.join(other)) {
            add(&mut covers, joined)?;
        }
    }
    Ok(covers)
}

/// The ways to satisfy one of `some` or one of `others`.
fn either(some: &[Cover], others: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
    let mut covers = Vec::new();
    some.iter().chain(others).try_for_each(|cover| add(&mut covers, cover.clone()))?;
    Ok(covers)
}

struct Tableau {
    nodes: Nodes,
    covers: BTreeMap<NodeId, Rc<[Cover]>>,
    /// The mark of each formula that promises.
    promises: BTreeMap<NodeId, u32>,
}

impl Tableau {
    /// A set of formulas as a state: conjunctions taken apart, without what others in it demand already.
    fn state(&self, ids: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut set: Vec<NodeId> = ids.into_iter().flat_map(|id| self.conjuncts(id)).collect();
        // Unfolding `f release g` unfolds `g`.
        let demanded: Vec<NodeId> = set
            .iter()
            .flat_map(|id| match self.nodes.get(*id) {
                Node::Release(_, g) | Node::StrongRelease(_, g) => self.conjuncts(*g),
                _ => Vec::new(),
            })
            .collect();
        set.retain(|id| !demanded.contains(id));
        set.sort_unstable();
        set.dedup();
        set
    }

    fn conjuncts(&self, id: NodeId) -> Vec<NodeId> {
        match self.nodes.get(id) {
            Node::True => Vec::new(),
            Node::And(all) => all.clone(),
            _ => vec![id],
        }
    }

    fn unfold_all(&mut self, ids: &[NodeId]) -> Result<Vec<Cover>, TooLarge> {
        let mut covers = vec![Cover::default()];
        for id in ids {
            covers = both(&covers, &self.unfold(*id)?)?;
        }
        Ok(covers)
    }

    fn unfold(&mut self, id: NodeId) -> Result<Rc<[Cover]>, TooLarge> {
        if let Some(covers) = self.covers.get(&id) {
            return Ok(Rc::clone(covers));
        }
        let covers: Rc<[Cover]> = self.unfold_new(id)?.into();
        self.covers.insert(id, Rc::clone(&covers));
        Ok(covers)
    }

    fn unfold_new(&mut self, id: NodeId) -> Result<Vec<Cover>, TooLarge> {
        match self.nodes.get(id).clone() {
            Node::True => Ok(vec![Cover::default()]),
            Node::False => Ok(Vec::new()),
            Node::Literal(atom, true) => Ok(vec![Cover { must: 1 << atom, ..Cover::default() }]),
            Node::Literal(atom, false) => Ok(vec![Cover { must_not: 1 << atom, ..Cover::default() }]),
            Node::And(all) => self.unfold_all(&all),
            Node::Or(all) => {
                let mut covers = Vec::new();
                for id in all {
                    covers = either(&covers, &self.unfold(id)?)?;
                }
                Ok(covers)
            }
            Node::Next(f) => Ok(vec![self.later(f, 0)]),
            Node::Until(f, g) => {
                let put_off = self.put_off(id)?;
                either(&self.unfold(g)?, &both(&self.unfold(f)?, &[put_off])?)
            }
            Node::WeakUntil(f, g) => {
                let put_off = self.later(id, 0);
                either(&self.unfold(g)?, &both(&self.unfold(f)?, &[put_off])?)
            }
            Node::Release(f, g) => {
                let put_off = self.later(id, 0);
                both(&self.unfold(g)?, &either(&self.unfold(f)?, &[put_off])?)
            }
            Node::StrongRelease(f, g) => {
                let put_off = self.put_off(id)?;
                both(&self.unfold(g)?, &either(&self.unfold(f)?, &[put_off])?)
            }
        }
    }

    /// Nothing now, `id` next.
    fn later(&self, id: NodeId, promises: u64) -> Cover {
        Cover { promises, next: self.conjuncts(id), ..Cover::default() }
    }

    /// Nothing now, `id` next, with a promise that it will not be put off forever.
    fn put_off(&mut self, id: NodeId) -> Result<Cover, TooLarge> {
        let n = self.promises.len() as u32;
        let mark = *self.promises.entry(id).or_insert(n);
        if mark >= MAX_MARKS {
            return Err(TooLarge::Marks);
        }
        Ok(self.later(id, 1 << mark))
    }
}
