//! What properties see: a state, in Kleene's logic (rules 5.3, 8.1, 8.3, 8.4).

use crate::code::AccessKind;
use crate::expressions::operator;
use crate::state::{Cell, Entry, Queued, State};
use crate::term::Content;
use crate::values::{Fault, Limits, apply};
use crate::world::World;
use base::table::Id;
use program::typed::{BinaryOp, Expr, ExprKind, GraphId, LocalId, Place, PlaceRoot, Quantifier, ThreadRef};
use program::types::{NULL, Type};

/// What a part of a property is in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    Value(i64),
    /// Computed from what is still to come.
    ToCome,
    /// It has no value.
    None(Fault),
}

/// The constants that quantifiers bind, by their locals.
pub(crate) type Bound = Vec<(LocalId, i64)>;

/// A thread as properties see it: at its oldest open guess, if there is one.
pub(crate) struct View<'s> {
    pub(crate) pc: usize,
    pub(crate) registers: &'s [Content],
    pub(crate) queue: &'s [Entry],
}

/// The view of a thread (rule 5.3).
pub(crate) fn view(state: &State, t: usize) -> View<'_> {
    let thread = &state.threads[t];
    let oldest = thread.queue.iter().enumerate().find_map(|(place, entry)| match entry {
        Entry::Guess(guess) => Some((place, guess)),
        _ => None,
    });
    match oldest {
        Some((place, guess)) => View { pc: guess.pc, registers: &guess.registers, queue: &thread.queue[..place] },
        None => View { pc: thread.pc, registers: &thread.registers, queue: &thread.queue },
    }
}

fn truth(value: bool) -> Seen {
    Seen::Value(value.into())
}

