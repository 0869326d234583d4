//! The files in `editors/` know the words of the lexer, and the TextMate grammar colours every file as the lexer reads it.

use crate::samples::{fenced_words, lac_files, root};
use base::FileId;
use regex_lite::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use syntax::{KEYWORDS, Mark, marks};

fn text(path: &str) -> String {
    let path = root().join("editors").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words between all occurrences of `open` and the `close` that follows.
fn words(text: &str, open: &str, close: &str) -> BTreeSet<String> {
    let lists: Vec<&str> = text.split(open).skip(1).map(|rest| rest.split(close).next().unwrap_or("")).collect();
    assert!(!lists.is_empty(), "there is no `{open}`");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    lists.iter().flat_map(|list| list.split(|c| !is_word(c))).filter(|w| !w.is_empty()).map(String::from).collect()
}

/// A pattern of the TextMate grammar: its scope, and what it matches.
fn patterns() -> Vec<(String, Regex)> {
    let grammar: Value = serde_json::from_str(&text("vscode/syntaxes/lac.tmLanguage.json")).expect("JSON");
    let all = grammar["patterns"].as_array().expect("patterns");
    let string = |pattern: &Value, key: &str| pattern[key].as_str().expect("a string").to_string();
    all.iter().map(|p| (string(p, "name"), Regex::new(&string(p, "match")).expect("a plain regex"))).collect()
}

/// The word list of a pattern.
fn listed(scope: &str) -> BTreeSet<String> {
    let (_, regex) = patterns().into_iter().find(|(name, _)| name == scope).expect("the pattern is there");
    words(regex.as_str(), "(", ")")
}

fn union(a: BTreeSet<String>, b: BTreeSet<String>) -> BTreeSet<String> {
    a.into_iter().chain(b).collect()
}

#[test]
fn every_editor_knows_the_words_of_the_lexer() {
    let keywords: BTreeSet<String> = KEYWORDS.iter().map(|word| word.to_string()).collect();
    let (vim, emacs, tree) =
        (text("vim/syntax/lac.vim"), text("emacs/lac-mode.el"), text("tree-sitter-lac/grammar.js"));
    for (editor, known) in [
        ("TextMate", union(listed("keyword.control.lac"), listed("constant.language.lac"))),
        (
            "Vim",
            union(words(&vim, "syntax keyword lacKeyword ", "\n"), words(&vim, "syntax keyword lacLiteral ", "\n")),
        ),
        ("Emacs", union(words(&emacs, "lac-keywords\n  '(", ")"), words(&emacs, "lac-literals\n  '(", ")"))),
        ("tree-sitter", union(words(&tree, "KEYWORDS = [", "]"), words(&tree, "LITERALS = [", "]"))),
        ("the reference", fenced_words("These keywords are reserved:")),
    ] {
        assert_eq!(known, keywords, "{editor}");
    }
}

#[test]
fn words_that_are_keywords_only_in_places_are_those_of_the_reference() {
    let reference = fenced_words("These words are keywords only where the grammar expects them:");
    let (vim, emacs) = (text("vim/syntax/lac.vim"), text("emacs/lac-mode.el"));
    let listed = listed("keyword.other.contextual.lac");
    assert!(listed.is_subset(&reference), "{:?}", listed.difference(&reference));
    assert_eq!(words(&vim, "syntax keyword lacContextual ", "\n"), listed);
    assert_eq!(words(&emacs, "lac-contextual\n  '(", ")"), listed);
}

/// The pieces of a line that the grammar colours, as an editor does it: the first match, of the first pattern, and on from its end.
fn coloured<'a>(patterns: &'a [(String, Regex)], line: &str) -> Vec<(&'a str, usize, usize)> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    while let Some((found, scope)) = patterns
        .iter()
        .filter_map(|(scope, regex)| Some((regex.find_at(line, at)?, scope)))
        .min_by_key(|(found, _)| found.start())
    {
        pieces.push((scope.as_str(), found.start(), found.end()));
        at = found.end().max(at + 1);
    }
    pieces
}

/// What a scope means to the lexer; none for names and operators, which it tells apart otherwise.
fn meant(scope: &str) -> Option<Mark> {
    match scope {
        "keyword.control.lac" | "constant.language.lac" => Some(Mark::Keyword),
        "constant.numeric.lac" => Some(Mark::Number),
        "string.quoted.double.lac" => Some(Mark::Title),
        "comment.line.double-slash.lac" => Some(Mark::Comment),
        _ => None,
    }
}

/// What the grammar marks in a text, and where.
fn by_grammar(patterns: &[(String, Regex)], text: &str) -> Vec<(Mark, usize, usize)> {
    let mut all = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let pieces = coloured(patterns, line).into_iter();
        all.extend(pieces.filter_map(|(scope, from, to)| {
            let to = from + line[from..to].trim_end().len();
            Some((meant(scope)?, start + from, start + to))
        }));
        start += whole.len();
    }
    all
}

fn by_lexer(text: &str) -> Vec<(Mark, usize, usize)> {
    let is_marked = |(mark, _): &(Mark, base::Span)| *mark != Mark::Name;
    let place = |(mark, span): (Mark, base::Span)| (mark, span.start as usize, span.end as usize);
    marks(FileId(0), text).into_iter().filter(is_marked).map(place).collect()
}

#[test]
fn the_grammar_colours_every_file_as_the_lexer_reads_it() {
    let patterns = patterns();
    let files = lac_files();
    assert!(files.len() > 300, "all files are there: {}", files.len());
    for (path, text) in files {
        let (_, diagnostics) = syntax::parse(FileId(0), &text);
        let (ours, theirs) = (by_lexer(&text), by_grammar(&patterns, &text));
        let missing = ours.iter().find(|mark| !theirs.contains(mark));
        assert_eq!(missing, None, "{}: the grammar does not mark it", path.display());
        // In a wrong text the lexer may leave out what it cannot read.
        let more = theirs.iter().find(|mark| !ours.contains(mark)).filter(|_| diagnostics.is_empty());
        assert_eq!(more, None, "{}: the lexer does not mark it", path.display());
    }
}

#[test]
fn line_ends_of_windows_change_no_colour() {
    let text = "// é, a comment\r\ncell x: 0..1 = 0 // more\r\nvariant a \"a title\" {}\r\n";
    assert_eq!(by_grammar(&patterns(), text), by_lexer(text));
    assert_eq!(by_lexer(text).len(), 8);
}

#[test]
fn the_extension_names_files_that_are_there() {
    let package: Value = serde_json::from_str(&text("vscode/package.json")).expect("JSON");
    let contributes = &package["contributes"];
    let paths = [&package["main"], &contributes["languages"][0]["configuration"], &contributes["grammars"][0]["path"]];
    for path in paths.map(|path| path.as_str().expect("a path")) {
        assert!(!text(&format!("vscode/{path}")).is_empty());
    }
    let configuration: Value = serde_json::from_str(&text("vscode/language-configuration.json")).expect("JSON");
    assert_eq!(configuration["comments"]["lineComment"], "//");
    let named = words(&text("tree-sitter-lac/queries/highlights.scm"), "(", ")");
    let grammar = text("tree-sitter-lac/grammar.js");
    assert!(named.iter().all(|name| grammar.contains(&format!("    {name}: "))), "{named:?}");
}
