//! The results of the mutants, for people: a table, how many, and those that nothing sees.

use super::json::{Counts, MutantRow, MutantsReport};
use super::request::Request;
use crate::args::MutantsArgs;
use crate::rows::longest;
use mutate::Mutant;
use report::table::{align, thousands};
use std::fmt::Write;
use std::path::Path;

/// What is said before the mutants.
pub(super) fn head(report: &MutantsReport) -> String {
    let title = title(report);
    match &report.failure {
        Some(_) if !report.judged => format!("{title}{}; so no mutant is run\n", as_it_is(report)),
        Some(_) => {
            let failure = format!("{title}{}; mutants are judged by what else they violate\n", as_it_is(report));
            format!("{failure}{}\n\n", scopes(report))
        }
        None => format!("{title}\n{}\n\n", scopes(report)),
    }
}

/// What is said after them.
pub(super) fn tail(args: &MutantsArgs, report: &MutantsReport) -> String {
    let between = if report.mutants.iter().any(|mutant| mutant.fate != "equivalent") { "\n" } else { "" };
    let mut out = format!("{between}{}\n", counts(&report.counts));
    if let Some(equivalent) = equivalent(report) {
        let _ = writeln!(out, "{equivalent}");
    }
    out += &section(report, "what no property sees", |m| m.fate == "survived");
    if args.patches {
        let survivors = report.mutants.iter().filter(|m| m.fate == "survived");
        for mutant in survivors {
            let _ = write!(out, "\n{}\n{}", mutant.name, mutant.patch.as_deref().unwrap_or(""));
        }
    }
    out
}

/// How wide the columns of these mutants will be: what became of each, kind, and place.
pub(super) fn widths(request: &Request, mutants: &[Mutant]) -> [usize; 3] {
    let sources = &request.protocol.loaded.sources;
    let place = |mutant: &Mutant| {
        let (source, place) = sources.place(mutant.span)?;
        Some(place_of(&mutant.owner, &source.name, place.line).chars().count())
    };
    let places = mutants.iter().filter_map(place).max();
    [longest(["survived"]), longest(mutants.iter().map(|mutant| mutant.kind.name())), places.unwrap_or(0)]
}

/// The row of a mutant in the table of all.
pub(super) fn line(report: &MutantsReport, mutant: &MutantRow) -> Vec<String> {
    let [kind, place] = [mutant.kind.clone(), place(mutant)];
    vec![mutant.fate.to_string(), kind, place, fate(report, mutant), mutant.what.clone()]
}

/// ` as it is: violated by deadlock in main under sc`
pub(super) fn as_it_is(report: &MutantsReport) -> String {
    format!(" as it is: {} by {}", report.verdict, report.failure.as_deref().unwrap_or_default())
}

/// `staccato original under sc, tso`
pub(super) fn title(report: &MutantsReport) -> String {
    format!("{} {} under {}", report.protocol, report.variant, report.memories.join(", "))
}

pub(super) fn counts(counts: &Counts) -> String {
    let Counts { killed, vacuous, survived, equivalent, open, discarded } = counts;
    let all = killed + vacuous + survived + equivalent + open;
    let mut parts = vec![format!("{killed} killed")];
    let others = [(vacuous, "vacuous"), (survived, "survived"), (equivalent, "equivalent"), (open, "open")];
    parts.extend(others.into_iter().filter(|(n, _)| **n > 0).map(|(n, word)| format!("{n} {word}")));
    let discarded = if *discarded == 0 { String::new() } else { format!(" ({discarded} more are no programs)") };
    format!("{all} mutants{discarded}: {}", parts.join(", "))
}

/// What the verdicts speak of.
pub(super) fn scopes(report: &MutantsReport) -> String {
    let scope = |name: &str, states: u64| match name {
        "" => format!("{} states", thousands(states)),
        name => format!("{name} {} states", thousands(states)),
    };
    let scopes: Vec<String> = report.scopes.iter().map(|s| scope(&s.name, s.states)).collect();
    let holds = if report.failure.is_none() { "holds" } else { "violates nothing else" };
    format!("the original {holds} in {}: {}", report.scenarios.join(", "), scopes.join("; "))
}

fn section(report: &MutantsReport, head: &str, wanted: impl Fn(&&MutantRow) -> bool) -> String {
    let rows: Vec<Vec<String>> = report.mutants.iter().filter(wanted).map(|mutant| row(report, mutant)).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("\n{head}\n{}", align(&rows))
}

/// Kind, place, result, and what it is.
pub(super) fn row(report: &MutantsReport, mutant: &MutantRow) -> Vec<String> {
    let fate = Some(fate(report, mutant)).filter(|fate| !fate.is_empty());
    [mutant.kind.clone(), place(mutant)].into_iter().chain(fate).chain([mutant.what.clone()]).collect()
}

fn place(mutant: &MutantRow) -> String {
    match (&mutant.owner, &mutant.file, mutant.line) {
        (Some(owner), Some(file), Some(line)) => place_of(owner, file, line),
        _ => mutant.name.trim_start_matches("variant ").to_string(),
    }
}

/// `collector staccato.lac:36`
fn place_of(owner: &str, file: &str, line: usize) -> String {
    let file = Path::new(file).file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    format!("{owner} {file}:{line}")
}

/// `lost_update in WR, 13 steps`
pub(super) fn fate(report: &MutantsReport, mutant: &MutantRow) -> String {
    let by = mutant.by.as_deref().unwrap_or("");
    let mut where_ = String::new();
    if let (Some(scenario), true) = (&mutant.scenario, report.scenarios.len() > 1) {
        let _ = write!(where_, " in {scenario}");
    }
    if let (Some(scope), true) = (&mutant.scope, report.scopes.len() > 1) {
        let _ = write!(where_, " at {scope}");
    }
    if let (Some(memory), true) = (&mutant.memory, report.memories.len() > 1) {
        let _ = write!(where_, " under {memory}");
    }
    match (mutant.fate, mutant.steps) {
        ("killed", Some(1)) => format!("{by}{where_}, 1 step"),
        ("killed", Some(n)) => format!("{by}{where_}, {n} steps"),
        ("vacuous", _) => format!("never reached: {by}{where_}"),
        ("survived", _) => String::new(),
        _ => format!("{by}{where_}"),
    }
}

fn equivalent(report: &MutantsReport) -> Option<String> {
    let count =
        |why: &str| report.mutants.iter().filter(|m| m.fate == "equivalent" && m.by.as_deref() == Some(why)).count();
    let parts: Vec<String> = ["never reached", "same automata"]
        .into_iter()
        .filter(|why| count(why) > 0)
        .map(|why| format!("{} {why}", count(why)))
        .collect();
    (!parts.is_empty()).then(|| format!("equivalent at this scope: {}", parts.join(", ")))
}
