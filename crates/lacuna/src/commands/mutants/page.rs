//! What came of the mutants, as a page.

use super::told::{Told, ToldMutant};
use super::words::{counts, fate, row, scopes, title};
use report::html::{document, escape, table};

/// The page.
pub(super) fn page(told: &[Told]) -> String {
    let name = told.first().map_or(String::new(), |told| told.protocol.clone());
    document(&format!("Mutants of {name}"), &told.iter().map(of_variant).collect::<String>())
}

fn of_variant(told: &Told) -> String {
    let mut out = format!("<h1>Mutants of {}</h1>\n", escape(&title(told)));
    if let Some(failure) = &told.failure {
        out += &format!("<p class=\"no\">As it is: {} by {}.</p>\n", escape(&told.verdict), escape(failure));
    }
    if !told.judged {
        return out;
    }
    out += &format!("<p>{}; {}.</p>\n", escape(&counts(&told.counts)), escape(&scopes(told)));
    let groups = [
        ("survived", "What no property sees"),
        ("killed", "Killed"),
        ("vacuous", "A cover is no longer reached"),
        ("open", "Not decided"),
        ("equivalent", "Equivalent at this scope"),
    ];
    groups.iter().fold(out, |out, (word, head)| out + &group(told, word, head))
}

fn group(told: &Told, word: &str, head: &str) -> String {
    let mutants: Vec<&ToldMutant> = told.mutants.iter().filter(|mutant| mutant.fate == word).collect();
    if mutants.is_empty() {
        return String::new();
    }
    let columns: &[&str] =
        if word == "survived" { &["kind", "where", "what"] } else { &["kind", "where", "by", "what"] };
    let rows = table(columns, mutants.iter().map(|mutant| row(told, mutant)));
    let patches: String = match word {
        "survived" => mutants.iter().map(|mutant| patch(told, mutant)).collect(),
        _ => String::new(),
    };
    format!("<h2>{head}: {}</h2>\n{rows}{patches}", mutants.len())
}

fn patch(told: &Told, mutant: &ToldMutant) -> String {
    let text = mutant.patch.as_deref().unwrap_or("");
    let by = fate(told, mutant);
    format!(
        "<details><summary>{}{}</summary><pre>{}</pre></details>\n",
        escape(&mutant.name),
        escape(&by),
        escape(text)
    )
}
