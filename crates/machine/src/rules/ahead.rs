//! Decisions that are put off: which way a branch goes whose condition is to come, and whether a CAS in two succeeds.
//!
//! With this reduction a thread rests where such a decision is open, and takes it only together with a step behind it: a `Step` names
//! the state that the thread is taken to have issued its way to. States in which a decision is taken and nothing behind it was performed are
//! left out: they are the resting state, which has every step that they have. The argument is in `docs/internals/reductions.md`.

use crate::options::Bound;
use crate::rules::local::{Local, Mode, Part};
use crate::rules::moves::{Move, MoveFootprint};
use crate::rules::perform::Applied;
use crate::rules::{Rules, SettlePath, SettleStep, halves};
use automata::{Access, Action, Op, Value};
use std::sync::Arc;
use system::Reached;

/// One thing a thread may do next, with the decisions that it takes for that.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) a_move: Move,
    /// The thread after decisions that were open, if the move is behind them.
    pub(crate) ahead: Option<Arc<SettlePath>>,
}

impl From<Move> for Step {
    fn from(a_move: Move) -> Self {
        Step { a_move, ahead: None }
    }
}

impl Step {
    /// The thread that does the move, for one that rests at `local`.
    pub(crate) fn local<'l>(&'l self, local: &'l Local) -> &'l Local {
        self.ahead.as_ref().map_or(local, |path| &path.local)
    }
}

impl Rules<'_> {
    /// Whether open decisions are put off. Properties that speak of threads see where these are, so then they continue as far as they can.
    pub(crate) fn puts_off(&self) -> bool {
        let reductions = self.options.reductions;
        reductions.eager_closure && reductions.late_decisions && !self.code.is_seen
    }

    /// All steps of a thread that has settled: its moves, and those behind open decisions. And the bounds that kept it from further ones.
    pub(crate) fn steps(&self, local: &Local) -> (Vec<Step>, Vec<Bound>) {
        let mut steps: Vec<Step> = self.moves(local).into_iter().map(Step::from).collect();
        let mut bounds = Vec::new();
        let mut open: Vec<Arc<SettlePath>> = Vec::new();
        open.extend(self.is_open(local).then(|| Arc::new(SettlePath::of(local.clone()))));
        while let Some(path) = open.pop() {
            let n_before = path.local.queue.len();
            for decided in self.decided(&path, &mut bounds) {
                let is_behind = |a_move: &Move| a_move.entry().is_none_or(|index| index >= n_before);
                let moves = self.moves(&decided.local);
                let decided = Arc::new(decided);
                let step = |a_move| Step { a_move, ahead: Some(Arc::clone(&decided)) };
                steps.extend(moves.into_iter().filter(is_behind).map(step));
                open.push(decided);
            }
        }
        (steps, bounds)
    }

    /// As `move_footprint`, for a step of a thread that rests at `local`.
    pub(crate) fn step_footprint(&self, local: &Local, step: &Step) -> Option<MoveFootprint> {
        self.move_footprint(step.local(local), step.a_move)
    }

    /// As `performs_oldest`, for a step of a thread that rests at `local`.
    pub(crate) fn step_performs_oldest(&self, local: &Local, step: &Step) -> bool {
        self.performs_oldest(step.local(local), step.a_move)
    }

    /// As `apply`, for a step of a thread that rests at `local`.
    pub(crate) fn apply_step(&self, local: &Local, step: &Step, read: Value) -> Option<Applied> {
        match &step.ahead {
            None => self.apply(local, step.a_move, read),
            Some(path) => self.apply_after(path, step.a_move, read),
        }
    }

    /// Whether the thread rests behind a CAS of which it is open whether it succeeds.
    pub(crate) fn is_undecided(&self, local: &Local) -> bool {
        let Some((last, entry)) = local.queue.len().checked_sub(1).map(|last| (last, &local.queue[last])) else {
            return false;
        };
        let Action::Access(access) = self.code.action(entry.point) else { return false };
        entry.part == Part::Read && self.may_be_undecided(access) && halves::second(local, last).is_none()
    }

    /// Whether others may pass the first half of `access`, a CAS, before it is known what that finds.
    pub(crate) fn may_be_undecided(&self, access: &Access) -> bool {
        matches!(access.op, Op::Cas { .. }) && !self.queued(access).order.is_acquire()
    }

    /// Whether the thread rests at a decision that is open and that it may take.
    fn is_open(&self, local: &Local) -> bool {
        let may_guess = || match self.code.action(local.point) {
            Action::Branch { condition, .. } => self.may_guess(local) && self.value(local, condition).is_none(),
            _ => false,
        };
        self.puts_off() && local.mode == Mode::Running && (self.is_undecided(local) || may_guess())
    }

    /// The ways to continue past the decision at which `path` rests, up to the next; none if there is no decision.
    fn decided(&self, path: &SettlePath, bounds: &mut Vec<Bound>) -> Vec<SettlePath> {
        if !self.is_open(&path.local) {
            return Vec::new();
        }
        let mut path = SettlePath { bound_hit: None, ..path.clone() };
        let step = match self.code.action(path.local.point) {
            _ if self.is_undecided(&path.local) => SettleStep::Forked(self.assume(&path)),
            Action::Branch { then, otherwise, .. } => self.guess(&mut path, [(true, *then), (false, *otherwise)]),
            _ => SettleStep::Stalled,
        };
        let SettleStep::Forked(forks) = step else {
            bounds.extend(path.bound_hit);
            return Vec::new();
        };
        let paths: Vec<SettlePath> = forks.into_iter().flat_map(|fork| self.settle_from(fork).paths).collect();
        bounds.extend(paths.iter().filter_map(|path| path.bound_hit));
        paths
    }
}

impl SettlePath {
    /// A path that begins at `local`.
    pub(crate) fn of(local: Local) -> Self {
        SettlePath { local, reached: Reached::default(), events: Vec::new(), bound_hit: None, been: Vec::new() }
    }
}

impl Move {
    /// The entry of the queue that it performs.
    fn entry(self) -> Option<usize> {
        match self {
            Move::Perform(index, _) | Move::Forward(index, ..) | Move::FailConditional(index, _) => Some(index),
            _ => None,
        }
    }
}
