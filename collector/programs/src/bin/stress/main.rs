//! Stress: every method with every program, over and over, with sanity on, until the time is up or something is wrong.
//!
//! `stress --seconds N --seed N`. What is wrong is printed with the seed, and the exit code is 1.

mod setting;

use setting::{Setting, Totals};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: stress [--seconds N] [--seed N]";

fn main() -> ExitCode {
    let Some((seconds, seed)) = arguments() else {
        eprintln!("error: {USAGE}");
        return ExitCode::from(2);
    };
    match htm::Rtm::detect() {
        Ok(_) => println!("hardware transactions: RTM commits here"),
        Err(missing) => {
            println!("hardware transactions: none, {missing}; the fallback path and software transactions run")
        }
    }
    let started = Instant::now();
    let mut totals = Totals::default();
    for number in seed.. {
        if started.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        let setting = Setting::new(number);
        if let Err(message) = setting.run(&mut totals) {
            println!("WRONG after {} s: {message}", started.elapsed().as_secs());
            println!("  setting {number}: {setting}");
            return ExitCode::from(1);
        }
    }
    println!("{totals}");
    ExitCode::SUCCESS
}

/// Seconds and seed, if the arguments make sense.
fn arguments() -> Option<(u64, u64)> {
    let (mut seconds, mut seed) = (60, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next()?.parse().ok()?;
        match name.as_str() {
            "--seconds" => seconds = value,
            "--seed" => seed = value,
            _ => return None,
        }
    }
    Some((seconds, seed))
}
