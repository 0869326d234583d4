//! Whether a permutation of elements and threads carries every step to a step: verified point by point.
//!
//! A thread and its image are walked side by side. Actions must do the same up to the permutation: expressions are compared by
//! evaluating both for all values of their registers, so it does not matter how sets and words are made of bits. Nothing that the
//! lowering says about shapes is trusted: if a shape is wrong, some expression differs.

use crate::rules::code::Code;
use crate::rules::evaluate::{Resolved, resolve};
use crate::symmetry::pairing::Pairing;
use crate::symmetry::permutation::Permutation;
use automata::scalars::Shape;
use automata::{
    Access, Action, Automata, CasResult, CellId, Domain, Expr, Kept, NO_VALUE, Op, RegId, ThreadId, Value, Wide,
};
use base::Table;
use base::table::Id;

/// Above so many combinations of values, expressions are compared as texts.
const MAX_COMBINATIONS: u64 = 1 << 14;

/// What an expression gives.
#[derive(Clone, Copy)]
enum Gives<'a> {
    /// A truth value.
    Truth,
    /// A value of this shape that violates `in_range` outside the domain, if there is one.
    Value(&'a Shape, Option<Domain>),
}

/// Completes a permutation that says what elements and threads become; none if threads or cells tell them apart.
pub(crate) fn complete(
    automata: &Automata,
    codes: &[Code],
    possible: &[Table<RegId, Domain>],
    mut permutation: Permutation,
) -> Option<Permutation> {
    // What a transaction has read and written is not permuted.
    let begins = |code: &Code| code.automaton.points.values().any(|point| point.action.may_begin_transaction());
    if codes.iter().any(begins) {
        return None;
    }
    permutation.cells = automata.scalars.images(automata.cells.len(), &permutation)?;
    if !automata.cells.ids().all(|cell| is_closed(automata, &permutation, cell)) {
        return None;
    }
    for thread in 0..codes.len() {
        let image = permutation.threads[thread];
        let both = Both { automata, permutation: &permutation, codes, threads: (thread, image), possible };
        if codes[thread].automaton.kept != Kept::Nothing || codes[image].automaton.kept != Kept::Nothing {
            return None;
        }
        let (points, registers) = Pairing::new(&both).run()?;
        permutation.points[thread] = points;
        permutation.registers[thread] = registers;
    }
    let twice = permutation.then(&permutation);
    (twice == Permutation::identity(automata)).then_some(permutation)
}

/// Whether a cell and its image hold the same kind of values, and going twice leads back.
fn is_closed(automata: &Automata, permutation: &Permutation, cell: CellId) -> bool {
    let image = permutation.cells[cell];
    let (a, b) = (&automata.cells[cell], &automata.cells[image]);
    let (shape, back) = (automata.scalars.cell(cell), automata.scalars.cell(image));
    a.domain == b.domain && a.kind == b.kind && leads_back(permutation, a.domain, shape, back)
}

/// Whether `shape` maps the domain to itself and `back` undoes that.
fn leads_back(permutation: &Permutation, domain: Domain, shape: &Shape, back: &Shape) -> bool {
    if permutation.fixes(shape) && permutation.fixes(back) {
        return true;
    }
    let is_undone = |value: Value| {
        let image = shape.map(value, permutation);
        domain.contains(image) && back.map(image, permutation) == value
    };
    count(domain) <= MAX_COMBINATIONS && (domain.low..=domain.high).all(is_undone)
}

/// For each register, all that it may hold: its domain, and what is loaded or copied into it unchecked.
pub(crate) fn possible_values(automata: &Automata, automaton: &automata::Automaton) -> Table<RegId, Domain> {
    let mut possible: Table<RegId, Domain> = automaton.registers.values().map(|r| r.domain).collect();
    let hull = |a: Domain, b: Domain| Domain::new(a.low.min(b.low), a.high.max(b.high));
    loop {
        let mut next = possible.clone();
        for point in automaton.points.values() {
            match &point.action {
                Action::Compute { dst, value: Expr::Leaf(source) } => next[*dst] = hull(next[*dst], possible[*source]),
                Action::Access(Access { dst: Some(dst), address, .. }) => {
                    let cells = cells_of(address).into_iter().map(|cell| automata.cells[cell].domain);
                    next[*dst] = cells.fold(hull(next[*dst], Domain::new(0, 1)), hull);
                }
                _ => {}
            }
        }
        if next == possible {
            return possible;
        }
        possible = next;
    }
}

