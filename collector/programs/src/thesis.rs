//! The thesis' three test programs (algorithms 8, 9 and 10), with the expectations corrected.
//!
//! As printed, algorithm 9 asserts that a value it has incremented is still 42, and algorithm 10 never advances.

use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const NODE: Shape = Shape { n_slots: 1, n_data: 1 };
const N_NODES: u64 = 128;
/// Algorithm 9 writes once in so many turns.
const EVERY: u64 = 100;

fn node<M: Method>(mutator: &mut Mutator<'_, M>, value: u64) -> Step<Ref, M> {
    let node = mutator.alloc(NODE)?;
    mutator.set_data(node, 1, 0, value)?;
    Ok(node)
}

/// The node that register 0 holds, allocated at first.
fn held<M: Method>(mutator: &mut Mutator<'_, M>) -> Step<Ref, M> {
    if mutator.register(0).is_null() {
        let a = node(mutator, 42)?;
        mutator.set_register(0, a);
    }
    Ok(mutator.register(0))
}

/// Algorithm 8: an object that only the stack names is moved, and the stack is fixed.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadFromStack;

impl Program for ReadFromStack {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let a = held(mutator)?;
        if mutator.data(a, 1, 0)? != 42 {
            return Ok(Progress::Wrong("the value is not 42"));
        }
        let next = mutator.load(a, 0)?;
        Ok(if next.is_null() { Progress::More } else { Progress::Wrong("the next node is not null") })
    }
}

/// Algorithm 9: no update is lost while the object moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteFromStack {
    turn: u64,
    n_added: u64,
}

impl Program for WriteFromStack {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let a = held(mutator)?;
        let value = mutator.data(a, 1, 0)?;
        if value != 42 + self.n_added {
            return Ok(Progress::Wrong("an update was lost"));
        }
        self.turn += 1;
        if self.turn.is_multiple_of(EVERY) {
            mutator.set_data(a, 1, 0, value + 1)?;
            self.n_added += 1;
        }
        Ok(Progress::More)
    }
}

/// Algorithm 10: objects that only the heap names are moved, and all references updated.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadThroughHeap {
    n_nodes: u64,
    expected: u64,
}

impl Program for ReadThroughHeap {
    /// Registers: head, tail while the list grows, cursor.
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if self.n_nodes <= N_NODES {
            let n = node(mutator, self.n_nodes)?;
            match self.n_nodes {
                0 => mutator.set_register(0, n),
                _ => mutator.store(mutator.register(1), 0, n)?,
            }
            mutator.set_register(1, n);
            self.n_nodes += 1;
            return Ok(Progress::More);
        }
        mutator.set_register(1, Ref::NULL);
        if mutator.register(2).is_null() {
            mutator.set_register(2, mutator.register(0));
            self.expected = 0;
        }
        self.hop(mutator)
    }
}

impl ReadThroughHeap {
    fn hop<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let cursor = mutator.register(2);
        if mutator.data(cursor, 1, 0)? != self.expected {
            return Ok(Progress::Wrong("a node has another's value"));
        }
        let next = mutator.load(cursor, 0)?;
        if next.is_null() != (self.expected == N_NODES) {
            return Ok(Progress::Wrong("the list has another length"));
        }
        self.expected += 1;
        mutator.set_register(2, next);
        Ok(Progress::More)
    }
}
