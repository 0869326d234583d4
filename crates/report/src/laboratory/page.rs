//! The findings as one page that needs nothing else: tables, and plots of success and attempts by size.

use super::svg::{Plot, Series, svg};
use super::{PUBLISHED, fifty, known, percent, published, spread};
use crate::html::{document, escape, table};
use laboratory::compare::Comparison;
use laboratory::curve::{Curve, Point, Spread};
use laboratory::{Findings, Operation, Pattern, Prediction};

/// The page.
pub fn page(findings: &Findings) -> String {
    let mut body = String::from("<h1>Hardware transactions: what fits</h1>\n");
    if let Some(missing) = &findings.missing {
        body += &format!("<p class=\"no\">Nothing was measured: {}. What follows is predicted.</p>\n", escape(missing));
    }
    if findings.is_cut_short {
        body += "<p class=\"no\">This run was stopped before its end.</p>\n";
    }
    body +=
        &table(&["condition", "value"], findings.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]));
    body += "<h2>Costs</h2>\n";
    let cost = |cost: &laboratory::cost::Cost| vec![cost.name.to_string(), spread(&cost.ns, 1)];
    body += &table(&["operation", "ns, median [range]"], findings.costs.iter().map(cost));
    if !findings.measured.is_empty() {
        body += "<h2>Measured</h2>\n";
        body += &points(&findings.measured);
        body += &plots(&findings.measured, false);
    }
    for prediction in &findings.predictions {
        body += &predicted(prediction);
    }
    document("Hardware transactions", &body)
}

fn predicted(prediction: &Prediction) -> String {
    let machine = &prediction.machine;
    let mut out = format!("<h2>Predicted: {}</h2>\n<p>{}</p>\n", escape(&machine.name), escape(&machine.doc));
    out += &format!("<pre>{}</pre>\n", escape(&machine.to_string()));
    if !prediction.comparisons.is_empty() {
        let head = ["50 % point", "predicted", "known", "error", "bar"];
        out += &table(&head, prediction.comparisons.iter().map(comparison));
    }
    if !prediction.published.is_empty() {
        out += "<p>Published by others; nothing is fitted to it.</p>\n";
        out += &table(&PUBLISHED, prediction.published.iter().map(published));
    }
    out + &points(&prediction.curves) + &plots(&prediction.curves, true)
}

fn comparison(comparison: &Comparison) -> Vec<String> {
    let bar = comparison.bar.map_or(String::new(), |bar| {
        let word = if comparison.meets_bar() == Some(true) { "met" } else { "missed" };
        format!("{:.0} %: {word}", bar * 100.0)
    });
    vec![
        format!("{} ({})", comparison.case, comparison.case.unit()),
        comparison.predicted.map_or("-".into(), |p| spread(&p, 0)),
        known(comparison),
        comparison.error().map_or("-".into(), percent),
        bar,
    ]
}

/// The 50 % points and the causes of aborts.
fn points(curves: &[Curve]) -> String {
    let causes = htm::Cause::ALL.map(htm::Cause::word);
    let head: Vec<&str> = ["case", "50 % point", "unit", "largest commit, KB"].into_iter().chain(causes).collect();
    let row = |curve: &Curve| {
        let largest = curve.largest_commit.map_or("none".into(), |n| (n / 1024).to_string());
        let mut row = vec![curve.case.to_string(), fifty(curve), curve.case.unit().into(), largest];
        row.extend(curve.aborts.iter().map(u64::to_string));
        row
    };
    table(&head, curves.iter().map(row))
}

/// A plot of success and one of attempts for every operation and pattern, a line for every mode.
fn plots(curves: &[Curve], is_dashed: bool) -> String {
    let mut groups: Vec<(Operation, Pattern)> = Vec::new();
    for curve in curves {
        let group = (curve.case.operation, curve.case.pattern);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    let mut out = String::new();
    for (operation, pattern) in groups {
        let of_group = |curve: &&Curve| (curve.case.operation, curve.case.pattern) == (operation, pattern);
        let group: Vec<&Curve> = curves.iter().filter(of_group).collect();
        let unit = group[0].case.unit();
        let series = |number: &dyn Fn(&Point) -> Option<Spread>| -> Vec<Series> {
            group.iter().enumerate().map(|(colour, curve)| Series::of(curve, colour, is_dashed, number)).collect()
        };
        let title = format!("{operation}, {pattern}: share of first attempts that commit");
        out += &svg(&Plot { title: &title, unit, top: 1.0, series: &series(&|point| Some(point.success)) });
        let title = format!("{operation}, {pattern}: attempts until commit, of those that commit");
        out += &svg(&Plot { title: &title, unit, top: 16.0, series: &series(&|point| point.attempts) });
    }
    out
}
