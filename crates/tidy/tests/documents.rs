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
