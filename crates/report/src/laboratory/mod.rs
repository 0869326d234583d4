//! What the laboratory of hardware transactions found: `summary` for the terminal, `csv`, `raw` and `json` for programs, `page` for a
//! browser with the plots of `svg`; `capacity` is the picture of the book.

mod capacity;
mod csv;
mod json;
mod page;
mod raw;
mod summary;
mod svg;

pub use capacity::capacity;
pub use csv::csv;
pub use json::json;
pub use page::page;
pub use raw::raw;
pub use summary::{row, summary};

use laboratory::compare::Comparison;
use laboratory::curve::{Curve, Spread};
use laboratory::published::{Beside, Bound};

/// `46 [45-46]`: the median and the range, without digits that were not measured.
fn spread(spread: &Spread, digits: usize) -> String {
    let Spread { median, min, max } = spread;
    format!("{median:.digits$} [{min:.digits$}-{max:.digits$}]")
}

/// The 50 % point of a curve.
fn fifty(curve: &Curve) -> String {
    let first = curve.points.first().map_or(0.0, |point| point.success.median);
    match &curve.fifty {
        Some(fifty) => spread(fifty, 0),
        None if first < 0.5 => "below the sizes tried".into(),
        None => "above the sizes tried".into(),
    }
}

/// What is known of a 50 % point: `46 [45-46]`, or `16 to 25` if there is only a range.
fn known(comparison: &Comparison) -> String {
    let Spread { min, max, .. } = comparison.known;
    if comparison.is_range { format!("{min:.0} to {max:.0}") } else { spread(&comparison.known, 0) }
}

/// `+12 %`.
fn percent(share: f64) -> String {
    // Adding 0 makes 0 of -0.
    format!("{:+.0} %", (share * 100.0).round() + 0.0)
}

/// The head of what others have published.
const PUBLISHED: [&str; 6] = ["published", "case", "number", "predicted", "unit", "error"];

/// One number of another source: who, of what, the number, what the simulator says, and how far that is off.
fn published(beside: &Beside) -> Vec<String> {
    let Beside { published, predicted } = beside;
    let number = match published.bound {
        Bound::Certain => "up to here all commit",
        Bound::Largest => "the largest that commits",
        Bound::Below => "nothing larger commits",
    };
    let off = match (beside.error(), published.bound) {
        (None, _) => "-".into(),
        (Some(_), Bound::Below) => String::new(),
        (Some(error), _) => percent(error) + ", ",
    };
    vec![
        published.source.clone(),
        published.case.to_string(),
        format!("{number}: {}", published.size),
        predicted.map_or("-".into(), |predicted| spread(&predicted, 0)),
        published.case.unit().into(),
        off + if beside.agrees() { "agrees" } else { "differs" },
    ]
}
