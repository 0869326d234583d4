//! The steps of a row. What a step looks at is noted; where all of it is the same, the step is not worked out again.

use super::decisions::Decisions;
use super::numbers::Numbers;
use super::rows::Form;
use crate::cells::{Cells, Look};
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
    steps: Decisions<Rc<[Effect]>>,
    /// Where the table begins for a thread's state, the bus, and the states of those whom its steps may change or depend on.
    roots: FxHashMap<(u32, u32, bool), u32>,
    roots_with_others: FxHashMap<Vec<u32>, u32>,
    /// For those on whom nothing depends.
    nobody: Vec<Rc<Thread>>,
}

impl<'w, 'p> Tabulated<'w, 'p> {
    pub(crate) fn new([world, unseen]: &'w [World<'p>; 2]) -> Self {
        let form = Form::new(&world.program.types, &world.layout, world.code.len());
        let nobody = (0..world.code.len()).map(|id| Rc::new(Thread { id, ..Thread::default() })).collect();
        let (numbers, roots, roots_with_others) = Default::default();
        Tabulated { world, unseen, form, numbers, steps: Decisions::new(), roots, roots_with_others, nobody }
    }

    /// The rows of the initial states, with those that are no states left out.
    pub(crate) fn initial(&mut self) -> Vec<Vec<u32>> {
        let paths = self.world.initial();
        paths.into_iter().filter(|path| path.end == End::State).map(|path| self.row(&path.state)).collect()
    }

    fn row(&mut self, state: &State) -> Vec<u32> {
        let mut row = vec![0; self.form.n_words()];
        for (cell, value) in state.memory.values().iter().enumerate() {
            self.form.put(&mut row, cell, *value);
        }
        row[self.form.bus] = bus(state);
        for (t, thread) in state.threads.iter().enumerate() {
            *self.form.thread_mut(&mut row, t) = self.numbers.number(self.world, thread);
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
    pub(crate) fn noting(&self, row: &[u32]) -> (State, crate::cells::Looks) {
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
            Look::Bus => row[form.bus],
        }
    }

    /// Whether a row is a state: its cells are in their ranges, and its threads where steps have led them.
    pub(crate) fn is_state(&self, row: &[u32]) -> bool {
        let is_there = |t| self.numbers.facts.get(*self.form.thread(row, t) as usize).is_some_and(|it| it.thread == t);
        self.form.is_proper(row) && (0..self.form.n_threads).all(is_there)
    }

    /// The steps of a thread.
    pub(crate) fn steps(&mut self, row: &[u32], t: usize) -> Rc<[Effect]> {
        let is_seen = self.is_seen(row, t);
        let root = self.root(row, t, is_seen);
        let found = |look| Self::found(&self.form, row, look);
        if let Some(effects) = self.steps.find(root, found) {
            return effects.clone();
        }
        let (state, looks) = self.alone(row, t);
        let has_failed = row_has_failed(&self.form, &self.numbers, row);
        let is_asked = !has_failed || self.world.passes(&state.threads[t]);
        let world = if is_seen { self.world } else { self.unseen };
        let steps = if is_asked { world.thread_steps(&state, t, !has_failed) } else { Vec::new() };
        let effects: Rc<[Effect]> = steps.into_iter().map(|step| self.effect(&state, step.path)).collect();
        let found = |look| Self::found(&self.form, row, look);
        self.steps.keep(root, &looks.borrow(), found, effects.clone());
        effects
    }

    /// Whether a thread's steps may change another one, or depend on where it is; whether one has failed counts too.
    fn counts(&self, row: &[u32], t: usize, other: usize) -> bool {
        let facts = |t: usize| self.numbers.facts[*self.form.thread(row, t) as usize];
        other == t || facts(t).stops_the_world || facts(other).watches || facts(other).has_failed
    }

    /// Whether somebody looks if a thread pauses now at a point that it only passes: some condition asks where it is, and where all others are
    /// that pause at such points.
    ///
    /// Where nobody looks it need not pause: what it does there is local, so it commutes with the steps of all others, and they pause
    /// where somebody looks before it or after it.
    fn is_seen(&self, row: &[u32], t: usize) -> bool {
        let passes = |other: &usize| self.numbers.facts[*self.form.thread(row, *other) as usize].passes;
        let asked = &self.world.asked;
        let mut conditions = asked.properties.iter().chain(&asked.covers);
        conditions.any(|asked| asked[t] && (0..self.form.n_threads).filter(passes).all(|other| asked[other]))
    }

    fn root(&mut self, row: &[u32], t: usize, is_seen: bool) -> u32 {
        let (number, bus) = (*self.form.thread(row, t), row[self.form.bus]);
        let others: Vec<usize> =
            (0..self.form.n_threads).filter(|other| *other != t && self.counts(row, t, *other)).collect();
        if others.is_empty() {
            return *self.roots.entry((number, bus, is_seen)).or_insert_with(|| self.steps.root());
        }
        let others = others.into_iter().map(|other| *self.form.thread(row, other));
        let key = [number, bus, is_seen.into()].into_iter().chain(others).collect();
        *self.roots_with_others.entry(key).or_insert_with(|| self.steps.root())
    }

    /// The state as the steps of a thread see it: without the threads that do not count.
    fn alone(&self, row: &[u32], t: usize) -> (State, crate::cells::Looks) {
        let (mut state, looks) = self.noting(row);
        for other in (0..self.form.n_threads).filter(|other| !self.counts(row, t, *other)) {
            state.threads[other] = self.nobody[other].clone();
        }
        (state, looks)
    }

    fn effect(&mut self, before: &State, path: Path) -> Effect {
        let after = &path.state;
        let leads_on = path.end == End::State;
        let (mut threads, mut cells) = (Vec::new(), Vec::new());
        if leads_on {
            for (t, (then, now)) in before.threads.iter().zip(&after.threads).enumerate() {
                if then != now {
                    threads.push((t, self.numbers.number(self.world, now)));
                }
            }
            let values = before.memory.values().iter().zip(after.memory.values()).enumerate();
            cells.extend(values.filter(|(_, (then, now))| then != now).map(|(cell, (_, now))| (cell, *now)));
        }
        Effect { leads_on, threads, cells, bus: bus(after) }
    }
}

/// Whether a thread has violated something.
pub(crate) fn row_has_failed(form: &Form, numbers: &Numbers, row: &[u32]) -> bool {
    (0..form.n_threads).any(|t| numbers.facts[*form.thread(row, t) as usize].has_failed)
}

fn bus(state: &State) -> u32 {
    state.bus.map_or(0, |holder| holder as u32 + 1)
}
