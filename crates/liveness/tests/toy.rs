//! Small systems in one line of text: `^0 0a1 1b0 1!c 2x`.
//!
//! `^0`: state 0 is initial (it is also if no state is). `0a1`: thread a steps from 0 to 1. `1!c`: component c is
//! enabled in 1, whatever its steps. `2x`: a path from 2 was discarded. Component a is thread a, unless said otherwise.

use liveness::{FairSystem, LivenessResult, Property, check};
use ltl::{Formula, read};
use std::sync::atomic::AtomicBool;
use system::{Control, Limits, Successors, TransitionSystem};

#[derive(Clone, Debug, Default)]
pub(crate) struct Toy {
    pub(crate) initial: Vec<u32>,
    pub(crate) edges: Vec<(u32, u8, u32)>,
    pub(crate) discarded: Vec<u32>,
    /// By state.
    pub(crate) atoms: Vec<u64>,
    pub(crate) claims: Vec<u64>,
    /// Atoms whose value is to come.
    pub(crate) undecided: Vec<u64>,
    /// By label.
    pub(crate) taken: Vec<u64>,
}

impl Toy {
    /// Reads a system, and its atoms: `p:0,1 q:2 p?:3`, the last if the value of p is to come in 3.
    pub(crate) fn read(system: &str, atoms: &str) -> Toy {
        let mut toy = Toy { taken: (0..8).map(|i| 1 << i).collect(), ..Toy::default() };
        (toy.atoms, toy.claims, toy.undecided) = (vec![0; 10], vec![0; 10], vec![0; 10]);
        let state = |letter: u8| u32::from(letter - b'0');
        for word in system.split_whitespace() {
            match *word.as_bytes() {
                [b'^', at] => toy.initial.push(state(at)),
                [at, b'x'] => toy.discarded.push(state(at)),
                [at, b'!', component] => toy.claims[state(at) as usize] |= 1 << (component - b'a'),
                [from, thread, to] => toy.edges.push((state(from), thread - b'a', state(to))),
                _ => panic!("{word}"),
            }
        }
        if toy.initial.is_empty() {
            toy.initial.push(0);
        }
        for word in atoms.split_whitespace() {
            let (name, states) = word.split_once(':').expect("name:states");
            let (name, mask) = match name.strip_suffix('?') {
                Some(name) => (name, &mut toy.undecided),
                None => (name, &mut toy.atoms),
            };
            let bit = NAMES.iter().position(|n| *n == name).expect("p, q or r");
            states.split(',').for_each(|at| mask[at.parse::<usize>().expect("a state")] |= 1 << bit);
        }
        toy
    }
}

impl TransitionSystem for Toy {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        1
    }
    fn initial(&self, out: &mut Successors) {
        self.initial.iter().for_each(|state| {
            out.push(&[*state], 0);
        });
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        for (_, label, to) in self.edges.iter().filter(|edge| edge.0 == from[0]) {
            out.push(&[*to], *label);
        }
        if self.discarded.contains(&from[0]) {
            out.push(from, 0);
            out.discard_last();
        }
    }
}

impl FairSystem for Toy {
    fn atoms(&self, state: &[u32]) -> u64 {
        self.atoms[state[0] as usize]
    }
    fn undecided(&self, state: &[u32]) -> u64 {
        self.undecided[state[0] as usize]
    }
    fn undecidable(&self) -> u64 {
        self.undecided.iter().fold(0, |all, undecided| all | undecided)
    }
    fn n_components(&self) -> u32 {
        8
    }
    fn taken(&self, label: u8) -> u64 {
        self.taken[label as usize]
    }
    fn enabled(&self, state: &[u32], stepping: u64) -> u64 {
        stepping | self.claims[state[0] as usize]
    }
}

const NAMES: [&str; 3] = ["p", "q", "r"];

/// Reads a formula over `p`, `q`, `r` and `ended`.
pub(crate) fn formula(text: &str) -> Formula {
    let mut names = vec!["-"; 64];
    names[..3].copy_from_slice(&NAMES);
    names[63] = "ended";
    read(text, &names).expect("reads")
}

/// The components named in `fair`, a bit each.
pub(crate) fn mask(fair: &str) -> u64 {
    fair.bytes().fold(0, |mask, letter| mask | 1 << (letter - b'a'))
}

pub(crate) fn run<S: FairSystem>(system: &S, formula: &Formula, fairness: u64, limits: &Limits) -> LivenessResult {
    let stop = AtomicBool::new(false);
    let property = Property::new(formula.clone()).expect("small enough");
    check(system, &property, fairness, limits, &Control { stop: &stop, ..Control::quiet() })
}
