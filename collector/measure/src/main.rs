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
    let mut bars = Bars::default();
    // Written after each section, so that a run that is stopped leaves what it has; and at once, to tell before the run if it cannot be.
    let keep = |bars: &Bars| record.as_ref().map_or(Ok(()), |folder| bars.record(folder));
    if let Err(error) = keep(&bars) {
        return complain(&error);
    }
    let has_rtm = htm::Rtm::detect().is_ok();
    machine::print(n_repetitions);
    for measure in [idle::measure, collecting::measure, batches::measure, conflicts::measure] {
        measure(n_repetitions, has_rtm, &mut bars);
        // If that fails the run continues: its end tells.
        let _ = keep(&bars);
    }
    predicted::print();
    println!("\n{bars}");
    keep(&bars).map_or_else(|error| complain(&error), |()| ExitCode::SUCCESS)
}

fn complain(error: &std::io::Error) -> ExitCode {
    eprintln!("error: cannot write the record: {error}");
    ExitCode::from(2)
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
