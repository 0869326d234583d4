//! Packed words as arithmetic: each field as its distance from its least value, lowest bits first.

use crate::simplify::binary;
use automata::{BinaryOp, Expr};
use program::types::Word;

/// The word built from the values of its fields.
pub(crate) fn pack<L>(word: &Word, parts: Vec<Expr<L>>) -> Expr<L> {
    word.fields.iter().zip(parts).fold(Expr::Const(0), |packed, (field, part)| {
        let distance = binary(BinaryOp::Subtract, part, Expr::constant(field.range.low));
        let placed = binary(BinaryOp::ShiftLeft, distance, Expr::constant(field.shift as i32));
        binary(BinaryOp::BitOr, packed, placed)
    })
}

/// The value of one field of a word.
pub(crate) fn part<L>(word: &Word, index: usize, packed: Expr<L>) -> Expr<L> {
    let field = &word.fields[index];
    let shifted = binary(BinaryOp::ShiftRight, packed, Expr::constant(field.shift as i32));
    let is_highest = field.shift + field.range.bits() == word.bits();
    let distance = match is_highest {
        true => shifted,
        false => binary(BinaryOp::BitAnd, shifted, Expr::constant(field.mask())),
    };
    binary(BinaryOp::Add, distance, Expr::constant(field.range.low))
}
