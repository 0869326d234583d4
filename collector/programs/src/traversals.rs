//! Tight loops over structures that fit a cache or do not: what a barrier costs.

use crate::random::Random;
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

const NODE: Shape = Shape { n_slots: 1, n_data: 1 };
const BRANCH: Shape = Shape { n_slots: 2, n_data: 1 };
const ARRAY: Shape = Shape { n_slots: 128, n_data: 0 };

/// What is traversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// A cyclic list: each reference depends on the last.
    Chain {
        /// So many consecutive nodes lie side by side.
        cluster: u64,
    },
    /// Lookups in a balanced tree.
    Lookup,
    /// An array of references, one after the other.
    Scan,
}

/// What is written on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// Nothing.
    None,
    /// A data word at each eighth hop.
    Data,
    /// A reference at each eighth hop, the one that is there already.
    References,
}

/// Which time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// What passed.
    Wall,
    /// What the thread ran: on a machine with other work, the cost of a barrier.
    Processor,
}

/// A moment, or the time between two, by both clocks.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    wall: Duration,
    processor: Duration,
}

impl Moment {
    fn now() -> Moment {
        let read = |id| {
            let time = clock_gettime(id);
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        };
        Moment { wall: read(ClockId::Monotonic), processor: read(ClockId::ThreadCPUTime) }
    }

    fn since(self, earlier: Moment) -> Moment {
        Moment { wall: self.wall - earlier.wall, processor: self.processor - earlier.processor }
    }
}

/// A traversal of `n_nodes` objects, after they have been built. One hop per step.
#[derive(Clone, Debug)]
pub struct Traversal {
    order: Order,
    writes: Writes,
    n_nodes: u64,
    goal: u64,
    n_built: u64,
    key: u64,
    n_hops: u64,
    /// What was read, so that reading is not optimised away.
    pub sum: u64,
    random: Random,
    started: Option<Moment>,
    elapsed: Option<Moment>,
}

impl Traversal {
    /// A traversal of a structure of so many objects, at most 128 for scans, with so many hops.
    pub fn new(order: Order, writes: Writes, n_nodes: u64, goal: u64) -> Traversal {
        let random = Random::new(5);
        let (started, elapsed) = (None, None);
        Traversal { order, writes, n_nodes, goal, n_built: 0, key: 0, n_hops: 0, sum: 0, random, started, elapsed }
    }

    /// Whether the structure is complete.
    pub fn is_built(&self) -> bool {
        self.n_built == self.n_nodes
    }

    /// Hops per second since the structure was built, by one clock or the other.
    pub fn rate(&self, clock: Clock) -> f64 {
        let elapsed = self.elapsed.unwrap_or_default();
        let time = if clock == Clock::Processor { elapsed.processor } else { elapsed.wall };
        self.n_hops as f64 / time.as_secs_f64().max(1e-9)
    }

    #[cold]
    #[inline(never)]
    fn build<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let number = self.n_built;
        self.n_built += 1;
        match self.order {
            Order::Chain { cluster } => build_chain(mutator, number, cluster)?,
            Order::Lookup => build_branch(mutator, number)?,
            Order::Scan => build_array(mutator, number)?,
        }
        if self.n_built == self.n_nodes {
            self.started = Some(Moment::now());
        }
        Ok(Progress::More)
    }

    fn chain<M: Method>(
        mutator: &mut Mutator<'_, M>,
        max: u64,
        write: impl Fn(&mut Mutator<'_, M>, Ref, Ref, u64) -> Step<(), M>,
    ) -> Step<u64, M> {
        let (node, n) = chain(mutator, mutator.register(1), max, write)?;
        mutator.set_register(1, node);
        Ok(n)
    }

    fn lookup<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, max: u64) -> Step<u64, M> {
        let (root, node) = (mutator.register(0), mutator.register(1));
        let at = Position { node, key: self.key, sum: self.sum, random: self.random };
        let (at, n) = lookup(mutator, root, at, max)?;
        (self.key, self.sum, self.random) = (at.key, at.sum, at.random);
        mutator.set_register(1, at.node);
        Ok(n)
    }

    fn scan<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, max: u64) -> Step<u64, M> {
        let (sum, n) = scan(mutator, mutator.register(0), self.sum, max)?;
        self.sum = sum;
        Ok(n)
    }

    fn hop<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, max: u64) -> Step<u64, M> {
        match (self.order, self.writes) {
            (Order::Chain { .. }, Writes::None) => Self::chain(mutator, max, |_, _, _, _| Ok(())),
            (Order::Chain { .. }, Writes::Data) => Self::chain(mutator, max, |m, node, _, n| m.set_data(node, 1, 0, n)),
            (Order::Chain { .. }, Writes::References) => Self::chain(mutator, max, |m, node, next, _| {
                // A barrier's slow path writes the mutator. So does the loop of every method, which then differ by barriers only.
                m.set_register(1, node);
                m.store(node, 0, next)
            }),
            (Order::Lookup, _) => self.lookup(mutator, max),
            (Order::Scan, _) => self.scan(mutator, max),
        }
    }
}

