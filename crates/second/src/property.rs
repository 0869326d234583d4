//! What properties see: a state, in Kleene's logic (rules 5.3, 8.1, 8.3, 8.4).

use crate::certificate::cells::Look;
use crate::code::Code;
use crate::state::{Cell, Entry, State, Thread};
use crate::values::{Operator, Registers, Value, Violation, logic};
use crate::world::World;
use program::named::{Bound, Locals};
use program::typed::{BinaryOp, Expr, ExprKind, Graph, GraphId, LocalId, Place, Quantifier, ThreadRef, UnaryOp};
use program::types::{NULL, Type};
/// A state as a property sees it.
pub(crate) struct View<'a> {
    pub(crate) world: &'a World<'a>,
    pub(crate) state: &'a State,
    pub(crate) locals: &'a Locals,
    pub(crate) bound: Bound,
}

/// A thread as properties see it: its point, registers and queue, at its oldest open guess if there is one (rule 5.3).
fn seen(thread: &Thread) -> (usize, &Registers, &[Entry]) {
    match thread.guesses().next() {
        Some((place, guess)) => (guess.pc, &guess.registers, &thread.queue[..place]),
        None => (thread.pc, &thread.registers, &thread.queue),
    }
}

fn truth(value: bool) -> Value {
    Ok(Some(value.into()))
}

impl World<'_> {
    pub(crate) fn view<'a>(&'a self, state: &'a State, locals: &'a Locals) -> View<'a> {
        View { world: self, state, locals, bound: Vec::new() }
    }

    /// What an expression says that is about nothing but a thread.
    pub(crate) fn says(&self, expr: &Expr, thread: &Thread) -> Value {
        let (pc, registers, queue) = seen(thread);
        let code = &self.code[thread.id];
        match &expr.kind {
            ExprKind::Register(_, local) => code.locals[local.0 as usize].eval(&self.program.types, registers),
            ExprKind::At(_, patterns) => {
                let is_at = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
                truth(code.points[pc].labels.iter().any(is_at))
            }
            ExprKind::Ended(_) => truth(self.has_ended(thread.id, pc)),
            _ => truth(queue.iter().all(|entry| entry.access().is_none())),
        }
    }

    pub(crate) fn is_quiescent(&self, state: &State) -> bool {
        state.threads.iter().all(|thread| {
            state.memory.note(Look::Thread(thread.id));
            let (pc, _, queue) = seen(thread);
            self.has_ended(thread.id, pc) && queue.is_empty() && thread.failed.is_none()
        })
    }
}

