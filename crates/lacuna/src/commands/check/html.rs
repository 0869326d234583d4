//! The page that `check --html` writes: verdicts, and every step of every counterexample.

use super::summary::{remark, shared_scope, verdict};
use super::{Request, Run};
use page::view::{self, Choice, Path, Report, ReportRow};
use page::{Subject, document};
use report::table::thousands;
use workbench::{Finding, RunOptions};

/// The report of these runs as HTML.
pub(super) fn html(requests: &[Request<'_>], runs: &[Run<'_>]) -> String {
    let titles: Vec<String> = requests.iter().map(Request::title).collect();
    // What is said of a protocol is said of all if there is but one.
    let alone = requests.first().filter(|_| requests.len() == 1);
    let mut report = Report {
        title: titles.join(", "),
        doc: alone.map_or(Vec::new(), |request| request.protocol.outline.doc.clone()),
        scope: alone.map_or(String::new(), shared_scope),
        rows: Vec::new(),
        runs: Vec::new(),
    };
    for run in runs {
        let shown = counterexample(run);
        let row = row(&run.request.options, run, shown.as_ref().map(|_| report.runs.len()));
        report.rows.push(row);
        report.runs.extend(shown);
    }
    document(&report)
}

fn row(options: &RunOptions, run: &Run<'_>, counterexample: Option<usize>) -> ReportRow {
    let statistics = &run.answer.statistics;
    ReportRow {
        choice: choice(run),
        word: run.answer.word().into(),
        verdict: verdict(&run.answer),
        states: thousands(statistics.states),
        depth: statistics.depth,
        time: format!("{:.3} s", statistics.seconds),
        remark: remark(run, options),
        properties: run.answer.findings.iter().map(property).collect(),
        run: counterexample,
    }
}

fn property(finding: &Finding) -> (String, String, String) {
    let depth = finding.depth().map_or(String::new(), |depth| depth.to_string());
    (finding.property.clone(), finding.word().into(), depth)
}

fn choice(run: &Run<'_>) -> Choice {
    let (variant, scenario) = (run.request.variant(run.system), run.system.scenario.clone());
    Choice { variant, scenario, memory: run.memory.name.clone(), watch: None }
}

/// All states of the counterexample, and why it is one.
fn counterexample(run: &Run<'_>) -> Option<view::Run> {
    let trace = run.trace()?;
    let subject = Subject {
        outline: &run.request.protocol.outline,
        program: &run.system.program,
        automata: &run.system.automata,
        sources: run.request.sources(),
        memory: run.memory,
        options: &run.request.options.machine,
    };
    let path = Path { initial: trace.initial, steps: trace.steps.clone(), loop_start: trace.loop_start };
    let interpreter = subject.interpreter();
    let walk = page::walk(&interpreter, path.initial, &path.steps).ok()?;
    let shown = page::run(&subject, &interpreter, &walk, choice(run), path, 0);
    Some(view::Run { why: run.explained.as_ref().map(page::because), ..shown })
}
