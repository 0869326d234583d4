//! What the formatter makes of texts: pairs of before and after, in the order of `data/formatting.md`.
//! `BLESS=1` rewrites the second of each pair.

use crate::samples::{assert_round_trip, fenced, repository};
use std::fmt::Write;
use std::path::Path;

#[test]
fn texts_are_laid_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formatting.md");
    let text = std::fs::read_to_string(&path).expect("the pairs are there");
    let mut sections = text.split("\n## ");
    let mut formatted = sections.next().unwrap_or("").to_string();
    for section in sections {
        let (title, rest) = section.split_once('\n').expect("a section has a title and a body");
        let before = fenced(rest, "lac").first().copied().expect("a section has a text");
        assert_round_trip(before);
        let after = syntax::format(before).expect("the text has no errors");
        let _ = write!(formatted, "\n## {title}\n```lac\n{before}```\n```lac\n{after}```\n");
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, formatted).expect("the file can be written");
    } else {
        assert_eq!(formatted, text, "run with BLESS=1 to accept");
    }
}

/// `BLESS=1` formats them.
#[test]
fn the_files_of_the_repository_are_formatted() {
    for (path, text) in repository() {
        let formatted = syntax::format(&text).expect("the text has no errors");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, formatted).expect("the file can be written");
        } else {
            assert!(formatted == text, "{}: run `lacuna fmt`, or this test with BLESS=1", path.display());
        }
    }
}

#[test]
fn text_with_errors_is_left_alone() {
    assert!(syntax::format("cell a").is_err());
    assert_eq!(syntax::format(""), Ok(String::new()));
}
