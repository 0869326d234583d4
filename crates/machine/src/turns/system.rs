//! The system in which threads take turns, over the tables.
//!
//! A state has two words more: whose turn it is, and, last, how often a thread was interrupted.

use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::Tabulated;
use crate::turns::places::{next_step, yields};
use automata::{PointId, ThreadId};
use base::table::Id;
use std::collections::BTreeSet;
use system::{Budget, PropertyIndex, Reached, Successors, TransitionSystem};

/// In place of a thread: it is nobody's turn yet.
const NOBODY: u32 = u32::MAX;

/// Where threads may be interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruptions {
    /// Anywhere, so often at most.
    UpTo(u32),
    /// Before these steps only: the points of each thread. As often as may be.
    Before(Vec<BTreeSet<PointId>>),
}

/// Threads that take turns.
pub struct Turns<'t, 'a> {
    tables: &'t Tabulated<'a>,
    interruptions: Interruptions,
    yields: Vec<BTreeSet<PointId>>,
}

impl<'t, 'a> Turns<'t, 'a> {
    /// The threads of `tables`, interrupted only so.
    pub fn new(tables: &'t Tabulated<'a>, interruptions: Interruptions) -> Self {
        let yields = tables.automata.threads.values().map(|thread| yields(&thread.automaton)).collect();
        Turns { tables, interruptions, yields }
    }

    /// Where threads may be interrupted.
    pub fn interruptions(&self) -> &Interruptions {
        &self.interruptions
    }

    /// A state of the tables, without whose turn it is.
    pub fn plain<'s>(&self, state: &'s [u32]) -> &'s [u32] {
        &state[..self.tables.state_len()]
    }

    /// How often a thread was interrupted before another one continues in the place of `thread`; none if it may not be.
    fn interrupted(&self, words: &[u32], thread: usize, before: u32) -> Option<u32> {
        let automaton = &self.tables.automata.threads[ThreadId::new(thread)].automaton;
        let point = next_step(automaton, self.tables.info(words, thread).local);
        match &self.interruptions {
            _ if self.yields[thread].contains(&point) => Some(before),
            Interruptions::UpTo(most) => (before < *most).then_some(before + 1),
            Interruptions::Before(points) => points[thread].contains(&point).then_some(before),
        }
    }

    /// Appends the steps of some threads, whose turn it is then.
    fn steps_of(
        &self,
        words: &[u32],
        is_wanted: impl Fn(usize) -> bool,
        n_interruptions: u32,
        scratch: &mut TurnsScratch,
        out: &mut Successors,
    ) {
        let TurnsScratch { tables, steps, state: row } = scratch;
        steps.clear();
        self.tables.stepping(0, |_| {}).steps_of(words, is_wanted, &mut tables.regions, steps);
        out.discarded |= steps.discarded;
        out.violated = out.violated.or(steps.violated);
        for (state, thread) in steps.iter() {
            row.clear();
            row.extend(state.iter().copied().chain([u32::from(thread), n_interruptions]));
            out.push(row, thread);
        }
    }
}

/// What the steps are computed in.
pub struct TurnsScratch {
    tables: Scratch,
    steps: Successors,
    state: Vec<u32>,
}

impl TransitionSystem for Turns<'_, '_> {
    type Scratch = TurnsScratch;

    fn scratch(&self) -> TurnsScratch {
        TurnsScratch {
            tables: self.tables.scratch(),
            steps: Successors::new(self.tables.state_len()),
            state: Vec::new(),
        }
    }

    fn state_len(&self) -> usize {
        self.tables.state_len() + 2
    }

    fn initial(&self, out: &mut Successors) {
        let mut initial = Successors::new(self.tables.state_len());
        self.tables.initial(&mut initial);
        for (state, label) in initial.iter() {
            let state: Vec<u32> = state.iter().copied().chain([NOBODY, 0]).collect();
            out.push(&state, label);
        }
    }

    fn successors(&self, from: &[u32], scratch: &mut TurnsScratch, out: &mut Successors) {
        let words = self.plain(from);
        let [turn, n_interruptions] = [from[words.len()], from[words.len() + 1]];
        if self.tables.has_failed(words) {
            return;
        }
        if turn == NOBODY {
            return self.steps_of(words, |_| true, n_interruptions, scratch, out);
        }
        let thread = turn as usize;
        self.steps_of(words, |other| other == thread, n_interruptions, scratch, out);
        let others =
            if out.is_empty() { Some(n_interruptions) } else { self.interrupted(words, thread, n_interruptions) };
        if let Some(n_interruptions) = others {
            self.steps_of(words, |other| other != thread, n_interruptions, scratch, out);
        }
    }

    fn inspect(&self, state: &[u32], scratch: &mut TurnsScratch, reached: &mut Reached) -> Option<PropertyIndex> {
        self.tables.inspect(self.plain(state), &mut scratch.tables, reached)
    }

    fn stuck(&self, state: &[u32], scratch: &mut TurnsScratch) -> Option<PropertyIndex> {
        self.tables.stuck(self.plain(state), &mut scratch.tables)
    }

    fn own_bytes(&self) -> u64 {
        self.tables.own_bytes()
    }

    fn budget(&self) -> Option<&Budget> {
        self.tables.budget()
    }
}
