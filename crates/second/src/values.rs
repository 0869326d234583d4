//! Values and operators (rules 1.3 to 1.6).

use program::queues::Queue;
use program::types::{Range, Types, WordId};
use syntax::tree::{BinaryOp, UnaryOp};

/// Why an expression has no value, or a step is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fault {
    /// Violates `in_range`.
    Range,
    /// Violates `valid_reference`.
    Reference,
}

/// An operator, with what it must know of its operands' types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operator {
    Not,
    Negate,
    Plain(Plain),
    InSet(Limits),
    InQueue(QueueType),
    With(Limits),
    Without(Limits),
    Union,
    Minus,
    Part(u32, usize),
    Build(u32),
    Push(QueueType),
    Pop(QueueType),
    Top(QueueType),
    SizeOfSet,
    SizeOfQueue(QueueType),
}

/// The operators that work on numbers alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Plain {
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

/// A range that can be hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Limits {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// A queue type that can be hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct QueueType {
    element: Limits,
    length: usize,
    queue: HashedQueue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct HashedQueue(Queue);

impl std::hash::Hash for HashedQueue {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u32(self.0.length);
    }
}

impl From<Range> for Limits {
    fn from(range: Range) -> Self {
        Limits { low: range.low.into(), high: range.high.into() }
    }
}

impl Limits {
    pub(crate) const BOOL: Limits = Limits { low: 0, high: 1 };

    pub(crate) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) fn includes(self, other: Limits) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

impl QueueType {
    pub(crate) fn new(queue: Queue) -> Self {
        QueueType { element: queue.range.into(), length: queue.length as usize, queue: HashedQueue(queue) }
    }

    /// The elements, oldest first.
    fn elements(&self, value: i64) -> Vec<i64> {
        let found = self.queue.0.elements(value as i32).unwrap_or_default();
        found.into_iter().map(i64::from).collect()
    }

    /// The queue of these elements.
    fn value(&self, elements: &[i64]) -> i64 {
        elements.iter().fold(0, |queue, x| self.queue.0.push(queue, *x as i32).unwrap_or(queue)).into()
    }
}

/// The unary operator of the language.
pub(crate) fn unary(op: UnaryOp) -> Operator {
    match op {
        UnaryOp::Not => Operator::Not,
        UnaryOp::Negate => Operator::Negate,
    }
}

/// The operator on numbers; none for those of sets.
pub(crate) fn plain(op: BinaryOp) -> Option<Plain> {
    Some(match op {
        BinaryOp::Implies => Plain::Implies,
        BinaryOp::Or => Plain::Or,
        BinaryOp::And => Plain::And,
        BinaryOp::Equal => Plain::Equal,
        BinaryOp::NotEqual => Plain::NotEqual,
        BinaryOp::Less => Plain::Less,
        BinaryOp::LessEqual => Plain::LessEqual,
        BinaryOp::Greater => Plain::Greater,
        BinaryOp::GreaterEqual => Plain::GreaterEqual,
        BinaryOp::BitOr => Plain::BitOr,
        BinaryOp::BitXor => Plain::BitXor,
        BinaryOp::BitAnd => Plain::BitAnd,
        BinaryOp::ShiftLeft => Plain::ShiftLeft,
        BinaryOp::ShiftRight => Plain::ShiftRight,
        BinaryOp::Add => Plain::Add,
        BinaryOp::Subtract => Plain::Subtract,
        BinaryOp::Multiply => Plain::Multiply,
        BinaryOp::Divide => Plain::Divide,
        BinaryOp::Remainder => Plain::Remainder,
        BinaryOp::In | BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus => return None,
    })
}

