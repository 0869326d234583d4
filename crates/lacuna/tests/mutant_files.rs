//! Mutants as their files say: a protocol, the lines taken away and put in, and what that must cause.

pub(crate) use crate::command::root;
use program::{Loaded, World};
use std::path::{Path, PathBuf};

/// A `.mutant` file.
#[derive(Debug)]
pub(crate) struct Mutant {
    pub(crate) name: String,
    pub(crate) protocol: PathBuf,
    /// The file that is checked: the protocol, or one that uses it.
    pub(crate) checked: PathBuf,
    pub(crate) variant: Option<String>,
    pub(crate) set: Vec<String>,
    /// The lines taken away, trimmed, and those put in their place.
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
    pub(crate) expectations: Vec<Expectation>,
}

/// `expect MEMORY SCENARIO holds`, or `violated`, or `violated by PROPERTY`.
#[derive(Debug)]
pub(crate) struct Expectation {
    pub(crate) memory: String,
    pub(crate) scenario: String,
    pub(crate) verdict: String,
    pub(crate) property: Option<String>,
}

/// Reads a mutant of a protocol below `root`.
pub(crate) fn read(root: &Path, path: &Path) -> Mutant {
    let text = std::fs::read_to_string(path).expect("readable");
    let name = path.strip_prefix(root.join("tests/mutants")).expect("inside").display().to_string();
    let mut mutant = Mutant {
        name,
        protocol: PathBuf::new(),
        checked: PathBuf::new(),
        variant: None,
        set: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        expectations: Vec::new(),
    };
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "protocol" => {
                mutant.protocol = root.join(rest);
                mutant.checked = root.join(rest);
            }
            "checked" => mutant.checked = root.join(rest),
            "variant" => mutant.variant = Some(rest.into()),
            "set" => mutant.set.push(rest.into()),
            "-" => mutant.before.push(rest.into()),
            "+" => mutant.after.push(rest.into()),
            "expect" => mutant.expectations.push(expectation(rest)),
            _ => panic!("{}: what is `{line}`?", mutant.name),
        }
    }
    mutant
}

fn expectation(text: &str) -> Expectation {
    let words: Vec<&str> = text.split_whitespace().collect();
    let property = match words[3..] {
        [] => None,
        ["by", property] => Some(property.to_string()),
        _ => panic!("what is `expect {text}`?"),
    };
    Expectation { memory: words[0].into(), scenario: words[1].into(), verdict: words[2].into(), property }
}

/// The disk, with one file changed.
struct Changed<'a>(&'a Path, String);

impl World for Changed<'_> {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        if path.file_name() == self.0.file_name() { Ok(self.1.clone()) } else { std::fs::read_to_string(path) }
    }
}

/// The protocol's text with the mutant's lines replaced; they must stand there exactly once.
pub(crate) fn mutated(mutant: &Mutant) -> String {
    let text = std::fs::read_to_string(&mutant.protocol).expect("the protocol is here");
    let lines: Vec<&str> = text.lines().collect();
    let n = mutant.before.len();
    let is_there = |at: &usize| lines[*at..*at + n].iter().zip(&mutant.before).all(|(line, b)| line.trim() == b);
    let places: Vec<usize> = (0..=lines.len() - n).filter(is_there).collect();
    assert_eq!(places.len(), 1, "{}: the lines to be replaced stand at {places:?}", mutant.name);
    let (head, tail) = (&lines[..places[0]], &lines[places[0] + n..]);
    let middle: Vec<&str> = mutant.after.iter().map(String::as_str).collect();
    [head, &middle, tail].concat().join("\n")
}

pub(crate) fn load(mutant: &Mutant) -> Loaded {
    let loaded = program::load(&Changed(&mutant.protocol, mutated(mutant)), &mutant.checked);
    assert!(loaded.diagnostics.is_empty(), "{}: {:?}", mutant.name, loaded.diagnostics);
    loaded
}

/// All mutants of the repository.
pub(crate) fn mutants() -> Vec<Mutant> {
    let folders = std::fs::read_dir(root().join("tests/mutants")).expect("the mutants are here");
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.expect("readable").path()).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    files.sort();
    files.iter().map(|path| read(&root(), path)).collect()
}
