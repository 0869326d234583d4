//! Measurements of the collector that runs: one run, interleaved repetitions, medians with quartiles, bars.
//!
//! Reading order: `machine` (where it runs), `sample` (a rate, and quartiles), `idle` (what barriers cost while nothing moves),
//! `collecting` (throughput and waits while regions move; `row`, a line of its tables), `batches` (objects per collector transaction; `predicted`, the same on a simulated cache), `bars` (what
//! must be reached). Nothing about hardware transactions is printed where there are none: it is said to be skipped.

mod bars;
mod batches;
mod collecting;
mod idle;
mod machine;
mod predicted;
mod row;
mod sample;

use bars::Bars;
use std::process::ExitCode;

const USAGE: &str = "usage: collector [--repetitions N]";

fn main() -> ExitCode {
    let Some(n_repetitions) = repetitions() else {
        eprintln!("error: {USAGE}");
        return ExitCode::from(2);
    };
    let rtm = htm::Rtm::detect().ok();
    machine::print(n_repetitions);
    let mut bars = Bars::default();
    idle::measure(n_repetitions, rtm.is_some(), &mut bars);
    collecting::measure(n_repetitions, rtm.is_some(), &mut bars);
    batches::measure(n_repetitions, rtm.is_some(), &mut bars);
    predicted::print();
    println!("\n{bars}");
    ExitCode::SUCCESS
}

/// How often to repeat: 15 times, or as said.
fn repetitions() -> Option<usize> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Some(15),
        [name, n] if name == "--repetitions" => n.parse().ok().filter(|n| *n > 0),
        _ => None,
    }
}
