//! All local actions of a thread until it rests, and where it is seen meanwhile (rules 2.3, 2.6, 8.2, 8.6).

use crate::local::Local;
use crate::state::{State, Thread};
use crate::term::Content;
use crate::world::{End, Path, World};
use std::rc::Rc;

/// Local actions in one step that are looked at.
const MAX_LOCALS: usize = 100_000;

/// A path with the threads it has been at where it turned back.
struct Turning {
    path: Path,
    trail: Vec<Rc<Thread>>,
}

impl World<'_> {
    /// Every local action of a thread until it rests, in every way (rule 2.3).
    pub(crate) fn settle(&self, start: Path, t: usize) -> Vec<Path> {
        let mut done = Vec::new();
        let mut work = vec![Turning { path: start, trail: Vec::new() }];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut n_locals = 0;
        while let Some(Turning { mut path, mut trail }) = work.pop() {
            loop {
                n_locals += 1;
                if n_locals > MAX_LOCALS {
                    self.hit.locals.set(true);
                    return done;
                }
                self.retire(&mut path, t);
                if path.end != End::State || path.state.threads[t].failed.is_some() {
                    done.push(path);
                    break;
                }
                let before = path.state.threads[t].pc;
                match self.local(&mut path, t) {
                    Local::Rests => {
                        self.rest(path, t, &mut done);
                        break;
                    }
                    Local::Ways(ways) => {
                        for mut path in ways.into_iter().rev() {
                            if path.end == End::State && self.is_pause(&path, t) {
                                path.state.thread(t).pauses = true;
                                done.push(path);
                            } else {
                                work.push(Turning { path, trail: trail.clone() });
                            }
                        }
                        break;
                    }
                    Local::Goes => {}
                }
                if path.end != End::State || path.state.threads[t].failed.is_some() {
                    done.push(path);
                    break;
                }
                if self.is_pause(&path, t) {
                    path.state.thread(t).pauses = true;
                    done.push(path);
                    break;
                }
                let thread = &path.state.threads[t];
                if thread.pc <= before {
                    if trail.contains(thread) {
                        path.state.thread(t).spins = true;
                        self.rest(path, t, &mut done);
                        break;
                    }
                    if !seen.insert((path.state.clone(), path.covers.clone(), path.asserts.clone())) {
                        break;
                    }
                    trail.push(thread.clone());
                }
            }
        }
        done
    }

    /// The end of a step, if it is one: a `then` that is due must have been executed.
    fn rest(&self, mut path: Path, t: usize, done: &mut Vec<Path>) {
        if !path.state.threads[t].then_due {
            self.forget(&mut path, t);
            done.push(path);
        }
    }

    /// What is in registers that nobody reads any more is no part of a state.
    fn forget(&self, path: &mut Path, t: usize) {
        let kept = &self.code[t].kept[path.state.threads[t].pc];
        let forgets = |(content, kept): (&Content, &bool)| !kept && *content != Content::Known(0);
        if path.state.threads[t].registers.iter().zip(kept).any(forgets) {
            clear(&mut path.state.thread(t).registers, kept);
        }
    }

    /// Whether the thread is to be seen here though its next action is local and need not wait (rules 8.2, 8.6).
    fn is_pause(&self, path: &Path, t: usize) -> bool {
        let thread = &path.state.threads[t];
        if !(self.pauses[t][thread.pc] || self.rests[t][thread.pc]) || thread.then_due || thread.failed.is_some() {
            return false;
        }
        let mut path = path.clone();
        self.retire(&mut path, t);
        path.end != End::State
            || path.state.threads[t].failed.is_some()
            || !matches!(self.local(&mut path, t), Local::Rests)
    }

    /// A thread that pauses goes on.
    pub(crate) fn go_on(&self, state: &State, t: usize) -> Vec<Path> {
        let mut path = Path::new(state.clone());
        path.state.thread(t).pauses = false;
        self.retire(&mut path, t);
        if path.end != End::State || path.state.threads[t].failed.is_some() {
            return vec![path];
        }
        match self.local(&mut path, t) {
            Local::Rests => vec![path],
            Local::Goes => self.arrive(path, t),
            Local::Ways(ways) => ways.into_iter().flat_map(|way| self.arrive(way, t)).collect(),
        }
    }

    /// After an action: pauses here, or goes on until it rests.
    pub(crate) fn arrive(&self, mut path: Path, t: usize) -> Vec<Path> {
        if path.end != End::State || path.state.threads[t].failed.is_some() {
            return vec![path];
        }
        if self.is_pause(&path, t) {
            path.state.thread(t).pauses = true;
            return vec![path];
        }
        self.settle(path, t)
    }
}

/// Forgets the registers that are not kept.
pub(crate) fn clear(registers: &mut [Content], kept: &[bool]) {
    for (content, _) in registers.iter_mut().zip(kept).filter(|(_, kept)| !**kept) {
        *content = Content::Known(0);
    }
}
