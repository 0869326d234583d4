//! A graph with many references: edges are rewired, nodes replaced, and every edge knows whom it should name.

use crate::random::Random;
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const N_NODES: u64 = 96;
const N_EDGES: u8 = 6;
const TABLE: Shape = Shape { n_slots: N_NODES as u8, n_data: 0 };
/// Data: the node's number, then for each edge the number of the node that it names, plus one; 0 for none.
const NODE: Shape = Shape { n_slots: N_EDGES, n_data: 1 + N_EDGES };

/// Registers: the table of all nodes, a node that walks.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    random: Random,
    n_made: u64,
}

impl Graph {
    pub(crate) fn new(seed: u64) -> Graph {
        Graph { random: Random::new(seed), n_made: 0 }
    }

    fn make<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        if self.n_made == 0 {
            let table = mutator.alloc(TABLE)?;
            mutator.set_register(0, table);
        }
        let node = mutator.alloc(NODE)?;
        mutator.set_data(node, N_EDGES, 0, self.n_made)?;
        mutator.store(mutator.register(0), self.n_made as u8, node)?;
        mutator.set_register(1, node);
        self.n_made += 1;
        Ok(())
    }

    fn node<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(u64, Ref), M> {
        let number = self.random.below(N_NODES);
        Ok((number, mutator.load(mutator.register(0), number as u8)?))
    }

    fn rewire<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        let (_, from) = self.node(mutator)?;
        let (number, to) = self.node(mutator)?;
        let edge = self.random.below(u64::from(N_EDGES)) as u8;
        mutator.store(from, edge, to)?;
        mutator.set_data(from, N_EDGES, 1 + edge, number + 1)
    }

    /// Whether every edge of a node names whom it should; also by identity.
    fn is_right<M: Method>(mutator: &mut Mutator<'_, M>, node: Ref) -> Step<bool, M> {
        for edge in 0..N_EDGES {
            let expected = mutator.data(node, N_EDGES, 1 + edge)?;
            let named = mutator.load(node, edge)?;
            if named.is_null() != (expected == 0) {
                return Ok(false);
            }
            if expected != 0 {
                let known = mutator.load(mutator.register(0), (expected - 1) as u8)?;
                if mutator.data(named, N_EDGES, 0)? != expected - 1 || !mutator.is_same(named, known)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl Program for Graph {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if self.n_made < N_NODES {
            self.make(mutator)?;
            return Ok(Progress::More);
        }
        let walker = mutator.register(1);
        if !Self::is_right(mutator, walker)? {
            return Ok(Progress::Wrong("an edge names another node"));
        }
        let edge = self.random.below(u64::from(N_EDGES)) as u8;
        let next = mutator.load(walker, edge)?;
        let next = if next.is_null() { self.node(mutator)?.1 } else { next };
        mutator.set_register(1, next);
        if self.random.below(3) == 0 {
            self.rewire(mutator)?;
        }
        // Garbage between the nodes, so that regions are worth moving.
        mutator.alloc(NODE)?;
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if self.n_made < N_NODES {
            return Ok(Progress::Done);
        }
        for number in 0..N_NODES {
            let node = mutator.load(mutator.register(0), number as u8)?;
            if mutator.data(node, N_EDGES, 0)? != number || !Self::is_right(mutator, node)? {
                return Ok(Progress::Wrong("a node of the graph is wrong"));
            }
        }
        Ok(Progress::Done)
    }
}
