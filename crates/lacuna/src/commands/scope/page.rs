//! What came of the scopes, as a page with a chart.

use super::told::{Row, Told};
use super::words::{cells, notes, states, title};
use report::growth::{Bar, BarKind, svg};
use report::html::{document, escape, table};

/// The page.
pub(super) fn page(told: &Told) -> String {
    let mut body = format!("<h1>{}</h1>\n", escape(&title(told)));
    for note in notes(told) {
        body += &format!("<p>{}</p>\n", escape(&note));
    }
    body += &svg("states by scope, on a logarithmic scale", &told.rows.iter().filter_map(bar).collect::<Vec<_>>());
    body += &table(&["scope", "verdict", "states", "time", "memory"], told.rows.iter().map(cells));
    document(&title(told), &body)
}

fn bar(row: &Row) -> Option<Bar> {
    let kind = match row.verdict {
        _ if row.forecast.is_some() => BarKind::Forecast,
        "holds" | "vacuous" => BarKind::Measured,
        "violated" => BarKind::Violated,
        "inconclusive" => BarKind::Stopped,
        _ => return None,
    };
    Some(Bar { label: row.scope.clone(), value: states(row), kind })
}
