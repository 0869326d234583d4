//! Values, operators, and what threads compute with them (rules 1.3 to 1.6, 1.9, 3.1).

use program::typed::{Expr, ExprKind, PropertyId};
use program::types::{Range, Type, Types, WordId};
use std::collections::BTreeMap;
use syntax::tree::{BinaryOp, UnaryOp};

/// What a state or step can violate; the first two also say why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Violation {
    ValidReference,
    InRange,
    Deadlock,
    Property(PropertyId),
}

/// A value; none while it is to come; or what is violated because there is none.
pub(crate) type Value = Result<Option<i64>, Violation>;

/// An operator, with the type of the set, queue or word that it works on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operator {
    Unary(UnaryOp),
    Binary(BinaryOp, Type),
    /// `and`, `or` or `implies` whose right side is not evaluated where the left side decides (rule 1.9).
    Lazy(BinaryOp),
    Part(WordId, usize),
    Build(WordId),
    Push(Type),
    Pop(Type),
    Top(Type),
    Size(Type),
}

/// The value if it is in range (rule 1.6).
pub(crate) fn within(value: i64, range: Range) -> Result<i64, Violation> {
    if range.contains(value) { Ok(value) } else { Err(Violation::InRange) }
}

/// The value of the left side of `and`, `or` or `implies` for which the right side counts, and the result for the other.
pub(crate) fn logic(op: BinaryOp) -> (bool, i64) {
    match op {
        BinaryOp::And => (true, 0),
        BinaryOp::Or => (false, 1),
        _ => (true, 1),
    }
}

impl Operator {
    pub(crate) fn of(expr: &Expr) -> Option<Operator> {
        Some(match &expr.kind {
            ExprKind::Unary(op, _) => Operator::Unary(*op),
            ExprKind::Binary(BinaryOp::In, _, held) => Operator::Binary(BinaryOp::In, held.ty),
            ExprKind::Binary(op, left, _) => Operator::Binary(*op, left.ty),
            ExprKind::Part(_, word, part) => Operator::Part(*word, *part),
            ExprKind::Build(word, _) => Operator::Build(*word),
            ExprKind::Push(held, _) => Operator::Push(held.ty),
            ExprKind::Pop(held) => Operator::Pop(held.ty),
            ExprKind::Top(held) => Operator::Top(held.ty),
            ExprKind::Size(held) => Operator::Size(held.ty),
            _ => return None,
        })
    }

    /// Whether what is known of the operands leaves no value, whatever the others will be (rule 8.4).
    pub(crate) fn is_lost(self, v: &[Option<i64>], types: &Types) -> bool {
        match self {
            Operator::Binary(BinaryOp::Divide | BinaryOp::Remainder, _) => v[1] == Some(0),
            Operator::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _) => v[1].is_some_and(|by| by < 0),
            Operator::Build(word) => {
                let mut fields = types.words[word].fields.iter().zip(v);
                fields.any(|(field, part)| part.is_some_and(|part| !field.range.contains(part)))
            }
            _ => false,
        }
    }

    /// The result on values. In a property, `with` and `push` of what does not fit add nothing (rule 8.4).
    pub(crate) fn apply(self, v: &[i64], types: &Types, in_property: bool) -> Result<i64, Violation> {
        let elements = |ty: Type, value: i64| -> Vec<i64> {
            let elements = types.queue(ty).and_then(|queue| queue.elements(value as i32));
            elements.unwrap_or_default().into_iter().map(i64::from).collect()
        };
        let push = |ty: Type, value: i64, x: i64| {
            let queue = types.queue(ty).filter(|queue| queue.range.contains(x));
            queue.and_then(|queue| queue.push(value as i32, x as i32)).map(i64::from)
        };
        let bit = |ty: Type, x: i64| {
            let range = types.element(ty).map(|element| types.range(element)).filter(|range| range.contains(x));
            range.map(|range| 1i64 << (x - i64::from(range.low)))
        };
        let exact = match self {
            Operator::Unary(UnaryOp::Not) => Some(i64::from(v[0] == 0)),
            Operator::Unary(UnaryOp::Negate) => v[0].checked_neg(),
            Operator::Binary(BinaryOp::In, ty) => {
                let is_in_set = bit(ty, v[0]).is_some_and(|bit| v[1] & bit != 0);
                Some(i64::from(is_in_set || elements(ty, v[1]).contains(&v[0])))
            }
            Operator::Binary(BinaryOp::With, ty) => bit(ty, v[1]).map(|bit| v[0] | bit).or(in_property.then_some(v[0])),
            Operator::Binary(BinaryOp::Without, ty) => Some(v[0] & !bit(ty, v[1]).unwrap_or(0)),
            Operator::Binary(op, _) | Operator::Lazy(op) => number(op, v[0], v[1]),
            Operator::Part(word, part) => Some(types.words[word].part(part, v[0] as i32).into()),
            Operator::Build(word) => {
                let parts: Option<Vec<i32>> = v.iter().map(|part| i32::try_from(*part).ok()).collect();
                parts.and_then(|parts| types.words[word].pack(&parts)).map(i64::from)
            }
            Operator::Push(ty) => push(ty, v[0], v[1]).or(in_property.then_some(v[0])),
            Operator::Pop(ty) => elements(ty, v[0]).into_iter().skip(1).try_fold(0, |queue, x| push(ty, queue, x)),
            Operator::Top(ty) => elements(ty, v[0]).first().copied(),
            Operator::Size(ty) if types.queue(ty).is_some() => Some(elements(ty, v[0]).len() as i64),
            Operator::Size(_) => Some(v[0].count_ones().into()),
        };
        exact.ok_or(Violation::InRange)
    }
}

