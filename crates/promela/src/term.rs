//! Expressions of Promela: how they are simplified, changed and printed.

use automata::{BinaryOp, Expr, UnaryOp};
use std::fmt;

/// The least number of Promela.
const LEAST: i64 = i32::MIN as i64;

/// An expression over the global variables of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    Const(i64),
    /// A variable, or any text that needs no parentheses.
    Var(String),
    /// The cell of this number.
    Cell(Box<Term>),
    Unary(UnaryOp, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    pub(crate) const TRUE: Term = Term::Const(1);
    pub(crate) const FALSE: Term = Term::Const(0);

    pub(crate) fn var(text: impl Into<String>) -> Term {
        Term::Var(text.into())
    }

    pub(crate) fn cell(number: Term) -> Term {
        Term::Cell(Box::new(number))
    }

    /// The same expression over other leaves.
    pub(crate) fn of<L>(expr: &Expr<L>, leaf: &mut impl FnMut(&L) -> Term) -> Term {
        match expr {
            Expr::Const(value) => Term::Const(*value),
            Expr::Leaf(l) => leaf(l),
            Expr::Unary(op, operand) => Term::unary(*op, Term::of(operand, leaf)),
            Expr::Binary(op, left, right) => {
                let left = Term::of(left, leaf);
                Term::binary(*op, left, Term::of(right, leaf))
            }
        }
    }

    pub(crate) fn unary(op: UnaryOp, operand: Term) -> Term {
        match (op, operand) {
            (UnaryOp::Not, Term::Const(value)) => Term::Const(i64::from(value == 0)),
            (UnaryOp::Not, Term::Unary(UnaryOp::Not, inner)) if inner.is_truth() => *inner,
            (op, operand) => Term::Unary(op, Box::new(operand)),
        }
    }

    pub(crate) fn binary(op: BinaryOp, left: Term, right: Term) -> Term {
        match (op, left, right) {
            (BinaryOp::And, left, right) => left.and(right),
            (BinaryOp::Or, left, right) => left.or(right),
            (BinaryOp::Equal, Term::Const(a), Term::Const(b)) => Term::Const(i64::from(a == b)),
            (op, left, right) => Term::Binary(op, Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn and(self, other: Term) -> Term {
        match (self, other) {
            (Term::Const(0), _) | (_, Term::Const(0)) => Term::FALSE,
            (Term::Const(_), other) if other.is_truth() => other,
            (one, Term::Const(_)) if one.is_truth() => one,
            (one, other) => Term::Binary(BinaryOp::And, Box::new(one), Box::new(other)),
        }
    }

    pub(crate) fn or(self, other: Term) -> Term {
        match (self, other) {
            (Term::Const(0), other) if other.is_truth() => other,
            (one, Term::Const(0)) if one.is_truth() => one,
            (Term::Const(value), _) | (_, Term::Const(value)) if value != 0 => Term::TRUE,
            (one, other) => Term::Binary(BinaryOp::Or, Box::new(one), Box::new(other)),
        }
    }

    pub(crate) fn negated(self) -> Term {
        Term::unary(UnaryOp::Not, self)
    }

    pub(crate) fn equals(self, other: Term) -> Term {
        Term::binary(BinaryOp::Equal, self, other)
    }

    /// `then` if the condition is true, else `otherwise`.
    pub(crate) fn choice(condition: Term, then: Term, otherwise: Term) -> Term {
        match condition {
            Term::Const(0) => otherwise,
            Term::Const(_) => then,
            _ if then == otherwise => then,
            condition => Term::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
        }
    }

    /// Whether it lies outside `low..high`.
    pub(crate) fn outside(self, low: impl Into<i64>, high: impl Into<i64>) -> Term {
        let (low, high) = (low.into(), high.into());
        match self {
            Term::Const(value) => Term::Const(i64::from(value < low || value > high)),
            term => {
                let below = Term::Binary(BinaryOp::Less, Box::new(term.clone()), Box::new(Term::Const(low)));
                below.or(Term::Binary(BinaryOp::Greater, Box::new(term), Box::new(Term::Const(high))))
            }
        }
    }

    /// All of them.
    pub(crate) fn all(terms: impl IntoIterator<Item = Term>) -> Term {
        terms.into_iter().fold(Term::TRUE, Term::and)
    }

    /// Any of them.
    pub(crate) fn any(terms: impl IntoIterator<Item = Term>) -> Term {
        terms.into_iter().fold(Term::FALSE, Term::or)
    }

    /// Whether its value is 0 or 1.
    fn is_truth(&self) -> bool {
        match self {
            Term::Const(value) => matches!(value, 0 | 1),
            Term::Var(_) | Term::Cell(_) => false,
            Term::Unary(op, _) => *op == UnaryOp::Not,
            Term::Binary(op, ..) => op.is_truth(),
            Term::If(_, then, otherwise) => then.is_truth() && otherwise.is_truth(),
        }
    }

    /// With every variable and cell replaced, from the leaves up.
    pub(crate) fn replace(&self, leaf: &mut impl FnMut(Term) -> Term) -> Term {
        match self {
            Term::Const(value) => Term::Const(*value),
            Term::Var(_) => leaf(self.clone()),
            Term::Cell(number) => {
                let number = number.replace(leaf);
                leaf(Term::cell(number))
            }
            Term::Unary(op, operand) => Term::unary(*op, operand.replace(leaf)),
            Term::Binary(op, left, right) => {
                let left = left.replace(leaf);
                Term::binary(*op, left, right.replace(leaf))
            }
            Term::If(condition, then, otherwise) => {
                let condition = condition.replace(leaf);
                let then = then.replace(leaf);
                Term::choice(condition, then, otherwise.replace(leaf))
            }
        }
    }

    /// How many nodes it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Term::Const(_) | Term::Var(_) => 1,
            Term::Cell(operand) | Term::Unary(_, operand) => 1 + operand.size(),
            Term::Binary(_, left, right) => 1 + left.size() + right.size(),
            Term::If(condition, then, otherwise) => 1 + condition.size() + then.size() + otherwise.size(),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Const(LEAST) => f.write_str("(-2147483647 - 1)"),
            Term::Const(value) if *value < 0 => write!(f, "({value})"),
            Term::Const(value) => write!(f, "{value}"),
            Term::Var(name) => f.write_str(name),
            Term::Cell(number) => write!(f, "cell[{number}]"),
            Term::Unary(UnaryOp::Not, operand) => write!(f, "!({operand})"),
            Term::Unary(UnaryOp::Negate, operand) => write!(f, "(-({operand}))"),
            Term::Binary(BinaryOp::Implies, left, right) => write!(f, "(!({left}) || {right})"),
            Term::Binary(op @ (BinaryOp::Divide | BinaryOp::Remainder), left, right) => match &**right {
                Term::Const(value) if *value != 0 => write!(f, "({left} {} {right})", sign(*op)),
                // What has no value is judged elsewhere; here it must only not stop SPIN.
                _ => write!(f, "({right} == 0 -> 0 : {left} {} {right})", sign(*op)),
            },
            Term::Binary(op, left, right) => write!(f, "({left} {} {right})", sign(*op)),
            Term::If(condition, then, otherwise) => write!(f, "({condition} -> {then} : {otherwise})"),
        }
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And | BinaryOp::Implies => "&&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}
