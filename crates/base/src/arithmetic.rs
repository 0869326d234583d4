//! Operators on whole numbers, exact in 64 bits (semantics 1.3 to 1.5). Booleans are 0 and 1.

/// What is computed: exact, or `NO_VALUE`.
pub type Wide = i64;

/// In place of a result: a division by zero, a shift by a negative amount, or more than 64 bits. It is in no domain.
pub const NO_VALUE: Wide = i64::MIN;

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// 1 if the operand is 0, else 0.
    Not,
    /// Its negation.
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// Every operator with how it is written.
    pub const SYMBOLS: [(BinaryOp, &'static str); 19] = [
        (BinaryOp::Implies, "implies"),
        (BinaryOp::Or, "or"),
        (BinaryOp::And, "and"),
        (BinaryOp::Equal, "=="),
        (BinaryOp::NotEqual, "!="),
        (BinaryOp::Less, "<"),
        (BinaryOp::LessEqual, "<="),
        (BinaryOp::Greater, ">"),
        (BinaryOp::GreaterEqual, ">="),
        (BinaryOp::BitOr, "|"),
        (BinaryOp::BitXor, "^"),
        (BinaryOp::BitAnd, "&"),
        (BinaryOp::ShiftLeft, "<<"),
        (BinaryOp::ShiftRight, ">>"),
        (BinaryOp::Add, "+"),
        (BinaryOp::Subtract, "-"),
        (BinaryOp::Multiply, "*"),
        (BinaryOp::Divide, "/"),
        (BinaryOp::Remainder, "%"),
    ];

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        Self::SYMBOLS[self as usize].1
    }

    /// Whether its result is 0 or 1.
    pub fn is_truth(self) -> bool {
        self as usize <= BinaryOp::GreaterEqual as usize
    }
}

impl UnaryOp {
    /// The result for `value`.
    pub fn apply(self, value: Wide) -> Wide {
        match self {
            _ if value == NO_VALUE => NO_VALUE,
            UnaryOp::Not => Wide::from(value == 0),
            UnaryOp::Negate => -value,
        }
    }
}

impl BinaryOp {
    /// The result for `a` and `b`. Where `a` decides a logical operator, `b` does not matter.
    pub fn apply(self, a: Wide, b: Wide) -> Wide {
        match (self, a) {
            (BinaryOp::Implies, 0) => return 1,
            (BinaryOp::And, 0) => return 0,
            (BinaryOp::Or, a) if a != 0 && a != NO_VALUE => return 1,
            _ if a == NO_VALUE || b == NO_VALUE => return NO_VALUE,
            _ => {}
        }
        let exact = |value: Option<Wide>| value.unwrap_or(NO_VALUE);
        match self {
            BinaryOp::Implies | BinaryOp::Or | BinaryOp::And => Wide::from(b != 0),
            BinaryOp::Equal => Wide::from(a == b),
            BinaryOp::NotEqual => Wide::from(a != b),
            BinaryOp::Less => Wide::from(a < b),
            BinaryOp::LessEqual => Wide::from(a <= b),
            BinaryOp::Greater => Wide::from(a > b),
            BinaryOp::GreaterEqual => Wide::from(a >= b),
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitAnd => a & b,
            BinaryOp::ShiftLeft => shift_left(a, b),
            BinaryOp::ShiftRight if b < 0 => NO_VALUE,
            BinaryOp::ShiftRight => a >> b.min(63),
            BinaryOp::Add => exact(a.checked_add(b)),
            BinaryOp::Subtract => exact(a.checked_sub(b)),
            BinaryOp::Multiply => exact(a.checked_mul(b)),
            BinaryOp::Divide => exact(a.checked_div(b)),
            BinaryOp::Remainder => exact(a.checked_rem(b)),
        }
    }
}

/// `a * 2^by`.
fn shift_left(a: Wide, by: Wide) -> Wide {
    match by {
        _ if by < 0 => NO_VALUE,
        _ if a == 0 => 0,
        0..=62 => a.checked_mul(1 << by).unwrap_or(NO_VALUE),
        _ => NO_VALUE,
    }
}
