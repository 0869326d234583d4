//! What operators of the typed program give, on values.

use crate::typed::{Expr, ExprKind};
use crate::types::{Type, Types, Value, Wide};
use base::arithmetic::{NO_VALUE, UnaryOp};
use syntax::tree;

/// The value of an operator on values; none if it has none.
pub(super) fn apply(types: &Types, expr: &Expr, v: &[Wide]) -> Option<Wide> {
    let number = |value: Wide| Value::try_from(value).ok();
    let elements = |ty: Type, queue: Wide| types.queue(ty).and_then(|it| it.elements(number(queue)?));
    let push = |ty: Type, queue: Wide, x: Wide| {
        let it = types.queue(ty).filter(|it| it.range.contains(x))?;
        it.push(number(queue)?, number(x)?).map(Wide::from)
    };
    match &expr.kind {
        ExprKind::Unary(tree::UnaryOp::Not, _) => Some(Wide::from(v[0] == 0)),
        ExprKind::Unary(tree::UnaryOp::Negate, _) => Some(UnaryOp::Negate.apply(v[0])),
        ExprKind::Binary(op, left, right) => binary(types, *op, (left.ty, v[0]), (right.ty, v[1])),
        ExprKind::Part(_, word, part) => Some(types.words[*word].part(*part, number(v[0])?).into()),
        ExprKind::Build(word, _) => {
            let parts: Option<Vec<Value>> = v.iter().map(|part| number(*part)).collect();
            types.words[*word].pack(&parts?).map(Wide::from)
        }
        ExprKind::Push(held, _) => push(held.ty, v[0], v[1]),
        ExprKind::Pop(held) => {
            elements(held.ty, v[0])?.into_iter().skip(1).try_fold(0, |queue, x| push(held.ty, queue, x.into()))
        }
        ExprKind::Top(held) => elements(held.ty, v[0])?.first().map(|x| Wide::from(*x)),
        ExprKind::Size(held) => match elements(held.ty, v[0]) {
            Some(elements) => Some(elements.len() as Wide),
            None => Some(v[0].count_ones().into()),
        },
        _ => None,
    }
}

fn binary(types: &Types, op: tree::BinaryOp, (set, a): (Type, Wide), (of, b): (Type, Wide)) -> Option<Wide> {
    use tree::BinaryOp::{In, Minus, Union, With, Without};
    let bit = |set: Type, x: Wide| {
        let range = types.range(types.element(set)?);
        range.contains(x).then(|| 1 << (x - Wide::from(range.low)))
    };
    match op {
        In => match types.queue(of) {
            Some(queue) => Some(queue.elements(b as Value)?.iter().any(|x| Wide::from(*x) == a).into()),
            None => Some(bit(of, a).is_some_and(|bit| b & bit != 0).into()),
        },
        With => bit(set, b).map(|bit| a | bit),
        Without => Some(a & !bit(set, b).unwrap_or(0)),
        Union => Some(a | b),
        Minus => Some(a & !b),
        op => op.on_numbers().map(|op| op.apply(a, b)).filter(|value| *value != NO_VALUE),
    }
}
