//! A run that violates a temporal property: runs times the ways to satisfy the negated formula (rules 7.2, 8.6, 8.7).

use crate::components::components;
use crate::formula::{Node, Table};
use crate::property::Seen;
use crate::runs::{Edge, Runs};
use crate::search::{Limits, Line, labels_in};
use crate::world::World;
use program::typed::{Expr, Formula, Property, PropertyKind};
use program::types::Type;
use rustc_hash::FxHashMap;

/// The value that an atom has while its own is to come (rule 8.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Memory {
    /// That which it had last.
    Last(bool),
    /// That which it will have first.
    First(bool),
    /// It never has any: then nothing is violated by it.
    Never,
}

/// A state of a run, with what is remembered of atoms and what is to be satisfied from here on.
type Point = (usize, Vec<Memory>, Vec<usize>);

/// A step of a run, with the `until`s that wait meanwhile.
pub(crate) struct Move {
    pub(crate) to: usize,
    edge: Edge,
    waiting: Vec<usize>,
}

/// The product so far.
struct Product {
    points: Vec<Point>,
    moves: Vec<Vec<Move>>,
    parents: Vec<Option<(usize, usize)>>,
}

impl<'p> World<'p> {
    /// The questions about labels in all temporal properties that are checked (rule 8.6).
    pub(crate) fn labels_of_runs(&self) -> Vec<&'p Expr> {
        let mut labels = Vec::new();
        for (id, property) in self.program.properties.iter() {
            if let (PropertyKind::Ltl { formula, .. }, true) = (&property.kind, self.is_judged(id)) {
                labels_in_formula(formula, &mut labels);
            }
        }
        labels
    }

    /// A run that violates the property, if there is one.
    pub(crate) fn violating_run(
        &mut self,
        property: &'p Property,
        formula: &'p Formula,
        is_fair: bool,
        limits: Limits,
    ) -> Result<Option<Vec<Line>>, usize> {
        let types: Vec<Type> = property.locals.values().map(|local| local.ty).collect();
        let mut table = Table::default();
        let negated = table.add(self, &types, formula, &mut Vec::new(), false);
        let labels = self.labels_of_runs();
        self.pause_at(&labels);
        let runs = self.runs(limits)?;
        let atoms: Vec<Vec<Option<bool>>> = runs
            .states
            .iter()
            .map(|state| {
                let of = |(expr, bound): &(&Expr, _)| match self.see(state, bound, &types, expr) {
                    Seen::Value(value) => Some(value != 0),
                    _ => None,
                };
                table.atoms.iter().map(of).collect()
            })
            .collect();
        let product = self.product(&runs, &table, &atoms, negated, limits)?;
        let untils: Vec<usize> =
            (0..table.nodes.len()).filter(|node| matches!(table.nodes[*node], Node::Until(..))).collect();
        let n_threads = self.code.len();
        let next: Vec<Vec<usize>> =
            product.moves.iter().map(|moves| moves.iter().map(|step| step.to).collect()).collect();
        let found = components(&next).into_iter().find(|component| {
            product.accepts(&runs, component, &untils) && (!is_fair || product.is_fair(&runs, component, n_threads))
        });
        let lines = found.map(|component| self.lasso(&runs, &product, &component));
        self.pause_at(&[]);
        Ok(lines)
    }

    fn product(
        &self,
        runs: &Runs,
        table: &Table<'_>,
        atoms: &[Vec<Option<bool>>],
        negated: usize,
        limits: Limits,
    ) -> Result<Product, usize> {
        let mut product = Product { points: Vec::new(), moves: Vec::new(), parents: Vec::new() };
        let mut known: FxHashMap<Point, usize> = FxHashMap::default();
        let mut place = |product: &mut Product, point: Point, parent: Option<(usize, usize)>| {
            *known.entry(point).or_insert_with_key(|point| {
                product.points.push(point.clone());
                product.parents.push(parent);
                product.points.len() - 1
            })
        };
        for state in &runs.initial {
            for memory in first_memories(&atoms[*state]) {
                place(&mut product, (*state, memory, vec![negated]), None);
            }
        }
        let mut at = 0;
        while at < product.points.len() {
            let (state, memory, formulas) = product.points[at].clone();
            let values = atoms[state].iter().zip(&memory).map(|(value, memory)| {
                value.or(match memory {
                    Memory::Last(value) | Memory::First(value) => Some(*value),
                    Memory::Never => None,
                })
            });
            let values: Vec<Option<bool>> = values.collect();
            let mut moves = Vec::new();
            for rest in table.ways(&formulas, &values) {
                for edge in &runs.edges[state] {
                    let Some(memory) = remembered(&memory, &atoms[edge.to]) else { continue };
                    let to = place(&mut product, (edge.to, memory, rest.next.clone()), Some((at, edge.index)));
                    moves.push(Move { to, edge: *edge, waiting: rest.waiting.clone() });
                }
            }
            product.moves.push(moves);
            if product.points.len() > limits.max_states.saturating_mul(4) || self.is_late(limits) {
                return Err(runs.states.len());
            }
            at += 1;
        }
        Ok(product)
    }

    /// The steps to a component, and that they go on in it for ever.
    fn lasso(&self, runs: &Runs, product: &Product, component: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut at = component[0];
        while let Some((parent, index)) = product.parents[at] {
            let before = &runs.states[product.points[parent].0];
            if let Some(step) = self.steps(before).into_iter().nth(index) {
                lines.push(self.line(before, &step));
            }
            at = parent;
        }
        lines.reverse();
        let mut threads: Vec<&str> = Vec::new();
        for point in component {
            let inside = product.moves[*point].iter().filter(|step| component.contains(&step.to));
            threads.extend(inside.filter_map(|step| step.edge.thread).map(|t| self.code[t].name.as_str()));
        }
        threads.sort_unstable();
        threads.dedup();
        let text = match threads.is_empty() {
            true => "stays there for ever".to_string(),
            false => format!("then for ever steps of {} ({} states)", threads.join(", "), component.len()),
        };
        lines.push(Line { text, span: base::Span::none() });
        lines
    }
}

