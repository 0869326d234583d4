//! Wrong input and what is said about it, to the letter: `tests/diagnostics/`.
//!
//! Each `.lac` file there is checked by itself; each `.memory` file is used to check a file in which nothing is wrong.
//! The lines `//=` (`#=` in memory models) at the end of a file are what must be printed on standard error. Nothing may be
//! printed on standard output, and the exit code is 2. A file that begins with `//! Part of` is used by another one.
//! `BLESS=1` rewrites the lines: read every one of them then.

use crate::command::root;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    root().join("tests/diagnostics")
}

/// The files to check, relative to the folder.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if !read(&path).starts_with("//! Part of") {
                found.push(path.strip_prefix(folder()).expect("within the folder").to_path_buf());
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn is_memory(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "memory")
}

/// How the lines of the block begin.
fn mark(file: &Path) -> &'static str {
    if is_memory(file) { "#=" } else { "//=" }
}

/// The file without its block, and the block's text.
fn split(file: &Path) -> (String, String) {
    let text = read(&folder().join(file));
    let (block, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with(mark(file)));
    let line = |line: &&str| line[mark(file).len()..].strip_prefix(' ').unwrap_or("").to_string() + "\n";
    (rest.join("\n").trim_end().to_string() + "\n", block.iter().map(line).collect())
}

/// What `lacuna check` prints about a file, and what else is wrong with how it ends.
fn check(file: &Path) -> (String, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    command.current_dir(folder()).arg("check");
    if is_memory(file) {
        command.arg(root().join("litmus/SB.lac")).arg("--memory").arg(file);
    } else {
        command.arg(file);
    }
    let output = command.output().expect("lacuna runs");
    let mut wrong = Vec::new();
    if output.status.code() != Some(2) {
        wrong.push(format!("{} ends with {:?}, not 2", file.display(), output.status.code()));
    }
    if !output.stdout.is_empty() {
        wrong.push(format!("{} prints {}", file.display(), String::from_utf8_lossy(&output.stdout)));
    }
    (String::from_utf8(output.stderr).expect("text"), wrong)
}

fn bless(file: &Path, source: &str, printed: &str) {
    let block: Vec<String> = printed.lines().map(|line| format!("{} {line}", mark(file)).trim_end().into()).collect();
    let text = format!("{source}\n{}\n", block.join("\n"));
    std::fs::write(folder().join(file), text).expect("the file can be written");
}

#[test]
fn wrong_files_get_exactly_the_output_they_state() {
    let mut wrong = Vec::new();
    for file in files() {
        let (printed, complaints) = check(&file);
        wrong.extend(complaints);
        let (source, expected) = split(&file);
        if printed == expected {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            bless(&file, &source, &printed);
        } else {
            wrong.push(format!("{} gives\n{printed}instead of\n{expected}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 rewrites the expected output\n\n{}", wrong.join("\n"));
}

#[test]
fn there_are_many_wrong_files_and_some_have_several_mistakes() {
    let n_errors = |file: &PathBuf| split(file).1.lines().filter(|line| line.starts_with("error[")).count();
    let counts: Vec<usize> = files().iter().map(n_errors).collect();
    assert!(counts.len() >= 90, "{} files", counts.len());
    assert!(counts.iter().all(|n| *n > 0), "each has an error");
    assert!(counts.iter().filter(|n| **n > 1).count() >= 20, "many files have several");
}

/// Every error says what to do about it.
#[test]
fn every_error_has_a_hint() {
    let mut without = Vec::new();
    for file in files() {
        for diagnostic in split(&file).1.split("\n\n").filter(|part| part.starts_with("error[")) {
            if !diagnostic.contains("\n  = hint: ") {
                without.push(format!("{}\n{diagnostic}", file.display()));
            }
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n\n"));
}

/// Codes that no small file can show.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("too-many-errors", "it takes hundreds of mistakes; `cli.rs` makes them"),
    ("file-too-large", "it takes a file of 256 MiB"),
];

#[test]
fn every_code_is_shown_by_some_file() {
    let all: String = files().iter().map(|file| split(file).1).collect();
    let codes = syntax::codes::ALL.iter().chain(program::codes::ALL).chain(memory::text::CODES);
    let is_shown =
        |letter: char, code: &base::Code| all.contains(&format!("[{letter}{:04} {}]", code.number, code.name));
    let wrong: Vec<String> = codes
        .map(|(code, _)| code)
        .filter(|code| {
            let is_exception = EXCEPTIONS.iter().any(|(name, _)| *name == code.name);
            (is_shown('E', code) || is_shown('W', code)) == is_exception
        })
        .map(|code| format!("{} {}", code.number, code.name))
        .collect();
    assert!(wrong.is_empty(), "not shown, or no exception any more: {wrong:?}");
}
