//! The steps of a row. What a step looks at is noted; where all of it is the same, the step is not worked out again.

use super::decisions::Decisions;
use super::numbers::{Facts, Numbers};
use super::passing::{Passed, Passing};
use super::rows::Form;
use crate::certificate::cells::{Cells, Look};
use crate::state::{State, Thread};
use crate::world::{End, Path, World};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a step does: the thread states, cells and bus that are others then; nothing if it ends a path that is no run.
pub(crate) struct Effect {
    /// Rows have as many as `end` says: none if there is no state behind the step.
    pub(crate) leads_on: bool,
    threads: Vec<(usize, u32)>,
    cells: Vec<(usize, i64)>,
    bus: u32,
}

impl Effect {
    /// The row that the step leads to.
    pub(crate) fn apply(&self, form: &Form, from: &[u32], to: &mut Vec<u32>) {
        to.clear();
        to.extend_from_slice(from);
        to[form.bus] = self.bus;
        self.threads.iter().for_each(|(thread, number)| *form.thread_mut(to, *thread) = *number);
        self.cells.iter().for_each(|(cell, value)| form.put(to, *cell, *value));
    }
}

pub(crate) struct Tabulated<'w, 'p> {
    pub(crate) world: &'w World<'p>,
    /// The same where no thread pauses at points that it only passes.
    unseen: &'w World<'p>,
    pub(crate) form: Form,
    pub(crate) numbers: Numbers,
    steps: Decisions<Look, Rc<[Effect]>>,
    pub(crate) passing: Passing,
    /// Where the table begins for a thread's state, the bus, and the states of those whom its steps may change or depend on.
    roots: FxHashMap<(u32, u32), u32>,
    roots_with_others: FxHashMap<Vec<u32>, u32>,
    /// For those on whom nothing depends.
    nobody: Vec<Rc<Thread>>,
}

