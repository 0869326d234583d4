//! The files in `tests/trust/`: each says which commands to run on it, and what must come out. Its README has the format.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// A command that takes longer is a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// One command and what must come of it.
#[derive(Debug)]
struct Case {
    arguments: Vec<String>,
    exit: Option<i32>,
    says: Vec<String>,
    not: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/trust")
}

/// The lines of a file that may belong to a test.
fn lines(name: &str, text: &str) -> Vec<String> {
    let is_lac = name.ends_with(".lac");
    let test = text.lines().map_while(|line| if is_lac { line.strip_prefix("//!") } else { Some(line) });
    test.map(|line| line.trim().to_string()).collect()
}

fn cases(name: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in lines(name, text) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if word == "$" {
            cases.push(Case { arguments: arguments(name, rest), exit: None, says: Vec::new(), not: Vec::new() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match word {
            "exit" => case.exit = Some(rest.parse().unwrap_or_else(|_| panic!("{name}: exit `{rest}`"))),
            "says" => case.says.push(squeezed(rest)),
            "not" => case.not.push(squeezed(rest)),
            _ => {}
        }
    }
    cases
}

/// The words of a command; the file comes behind the first one unless it is named.
fn arguments(name: &str, command: &str) -> Vec<String> {
    let mut words: Vec<String> = command.split_whitespace().map(String::from).collect();
    match words.iter_mut().find(|word| *word == "FILE") {
        Some(word) => *word = name.into(),
        None if name.ends_with(".lac") => words.insert(1, name.into()),
        None => {}
    }
    words
}

/// With one space for several.
fn squeezed(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Exit code and all that was said.
fn run(arguments: &[String], scratch: &Path) -> (Option<i32>, String) {
    let files = ["out", "err"].map(|name| scratch.join(name));
    let [out, err] = files.each_ref().map(|path| File::create(path).expect("writable"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    let mut child = command.args(arguments).current_dir(folder()).stdout(out).stderr(err).spawn().expect("lacuna runs");
    let begun = Instant::now();
    let status: Option<ExitStatus> = loop {
        match child.try_wait().expect("waits") {
            Some(status) => break Some(status),
            None if begun.elapsed() > PATIENCE => {
                child.kill().expect("ends");
                child.wait().expect("waits");
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let said = files.each_ref().map(|path| String::from_utf8_lossy(&std::fs::read(path).expect("read")).into_owned());
    (status.and_then(|status| status.code()), said.concat())
}

/// What is wrong with the result of a command.
fn complaints(case: &Case, (code, said): &(Option<i32>, String)) -> Vec<String> {
    let squeezed = squeezed(said);
    let has = |text: &String| squeezed.lines().any(|line| line.contains(text.as_str()));
    let mut wrong = Vec::new();
    if *code != case.exit {
        wrong.push(format!("ends with {code:?}, expected {:?}", case.exit));
    }
    wrong.extend(case.says.iter().filter(|text| !has(text)).map(|text| format!("does not say `{text}`")));
    wrong.extend(case.not.iter().filter(|text| has(text)).map(|text| format!("says `{text}`")));
    wrong
}

#[test]
fn every_file_gets_what_it_asks_for() {
    let scratch = std::env::temp_dir().join(format!("lacuna-trust-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder for temporary files");
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .filter(|name| name.ends_with(".lac") || name.ends_with(".txt"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let mut failures = Vec::new();
    for name in &names {
        let text = std::fs::read_to_string(folder().join(name)).expect("readable");
        let cases = cases(name, &text);
        if cases.is_empty() {
            failures.push(format!("{name} has no command"));
        }
        for case in &cases {
            let came = run(&case.arguments, &scratch);
            let wrong = complaints(case, &came);
            if case.exit.is_none() || !wrong.is_empty() {
                let command = case.arguments.join(" ");
                failures.push(format!("lacuna {command}\n  {}\n{}", wrong.join("\n  "), came.1));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(failures.is_empty(), "{} failures\n\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_case_that_does_not_come_true_is_reported() {
    let text = "//! about\n//! $ check -m sc\n//! exit 1\n//! says a  b\n//! not c\ncell x: 0..1\n//! exit 7\n";
    let [case] = &cases("x.lac", text)[..] else { panic!("one case") };
    assert_eq!(case.arguments, ["check", "x.lac", "-m", "sc"]);
    assert!(complaints(case, &(Some(1), "x a   b\nd".into())).is_empty());
    assert_eq!(complaints(case, &(Some(0), "a c b".into())).len(), 3);
}
