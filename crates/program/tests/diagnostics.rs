//! Wrong programs and what is said about them.
//!
//! Each file in `wrong` is checked in all its variants and scenarios. A comment `//~ E0101 text` says that
//! its line has a diagnostic of that code whose message, hint or notes contain the text; `//~^` that the line above has.
//! Nothing else may be reported.

use base::{Diagnostic, Sources};
use std::path::Path;

/// Line, code and part of the text.
type Expected = (usize, String, String);

fn expected(text: &str) -> Vec<Expected> {
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let above = mark.chars().take_while(|c| *c == '^').count();
            let (code, text) = mark[above..].trim().split_once(' ').unwrap_or((mark[above..].trim(), ""));
            all.push((i + 1 - above, code.to_string(), text.to_string()));
        }
    }
    all
}

fn words(diagnostic: &Diagnostic) -> String {
    let notes: Vec<&str> = diagnostic.notes.iter().map(|n| n.message.as_str()).collect();
    format!("{} | {} | {}", diagnostic.message, diagnostic.hint.as_deref().unwrap_or(""), notes.join(" | "))
}

/// What is missing or too much.
fn differences(sources: &Sources, diagnostics: &[Diagnostic], mut expected: Vec<Expected>) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let line = sources.place(diagnostic.span).map_or(0, |(_, place)| place.line);
        let letter = if diagnostic.is_error() { 'E' } else { 'W' };
        let code = format!("{letter}{:04}", diagnostic.code.number);
        let text = words(diagnostic);
        match expected.iter().position(|e| e.0 == line && e.1 == code && text.contains(&e.2)) {
            Some(found) => drop(expected.remove(found)),
            None => out.push_str(&format!("not expected: {}", diagnostic.render(sources))),
        }
    }
    for (line, code, text) in expected {
        out.push_str(&format!("missing: line {line} {code} {text}\n"));
    }
    out
}

#[test]
fn wrong_programs_get_the_diagnostics_they_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut problems = String::new();
    for path in paths {
        let loaded = program::load(&|path: &Path| std::fs::read_to_string(path), &path);
        let mut diagnostics = loaded.diagnostics.clone();
        diagnostics.extend(program::check_all(&loaded));
        let text = std::fs::read_to_string(&path).unwrap();
        let found = differences(&loaded.sources, &diagnostics, expected(&text));
        if !found.is_empty() {
            problems.push_str(&format!("== {}\n{found}", path.display()));
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn every_code_has_its_own_number_and_name() {
    for (i, (code, meaning)) in program::codes::ALL.iter().enumerate() {
        assert!(!meaning.is_empty());
        for (other, _) in &program::codes::ALL[..i] {
            assert!(code.number != other.number && code.name != other.name, "{code:?}");
        }
    }
}
