//! Automata over infinite words, with acceptance marks on edges: data and text form.

use std::fmt;

/// A transition-based generalised Büchi automaton.
///
/// A run is accepting if each of the marks `0..n_marks` is on infinitely many of its edges. A word is accepted
/// if one of its runs from the initial state is accepting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// Where every run begins.
    pub initial: u16,
    /// The states, by number.
    pub states: Vec<State>,
    /// How many acceptance marks there are.
    pub n_marks: u32,
}

/// A state: its outgoing edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The edges, sorted.
    pub edges: Vec<Edge>,
}

/// An edge: it may be taken on a letter with all atoms of `must` and none of `must_not`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Atoms that must be true.
    pub must: u64,
    /// Atoms that must be false.
    pub must_not: u64,
    /// The acceptance marks on the edge, a bit each.
    pub marks: u64,
    /// Where it leads.
    pub to: u16,
}

impl Edge {
    /// Whether the edge may be taken on this letter.
    pub fn allows(&self, letter: u64) -> bool {
        self.must & !letter == 0 && self.must_not & letter == 0
    }
}

impl Automaton {
    /// All acceptance marks, a bit each.
    pub fn all_marks(&self) -> u64 {
        (1 << self.n_marks) - 1
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }
}

impl fmt::Display for Automaton {
    /// One line per edge: `0: 1 and not 2 -> 3 {0}`, with numbers for states, atoms and marks.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "marks {}, initial {}", self.n_marks, self.initial)?;
        for (number, state) in self.states.iter().enumerate() {
            for edge in &state.edges {
                let bits = |mask: u64| (0..64).filter(move |bit| mask >> bit & 1 == 1);
                let must = bits(edge.must).map(|atom| atom.to_string());
                let mut guard: Vec<String> = must.chain(bits(edge.must_not).map(|a| format!("not {a}"))).collect();
                if guard.is_empty() {
                    guard.push("true".to_string());
                }
                let marks: Vec<String> = bits(edge.marks).map(|mark| mark.to_string()).collect();
                writeln!(out, "{number}: {} -> {} {{{}}}", guard.join(" and "), edge.to, marks.join(" "))?;
            }
        }
        Ok(())
    }
}