impl<'w, 'p> Tabulated<'w, 'p> {
    pub(crate) fn new([world, unseen]: &'w [World<'p>; 2]) -> Self {
        let form = Form::new(&world.program.types, &world.layout, world.code.len());
        let nobody = (0..world.code.len()).map(|id| Rc::new(Thread { id, ..Thread::default() })).collect();
        let (numbers, passing, roots, roots_with_others) = Default::default();
        Tabulated { world, unseen, form, numbers, steps: Decisions::new(), passing, roots, roots_with_others, nobody }
    }

    /// The rows of the initial states, with those that are no states left out.
    pub(crate) fn initial(&mut self) -> Vec<Vec<u32>> {
        let mut passed = Vec::new();
        for path in if self.world.sees_passing { self.world.initial() } else { Vec::new() } {
            for thread in path.state.threads.iter().filter(|thread| path.end == End::State && self.world.passes(thread))
            {
                passed.extend(self.passing.note([self.world, self.unseen], &mut self.numbers, thread));
            }
        }
        passed.sort_unstable();
        passed.dedup();
        let paths = self.unseen.initial();
        paths.into_iter().filter(|path| path.end == End::State).map(|path| self.row(&path.state, &passed)).collect()
    }

    fn row(&mut self, state: &State, passed: &[u32]) -> Vec<u32> {
        let mut row = vec![0; self.form.n_words()];
        for (cell, value) in state.memory.values().iter().enumerate() {
            self.form.put(&mut row, cell, *value);
        }
        row[self.form.bus] = bus(state);
        for (t, thread) in state.threads.iter().enumerate() {
            let trail = passed.iter().copied().filter(|it| self.passing.rests(*it).contains(thread)).collect();
            *self.form.thread_mut(&mut row, t) = self.numbers.number(self.world, thread, trail);
        }
        row
    }

    fn values(&self, row: &[u32]) -> Vec<i64> {
        (0..self.form.n_cells()).map(|cell| self.form.value(row, cell)).collect()
    }

    /// The state of a row, with its memory.
    pub(crate) fn state(&self, row: &[u32], memory: Cells) -> State {
        let thread = |t| self.numbers.threads[*self.form.thread(row, t) as usize].clone();
        let holder = row[self.form.bus] as usize;
        State { memory, bus: holder.checked_sub(1), threads: (0..self.form.n_threads).map(thread).collect() }
    }

    /// The state of a row, and what is looked at from now on.
    pub(crate) fn noting(&self, row: &[u32]) -> (State, crate::certificate::cells::Looks) {
        let (memory, looks) = Cells::noting(self.values(row));
        (self.state(row, memory), looks)
    }

    pub(crate) fn plain(&self, row: &[u32]) -> State {
        self.state(row, Cells::new(self.values(row)))
    }

    /// What a look finds in a row.
    pub(crate) fn found(form: &Form, row: &[u32], look: Look) -> u32 {
        match look {
            Look::Cell(cell) => form.bits(row, cell),
            Look::Thread(thread) => *form.thread(row, thread),
            // Steps ask nothing of properties; who judges has numbers for this.
            Look::Said(_) => 0,
            Look::Bus => row[form.bus],
        }
    }

    /// Whether a row is a state: its cells are in their ranges, and its threads where steps have led them.
    pub(crate) fn is_state(&self, row: &[u32]) -> bool {
        let is_there = |t| self.numbers.facts.get(*self.form.thread(row, t) as usize).is_some_and(|it| it.thread == t);
        self.form.is_proper(row) && (0..self.form.n_threads).all(is_there)
    }

    /// The steps of a thread, from where it rests to where it rests.
    pub(crate) fn steps(&mut self, row: &[u32], t: usize) -> Rc<[Effect]> {
        let root = self.root(row, t);
        let found = |look| Self::found(&self.form, row, look);
        if let Some(effects) = self.steps.find(root, found) {
            return effects.clone();
        }
        let (state, looks) = self.alone(row, t);
        let is_asked = !self.any(row, |facts| facts.has_failed);
        let steps = if is_asked { self.unseen.thread_steps(&state, t, true) } else { Vec::new() };
        let trail = self.numbers.trails[*self.form.thread(row, t) as usize].clone();
        let passed = if is_asked && self.world.sees_passing { self.passed(&state, t, &trail) } else { Vec::new() };
        let mut is_kept = vec![false; passed.len()];
        let effects = steps.into_iter().map(|step| self.effect(&state, t, step.path, (&passed, &mut is_kept)));
        let effects: Rc<[Effect]> = effects.collect();
        // What leads nowhere is not seen; what is passed on the way to another choice is on the trail of that.
        let is_lost = |(passed, is_kept): (&Passed, bool)| {
            passed.is_first && !is_kept && !self.passing.rests(passed.state).is_empty()
        };
        self.passing.is_lost |= passed.iter().zip(is_kept).any(is_lost);
        let found = |look| Self::found(&self.form, row, look);
        self.steps.keep(root, &looks.borrow(), found, effects.clone());
        effects
    }

    /// All that a thread passes on a step, from where it rests or from where it may still be.
    fn passed(&mut self, before: &State, t: usize, trail: &[u32]) -> Vec<Passed> {
        let mut all = Vec::new();
        for back in [None].into_iter().chain(trail.iter().copied().map(Some)) {
            let mut state = before.clone();
            state.threads[t] = back.map_or(before.threads[t].clone(), |it| self.numbers.threads[it as usize].clone());
            for path in self.world.thread_steps(&state, t, true).into_iter().map(|step| step.path) {
                if path.end == End::State && self.world.passes(&path.state.threads[t]) {
                    let (cells, bus) = (changed(before, &path.state), bus(&path.state));
                    let states =
                        self.passing.note([self.world, self.unseen], &mut self.numbers, &path.state.threads[t]);
                    // That it goes on by itself is no step.
                    if back.is_some_and(|back| self.passing.passes(back).contains(&states[0])) {
                        continue;
                    }
                    all.extend(states.iter().enumerate().map(|(n, state)| Passed {
                        state: *state,
                        is_first: n == 0,
                        cells: cells.clone(),
                        bus,
                    }));
                }
            }
        }
        all
    }

    /// Whether some thread of a row is so.
    pub(crate) fn any(&self, row: &[u32], is_so: impl Fn(&Facts) -> bool) -> bool {
        (0..self.form.n_threads).any(|t| is_so(&self.numbers.facts[*self.form.thread(row, t) as usize]))
    }

    /// Whether a thread's steps may change another one, or depend on where it is; whether one has failed counts too.
    fn counts(&self, row: &[u32], t: usize, other: usize) -> bool {
        let facts = |t: usize| self.numbers.facts[*self.form.thread(row, t) as usize];
        other == t || facts(t).stops_the_world || facts(other).watches || facts(other).has_failed
    }

    fn root(&mut self, row: &[u32], t: usize) -> u32 {
        let (number, bus) = (*self.form.thread(row, t), row[self.form.bus]);
        let others: Vec<usize> =
            (0..self.form.n_threads).filter(|other| *other != t && self.counts(row, t, *other)).collect();
        if others.is_empty() {
            return *self.roots.entry((number, bus)).or_insert_with(|| self.steps.root());
        }
        let others = others.into_iter().map(|other| *self.form.thread(row, other));
        let key = [number, bus].into_iter().chain(others).collect();
        *self.roots_with_others.entry(key).or_insert_with(|| self.steps.root())
    }

    /// The state as the steps of a thread see it: without the threads that do not count.
    fn alone(&self, row: &[u32], t: usize) -> (State, crate::certificate::cells::Looks) {
        let (mut state, looks) = self.noting(row);
        for other in (0..self.form.n_threads).filter(|other| !self.counts(row, t, *other)) {
            state.threads[other] = self.nobody[other].clone();
        }
        (state, looks)
    }

    /// What a step does. The trail of its thread is what it has passed with the same effect on all others.
    fn effect(&mut self, before: &State, t: usize, path: Path, (passed, is_kept): (&[Passed], &mut [bool])) -> Effect {
        let (after, leads_on) = (&path.state, path.end == End::State);
        let (mut threads, cells) = (Vec::new(), changed(before, after));
        for other in (0..self.form.n_threads).filter(|_| leads_on) {
            let now = &after.threads[other];
            if other != t && before.threads[other] == *now {
                continue;
            }
            let mut trail: Vec<u32> = Vec::new();
            for (it, is_kept) in passed.iter().zip(is_kept.iter_mut()).filter(|_| other == t) {
                if it.cells == cells && it.bus == bus(after) && self.passing.rests(it.state).contains(now) {
                    trail.push(it.state);
                    *is_kept = true;
                }
            }
            trail.sort_unstable();
            trail.dedup();
            threads.push((other, self.numbers.number(self.world, now, trail.into())));
        }
        Effect { leads_on, threads, cells, bus: bus(after) }
    }
}

/// The cells that are others after a step.
fn changed(before: &State, after: &State) -> Vec<(usize, i64)> {
    let values = before.memory.values().iter().zip(after.memory.values()).enumerate();
    values.filter(|(_, (then, now))| then != now).map(|(cell, (_, now))| (cell, *now)).collect()
}

fn bus(state: &State) -> u32 {
    state.bus.map_or(0, |holder| holder as u32 + 1)
}