impl View<'_> {
    pub(crate) fn see(&self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Some((*value).into())),
            ExprKind::Local(local) => {
                let bound = self.bound.iter().rev().find(|(known, _)| known == local);
                bound.map(|(_, value)| Some(*value)).ok_or(Violation::InRange)
            }
            ExprKind::Load(place) => self.at(place, |cell| self.state.memory[cell]),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let (wanted, otherwise) = logic(*op);
                match self.see(a)? {
                    Some(left) if (left != 0) == wanted => self.see(b),
                    Some(_) => Ok(Some(otherwise)),
                    // Whether the right side is evaluated is to come too.
                    None => Ok(self.see(b).ok().flatten().filter(|right| *right == otherwise)),
                }
            }
            ExprKind::Quantified(quantifier, local, body) => {
                let decisive = i64::from(*quantifier == Quantifier::Exists);
                let turn = |bound| View { bound, ..*self }.see(body);
                let turns = self.each(*local).into_iter().map(turn).collect::<Result<Vec<_>, _>>()?;
                Ok(match turns.contains(&Some(decisive)) {
                    true => Some(decisive),
                    false if turns.contains(&None) => None,
                    false => Some(1 - decisive),
                })
            }
            ExprKind::Register(thread, _)
            | ExprKind::At(thread, _)
            | ExprKind::Ended(thread)
            | ExprKind::Performed(thread) => self.of_thread(thread, |t| {
                self.state.memory.note(Look::Said(t));
                self.world.says(expr, &self.state.threads[t])
            }),
            ExprKind::LockedBy(thread) => self.of_thread(thread, |t| {
                self.state.memory.note(Look::Bus);
                truth(self.state.bus == Some(t))
            }),
            ExprKind::Quiescent => truth(self.world.is_quiescent(self.state)),
            ExprKind::Pending(thread, place, value, nth) => {
                let wanted = value.as_ref().map(|value| self.see(value)).transpose()?;
                self.of_thread(thread, |t| match wanted {
                    None => self.at(place, |cell| self.pending(t, cell, None).len() as i64),
                    Some(None) => Ok(None),
                    Some(Some(wanted)) => self.at(place, |cell| self.pending(t, cell, *nth).contains(&wanted).into()),
                })
            }
            ExprKind::Oldest(thread, place) => self.of_thread(thread, |t| {
                self.at(place, |cell| *self.pending(t, cell, None).first().unwrap_or(&self.state.memory[cell]))
            }),
            ExprKind::Reaches(graph, a, b) => {
                let Some(from) = self.see(a)? else { return Ok(None) };
                let Some(to) = self.see(b)? else { return Ok(None) };
                self.reaches(*graph, from, to)
            }
            _ => {
                let operands = expr.operands().into_iter().map(|operand| self.see(operand));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                let op = Operator::of(expr).ok_or(Violation::InRange)?;
                if op.is_lost(&operands, &self.world.program.types) {
                    return Err(Violation::InRange);
                }
                let is_whole =
                    op == Operator::Unary(UnaryOp::Not) || expr.operands().iter().all(|it| self.is_whole(it));
                let values = operands.into_iter().collect::<Option<Vec<i64>>>();
                let Some(values) = values.filter(|_| is_whole) else { return Ok(None) };
                op.apply(&values, &self.world.program.types, true).map(Some)
            }
        }
    }

    /// Whether nothing of it is to come, also where the rest decides it.
    fn is_whole(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Quantified(_, local, body) => {
                self.each(*local).into_iter().all(|bound| View { bound, ..*self }.is_whole(body))
            }
            ExprKind::Binary(..) | ExprKind::Unary(..) => expr.operands().iter().all(|operand| self.is_whole(operand)),
            _ => self.see(expr) != Ok(None),
        }
    }

    /// What is bound in each turn of a quantifier.
    pub(crate) fn each(&self, local: LocalId) -> Vec<Bound> {
        let values = self.world.program.types.range(self.locals[local].ty).values();
        values.map(|value| self.bound.iter().copied().chain([(local, value.into())]).collect()).collect()
    }

    /// What is true of the thread that is named.
    fn of_thread(&self, thread: &ThreadRef, of: impl FnOnce(usize) -> Value) -> Value {
        let copy = thread.index.as_ref().map(|index| self.see(index)).transpose()?;
        let Some(copy) = copy.unwrap_or(Some(0)) else { return Ok(None) };
        let is_meant = |code: &Code| code.thread == thread.thread && code.copy == copy;
        of(self.world.code.iter().position(is_meant).ok_or(Violation::ValidReference)?)
    }

    /// What is true of the cell at a place.
    fn at(&self, place: &Place, of: impl FnOnce(usize) -> i64) -> Value {
        let address = self.world.layout.address(self.world.program, place);
        let cell = address.locate(place.operands().into_iter().map(|operand| self.see(operand)))?;
        Ok(cell.map(|cell| of(cell as usize)))
    }

    /// The values of a thread's pending stores to a cell, oldest first; with a number, of the store of that number only.
    fn pending(&self, t: usize, cell: usize, nth: Option<u8>) -> Vec<i64> {
        let thread = &self.state.threads[t];
        self.state.memory.note(Look::Thread(t));
        let stores = seen(thread).2.iter().filter_map(Entry::access).filter_map(|it| {
            let (&Cell::Known(to), access) = (&it.cell, self.world.access(thread, it)) else { return None };
            let value = *self.world.eval_all(&it.operands, thread).ok()??.first()?;
            (access.is_store() && access.cell.contains(value)).then_some((to, value))
        });
        let meant = stores.enumerate().filter(|(n, (to, _))| *to == cell && nth.is_none_or(|nth| *n == nth.into()));
        meant.map(|(_, (_, value))| value).collect()
    }

    /// Whether a path goes from one object to another; the predicate is evaluated for every object.
    fn reaches(&self, graph: GraphId, from: i64, to: i64) -> Value {
        let graph = &self.world.program.graphs[graph];
        let ends = self.world.program.types.objects[graph.object].instances.len() as i64;
        let satisfies = |next: i64| match &graph.condition {
            None => truth(true),
            Some(it) => View { locals: &graph.locals, bound: vec![(LocalId(0), next)], ..*self }.see(it),
        };
        let open = (0..ends).map(satisfies).collect::<Result<Vec<_>, _>>()?;
        if from == i64::from(NULL) || to == i64::from(NULL) {
            return truth(false);
        }
        let through =
            |accepts: &dyn Fn(Option<i64>) -> bool| self.walks(graph, from, |next| accepts(open[next as usize]));
        Ok(match through(&|seen| seen == Some(1)).contains(&to) {
            true => Some(1),
            false => (!through(&|seen| seen != Some(0)).contains(&to)).then_some(0),
        })
    }

    /// All that is reached by steps to objects that may be stepped to.
    fn walks(&self, graph: &Graph, from: i64, may_step: impl Fn(i64) -> bool) -> Vec<i64> {
        let types = &self.world.program.types;
        let mut reached = vec![from];
        let mut at = 0;
        while at < reached.len() {
            let fields = types.objects[graph.object].fields.iter().enumerate();
            let is_edge = |ty: Type| matches!(ty, Type::Ref { object, .. } if object == graph.object);
            for (i, _) in fields.filter(|(_, field)| is_edge(field.ty)) {
                let cells = self.world.layout.field(self.world.program, graph.object, reached[at] as usize, i);
                for next in &self.state.memory[cells] {
                    if *next >= 0 && !reached.contains(next) && may_step(*next) {
                        reached.push(*next);
                    }
                }
            }
            at += 1;
        }
        reached
    }
}
