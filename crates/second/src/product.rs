//! A run that violates a temporal property: runs times the ways to satisfy the negated formula (rules 7.2, 8.6, 8.7).

use crate::formula::{Node, Temporal};
use crate::graph::{Edge, Graph, Limits, Line};
use crate::values::Value;
use crate::world::World;
use rustc_hash::FxHashMap;

/// What an atom is while its value is to come (rule 8.7): what it was last; what it will be first; or nothing, ever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Memory {
    Last(bool),
    First(bool),
    Never,
}

/// The values of atoms in a state; none while one is to come.
type Atoms = Vec<Option<bool>>;
/// A state of a run, with what is remembered of atoms and what is to be satisfied from here on.
type Point = (usize, Vec<Memory>, Vec<usize>);
/// A run that violates a property, if there is one; the number of states if there are too many.
type Found = Result<Option<Vec<Line>>, usize>;

/// A step of a run, with the `until`s that wait meanwhile.
struct Move {
    to: usize,
    edge: Edge,
    waiting: Vec<usize>,
}

struct Product<'g> {
    runs: &'g Graph,
    points: Vec<Point>,
    known: FxHashMap<Point, usize>,
    parents: Vec<Option<(usize, usize)>>,
    moves: Vec<Vec<Move>>,
}

impl World<'_> {
    pub(crate) fn violating_run(&self, runs: &Graph, temporal: &Temporal<'_>, limits: Limits) -> Found {
        let truth = |value: Value| value.ok().flatten().map(|value| value != 0);
        let atoms = |state| temporal.see(self, state).into_iter().map(truth).collect();
        let atoms: Vec<Atoms> = runs.states.iter().map(atoms).collect();
        let product = Product::new(runs, temporal, &atoms, limits)?;
        let is_until = |node: &usize| matches!(temporal.nodes[*node], Node::Until(..));
        let untils: Vec<usize> = (0..temporal.nodes.len()).filter(is_until).collect();
        let next: Vec<Vec<usize>> =
            product.moves.iter().map(|moves| moves.iter().map(|step| step.to).collect()).collect();
        let found = components(&next).into_iter().find(|component| {
            product.accepts(component, &untils)
                && (!temporal.is_fair || (0..self.code.len()).all(|t| product.is_fair(component, t)))
        });
        let Some(component) = found else { return Ok(None) };
        let (mut lines, mut at) = (Vec::new(), component[0]);
        while let Some((parent, index)) = product.parents[at] {
            lines.extend(self.line(&runs.states[product.points[parent].0], index));
            at = parent;
        }
        lines.reverse();
        lines.push(Line { text: format!("forever in {} states", component.len()), span: base::Span::none() });
        Ok(Some(lines))
    }
}

impl<'g> Product<'g> {
    fn new(runs: &'g Graph, temporal: &Temporal<'_>, atoms: &[Atoms], limits: Limits) -> Result<Self, usize> {
        let (points, known, parents, moves) = Default::default();
        let mut product = Product { runs, points, known, parents, moves };
        for state in &runs.initial {
            for memory in first_memories(&atoms[*state]) {
                product.place((*state, memory, vec![temporal.negated]), None);
            }
        }
        let mut at = 0;
        while at < product.points.len() {
            let (state, memory, left) = product.points[at].clone();
            let values = atoms[state].iter().zip(&memory).map(|(value, memory)| match memory {
                Memory::Last(value) | Memory::First(value) => Some(*value),
                Memory::Never => *value,
            });
            let mut moves = Vec::new();
            for rest in temporal.ways(&left, &values.collect::<Vec<_>>()) {
                for edge in &runs.edges[state] {
                    let Some(memory) = remembered(&memory, &atoms[edge.to]) else { continue };
                    let to = product.place((edge.to, memory, rest.next.clone()), Some((at, edge.index)));
                    moves.push(Move { to, edge: *edge, waiting: rest.waiting.clone() });
                }
            }
            product.moves.push(moves);
            if product.points.len() > limits.max_states.saturating_mul(4) || limits.is_over() {
                return Err(runs.states.len());
            }
            at += 1;
        }
        Ok(product)
    }

