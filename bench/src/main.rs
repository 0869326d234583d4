//! Times, rates and ratios of one run. Each section prints what it measured beside the bar it is held to.

mod bars;
mod cluster;
mod economy;
mod editor;
mod explanations;
mod keeping;
mod naive;
mod pan;
mod real;
mod reductions;
mod sections;
mod spin;

use bars::Bars;
use std::path::Path;
use std::process::ExitCode;

/// A section, and what measures it.
type Section = (&'static str, fn(&mut Bars));

const SECTIONS: [Section; 13] = [
    ("table", sections::table),
    ("real", real::rows),
    ("mutators", sections::mutators),
    ("rate", sections::rate),
    ("late", sections::late),
    ("keeping", keeping::compare),
    ("bytes", economy::bytes),
    ("cluster", cluster::compare),
    ("naive", naive::compare),
    ("litmus", sections::litmus),
    ("reductions", reductions::compare),
    ("editor", editor::answers),
    ("explain", explanations::times),
];

/// What `./test` runs: a few seconds, and processor time only, since the machine may do other things too.
const SHORT: [Section; 2] = [("table", sections::short_table), ("late", sections::late)];

/// Runs another checker for minutes, so it runs only if it is named.
const SPIN: &str = "spin";

/// Searches for minutes, so it runs only if it is named.
const SPEED: &str = "speed";

/// What was typed: sections by name, and the options of `spin`.
#[derive(Default)]
struct Args {
    sections: Vec<String>,
    is_short: bool,
    spin: spin::Options,
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--short" => args.is_short = true,
            "--full" => args.spin.full = true,
            "--only" => args.spin.only = Some(words.next().ok_or("`--only` wants a part of a configuration's name")?),
            name if name == SPIN || name == SPEED || SECTIONS.iter().any(|(known, _)| *known == name) => {
                args.sections.push(word)
            }
            _ => return Err(format!("there is no section `{word}`")),
        }
    }
    Ok(args)
}

fn main() -> ExitCode {
    let args = match read(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(why) => {
            eprintln!("error: {why}");
            let names = SECTIONS.map(|s| s.0).join(", ");
            eprintln!("  = hint: there are: --short, {names}, {SPEED}, and {SPIN} [--full] [--only TEXT]");
            return ExitCode::from(2);
        }
    };
    let mut bars = Bars::default();
    let sections = if args.is_short { &SHORT[..] } else { &SECTIONS[..] };
    for (name, section) in sections {
        if args.sections.is_empty() || args.sections.iter().any(|a| a == name) {
            section(&mut bars);
        }
    }
    let is_named = |name: &str| args.sections.iter().any(|section| section == name);
    if is_named(SPEED) {
        economy::speed(&mut bars);
    } else if let Some(other) = std::env::var_os("BASELINE") {
        sections::baseline(&mut bars, Path::new(&other));
    }
    if is_named(SPIN) {
        spin::compare(&args.spin);
    }
    bars.finish()
}
