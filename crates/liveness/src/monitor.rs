//! The automaton made deterministic on the way: a monitor reads the letters of a run one by one.
//!
//! Its states are sets of states of the automaton, each with what it remembers of atoms that are undecided now and then (the
//! subset construction). That tells acceptance of runs that end: the
//! last letter repeats forever. Where the automaton accepts only by coming to a state that accepts everything, it tells
//! acceptance of all runs.

use crate::recall::Recall;
use ltl::{Automaton, Edge, Letter, State, components};
use rustc_hash::FxHashMap;

/// A set of states of the automaton.
pub(crate) type SetNumber = u32;
/// A letter, by its position among those met.
pub(crate) type LetterNumber = u32;

/// The empty set: no way to accept is left.
pub(crate) const LOST: SetNumber = 0;
/// Whatever follows is accepted.
pub(crate) const WON: SetNumber = 1;

/// More sets than this are not looked at.
const MOST_SETS: usize = 1 << 14;
const UNKNOWN: SetNumber = u32::MAX;

/// A state of the automaton, and what is remembered.
type Member = (u16, Recall);

pub(crate) struct Monitor<'a> {
    automaton: &'a Automaton,
    undecidable: u64,
    /// By state of the automaton: whether it accepts everything.
    accepts_all: Vec<bool>,
    /// Whether accepting means coming to a state that accepts everything.
    is_safety: bool,
    sets: Vec<Box<[Member]>>,
    set_numbers: FxHashMap<Box<[Member]>, SetNumber>,
    letters: Vec<Letter>,
    letter_numbers: FxHashMap<Letter, LetterNumber>,
    /// By set, then by letter: the set after it.
    steps: Vec<Vec<SetNumber>>,
    /// Whether the letter, repeated forever, is accepted from the set.
    repeated: FxHashMap<(SetNumber, LetterNumber), bool>,
}

impl<'a> Monitor<'a> {
    pub(crate) fn new(automaton: &'a Automaton, undecidable: u64) -> Self {
        let all_marks = automaton.all_marks();
        let takes_all = |edge: &Edge| edge.must | edge.must_not == 0 && edge.marks & all_marks == all_marks;
        let states = automaton.states.iter().enumerate();
        let accepts_all: Vec<bool> =
            states.map(|(at, state)| state.edges.iter().any(|e| e.to as usize == at && takes_all(e))).collect();
        let elsewhere = |at: usize, edge: &Edge| !accepts_all[at] && !accepts_all[edge.to as usize];
        let is_safety = !accepts(automaton, elsewhere).contains(&true);
        let mut monitor = Monitor {
            automaton,
            undecidable,
            accepts_all,
            is_safety,
            sets: vec![Box::default(), Box::default()],
            set_numbers: FxHashMap::default(),
            letters: Vec::new(),
            letter_numbers: FxHashMap::default(),
            steps: vec![Vec::new(), Vec::new()],
            repeated: FxHashMap::default(),
        };
        monitor.set_numbers.insert(Box::default(), LOST);
        monitor
    }

    /// Whether accepting means coming to a state that accepts everything: then runs that never end are decided too.
    pub(crate) fn is_safety(&self) -> bool {
        self.is_safety
    }

    /// Whether there are more sets than it is worth looking at.
    pub(crate) fn is_too_large(&self) -> bool {
        self.sets.len() > MOST_SETS
    }

    /// Where every run begins, before its first letter.
    pub(crate) fn initial(&mut self) -> SetNumber {
        self.set_number(vec![(self.automaton.initial, Recall::default())])
    }

    pub(crate) fn letter_number(&mut self, letter: Letter) -> LetterNumber {
        *self.letter_numbers.entry(letter).or_insert_with(|| {
            self.letters.push(letter);
            self.letters.len() as LetterNumber - 1
        })
    }

    /// The set after a letter.
    pub(crate) fn step(&mut self, set: SetNumber, letter: LetterNumber) -> SetNumber {
        match self.steps[set as usize].get(letter as usize) {
            Some(&after) if after != UNKNOWN => after,
            _ => self.find_step(set, letter),
        }
    }

    #[cold]
    fn find_step(&mut self, set: SetNumber, letter: LetterNumber) -> SetNumber {
        let read = self.letters[letter as usize];
        let mut to = Vec::new();
        for (at, recall) in &self.sets[set as usize] {
            let Some(recall) = recall.after(read, self.undecidable) else { continue };
            let reading = recall.reading(read);
            let edges = self.automaton.states[*at as usize].edges.iter();
            to.extend(edges.filter_map(|edge| Some((edge.to, recall.taking(edge, reading)?))));
        }
        to.sort_unstable();
        to.dedup();
        let after = if set == WON { WON } else { self.set_number(to) };
        let steps = &mut self.steps[set as usize];
        steps.resize(steps.len().max(letter as usize + 1), UNKNOWN);
        steps[letter as usize] = after;
        after
    }

    fn set_number(&mut self, set: Vec<Member>) -> SetNumber {
        if set.iter().any(|(at, recall)| self.accepts_all[*at as usize] && recall.is_settled()) {
            return WON;
        }
        if let Some(number) = self.set_numbers.get(&set[..]) {
            return *number;
        }
        let number = self.sets.len() as SetNumber;
        self.set_numbers.insert(set.clone().into(), number);
        self.sets.push(set.into());
        self.steps.push(Vec::new());
        number
    }

    /// Whether the letter, repeated forever, is accepted from the set.
    pub(crate) fn accepts_repeated(&mut self, set: SetNumber, letter: LetterNumber) -> bool {
        if set == WON || set == LOST {
            return set == WON;
        }
        let (automaton, read) = (self.automaton, self.letters[letter as usize]);
        // What was foretold and has not come by now never comes. All others remember the same.
        let mut members = self.sets[set as usize].iter().filter(|(_, recall)| recall.is_settled()).peekable();
        *self.repeated.entry((set, letter)).or_insert_with(|| {
            let Some(reading) = members.peek().map(|(_, recall)| recall.reading(read)) else { return false };
            let accepting = accepts(automaton, |_, edge| reading.allows(edge));
            members.any(|(at, _)| accepting[*at as usize])
        })
    }
}

/// For each state, whether a cycle with every mark can be reached by edges that `may` be taken.
fn accepts(automaton: &Automaton, may: impl Fn(usize, &Edge) -> bool) -> Vec<bool> {
    let taken = |(at, state): (usize, &State)| state.edges.iter().filter(|edge| may(at, edge)).copied().collect();
    let edges: Vec<Vec<Edge>> = automaton.states.iter().enumerate().map(taken).collect();
    let component = components(edges.len(), |at, out| out.extend(edges[at].iter().map(|edge| edge.to as usize)));
    let mut marks: Vec<Option<u64>> = vec![None; edges.len()];
    for (at, edges) in edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| component[edge.to as usize] == component[at]) {
            *marks[component[at]].get_or_insert(0) |= edge.marks;
        }
    }
    let all = automaton.all_marks();
    let mut accepting: Vec<bool> = component.iter().map(|c| marks[*c].is_some_and(|m| m & all == all)).collect();
    // No edge leads to a component with a greater number, and within a component all states accept or none does.
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|at| component[*at]);
    for group in order.chunk_by(|a, b| component[*a] == component[*b]) {
        let reaches = group.iter().any(|at| accepting[*at] || edges[*at].iter().any(|e| accepting[e.to as usize]));
        group.iter().for_each(|at| accepting[*at] = reaches);
    }
    accepting
}
