//! All local actions of a thread until it rests, and all of a region (rules 2.3, 2.4, 2.6, 3.5 to 3.10, 8.2, 8.6).

use crate::act::are_known;
use crate::code::{Instr, Region};
use crate::state::{State, Thread};
use crate::world::{Path, World};
use program::typed;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Actions in one step that are looked at.
const MAX_ACTIONS: usize = 100_000;

impl World<'_> {
    /// Every local action of a thread until it rests or pauses, in every way. One that pauses first goes on.
    pub(crate) fn settle(&self, start: Path, t: usize) -> Vec<Path> {
        let (mut done, mut seen, mut n_actions) = (Vec::new(), FxHashSet::default(), 0);
        // Each path with the states of the thread at which it turned back.
        let mut work: Vec<(Path, Vec<Rc<Thread>>)> = vec![(start, Vec::new())];
        while let Some((mut path, trail)) = work.pop() {
            if self.is_too_much(&mut n_actions) {
                break;
            }
            let has_paused = path.state.threads[t].pauses;
            path.state.thread(t).pauses = !has_paused && self.is_pause(&path, t);
            if !path.state.threads[t].pauses {
                self.retire(&mut path, t);
            }
            let is_at_end = path.is_over(t) || path.state.threads[t].pauses;
            let ways = if is_at_end { Vec::new() } else { self.act(&path, t, false) };
            if ways.is_empty() {
                self.rest(path, t, &mut done);
                continue;
            }
            for mut way in ways.into_iter().rev() {
                let thread = way.state.threads[t].clone();
                if thread.pc > path.state.threads[t].pc || way.is_over(t) {
                    work.push((way, trail.clone()));
                } else if trail.contains(&thread) {
                    way.state.thread(t).spins = true;
                    self.rest(way, t, &mut done);
                } else if seen.insert(way.clone()) {
                    work.push((way, [&trail[..], &[thread]].concat()));
                }
            }
        }
        done
    }

    fn is_too_much(&self, n_actions: &mut usize) -> bool {
        *n_actions += 1;
        let is_too_much = *n_actions > MAX_ACTIONS;
        self.has_given_up.set(self.has_given_up.get() || is_too_much);
        is_too_much
    }

    /// The end of a step, if it is one: a `then` that is due must have been executed. What is in registers that nobody reads
    /// any more is no part of a state.
    fn rest(&self, mut path: Path, t: usize, done: &mut Vec<Path>) {
        let is_over = path.is_over(t);
        let thread = path.state.thread(t);
        let kept = &self.code[t].points[thread.pc].kept;
        thread.registers.retain(|register, _| kept.contains(register));
        if is_over || !thread.then_due {
            done.push(path);
        }
    }

    /// Whether the thread is to be seen here though its next action is local and need not wait.
    fn is_pause(&self, path: &Path, t: usize) -> bool {
        let thread = &path.state.threads[t];
        let point = &self.code[t].points[thread.pc];
        let is_seen = point.rests || point.is_seen && self.sees_passing;
        if !is_seen || thread.then_due || path.is_over(t) {
            return false;
        }
        let mut path = path.clone();
        self.retire(&mut path, t);
        path.is_over(t) || !self.act(&path, t, false).is_empty()
    }

    /// Whether a region may be entered now.
    pub(crate) fn may_enter(&self, state: &State, thread: &Thread, region: &Region) -> bool {
        // Rule 3.6.
        let may_enter_unordered =
            || are_known(thread, &region.reads) && thread.guesses().next().is_none() && !self.has_wall(thread);
        match region.kind {
            typed::Region::StopTheWorld => {
                let is_stopped = |other: &Rc<Thread>| {
                    let is_there = matches!(self.instr(other), Instr::Safepoint | Instr::End);
                    other.id == thread.id || is_there && other.aborted.is_none() && other.queue.is_empty()
                };
                thread.queue.is_empty() && state.threads.iter().all(is_stopped)
            }
            _ if region.is_ordered => thread.accesses().next().is_none(),
            _ => may_enter_unordered(),
        }
    }

    /// Every way through the region at which the thread is.
    pub(crate) fn execute(&self, start: Path, t: usize, region: &Region) -> Vec<Path> {
        let first = start.state.threads[t].pc;
        let mut work = vec![start.with(t, |thread| thread.pc += 1)];
        if let (typed::Region::Issued, Instr::Access(store)) = (region.kind, &self.code[t].points[first + 1].instr) {
            work = self.issue(&work[0], t, *store);
        }
        let (mut done, mut seen, mut n_actions) = (Vec::new(), FxHashSet::default(), 0);
        while let Some(path) = work.pop() {
            if self.is_too_much(&mut n_actions) {
                break;
            }
            let pc = path.state.threads[t].pc;
            if pc <= first || pc > region.end || path.is_over(t) || self.has_ended(t, pc) {
                done.push(path);
                continue;
            }
            let ways = self.act(&path, t, true).into_iter().rev();
            work.extend(ways.filter(|way| way.state.threads[t].pc > pc || way.is_over(t) || seen.insert(way.clone())));
        }
        done
    }
}