/// The result on values. In a property (`is_strict` false) nothing is violated by `with` and `push`.
pub(crate) fn apply(op: &Operator, v: &[i64], types: &Types, is_strict: bool) -> Result<i64, Fault> {
    let bit = |limits: &Limits, x: i64| 1i64 << (x - limits.low);
    Ok(match op {
        Operator::Not => i64::from(v[0] == 0),
        Operator::Negate => v[0].checked_neg().ok_or(Fault::Range)?,
        Operator::Plain(op) => return number(*op, v[0], v[1]),
        Operator::InSet(limits) => i64::from(limits.contains(v[0]) && v[1] & bit(limits, v[0]) != 0),
        Operator::InQueue(queue) => i64::from(queue.elements(v[1]).contains(&v[0])),
        Operator::With(limits) if limits.contains(v[1]) => v[0] | bit(limits, v[1]),
        Operator::With(_) if is_strict => return Err(Fault::Range),
        Operator::Without(limits) if limits.contains(v[1]) => v[0] & !bit(limits, v[1]),
        Operator::With(_) | Operator::Without(_) => v[0],
        Operator::Union => v[0] | v[1],
        Operator::Minus => v[0] & !v[1],
        Operator::Part(word, part) => types.words[WordId(*word)].part(*part, v[0] as i32).into(),
        Operator::Build(word) => build(types, WordId(*word), v)?,
        Operator::Push(queue) => {
            let mut elements = queue.elements(v[0]);
            let fits = elements.len() < queue.length && queue.element.contains(v[1]);
            match fits {
                true => elements.push(v[1]),
                false if is_strict => return Err(Fault::Range),
                false => {}
            }
            queue.value(&elements)
        }
        Operator::Pop(queue) => queue.value(queue.elements(v[0]).get(1..).unwrap_or_default()),
        Operator::Top(queue) => *queue.elements(v[0]).first().ok_or(Fault::Range)?,
        Operator::SizeOfSet => v[0].count_ones().into(),
        Operator::SizeOfQueue(queue) => queue.elements(v[0]).len() as i64,
    })
}

fn build(types: &Types, word: WordId, parts: &[i64]) -> Result<i64, Fault> {
    let word = &types.words[word];
    let fits = word.fields.iter().zip(parts).all(|(field, part)| Limits::from(field.range).contains(*part));
    let parts: Vec<i32> = parts.iter().map(|part| *part as i32).collect();
    word.pack(&parts).filter(|_| fits).map(i64::from).ok_or(Fault::Range)
}

/// Exact arithmetic in 64 bits.
fn number(op: Plain, a: i64, b: i64) -> Result<i64, Fault> {
    let shift = || u32::try_from(b).map_err(|_| Fault::Range);
    let exact = match op {
        Plain::Implies => return Ok(i64::from(a == 0 || b != 0)),
        Plain::Or => return Ok(i64::from(a != 0 || b != 0)),
        Plain::And => return Ok(i64::from(a != 0 && b != 0)),
        Plain::Equal => return Ok(i64::from(a == b)),
        Plain::NotEqual => return Ok(i64::from(a != b)),
        Plain::Less => return Ok(i64::from(a < b)),
        Plain::LessEqual => return Ok(i64::from(a <= b)),
        Plain::Greater => return Ok(i64::from(a > b)),
        Plain::GreaterEqual => return Ok(i64::from(a >= b)),
        Plain::BitOr => Some(a | b),
        Plain::BitXor => Some(a ^ b),
        Plain::BitAnd => Some(a & b),
        Plain::ShiftLeft if b < 0 => None,
        Plain::ShiftLeft if a == 0 => Some(0),
        Plain::ShiftLeft => 2i64.checked_pow(shift()?).and_then(|power| a.checked_mul(power)),
        Plain::ShiftRight if b < 0 => None,
        Plain::ShiftRight => Some(a >> b.min(63)),
        Plain::Add => a.checked_add(b),
        Plain::Subtract => a.checked_sub(b),
        Plain::Multiply => a.checked_mul(b),
        Plain::Divide => a.checked_div(b),
        Plain::Remainder => a.checked_rem(b),
    };
    exact.ok_or(Fault::Range)
}
