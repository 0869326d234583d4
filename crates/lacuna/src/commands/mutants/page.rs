//! The results of the mutants, as a page.

use super::json::{MutantRow, MutantsReport};
use super::words::{counts, fate, row, scopes, title};
use report::html::{document, escape, table};

/// The page.
pub(super) fn page(reports: &[MutantsReport]) -> String {
    let name = reports.first().map_or(String::new(), |report| report.protocol.clone());
    document(&format!("Mutants of {name}"), &reports.iter().map(of_variant).collect::<String>())
}

fn of_variant(report: &MutantsReport) -> String {
    let mut out = format!("<h1>Mutants of {}</h1>\n", escape(&title(report)));
    if let Some(failure) = &report.failure {
        out += &format!("<p class=\"no\">As it is: {} by {}.</p>\n", escape(&report.verdict), escape(failure));
    }
    if !report.judged {
        return out;
    }
    out += &format!("<p>{}; {}.</p>\n", escape(&counts(&report.counts)), escape(&scopes(report)));
    let groups = [
        ("survived", "What no property sees"),
        ("killed", "Killed"),
        ("vacuous", "A cover is no longer reached"),
        ("open", "Not decided"),
        ("equivalent", "Equivalent at this scope"),
    ];
    groups.iter().fold(out, |out, (word, head)| out + &group(report, word, head))
}

fn group(report: &MutantsReport, word: &str, head: &str) -> String {
    let mutants: Vec<&MutantRow> = report.mutants.iter().filter(|mutant| mutant.fate == word).collect();
    if mutants.is_empty() {
        return String::new();
    }
    let columns: &[&str] =
        if word == "survived" { &["kind", "where", "what"] } else { &["kind", "where", "by", "what"] };
    let rows = table(columns, mutants.iter().map(|mutant| row(report, mutant)));
    let patches: String = match word {
        "survived" => mutants.iter().map(|mutant| patch(report, mutant)).collect(),
        _ => String::new(),
    };
    format!("<h2>{head}: {}</h2>\n{rows}{patches}", mutants.len())
}

fn patch(report: &MutantsReport, mutant: &MutantRow) -> String {
    let text = mutant.patch.as_deref().unwrap_or("");
    let by = fate(report, mutant);
    format!(
        "<details><summary>{}{}</summary><pre>{}</pre></details>\n",
        escape(&mutant.name),
        escape(&by),
        escape(text)
    )
}