/// Exact arithmetic in 64 bits; none if there is no value (rules 1.3 to 1.5).
fn number(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    let result = match op {
        BinaryOp::Implies => truth(a == 0 || b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::BitOr | BinaryOp::Union => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::Minus => Some(a & !b),
        BinaryOp::ShiftLeft if a == 0 && b >= 0 => Some(0),
        BinaryOp::ShiftLeft => 2i64.checked_pow(u32::try_from(b).ok()?)?.checked_mul(a),
        BinaryOp::ShiftRight => (b >= 0).then(|| a >> b.min(63)),
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => a.checked_rem(b),
        BinaryOp::In | BinaryOp::With | BinaryOp::Without => None,
    };
    result.filter(|number| *number != i64::MIN)
}

/// The contents of registers; one that is not there holds 0.
pub(crate) type Registers = BTreeMap<usize, Term>;

/// An expression without side effects (rules 1.5, 1.9, 3.1). A register holds one too: a value, or what is to come.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Const(i64),
    Register(usize),
    /// The result of the queue's entry at this place.
    ToCome(usize),
    Apply(Box<(Operator, Vec<Term>)>),
}

impl Term {
    pub(crate) fn apply(op: Operator, operands: Vec<Term>) -> Term {
        Term::Apply(Box::new((op, operands)))
    }

    /// The value. While an operand is to come, so is the result, whatever the others are.
    pub(crate) fn eval(&self, types: &Types, registers: &Registers) -> Value {
        match self {
            Term::Const(value) => Ok(Some(*value)),
            Term::ToCome(_) => Ok(None),
            Term::Register(register) => registers.get(register).map_or(Ok(Some(0)), |it| it.eval(types, registers)),
            Term::Apply(applied) => match &**applied {
                (Operator::Lazy(op), operands) => match operands[0].eval(types, registers)? {
                    None => Ok(None),
                    Some(left) if (left != 0) == logic(*op).0 => operands[1].eval(types, registers),
                    Some(_) => Ok(Some(logic(*op).1)),
                },
                (op, operands) => {
                    let values: Vec<Value> = operands.iter().map(|operand| operand.eval(types, registers)).collect();
                    if values.contains(&Ok(None)) {
                        return Ok(None);
                    }
                    let values = values.into_iter().filter_map(Value::transpose).collect::<Result<Vec<i64>, _>>()?;
                    op.apply(&values, types, false).map(Some)
                }
            },
        }
    }

    /// The same with the present contents in place of the registers.
    pub(crate) fn close(&self, registers: &Registers) -> Term {
        match self {
            Term::Register(register) => registers.get(register).cloned().unwrap_or(Term::Const(0)),
            Term::Apply(applied) => Term::apply(applied.0, close(&applied.1, registers)),
            other => other.clone(),
        }
    }

    /// The queue's entry at `place` has left, with this result.
    pub(crate) fn settle(&mut self, place: usize, result: i64) {
        match self {
            Term::ToCome(entry) if *entry == place => *self = Term::Const(result),
            Term::ToCome(entry) if *entry > place => *entry -= 1,
            Term::Apply(applied) => applied.1.iter_mut().for_each(|operand| operand.settle(place, result)),
            _ => {}
        }
    }

    pub(crate) fn registers(&self) -> Vec<usize> {
        match self {
            Term::Register(register) => vec![*register],
            Term::Apply(applied) => applied.1.iter().flat_map(Term::registers).collect(),
            _ => Vec::new(),
        }
    }
}

pub(crate) fn close(terms: &[Term], registers: &Registers) -> Vec<Term> {
    terms.iter().map(|term| term.close(registers)).collect()
}
