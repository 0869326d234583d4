//! Locations that a thread has passed unseen, and that a property asks something of.
//!
//! The eager closure goes through local steps at once. In between, other threads could have stepped, and memory could have
//! performed what the thread had issued by then: both commute with the local steps. So a location that was passed is judged
//! in every state until something happens that cannot have happened before it was passed: the thread continues from a stall, has
//! an operation performed that it issued later, or is found parked by a stopped world. What properties say there of registers and
//! of pending operations is judged on a
//! *snapshot*; the snapshots of a thread state are its *trail*.

use crate::properties::by_point::PointResidual;
use crate::properties::specialise::{Binding, is_true, specialise};
use crate::properties::view::View;
use crate::rules::local::{Local, Mode, Operand};
use crate::rules::{Rules, SettlePath, SettleStep};
use automata::{PointId, RegId, StateExpr, StateLeaf};
use base::Table;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// A thread as it was when it passed a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Snapshot {
    /// The location.
    pub point: PointId,
    /// The registers that properties look at there, in the order of `Passing`.
    pub registers: Vec<Operand>,
    /// How many of the queue's entries had been issued, the oldest ones.
    pub issued: u8,
}

/// What properties ask of a thread that passes a point.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// The registers that matter.
    pub(crate) registers: Vec<RegId>,
}

/// For each point that a property names and at which one that names a label asks something, what that takes (semantics 8.2).
pub(crate) fn passing(
    named: &Table<PointId, bool>,
    residuals: &Table<PointId, Vec<PointResidual>>,
    observed: &Table<PointId, Vec<RegId>>,
) -> Table<PointId, Option<Passing>> {
    let of_point = |(point, residuals): (PointId, &Vec<PointResidual>)| {
        let is_needed = named[point] && residuals.iter().any(|residual| residual.is_located);
        is_needed.then(|| Passing { registers: observed[point].clone() })
    };
    residuals.iter().map(of_point).collect()
}

/// A location, and the registers that a snapshot there keeps.
type Place = (PointId, Vec<Operand>);
/// A thread, what is left of a conjunct, and the registers that it speaks of.
type Asking = (usize, StateExpr, Vec<Operand>);

/// What is left of conjuncts at locations that are passed, numbered: equal numbers ask the same.
#[derive(Default)]
pub(crate) struct Questions {
    by_place: Mutex<FxHashMap<Place, Arc<[Question]>>>,
    numbers: Mutex<FxHashMap<Asking, u32>>,
}

/// What is left of a conjunct.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Question {
    number: u32,
    /// Whether it asks for more of the thread than location and registers.
    asks_more: bool,
}

