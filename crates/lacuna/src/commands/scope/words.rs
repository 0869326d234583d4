//! The results of the scopes, for people: a table with bars, the least scope violated, and how far a forecast can be trusted.

use super::json::{Forecast, GrowthReport, Row};
use crate::rows::longest;
use report::table::{bytes, thousands};

/// Characters of a bar for each factor of ten.
const DECADE: f64 = 4.0;

pub(super) const HEAD: [&str; 6] = ["scope", "verdict", "states", "time", "memory", ""];

/// How wide the columns will be, as far as that is known: scope, verdict, states, time, memory.
pub(super) fn widths(scopes: &[String]) -> [usize; 5] {
    let scopes = longest(scopes.iter().map(String::as_str));
    [
        scopes,
        longest(["inconclusive: max-states"]),
        longest(["~ 1 234 567"]),
        longest(["~ 12.345 s"]),
        longest(["~ 123.4 kB"]),
    ]
}

/// `staccato original under sc in general`
pub(super) fn title(report: &GrowthReport) -> String {
    format!("{} {} under {} in {}", report.protocol, report.variant, report.memory, report.scenarios.join(", "))
}

/// The states of a row, or those to be expected.
pub(super) fn states(row: &Row) -> f64 {
    row.forecast.as_ref().map_or(row.states as f64, |forecast| forecast.states)
}

pub(super) fn verdict(row: &Row) -> String {
    match (row.verdict, &row.by) {
        ("violated", Some(property)) => format!("violated: {property}"),
        ("vacuous", Some(what)) => format!("holds, but vacuously: {what}"),
        ("inconclusive", Some(limit)) => format!("inconclusive: {limit}"),
        ("beyond", _) => "beyond a violation".into(),
        (word, _) => word.into(),
    }
}

/// Scope, verdict, states, time, memory; what is forecast has a `~`.
pub(super) fn cells(row: &Row) -> Vec<String> {
    let [states, seconds, bytes] = forecast(row).unwrap_or_else(|| measured(row));
    vec![row.scope.clone(), verdict(row), states, seconds, bytes]
}

fn measured(row: &Row) -> [String; 3] {
    match row.states {
        0 => Default::default(),
        states => [thousands(states), format!("{:.3} s", row.seconds), bytes(row.peak_bytes)],
    }
}

fn forecast(row: &Row) -> Option<[String; 3]> {
    let expected = row.forecast.as_ref()?;
    Some([
        format!("~ {}", thousands(expected.states as u64)),
        format!("~ {:.3} s", expected.seconds),
        format!("~ {}", bytes(expected.peak_bytes as u64)),
    ])
}

/// What was measured, with a bar.
pub(super) fn line(row: &Row) -> Vec<String> {
    let numbers = measured(row);
    [row.scope.clone(), verdict(row)].into_iter().chain(numbers).chain([bar(row.states as f64, "#")]).collect()
}

/// What is to be expected, with a bar.
pub(super) fn expected(row: &Row) -> Vec<String> {
    let numbers = forecast(row).unwrap_or_default();
    [row.scope.clone(), "to be expected".into()].into_iter().chain(numbers).chain([bar(states(row), ".")]).collect()
}

fn bar(states: f64, sign: &str) -> String {
    sign.repeat((DECADE * states.max(1.0).log10()).round() as usize)
}

/// What is to be known of the table.
pub(super) fn notes(report: &GrowthReport) -> Vec<String> {
    let mut notes: Vec<String> = report.rows.iter().filter(|row| row.verdict == "violated").map(least).collect();
    if notes.is_empty() {
        let n = report.rows.iter().filter(|row| matches!(row.verdict, "holds" | "vacuous")).count();
        notes.push(format!("no violation in the {n} scopes searched to the end"));
    }
    let is_forecast = report.rows.iter().any(|row| row.forecast.is_some());
    notes.extend(report.forecast.as_ref().filter(|_| is_forecast).map(|forecast| trust(report, forecast)));
    notes
}

fn least(row: &Row) -> String {
    let property = row.by.as_deref().unwrap_or("");
    let scenario = row.scenario.as_deref().unwrap_or("");
    let steps = row.steps.unwrap_or(0);
    format!("least scope with a violation: {}: {property} in {scenario}, {steps} steps", row.scope)
}

fn trust(report: &GrowthReport, forecast: &Forecast) -> String {
    let factor = |(name, factor): (&String, &Option<f64>)| factor.map(|f| format!("{f:.1} with {name}"));
    let factors: Vec<String> = report.parameters.iter().zip(&forecast.factors).filter_map(factor).collect();
    let off = match forecast.off_by {
        Some(off) => format!("off by a factor of {off:.1} on average"),
        None => "as many unknowns as scopes, so how far it is off is not known".into(),
    };
    format!(
        "~ is a forecast, not a search: states grow by a factor of {} (log-linear fit to {} scopes; {off})",
        factors.join(", "),
        forecast.scopes
    )
}
