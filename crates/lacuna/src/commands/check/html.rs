//! The page that `check --html` writes: verdicts, and every step of every counterexample.

use super::Done;
use super::summary::{remark, shared_scope, verdict};
use crate::session::Protocol;
use page::view::{Choice, Path, Report, ReportRow, Run};
use page::{Subject, document};
use report::table::thousands;
use workbench::{Finding, RunOptions};

/// The report of these runs as HTML.
pub(super) fn html(protocol: &Protocol, options: &RunOptions, done: &[Done<'_>]) -> String {
    let mut report = Report {
        title: protocol.outline.name.clone(),
        doc: protocol.outline.doc.clone(),
        scope: shared_scope(options, done),
        rows: Vec::new(),
        runs: Vec::new(),
    };
    for run in done {
        let shown = counterexample(options, run);
        let row = row(options, run, shown.as_ref().map(|_| report.runs.len()));
        report.rows.push(row);
        report.runs.extend(shown);
    }
    document(&report)
}

fn row(options: &RunOptions, run: &Done<'_>, counterexample: Option<usize>) -> ReportRow {
    let statistics = &run.outcome.statistics;
    ReportRow {
        choice: choice(run),
        word: run.outcome.word().into(),
        verdict: verdict(&run.outcome),
        states: thousands(statistics.states),
        depth: statistics.depth,
        time: format!("{:.3} s", statistics.seconds),
        remark: remark(run, options),
        properties: run.outcome.findings.iter().map(property).collect(),
        run: counterexample,
    }
}

fn property(finding: &Finding) -> (String, String, String) {
    let depth = finding.depth().map_or(String::new(), |depth| depth.to_string());
    (finding.property.clone(), finding.word().into(), depth)
}

fn choice(run: &Done<'_>) -> Choice {
    let (variant, scenario) = (run.system.variant.clone(), run.system.scenario.clone());
    Choice { variant, scenario, memory: run.memory.name.clone(), watch: None }
}

/// All states of the counterexample, and why it is one.
fn counterexample(options: &RunOptions, run: &Done<'_>) -> Option<Run> {
    let trace = run.trace()?;
    let subject = Subject {
        program: &run.system.program,
        automata: &run.system.automata,
        sources: run.sources,
        memory: run.memory,
        options: &options.machine,
    };
    let path = Path { initial: trace.initial, steps: trace.steps.clone(), loop_start: trace.loop_start };
    let interpreter = subject.interpreter();
    let walk = page::walk(&interpreter, path.initial, &path.steps).ok()?;
    let shown = page::run(&subject, &interpreter, &walk, choice(run), path, 0);
    Some(Run { why: run.explained().map(page::because), ..shown })
}
