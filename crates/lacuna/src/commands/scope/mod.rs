//! `lacuna scope`: checks at growing scopes; the least that shows a violation, and how states, time and memory grow.
//!
//! `grid` says which scopes there are, `climb` runs them, `fit` makes the forecast, `told` is what came of it, as JSON has it;
//! `show` prints and writes that scope by scope, in the forms of `words` and `page`.

mod climb;
mod fit;
mod grid;
mod page;
mod show;
mod told;
mod words;

use crate::args::GrowthArgs;
use crate::exit::{Exit, Outcome as Ended};
use show::Show;

/// Runs the command.
pub(crate) fn run(args: &GrowthArgs) -> Ended {
    let mut show = Show::new(args);
    let mut told = climb::climb(args, &mut show)?;
    told.forecast();
    show.finish(&told)?;
    let any = |word: &str| told.rows.iter().any(|row| row.verdict == word);
    Ok(match (any("violated"), any("inconclusive")) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Inconclusive,
        (false, false) => Exit::Holds,
    })
}
