//! Every program by name, with a number of steps.

use crate::cache::Cache;
use crate::graph::Graph;
use crate::list::List;
use crate::map::Map;
use crate::thesis::{ReadFromStack, ReadThroughHeap, WriteFromStack};
use crate::tree::Tree;
use crate::twins::Twins;
use methods::{Method, Mutator, Program, Progress, Step};

/// The programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The thesis' first test program.
    ReadFromStack,
    /// Its second.
    WriteFromStack,
    /// Its third.
    ReadThroughHeap,
    /// A queue.
    List,
    /// A tree changed by path copying.
    Tree,
    /// A hash map.
    Map,
    /// A cache with churn, shared by the mutators.
    Cache,
    /// A graph with many references.
    Graph,
    /// Two slots that name the same object.
    Twins,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 9] = [
        Kind::ReadFromStack,
        Kind::WriteFromStack,
        Kind::ReadThroughHeap,
        Kind::List,
        Kind::Tree,
        Kind::Map,
        Kind::Cache,
        Kind::Graph,
        Kind::Twins,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["read-stack", "write-stack", "read-heap", "list", "tree", "map", "cache", "graph", "twins"][self as usize]
    }
}

/// A program of some kind that takes so many steps.
#[derive(Clone, Debug)]
pub struct Workload {
    left: u64,
    program: Any,
}

#[derive(Clone, Debug)]
enum Any {
    ReadFromStack(ReadFromStack),
    WriteFromStack(WriteFromStack),
    ReadThroughHeap(ReadThroughHeap),
    List(List),
    Tree(Tree),
    Map(Map),
    Cache(Cache),
    Graph(Graph),
    Twins(Twins),
}

impl Workload {
    /// A program of this kind.
    pub fn new(kind: Kind, n_steps: u64, seed: u64) -> Workload {
        let program = match kind {
            Kind::ReadFromStack => Any::ReadFromStack(ReadFromStack),
            Kind::WriteFromStack => Any::WriteFromStack(WriteFromStack::default()),
            Kind::ReadThroughHeap => Any::ReadThroughHeap(ReadThroughHeap::default()),
            Kind::List => Any::List(List::new(seed)),
            Kind::Tree => Any::Tree(Tree::new(seed)),
            Kind::Map => Any::Map(Map::new(seed)),
            Kind::Cache => Any::Cache(Cache::new(seed)),
            Kind::Graph => Any::Graph(Graph::new(seed)),
            Kind::Twins => Any::Twins(Twins::new(seed)),
        };
        Workload { left: n_steps, program }
    }
}

/// Calls the same method of whichever program it is.
macro_rules! each {
    ($any:expr, $program:ident => $call:expr) => {
        match $any {
            Any::ReadFromStack($program) => $call,
            Any::WriteFromStack($program) => $call,
            Any::ReadThroughHeap($program) => $call,
            Any::List($program) => $call,
            Any::Tree($program) => $call,
            Any::Map($program) => $call,
            Any::Cache($program) => $call,
            Any::Graph($program) => $call,
            Any::Twins($program) => $call,
        }
    };
}

impl Program for Workload {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if self.left == 0 {
            return Ok(Progress::Done);
        }
        self.left -= 1;
        each!(&mut self.program, program => program.step(mutator))
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        each!(&mut self.program, program => program.check(mutator))
    }
}
