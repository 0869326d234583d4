//! When a region can run to its end: the weakest condition on the state before it.
//!
//! A region that meets a false `assume` is no step, so whether it ends well must be known before it is entered.

use crate::access;
use crate::model::Model;
use crate::refusal::{self, Refusal};
use crate::term::Term;
use crate::value;
use automata::{Access, Action, BinaryOp, CasResult, Expr, FetchOp, Op, PointId, RegId};
use std::collections::BTreeSet;

/// A condition larger than this is no help to a reader, nor to SPIN.
const MAX_SIZE: usize = 20_000;

/// More points than this in a row are a loop.
const MAX_DEPTH: usize = 2_000;

/// The conditions of one thread's regions.
pub(crate) struct Guard<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) thread: usize,
}

impl Guard<'_> {
    /// Whether the region comes to its end from `point`, a point inside it.
    pub(crate) fn completes(&self, point: PointId) -> Result<Term, Refusal> {
        if self.may_wait(point) { self.from(point, 0) } else { Ok(Term::TRUE) }
    }

    /// Whether an `assume` lies ahead in the region.
    fn may_wait(&self, point: PointId) -> bool {
        let automaton = self.model.threads[self.thread].automaton;
        let mut seen = BTreeSet::new();
        let mut open = vec![point];
        while let Some(point) = open.pop() {
            match automaton.points[point].action {
                Action::Assume(_) => return true,
                Action::Leave => {}
                _ if seen.insert(point) => open.extend(automaton.successors(point)),
                _ => {}
            }
        }
        false
    }

    fn from(&self, point: PointId, depth: usize) -> Result<Term, Refusal> {
        let thread = &self.model.threads[self.thread];
        let at = &thread.automaton.points[point];
        if depth > MAX_DEPTH {
            return Err(Refusal::new("a loop with an `assume` inside one region", at.span));
        }
        if !self.may_wait(point) {
            return Ok(Term::TRUE);
        }
        let mut register = |r: &RegId| thread.register(*r);
        let term = match &at.action {
            Action::Leave => Term::TRUE,
            Action::Assume(condition) => Term::of(condition, &mut register).and(self.from(at.next, depth + 1)?),
            Action::Assert { condition, .. } | Action::Discard(condition) => {
                Term::of(condition, &mut register).negated().or(self.from(at.next, depth + 1)?)
            }
            Action::Compute { dst, value } => {
                let (after, new) = (self.from(at.next, depth + 1)?, Term::of(value, &mut register));
                self.is_outside(*dst, refusal::values(thread.automaton, value), &new).or(self.with(&after, *dst, &new))
            }
            Action::Branch { condition, then, otherwise } => {
                let (then, otherwise) = (self.from(*then, depth + 1)?, self.from(*otherwise, depth + 1)?);
                Term::choice(Term::of(condition, &mut register), then, otherwise)
            }
            Action::Choose(ways) => {
                let ways = ways.iter().map(|way| self.from(*way, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                Term::any(ways)
            }
            Action::Access(access) => self.access(access, self.from(at.next, depth + 1)?),
            _ => self.from(at.next, depth + 1)?,
        };
        // Where a part has no value, the step violates `in_range`, and so it is one.
        let mut is_none = Term::FALSE;
        let mut look = |expr: &Expr| {
            let here = value::is_none(thread.automaton, expr, &mut register);
            is_none = std::mem::replace(&mut is_none, Term::FALSE).or(here);
        };
        at.action.exprs(&mut look);
        let term = is_none.or(term);
        if term.size() > MAX_SIZE {
            return Err(Refusal::new("a region whose condition to be entered is too large", at.span));
        }
        Ok(term)
    }

    /// Whether a register would get a value outside its range.
    fn is_outside(&self, register: RegId, values: Option<(i64, i64)>, value: &Term) -> Term {
        let domain = self.model.threads[self.thread].automaton.registers[register].domain;
        let fits = values.is_some_and(|(low, high)| i64::from(domain.low) <= low && high <= i64::from(domain.high));
        if fits { Term::FALSE } else { value.clone().outside(domain.low, domain.high) }
    }

    /// A condition before a register gets a value.
    fn with(&self, after: &Term, register: RegId, value: &Term) -> Term {
        let register = self.model.threads[self.thread].register(register);
        after.replace(&mut |leaf| if leaf == register { value.clone() } else { leaf })
    }

    /// The condition before an access. One that violates a property is a step.
    fn access(&self, access: &Access, after: Term) -> Term {
        let thread = &self.model.threads[self.thread];
        let mut register = |r: &RegId| thread.register(*r);
        let number = access::number(&access.address, &mut register);
        let is_nowhere = access::is_nowhere(&access.address, &mut register);
        let old = Term::cell(number.clone());
        let operand = |expr| Term::of(expr, &mut |r: &RegId| thread.register(*r));
        let (new, result) = match &access.op {
            Op::Load | Op::LoadLinked => (None, old),
            Op::Store(value) | Op::StoreConditional(value) => (Some(operand(value)), Term::TRUE),
            Op::Swap(value) => (Some(operand(value)), old),
            Op::Fetch(how, value) => (Some(combined(how, old.clone(), operand(value))), old),
            Op::Cas { expected, new, result } => {
                let succeeds = old.clone().equals(operand(expected));
                let new = Term::choice(succeeds.clone(), operand(new), old.clone());
                (Some(new), if *result == CasResult::Success { succeeds } else { old })
            }
        };
        let stored = match new {
            None => after,
            Some(new) => after.replace(&mut |leaf| match &leaf {
                Term::Cell(other) => Term::choice((**other).clone().equals(number.clone()), new.clone(), leaf),
                _ => leaf,
            }),
        };
        let before = match access.dst {
            Some(dst) => self.with(&stored, dst, &result),
            None => stored,
        };
        let is_outside = match &access.op {
            Op::Store(value) => {
                let cells = access::candidates(&access.address);
                let values = refusal::values(thread.automaton, value).unwrap_or((i64::MIN, i64::MAX));
                let term = Term::of(value, &mut register);
                access::is_out_of_range(self.model.automata, &cells, &number, &term, values)
            }
            _ => Term::FALSE,
        };
        is_nowhere.or(is_outside).or(before)
    }
}

/// What `fetch_..` stores.
pub(crate) fn combined(how: &FetchOp, old: Term, operand: Term) -> Term {
    let op = match how {
        FetchOp::Add => BinaryOp::Add,
        FetchOp::And => BinaryOp::BitAnd,
        FetchOp::Or => BinaryOp::BitOr,
        FetchOp::Next(_) => unreachable!("`refusal::check` refuses it"),
    };
    Term::binary(op, old, operand)
}
