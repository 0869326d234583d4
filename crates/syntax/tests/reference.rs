//! Every example of the language reference, and every file of the repository, is read without an error,
//! and printing or formatting it changes nothing but its layout.

use crate::samples::{assert_round_trip, fenced, rendered, repository, root};

/// An example with `..` for "any statements" left out.
fn complete(example: &str) -> String {
    example.replace("{ .. self .. }", "{}").replace("{ .. }", "{}").replace("{ .. return", "{ return")
}

#[test]
fn the_examples_of_the_reference_are_read() {
    let text = std::fs::read_to_string(root().join("docs/book/src/language.md")).expect("the reference is there");
    let examples = fenced(&text, "lac");
    assert!(examples.len() > 5);
    for example in examples.into_iter().map(complete) {
        assert_eq!(rendered("language.md", &example), "", "in\n{example}");
        assert_round_trip(&example);
    }
}

#[test]
fn the_files_of_the_repository_are_read_and_round_trip() {
    for (path, text) in repository() {
        assert_eq!(rendered(&path.to_string_lossy(), &text), "");
        assert_round_trip(&text);
    }
}

#[test]
fn codes_are_unique_and_within_their_range() {
    let mut numbers: Vec<u16> = syntax::codes::ALL.iter().map(|(code, _)| code.number).collect();
    let mut names: Vec<&str> = syntax::codes::ALL.iter().map(|(code, _)| code.name).collect();
    assert!(numbers.iter().all(|number| (1..100).contains(number)));
    numbers.dedup();
    names.sort();
    names.dedup();
    assert_eq!((numbers.len(), names.len()), (syntax::codes::ALL.len(), syntax::codes::ALL.len()));
}

#[test]
fn every_construct_is_read_and_formatted_as_it_stands() {
    let text = include_str!("data/everything.lac");
    assert_eq!(rendered("everything.lac", text), "");
    assert_round_trip(text);
    let formatted = syntax::format(text).expect("it has no errors");
    assert_eq!(formatted, text);
}
