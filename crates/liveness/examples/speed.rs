//! How fast a check is: counters that go round, all fair, with one to three formulas to remember.
//!
//! `cargo run --release -p liveness --example speed`

use liveness::{FairSystem, Property, all_components, check};
use ltl::read;
use std::sync::atomic::AtomicBool;
use system::{Control, Limits, Successors, TransitionSystem};

struct Counters {
    n: usize,
    most: u32,
}

impl TransitionSystem for Counters {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        self.n
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&vec![0; self.n], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        for i in 0..self.n {
            let next = if from[i] == self.most { 0 } else { from[i] + 1 };
            out.push(from, i as u8)[i] = next;
        }
    }
}

impl FairSystem for Counters {
    fn atoms(&self, state: &[u32]) -> u64 {
        (0..self.n).filter(|i| state[*i] == self.most).map(|i| 1 << i).sum()
    }
    fn n_components(&self) -> u32 {
        self.n as u32
    }
    fn taken(&self, label: u8) -> u64 {
        1 << label
    }
}

fn main() {
    let system = Counters { n: 6, most: 9 };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, ..Control::quiet() };
    for text in ["eventually p", "always (p implies eventually q)", "always eventually p and always eventually q"] {
        let formula = read(text, &["p", "q"]).expect("reads");
        let property = Property::new(formula).expect("small enough");
        let outcome = check(&system, &property, all_components(&system), &Limits::default(), &control);
        let done = outcome.statistics;
        println!(
            "{text}: {} states, {} pairs, {} moves, {:.2} s, {:.1} M moves/s, {} bytes per pair",
            done.states,
            done.pairs,
            done.moves,
            done.seconds,
            done.moves as f64 / done.seconds / 1e6,
            done.peak_bytes / done.pairs.max(1),
        );
    }
}