    fn place(&mut self, point: Point, parent: Option<(usize, usize)>) -> usize {
        *self.known.entry(point).or_insert_with_key(|point| {
            self.points.push(point.clone());
            self.parents.push(parent);
            self.points.len() - 1
        })
    }

    fn inside<'a>(&'a self, component: &'a [usize]) -> impl Iterator<Item = &'a Move> {
        let is_inside = |step: &&Move| component.binary_search(&step.to).is_ok();
        component.iter().flat_map(|point| &self.moves[*point]).filter(is_inside)
    }

    /// Whether a run that stays in the component satisfies the negated formula.
    fn accepts(&self, component: &[usize], untils: &[usize]) -> bool {
        let is_open = |point: &usize| self.points[*point].1.iter().any(|memory| matches!(memory, Memory::First(_)));
        self.inside(component).next().is_some()
            && !component.iter().any(is_open)
            && untils.iter().all(|until| self.inside(component).any(|step| !step.waiting.contains(until)))
    }

    /// Whether a run that stays in the component can be fair to a thread (rule 7.2).
    fn is_fair(&self, component: &[usize], t: usize) -> bool {
        let is_step = |edge: &Edge| edge.thread == Some(t);
        let performs = |edge: &Edge| edge.thread == Some(t) && edge.performs_oldest;
        let is_served = |is_such: &dyn Fn(&Edge) -> bool| {
            let is_disabled =
                |at: usize| !self.runs.edges[at].iter().any(is_such) && !self.runs.lost.contains(&(at, t));
            component.iter().any(|point| is_disabled(self.points[*point].0))
                || self.inside(component).any(|step| is_such(&step.edge))
        };
        is_served(&is_step) && is_served(&performs)
    }
}

/// What can be thought of the atoms in a first state.
fn first_memories(atoms: &Atoms) -> Vec<Vec<Memory>> {
    let mut all: Vec<Vec<Memory>> = vec![Vec::new()];
    for atom in atoms {
        let choices = match atom {
            Some(value) => vec![Memory::Last(*value)],
            None => vec![Memory::First(false), Memory::First(true), Memory::Never],
        };
        let with = |choice: Memory| all.iter().map(move |memory| [&memory[..], &[choice]].concat());
        all = choices.into_iter().flat_map(with).collect();
    }
    all
}

/// What is remembered in the next state; none if it was thought wrongly.
fn remembered(memory: &[Memory], atoms: &Atoms) -> Option<Vec<Memory>> {
    let next = memory.iter().zip(atoms).map(|(memory, atom)| match (memory, atom) {
        (_, None) => Some(*memory),
        (Memory::Last(_), Some(value)) => Some(Memory::Last(*value)),
        (Memory::First(thought), Some(value)) => (thought == value).then_some(Memory::Last(*value)),
        (Memory::Never, Some(_)) => None,
    });
    next.collect()
}

/// The strongly connected components of a graph, each sorted: by a search forwards, then one backwards.
fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, all) in next.iter().enumerate() {
        all.iter().for_each(|to| before[*to].push(at));
    }
    let (mut seen, mut order) = (vec![false; next.len()], Vec::new());
    (0..next.len()).for_each(|start| walk(next, start, &mut seen, &mut order));
    let (mut seen, mut found) = (vec![false; next.len()], Vec::new());
    for start in order.into_iter().rev() {
        let mut component = Vec::new();
        walk(&before, start, &mut seen, &mut component);
        component.sort_unstable();
        found.push(component);
    }
    found.retain(|component| !component.is_empty());
    found
}

/// All that is reached from a start and was not seen, each after what follows it.
fn walk(next: &[Vec<usize>], start: usize, seen: &mut [bool], out: &mut Vec<usize>) {
    let mut calls = Vec::new();
    if !std::mem::replace(&mut seen[start], true) {
        calls.push((start, 0));
    }
    while let Some((at, turn)) = calls.pop() {
        let Some(to) = next[at].get(turn) else {
            out.push(at);
            continue;
        };
        calls.push((at, turn + 1));
        if !std::mem::replace(&mut seen[*to], true) {
            calls.push((*to, 0));
        }
    }
}
