//! The matrix as text.

use super::counterexample::CounterexampleRow;
use super::json::{CellResult, InvariantRow, ObligationCell, ProofReport, Verdict};
use super::scopes;
use crate::args::Traces;
use crate::commands::check::properties;
use prove::Question;
use report::table::{align, wrap};
use std::fmt::Write;

/// Columns in one block of the matrix.
const BLOCK: usize = 80;
const WIDTH: usize = 120;

pub(super) fn text(report: &ProofReport, shown: Traces) -> String {
    let mut out = format!("{}\n\n{}", report.title(), matrix(report));
    out += &legend(report);
    out += &uses(report);
    for found in chosen(report, shown) {
        out += &counterexample(found);
    }
    out += &liberties(report);
    out += &stops(report);
    out += &report.scopes.as_ref().map_or(String::new(), scopes::text);
    let _ = write!(out, "\n{}{}\n", summary(report), verdict(report));
    out
}

fn mark(cell: &ObligationCell) -> char {
    match cell.result {
        CellResult::NotAsked => ' ',
        CellResult::Untouched | CellResult::Discharged if cell.is_general == Some(true) => '+',
        CellResult::Untouched | CellResult::Discharged => '.',
        CellResult::Open => '?',
        CellResult::Counterexample => 'X',
    }
}

