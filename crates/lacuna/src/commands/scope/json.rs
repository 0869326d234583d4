//! The results of the scopes, as JSON has it.

use super::fit::Fit;
use serde::Serialize;
use system::Statistics;

#[derive(Serialize)]
pub(super) struct GrowthReport {
    pub(super) protocol: String,
    pub(super) variant: String,
    pub(super) memory: String,
    pub(super) scenarios: Vec<String>,
    /// The parameters that vary.
    pub(super) parameters: Vec<String>,
    /// The smallest first.
    pub(super) rows: Vec<Row>,
    /// How the forecasts were made; null if there are too few runs for one.
    pub(super) forecast: Option<Forecast>,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) scope: String,
    pub(super) values: Vec<i64>,
    /// `holds`, `vacuous`, `violated`, `inconclusive`; `beyond` a violated scope; `not run`, because beyond one that was too large;
    /// `no program`.
    pub(super) verdict: &'static str,
    /// The property violated, or the limit.
    pub(super) by: Option<String>,
    pub(super) scenario: Option<String>,
    pub(super) steps: Option<usize>,
    pub(super) states: u64,
    pub(super) seconds: f64,
    pub(super) peak_bytes: u64,
    /// What is to be expected of a run to the end; null for runs that came to theirs.
    pub(super) forecast: Option<Expected>,
}

#[derive(Serialize)]
pub(super) struct Expected {
    pub(super) states: f64,
    pub(super) seconds: f64,
    pub(super) peak_bytes: f64,
}

#[derive(Serialize)]
pub(super) struct Forecast {
    /// How many scopes it was fitted to.
    pub(super) scopes: usize,
    /// By which factor states grow with each parameter; null for one that never varied.
    pub(super) factors: Vec<Option<f64>>,
    /// By which factor the fit is off on average; null if there are as many unknowns as scopes.
    pub(super) off_by: Option<f64>,
}

impl Row {
    pub(super) fn new(scope: String, values: &[i64]) -> Self {
        Row {
            scope,
            values: values.to_vec(),
            verdict: "not run",
            by: None,
            scenario: None,
            steps: None,
            states: 0,
            seconds: 0.0,
            peak_bytes: 0,
            forecast: None,
        }
    }

    /// Adds one scenario's run.
    pub(super) fn add(&mut self, statistics: &Statistics) {
        self.states += statistics.states;
        self.seconds += statistics.seconds;
        self.peak_bytes = self.peak_bytes.max(statistics.peak_bytes);
    }
}

impl GrowthReport {
    /// Fits the runs that came to their end, and says what is to be expected of the others. Time and memory are those of the
    /// greatest such run, in proportion to states.
    pub(super) fn forecast(&mut self) {
        let ended: Vec<&Row> = self.rows.iter().filter(|row| matches!(row.verdict, "holds" | "vacuous")).collect();
        let points: Vec<(Vec<i64>, f64)> = ended.iter().map(|row| (row.values.clone(), row.states as f64)).collect();
        let (Some(fit), Some(greatest)) = (Fit::of(&points), ended.iter().max_by_key(|row| row.states)) else { return };
        let states = greatest.states.max(1) as f64;
        let (seconds, bytes) = (greatest.seconds / states, greatest.peak_bytes as f64 / states);
        for row in self.rows.iter_mut().filter(|row| matches!(row.verdict, "inconclusive" | "not run")) {
            // A run that was stopped has shown that there are at least so many.
            let at = fit.at(&row.values).map(|states| states.max(row.states as f64));
            row.forecast = at.map(|states| Expected { states, seconds: states * seconds, peak_bytes: states * bytes });
        }
        self.forecast = Some(Forecast {
            scopes: points.len(),
            factors: fit.slopes.iter().map(|slope| slope.map(f64::exp)).collect(),
            off_by: fit.residual.map(f64::exp),
        });
    }
}