impl World<'_> {
    /// A part of a property in a state.
    pub(crate) fn see(&self, state: &State, bound: &Bound, types: &[Type], expr: &Expr) -> Seen {
        let see = |e: &Expr| self.see(state, bound, types, e);
        match &expr.kind {
            ExprKind::Const(value) => Seen::Value((*value).into()),
            ExprKind::Local(local) => {
                let value = bound.iter().rev().find(|(known, _)| known == local);
                value.map_or(Seen::None(Fault::Range), |(_, value)| Seen::Value(*value))
            }
            ExprKind::Load(place) => match self.seen_cell(state, bound, types, place) {
                Ok(Some(cell)) => Seen::Value(state.memory[cell]),
                Ok(None) => Seen::ToCome,
                Err(fault) => Seen::None(fault),
            },
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let left = if *op == BinaryOp::Implies { not(see(a)) } else { see(a) };
                let decisive = i64::from(*op != BinaryOp::And);
                match left {
                    Seen::None(_) => left,
                    Seen::Value(value) if value == decisive => left,
                    Seen::Value(_) => see(b),
                    // Whether the right side is evaluated is to come too.
                    Seen::ToCome => match see(b) {
                        Seen::Value(value) if value == decisive => Seen::Value(value),
                        _ => Seen::ToCome,
                    },
                }
            }
            ExprKind::Quantified(quantifier, local, body) => {
                let limits = Limits::from(self.program.types.range(types[local.index()]));
                let mut bound = bound.clone();
                let turns = (limits.low..=limits.high).map(|value| {
                    bound.push((*local, value));
                    let seen = self.see(state, &bound, types, body);
                    bound.pop();
                    seen
                });
                decide(i64::from(*quantifier == Quantifier::Exists), turns)
            }
            ExprKind::Register(thread, local) => self.of_thread(state, bound, types, thread, |t| {
                let register = self.code[t].locals[local.index()];
                match register.map(|register| view(state, t).registers[register]) {
                    Some(Content::Known(value)) => Seen::Value(value),
                    _ => Seen::ToCome,
                }
            }),
            ExprKind::At(thread, patterns) => self.of_thread(state, bound, types, thread, |t| {
                let labels = &self.code[t].labels[view(state, t).pc];
                truth(labels.iter().any(|label| patterns.iter().any(|pattern| pattern.matches(label))))
            }),
            ExprKind::Ended(thread) => {
                self.of_thread(state, bound, types, thread, |t| truth(self.has_ended(t, view(state, t).pc)))
            }
            ExprKind::Performed(thread) => {
                self.of_thread(state, bound, types, thread, |t| truth(is_performed(state, t)))
            }
            ExprKind::LockedBy(thread) => self.of_thread(state, bound, types, thread, |t| truth(state.bus == Some(t))),
            ExprKind::Quiescent => truth(self.is_quiescent(state)),
            ExprKind::Pending(thread, place, value) => {
                let wanted = value.as_ref().map(|value| see(value));
                match wanted {
                    Some(Seen::Value(_)) | None => {}
                    Some(other) => return other,
                }
                let of = |t| match self.seen_cell(state, bound, types, place) {
                    Ok(None) => Seen::ToCome,
                    Err(fault) => Seen::None(fault),
                    Ok(Some(cell)) => {
                        let values = self.pending(state, t, cell);
                        match wanted {
                            Some(Seen::Value(wanted)) => truth(values.contains(&wanted)),
                            _ => Seen::Value(values.len() as i64),
                        }
                    }
                };
                self.of_thread(state, bound, types, thread, of)
            }
            ExprKind::Oldest(thread, place) => {
                self.of_thread(state, bound, types, thread, |t| match self.seen_cell(state, bound, types, place) {
                    Ok(None) => Seen::ToCome,
                    Err(fault) => Seen::None(fault),
                    Ok(Some(cell)) => {
                        let oldest = self.pending(state, t, cell).first().copied();
                        Seen::Value(oldest.unwrap_or(state.memory[cell]))
                    }
                })
            }
            ExprKind::Reaches(graph, a, b) => match (see(a), see(b)) {
                (Seen::Value(a), Seen::Value(b)) => self.reaches(state, *graph, a, b),
                (Seen::Value(_), other) | (other, _) => other,
            },
            _ => {
                let operands = expr.operands().into_iter().map(see);
                let mut values = Vec::new();
                let mut missing = None;
                for operand in operands {
                    match (operand, missing) {
                        (Seen::Value(value), _) => values.push(value),
                        (Seen::None(fault), None | Some(Seen::ToCome)) => missing = Some(Seen::None(fault)),
                        (Seen::ToCome, None) => missing = Some(Seen::ToCome),
                        _ => {}
                    }
                }
                match (missing, operator(&self.program.types, expr)) {
                    (Some(missing), _) => missing,
                    (None, None) => Seen::None(Fault::Range),
                    (None, Some(op)) => match apply(&op, &values, &self.program.types, false) {
                        Ok(value) => Seen::Value(value),
                        Err(fault) => Seen::None(fault),
                    },
                }
            }
        }
    }

    /// The number of a thread that a property names.
    fn of_thread(
        &self,
        state: &State,
        bound: &Bound,
        types: &[Type],
        thread: &ThreadRef,
        of: impl FnOnce(usize) -> Seen,
    ) -> Seen {
        let copy = match thread.index.as_ref().map(|index| self.see(state, bound, types, index)) {
            None => 0,
            Some(Seen::Value(copy)) => copy,
            Some(other) => return other,
        };
        let count = |id: program::typed::ThreadId| i64::from(self.program.threads[id].count.unwrap_or(1));
        if !(0..count(thread.thread)).contains(&copy) {
            return Seen::None(Fault::Reference);
        }
        let before: i64 = self.program.threads.ids().take(thread.thread.index()).map(count).sum();
        of((before + copy) as usize)
    }

    /// The cell of a place in a property.
    fn seen_cell(&self, state: &State, bound: &Bound, types: &[Type], place: &Place) -> Result<Option<usize>, Fault> {
        let see = |e: &Expr| match self.see(state, bound, types, e) {
            Seen::Value(value) => Ok(Some(value)),
            Seen::ToCome => Ok(None),
            Seen::None(fault) => Err(fault),
        };
        let mut cell = match &place.root {
            PlaceRoot::Shared(id) => self.layout.shared(*id) as i64,
            PlaceRoot::Field(object, id, field) => {
                let ty = &self.program.types.objects[*id];
                let Some(object) = see(object)? else { return Ok(None) };
                if !(0..ty.instances.len() as i64).contains(&object) {
                    return Err(Fault::Reference);
                }
                self.layout.field(self.program, *id, *field) as i64 + object * ty.size as i64
            }
        };
        if let Some(index) = &place.index {
            let Some(index) = see(index).map_err(|_| Fault::Reference)? else { return Ok(None) };
            let limits = Limits::from(place.index_range);
            if !limits.contains(index) {
                return Err(Fault::Reference);
            }
            cell += index - limits.low;
        }
        Ok(Some(cell as usize))
    }

    /// The values of a thread's pending stores to a cell, oldest first.
    fn pending(&self, state: &State, t: usize, cell: usize) -> Vec<i64> {
        let is_store = |queued: &&Queued| queued.kind == AccessKind::Store && queued.cell == Cell::Known(cell);
        let accesses = view(state, t).queue.iter().filter_map(Entry::access);
        accesses.filter(is_store).filter_map(|queued| queued.operand(0)).collect()
    }

    pub(crate) fn is_quiescent(&self, state: &State) -> bool {
        let is_done = |t: usize| {
            let view = view(state, t);
            self.has_ended(t, view.pc) && view.queue.is_empty() && state.threads[t].failed.is_none()
        };
        (0..state.threads.len()).all(is_done)
    }

    /// Whether a path goes from one object to another.
    fn reaches(&self, state: &State, graph: GraphId, from: i64, to: i64) -> Seen {
        if from == i64::from(NULL) || to == i64::from(NULL) {
            return truth(false);
        }
        let through = |accepts: &dyn Fn(Seen) -> bool| self.walks(state, graph, from, to, accepts);
        if through(&|seen| seen == Seen::Value(1)) {
            return truth(true);
        }
        if through(&|seen| matches!(seen, Seen::Value(1) | Seen::ToCome)) {
            return Seen::ToCome;
        }
        let has_none = through(&|seen| seen != Seen::Value(0));
        if has_none { Seen::None(Fault::Reference) } else { truth(false) }
    }

    fn walks(&self, state: &State, graph: GraphId, from: i64, to: i64, accepts: &dyn Fn(Seen) -> bool) -> bool {
        let graph = &self.program.graphs[graph];
        let object = &self.program.types.objects[graph.object];
        let types: Vec<Type> = graph.locals.values().map(|local| local.ty).collect();
        let may_step = |next: i64| match &graph.condition {
            None => true,
            Some(condition) => accepts(self.see(state, &vec![(LocalId::new(0), next)], &types, condition)),
        };
        let (mut reached, mut work) = (vec![from], vec![from]);
        while let Some(at) = work.pop() {
            if at == to {
                return true;
            }
            for (i, field) in object.fields.iter().enumerate() {
                if !matches!(field.ty, Type::Ref { object, .. } if object == graph.object) {
                    continue;
                }
                let count = field.index.map_or(1, |index| self.program.types.range(index).count() as usize);
                let first = self.layout.field(self.program, graph.object, i) + at as usize * object.size;
                for next in &state.memory[first..first + count] {
                    if *next >= 0 && !reached.contains(next) && may_step(*next) {
                        reached.push(*next);
                        work.push(*next);
                    }
                }
            }
        }
        false
    }
}

fn is_performed(state: &State, t: usize) -> bool {
    view(state, t).queue.iter().all(|entry| entry.access().is_none())
}

fn not(seen: Seen) -> Seen {
    match seen {
        Seen::Value(value) => truth(value == 0),
        other => other,
    }
}

/// `all` (0 decides) or `exists` (1 decides): every element is evaluated.
fn decide(decisive: i64, parts: impl Iterator<Item = Seen>) -> Seen {
    let mut result = Seen::Value(1 - decisive);
    for part in parts {
        match (part, result) {
            (_, Seen::None(_)) => {}
            (Seen::None(_), _) => result = part,
            (Seen::Value(value), _) if value == decisive => result = part,
            (Seen::ToCome, Seen::Value(value)) if value != decisive => result = part,
            _ => {}
        }
    }
    result
}