impl Rules<'_> {
    /// Issues the action at the thread's point; if the thread continues, what a property asks there is kept.
    pub(crate) fn issue_and_remember(&self, path: &mut SettlePath) -> SettleStep {
        let point = path.local.point;
        if self.code.is_guard[point]
            && self.options.reductions.eager_closure
            && let Err(at) = path.local.unconfirmed.binary_search(&point)
        {
            path.local.unconfirmed.insert(at, point);
        }
        let Some(snapshot) = self.snapshot(&path.local) else { return self.issue(path) };
        let before = path.local.trail.clone();
        path.local.remember(snapshot);
        let progress = self.issue(path);
        if matches!(progress, SettleStep::Stalled) && path.local.mode == Mode::Running {
            path.local.trail = before;
        }
        progress
    }

    /// The thread as it is, if properties ask something here that is not true already.
    fn snapshot(&self, local: &Local) -> Option<Snapshot> {
        if !self.options.reductions.eager_closure {
            return None;
        }
        let passing = self.code.passing[local.point].as_ref()?;
        let registers: Vec<Operand> = passing.registers.iter().map(|r| local.register(*r)).collect();
        let asks = !self.questions(local.point, &registers).is_empty();
        asks.then_some(Snapshot { point: local.point, registers, issued: local.queue.len() as u8 })
    }

    /// The questions about a thread at a point that may be passed, with these values of the registers that matter.
    fn questions(&self, point: PointId, registers: &[Operand]) -> Arc<[Question]> {
        let key = (point, registers.to_vec());
        let mut by_place = self.code.questions.by_place.lock().unwrap_or_else(|e| e.into_inner());
        let located = || self.code.residuals[point].iter().filter(|residual| residual.is_located);
        let found = |_: &_| located().filter_map(|residual| self.question(residual, registers)).collect();
        by_place.entry(key).or_insert_with_key(found).clone()
    }

    /// What is left of a conjunct, given the values of registers, if it is not true already.
    fn question(&self, residual: &PointResidual, registers: &[Operand]) -> Option<Question> {
        let named = &self.passing(residual.point).registers;
        let operand = |register: &RegId| registers[named.iter().position(|r| r == register).expect("it matters here")];
        let rest = specialise(&residual.rest.condition, &|leaf| match leaf {
            StateLeaf::Register(of, register) if *of == residual.thread => match operand(register) {
                Operand::Value(value) => Binding::value(Some(value)),
                Operand::Entry(_) => Binding::Open,
            },
            _ => Binding::Open,
        });
        if is_true(&rest) {
            return None;
        }
        let (mut open, mut asks_more) = (Vec::new(), false);
        self.automata.leaves(&rest, &mut |leaf| match leaf {
            StateLeaf::Register(of, register) if *of == residual.thread => open.push(operand(register)),
            leaf => asks_more |= leaf.thread() == Some(residual.thread),
        });
        let mut numbers = self.code.questions.numbers.lock().unwrap_or_else(|e| e.into_inner());
        let next = numbers.len() as u32;
        let number = *numbers.entry((residual.index, rest, open)).or_insert(next);
        Some(Question { number, asks_more })
    }

    /// Leaves out snapshots all of whose questions other ones have too, or the thread as it is, and for as long.
    pub(crate) fn shorten_trail(&self, local: &mut Local) {
        if local.trail.is_empty() {
            return;
        }
        // Those with more issued last longer, so the others are tried first.
        let mut trail = std::mem::take(&mut local.trail);
        trail.sort_by_key(|snapshot| snapshot.issued);
        let now = self.questions_now(local);
        let mut at = 0;
        while let Some(snapshot) = trail.get(at) {
            let others = trail.iter().enumerate().filter(|(i, other)| *i != at && other.issued >= snapshot.issued);
            let others: Vec<_> = others.map(|(_, s)| (s.issued, self.questions(s.point, &s.registers))).collect();
            let is_needed = |question: &Question| {
                let asks = |(issued, questions): &(u8, Arc<[Question]>)| {
                    questions.contains(question) && (!question.asks_more || *issued == snapshot.issued)
                };
                others.iter().chain(&now).any(asks)
            };
            if self.questions(snapshot.point, &snapshot.registers).iter().all(is_needed) {
                trail.remove(at);
            } else {
                at += 1;
            }
        }
        trail.sort();
        local.trail = trail;
    }

    /// The questions about the thread as it is, if that will be remembered when it continues.
    fn questions_now(&self, local: &Local) -> Option<(u8, Arc<[Question]>)> {
        let passing = self.code.passing[local.point].as_ref().filter(|_| !matches!(local.mode, Mode::Failed(_)))?;
        let registers: Vec<Operand> = passing.registers.iter().map(|r| local.register(*r)).collect();
        let questions = self.questions(local.point, &registers);
        // What has ended, or loops, is no longer as it was when it passed.
        let issued = if local.mode == Mode::Running { local.queue.len() as u8 } else { u8::MAX };
        (!questions.is_empty()).then_some((issued, questions))
    }

    fn passing(&self, point: PointId) -> &Passing {
        self.code.passing[point].as_ref().expect("a snapshot is taken only where something is residual")
    }

    /// The thread as properties may see it: as it is, then as it was at the locations that it has passed.
    pub(crate) fn views<'a>(&'a self, local: &'a Local) -> impl Iterator<Item = View<'a>> + Clone {
        let n_visible = local.oldest_guess().unwrap_or(local.queue.len());
        let all = local.trail.iter().enumerate();
        let visible = all.filter(move |(_, snapshot)| usize::from(snapshot.issued) <= n_visible);
        let passed = visible.map(|(position, snapshot)| View {
            mode: Mode::Running,
            point: snapshot.point,
            registers: &snapshot.registers,
            named: Some(&self.passing(snapshot.point).registers),
            queue: &local.queue[..usize::from(snapshot.issued)],
            passed: Some(position),
        });
        std::iter::once(self.view(local)).chain(passed)
    }
}

impl Local {
    fn remember(&mut self, snapshot: Snapshot) {
        if let Err(at) = self.trail.binary_search(&snapshot) {
            self.trail.insert(at, snapshot);
        }
    }

    /// The entry at `index` is performed: what was passed before it was issued is past.
    pub(crate) fn forget_before(&mut self, index: usize) {
        self.trail.retain(|snapshot| index < usize::from(snapshot.issued));
    }
}

impl Snapshot {
    /// Some of what it waits for has come.
    pub(crate) fn give(&mut self, given: impl Fn(&mut Operand)) {
        self.registers.iter_mut().for_each(given);
    }

    /// The queue's entry at `index` leaves.
    pub(crate) fn remove(&mut self, index: usize, settle: impl Fn(&mut Operand)) {
        if index < usize::from(self.issued) {
            self.issued -= 1;
            self.registers.iter_mut().for_each(settle);
        }
    }
}
