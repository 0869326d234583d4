//! `lacuna scope`: checks at growing scopes; the least that shows a violation, and how states, time and memory grow.
//!
//! `grid` says which scopes there are, `climb` runs them, `fit` makes the forecast, `told` is what came of it, as JSON has it;
//! `words` and `page` show that.

mod climb;
mod fit;
mod grid;
mod page;
mod told;
mod words;

use crate::args::GrowthArgs;
use crate::exit::{Error, Exit, Outcome as Ended, print, write};
use told::Told;

/// Runs the command.
pub(crate) fn run(args: &GrowthArgs) -> Ended {
    let mut told = climb::climb(args)?;
    told.forecast();
    show(args, &told)?;
    let any = |word: &str| told.rows.iter().any(|row| row.verdict == word);
    Ok(match (any("violated"), any("inconclusive")) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Inconclusive,
        (false, false) => Exit::Holds,
    })
}

fn show(args: &GrowthArgs, told: &Told) -> Result<(), Error> {
    let is_quiet = [&args.json, &args.html].into_iter().any(|path| path.as_deref() == Some("-"));
    if !is_quiet {
        print(&words::text(told))?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(told).expect("plain data")))?;
    }
    match &args.html {
        Some(path) => write(path, &page::page(told)),
        None => Ok(()),
    }
}
