//! Registers that properties look at, point by point: what nobody reads from a point on, and no property sees there, is forgotten.
//!
//! An invariant such as `at(t, marking) implies t.x == 1` looks at `x` only where `t` is at `marking`. So each condition is evaluated as far
//! as the point of one thread decides it, from left to right as properties are (rule 8.3); registers in what is left are seen there.

use crate::code::Code;
use crate::world::World;
use program::named::{Bound, Locals};
use program::typed::{BinaryOp, Expr, ExprKind, LocalId, PropertyKind, Quantifier, ThreadRef, UnaryOp};
use std::collections::BTreeSet;

/// A thread at a point.
struct Watch<'w, 'p> {
    world: &'w World<'p>,
    locals: &'w Locals,
    thread: usize,
    pc: usize,
    seen: &'w mut BTreeSet<usize>,
}

/// Keeps of each thread's registers only what is read or seen from a point on.
pub(crate) fn forget_the_rest(world: &mut World<'_>) {
    let kept: Vec<Vec<BTreeSet<usize>>> = (0..world.code.len()).map(|thread| kept(world, thread)).collect();
    for (code, kept) in world.code.iter_mut().zip(kept) {
        code.points.iter_mut().zip(kept).for_each(|(point, kept)| point.kept = kept);
    }
}

/// Whether a condition is true, and has a value, wherever a thread is at a point, whatever else the state is.
pub(crate) fn is_true_at(world: &World<'_>, (condition, locals): (&Expr, &Locals), thread: usize, pc: usize) -> bool {
    let mut seen = BTreeSet::new();
    let value = Watch { world, locals, thread, pc, seen: &mut seen }.see(condition, &Vec::new());
    value.is_some_and(|value| value != 0)
}

fn kept(world: &World<'_>, thread: usize) -> Vec<BTreeSet<usize>> {
    let code = &world.code[thread];
    let seen: Vec<BTreeSet<usize>> = (0..code.points.len()).map(|pc| seen(world, thread, pc)).collect();
    code.live(0, code.points.len(), &|pc| &seen[pc])
}

/// The registers of a thread that some condition sees while it is at a point.
fn seen(world: &World<'_>, thread: usize, pc: usize) -> BTreeSet<usize> {
    let properties = world.program.properties.values().filter(|property| world.is_judged(property));
    let stated = properties.filter_map(|property| match &property.kind {
        PropertyKind::Invariant(condition) | PropertyKind::Forbid(condition) => Some((condition, &property.locals)),
        _ => None,
    });
    let covers = world.program.covers.values().filter_map(|cover| Some((cover.condition.as_ref()?, &cover.locals)));
    let graphs = world.program.graphs.values().filter_map(|graph| Some((graph.condition.as_ref()?, &graph.locals)));
    let mut registers = BTreeSet::new();
    for (condition, locals) in stated.chain(covers) {
        Watch { world, locals, thread, pc, seen: &mut registers }.see(condition, &Vec::new());
    }
    // The predicate of a path is asked of objects that nobody knows here.
    for (condition, locals) in graphs {
        let mut watch = Watch { world, locals, thread, pc, seen: &mut registers };
        let objects = world.view(&world.unstarted(), locals).each(LocalId(0));
        objects.iter().for_each(|bound| _ = watch.see(condition, bound));
    }
    registers
}

impl Watch<'_, '_> {
    /// The value, if the point decides it.
    fn see(&mut self, expr: &Expr, bound: &Bound) -> Option<i64> {
        match &expr.kind {
            ExprKind::Const(value) => Some((*value).into()),
            ExprKind::Local(local) => bound.iter().rev().find(|(known, _)| known == local).map(|(_, value)| *value),
            ExprKind::Unary(UnaryOp::Not, operand) => self.see(operand, bound).map(|value| i64::from(value == 0)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let (wanted, otherwise) = crate::values::logic(*op);
                match self.see(left, bound) {
                    Some(left) if (left != 0) != wanted => Some(otherwise),
                    Some(_) => self.see(right, bound),
                    None => {
                        self.see(right, bound);
                        None
                    }
                }
            }
            ExprKind::Quantified(quantifier, local, body) => {
                let view = self.world.view(&self.world.unstarted(), self.locals).each(*local);
                let turns: Vec<Bound> = view.into_iter().map(|turn| [&bound[..], &turn[..]].concat()).collect();
                let decisive = i64::from(*quantifier == Quantifier::Exists);
                let values: Vec<Option<i64>> = turns.iter().map(|bound| self.see(body, bound)).collect();
                let values = values.into_iter().collect::<Option<Vec<i64>>>()?;
                Some(if values.contains(&decisive) { decisive } else { 1 - decisive })
            }
            ExprKind::At(thread, patterns) => {
                let is_at = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
                let is_this = self.is_this(thread, bound) == Some(true);
                let labels = &self.world.code[self.thread].points[self.pc].labels;
                is_this.then(|| labels.iter().any(is_at).into())
            }
            ExprKind::Ended(thread) => {
                let is_this = self.is_this(thread, bound) == Some(true);
                is_this.then(|| self.world.has_ended(self.thread, self.pc).into())
            }
            ExprKind::Register(thread, local) => {
                // A thread that is not known may be this one.
                if self.is_this(thread, bound) != Some(false) {
                    self.seen.extend(self.world.code[self.thread].locals[local.0 as usize].registers());
                }
                None
            }
            _ => {
                expr.operands().into_iter().for_each(|operand| _ = self.see(operand, bound));
                None
            }
        }
    }

    /// Whether the thread that is named is this one; none if that is not known.
    fn is_this(&mut self, thread: &ThreadRef, bound: &Bound) -> Option<bool> {
        let copy = thread.index.as_ref().map_or(Some(0), |index| self.see(index, bound));
        let Code { thread: own, copy: own_copy, .. } = self.world.code[self.thread];
        if own == thread.thread { copy.map(|copy| copy == own_copy) } else { Some(false) }
    }
}
