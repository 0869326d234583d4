//! Whether a condition keeps its truth from a state to the part of it that is kept.
//!
//! In the smaller state a reference to what is not kept is `null`, sets and queues have only what is kept, a queue each element once, and
//! a path goes through kept objects only. So `null`, emptiness and equality may become true and never false; membership of what is not kept,
//! and reachability, may become false and never true. What would change in the wrong direction is kept.

use super::kept::{Held, Kept, Registers, Sort, Sorts};
use super::names::Who;
use automata::{Automaton, PointId};
use base::table::Id;
use program::indices::{Holder, Home};
use program::typed::{BinaryOp, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Quantifier, ThreadId, UnaryOp};
use program::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// In which direction truth is to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// What is true stays true.
    Gain,
    /// What is false stays false.
    Lose,
}

impl Direction {
    fn turned(self) -> Self {
        if self == Direction::Gain { Direction::Lose } else { Direction::Gain }
    }
}

/// What a bound name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Each of the elements that are kept.
    Each,
    /// One that is kept, by its name.
    One(String),
    /// The acting thread.
    Acting,
    /// A number.
    Number(i32),
}

/// The state before a step or after it.
pub(crate) struct Moment<'a> {
    /// The declaration of the acting thread.
    pub(crate) acting: ThreadId,
    pub(crate) automaton: &'a Automaton,
    /// Where it is; none if that is not known.
    pub(crate) point: Option<PointId>,
    pub(crate) registers: &'a Registers,
    /// The families that were written: what is there now has another name.
    pub(crate) written: &'a BTreeSet<u32>,
    /// Whether the thread's store buffer is another.
    pub(crate) is_buffered: bool,
}

/// A condition being looked at.
pub(crate) struct Transfer<'a> {
    pub(crate) sorts: &'a Sorts<'a>,
    pub(crate) home: Home,
    pub(crate) locals: &'a base::Table<LocalId, Local>,
    pub(crate) moment: &'a Moment<'a>,
    pub(crate) bound: BTreeMap<LocalId, Bound>,
    pub(crate) kept: &'a mut Kept,
}

type Result<T> = std::result::Result<T, String>;

