//! What a proof has come to, as it is written for programs and shown to people.

use super::counterexample::{CounterexampleRow, Counterexamples};
use super::scopes::Scopes;
use crate::exit::Exit;
use crate::session::{Protocol, System};
use prove::{Memory, ObligationResult, Problem, Proof, Question, RowKind, StepKind};
use report::words::source_line;
use serde::Serialize;
use std::collections::BTreeMap;

/// The matrix of one system under one memory model.
#[derive(Serialize)]
pub(super) struct ProofReport {
    pub(super) protocol: String,
    pub(super) variant: String,
    pub(super) scenario: String,
    pub(super) constants: Vec<(String, String)>,
    pub(super) memory: String,
    /// How many stores a thread's buffer holds; none if there are no buffers.
    pub(super) buffer: Option<usize>,
    pub(super) verdict: Verdict,
    pub(super) seconds: f64,
    pub(super) obligations: Counts,
    pub(super) rows: Vec<InvariantRow>,
    pub(super) columns: Vec<ActionColumn>,
    /// Row by row, one for each column.
    pub(super) matrix: Vec<Vec<ObligationCell>>,
    /// Properties that were not looked at: no step can be held against them, or they were not asked for.
    pub(super) left_out: Vec<String>,
    /// Whether some of them are invariants.
    #[serde(skip)]
    pub(super) is_partial: bool,
    /// Where `check` need not wait for what the proof takes to be done, in words.
    pub(super) liberties: Vec<String>,
    /// How many obligations there are of each kind, where threads are looked at one by one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) questions: BTreeMap<&'static str, usize>,
    /// What is known of greater scopes, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scopes: Option<Scopes>,
}

/// What all obligations together say.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// Every row is discharged in every column, and true at the start.
    Inductive,
    /// Only if invariants that were not looked at are.
    Relative,
    /// An invariant is false at the start, or a thread violates something before its first step.
    FalseAtTheStart,
    /// The proof begins with that, and no run of `check` does.
    BeginsElsewhere,
    /// Some step breaks a row from some state that satisfies the hypotheses.
    CounterexampleToInduction,
    /// Some obligation took too long.
    Open,
}

#[derive(Serialize, Default)]
pub(super) struct Counts {
    pub(super) untouched: usize,
    pub(super) discharged: usize,
    pub(super) counterexamples: usize,
    pub(super) open: usize,
}

#[derive(Serialize)]
pub(super) struct InvariantRow {
    pub(super) name: String,
    pub(super) level: u32,
    /// Whether it is a condition on states, or what a step may violate by itself.
    pub(super) is_invariant: bool,
    /// Whether a thread stops where it violates it.
    #[serde(skip)]
    pub(super) stops: bool,
    pub(super) holds_at_the_start: bool,
    /// The rows that its obligations used besides itself.
    pub(super) uses: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ActionColumn {
    pub(super) name: String,
    pub(super) steps: Vec<StepRow>,
}

/// One step of a column.
#[derive(Serialize)]
pub(super) struct StepRow {
    pub(super) thread: String,
    pub(super) line: Option<usize>,
    pub(super) code: String,
    /// Whether some state that satisfies all hypotheses has it; null if that is not known.
    pub(super) can_happen: Option<bool>,
}

/// One cell: all steps of the column together.
#[derive(Serialize)]
pub(super) struct ObligationCell {
    pub(super) result: CellResult,
    pub(super) seconds: f64,
    /// The hypotheses that were enough, where it is discharged.
    pub(super) uses: Vec<String>,
    pub(super) counterexamples: Vec<CounterexampleRow>,
    /// Whether it is discharged for any number of objects and threads, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_general: Option<bool>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub(super) enum CellResult {
    /// Nothing is asked of these steps.
    NotAsked,
    Untouched,
    Discharged,
    Open,
    Counterexample,
}

impl ProofReport {
    pub(super) fn exit(&self) -> Exit {
        match self.verdict {
            Verdict::Inductive => Exit::Holds,
            Verdict::FalseAtTheStart => Exit::Violated,
            Verdict::BeginsElsewhere | Verdict::CounterexampleToInduction => Exit::NotInductive,
            Verdict::Open | Verdict::Relative => Exit::Inconclusive,
        }
    }

