//! The product of system and automaton: pairs of a state of each, and the moves between them.
//!
//! The automaton reads the atoms of the state that a step leaves. A move carries the marks of the automaton's edge and
//! one mark for each component that the step is fair to; a run is a counterexample iff all marks recur.

use crate::fair::{FairSystem, all_components};
use crate::graph::{EdgeNumber, Graph, NO_EDGE};
use crate::states::StateNumber;
use ltl::Automaton;

/// A pair: the number of the system's state above the 16 bits of the automaton's.
pub(crate) type Pair = u64;

/// Acceptance marks: the automaton's in the lower half, one per component above.
pub(crate) type Marks = u128;

pub(crate) struct Product<'a, S: ?Sized> {
    pub(crate) graph: Graph<'a, S>,
    automaton: &'a Automaton,
    /// The marks that must recur.
    pub(crate) all_marks: Marks,
}

/// A place among the moves of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    edge: EdgeNumber,
    automaton_edge: u16,
}

pub(crate) struct Move {
    pub(crate) to: Pair,
    pub(crate) marks: Marks,
    pub(crate) edge: EdgeNumber,
}

pub(crate) fn system_state(pair: Pair) -> StateNumber {
    (pair >> 16) as StateNumber
}

impl<'a, S: FairSystem + ?Sized> Product<'a, S> {
    pub(crate) fn new(system: &'a S, automaton: &'a Automaton, fairness: u64) -> Self {
        let fairness = fairness & all_components(system);
        let all_marks = Marks::from(automaton.all_marks()) | Marks::from(fairness) << 64;
        Product { graph: Graph::new(system, fairness), automaton, all_marks }
    }

    pub(crate) fn initial(&mut self) -> Vec<Pair> {
        let initial = self.graph.initial();
        initial.into_iter().map(|state| pair(state, self.automaton.initial)).collect()
    }

    pub(crate) fn n_automaton_states(&self) -> usize {
        self.automaton.states.len()
    }

    /// Makes the moves of a pair known, and gives the first of them.
    pub(crate) fn enter(&mut self, at: Pair) -> Cursor {
        self.graph.expand(system_state(at));
        Cursor { edge: self.graph.first_edge(system_state(at)), automaton_edge: 0 }
    }

    /// The next move of the pair that was entered.
    pub(crate) fn advance(&self, at: Pair, cursor: &mut Cursor) -> Option<Move> {
        let from = system_state(at);
        let edges = &self.automaton.states[at as u16 as usize].edges;
        let atoms = self.graph.atoms(from);
        while cursor.edge != NO_EDGE {
            while let Some(taken) = edges.get(cursor.automaton_edge as usize) {
                cursor.automaton_edge += 1;
                if taken.allows(atoms) {
                    let fair_to = Marks::from(self.graph.fair_to(from, cursor.edge)) << 64;
                    return Some(Move {
                        to: pair(self.graph.target(cursor.edge), taken.to),
                        marks: Marks::from(taken.marks) | fair_to,
                        edge: cursor.edge,
                    });
                }
            }
            *cursor = Cursor { edge: self.graph.edge_after(cursor.edge), automaton_edge: 0 };
        }
        None
    }
}

fn pair(state: StateNumber, automaton_state: u16) -> Pair {
    u64::from(state) << 16 | u64::from(automaton_state)
}