impl Transfer<'_> {
    /// That the condition keeps its truth in that direction.
    pub(crate) fn condition(&mut self, expr: &Expr, to: Direction) -> Result<()> {
        if self.known(expr).is_some() {
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.condition(operand, to.turned()),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.condition(left, to)?;
                self.condition(right, to)
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                self.condition(left, to.turned())?;
                self.condition(right, to)
            }
            ExprKind::Binary(BinaryOp::In, element, set) => {
                self.collection(set)?;
                if to == Direction::Gain || self.is_never_null(element) {
                    self.keep(element)
                } else {
                    self.named(element)
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                let to = if *op == BinaryOp::Equal { to } else { to.turned() };
                self.equal(left, right, to)
            }
            ExprKind::Quantified(quantifier, local, body) => self.quantified(*quantifier, *local, body, to),
            ExprKind::If(condition, then, otherwise) => {
                self.exactly(condition)?;
                self.condition(then, to)?;
                self.condition(otherwise, to)
            }
            ExprKind::Reaches(graph, from, end) => {
                if to == Direction::Gain {
                    return Err("a path (`reaches`) may go through any number of objects".into());
                }
                self.named(from)?;
                self.named(end)?;
                self.path(*graph)
            }
            _ => self.plain(expr),
        }
    }

    fn exactly(&mut self, expr: &Expr) -> Result<()> {
        self.condition(expr, Direction::Gain)?;
        self.condition(expr, Direction::Lose)
    }

    /// What paths may go through keeps its falsity.
    fn path(&mut self, graph: program::typed::GraphId) -> Result<()> {
        let graph = &self.sorts.program.graphs[graph];
        let fields = &self.sorts.program.types.objects[graph.object].fields;
        if fields.iter().any(|field| matches!(field.ty, Type::Ref { is_optional: false, .. })) {
            return Err("a path along fields that are never `null`".into());
        }
        let Some(condition) = &graph.condition else { return Ok(()) };
        let mut inner = Transfer {
            sorts: self.sorts,
            home: self.home,
            locals: &graph.locals,
            moment: self.moment,
            bound: BTreeMap::from([(LocalId::new(0), Bound::Each)]),
            kept: self.kept,
        };
        inner.condition(condition, Direction::Lose)
    }

    /// `left == right`
    fn equal(&mut self, left: &Expr, right: &Expr, to: Direction) -> Result<()> {
        if self.sorts.is_held(left.ty) {
            self.collection(left)?;
            self.collection(right)?;
            return if to == Direction::Lose { self.witness(left, right) } else { Ok(()) };
        }
        let (of_left, of_right) = (self.sorts.of(self.home, left), self.sorts.of(self.home, right));
        if of_left.is_none() && of_right.is_none() {
            return match left.ty {
                Type::Bool => {
                    self.exactly(left)?;
                    self.exactly(right)
                }
                _ => {
                    self.plain(left)?;
                    self.plain(right)
                }
            };
        }
        let is_bound = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_));
        for side in [left, right] {
            let matters = to == Direction::Lose && !is_bound(left) && !is_bound(right);
            if matters || self.is_never_null(side) { self.keep(side)? } else { self.named(side)? }
        }
        Ok(())
    }

    fn quantified(&mut self, quantifier: Quantifier, local: LocalId, body: &Expr, to: Direction) -> Result<()> {
        let ty = self.locals[local].ty;
        let sort = match ty {
            Type::Ref { object, .. } => Some(Sort::Objects(object)),
            Type::Int(_) => self.sorts.indices.of(Holder::Local(self.home, local)).map(Sort::Copies),
            _ => None,
        };
        let Some(sort) = sort else {
            for value in self.sorts.program.types.range(ty).values() {
                self.bound.insert(local, Bound::Number(value));
                self.condition(body, to)?;
            }
            return Ok(());
        };
        let is_of_all = (quantifier == Quantifier::All) == (to == Direction::Gain);
        let bound = if is_of_all {
            Bound::Each
        } else {
            if self.bound.values().any(|bound| *bound == Bound::Each) {
                return Err("`exists` below `all`: each element may need another witness".into());
            }
            Bound::One(self.kept.witness(sort))
        };
        self.bound.insert(local, bound);
        let result = self.condition(body, to);
        self.bound.remove(&local);
        result
    }

    /// An element in which two sets or queues differ is kept.
    fn witness(&mut self, left: &Expr, right: &Expr) -> Result<()> {
        let sort = self.sorts.of_elements(self.home, left).or_else(|| self.sorts.of_elements(self.home, right));
        let Some(sort) = sort else { return Ok(()) };
        let different = format!("in one of {} and {}", self.term(left)?, self.term(right)?);
        self.kept.keep(sort, different);
        Ok(())
    }

    /// A set or queue whose kept elements are those of the smaller state.
    fn collection(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Const(_) if !self.sorts.names_elements(expr) => Ok(()),
            ExprKind::Load(place) => self.address(place),
            ExprKind::Register(thread, _) => self.thread(thread).map(|_| ()),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Minus, left, right) => {
                self.collection(left)?;
                self.collection(right)
            }
            ExprKind::Binary(BinaryOp::With | BinaryOp::Without, set, element) => {
                self.collection(set)?;
                self.keep(element)
            }
            ExprKind::Pop(_) | ExprKind::Push(..) => Err("the order of a queue's elements".into()),
            _ => Err("a set or queue that is computed".into()),
        }
    }

    /// A value that no element is part of, and that is the same in the smaller state.
    fn plain(&mut self, expr: &Expr) -> Result<()> {
        if self.sorts.is_held(expr.ty) || self.sorts.of(self.home, expr).is_some() {
            return Err("an element or a set is computed with".into());
        }
        match &expr.kind {
            ExprKind::Const(_) if !self.sorts.names_elements(expr) => Ok(()),
            ExprKind::Local(_) => Ok(()),
            _ if matches!(expr.ty, Type::Word(_)) => Err("a word".into()),
            ExprKind::Load(place) => self.address(place),
            ExprKind::Oldest(thread, place) => {
                self.thread(thread)?;
                self.address(place)
            }
            ExprKind::Pending(_, _, _, Some(_)) => Err("which store of a buffer it is".into()),
            ExprKind::Pending(thread, place, value, None) => {
                self.thread(thread)?;
                self.address(place)?;
                match value {
                    Some(value) if value.ty == Type::Null => Err("whether a store of `null` is pending".into()),
                    Some(value) if self.sorts.of(self.home, value).is_some() => match place.ty {
                        Type::Ref { is_optional: true, .. } => self.keep(value),
                        _ => Err("whether a store of an element that is never `null` is pending".into()),
                    },
                    Some(value) => self.plain(value),
                    None => Ok(()),
                }
            }
            ExprKind::Register(thread, _)
            | ExprKind::At(thread, _)
            | ExprKind::Ended(thread)
            | ExprKind::LockedBy(thread) => self.thread(thread).map(|_| ()),
            ExprKind::Unary(_, operand) => self.plain(operand),
            ExprKind::Binary(op, left, right) if is_of_numbers(*op) => {
                self.plain(left)?;
                self.plain(right)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.exactly(condition)?;
                self.plain(then)?;
                self.plain(otherwise)
            }
            ExprKind::Size(_) => Err("a number of elements (`size`)".into()),
            ExprKind::Performed(_) => Err("`performed` speaks of stores to any object".into()),
            ExprKind::Quiescent => Err("it speaks of all threads".into()),
            _ if expr.ty == Type::Bool => self.exactly_or(expr),
            _ => Err("it is not understood".into()),
        }
    }

    /// A truth that is compared or computed with.
    fn exactly_or(&mut self, expr: &Expr) -> Result<()> {
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Quantified(..) | ExprKind::Reaches(..) => self.exactly(expr),
            _ => Err("it is not understood".into()),
        }
    }

    /// The object or element that a place belongs to is kept.
    fn address(&mut self, place: &Place) -> Result<()> {
        if let PlaceRoot::Field(object, ..) = &place.root {
            self.keep(object)?;
        }
        match &place.index {
            Some(index) if self.sorts.of(self.home, index).is_some() => self.keep(index),
            Some(index) => self.plain(index),
            None => Ok(()),
        }
    }

    /// The element that an expression gives is kept, if it gives one.
    fn keep(&mut self, expr: &Expr) -> Result<()> {
        self.named(expr)?;
        let Some(sort) = self.sorts.of(self.home, expr) else { return Ok(()) };
        match &expr.kind {
            ExprKind::Local(_) | ExprKind::Const(_) => Ok(()),
            ExprKind::Register(thread, local) if matches!(self.thread(thread)?, Who::Acting) => {
                match self.moment.registers.get(&self.register(thread, *local)?) {
                    Some(Held::Null) => {}
                    Some(Held::Element(name)) => self.kept.keep(sort, name.clone()),
                    _ => return Err("a register whose value is not followed".into()),
                }
                Ok(())
            }
            _ => {
                let name = self.term(expr)?;
                self.kept.keep(sort, name);
                Ok(())
            }
        }
    }

    /// An expression for an element whose parts are understood.
    fn named(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Const(_) if !self.sorts.names_elements(expr) && expr.ty == Type::Null => Ok(()),
            ExprKind::Const(program::types::NULL) if matches!(expr.ty, Type::Ref { .. }) => Ok(()),
            ExprKind::Const(_) => Err("it names an object or a thread".into()),
            ExprKind::Local(_) => Ok(()),
            ExprKind::Load(place) => self.address(place),
            ExprKind::Oldest(thread, place) => {
                self.thread(thread)?;
                self.address(place)
            }
            ExprKind::Register(thread, _) => self.thread(thread).map(|_| ()),
            ExprKind::Top(queue) => self.collection(queue),
            _ => Err("an element that is computed".into()),
        }
    }

    /// Whether the smaller state has no `null` for it, or does not find it where it is: then what it gives is kept whatever is asked.
    fn is_never_null(&self, expr: &Expr) -> bool {
        let is_optional = matches!(expr.ty, Type::Ref { is_optional: true, .. } | Type::Null);
        !is_optional || matches!(expr.kind, ExprKind::Top(_))
    }
}

fn is_of_numbers(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Less | LessEqual
            | Greater
            | GreaterEqual
            | BitOr
            | BitXor
            | BitAnd
            | ShiftLeft
            | ShiftRight
            | Add
            | Subtract
            | Multiply
            | Divide
            | Remainder
    )
}
