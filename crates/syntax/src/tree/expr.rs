//! Expressions of the syntax tree.

use super::{Name, Type};
use base::{Span, arithmetic};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `42`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
    /// `self`: the index of this replicated thread.
    SelfIndex,
    /// A name.
    Name(Name),
    /// `e.name`: a field of an object, a part of a word, a register of a thread.
    Field(Box<Expr>, Name),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `name(arguments)`: a procedure, or a word built from its parts.
    Call(Name, Vec<Expr>),
    /// `place.cas(a -> b, acq_rel)`: a memory operation on a place.
    Method {
        /// The place acted on.
        place: Box<Expr>,
        /// `load store cas cas_old swap fetch_add fetch_and fetch_or ll sc`
        name: Name,
        /// The arguments; orders are names.
        arguments: Vec<Argument>,
    },
    /// `not e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If {
        /// What decides.
        condition: Box<Expr>,
        /// The value if it is true.
        then: Box<Expr>,
        /// The value if it is false.
        otherwise: Box<Expr>,
    },
    /// `all x in T: e`, `exists x in T: e`
    Quantified {
        /// `all` or `exists`.
        quantifier: Quantifier,
        /// The bound name.
        name: Name,
        /// The type whose values it takes.
        domain: Type,
        /// The condition.
        body: Box<Expr>,
    },
    /// `choose T`: any value of a finite type.
    Choose(Type),
    /// `choose in s`: any element of a set.
    ChooseIn(Box<Expr>),
    /// `every T`: the set of all values of a type.
    Every(Type),
    /// `{a, b}`: the set of these.
    Set(Vec<Expr>),
    /// `[a, b]`: the first values of an array's elements.
    List(Vec<Expr>),
    /// `at(mutator[0], copying)`, `at(collector, copy*, *_marked)`
    At {
        /// The thread.
        thread: Box<Expr>,
        /// Any of these.
        labels: Vec<LabelPattern>,
    },
    /// `always e`, `eventually e`, `next e`, `a until b`, `a weakly_until b`, `a release b`
    Temporal(TemporalOp, Vec<Expr>),
    /// What could not be read.
    Error,
}

/// A label, or all that begin or end so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelPattern {
    /// The label, its beginning or its end.
    pub name: Name,
    /// Which of these.
    pub part: LabelPart,
}

/// What a pattern names of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPart {
    /// `copied`: all of it.
    Whole,
    /// `copy*`: its beginning.
    Beginning,
    /// `*_copied`: its end.
    End,
}

/// An argument of a memory operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value, or the name of an order.
    Expr(Expr),
    /// `expected -> new`
    Exchange(Expr, Expr),
}

/// A word of temporal logic: the first three have one operand, the others two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalOp {
    /// Now and forever.
    Always,
    /// Now or later.
    Eventually,
    /// From the next state on.
    Next,
    /// The second becomes true, and the first is true until then.
    Until,
    /// As until, but the second need not become true if the first is true forever.
    WeaklyUntil,
    /// The second is true up to and including the state where the first is; forever if there is none.
    Release,
}

impl TemporalOp {
    /// Those that stand before their operand.
    pub const PREFIX: [TemporalOp; 3] = [TemporalOp::Always, TemporalOp::Eventually, TemporalOp::Next];
    /// Those that stand between their operands.
    pub const INFIX: [TemporalOp; 3] = [TemporalOp::Until, TemporalOp::WeaklyUntil, TemporalOp::Release];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            TemporalOp::Always => "always",
            TemporalOp::Eventually => "eventually",
            TemporalOp::Next => "next",
            TemporalOp::Until => "until",
            TemporalOp::WeaklyUntil => "weakly_until",
            TemporalOp::Release => "release",
        }
    }
}

/// `all` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// For every value.
    All,
    /// For some value.
    Exists,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `not`
    Not,
    /// `-`
    Negate,
}

/// An operator with two operands. Loosest first: `implies`, `or`, `and`, comparisons and `in`, those that give sets,
/// `|`, `^`, `&`, shifts, sums, products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the operator of that name")]
pub enum BinaryOp {
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    With,
    Without,
    Union,
    Minus,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOp {
    /// Those of sets. They are written as words, which are names everywhere else.
    pub const OF_SETS: [BinaryOp; 5] =
        [BinaryOp::In, BinaryOp::With, BinaryOp::Without, BinaryOp::Union, BinaryOp::Minus];

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::In => "in",
            BinaryOp::With => "with",
            BinaryOp::Without => "without",
            BinaryOp::Union => "union",
            BinaryOp::Minus => "minus",
            op => op.on_numbers().map_or("", arithmetic::BinaryOp::symbol),
        }
    }

    /// The operator on numbers of the same name; none for those of sets.
    pub fn on_numbers(self) -> Option<arithmetic::BinaryOp> {
        use arithmetic::BinaryOp as N;
        Some(match self {
            BinaryOp::In | BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus => return None,
            BinaryOp::Implies => N::Implies,
            BinaryOp::Or => N::Or,
            BinaryOp::And => N::And,
            BinaryOp::Equal => N::Equal,
            BinaryOp::NotEqual => N::NotEqual,
            BinaryOp::Less => N::Less,
            BinaryOp::LessEqual => N::LessEqual,
            BinaryOp::Greater => N::Greater,
            BinaryOp::GreaterEqual => N::GreaterEqual,
            BinaryOp::BitOr => N::BitOr,
            BinaryOp::BitXor => N::BitXor,
            BinaryOp::BitAnd => N::BitAnd,
            BinaryOp::ShiftLeft => N::ShiftLeft,
            BinaryOp::ShiftRight => N::ShiftRight,
            BinaryOp::Add => N::Add,
            BinaryOp::Subtract => N::Subtract,
            BinaryOp::Multiply => N::Multiply,
            BinaryOp::Divide => N::Divide,
            BinaryOp::Remainder => N::Remainder,
        })
    }
}
