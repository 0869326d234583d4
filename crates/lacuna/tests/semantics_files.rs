//! The rules in `tests/semantics/`: `check` gives the verdicts that each file states. The second opinion does too: `crates/second/tests`.

use crate::small_systems::lacuna;
use std::path::Path;

fn files() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/semantics");
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".lac")).collect();
    files.sort();
    files
}

/// A cover or an assertion that control does not come to is what some rules are about; one file has two violations, and
/// each is expected in a row of its own.
fn is_stated(file: &str, line: &str) -> bool {
    let is_vacuous = line.ends_with("holds, but vacuously; expected holds");
    is_vacuous || file == "both_fail_at_first.lac" && line.ends_with("violated: first; expected violated by second")
}

#[test]
fn every_rule_gives_the_verdicts_that_its_file_states() {
    for file in files() {
        let of_all = ["check", &file, "--variant", "all", "--scenario", "all", "--memory", "all"];
        let (code, out, err) = lacuna("semantics", &[&of_all[..], &["--expect", "--quiet"]].concat());
        assert!(matches!(code, Some(0 | 1)), "{file}\n{out}{err}");
        let different: Vec<&str> = err.lines().filter(|line| line.starts_with("not as expected")).collect();
        assert!(different.iter().all(|line| is_stated(&file, line)), "{file}\n{}", different.join("\n"));
        assert!(code == Some(0) || !different.is_empty(), "{file}\n{out}{err}");
    }
}
