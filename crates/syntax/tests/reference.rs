//! Every example of the language reference, and every file of the repository, is read without an error.

use base::{Diagnostic, Sources};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn errors(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (_, diagnostics) = syntax::parse(file, text);
    diagnostics.iter().map(|d: &Diagnostic| d.render(&sources)).collect()
}

/// The text of each ```` ```lac ```` block, with `..` for "any statements" left out.
fn examples(markdown: &str) -> Vec<String> {
    let blocks = markdown.split("```lac\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .map(|block| block.replace("{ .. self .. }", "{ }").replace("{ .. }", "{ }").replace("{ .. return", "{ return"))
        .collect()
}

#[test]
fn the_examples_of_the_reference_are_read() {
    let text = std::fs::read_to_string(root().join("docs/book/src/language.md")).expect("the reference is there");
    let examples = examples(&text);
    assert!(examples.len() > 5);
    for example in examples {
        assert_eq!(errors("language.md", &example), "", "in\n{example}");
    }
}

/// Every `.lac` file below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lac") {
            found.push(path);
        }
    }
}

#[test]
fn the_files_of_the_repository_are_read() {
    let mut paths = Vec::new();
    files(&root().join("protocols"), &mut paths);
    files(&root().join("litmus"), &mut paths);
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file was found");
        assert_eq!(errors(&path.to_string_lossy(), &text), "");
    }
}
