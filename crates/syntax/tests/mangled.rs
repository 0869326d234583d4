//! Texts made wrong at random, and texts made to be hard: the parser answers soon, with spans inside
//! the text, and what has no errors round-trips.

use crate::samples::{assert_round_trip, repository};
use base::random::splitmix64;
use base::{Diagnostic, FileId};
use std::time::{Duration, Instant};

/// A small generator of random numbers (splitmix64), so that failures come back.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Words, symbols and blanks of the text, in order; together they are the text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| match first {
            '/' => c != '\n' && rest.starts_with("//"),
            f if f.is_alphanumeric() || f == '_' => c.is_alphanumeric() || c == '_',
            ' ' => c == ' ',
            _ => false,
        };
        let end = rest.char_indices().skip(1).find(|(_, c)| !same(*c)).map_or(rest.len(), |(i, _)| i);
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

const NOISE: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    ".",
    "..",
    "?",
    "@",
    "=",
    "==",
    "->",
    "-",
    "*",
    "|",
    "&&",
    "!",
    "+=",
    "\n",
    "\n\n",
    " // note\n",
    "\n/// doc\n",
    "\n//! module\n",
    "\"",
    "\"t\"",
    "if ",
    "else ",
    "let ",
    "proc ",
    "thread ",
    "all ",
    "in ",
    "not ",
    "or ",
    "and ",
    "choose ",
    "0",
    "99999999999",
    "7x",
    "é",
    "\u{0}",
    "/*",
    "x",
    " with ",
    "expect ",
];

fn mangle(random: &mut Random, pieces: &[&str]) -> String {
    let mut pieces: Vec<&str> = pieces.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(pieces.len());
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, random.pick(NOISE)),
            2 => pieces.insert(at, pieces[random.below(pieces.len())]),
            3 => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
            4 => pieces.truncate(at.max(1)),
            _ => drop(pieces.drain(at..(at + random.below(30)).min(pieces.len()))),
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

/// The files of the repository, and between them the one that has every construct.
fn texts() -> Vec<String> {
    let everything = include_str!("data/everything.lac");
    repository().into_iter().flat_map(|(_, text)| [text, everything.to_string()]).collect()
}

fn check(text: &str) {
    let (_, diagnostics) = syntax::parse(FileId(0), text);
    for diagnostic in &diagnostics {
        for span in std::iter::once(diagnostic.span).chain(diagnostic.notes.iter().map(|note| note.span)) {
            let range = span.start as usize..span.end as usize;
            assert!(text.get(range.clone()).is_some(), "{range:?} of {} in\n{text}", diagnostic.message);
        }
    }
    assert!(diagnostics.len() <= 101);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        assert_round_trip(text);
    }
}

#[test]
fn mangled_files_are_answered() {
    let files = texts();
    let mut random = Random(1);
    for round in 0..1500 {
        let text = &files[round % files.len()];
        let text = mangle(&mut random, &pieces(text));
        check(&text);
    }
}

#[test]
fn comments_and_line_ends_anywhere_are_kept() {
    let files = texts();
    let mut random = Random(2);
    let blanks = ["\n", "\n\n", " // note\n", "\n// note\n", "\n\n// note\n\n", "\n/// doc\n", "  ", "\t", ";", ","];
    for round in 0..1500 {
        let text = &files[round % files.len()];
        let mut pieces = pieces(text);
        for _ in 0..1 + random.below(12) {
            pieces.insert(random.below(pieces.len()), random.pick(&blanks));
        }
        check(&pieces.concat());
    }
}

#[test]
fn random_bytes_are_answered() {
    let mut random = Random(3);
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.next() as u8).collect();
        check(&String::from_utf8_lossy(&bytes));
        let words: String = (0..random.below(80)).map(|_| random.pick(NOISE)).collect();
        check(&words);
        check(&format!("proc p() {{ {words}"));
    }
}

#[test]
fn every_prefix_is_answered() {
    for (_, text) in repository().iter().take(3) {
        for (end, _) in text.char_indices() {
            let _ = syntax::parse(FileId(0), &text[..end]);
        }
    }
}

#[test]
fn hard_texts_are_answered_soon() {
    let many = |text: &str, n: usize| text.repeat(n);
    let texts = [
        many("(", 100_000),
        many("{", 1 << 20),
        many("}", 1 << 20),
        many("[", 1 << 20),
        many("$", 1 << 20),
        many("/*", 1 << 19),
        many("\"", 1 << 19),
        many("/", 1 << 19),
        many("cell ", 200_000),
        many("cell\n", 200_000),
        many("proc p() {\n", 50_000),
        many("x ", 300_000),
        many("\n", 1 << 20),
        format!("const a = {}", many("(", 100_000)),
        format!("const a = {}", many("-", 100_000)),
        format!("const a = {}", many("not ", 100_000)),
        format!("const a = 1{}", many(" + 1", 100_000)),
        format!("const a = x{}", many(".x", 100_000)),
        format!("const a = x{}", many("[0]", 100_000)),
        format!("const a = x{}", many(" implies x", 100_000)),
        format!("const a = {}x", many("all x in T: ", 50_000)),
        format!("const a = {}", many("x or x and x == x | x ^ x & x << x + x * (", 10_000)),
        format!("const a = {}1", many("choose 0..", 50_000)),
        format!("const a = {}", many("f(x, ", 50_000)),
        format!("const a = {}", many("if x then ", 50_000)),
        format!("const a = {}", many("if x then 1 else ", 50_000)),
        format!("const a = {}", many("at(", 50_000)),
        format!("const a = {}", many("1 + (", 50_000)),
        format!("proc p() {{ {}", many("loop {", 100_000)),
        format!("proc p() {{ {} {}", many("loop {", 100_000), many("}", 100_000)),
        format!("proc p() {{ {}", many("if x {", 100_000)),
        format!("proc p() {{ if x {{}} {}", many("else if x {} ", 100_000)),
        format!("proc p() {{ choose {{}} {}", many("or {} ", 100_000)),
        format!("proc p() {{ {}", many("x = 1; ", 100_000)),
        format!("proc p() {{ {}", many("cell\n", 100_000)),
        format!("enum E {{ {}", many("A, ", 100_000)),
        format!("enum E {{ {}", many("{", 100_000)),
        format!("heap {{ {}", many("a: B {", 100_000)),
        format!("flag f: {}", many("a | ", 100_000)),
        format!("flag f: {}", many("a as b | ", 100_000)),
        format!("proc {}", many("p(place p: ", 100_000)),
        format!("expect {}", many("a, ", 100_000)),
        format!("expect {{ {}", many("a-", 100_000)),
        format!("scenario s {{ {}", many("thread t {", 100_000)),
        format!("scenario s {{ {}", many("thread\n", 100_000)),
    ];
    for text in texts {
        let begun = Instant::now();
        check(&text);
        let beginning: String = text.chars().take(60).collect();
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?} for {beginning:?}", begun.elapsed());
    }
}

#[test]
fn nesting_within_the_limit_is_read() {
    let deep = 90;
    check(&format!("const a = {}1{}", "(".repeat(deep), ")".repeat(deep)));
    let blocks = format!("proc p() {{ {} skip {} }}", "loop {".repeat(deep), "}".repeat(deep));
    assert!(crate::samples::canonical(&blocks).is_some());
    assert_round_trip(&blocks);
    assert!(crate::samples::canonical(&format!("const a = 0{}", " + 1".repeat(400))).is_some());
}
