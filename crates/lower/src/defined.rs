//! Where a property has a value (semantics 8.4): what must be true of a state so that no part that decides the property
//! divides by zero or looks at a cell that is not there.

use crate::bounds::{Bounds, bounds};
use crate::properties::Stating;
use crate::simplify::binary;
use automata::{Automata, BinaryOp, Definedness, Expr, Moment, PropertyId, StateExpr, Stated, UnaryOp};
use program::typed::{self, BinaryOp as Word, ExprKind, GraphId, Place};

/// What may be wrong with a part of a property.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It has no number.
    Range,
    /// It speaks of a cell that is not there.
    Reference,
}

/// What must be true so that a part has a value, and what is wrong otherwise.
type Clause = (Fault, StateExpr);

impl Fault {
    const ALL: [Fault; 2] = [Fault::Reference, Fault::Range];

    fn property(self) -> PropertyId {
        match self {
            Fault::Range => Automata::IN_RANGE,
            Fault::Reference => Automata::VALID_REFERENCE,
        }
    }
}

impl Stating<'_> {
    /// What must hold for a condition to have a value at each `moment` that it is judged: one clause for each part that may have
    /// none.
    pub(crate) fn definedness(&mut self, condition: &typed::Expr, of: Stated, moment: Moment) -> Vec<Definedness> {
        let mut clauses = Vec::new();
        self.clauses(condition, &mut Vec::new(), &mut clauses);
        // Symmetry compares those of one property together.
        clauses.sort_by_key(|(fault, _)| *fault == Fault::Range);
        let mut found: Vec<Definedness> = Vec::new();
        for (fault, condition) in clauses {
            let clause = Definedness { of, property: fault.property(), condition, moment };
            if !found.contains(&clause) {
                found.push(clause);
            }
        }
        found
    }

    /// Adds a clause for each part of `expr` that may have no value. `guards` are what must be true for `expr` to be evaluated.
    fn clauses(&mut self, expr: &typed::Expr, guards: &mut Vec<StateExpr>, found: &mut Vec<Clause>) {
        match &expr.kind {
            ExprKind::Binary(op @ (Word::And | Word::Or | Word::Implies), left, right) => {
                self.clauses(left, guards, found);
                let value = self.expr(left);
                guards.push(if *op == Word::Or { Expr::unary(UnaryOp::Not, value) } else { value });
                self.clauses(right, guards, found);
                guards.pop();
            }
            ExprKind::Quantified(_, local, body) => {
                for value in self.program.types.range(self.locals[*local].ty).values() {
                    self.bindings[base::table::Id::index(*local)] = value;
                    self.clauses(body, guards, found);
                }
            }
            _ => {
                let first = found.len();
                for part in expr.operands() {
                    let before = found.len();
                    self.clauses(part, guards, found);
                    behind(found, first, before);
                }
                let before = found.len();
                if let ExprKind::Reaches(graph, ..) = &expr.kind {
                    self.of_graph(*graph, guards, found);
                }
                for fault in Fault::ALL {
                    let own = self.own(expr, fault);
                    let clause =
                        if own == Expr::Const(1) { own } else { guards.iter().rev().cloned().fold(own, given) };
                    if clause != Expr::Const(1) {
                        found.push((fault, clause));
                    }
                }
                behind(found, first, before);
            }
        }
    }

    /// The predicate of a graph is evaluated for every object.
    fn of_graph(&self, id: GraphId, guards: &mut Vec<StateExpr>, found: &mut Vec<Clause>) {
        let graph = &self.program.graphs[id];
        let Some(condition) = &graph.condition else { return };
        for object in 0..self.program.types.objects[graph.object].instances.len() {
            let mut stating = Stating::new(self.program, self.layout, self.automata, &graph.locals);
            stating.bindings[0] = object as i32;
            stating.clauses(condition, guards, found);
        }
    }

    /// What an expression asks by itself, its operands having values.
    fn own(&mut self, expr: &typed::Expr, fault: Fault) -> StateExpr {
        match (&expr.kind, fault) {
            (
                ExprKind::Load(place) | ExprKind::Pending(_, place, ..) | ExprKind::Oldest(_, place),
                Fault::Reference,
            ) => self.is_there(place),
            (ExprKind::Binary(op, left, right), Fault::Range) => {
                let own = match op {
                    Word::Divide | Word::Remainder => self.differs_from_zero(right),
                    Word::ShiftLeft | Word::ShiftRight => self.is_within(right, (0, i128::MAX)),
                    _ => Expr::Const(1),
                };
                and(own, self.is_narrow(*op, expr, (left, right)))
            }
            (ExprKind::Top(held), Fault::Range) => self.differs_from_zero(held),
            (ExprKind::Build(id, parts), Fault::Range) => {
                let fields = self.program.types.words[*id].fields.iter().map(|field| field.range);
                let ranges: Vec<Bounds> = fields.map(|range| (range.low.into(), range.high.into())).collect();
                let parts = parts.iter().zip(ranges);
                parts.fold(Expr::Const(1), |all, (part, range)| and(all, self.is_within(part, range)))
            }
            _ => Expr::Const(1),
        }
    }

    /// Whether the cell of a place exists.
    fn is_there(&mut self, place: &Place) -> StateExpr {
        let (_, terms) = self.place(place);
        terms
            .into_iter()
            .fold(Expr::Const(1), |all, term| and(all, within(self.automata, term.index, (0, term.count as i128 - 1))))
    }

    fn differs_from_zero(&mut self, expr: &typed::Expr) -> StateExpr {
        let value = self.expr(expr);
        let (low, high) = bounds(self.automata, &value);
        if low > 0 || high < 0 { Expr::Const(1) } else { binary(BinaryOp::NotEqual, value, Expr::Const(0)) }
    }

    fn is_within(&mut self, expr: &typed::Expr, range: Bounds) -> StateExpr {
        let value = self.expr(expr);
        within(self.automata, value, range)
    }

    /// Whether the result of an operator needs no more than 64 bits, its operands having values.
    fn is_narrow(&mut self, op: Word, expr: &typed::Expr, (left, right): (&typed::Expr, &typed::Expr)) -> StateExpr {
        let value = self.expr(expr);
        let (low, high) = bounds(self.automata, &value);
        if low > i128::from(i64::MIN) && high <= i128::from(i64::MAX) {
            return Expr::Const(1);
        }
        fits(op, self.expr(left), self.expr(right))
    }
}