    /// What is reported, in one line: `tso staccato WR under tso, buffer 2`.
    pub(super) fn title(&self) -> String {
        let buffer = self.buffer.map_or(String::new(), |n| format!(", buffer {n}"));
        format!("{} {} {} under {}{buffer}", self.protocol, self.variant, self.scenario, self.memory)
    }
}

pub(super) fn to_report(
    protocol: &Protocol,
    system: &System,
    memory: &str,
    problem: &Problem<'_>,
    proof: &Proof,
) -> ProofReport {
    let chosen = by_name(problem, true);
    let counterexamples = Counterexamples::new(protocol, problem);
    let cell = |rows: &[usize], column: usize| obligation_cell(&counterexamples, proof, rows, column);
    let matrix: Vec<Vec<ObligationCell>> =
        chosen.iter().map(|rows| (0..problem.columns.len()).map(|column| cell(rows, column)).collect()).collect();
    let others: Vec<String> = by_name(problem, false).iter().map(|rows| problem.rows[rows[0]].name.clone()).collect();
    let rows: Vec<InvariantRow> =
        chosen.iter().zip(&matrix).map(|(rows, cells)| invariant_row(problem, proof, rows, cells)).collect();
    let is_relative = rows.iter().flat_map(|row| &row.uses).any(|used| others.contains(used));
    let mut report = ProofReport {
        protocol: protocol.outline.name.clone(),
        variant: system.variant.clone(),
        scenario: system.scenario.clone(),
        constants: system.constants().to_vec(),
        memory: memory.into(),
        buffer: match problem.memory {
            Memory::Sc => None,
            Memory::Tso { buffer } => Some(buffer),
        },
        verdict: Verdict::Inductive,
        seconds: proof.seconds,
        obligations: count(proof),
        rows,
        columns: problem.columns.iter().map(|column| action_column(protocol, problem, proof, column)).collect(),
        matrix,
        left_out: problem.left_out.iter().cloned().chain(others.iter().cloned()).collect(),
        is_partial: !others.is_empty() || problem.has_higher_levels,
        liberties: liberties(protocol, problem),
        questions: questions(proof),
        scopes: None,
    };
    report.verdict = match &report.obligations {
        _ if proof.is_violated_at_the_start => Verdict::FalseAtTheStart,
        _ if !proof.false_at_the_start.is_empty() => Verdict::BeginsElsewhere,
        counts if counts.counterexamples > 0 => Verdict::CounterexampleToInduction,
        counts if counts.open > 0 => Verdict::Open,
        _ if is_relative => Verdict::Relative,
        _ => Verdict::Inductive,
    };
    report
}

/// The rows that are to be proved, or not, by name: the assertions of each thread and the rest of an invariant are one.
fn by_name(problem: &Problem<'_>, is_selected: bool) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (index, row) in problem.rows.iter().enumerate().filter(|(_, row)| row.is_selected == is_selected) {
        match found.iter_mut().find(|rows| problem.rows[rows[0]].name == row.name) {
            Some(rows) => rows.push(index),
            None => found.push(vec![index]),
        }
    }
    found
}

/// How many obligations there are of each kind, but for those of the ordinary matrix.
fn questions(proof: &Proof) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    for (_, obligation) in proof.obligations() {
        *found.entry(words(obligation.question)).or_insert(0) += 1;
    }
    if found.len() == 1 && found.contains_key(words(Question::Preserved)) { BTreeMap::new() } else { found }
}

fn words(question: Question) -> &'static str {
    match question {
        Question::Preserved => "of several threads",
        Question::Local => "local",
        Question::Stable => "stable",
        Question::Global => "global",
        Question::Safe => "safe",
        Question::Respected => "respected",
    }
}

/// Each place that `check` may come to earlier, once, with what may be pending there.
fn liberties(protocol: &Protocol, problem: &Problem<'_>) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for liberty in &problem.liberties {
        let points = &problem.automata.threads[liberty.thread].automaton.points;
        let line = |point: automata::PointId| match statement(protocol, points[point].span) {
            (Some(line), code) => format!("line {line} `{code}`"),
            (None, _) => "an operation".into(),
        };
        let kind = prove::kind(problem.automata, liberty.thread);
        let words = format!("{kind}: {} before {} is performed", line(liberty.place), line(liberty.pending));
        if !shown.contains(&words) {
            shown.push(words);
        }
    }
    shown
}