/// All cells that an address may lead to.
fn cells_of(address: &automata::Address) -> Vec<CellId> {
    let mut cells = vec![address.base.index()];
    for term in &address.terms {
        let steps = 0..term.count as usize;
        cells = cells.iter().flat_map(|cell| steps.clone().map(move |i| cell + i * term.stride as usize)).collect();
    }
    cells.into_iter().map(CellId::new).collect()
}

fn count(domain: Domain) -> u64 {
    (i64::from(domain.high) - i64::from(domain.low) + 1).max(0) as u64
}

/// A thread and its image, side by side.
pub(crate) struct Both<'a> {
    automata: &'a Automata,
    permutation: &'a Permutation,
    codes: &'a [Code],
    threads: (usize, usize),
    possible: &'a [Table<RegId, Domain>],
}

/// What registers of the thread are called in its image, so far.
pub(crate) trait Renamed {
    /// Joins two registers, unless one of them is another's already.
    fn join(&mut self, both: &Both<'_>, register: RegId, image: RegId) -> bool;
    /// The image of a register.
    fn image(&self, register: RegId) -> Option<RegId>;
}

impl<'a> Both<'a> {
    pub(crate) fn codes(&self) -> (&'a Code, &'a Code) {
        (&self.codes[self.threads.0], &self.codes[self.threads.1])
    }

    fn shape(&self, register: RegId) -> &'a Shape {
        self.automata.scalars.register(ThreadId::new(self.threads.0), register)
    }

    /// Whether one register may stand for the other.
    pub(crate) fn are_alike(&self, register: RegId, image: RegId) -> bool {
        let (possible, other) = (self.possible[self.threads.0][register], self.possible[self.threads.1][image]);
        let (a, b) = (&self.codes().0.automaton, &self.codes().1.automaton);
        let back = self.automata.scalars.register(ThreadId::new(self.threads.1), image);
        a.registers[register].domain == b.registers[image].domain
            && a.observed.contains(&register) == b.observed.contains(&image)
            && possible == other
            && leads_back(self.permutation, possible, self.shape(register), back)
    }

    /// Whether two actions do the same up to the permutation; where they continue is the caller's business.
    pub(crate) fn same_action(&self, a: &Action, b: &Action, names: &mut dyn Renamed) -> bool {
        match (a, b) {
            (Action::Access(a), Action::Access(b)) => self.same_access(a, b, names),
            (Action::Compute { dst, value }, Action::Compute { dst: to, value: other }) => {
                let are_copies = matches!(value, Expr::Leaf(_)) == matches!(other, Expr::Leaf(_));
                let domain = self.codes().0.automaton.registers[*dst].domain;
                are_copies
                    && self.same_values(value, other, Gives::Value(self.shape(*dst), Some(domain)), names)
                    && names.join(self, *dst, *to)
            }
            (Action::Assert { condition, property }, Action::Assert { condition: other, property: its }) => {
                property == its && self.same_values(condition, other, Gives::Truth, names)
            }
            (Action::Cover { condition, cover }, Action::Cover { condition: other, cover: its }) => {
                cover == its && self.same_values(condition, other, Gives::Truth, names)
            }
            (Action::Branch { condition, .. }, Action::Branch { condition: other, .. })
            | (Action::Assume(condition), Action::Assume(other))
            | (Action::Discard(condition), Action::Discard(other)) => {
                self.same_values(condition, other, Gives::Truth, names)
            }
            (Action::Choose(a), Action::Choose(b)) => a.len() == b.len(),
            _ => a == b,
        }
    }

