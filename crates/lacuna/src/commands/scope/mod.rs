//! `lacuna scope`: checks at growing scopes; the least that shows a violation, and how states, time and memory grow.
//!
//! `grid` says which scopes there are, `climb` runs them, `fit` makes the forecast, `json` is the result as JSON;
//! `show` prints and writes that scope by scope, in the forms of `words` and `page`.

mod climb;
mod fit;
mod grid;
mod json;
mod page;
mod show;
mod words;

use crate::args::GrowthArgs;
use crate::exit::{Ended, Exit};
use show::Show;

/// Runs the command.
pub(crate) fn run(args: &GrowthArgs) -> Ended {
    let mut show = Show::new(args);
    let mut report = climb::climb(args, &mut show)?;
    report.forecast();
    show.finish(&report)?;
    let any = |word: &str| report.rows.iter().any(|row| row.verdict == word);
    Ok(match (any("violated"), any("inconclusive")) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Inconclusive,
        (false, false) => Exit::Holds,
    })
}
