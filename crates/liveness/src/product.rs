//! The product of system and automaton: pairs of a state of the system and a *control*, and the moves between them.
//!
//! A control is a state of the automaton, with what is remembered of atoms that are undecided now and then; without such
//! atoms it is the state of the automaton. The automaton reads the letter of the state that a step leaves. A move carries the
//! marks of the automaton's edge and
//! one mark for each component that the step is fair to; a run is a counterexample iff all marks recur.

use crate::fair::{FairSystem, all_components};
use crate::graph::{EdgeNumber, Graph, NO_EDGE};
use crate::recall::Recall;
use crate::states::StateNumber;
use ltl::Automaton;
use rustc_hash::FxHashMap;

/// A pair: the number of the system's state above the 32 bits of the control's.
pub(crate) type Pair = u64;

/// Acceptance marks: the automaton's in the lower half with `SETTLED`, one per component above.
pub(crate) type Marks = u128;

/// The mark of moves after which nothing is foretold.
const SETTLED: Marks = 1 << 63;

/// A control, by its position among those met. The states of the automaton with nothing to remember come first.
type ControlNumber = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Control {
    at: u16,
    recall: Recall,
}

pub(crate) struct Product<'a, S: FairSystem + ?Sized> {
    pub(crate) graph: Graph<'a, S>,
    automaton: &'a Automaton,
    /// The marks that must recur.
    pub(crate) all_marks: Marks,
    undecidable: u64,
    controls: Vec<Control>,
    control_numbers: FxHashMap<Control, ControlNumber>,
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
    (pair >> 32) as StateNumber
}

pub(crate) fn control_number(pair: Pair) -> ControlNumber {
    pair as ControlNumber
}

impl<'a, S: FairSystem + ?Sized> Product<'a, S> {
    pub(crate) fn new(system: &'a S, automaton: &'a Automaton, fairness: u64) -> Self {
        let fairness = fairness & all_components(system);
        let undecidable = system.undecidable();
        let settled = if undecidable == 0 { 0 } else { SETTLED };
        let all_marks = Marks::from(automaton.all_marks()) | settled | Marks::from(fairness) << 64;
        let control = |at: usize| Control { at: at as u16, recall: Recall::default() };
        let controls: Vec<Control> = (0..automaton.states.len()).map(control).collect();
        let control_numbers = controls.iter().zip(0..).map(|(control, number)| (*control, number)).collect();
        let graph = Graph::new(system, fairness);
        Product { graph, automaton, all_marks, undecidable, controls, control_numbers }
    }

    pub(crate) fn initial(&mut self) -> Vec<Pair> {
        let (initial, at) = (self.graph.initial(), self.automaton.initial);
        initial.into_iter().filter_map(|state| self.come_to(state, at, Recall::default())).collect()
    }

    /// The pair after a step to `state`; none if something was foretold wrongly.
    fn come_to(&mut self, state: StateNumber, at: u16, recall: Recall) -> Option<Pair> {
        if self.undecidable == 0 {
            return Some(pair(state, at.into()));
        }
        self.graph.expand(state);
        let recall = recall.after(self.graph.letter(state), self.undecidable)?;
        let (control, next) = (Control { at, recall }, self.controls.len() as ControlNumber);
        let number = *self.control_numbers.entry(control).or_insert(next);
        if number == next {
            self.controls.push(control);
        }
        Some(pair(state, number))
    }

    pub(crate) fn n_automaton_states(&self) -> usize {
        self.automaton.states.len()
    }

    /// How many controls there are, if that is known beforehand.
    pub(crate) fn n_controls(&self) -> Option<usize> {
        (self.undecidable == 0).then_some(self.controls.len())
    }

    /// Makes the moves of a pair known, and gives the first of them.
    pub(crate) fn enter(&mut self, at: Pair) -> Cursor {
        self.graph.expand(system_state(at));
        Cursor { edge: self.graph.first_edge(system_state(at)), automaton_edge: 0 }
    }

    /// The next move of the pair that was entered.
    pub(crate) fn advance(&mut self, pair: Pair, cursor: &mut Cursor) -> Option<Move> {
        let from = system_state(pair);
        let Control { at, recall } = self.controls[control_number(pair) as usize];
        let reading = recall.reading(self.graph.letter(from));
        let edges = &self.automaton.states[at as usize].edges;
        while cursor.edge != NO_EDGE {
            while let Some(taken) = edges.get(cursor.automaton_edge as usize) {
                cursor.automaton_edge += 1;
                let Some(recall) = recall.taking(taken, reading) else { continue };
                let Some(to) = self.come_to(self.graph.target(cursor.edge), taken.to, recall) else { continue };
                let fair_to = Marks::from(self.graph.fair_to(from, cursor.edge)) << 64;
                let settled = if recall.is_settled() { SETTLED } else { 0 };
                return Some(Move { to, marks: Marks::from(taken.marks) | settled | fair_to, edge: cursor.edge });
            }
            *cursor = Cursor { edge: self.graph.edge_after(cursor.edge), automaton_edge: 0 };
        }
        None
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.graph.bytes() + (self.controls.capacity() * 3 * size_of::<Control>()) as u64
    }
}

fn pair(state: StateNumber, control: ControlNumber) -> Pair {
    u64::from(state) << 32 | u64::from(control)
}
