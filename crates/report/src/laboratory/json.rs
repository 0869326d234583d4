//! The findings as JSON; the book's page on outputs lists the fields.

use laboratory::compare::Comparison;
use laboratory::curve::{Curve, Point, Spread};
use laboratory::published::Beside;
use laboratory::{Findings, Prediction};
use serde_json::{Map, Value, json};

/// All findings.
pub fn json(findings: &Findings) -> String {
    let facts: Map<String, Value> = findings.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let costs = findings.costs.iter().map(|cost| json!({ "operation": cost.name, "ns": spread(&cost.ns) }));
    let value = json!({
        "facts": facts,
        "missing": findings.missing,
        "complete": !findings.is_cut_short,
        "costs": costs.collect::<Vec<_>>(),
        "measured": findings.measured.iter().map(curve).collect::<Vec<_>>(),
        "predictions": findings.predictions.iter().map(prediction).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn prediction(prediction: &Prediction) -> Value {
    json!({
        "machine": prediction.machine.name,
        "about": prediction.machine.doc,
        "description": prediction.machine.to_string(),
        "curves": prediction.curves.iter().map(curve).collect::<Vec<_>>(),
        "comparisons": prediction.comparisons.iter().map(comparison).collect::<Vec<_>>(),
        "published": prediction.published.iter().map(published).collect::<Vec<_>>(),
    })
}

fn published(beside: &Beside) -> Value {
    let Beside { published, predicted } = beside;
    json!({
        "source": published.source,
        "operation": published.case.operation.to_string(),
        "mode": published.case.mode.to_string(),
        "unit": published.case.unit(),
        "number": published.bound.to_string(),
        "size": published.size,
        "predicted": predicted.as_ref().map(spread),
        "error": beside.error(),
        "agrees": beside.agrees(),
    })
}

fn comparison(comparison: &Comparison) -> Value {
    json!({
        "operation": comparison.case.operation.to_string(),
        "pattern": comparison.case.pattern.to_string(),
        "mode": comparison.case.mode.to_string(),
        "unit": comparison.case.unit(),
        "predicted": comparison.predicted.as_ref().map(spread),
        "known": spread(&comparison.known),
        "known_is_range": comparison.is_range,
        "error": comparison.error(),
        "bar": comparison.bar,
        "meets_bar": comparison.meets_bar(),
    })
}

fn curve(curve: &Curve) -> Value {
    let causes = htm::Cause::ALL.iter().zip(curve.aborts);
    let aborts: Map<String, Value> = causes.map(|(cause, n)| (cause.word().to_string(), json!(n))).collect();
    json!({
        "operation": curve.case.operation.to_string(),
        "pattern": curve.case.pattern.to_string(),
        "mode": curve.case.mode.to_string(),
        "unit": curve.case.unit(),
        "fifty": curve.fifty.as_ref().map(spread),
        "largest_commit_bytes": curve.largest_commit,
        "aborts": aborts,
        "points": curve.points.iter().map(point).collect::<Vec<_>>(),
    })
}

fn point(point: &Point) -> Value {
    json!({
        "bytes": point.n_bytes,
        "success": spread(&point.success),
        "share": point.share,
        "attempts": point.attempts.as_ref().map(spread),
        "never": spread(&point.never),
    })
}

fn spread(spread: &Spread) -> Value {
    json!({ "median": spread.median, "min": spread.min, "max": spread.max })
}
