//! Schedules: threads take turns, as a seed says, so that a run can be repeated exactly.
//!
//! One thread runs at a time. It may have to hand over at every *point*: before and after each access to the memory in
//! software, at each poll, and wherever it would wait. Between two points it is alone, so what it does there is atomic. Random
//! schedules with few changes of thread find most errors (Burckhardt and others, ASPLOS 2010); a seed also chooses how few.

use crate::access::Random;
use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex};

/// Who runs, and who runs next. For methods on [`crate::Software`]: on the processor's own memory there are no points.
pub(crate) struct Schedule {
    state: Mutex<State>,
    /// By thread: it is its turn.
    turns: Box<[Condvar]>,
}

struct State {
    random: Random,
    /// A point changes the thread once in so many times.
    patience: u64,
    running: usize,
    is_here: Vec<bool>,
}

/// A thread of a schedule, until it is dropped.
pub(crate) struct Turn(Option<(Arc<Schedule>, usize)>);

thread_local! {
    static MINE: RefCell<Option<(Arc<Schedule>, usize)>> = const { RefCell::new(None) };
}

impl Schedule {
    pub(crate) fn new(seed: u64, n_threads: usize) -> Schedule {
        let mut random = Random::new(seed);
        let patience = 4 << random.below(14);
        let running = random.below(n_threads as u64) as usize;
        Schedule {
            state: Mutex::new(State { random, patience, running, is_here: vec![true; n_threads] }),
            turns: (0..n_threads).map(|_| Condvar::new()).collect(),
        }
    }

    /// Waits for this thread's turn.
    fn wait(&self, thread: usize) {
        let state = self.state.lock().expect("no holder panics");
        let _state = self.turns[thread].wait_while(state, |state| state.running != thread).expect("no holder panics");
    }

    /// Lets another thread run, if the schedule says so or `must`, and waits for the next turn.
    fn hand_over(&self, thread: usize, must: bool) {
        let mut state = self.state.lock().expect("no holder panics");
        let patience = state.patience;
        if !must && state.random.below(patience) != 0 {
            return;
        }
        self.choose(&mut state);
        let _state = self.turns[thread].wait_while(state, |state| state.running != thread).expect("no holder panics");
    }

    fn leave(&self, thread: usize) {
        let mut state = self.state.lock().expect("no holder panics");
        state.is_here[thread] = false;
        self.choose(&mut state);
    }

    /// The next thread: any other that is still here.
    fn choose(&self, state: &mut State) {
        let is_other = |thread: &usize| *thread != state.running && state.is_here[*thread];
        let others: Vec<usize> = (0..state.is_here.len()).filter(is_other).collect();
        if !others.is_empty() {
            state.running = others[state.random.below(others.len() as u64) as usize];
            self.turns[state.running].notify_one();
        }
    }
}

/// Makes the calling thread one of the schedule, if there is one, and waits for its turn.
pub(crate) fn enter(schedule: Option<&Arc<Schedule>>, thread: usize) -> Turn {
    let mine = schedule.map(|schedule| (Arc::clone(schedule), thread));
    MINE.set(mine.clone());
    if let Some((schedule, thread)) = &mine {
        schedule.wait(*thread);
    }
    Turn(mine)
}

/// A point at which another thread may run. Whether there is a schedule.
pub(crate) fn point() -> bool {
    hand_over(false)
}

/// A point at which another thread must run, because this one waits. Whether there is a schedule.
pub(crate) fn pass() -> bool {
    hand_over(true)
}

fn hand_over(must: bool) -> bool {
    MINE.with_borrow(|mine| {
        if let Some((schedule, thread)) = mine {
            schedule.hand_over(*thread, must);
        }
        mine.is_some()
    })
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some((schedule, thread)) = &self.0 {
            MINE.set(None);
            schedule.leave(*thread);
        }
    }
}
