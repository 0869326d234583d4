//! The number of each pair seen: a plain table while the automaton is small, a hash map otherwise.

use crate::product::{Pair, system_state};
use rustc_hash::FxHashMap;

/// The greatest automaton for which a table with a place for every pair is the smaller choice.
const SMALL: usize = 8;
const NONE: u32 = u32::MAX;

pub(crate) enum Numbering {
    /// By state of the system, then by state of the automaton.
    Table {
        n_automaton_states: usize,
        numbers: Vec<u32>,
    },
    Map(FxHashMap<Pair, u32>),
}

impl Numbering {
    pub(crate) fn new(n_automaton_states: usize) -> Self {
        if n_automaton_states <= SMALL {
            Numbering::Table { n_automaton_states, numbers: Vec::new() }
        } else {
            Numbering::Map(FxHashMap::default())
        }
    }

    fn position(pair: Pair, n_automaton_states: usize) -> usize {
        system_state(pair) as usize * n_automaton_states + pair as u16 as usize
    }

    pub(crate) fn get(&self, pair: Pair) -> Option<u32> {
        match self {
            Numbering::Table { n_automaton_states, numbers } => {
                numbers.get(Self::position(pair, *n_automaton_states)).copied().filter(|number| *number != NONE)
            }
            Numbering::Map(map) => map.get(&pair).copied(),
        }
    }

    /// Gives a number to a pair that has none.
    pub(crate) fn set(&mut self, pair: Pair, number: u32) {
        match self {
            Numbering::Table { n_automaton_states, numbers } => {
                let position = Self::position(pair, *n_automaton_states);
                if position >= numbers.len() {
                    numbers.resize(position + *n_automaton_states, NONE);
                }
                numbers[position] = number;
            }
            Numbering::Map(map) => {
                map.insert(pair, number);
            }
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Numbering::Table { numbers, .. } => numbers.capacity() as u64 * 4,
            Numbering::Map(map) => map.capacity() as u64 * 17 * 8 / 7,
        }
    }
}
