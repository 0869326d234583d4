//! A specification as a finite automaton over calls and returns.

use crate::typed::{ProcId, PropertyId, SharedId, ThreadId};
use crate::types::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Which reports there are of a procedure: that it is called, with these arguments; that it returns, with this result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// It is called.
    Call,
    /// It returns.
    Return,
}

/// What the calls of some procedures are held against.
///
/// A state stands for all orders of the calls so far, one after another, that explain the results so far. The states from
/// `n_states` on say that there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// What holds its state: the ghost that holds the state of the specification in the text.
    pub shared: SharedId,
    /// What is violated where no order is left.
    pub property: PropertyId,
    /// How many states there are with an order.
    pub n_states: usize,
    /// For each state, for each event the next state.
    pub next: Arc<[Value]>,
    /// The events, in words: `client[0] calls alloc()`.
    pub events: Vec<String>,
    /// What each state shows of the specification: the values it may have now.
    pub shown: Vec<String>,
    /// The first event of each kind.
    pub first: FxHashMap<(ThreadId, u32, ProcId, Moment), usize>,
}

impl Specification {
    /// The state after an event.
    pub fn after(&self, state: i64, event: i64) -> Option<i64> {
        let event = usize::try_from(event).ok().filter(|event| *event < self.events.len())?;
        self.next.get(usize::try_from(state).ok()? * self.events.len() + event).map(|next| i64::from(*next))
    }
}

/// That a procedure is called or returns: with the number of its arguments or result, an event.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it is reported to.
    pub specification: Arc<Specification>,
    /// The procedure.
    pub proc: ProcId,
    /// Which of the two.
    pub moment: Moment,
}

impl Report {
    /// The event of number 0 where copy `copy` of a thread reports.
    pub fn first(&self, thread: ThreadId, copy: u32) -> usize {
        self.specification.first.get(&(thread, copy, self.proc, self.moment)).copied().unwrap_or_default()
    }
}