fn count(proof: &Proof) -> Counts {
    let mut counts = Counts::default();
    for (_, obligation) in proof.obligations() {
        *match obligation.outcome {
            ObligationResult::Untouched => &mut counts.untouched,
            ObligationResult::Discharged(_) => &mut counts.discharged,
            ObligationResult::Counterexample(_) => &mut counts.counterexamples,
            ObligationResult::Open => &mut counts.open,
        } += 1;
    }
    counts
}

fn invariant_row(problem: &Problem<'_>, proof: &Proof, rows: &[usize], cells: &[ObligationCell]) -> InvariantRow {
    let of = &problem.rows[rows[0]];
    let is_used = |name: &String| *name != of.name && cells.iter().any(|cell| cell.uses.contains(name));
    let mut uses: Vec<String> = problem.rows.iter().map(|row| row.name.clone()).filter(is_used).collect();
    uses.dedup();
    InvariantRow {
        name: of.name.clone(),
        level: of.level,
        is_invariant: of.kind == RowKind::Invariant,
        stops: of.kind == RowKind::Violation,
        holds_at_the_start: !rows.iter().any(|row| proof.false_at_the_start.contains(row)),
        uses,
    }
}

fn obligation_cell(
    counterexamples: &Counterexamples<'_>,
    proof: &Proof,
    rows: &[usize],
    column: usize,
) -> ObligationCell {
    let problem = counterexamples.problem;
    let mut cell = ObligationCell {
        result: CellResult::NotAsked,
        seconds: 0.0,
        uses: Vec::new(),
        counterexamples: Vec::new(),
        is_general: None,
    };
    for step in &problem.columns[column].steps {
        let obligations = proof.steps[*step].obligations.iter();
        for obligation in obligations.filter(|obligation| rows.contains(&obligation.row)) {
            cell.seconds += obligation.seconds;
            let result = match &obligation.outcome {
                ObligationResult::Untouched => CellResult::Untouched,
                ObligationResult::Open => CellResult::Open,
                ObligationResult::Discharged(used) => {
                    let names = used.iter().map(|row| problem.rows[*row].name.clone());
                    let new: Vec<String> = names.filter(|name| !cell.uses.contains(name)).collect();
                    cell.uses.extend(new);
                    CellResult::Discharged
                }
                ObligationResult::Counterexample(found) => {
                    let row = counterexamples.to_row(*step, obligation, found);
                    cell.counterexamples.push(row);
                    CellResult::Counterexample
                }
            };
            cell.result = cell.result.max(result);
        }
    }
    cell
}

fn action_column(protocol: &Protocol, problem: &Problem<'_>, proof: &Proof, column: &prove::Column) -> ActionColumn {
    let step = |step: &usize| step_row(protocol, problem, &problem.steps[*step], proof.steps[*step].can_happen);
    ActionColumn { name: column.name.clone(), steps: column.steps.iter().map(step).collect() }
}

/// The line at `span` with its number, without the label.
pub(super) fn statement(protocol: &Protocol, span: base::Span) -> (Option<usize>, String) {
    let (line, text) = source_line(&protocol.loaded.sources, span);
    let rest = text.strip_prefix('@').and_then(|text| text.split_once(' ')).map(|(_, rest)| rest.to_string());
    (line, rest.unwrap_or(text))
}

pub(super) fn step_row(
    protocol: &Protocol,
    problem: &Problem<'_>,
    step: &prove::StepOf,
    can_happen: Option<bool>,
) -> StepRow {
    let thread = &problem.automata.threads[step.thread];
    let (line, code) = match &step.kind {
        StepKind::Point(point) => statement(protocol, thread.automaton.points[*point].span),
        StepKind::Commit { group, .. } => (None, format!("commit of {group}")),
        StepKind::Interference { guarantee } => statement(protocol, problem.automata.guarantees[*guarantee].span),
    };
    StepRow { thread: thread.name.clone(), line, code, can_happen }
}
