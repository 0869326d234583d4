//! Measurements of the collector that runs: one run, interleaved repetitions, medians with quartiles, bars.
//!
//! Reading order: `machine` (where it runs), `sample` (a rate, and quartiles), `idle` (what barriers cost while nothing moves),
//! `collecting` (throughput and waits while regions move; `row`, a line of its tables), `batches` (objects per collector
//! transaction; `predicted`, the same on a simulated cache), `conflicts` (which lines conflict), `bars` (what
//! must be reached). Nothing about hardware transactions is printed where there are none: it is said to be skipped.

mod bars;
mod batches;
mod collecting;
mod conflicts;
mod idle;
mod machine;
mod predicted;
mod row;
mod sample;

use bars::Bars;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: collector [--repetitions N] [--record DIR]";

/// What was asked for.
struct Request {
    n_repetitions: usize,
    /// A folder for every repetition's numbers and the bars; `bench/collector` adds the machine, the commit and what is printed.
    record: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(Request { n_repetitions, record }) = request(std::env::args().skip(1)) else {
        eprintln!("error: {USAGE}");
        return ExitCode::from(2);
    };
    let rtm = htm::Rtm::detect().ok();
    machine::print(n_repetitions);
    let mut bars = Bars::default();
    idle::measure(n_repetitions, rtm.is_some(), &mut bars);
    collecting::measure(n_repetitions, rtm.is_some(), &mut bars);
    batches::measure(n_repetitions, rtm.is_some(), &mut bars);
    conflicts::measure(n_repetitions, rtm.is_some(), &mut bars);
    predicted::print();
    println!("\n{bars}");
    match record.map(|folder| bars.record(&folder)) {
        Some(Err(error)) => {
            eprintln!("error: cannot write the record: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// 15 repetitions, unless it says otherwise.
fn request(mut arguments: impl Iterator<Item = String>) -> Option<Request> {
    let mut request = Request { n_repetitions: 15, record: None };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--repetitions" => request.n_repetitions = value.parse().ok().filter(|n| *n > 0)?,
            "--record" => request.record = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(request)
}
