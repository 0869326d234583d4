//! Times, rates and ratios of one run. Each section prints what it measured beside the bar it is held to.

mod naive;
mod pan;
mod reductions;
mod sections;
mod spin;

use std::process::ExitCode;

const SECTIONS: [(&str, fn()); 6] = [
    ("table", sections::table),
    ("mutators", sections::mutators),
    ("rate", sections::rate),
    ("naive", naive::compare),
    ("litmus", sections::litmus),
    ("reductions", reductions::compare),
];

/// Runs another checker for minutes, so it runs only if it is named.
const SPIN: &str = "spin";

/// What was typed: sections by name, and the options of `spin`.
#[derive(Default)]
struct Asked {
    sections: Vec<String>,
    spin: spin::Options,
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut asked = Asked::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--full" => asked.spin.full = true,
            "--only" => asked.spin.only = Some(words.next().ok_or("`--only` wants a part of a configuration's name")?),
            name if name == SPIN || SECTIONS.iter().any(|(known, _)| *known == name) => asked.sections.push(word),
            _ => return Err(format!("there is no section `{word}`")),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!("error: {why}");
            eprintln!("  = hint: there are: {}, and {SPIN} [--full] [--only TEXT]", SECTIONS.map(|s| s.0).join(", "));
            return ExitCode::from(2);
        }
    };
    for (name, section) in SECTIONS {
        if asked.sections.is_empty() || asked.sections.iter().any(|a| a == name) {
            section();
        }
    }
    if asked.sections.iter().any(|a| a == SPIN) {
        spin::compare(&asked.spin);
    }
    ExitCode::SUCCESS
}
