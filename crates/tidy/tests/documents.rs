//! Rules for Markdown: links resolve, the book lists its chapters, decisions have their parts.

use std::path::Path;
use tidy::{files_with, links, root, short, text};

#[test]
fn every_relative_link_resolves() {
    let mut broken = Vec::new();
    for path in files_with(&root(), "md") {
        for link in links(&text(&path)) {
            let target = link.split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            if !path.parent().unwrap_or(Path::new("")).join(target).exists() {
                broken.push(format!("{}: {link}", short(&path)));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn the_summary_lists_every_chapter() {
    let folder = root().join("docs/book/src");
    let listed = links(&text(&folder.join("SUMMARY.md")));
    for chapter in files_with(&folder, "md") {
        let name = chapter.strip_prefix(&folder).expect("inside").display().to_string();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "{name} is not in SUMMARY.md");
    }
}

#[test]
fn every_decision_is_numbered_dated_and_complete() {
    let decisions = files_with(&root().join("docs/decisions"), "md");
    let mut number = 0;
    for path in decisions.iter().filter(|path| !path.ends_with("README.md")) {
        number += 1;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(name.starts_with(&format!("{number:04}-")), "{name} should have number {number:04}");
        for part in ["**Decision.**", "**Date.**", "## Context", "## Options", "## Consequences"] {
            assert!(text(path).contains(part), "{name} has no {part}");
        }
    }
    assert!(number > 0, "there are decisions");
}

#[test]
fn the_architecture_page_stays_short() {
    let n_lines = text(&root().join("ARCHITECTURE.md")).lines().count();
    assert!(n_lines <= 250, "ARCHITECTURE.md has {n_lines} lines");
}

#[test]
fn every_source_file_that_a_page_names_exists() {
    let sources: Vec<String> = files_with(&root(), "rs").iter().map(|path| format!("/{}", short(path))).collect();
    let mut missing = Vec::new();
    for path in files_with(&root(), "md") {
        let page = text(&path);
        for name in code_spans(&page).filter(|span| span.ends_with(".rs") && !span.contains(['*', ' ', '<', '{'])) {
            if !sources.iter().any(|source| source.ends_with(&format!("/{name}"))) {
                missing.push(format!("{}: {name}", short(&path)));
            }
        }
    }
    assert!(missing.is_empty(), "named, and not there:\n{}", missing.join("\n"));
}

#[test]
fn every_name_of_the_code_in_the_glossary_is_defined() {
    let glossary = text(&root().join("docs/book/src/glossary.md"));
    let (_, words) = glossary.split_once("## Words of the code").expect("the part exists");
    let rows =
        words.lines().take_while(|line| !line.starts_with("## Words with")).filter(|line| line.starts_with("| "));
    let sources: Vec<String> = files_with(&root(), "rs").iter().map(|path| text(path)).collect();
    let is_defined = |name: &str| {
        ["struct", "enum", "trait", "type", "fn", "const", "static"].iter().any(|keyword| {
            let definition = format!("{keyword} {name}");
            sources
                .iter()
                .any(|source| source.match_indices(&definition).any(|(at, _)| ends_a_word(source, at, &definition)))
        })
    };
    let names = rows.filter_map(|row| row.split('|').nth(1)).flat_map(code_spans);
    let stale: Vec<&str> =
        names.filter(|name| !name.starts_with("..") && *name != "name" && !is_defined(name)).collect();
    assert!(stale.is_empty(), "in the glossary, and not in the code: {stale:?}");
}

/// What stands between single backquotes, line by line.
fn code_spans(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2))
}

fn ends_a_word(text: &str, at: usize, word: &str) -> bool {
    !text[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}