    fn same_access(&self, a: &Access, b: &Access, names: &mut dyn Renamed) -> bool {
        let Some(cells) = self.same_address(a, b, names) else { return false };
        let cell = |cell: &CellId| (self.automata.scalars.cell(*cell), self.automata.cells[*cell].domain);
        let Some((shape, domain)) = cells.first().map(cell) else { return false };
        let gives = Gives::Value(shape, Some(domain));
        let mut same = |a: &Expr, b: &Expr, gives: Gives<'_>| self.same_values(a, b, gives, names);
        let is_same_op = match (&a.op, &b.op) {
            (Op::Load, Op::Load) | (Op::LoadLinked, Op::LoadLinked) => true,
            (Op::Store(a), Op::Store(b))
            | (Op::Swap(a), Op::Swap(b))
            | (Op::StoreConditional(a), Op::StoreConditional(b)) => same(a, b, gives),
            (Op::Fetch(how, a), Op::Fetch(its, b)) => {
                how == its && self.permutation.fixes(shape) && same(a, b, Gives::Value(&Shape::Plain, None))
            }
            (Op::Cas { expected, new, result }, Op::Cas { expected: its, new: other, result: gets }) => {
                result == gets && same(expected, its, Gives::Value(shape, None)) && same(new, other, gives)
            }
            _ => false,
        };
        let is_truth =
            matches!(a.op, Op::StoreConditional(_) | Op::Store(_) | Op::Cas { result: CasResult::Success, .. });
        let is_result = |dst: RegId| {
            let image = |value| self.shape(dst).map(value, self.permutation);
            let fits = |value: Value| self.codes().0.automaton.registers[dst].domain.contains(value);
            let is_carried =
                |value: Value| image(value) == shape.map(value, self.permutation) && fits(value) == fits(image(value));
            match is_truth {
                true => image(0) == 0 && image(1) == 1,
                false if self.permutation.fixes(shape) && self.permutation.fixes(self.shape(dst)) => true,
                false => (domain.low..=domain.high).all(is_carried),
            }
        };
        let same_result = match (a.dst, b.dst) {
            (None, None) => true,
            (Some(dst), Some(to)) => is_result(dst) && names.join(self, dst, to),
            _ => false,
        };
        let is_alike = |other: &CellId| cell(other) == (shape, domain);
        is_same_op
            && same_result
            && cells.iter().all(is_alike)
            && (a.order, a.failure_order) == (b.order, b.failure_order)
            && a.after.len() == b.after.len()
            && a.after.iter().zip(&b.after).all(|(r, s)| names.join(self, *r, *s))
    }

    /// The cells that the first access may lead to, if the second leads to their images.
    fn same_address(&self, a: &Access, b: &Access, names: &mut dyn Renamed) -> Option<Vec<CellId>> {
        let (terms, others) = (&a.address.terms, &b.address.terms);
        let mut leaves = Vec::new();
        for (term, other) in terms.iter().zip(others) {
            leaves.extend(self.same_leaves(&term.index, &other.index, names)?);
        }
        if terms.len() != others.len() {
            return None;
        }
        leaves.sort();
        leaves.dedup();
        let cells = cells_of(&a.address);
        if self.combinations(&leaves) > MAX_COMBINATIONS {
            let is_fixed = cells.iter().all(|cell| self.permutation.cells[*cell] == *cell);
            let same = |(term, other): (&automata::AddressTerm, &automata::AddressTerm)| {
                (term.stride, term.count) == (other.stride, other.count)
                    && self.same_text(&term.index, &other.index, &*names)
            };
            let is_same = a.address.base == b.address.base && terms.iter().zip(others).all(same);
            return (is_fixed && is_same && self.fixes_all(&leaves)).then_some(cells);
        }
        let is_same = self.for_all(&leaves, &*names, &mut |own, its| {
            let in_range = |term: &automata::AddressTerm, value: Option<Wide>| {
                value.is_some_and(|v| v >= 0 && v < Wide::from(term.count))
            };
            let same_range = terms.iter().zip(others).all(|(term, other)| {
                in_range(term, term.index.eval(&mut |r| own(*r))) == in_range(other, other.index.eval(&mut |r| its(*r)))
            });
            let cells = (resolve(&a.address, &mut |r| own(*r)), resolve(&b.address, &mut |r| its(*r)));
            same_range
                && match cells {
                    (Resolved::Cell(cell), Resolved::Cell(image)) => self.permutation.cells[cell] == image,
                    (Resolved::Invalid, Resolved::Invalid) => true,
                    _ => false,
                }
        });
        is_same.then_some(cells)
    }

