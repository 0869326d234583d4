//! Names for what conditions speak of: threads, registers, places; and what the acting thread's place decides.

use super::kept::Held;
use super::transfer::{Bound, Transfer};
use automata::RegId;
use base::table::Id;
use program::typed::{BinaryOp, Expr, ExprKind, LocalId, ThreadRef, UnaryOp};
use program::types::Type;

/// Which thread.
pub(crate) enum Who {
    Acting,
    One(String),
    Each,
}

type Result<T> = std::result::Result<T, String>;

impl Transfer<'_> {
    /// A name for what an expression gives; there is none if it is another for each of several elements.
    pub(crate) fn term(&self, expr: &Expr) -> Result<String> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => value.to_string(),
            ExprKind::Local(local) => match self.bound.get(local) {
                Some(Bound::One(name)) => name.clone(),
                Some(Bound::Acting) => "the acting thread".into(),
                Some(Bound::Number(value)) => value.to_string(),
                _ => {
                    return Err(
                        "what each of the elements has (`all`) is needed: a field, a register or a witness".into()
                    );
                }
            },
            ExprKind::Load(place) | ExprKind::Oldest(_, place) => {
                let family = self.sorts.family(&place.root);
                let when = if self.moment.written.contains(&family) { " after" } else { "" };
                let whose = match &expr.kind {
                    ExprKind::Oldest(thread, _) => format!("pending {}", self.who(thread)?),
                    _ => String::new(),
                };
                let parts: Result<Vec<String>> = place.operands().into_iter().map(|part| self.term(part)).collect();
                format!("{whose}{family}[{}]{when}", parts?.join(","))
            }
            ExprKind::Register(thread, local) => match self.thread(thread)? {
                Who::Acting => match self.moment.registers.get(&self.register(thread, *local)?) {
                    Some(Held::Element(name) | Held::Other(name)) => name.clone(),
                    Some(Held::Null) => "null".into(),
                    None => return Err("a register whose value is not followed".into()),
                },
                _ => format!("{}.{}", self.who(thread)?, local),
            },
            ExprKind::Top(queue) => format!("top of {}", self.term(queue)?),
            ExprKind::Binary(op, left, right) => format!("({} {op:?} {})", self.term(left)?, self.term(right)?),
            _ => return Err("a witness of what is computed".into()),
        })
    }

    pub(crate) fn register(&self, thread: &ThreadRef, local: LocalId) -> Result<RegId> {
        let observed = &self.sorts.program.threads[thread.thread].observed;
        observed.iter().position(|l| *l == local).map(RegId::new).ok_or_else(|| "a register that is not there".into())
    }

    pub(crate) fn who(&self, thread: &ThreadRef) -> Result<String> {
        match self.thread(thread)? {
            Who::Acting => Ok("the acting thread".into()),
            Who::One(name) => Ok(name),
            Who::Each => Err("what each of the threads has (`all`) is needed".into()),
        }
    }

    pub(crate) fn thread(&self, thread: &ThreadRef) -> Result<Who> {
        let Some(index) = &thread.index else {
            let is_acting = thread.thread == self.moment.acting;
            return Ok(if is_acting { Who::Acting } else { Who::One(format!("{:?}", thread.thread)) });
        };
        match &index.kind {
            ExprKind::Local(local) => match self.bound.get(local) {
                Some(Bound::Acting) => Ok(Who::Acting),
                Some(Bound::One(name)) => Ok(Who::One(name.clone())),
                Some(Bound::Each) => Ok(Who::Each),
                _ => Err("a thread by its number".into()),
            },
            _ => Err("a thread by its number".into()),
        }
    }

    /// The truth of a condition, as far as the acting thread's place decides it.
    pub(crate) fn known(&self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Const(value) if expr.ty == Type::Bool => Some(*value != 0),
            ExprKind::At(thread, patterns) => match self.thread(thread) {
                Ok(Who::Acting) => {
                    let labels = &self.moment.automaton.points[self.moment.point?].labels;
                    Some(labels.iter().any(|label| patterns.iter().any(|pattern| pattern.matches(label))))
                }
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Not, operand) => self.known(operand).map(|known| !known),
            ExprKind::Binary(op, left, right) => self.known_of_both(*op, left, right),
            _ => None,
        }
    }

    fn known_of_both(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<bool> {
        let known = |expr| self.known(expr);
        match op {
            BinaryOp::And => match (known(left), known(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => left.and(right),
            },
            BinaryOp::Or => match (known(left), known(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(left), Some(right)) => Some(left || right),
                _ => None,
            },
            BinaryOp::Implies => match (known(left), known(right)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), right) => right,
                _ => None,
            },
            _ => None,
        }
    }
}
