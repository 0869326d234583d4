//! Issuing and retiring until a thread stalls.
//!
//! Settling touches no shared state, so it commutes with all other threads: that is why a step may end
//! with it (the eager closure). Choices and guesses make it branch; each branch is an outcome.

use crate::rules::local::{Local, Mode, Operand};
use crate::rules::turned::{BEGINNING, Meeting, Turned};
use crate::rules::{Event, Rules, SettlePath, SettleStep, Settled};
use automata::PointId;
use rustc_hash::FxHashSet;
use system::Pace;

impl Rules<'_> {
    /// Issues and retires until the thread stalls (or, without the eager closure, until its region ends).
    pub(crate) fn settle(&self, local: Local, events: Vec<Event>) -> Settled {
        self.settle_from(SettlePath { events, ..SettlePath::of(local) })
    }

    /// As `settle`, continuing with what has been gathered on the way.
    pub(crate) fn settle_from(&self, path: SettlePath) -> Settled {
        let mut settling = Settling::default();
        let mut first = Some((path, BEGINNING));
        let mut pace = self.options.budget.pace();
        while let Some((path, since)) = first.take().or_else(|| settling.paths.pop()) {
            if !self.follow(path, since, &mut settling, &mut pace) {
                // To give back millions of thread states one by one takes longer than the command may.
                std::mem::forget(settling.turned);
                return settling.settled;
            }
        }
        let Settling { turned, mut spinning, mut settled, .. } = settling;
        if !self.code.sees_circling && !spinning.is_empty() {
            // Where a way out is known, there is nothing more to know.
            let leads_out = turned.leading_out();
            spinning.retain(|(_, place)| !leads_out[*place]);
        }
        self.spin(spinning.into_iter().map(|(path, _)| path), &mut settled);
        settled
    }

    /// Follows a path from the place `since` until it ends, forks, or meets another one. Whether the budget allows it.
    fn follow(&self, mut path: SettlePath, mut since: usize, settling: &mut Settling, pace: &mut Pace) -> bool {
        let mut n_waiting = 0;
        while !pace.is_over() {
            let (before, n_queued) = (path.local.point, path.local.queue.len());
            let step = self.advance_past(&mut path, n_waiting);
            // What was issued changes nothing for those that wait.
            n_waiting = if path.local.point != before { n_queued } else { 0 };
            match step {
                // Without the eager closure only a region is followed to its end.
                SettleStep::Moved if !self.options.reductions.eager_closure && path.local.mode == Mode::Running => {
                    settling.settled.paths.push(path)
                }
                SettleStep::Moved if path.local.point > before || path.local.queue.len() < n_queued => continue,
                // Every cycle goes back, or stays, at some point where nothing is retired: only there is it worth remembering.
                SettleStep::Moved => match settling.turned.meet(&path, since) {
                    Meeting::First(place) => {
                        since = place;
                        continue;
                    }
                    Meeting::Again(place) => settling.spinning.push((path, place)),
                },
                SettleStep::Stalled => {
                    settling.turned.rests.push(since);
                    self.rest(&mut path);
                    settling.settled.paths.push(path);
                }
                SettleStep::Forked(forks) => settling.fork(forks, before, since),
                SettleStep::Discarded => settling.settled.discarded = true,
                SettleStep::Cut => settling.settled.cut(&path),
                SettleStep::Disabled => {}
            }
            return true;
        }
        false
    }

    /// Forgets what does not matter where a thread rests.
    fn rest(&self, path: &mut SettlePath) {
        path.confirm();
        self.reset_dead_registers(&mut path.local);
        self.shorten_trail(&mut path.local);
    }

    /// Adds paths that came to a state met before, where that is a cycle and not two paths that meet: the thread loops forever
    /// (semantics 2.6). A region that never ends is no step.
    fn spin(&self, met: impl Iterator<Item = SettlePath>, settled: &mut Settled) {
        let n_settled = settled.paths.len();
        let may_circle = |path: &SettlePath| path.local.mode != Mode::Region && self.code.circles[path.local.point];
        for mut path in met.filter(may_circle) {
            path.local.mode = match self.around(&path.local) {
                Around { returns: true, leads_out: false } => Mode::Spinning,
                Around { returns: true, .. } if self.code.sees_circling => Mode::Circling,
                _ => continue,
            };
            self.rest(&mut path);
            if settled.paths[n_settled..].iter().all(|other| other.local != path.local) {
                settled.paths.push(path);
            }
        }
    }

    /// Where a thread comes that continues from `local` without touching shared state.
    fn around(&self, local: &Local) -> Around {
        let mut around = Around { returns: false, leads_out: false };
        let mut paths = vec![SettlePath::of(local.clone())];
        let mut seen = FxHashSet::default();
        let mut pace = self.options.budget.pace();
        while let Some(mut path) = paths.pop() {
            loop {
                // Where no property sees it circle, only a way out matters.
                if pace.is_over() || around.leads_out && (around.returns || !self.code.sees_circling) {
                    return around;
                }
                let (before, n_queued) = (path.local.point, path.local.queue.len());
                match self.advance(&mut path) {
                    SettleStep::Moved => {
                        around.returns |= path.local == *local;
                        let is_ahead = path.local.point > before || path.local.queue.len() < n_queued;
                        if !is_ahead && !seen.insert(path.local.clone()) {
                            break;
                        }
                    }
                    SettleStep::Forked(forks) => {
                        around.returns |= forks.iter().any(|fork| fork.local == *local);
                        paths.extend(forks.into_iter().filter(|fork| seen.insert(fork.local.clone())));
                        break;
                    }
                    SettleStep::Stalled => {
                        around.leads_out = true;
                        break;
                    }
                    SettleStep::Discarded | SettleStep::Cut | SettleStep::Disabled => break,
                }
            }
        }
        around
    }

    /// Retires what can be retired; if nothing, issues what is next.
    pub(crate) fn advance(&self, path: &mut SettlePath) -> SettleStep {
        self.advance_past(path, 0)
    }

    /// As `advance`, where the first `n_waiting` entries of the queue are known not to be retired yet.
    fn advance_past(&self, path: &mut SettlePath, n_waiting: usize) -> SettleStep {
        match path.local.mode {
            Mode::Failed(_) | Mode::Aborted(_) | Mode::Committing => return SettleStep::Stalled,
            Mode::Spinning | Mode::Circling => path.local.mode = Mode::Running,
            _ => {}
        }
        for index in n_waiting..path.local.queue.len() {
            if let Some(step) = self.retire(path, index) {
                return step;
            }
            // What is behind a wall is as if it were not issued yet (semantics 4.4).
            if self.is_wall(&path.local.queue[index]) {
                break;
            }
        }
        match path.local.mode {
            Mode::Running if self.is_undecided(&path.local) => SettleStep::Stalled,
            Mode::Running if self.pauses(&path.local) => self.pause(path),
            Mode::Running => self.issue_and_remember(path),
            Mode::Region => self.issue_in_region(path),
            _ => SettleStep::Stalled,
        }
    }

    /// Registers that no longer matter are reset, so that states differing only there are one.
    fn reset_dead_registers(&self, local: &mut Local) {
        if !self.options.reductions.dead_registers || matches!(local.mode, Mode::Failed(_)) {
            return;
        }
        let live = &self.code.live[local.point];
        for (register, live) in local.registers.iter_mut().zip(live) {
            if !live {
                *register = Operand::Value(0);
            }
        }
    }
}

/// Paths on their way.
#[derive(Default)]
struct Settling {
    /// Those still to follow, each with the place of its last turn.
    paths: Vec<(SettlePath, usize)>,
    turned: Turned,
    /// Those that came to a state met before, each with its place.
    spinning: Vec<(SettlePath, usize)>,
    settled: Settled,
}

impl Settling {
    /// A path that was at `before` continues in several ways.
    fn fork(&mut self, forks: Vec<SettlePath>, before: PointId, since: usize) {
        let (n_paths, n_spinning) = (self.paths.len(), self.spinning.len());
        for fork in forks {
            match fork.local.point > before {
                true => self.paths.push((fork, since)),
                false => match self.turned.meet(&fork, since) {
                    Meeting::First(place) => self.paths.push((fork, place)),
                    Meeting::Again(place) => self.spinning.push((fork, place)),
                },
            }
        }
        // The last one is taken first: keep the order of the program.
        self.paths[n_paths..].reverse();
        self.spinning[n_spinning..].reverse();
    }
}

/// Where a thread comes without touching shared state.
struct Around {
    /// Where it was.
    returns: bool,
    /// To a place where it rests.
    leads_out: bool,
}
