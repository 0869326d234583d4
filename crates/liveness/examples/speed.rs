//! How fast a check is: counters that loop, all fair, with one to three formulas to remember.
//!
//! `cargo run --release -p liveness --example speed`

#[path = "../tests/counters.rs"]
mod counters;

use counters::Counters;
use liveness::{Property, all_components, check};
use ltl::read;
use system::{Control, Limits};

fn main() {
    let system = Counters { n: 6, most: 9, round: true };
    let control = Control::quiet();
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