/// Rows are invariants, columns are numbered; the first is the initial state.
fn matrix(report: &ProofReport) -> String {
    let name = |row: &InvariantRow| match row.level {
        level if row.is_invariant && level != 1 => format!("{} (level {level})", row.name),
        _ => row.name.clone(),
    };
    let width = report.rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for first in (0..report.columns.len().max(1)).step_by(BLOCK) {
        let columns = first..report.columns.len().min(first + BLOCK);
        let grouped = |marks: Vec<char>| {
            let tens = marks.chunks(10).map(|ten| ten.iter().collect::<String>());
            tens.collect::<Vec<_>>().join(" ")
        };
        let tens =
            columns.clone().map(|c| if (c + 1) % 10 == 0 { char::from(b'0' + ((c + 1) / 10 % 10) as u8) } else { ' ' });
        let ones = columns.clone().map(|c| char::from(b'0' + ((c + 1) % 10) as u8));
        let (tens, ones) = (grouped(tens.collect()), grouped(ones.collect()));
        if !tens.trim().is_empty() {
            let _ = writeln!(out, "{}      {}", " ".repeat(width), tens.trim_end());
        }
        let _ = writeln!(out, "{}  at  {ones}", " ".repeat(width));
        for (row, cells) in report.rows.iter().zip(&report.matrix) {
            let start = match (row.is_invariant, row.holds_at_the_start) {
                (false, true) => ' ',
                (true, true) => '.',
                (_, false) => 'X',
            };
            let marks = grouped(cells[columns.clone()].iter().map(mark).collect());
            let name = name(row);
            let room = " ".repeat(width.saturating_sub(name.chars().count()));
            let line = format!("{name}{room}  {start}   {marks}");
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
    }
    out
}

fn legend(report: &ProofReport) -> String {
    let mut table = Vec::new();
    for (n, column) in report.columns.iter().enumerate() {
        let n_steps = column.steps.len();
        let steps = if n_steps == 1 { "1 step".into() } else { format!("{n_steps} steps") };
        let never = column.steps.iter().filter(|step| step.can_happen == Some(false)).count();
        let note = match never {
            0 => String::new(),
            _ if never == n_steps => "cannot happen".into(),
            _ => format!("{never} cannot happen"),
        };
        table.push(vec![format!("{:>4}", n + 1), column.name.clone(), steps, note]);
    }
    format!("  at  the initial state\n{}", align(&table))
}

/// Which invariants the obligations of each row used.
fn uses(report: &ProofReport) -> String {
    let mut out = String::from("\nused besides itself\n");
    let before = out.len();
    for row in report.rows.iter().filter(|row| !row.uses.is_empty()) {
        out += &wrap(&format!("  {}: ", row.name), &row.uses.join(", "), WIDTH);
    }
    if out.len() == before { String::new() } else { out }
}

fn chosen(report: &ProofReport, shown: Traces) -> Vec<&CounterexampleRow> {
    let cells = report.matrix.iter().flatten();
    match shown {
        Traces::None => Vec::new(),
        Traces::First => cells.flat_map(|cell| &cell.counterexamples).take(1).collect(),
        Traces::All => cells.filter_map(|cell| cell.counterexamples.first()).collect(),
    }
}

fn counterexample(found: &CounterexampleRow) -> String {
    let line = found.step.line.map_or(String::new(), |line| format!(", line {line}"));
    let (thread, broken, code) = (&found.step.thread, &found.broken, &found.step.code);
    let whose = found.asserted_by.as_ref().map_or(String::new(), |thread| format!(" of {thread}"));
    let by = format!("{} `{code}`{line}", if found.is_allowed { "as is allowed by" } else { "by" });
    let (kind, what) = match found.question {
        Question::Preserved | Question::Safe => ("induction", format!("breaks {broken}")),
        Question::Local => ("a local obligation", format!("does not establish {broken}")),
        Question::Stable => ("stability", format!("breaks {broken}{whose}")),
        Question::Global => ("the global invariant", format!("breaks {broken}")),
        Question::Respected => ("a guarantee", "does what it does not say".into()),
    };
    let mut out = format!("\ncounterexample to {kind}: {thread} {what} {by}\n");
    let has_after = found.facts.iter().any(|fact| fact.after.is_some());
    let mut table = vec![["  ", "", "before", if has_after { "after" } else { "" }].map(String::from).to_vec()];
    for fact in found.facts.iter().filter(|fact| !fact.is_plain) {
        let (after, marker) = match &fact.after {
            Some(after) if *after != fact.before => (after.clone(), " *"),
            _ => (String::new(), "  "),
        };
        table.push(vec![marker.into(), fact.what.clone(), fact.before.clone(), after]);
    }
    out += &align(&table);
    out += "  all else is as at the start; nothing says that this state can be reached\n";
    out
}

/// What the proof takes to wait though `check` does not.
fn liberties(report: &ProofReport) -> String {
    if report.liberties.is_empty() {
        return String::new();
    }
    let mut out = String::from("\nwhat waits here and not in `check`: a thread does not come to\n");
    for liberty in &report.liberties {
        let _ = writeln!(out, "  {liberty}");
    }
    out
}

/// What a step violates by itself: there the other rows say nothing about what follows.
fn stops(report: &ProofReport) -> String {
    let fails = |cells: &[ObligationCell]| cells.iter().any(|cell| cell.result == CellResult::Counterexample);
    let rows = report.rows.iter().zip(&report.matrix).filter(|(row, cells)| row.stops && fails(cells));
    let said = properties::stops(&rows.map(|(row, _)| row.name.clone()).collect::<Vec<_>>());
    if said.is_empty() { said } else { format!("\n{said}") }
}

fn summary(report: &ProofReport) -> String {
    let counts = &report.obligations;
    let all = counts.untouched + counts.discharged + counts.counterexamples + counts.open;
    let mut parts = vec![format!("{} untouched", counts.untouched), format!("{} discharged", counts.discharged)];
    match counts.counterexamples {
        0 => {}
        1 => parts.push("1 counterexample to induction".into()),
        n => parts.push(format!("{n} counterexamples to induction")),
    }
    if counts.open > 0 {
        parts.push(format!("{} open", counts.open));
    }
    let left_out = report.left_out.join(", ");
    let kinds: Vec<String> = report.questions.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!("threads one by one: {}\n", kinds.join(", ")) };
    format!("{all} obligations in {:.1} s: {}; left out: {left_out}\n{kinds}", report.seconds, parts.join(", "))
}

fn verdict(report: &ProofReport) -> &'static str {
    match report.verdict {
        Verdict::Inductive if !report.liberties.is_empty() && !report.is_partial => {
            "every stated invariant is inductive at this scope: it holds in every state that is reached if threads wait as said"
        }
        Verdict::Inductive if report.is_partial => {
            "the invariants that were looked at are inductive at this scope: they hold up to the first step that violates what was left out"
        }
        Verdict::Inductive => "every stated invariant is inductive at this scope: it holds in every reachable state",
        Verdict::Relative => {
            "every step preserves what was looked at, if all else that is used holds: that was not looked at, so nothing is proved"
        }
        Verdict::FalseAtTheStart => "a property is violated at the start",
        Verdict::BeginsElsewhere if report.liberties.is_empty() => {
            "a property is false where the proof begins, and no run of `check` begins there: nothing is proved"
        }
        Verdict::BeginsElsewhere => "a property is violated at the start if threads wait as said: nothing is proved",
        Verdict::CounterexampleToInduction => {
            "not inductive as stated: a further invariant may exclude the states before those steps"
        }
        Verdict::Open => "open: some obligations took too long",
    }
}
