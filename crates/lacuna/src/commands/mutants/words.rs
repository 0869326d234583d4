//! What came of the mutants, for people: a table, how many, and those that nothing sees.

use super::asked::Asked;
use super::told::{Counts, Told, ToldMutant};
use crate::args::MutantsArgs;
use crate::rows::longest;
use mutate::Mutant;
use report::table::{align, thousands};
use std::fmt::Write;
use std::path::Path;

/// What is said before the mutants.
pub(super) fn head(told: &Told) -> String {
    let title = title(told);
    match &told.failure {
        Some(_) if !told.judged => format!("{title}{}; so no mutant is run\n", as_it_is(told)),
        Some(_) => {
            let failure = format!("{title}{}; mutants are judged by what else they violate\n", as_it_is(told));
            format!("{failure}{}\n\n", scopes(told))
        }
        None => format!("{title}\n{}\n\n", scopes(told)),
    }
}

/// What is said after them.
pub(super) fn tail(args: &MutantsArgs, told: &Told) -> String {
    let between = if told.mutants.iter().any(|mutant| mutant.fate != "equivalent") { "\n" } else { "" };
    let mut out = format!("{between}{}\n", counts(&told.counts));
    if let Some(equivalent) = equivalent(told) {
        let _ = writeln!(out, "{equivalent}");
    }
    out += &section(told, "what no property sees", |m| m.fate == "survived");
    if args.patches {
        let survivors = told.mutants.iter().filter(|m| m.fate == "survived");
        for mutant in survivors {
            let _ = write!(out, "\n{}\n{}", mutant.name, mutant.patch.as_deref().unwrap_or(""));
        }
    }
    out
}

/// How wide the columns of these mutants will be: what became of each, kind, and place.
pub(super) fn widths(asked: &Asked, mutants: &[Mutant]) -> [usize; 3] {
    let sources = &asked.protocol.loaded.sources;
    let place = |mutant: &Mutant| {
        let (source, place) = sources.place(mutant.span)?;
        Some(place_of(&mutant.owner, &source.name, place.line).chars().count())
    };
    let places = mutants.iter().filter_map(place).max();
    [longest(["survived"]), longest(mutants.iter().map(|mutant| mutant.kind.name())), places.unwrap_or(0)]
}

/// The row of a mutant in the table of all.
pub(super) fn line(told: &Told, mutant: &ToldMutant) -> Vec<String> {
    let [kind, place] = [mutant.kind.clone(), place(mutant)];
    vec![mutant.fate.to_string(), kind, place, fate(told, mutant), mutant.what.clone()]
}

/// ` as it is: violated by deadlock in main under sc`
pub(super) fn as_it_is(told: &Told) -> String {
    format!(" as it is: {} by {}", told.verdict, told.failure.as_deref().unwrap_or_default())
}

/// `staccato original under sc, tso`
pub(super) fn title(told: &Told) -> String {
    format!("{} {} under {}", told.protocol, told.variant, told.memories.join(", "))
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
pub(super) fn scopes(told: &Told) -> String {
    let scope = |name: &str, states: u64| match name {
        "" => format!("{} states", thousands(states)),
        name => format!("{name} {} states", thousands(states)),
    };
    let scopes: Vec<String> = told.scopes.iter().map(|s| scope(&s.name, s.states)).collect();
    let holds = if told.failure.is_none() { "holds" } else { "violates nothing else" };
    format!("the original {holds} in {}: {}", told.scenarios.join(", "), scopes.join("; "))
}

fn section(told: &Told, head: &str, wanted: impl Fn(&&ToldMutant) -> bool) -> String {
    let rows: Vec<Vec<String>> = told.mutants.iter().filter(wanted).map(|mutant| row(told, mutant)).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("\n{head}\n{}", align(&rows))
}

/// Kind, place, what came of it, and what it is.
pub(super) fn row(told: &Told, mutant: &ToldMutant) -> Vec<String> {
    let fate = Some(fate(told, mutant)).filter(|fate| !fate.is_empty());
    [mutant.kind.clone(), place(mutant)].into_iter().chain(fate).chain([mutant.what.clone()]).collect()
}

fn place(mutant: &ToldMutant) -> String {
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
pub(super) fn fate(told: &Told, mutant: &ToldMutant) -> String {
    let by = mutant.by.as_deref().unwrap_or("");
    let mut where_ = String::new();
    if let (Some(scenario), true) = (&mutant.scenario, told.scenarios.len() > 1) {
        let _ = write!(where_, " in {scenario}");
    }
    if let (Some(scope), true) = (&mutant.scope, told.scopes.len() > 1) {
        let _ = write!(where_, " at {scope}");
    }
    if let (Some(memory), true) = (&mutant.memory, told.memories.len() > 1) {
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

fn equivalent(told: &Told) -> Option<String> {
    let count =
        |why: &str| told.mutants.iter().filter(|m| m.fate == "equivalent" && m.by.as_deref() == Some(why)).count();
    let parts: Vec<String> = ["never reached", "same automata"]
        .into_iter()
        .filter(|why| count(why) > 0)
        .map(|why| format!("{} {why}", count(why)))
        .collect();
    (!parts.is_empty()).then(|| format!("equivalent at this scope: {}", parts.join(", ")))
}
