//! The matrix as a page: a heat map of times, with what each cell used or what breaks it.

use super::json::{CellResult, ObligationCell, ProofReport};
use std::fmt::Write;

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em;color:#222;background:#fff}\
 h1{font-size:1.3em}table.m{border-collapse:collapse}table.m td{width:1.1em;height:1.1em;border:1px solid #fff;padding:0}\
 table.m th{font-weight:normal;text-align:left;padding:0 .6em 0 0;white-space:nowrap}\
 table.m th.c{height:13em;vertical-align:bottom;padding:0;width:1.1em}table.m th.c div{writing-mode:vertical-rl;transform:rotate(180deg)}\
 td.u{background:#eef1f4}td.x{background:#c0392b}td.q{background:#f0c040}\
 details{margin:.5em 0}summary{cursor:pointer}table.f td,table.f th{padding:.1em .8em .1em 0;text-align:left;vertical-align:top}\
 tr.d{font-weight:bold}code{font-family:ui-monospace,monospace}";

pub(super) fn page(all: &[ProofReport]) -> String {
    let body: String = all.iter().map(section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Proof obligations</title>\
         <style>{STYLE}</style></head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn section(report: &ProofReport) -> String {
    let mut out = format!("<h1>{}</h1>\n", escape(&report.title()));
    out += &matrix(report);
    let counts = &report.obligations;
    let _ = writeln!(
        out,
        "<p>{} untouched (grey), {} discharged (the darker, the longer it took), {} counterexamples to induction (red), \
         {} open (yellow), {:.1} s.</p>",
        counts.untouched, counts.discharged, counts.counterexamples, counts.open, report.seconds
    );
    out += "<h2>What each row used</h2>\n<ul>\n";
    for row in report.rows.iter().filter(|row| !row.uses.is_empty()) {
        let _ = writeln!(out, "<li><b>{}</b>: {}</li>", escape(&row.name), escape(&row.uses.join(", ")));
    }
    out += "</ul>\n";
    for cell in report.matrix.iter().flatten() {
        for found in &cell.counterexamples {
            out += &counterexample(found);
        }
    }
    out
}

fn matrix(report: &ProofReport) -> String {
    let longest = report.matrix.iter().flatten().map(|cell| cell.seconds).fold(0.0, f64::max);
    let mut out = String::from("<table class=\"m\">\n<tr><th></th>");
    for column in std::iter::once("the initial state").chain(report.columns.iter().map(|c| c.name.as_str())) {
        let _ = write!(out, "<th class=\"c\"><div>{}</div></th>", escape(column));
    }
    out += "</tr>\n";
    for (row, cells) in report.rows.iter().zip(&report.matrix) {
        let class = if row.holds_at_the_start { "u" } else { "x" };
        let _ = write!(out, "<tr><th>{}</th><td class=\"{class}\"></td>", escape(&row.name));
        for (cell, column) in cells.iter().zip(&report.columns) {
            out += &square(cell, &format!("{} / {}", row.name, column.name), longest);
        }
        out += "</tr>\n";
    }
    out + "</table>\n"
}

fn square(cell: &ObligationCell, name: &str, longest: f64) -> String {
    let (class, style) = match cell.result {
        CellResult::NotAsked => ("", String::new()),
        CellResult::Untouched => ("u", String::new()),
        CellResult::Open => ("q", String::new()),
        CellResult::Counterexample => ("x", String::new()),
        CellResult::Discharged => {
            let share = if longest > 0.0 { (cell.seconds / longest).sqrt() } else { 0.0 };
            ("", format!(" style=\"background:hsl(150,45%,{:.0}%)\"", 82.0 - 50.0 * share))
        }
    };
    let uses = if cell.uses.is_empty() { String::new() } else { format!("; uses {}", cell.uses.join(", ")) };
    let title = escape(&format!("{name}: {:.0} ms{uses}", cell.seconds * 1000.0));
    format!("<td class=\"{class}\"{style} title=\"{title}\"></td>")
}

fn counterexample(found: &super::counterexample::CounterexampleRow) -> String {
    let line = found.step.line.map_or(String::new(), |line| format!(", line {line}"));
    let mut out = format!(
        "<details><summary>counterexample to induction: {} breaks <b>{}</b> by <code>{}</code>{line}</summary>\n<table class=\"f\">\
         <tr><th></th><th>before</th><th>after</th></tr>\n",
        escape(&found.step.thread),
        escape(&found.broken),
        escape(&found.step.code)
    );
    for fact in found.facts.iter().filter(|fact| !fact.is_plain) {
        let after = fact.after.clone().unwrap_or_default();
        let class = if fact.after.as_ref().is_some_and(|after| *after != fact.before) { " class=\"d\"" } else { "" };
        let (what, before, after) = (escape(&fact.what), escape(&fact.before), escape(&after));
        let _ = writeln!(out, "<tr{class}><td>{what}</td><td>{before}</td><td>{after}</td></tr>");
    }
    out + "</table>\n<p>All else is as at the start. Nothing says that this state can be reached.</p></details>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
