//! Which obligations are discharged for any number of objects and threads, for programs and for people.

use super::json::ProofReport;
use program::Program;
use prove::{Generality, Problem, Proof, Sort};
use report::table::wrap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: usize = 120;

/// What is known of greater scopes.
#[derive(Serialize, Default)]
pub(super) struct Scopes {
    /// What there may be any number of.
    pub(super) any_number_of: Vec<String>,
    /// Obligations whose step writes nothing that the row speaks of.
    pub(super) untouched: usize,
    /// Obligations that a small model would refute.
    pub(super) small_models: usize,
    /// The most elements that one of these needs, by what they are.
    pub(super) largest: BTreeMap<String, usize>,
    /// Obligations that are discharged at this scope only, by the reason.
    pub(super) bounded: Vec<Reason>,
    /// Rows of which every obligation is general, and so is every row that they use.
    pub(super) theorems: Vec<String>,
}

/// Why obligations are bounded.
#[derive(Serialize)]
pub(super) struct Reason {
    pub(super) why: String,
    pub(super) obligations: usize,
    /// The rows they belong to.
    pub(super) rows: Vec<String>,
}

/// Adds what is known of greater scopes to a report.
pub(super) fn add(
    report: &mut ProofReport,
    problem: &Problem<'_>,
    proof: &Proof,
    found: &[Vec<Option<Generality>>],
    program: &Program,
) {
    let mut scopes = Scopes { any_number_of: sorts(program), ..Scopes::default() };
    let mut is_general = vec![vec![true; problem.steps.len()]; problem.rows.len()];
    for (step, (of_step, known)) in proof.steps.iter().zip(found).enumerate() {
        for (obligation, known) in of_step.obligations.iter().zip(known) {
            let row = &problem.rows[obligation.row].name;
            match known {
                Some(Generality::Untouched) => scopes.untouched += 1,
                Some(Generality::SmallModel(counts)) => scopes.small(program, counts),
                Some(Generality::Bounded(why)) => scopes.reason(why, row),
                None => {}
            }
            let holds = matches!(known, Some(Generality::Untouched | Generality::SmallModel(_)));
            is_general[obligation.row][step] &= holds;
        }
    }
    scopes.bounded.sort_by_key(|reason| std::cmp::Reverse(reason.obligations));
    let chosen: Vec<usize> = (0..problem.rows.len()).filter(|row| problem.rows[*row].is_selected).collect();
    for (row, cells) in chosen.iter().zip(&mut report.matrix) {
        for (column, cell) in problem.columns.iter().zip(cells) {
            cell.is_general = Some(column.steps.iter().all(|step| is_general[*row][*step]));
        }
    }
    scopes.theorems = theorems(report);
    report.scopes = Some(scopes);
}

/// The rows that are general in every column and use only such rows.
fn theorems(report: &ProofReport) -> Vec<String> {
    let cells = |row: usize| report.matrix[row].iter();
    let mut names: Vec<&str> = Vec::new();
    for (row, of) in report.rows.iter().enumerate() {
        if cells(row).all(|cell| cell.is_general == Some(true)) {
            names.push(&of.name);
        }
    }
    loop {
        let uses = |name: &str| report.rows.iter().find(|row| row.name == name).map(|row| &row.uses);
        let stays = |name: &&str| uses(name).is_some_and(|uses| uses.iter().all(|used| names.contains(&used.as_str())));
        let fewer: Vec<&str> = names.iter().copied().filter(|name| stays(name)).collect();
        if fewer.len() == names.len() {
            return fewer.into_iter().map(String::from).collect();
        }
        names = fewer;
    }
}

fn sorts(program: &Program) -> Vec<String> {
    let objects = program.types.objects.values().map(|object| object.name.clone());
    let threads = program.threads.values().filter(|thread| thread.count.is_some()).map(|thread| thread.name.clone());
    objects.chain(threads).collect()
}

impl Scopes {
    fn small(&mut self, program: &Program, counts: &[(Sort, usize)]) {
        self.small_models += 1;
        for (sort, count) in counts {
            let name = match sort {
                Sort::Objects(id) => &program.types.objects[*id].name,
                Sort::Copies(id) => &program.threads[*id].name,
            };
            let largest = self.largest.entry(name.clone()).or_default();
            *largest = (*largest).max(*count);
        }
    }

    fn reason(&mut self, why: &str, row: &str) {
        let position = self.bounded.iter().position(|reason| reason.why == why).unwrap_or_else(|| {
            self.bounded.push(Reason { why: why.into(), obligations: 0, rows: Vec::new() });
            self.bounded.len() - 1
        });
        let reason = &mut self.bounded[position];
        reason.obligations += 1;
        if !reason.rows.iter().any(|of| of == row) {
            reason.rows.push(row.into());
        }
    }
}

/// What is known of greater scopes, in words.
pub(super) fn text(scopes: &Scopes) -> String {
    let general = scopes.untouched + scopes.small_models;
    let bounded: usize = scopes.bounded.iter().map(|reason| reason.obligations).sum();
    let greater = match scopes.any_number_of.is_empty() {
        true => "there is no greater one".to_string(),
        false => format!("at every one with more of {}", scopes.any_number_of.join(" and ")),
    };
    let mut out = format!("\n{general} of {} obligations are general (`+`): ", general + bounded);
    let _ = writeln!(out, "discharged at this scope and {greater}");
    let _ = writeln!(out, "  {:>5}  the step writes nothing that the row speaks of", scopes.untouched);
    let largest: Vec<String> = scopes.largest.iter().map(|(name, n)| format!("{n} of {name}")).collect();
    if scopes.small_models > 0 {
        let most =
            if largest.is_empty() { "nothing more".to_string() } else { format!("at most {}", largest.join(", ")) };
        let _ = writeln!(out, "  {:>5}  a counterexample needs {most}", scopes.small_models);
    }
    if bounded > 0 {
        let _ = writeln!(out, "{bounded} are discharged at this scope; nothing is said of greater ones");
        for reason in &scopes.bounded {
            let _ = writeln!(out, "  {:>5}  {}", reason.obligations, reason.why);
            out += &wrap("           ", &reason.rows.join(", "), WIDTH);
        }
    }
    if !scopes.theorems.is_empty() {
        out += &wrap("preserved by every step at all these scopes: ", &scopes.theorems.join(", "), WIDTH);
    }
    out
}
