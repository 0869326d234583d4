//! The system's states and steps, found on the way: each state is expanded once, whatever the automaton does.

use crate::fair::{FairSystem, letter};
use crate::states::{StateNumber, States};
use ltl::Letter;
use rustc_hash::FxHashMap;
use system::{StateTable, Successors, hash};

/// A step, by its position among all steps found.
pub(crate) type EdgeNumber = u32;

/// Where the steps of a state that has none begin, and what follows the last step.
pub(crate) const NO_EDGE: EdgeNumber = u32::MAX;
/// The state has not been expanded.
const UNKNOWN: EdgeNumber = u32::MAX - 1;
/// More than this does not fit.
const MOST: usize = (u32::MAX - 2) as usize;

/// Set in a step's word if it is the last of its state.
const LAST: u16 = 1 << 8;
/// Set in a step's word if the run stays: in a state without steps, or where others stop.
const STUTTER: u16 = 1 << 9;

/// What the automaton and fairness see of a state. There are few different ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct View {
    letter: Letter,
    /// The components of interest that are not enabled.
    disabled: u64,
}

pub(crate) struct Graph<'a, S: FairSystem + ?Sized> {
    system: &'a S,
    scratch: S::Scratch,
    fairness: u64,
    states: States,
    /// By state: its first step, and the number of its view.
    first: Vec<EdgeNumber>,
    view: Vec<u32>,
    views: Vec<View>,
    view_numbers: FxHashMap<View, u32>,
    /// By step: where it leads, and its label with `LAST` and `STUTTER`.
    to: Vec<StateNumber>,
    step: Vec<u16>,
    /// By label: the components that take a step.
    taken: Vec<Option<u64>>,
    successors: Successors,
    hashes: Vec<u64>,
    from: Vec<u32>,
}

impl<'a, S: FairSystem + ?Sized> Graph<'a, S> {
    pub(crate) fn new(system: &'a S, fairness: u64) -> Self {
        Graph {
            system,
            scratch: system.scratch(),
            fairness,
            states: States::new(system.state_len()),
            first: Vec::new(),
            view: Vec::new(),
            views: Vec::new(),
            view_numbers: FxHashMap::default(),
            to: Vec::new(),
            step: Vec::new(),
            taken: vec![None; 256],
            successors: Successors::new(system.state_len()),
            hashes: Vec::new(),
            from: vec![0; system.state_len()],
        }
    }

    /// The initial states, each once.
    pub(crate) fn initial(&mut self) -> Vec<StateNumber> {
        let mut successors = Successors::new(self.system.state_len());
        self.system.initial(&mut successors);
        let mut initial: Vec<StateNumber> =
            successors.iter().map(|(state, _)| self.number(state, hash(state))).collect();
        initial.sort_unstable();
        initial.dedup();
        initial
    }

    fn number(&mut self, state: &[u32], hash: u64) -> StateNumber {
        let (number, is_new) = self.states.number(state, hash);
        if is_new {
            self.first.resize(number as usize + 1, UNKNOWN);
            self.view.resize(number as usize + 1, 0);
        }
        number
    }

    /// Whether there is room for the successors of another state.
    pub(crate) fn has_room(&self) -> bool {
        self.states.end() < StateTable::CAPACITY - (1 << 20) && self.to.len() < MOST - (1 << 20)
    }

    /// Finds the steps of a state, unless they are known.
    pub(crate) fn expand(&mut self, state: StateNumber) {
        if self.first[state as usize] != UNKNOWN {
            return;
        }
        let mut from = std::mem::take(&mut self.from);
        self.states.read(state, &mut from);
        let mut successors = std::mem::replace(&mut self.successors, Successors::new(0));
        successors.clear();
        self.system.successors(&from, &mut self.scratch, &mut successors);
        let start = self.to.len();
        let system = self.system;
        let mut stepping = 0;
        let mut hashes = std::mem::take(&mut self.hashes);
        self.states.hashes(&successors, &mut hashes);
        for ((to, label), hash) in successors.iter().zip(&hashes) {
            let to = self.number(to, *hash);
            self.add_edge(start, to, u16::from(label));
            stepping |= *self.taken[label as usize].get_or_insert_with(|| system.taken(label));
        }
        let ended = successors.is_end();
        let enabled = if self.fairness == 0 { 0 } else { self.fairness & system.enabled(&from, stepping) };
        if ended || system.may_stop() && enabled == 0 {
            self.add_edge(start, state, STUTTER);
        }
        // A path that was discarded does not exist: it is neither a step nor an end.
        self.first[state as usize] = if self.to.len() > start { start as EdgeNumber } else { NO_EDGE };
        if let Some(last) = self.step[start..].last_mut() {
            *last |= LAST;
        }
        self.view[state as usize] = self.view_number(&from, self.fairness & !enabled, ended);
        (self.from, self.successors, self.hashes) = (from, successors, hashes);
    }

    /// Adds a step unless the state, whose steps begin at `start`, has it already.
    fn add_edge(&mut self, start: usize, to: StateNumber, step: u16) {
        let is_known = (start..self.to.len()).any(|edge| self.to[edge] == to && self.step[edge] == step);
        if !is_known {
            self.to.push(to);
            self.step.push(step);
        }
    }

    fn view_number(&mut self, state: &[u32], disabled: u64, ended: bool) -> u32 {
        let view = View { letter: letter(self.system, state, ended), disabled };
        *self.view_numbers.entry(view).or_insert_with(|| {
            self.views.push(view);
            (self.views.len() - 1) as u32
        })
    }

    /// The first step of an expanded state.
    pub(crate) fn first_edge(&self, state: StateNumber) -> EdgeNumber {
        self.first[state as usize]
    }

    /// The step of the same state that follows.
    pub(crate) fn edge_after(&self, edge: EdgeNumber) -> EdgeNumber {
        if self.step[edge as usize] & LAST != 0 { NO_EDGE } else { edge + 1 }
    }

    pub(crate) fn target(&self, edge: EdgeNumber) -> StateNumber {
        self.to[edge as usize]
    }

    /// The label of a step; none if the run stays.
    pub(crate) fn label(&self, edge: EdgeNumber) -> Option<u8> {
        let step = self.step[edge as usize];
        (step & STUTTER == 0).then_some(step as u8)
    }

    /// What the formula sees of an expanded state.
    pub(crate) fn letter(&self, state: StateNumber) -> Letter {
        self.views[self.view[state as usize] as usize].letter
    }

    /// The components of interest that a step from `state` is fair to: they are not enabled there, or they take it.
    pub(crate) fn fair_to(&self, state: StateNumber, edge: EdgeNumber) -> u64 {
        let taken = self.label(edge).and_then(|label| self.taken[label as usize]).unwrap_or(0);
        self.views[self.view[state as usize] as usize].disabled | taken & self.fairness
    }

    pub(crate) fn words(&self, state: StateNumber) -> Vec<u32> {
        let mut words = vec![0; self.from.len()];
        self.states.read(state, &mut words);
        words
    }

    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn n_edges(&self) -> usize {
        self.to.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let tables = self.first.capacity() * 8 + self.to.capacity() * 6 + self.views.capacity() * 64;
        self.states.bytes() + tables as u64 + self.system.own_bytes()
    }
}
