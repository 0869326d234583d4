//! The results of the scopes, as a page with a chart.

use super::json::{GrowthReport, Row};
use super::words::{cells, notes, states, title};
use report::growth::{Bar, BarKind, svg};
use report::html::{document, escape, table};

/// The page.
pub(super) fn page(report: &GrowthReport) -> String {
    let mut body = format!("<h1>{}</h1>\n", escape(&title(report)));
    for note in notes(report) {
        body += &format!("<p>{}</p>\n", escape(&note));
    }
    body += &svg("states by scope, on a logarithmic scale", &report.rows.iter().filter_map(bar).collect::<Vec<_>>());
    body += &table(&["scope", "verdict", "states", "time", "memory"], report.rows.iter().map(cells));
    document(&title(report), &body)
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
