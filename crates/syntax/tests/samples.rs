//! What the tests of this crate share: the files of the repository, and comparisons.

use base::{Diagnostic, FileId, Sources};
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the diagnostics of `text` look like to the user.
pub(crate) fn rendered(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (_, diagnostics) = syntax::parse(file, text);
    diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect()
}

/// Every `.lac` file of the repository's protocols and litmus tests, as path and text.
pub(crate) fn repository() -> Vec<(PathBuf, String)> {
    lac_files_in(&["protocols", "litmus"])
}

/// Every `.lac` file of the repository, wrong ones too.
pub(crate) fn lac_files() -> Vec<(PathBuf, String)> {
    lac_files_in(&["protocols", "litmus", "tests", "crates", "collector", "docs", "bench", "fuzz"])
}

fn lac_files_in(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths);
    }
    paths.sort();
    assert!(!paths.is_empty(), "the protocols are there");
    paths.into_iter().filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text))).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lac") {
            found.push(path);
        }
    }
}

/// The words between backquotes that follow a sentence of the language reference.
pub(crate) fn fenced_words(sentence: &str) -> std::collections::BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("docs/book/src/language.md")).expect("the reference is there");
    let (_, rest) = text.split_once(sentence).expect("the sentence is there");
    let list = rest.split('`').nth(1).expect("a list");
    list.split_whitespace().map(String::from).collect()
}

/// The blocks of a Markdown text that are fenced as `language`.
pub(crate) fn fenced<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    markdown.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// The tree of `text` with its spans left out, or none if the text has errors.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let (module, diagnostics) = syntax::parse(FileId(0), text);
    (!diagnostics.iter().any(Diagnostic::is_error)).then(|| syntax::print(&module))
}

/// Checks all that printing and formatting promise about a text without errors.
pub(crate) fn assert_round_trip(text: &str) {
    let tree = canonical(text).expect("the text has no errors");
    assert_eq!(canonical(&tree).as_deref(), Some(tree.as_str()), "canonical form changes when read again\n{text}");
    let formatted = syntax::format(text).expect("the text has no errors");
    assert_eq!(
        canonical(&formatted).as_deref(),
        Some(tree.as_str()),
        "formatting changes the tree of\n{text}\n-- to --\n{formatted}"
    );
    assert_eq!(
        syntax::format(&formatted).expect("formatted text has no errors"),
        formatted,
        "formatting twice changes\n{text}\n-- after once --\n{formatted}"
    );
    assert_eq!(n_comments(text), n_comments(&formatted), "comments of\n{text}\n-- after formatting --\n{formatted}");
}

/// The number of comments: `//` outside of titles.
fn n_comments(text: &str) -> usize {
    let has_comment = |line: &&str| {
        let mut quoted = false;
        let bytes = line.as_bytes();
        bytes.iter().enumerate().any(|(i, byte)| {
            quoted ^= *byte == b'"';
            !quoted && bytes[i..].starts_with(b"//")
        })
    };
    text.lines().filter(has_comment).count()
}
