//! What came of the scopes, for people: a table with bars, the least scope violated, and how far a forecast can be trusted.

use super::told::{Forecast, Row, Told};
use report::growth::share;
use report::table::{align, bytes, thousands};

/// The longest bar.
const WIDTH: f64 = 30.0;

pub(super) fn text(told: &Told) -> String {
    let head = ["scope", "verdict", "states", "time", "memory", ""].map(String::from).to_vec();
    let greatest = told.rows.iter().map(states).fold(1.0, f64::max);
    let rows = std::iter::once(head).chain(told.rows.iter().map(|row| line(row, greatest)));
    let notes = notes(told).iter().map(|note| format!("{note}\n")).collect::<String>();
    format!("{}\n{}\n{notes}", title(told), align(&rows.collect::<Vec<_>>()))
}

/// `staccato original under sc in general`
pub(super) fn title(told: &Told) -> String {
    format!("{} {} under {} in {}", told.protocol, told.variant, told.memory, told.scenarios.join(", "))
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
    let numbers = match (&row.forecast, row.states) {
        (Some(expected), _) => [
            format!("~ {}", thousands(expected.states as u64)),
            format!("~ {:.3} s", expected.seconds),
            format!("~ {}", bytes(expected.peak_bytes as u64)),
        ],
        (None, 0) => Default::default(),
        (None, states) => [thousands(states), format!("{:.3} s", row.seconds), bytes(row.peak_bytes)],
    };
    [row.scope.clone(), verdict(row)].into_iter().chain(numbers).collect()
}

fn line(row: &Row, greatest: f64) -> Vec<String> {
    let length = (WIDTH * share(states(row), greatest)).round() as usize;
    let bar = if row.forecast.is_some() { "." } else { "#" };
    cells(row).into_iter().chain([bar.repeat(length)]).collect()
}

/// What is to be known of the table.
pub(super) fn notes(told: &Told) -> Vec<String> {
    let mut notes: Vec<String> = told.rows.iter().filter(|row| row.verdict == "violated").map(least).collect();
    if notes.is_empty() {
        let n = told.rows.iter().filter(|row| matches!(row.verdict, "holds" | "vacuous")).count();
        notes.push(format!("no violation in the {n} scopes searched to the end"));
    }
    let is_forecast = told.rows.iter().any(|row| row.forecast.is_some());
    notes.extend(told.forecast.as_ref().filter(|_| is_forecast).map(|forecast| trust(told, forecast)));
    notes
}

fn least(row: &Row) -> String {
    let property = row.by.as_deref().unwrap_or("");
    let scenario = row.scenario.as_deref().unwrap_or("");
    let steps = row.steps.unwrap_or(0);
    format!("least scope with a violation: {}: {property} in {scenario}, {steps} steps", row.scope)
}

fn trust(told: &Told, forecast: &Forecast) -> String {
    let factor = |(name, factor): (&String, &Option<f64>)| factor.map(|f| format!("{f:.1} with {name}"));
    let factors: Vec<String> = told.parameters.iter().zip(&forecast.factors).filter_map(factor).collect();
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