/// Where a lookup is.
struct Position {
    node: Ref,
    key: u64,
    sum: u64,
    random: Random,
}

// The loops. Those that write no references write nothing of the mutator, so the compiler keeps what they read of it in registers, as
// that of a runtime would: a hop loads what is polled and what it hops to.

/// A hop per turn; every eighth writes.
#[inline(never)]
fn chain<M: Method>(
    mutator: &mut Mutator<'_, M>,
    mut node: Ref,
    max: u64,
    write: impl Fn(&mut Mutator<'_, M>, Ref, Ref, u64) -> Step<(), M>,
) -> Step<(Ref, u64), M> {
    let mut n = 0;
    while n < max && !mutator.poll() {
        let next = mutator.load(node, 0)?;
        if n.is_multiple_of(8) {
            write(mutator, node, next, n)?;
        }
        node = next;
        n += 1;
    }
    Ok((node, n))
}

/// A level of a lookup per turn; a leaf's children are null, and the next key begins at the root.
#[inline(never)]
fn lookup<M: Method>(
    mutator: &mut Mutator<'_, M>,
    root: Ref,
    Position { mut node, mut key, mut sum, mut random }: Position,
    max: u64,
) -> Step<(Position, u64), M> {
    let mut n = 0;
    while n < max && !mutator.poll() {
        let child = mutator.load(node, (key & 1) as u8)?;
        key >>= 1;
        if child.is_null() {
            sum = sum.wrapping_add(mutator.data(node, 2, 0)?);
            key = random.below(1 << 31);
            node = root;
        } else {
            node = child;
        }
        n += 1;
    }
    Ok((Position { node, key, sum, random }, n))
}

/// An element of the array per turn.
#[inline(never)]
fn scan<M: Method>(mutator: &mut Mutator<'_, M>, array: Ref, mut sum: u64, max: u64) -> Step<(u64, u64), M> {
    let mut n = 0;
    while n < max && !mutator.poll() {
        let object = mutator.load(array, (n & 127) as u8)?;
        sum = sum.wrapping_add(mutator.data(object, 1, 0)?);
        n += 1;
    }
    Ok((sum, n))
}

/// Consecutive clusters of the list lie apart: the list is built by insertion behind a cluster far back.
fn build_chain<M: Method>(mutator: &mut Mutator<'_, M>, number: u64, cluster: u64) -> Step<(), M> {
    let node = mutator.alloc(NODE)?;
    mutator.set_data(node, 1, 0, number)?;
    if number == 0 {
        mutator.store(node, 0, node)?;
        mutator.set_register(0, node);
        mutator.set_register(1, node);
        return Ok(());
    }
    let mut before = mutator.register(1);
    if number.is_multiple_of(cluster) {
        // Two clusters on: the next one is elsewhere.
        for _ in 0..2 * cluster {
            before = mutator.load(before, 0)?;
        }
    }
    let after = mutator.load(before, 0)?;
    mutator.store(node, 0, after)?;
    mutator.store(before, 0, node)?;
    mutator.set_register(1, node);
    Ok(())
}

/// Node `number` of a heap-ordered tree: found from the root by the bits of its number.
fn build_branch<M: Method>(mutator: &mut Mutator<'_, M>, number: u64) -> Step<(), M> {
    let node = mutator.alloc(BRANCH)?;
    mutator.set_data(node, 2, 0, number)?;
    if number == 0 {
        mutator.set_register(0, node);
        mutator.set_register(1, node);
        return Ok(());
    }
    let path = number + 1;
    let depth = path.ilog2();
    let mut parent = mutator.register(0);
    for level in (1..depth).rev() {
        parent = mutator.load(parent, (path >> level & 1) as u8)?;
    }
    mutator.store(parent, (path & 1) as u8, node)
}

fn build_array<M: Method>(mutator: &mut Mutator<'_, M>, number: u64) -> Step<(), M> {
    if number == 0 {
        let array = mutator.alloc(ARRAY)?;
        mutator.set_register(0, array);
    }
    let node = mutator.alloc(NODE)?;
    mutator.set_data(node, 1, 0, number)?;
    mutator.store(mutator.register(0), number as u8, node)
}

impl Program for Traversal {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        self.steps(mutator, 1)
    }

    fn steps<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, max: u64) -> Step<Progress, M> {
        if self.n_built < self.n_nodes {
            return self.build(mutator);
        }
        let n = self.hop(mutator, max.min(self.goal - self.n_hops))?;
        self.n_hops += n;
        mutator.count(n);
        Ok(if self.n_hops < self.goal { Progress::More } else { Progress::Done })
    }

    fn check<M: Method>(&mut self, _mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        self.elapsed = self.started.map(|started| Moment::now().since(started));
        Ok(Progress::Done)
    }
}
