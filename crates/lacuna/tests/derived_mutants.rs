//! The small systems in `tests/mutants-derived/`: which mutants each has, and what becomes of each.
//!
//! Lines `//= ` at the end of a file are its mutants in the order of the text, one each: `NAME => FATE`. A first line `//! scopes: ..` gives
//! the scopes, `//! memory: ..` the memory models. `BLESS=1` writes the lines of today.

use crate::command::root;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/mutants-derived")).expect("the folder is there").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    files
}

/// The value of a line `//! key: value`.
fn setting<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(&format!("//! {key}: ")))
}

fn mutants(path: &Path, text: &str) -> Value {
    let mut arguments = vec!["mutants".to_string(), path.display().to_string(), "--json".into(), "-".into()];
    for (key, option) in [("scopes", "--scopes"), ("memory", "--memory")] {
        arguments.extend(setting(text, key).into_iter().flat_map(|value| [option.to_string(), value.to_string()]));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_lacuna")).args(&arguments).output().expect("lacuna runs");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).expect("JSON")[0].take()
}

/// `drop-fence P0 fences.lac:7 fence full => killed by both_old at step 4`
fn line(mutant: &Value, has_scopes: bool) -> String {
    let word = |key: &str| mutant[key].as_str().unwrap_or("").to_string();
    let mut out = format!("//= {} => {}", word("name"), word("fate"));
    if let Some(by) = mutant["by"].as_str() {
        out += &format!(" by {by}");
    }
    if let Some(steps) = mutant["steps"].as_u64() {
        out += &format!(" at step {steps}");
    }
    if let (Some(scope), true) = (mutant["scope"].as_str(), has_scopes) {
        out += &format!(", {scope}");
    }
    out
}

#[test]
fn every_mutant_meets_its_fate() {
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let reports = mutants(&path, &text);
        let has_scopes = setting(&text, "scopes").is_some();
        let mut lines: Vec<String> =
            reports["mutants"].as_array().expect("a list").iter().map(|mutant| line(mutant, has_scopes)).collect();
        lines.push(format!("//= no programs: {}", reports["counts"]["discarded"]));
        let expected: Vec<&str> = text.lines().filter(|line| line.starts_with("//= ")).collect();
        if std::env::var_os("BLESS").is_some() && lines != expected {
            let own: Vec<&str> = text.lines().filter(|line| !line.starts_with("//= ")).collect();
            let blessed = format!("{}\n\n{}\n", own.join("\n").trim_end(), lines.join("\n"));
            std::fs::write(&path, blessed).expect("writable");
            continue;
        }
        assert_eq!(lines, expected, "{}", path.display());
    }
}
