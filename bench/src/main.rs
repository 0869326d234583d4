//! Times, rates and ratios of one run. Each section prints what it measured beside the bar it is held to.

mod naive;
mod reductions;
mod sections;

use std::process::ExitCode;

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all: [(&str, fn()); 6] = [
        ("table", sections::table),
        ("mutators", sections::mutators),
        ("rate", sections::rate),
        ("naive", naive::compare),
        ("litmus", sections::litmus),
        ("reductions", reductions::compare),
    ];
    if let Some(unknown) = asked.iter().find(|name| !all.iter().any(|(known, _)| known == name)) {
        eprintln!("error: there is no section `{unknown}`");
        eprintln!("  = hint: there are: {}", all.map(|(name, _)| name).join(", "));
        return ExitCode::from(2);
    }
    for (name, section) in all {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            section();
        }
    }
    ExitCode::SUCCESS
}
