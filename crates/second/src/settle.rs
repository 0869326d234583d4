//! All local actions of a thread until it rests, and all of a region (rules 2.3, 2.4, 2.6, 3.5 to 3.10, 8.2, 8.6).

use crate::act::{Act, are_known, forget};
use crate::code::{Instr, Region};
use crate::state::{State, Thread};
use crate::world::{Path, World};
use program::typed;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Actions in one step that are looked at.
const MAX_ACTIONS: usize = 100_000;

impl World<'_> {
    /// Every local action of a thread until it rests or pauses, in every way. One that pauses first goes on.
    pub(crate) fn settle(&self, start: Path, t: usize) -> Vec<Path> {
        let (mut done, mut seen, mut n_actions) = (Vec::new(), FxHashSet::default(), 0);
        // Each path with the states of the thread at which it turned back.
        let mut work: Vec<(Path, Vec<Rc<Thread>>)> = vec![(start, Vec::new())];
        while let Some((mut path, mut trail)) = work.pop() {
            if self.is_too_much(&mut n_actions) {
                break;
            }
            if path.state.threads[t].pauses {
                path.state.thread(t).pauses = false;
            } else if self.is_pause(&path, t) {
                path.state.thread(t).pauses = true;
                self.rest(path, t, &mut done);
                continue;
            }
            self.retire(&mut path, t);
            if path.is_over(t) {
                done.push(path);
                continue;
            }
            let before = path.state.threads[t].pc;
            match self.act(&mut path, t, false) {
                Act::Waits => self.rest(path, t, &mut done),
                Act::Ways(ways) => work.extend(ways.into_iter().rev().map(|way| (way, trail.clone()))),
                Act::Goes if path.state.threads[t].pc > before || path.is_over(t) => work.push((path, trail)),
                Act::Goes if trail.contains(&path.state.threads[t]) => {
                    path.state.thread(t).spins = true;
                    self.rest(path, t, &mut done);
                }
                Act::Goes => {
                    if seen.insert(path.clone()) {
                        trail.push(path.state.threads[t].clone());
                        work.push((path, trail));
                    }
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

    /// The end of a step, if it is one: a `then` that is due must have been executed.
    fn rest(&self, mut path: Path, t: usize, done: &mut Vec<Path>) {
        let thread = path.state.thread(t);
        if !thread.then_due {
            forget(&mut thread.registers, &self.code[t].points[thread.pc].kept);
            done.push(path);
        }
    }

    /// Whether the thread is to be seen here though its next action is local and need not wait.
    fn is_pause(&self, path: &Path, t: usize) -> bool {
        let thread = &path.state.threads[t];
        let point = &self.code[t].points[thread.pc];
        if !(point.is_seen || point.rests) || thread.then_due || path.is_over(t) {
            return false;
        }
        let mut path = path.clone();
        self.retire(&mut path, t);
        path.is_over(t) || !matches!(self.act(&mut path, t, false), Act::Waits)
    }

    /// Whether a region may be entered now.
    pub(crate) fn may_enter(&self, state: &State, thread: &Thread, region: &Region) -> bool {
        match region.kind {
            typed::Region::StopTheWorld => {
                let is_stopped = |other: &Rc<Thread>| {
                    let is_there = matches!(self.instr(other), Instr::Safepoint | Instr::End);
                    other.id == thread.id || is_there && other.aborted.is_none() && other.queue.is_empty()
                };
                thread.queue.is_empty() && state.threads.iter().all(is_stopped)
            }
            typed::Region::Issued => match self.code[thread.id].points[thread.pc + 1].instr {
                Instr::Access(store) => {
                    let may_issue = self.may_issue(thread, &self.code[thread.id].accesses[store]);
                    may_issue && self.may_enter_unordered(thread, &region.reads)
                }
                _ => false,
            },
            _ if region.is_ordered => thread.accesses().next().is_none(),
            _ => self.may_enter_unordered(thread, &region.reads),
        }
    }

    /// Rule 3.6.
    fn may_enter_unordered(&self, thread: &Thread, reads: &BTreeSet<usize>) -> bool {
        are_known(thread, reads) && !thread.guesses_before(usize::MAX) && !self.has_wall(thread)
    }

    /// Every way through the region at which the thread is.
    pub(crate) fn execute(&self, mut start: Path, t: usize, region: &Region) -> Vec<Path> {
        let first = start.state.threads[t].pc;
        start.state.thread(t).pc += 1;
        if let (typed::Region::Issued, Instr::Access(store)) = (region.kind, &self.code[t].points[first + 1].instr) {
            self.issue(&mut start, t, *store);
        }
        let (mut done, mut seen, mut n_actions) = (Vec::new(), FxHashSet::default(), 0);
        let mut work = vec![start];
        while let Some(mut path) = work.pop() {
            if self.is_too_much(&mut n_actions) {
                break;
            }
            let pc = path.state.threads[t].pc;
            if pc <= first || pc > region.end || path.is_over(t) || self.has_ended(t, pc) {
                done.push(path);
                continue;
            }
            match self.act(&mut path, t, true) {
                Act::Waits => {}
                Act::Ways(ways) => work.extend(ways.into_iter().rev()),
                Act::Goes => {
                    let is_back = path.state.threads[t].pc <= pc && !path.is_over(t);
                    if !is_back || seen.insert(path.clone()) {
                        work.push(path);
                    }
                }
            }
        }
        done
    }
}
