//! Between which numbers a condition's parts lie, given that every cell and register is in its domain.

use automata::{Automata, BinaryOp, Domain, Expr, StateExpr, StateLeaf, UnaryOp};

/// The least and the greatest number that an expression can be.
pub(crate) type Bounds = (i128, i128);

const TRUTH: Bounds = (0, 1);
/// More than 64 bits.
const TOO_WIDE: Bounds = (i128::MIN / 4, i128::MAX / 4);

/// The bounds of an expression. A part without value does not count: it is looked at by itself.
pub(crate) fn bounds(automata: &Automata, expr: &StateExpr) -> Bounds {
    match expr {
        Expr::Const(value) => (i128::from(*value), i128::from(*value)),
        Expr::Leaf(leaf) => of_leaf(automata, leaf),
        Expr::Unary(UnaryOp::Not, _) => TRUTH,
        Expr::Unary(UnaryOp::Negate, operand) => {
            let (low, high) = bounds(automata, operand);
            (-high, -low)
        }
        Expr::Binary(op, left, right) => joined(*op, bounds(automata, left), bounds(automata, right)),
    }
}

fn of_leaf(automata: &Automata, leaf: &StateLeaf) -> Bounds {
    let of_domain = |domain: Domain| (i128::from(domain.low), i128::from(domain.high));
    match leaf {
        StateLeaf::Cell(cell) => of_domain(automata.cells[*cell].domain),
        StateLeaf::CellAt { base, .. } => of_domain(automata.cells[*base].domain),
        StateLeaf::Oldest { place, .. } => of_domain(automata.cells[place.base].domain),
        StateLeaf::Register(thread, register) => {
            of_domain(automata.threads[*thread].automaton.registers[*register].domain)
        }
        StateLeaf::At(..) | StateLeaf::Ended(_) | StateLeaf::Performed(_) => TRUTH,
        StateLeaf::Pending { .. } => (0, 255),
        StateLeaf::Reached { .. } => (0, 1 << 30),
        StateLeaf::Old(value) => bounds(automata, value),
    }
}

fn joined(op: BinaryOp, (a, b): Bounds, (c, d): Bounds) -> Bounds {
    let least = |all: [i128; 4]| all.into_iter().min().unwrap_or(0);
    let most = |all: [i128; 4]| all.into_iter().max().unwrap_or(0);
    let widest = a.abs().max(b.abs());
    let bits = |value: i128| (1i128 << (128 - value.leading_zeros()).min(120)) - 1;
    let found = match op {
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Subtract => (a - d, b - c),
        BinaryOp::Multiply => match [a, b].map(|x| [c, d].map(|y| x.checked_mul(y))) {
            [[Some(p), Some(q)], [Some(r), Some(s)]] => (least([p, q, r, s]), most([p, q, r, s])),
            _ => TOO_WIDE,
        },
        BinaryOp::Divide | BinaryOp::ShiftRight => (-widest, widest),
        BinaryOp::Remainder => (-widest.min(c.abs().max(d.abs())), widest.min(c.abs().max(d.abs()))),
        BinaryOp::ShiftLeft if widest == 0 => (0, 0),
        BinaryOp::ShiftLeft if d <= 62 => (-widest << d.max(0), widest << d.max(0)),
        BinaryOp::ShiftLeft => TOO_WIDE,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if a >= 0 && c >= 0 => (0, bits(b.max(d))),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let widest = bits(widest.max(c.abs()).max(d.abs()));
            (-widest - 1, widest)
        }
        _ => TRUTH,
    };
    if found.0 < TOO_WIDE.0 || found.1 > TOO_WIDE.1 { TOO_WIDE } else { found }
}