impl Product {
    fn inside<'a>(&'a self, component: &'a [usize]) -> impl Iterator<Item = &'a Move> {
        let is_inside = |step: &&Move| component.binary_search(&step.to).is_ok();
        component.iter().flat_map(|point| &self.moves[*point]).filter(is_inside)
    }

    /// Whether a run that stays in the component satisfies the negated formula.
    fn accepts(&self, _: &Runs, component: &[usize], untils: &[usize]) -> bool {
        let is_open = |point: &usize| self.points[*point].1.iter().any(|memory| matches!(memory, Memory::First(_)));
        self.inside(component).next().is_some()
            && !component.iter().any(is_open)
            && untils.iter().all(|until| self.inside(component).any(|step| !step.waiting.contains(until)))
    }

    /// Whether some run that stays in the component is fair (rule 7.2).
    fn is_fair(&self, runs: &Runs, component: &[usize], n_threads: usize) -> bool {
        let state = |point: &usize| self.points[*point].0;
        (0..n_threads).all(|t| {
            let steps = component.iter().any(|point| !runs.can_step(state(point), t))
                || self.inside(component).any(|step| step.edge.thread == Some(t));
            let performs = component.iter().any(|point| !runs.can_perform(state(point), t))
                || self.inside(component).any(|step| step.edge.thread == Some(t) && step.edge.performs_oldest);
            steps && performs
        })
    }
}

/// What can be thought of the atoms in a first state.
fn first_memories(atoms: &[Option<bool>]) -> Vec<Vec<Memory>> {
    let mut all = vec![Vec::new()];
    for atom in atoms {
        let choices = match atom {
            Some(value) => vec![Memory::Last(*value)],
            None => vec![Memory::First(false), Memory::First(true), Memory::Never],
        };
        let longer = |memory: &Vec<Memory>| {
            let with = |choice: &Memory| memory.iter().chain([choice]).copied().collect::<Vec<_>>();
            choices.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What is remembered in the next state; none if it was thought wrongly.
fn remembered(memory: &[Memory], atoms: &[Option<bool>]) -> Option<Vec<Memory>> {
    let next = memory.iter().zip(atoms).map(|(memory, atom)| match (memory, atom) {
        (_, None) => Some(*memory),
        (Memory::Last(_), Some(value)) => Some(Memory::Last(*value)),
        (Memory::First(thought), Some(value)) => (thought == value).then_some(Memory::Last(*value)),
        (Memory::Never, Some(_)) => None,
    });
    next.collect()
}

fn labels_in_formula<'p>(formula: &'p Formula, labels: &mut Vec<&'p Expr>) {
    match formula {
        Formula::State(condition) => labels_in(condition, labels),
        Formula::Not(f) | Formula::Quantified(_, _, f) => labels_in_formula(f, labels),
        Formula::Join(_, f, g) => {
            labels_in_formula(f, labels);
            labels_in_formula(g, labels);
        }
        Formula::Temporal(_, operands) => operands.iter().for_each(|operand| labels_in_formula(operand, labels)),
    }
}
