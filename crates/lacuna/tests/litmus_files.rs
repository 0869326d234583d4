//! The litmus tests in `litmus/`: each file gets the verdicts it expects, the neutral format gives the same answers,
//! and the table in the README is what the checker finds. `BLESS=1` rewrites the table.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const MEMORIES: [&str; 8] = ["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no", "relaxed", "armv8"];

/// All of them, for `--memory`.
const OPTION: &str = "all,armv8";

/// Those that only the files say something of.
const FURTHER: &str = "armv8-ldar,armv8-exclusives";

/// Tests with operations that C++ and Rust do not have: `rc11` refuses them.
const NOT_IN_RC11: [&str; 1] = ["LLSC-atomic"];

/// Tests that the neutral format cannot state.
const NOT_IN_CLASSICS: [&str; 2] = ["Peterson", "Peterson+fences"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus")
}

/// The names of the tests.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there").flatten().map(|entry| entry.path());
    let tests = entries.filter(|path| path.extension().is_some_and(|ending| ending == "lac"));
    let mut names: Vec<String> = tests.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Exit code, standard output, standard error.
fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).current_dir(folder()).output().expect("lacuna runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Whether each memory model allows the behaviour, by name of the test.
fn verdicts() -> BTreeMap<String, Vec<bool>> {
    let of_test = |name: String| {
        let (_, json, _) = lacuna(&["check", &format!("{name}.lac"), "--memory", OPTION, "--json", "-"]);
        let runs: Value = serde_json::from_str(&json).expect("JSON");
        let runs = runs.as_array().expect("one object per run");
        let memories: Vec<&str> = runs.iter().map(|run| run["memory"].as_str().unwrap()).collect();
        assert_eq!(memories, MEMORIES, "{name}");
        assert!(runs.iter().all(|run| run["verdict"] != "inconclusive"), "{name}");
        (name, runs.iter().map(|run| run["verdict"] == "violated").collect())
    };
    names().into_iter().map(of_test).collect()
}

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    let names = names();
    assert!(names.len() >= 35, "{}", names.len());
    for name in names {
        let file = format!("{name}.lac");
        let language = if NOT_IN_RC11.contains(&name.as_str()) { "" } else { ",rc11" };
        let memories = format!("{OPTION},{FURTHER}{language}");
        let (code, out, err) = lacuna(&["check", &file, "--memory", &memories, "--expect"]);
        assert_eq!(code, Some(0), "{name}\n{out}{err}");
        assert_eq!(err, "", "{name}: warnings");
        let (code, json, _) = lacuna(&["check", &file, "--memory", &memories, "--expect", "--json", "-"]);
        let runs: Value = serde_json::from_str(&json).expect("JSON");
        let stated = runs.as_array().expect("runs").iter().all(|run| run["expected"].is_string());
        assert!(code == Some(0) && stated, "{name} says for each memory model what it expects");
    }
}

#[test]
fn every_file_is_formatted() {
    let files: Vec<String> = names().into_iter().map(|name| format!("{name}.lac")).collect();
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(lacuna(&arguments), (Some(0), String::new(), String::new()));
}

#[test]
fn the_neutral_format_gives_the_same_answers() {
    let (code, lines, err) = lacuna(&["litmus", "classics.jsonl", "--memory", OPTION, "--json", "-"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let mut neutral: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).expect("one object per line");
        let fields: Vec<&String> = line.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["name", "memory", "allowed", "finals"]);
        assert!(!line["finals"].as_array().expect("a list").is_empty(), "some run ends");
        let allowed = neutral.entry(line["name"].as_str().unwrap().to_string()).or_default();
        assert_eq!(line["memory"], MEMORIES[allowed.len()]);
        allowed.push(line["allowed"].as_bool().expect("yes or no"));
    }
    let mut files = verdicts();
    for name in NOT_IN_CLASSICS {
        files.remove(name).expect("it stands in the folder");
    }
    assert_eq!(neutral, files);
}

/// What RC11 says of the behaviour.
fn in_rc11(name: &str) -> &'static str {
    let (code, ..) = lacuna(&["check", &format!("{name}.lac"), "--memory", "rc11", "--traces", "none"]);
    match code {
        Some(0) => "–",
        Some(1) => "allowed",
        _ => "refused",
    }
}

/// What a stronger memory model allows, a weaker one does too.
#[test]
fn weaker_memory_allows_more() {
    let pairs = [(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (0, 7), (1, 7)];
    for (name, allowed) in verdicts() {
        for (stronger, weaker) in pairs {
            let (stronger, weaker) = (allowed[stronger], allowed[weaker]);
            assert!(!stronger || weaker, "{name}: {allowed:?}");
        }
    }
}

#[test]
fn the_table_is_what_the_checker_finds() {
    let columns = MEMORIES.iter().chain(&["rc11"]).copied().collect::<Vec<_>>();
    let mut table =
        format!("| test | question | {} |\n|---|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for (name, allowed) in verdicts() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.lac"))).expect("the test is there");
        let question = text.lines().next().unwrap().trim_start_matches("//! ");
        let words: Vec<&str> = allowed.iter().map(|allowed| if *allowed { "allowed" } else { "–" }).collect();
        table += &format!("| [{name}]({name}.lac) | {question} | {} | {} |\n", words.join(" | "), in_rc11(&name));
    }
    let path = folder().join("README.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once("<!-- kinds -->\n").expect("a mark before the table");
    let (old, after) = rest.split_once("<!-- end of kinds -->").expect("a mark after the table");
    if old != table && std::env::var_os("BLESS").is_some() {
        let page = format!("{before}<!-- kinds -->\n{table}<!-- end of kinds -->{after}");
        std::fs::write(&path, page).expect("the page can be written");
    } else {
        assert_eq!(old, table, "BLESS=1 rewrites the table");
    }
}