/// What comes behind a part without value is not evaluated: the clauses from `start` on are asked for where those from `first` to there
/// are true. Of the same fault it makes no difference.
fn behind(found: &mut [Clause], first: usize, start: usize) {
    let (earlier, later) = found.split_at_mut(start);
    for (fault, clause) in later {
        let others = earlier[first..].iter().filter(|(other, _)| other != fault).map(|(_, other)| other.clone());
        *clause = others.rev().fold(clause.clone(), given);
    }
}

fn given(rest: StateExpr, guard: StateExpr) -> StateExpr {
    binary(BinaryOp::Implies, guard, rest)
}

/// Whether `a op b` is between -(2^63 - 1) and 2^63 - 1, said with numbers that are.
fn fits(op: Word, a: StateExpr, b: StateExpr) -> StateExpr {
    const MOST: StateExpr = Expr::Const(i64::MAX);
    const LEAST: StateExpr = Expr::Const(-i64::MAX);
    let zero = || Expr::Const(0);
    let minus = |e: StateExpr| Expr::unary(UnaryOp::Negate, e);
    let at_most = |x: StateExpr, y: StateExpr| binary(BinaryOp::LessEqual, x, y);
    let is_up = at_most(zero(), b.clone());
    let cases = |up: StateExpr, down: StateExpr| {
        let is_down = Expr::unary(UnaryOp::Not, is_up.clone());
        and(binary(BinaryOp::Implies, is_up.clone(), up), binary(BinaryOp::Implies, is_down, down))
    };
    let between = |least: StateExpr, most: StateExpr| and(at_most(least, a.clone()), at_most(a.clone(), most));
    match op {
        Word::Add => cases(
            at_most(a.clone(), binary(BinaryOp::Subtract, MOST, b.clone())),
            at_most(binary(BinaryOp::Subtract, LEAST, b), a.clone()),
        ),
        Word::Subtract => cases(
            at_most(binary(BinaryOp::Add, LEAST, b.clone()), a.clone()),
            at_most(a.clone(), binary(BinaryOp::Add, MOST, b)),
        ),
        Word::Multiply => {
            let most = binary(BinaryOp::Divide, MOST, b.clone());
            let both = cases(between(minus(most.clone()), most.clone()), between(most.clone(), minus(most)));
            binary(BinaryOp::Or, binary(BinaryOp::Equal, b, zero()), both)
        }
        Word::ShiftLeft => {
            let most = binary(BinaryOp::ShiftRight, MOST, b.clone());
            let small = and(at_most(b, Expr::Const(62)), between(minus(most.clone()), most));
            binary(BinaryOp::Or, binary(BinaryOp::Equal, a.clone(), zero()), small)
        }
        _ => Expr::Const(1),
    }
}

fn within(automata: &Automata, value: StateExpr, (low, high): Bounds) -> StateExpr {
    let (least, most) = bounds(automata, &value);
    let above = match i64::try_from(low) {
        Ok(low) if least < i128::from(low) => binary(BinaryOp::GreaterEqual, value.clone(), Expr::Const(low)),
        _ => Expr::Const(1),
    };
    let below = match i64::try_from(high) {
        Ok(high) if most > i128::from(high) => binary(BinaryOp::LessEqual, value, Expr::Const(high)),
        _ => Expr::Const(1),
    };
    and(above, below)
}

fn and(left: StateExpr, right: StateExpr) -> StateExpr {
    binary(BinaryOp::And, left, right)
}