    /// Whether the second expression gives the image of what the first gives, for all values of their registers.
    fn same_values(&self, a: &Expr, b: &Expr, gives: Gives<'_>, names: &mut dyn Renamed) -> bool {
        let Some(leaves) = self.same_leaves(a, b, names) else { return false };
        let is_fixed = match gives {
            Gives::Truth => true,
            Gives::Value(shape, _) => self.permutation.fixes(shape),
        };
        if is_fixed && self.fixes_all(&leaves) && self.same_text(a, b, &*names) {
            return true;
        }
        self.combinations(&leaves) <= MAX_COMBINATIONS
            && self.for_all(&leaves, &*names, &mut |own, its| match (
                gives,
                a.eval(&mut |r| own(*r)),
                b.eval(&mut |r| its(*r)),
            ) {
                (Gives::Truth, Some(a), Some(b)) => (a != 0) == (b != 0) && (a == NO_VALUE) == (b == NO_VALUE),
                (Gives::Value(shape, domain), Some(a), Some(b)) => match domain {
                    Some(domain) if !domain.contains(a) => !domain.contains(b),
                    _ => shape.map_wide(a, self.permutation) == b,
                },
                _ => false,
            })
    }

    /// The registers of the first expression, if the second has their images. Registers met for the first time are joined by
    /// their positions.
    fn same_leaves(&self, a: &Expr, b: &Expr, names: &mut dyn Renamed) -> Option<Vec<RegId>> {
        let (own, its) = (leaves(a), leaves(b));
        if own.len() != its.len() {
            return None;
        }
        for (register, other) in own.iter().zip(&its) {
            if names.image(*register).is_none() && !names.join(self, *register, *other) {
                return None;
            }
        }
        own.iter().all(|r| names.image(*r).is_some_and(|image| its.contains(&image))).then_some(own)
    }

    fn combinations(&self, leaves: &[RegId]) -> u64 {
        let counts = leaves.iter().map(|r| count(self.possible[self.threads.0][*r]));
        counts.fold(1, u64::saturating_mul)
    }

    fn fixes_all(&self, leaves: &[RegId]) -> bool {
        leaves.iter().all(|r| self.permutation.fixes(self.shape(*r)))
    }

    /// Whether the two are the same but for the names of registers.
    fn same_text(&self, a: &Expr, b: &Expr, names: &dyn Renamed) -> bool {
        match (a, b) {
            (Expr::Const(a), Expr::Const(b)) => a == b,
            (Expr::Leaf(a), Expr::Leaf(b)) => names.image(*a) == Some(*b),
            (Expr::Unary(op, a), Expr::Unary(other, b)) => op == other && self.same_text(a, b, names),
            (Expr::Binary(op, a, c), Expr::Binary(other, b, d)) => {
                op == other && self.same_text(a, b, names) && self.same_text(c, d, names)
            }
            _ => false,
        }
    }

    /// Whether something is true for all values of these registers, given those and the images' values.
    fn for_all(&self, leaves: &[RegId], names: &dyn Renamed, holds: &mut Judge<'_>) -> bool {
        let possible: Vec<Domain> = leaves.iter().map(|r| self.possible[self.threads.0][*r]).collect();
        let images: Vec<Option<RegId>> = leaves.iter().map(|r| names.image(*r)).collect();
        let mut values: Vec<Value> = possible.iter().map(|domain| domain.low).collect();
        loop {
            let mapped: Vec<Value> =
                leaves.iter().zip(&values).map(|(r, v)| self.shape(*r).map(*v, self.permutation)).collect();
            let own = |r: RegId| leaves.iter().position(|leaf| *leaf == r).map(|i| values[i]);
            let its = |r: RegId| images.iter().position(|image| *image == Some(r)).map(|i| mapped[i]);
            if !holds(&own, &its) {
                return false;
            }
            let Some(next) = (0..values.len()).find(|i| values[*i] < possible[*i].high) else { return true };
            values[next] += 1;
            (0..next).for_each(|i| values[i] = possible[i].low);
        }
    }
}

/// Judges two sides, given their registers' values.
type Judge<'a> = dyn FnMut(&dyn Fn(RegId) -> Option<Value>, &dyn Fn(RegId) -> Option<Value>) -> bool + 'a;

fn leaves(expr: &Expr) -> Vec<RegId> {
    let mut leaves = Vec::new();
    expr.leaves(&mut |r| {
        if !leaves.contains(r) {
            leaves.push(*r);
        }
    });
    leaves
}
