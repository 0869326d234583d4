//! Which values an expression may have: Promela's numbers have 32 bits, and ours are exact.

use automata::{BinaryOp, Domain, Expr, UnaryOp, Value};

/// The least and the greatest value.
pub(crate) type Interval = (i64, i64);

/// All numbers of Promela.
const ALL: Interval = (Value::MIN as i64, Value::MAX as i64);

pub(crate) fn of_domain(domain: Domain) -> Interval {
    (i64::from(domain.low), i64::from(domain.high))
}

/// The values of `expr`, where it has one; none if a part of it may leave 32 bits.
pub(crate) fn of<L>(expr: &Expr<L>, leaf: &mut impl FnMut(&L) -> Option<Interval>) -> Option<Interval> {
    let found = match expr {
        Expr::Const(value) => (*value, *value),
        Expr::Leaf(l) => leaf(l)?,
        Expr::Unary(op, operand) => {
            let (low, high) = of(operand, leaf)?;
            match op {
                UnaryOp::Not => (0, 1),
                UnaryOp::Negate => (-high, -low),
            }
        }
        Expr::Binary(op, left, right) => {
            let left = of(left, leaf)?;
            binary(*op, left, of(right, leaf)?)?
        }
    };
    (found.0 >= ALL.0 && found.1 <= ALL.1).then_some(found)
}

fn binary(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    let corners = |f: fn(i64, i64) -> i64| {
        let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
        (all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0))
    };
    let is_natural = a >= 0 && c >= 0;
    Some(match op {
        BinaryOp::Implies
        | BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => (0, 1),
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Subtract => (a - d, b - c),
        BinaryOp::Multiply => corners(|x, y| x * y),
        BinaryOp::BitAnd if is_natural => (0, b.min(d)),
        BinaryOp::BitAnd if a >= 0 => (0, b),
        BinaryOp::BitAnd if c >= 0 => (0, d),
        BinaryOp::BitOr | BinaryOp::BitXor if is_natural => (0, below_power(b.max(d))),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => ALL,
        // By a negative amount there is no value, which is judged where it is computed.
        BinaryOp::ShiftLeft if d < 31 => corners(|x, y| x << y.max(0)),
        BinaryOp::ShiftRight if d < 32 => corners(|x, y| x >> y.max(0)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return None,
        BinaryOp::Divide => {
            let most = a.abs().max(b.abs());
            (if is_natural { 0 } else { -most }, most)
        }
        BinaryOp::Remainder => {
            let most = (c.abs().max(d.abs()) - 1).max(0);
            (if a >= 0 { 0 } else { -most }, most)
        }
    })
}

/// The least number of only ones that is not less.
fn below_power(value: i64) -> i64 {
    (1 << (64 - value.leading_zeros())) - 1
}

/// The smallest type of Promela that holds all values.
pub(crate) fn type_of((low, high): Interval) -> &'static str {
    if low >= 0 && high <= 255 {
        "byte"
    } else if low >= i64::from(i16::MIN) && high <= i64::from(i16::MAX) {
        "short"
    } else {
        "int"
    }
}
