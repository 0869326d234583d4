//! The number of each pair seen: a plain table while there are few controls, a hash map otherwise.

use crate::product::{Pair, control_number, system_state};
use rustc_hash::FxHashMap;

/// The most controls for which a table with a place for every pair is the smaller choice.
const SMALL: usize = 8;
const NONE: u32 = u32::MAX;

pub(crate) enum Numbering {
    /// By state of the system, then by control.
    Table {
        n_controls: usize,
        numbers: Vec<u32>,
    },
    Map(FxHashMap<Pair, u32>),
}

impl Numbering {
    /// A numbering of pairs with so many controls, if that is known.
    pub(crate) fn new(n_controls: Option<usize>) -> Self {
        match n_controls {
            Some(n_controls) if n_controls <= SMALL => Numbering::Table { n_controls, numbers: Vec::new() },
            _ => Numbering::Map(FxHashMap::default()),
        }
    }

    fn position(pair: Pair, n_controls: usize) -> usize {
        system_state(pair) as usize * n_controls + control_number(pair) as usize
    }

    pub(crate) fn get(&self, pair: Pair) -> Option<u32> {
        match self {
            Numbering::Table { n_controls, numbers } => {
                numbers.get(Self::position(pair, *n_controls)).copied().filter(|number| *number != NONE)
            }
            Numbering::Map(map) => map.get(&pair).copied(),
        }
    }

    /// Gives a number to a pair that has none.
    pub(crate) fn set(&mut self, pair: Pair, number: u32) {
        match self {
            Numbering::Table { n_controls, numbers } => {
                let position = Self::position(pair, *n_controls);
                if position >= numbers.len() {
                    numbers.resize(position + *n_controls, NONE);
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
