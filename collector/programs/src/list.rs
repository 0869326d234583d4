//! A queue as a linked list: nodes come at the tail and go at the head, in order.

use crate::random::{Random, checksum};
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const NODE: Shape = Shape { n_slots: 1, n_data: 2 };
const MAX_NODES: u64 = 300;

/// Registers: head, tail.
#[derive(Clone, Debug)]
pub(crate) struct List {
    random: Random,
    /// The numbers of the nodes that are there: `[first, next)`.
    first: u64,
    next: u64,
}

impl List {
    pub(crate) fn new(seed: u64) -> List {
        List { random: Random::new(seed), first: 0, next: 0 }
    }

    fn push<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        let node = mutator.alloc(NODE)?;
        mutator.set_data(node, 1, 0, self.next)?;
        mutator.set_data(node, 1, 1, checksum(self.next, 1))?;
        match self.first == self.next {
            true => mutator.set_register(0, node),
            false => mutator.store(mutator.register(1), 0, node)?,
        }
        mutator.set_register(1, node);
        self.next += 1;
        Ok(())
    }

    fn pop<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<bool, M> {
        let head = mutator.register(0);
        let is_right = is_node(mutator, head, self.first)?;
        let next = mutator.load(head, 0)?;
        mutator.set_register(0, next);
        self.first += 1;
        if self.first == self.next {
            mutator.set_register(1, Ref::NULL);
        }
        Ok(is_right)
    }
}

fn is_node<M: Method>(mutator: &mut Mutator<'_, M>, node: Ref, number: u64) -> Step<bool, M> {
    Ok(!node.is_null() && mutator.data(node, 1, 0)? == number && mutator.data(node, 1, 1)? == checksum(number, 1))
}

impl Program for List {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let n_nodes = self.next - self.first;
        let grows = n_nodes == 0 || n_nodes < MAX_NODES && self.random.below(100) < 51;
        if grows {
            self.push(mutator)?;
        } else if !self.pop(mutator)? {
            return Ok(Progress::Wrong("the head is not the oldest node"));
        }
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let mut node = mutator.register(0);
        for number in self.first..self.next {
            if !is_node(mutator, node, number)? {
                return Ok(Progress::Wrong("a node of the list is missing"));
            }
            node = mutator.load(node, 0)?;
        }
        Ok(if node.is_null() { Progress::Done } else { Progress::Wrong("the list is too long") })
    }
}
