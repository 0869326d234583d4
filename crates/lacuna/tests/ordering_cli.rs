//! `lacuna repair` and `lacuna orders` from outside: exit codes, JSON, patches, and input that is wrong.

use crate::command::{ends, json, root, run};
use serde_json::Value;
use std::process::Command;

const CLOVER: &str = "protocols/copying/clover/clover.lac";
const MP: &str = "litmus/MP.lac";

#[test]
fn exit_codes_say_what_came_of_it() {
    ends(&["repair", MP, "-m", "rmo-no"], 0, &["--- a/litmus/MP.lac", "+    y.store(1, release)"]);
    ends(&["repair", MP, "-m", "sc"], 0, &["there is nothing to repair"]);
    ends(&["repair", CLOVER, "-m", "tso"], 1, &["no fence or order repairs it", "under sequential consistency too"]);
    ends(&["repair", MP, "-m", "rmo-no", "--max-states", "2"], 3, &["inconclusive (max-states)"]);
    ends(&["orders", MP, "-m", "rmo-no"], 1, &["stale is violated in main as it is"]);
    ends(&["orders", MP, "-m", "sc"], 0, &["has no fence or order that could be weakened"]);
    ends(&["orders", "litmus/MP+fences.lac", "--max-states", "2"], 3, &["inconclusive (max-states)"]);
}

#[test]
fn wrong_input_is_refused_with_a_hint() {
    ends(&["repair", MP], 2, &["--memory"]);
    ends(&["repair", "nowhere.lac", "-m", "tso"], 2, &["cannot read `nowhere.lac`"]);
    ends(&["repair", MP, "-m", "xyz"], 2, &["there is no memory model `xyz`"]);
    ends(
        &["repair", MP, "-m", "tso", "--costs", "vax"],
        2,
        &["there is no cost table `vax`", "arm, power, x86, count"],
    );
    ends(&["repair", MP, "-m", "tso", "--costs", "README.md"], 2, &["README.md:3: expected `key: value`", "hint"]);
    ends(&["repair", MP, "-m", "tso", "--only", "gc"], 2, &["`--only gc`", "fences, orders, P0, P1"]);
    ends(&["repair", MP, "-m", "rmo-no", "--patch", "/nowhere/x.patch"], 2, &["cannot write `/nowhere/x.patch`"]);
    ends(&["orders", MP, "--variant", "other"], 2, &["there is no variant `other`"]);
    ends(&["orders", MP, "--set", "FIELDS=2"], 2, &["FIELDS"]);
}

#[test]
fn the_patch_alone_can_be_printed() {
    let output = run(&["repair", MP, "-m", "rmo-no", "--patch", "-"]);
    let patch = String::from_utf8(output.stdout).expect("text");
    assert!(patch.starts_with("--- a/litmus/MP.lac\n+++ b/litmus/MP.lac\n@@ "), "{patch}");
}

#[test]
fn the_json_of_a_repair_has_its_changes_with_reasons_and_runs() {
    let reports = json(&["repair", MP, "-m", "rmo-no", "--solutions", "2"]);
    assert_eq!(reports[0]["answer"], "repaired");
    let solutions = reports[0]["solutions"].as_array().expect("a list");
    assert_eq!(solutions.len(), 2);
    assert_eq!(solutions[0]["changes"].as_array().map(Vec::len), Some(2));
    for change in solutions[0]["changes"].as_array().expect("a list") {
        assert_eq!(change["property"], "stale");
        assert!(change["reasons"][0].as_str().is_some_and(|reason| reason.contains("is performed after its")));
    }
    assert!(solutions[0]["verified"].as_array().is_some_and(|runs| runs.iter().any(|run| run["set"] == "K=6")));
}

#[test]
fn a_witness_is_replayed_with_its_patch_applied() {
    let file = "litmus/MP+rel+acq.lac";
    let reports = json(&["orders", file, "-m", "rmo-no"]);
    let rows = reports[0]["orders"].as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    let folder = std::env::temp_dir().join(format!("lacuna-witness-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("litmus")).expect("writable");
    for row in rows {
        assert_eq!(row["enough"], serde_json::json!([row["now"]]), "both are needed");
        let weaker = &row["weaker"][0];
        assert_eq!((&weaker["holds"], &weaker["order"]), (&Value::from(false), &Value::from("none")));
        std::fs::copy(root().join(file), folder.join(file)).expect("writable");
        std::fs::write(folder.join("weaker.patch"), weaker["patch"].as_str().expect("text")).expect("writable");
        std::fs::write(folder.join("trace.json"), weaker["trace"].to_string()).expect("writable");
        let applied = Command::new("git").args(["apply", "-p1", "weaker.patch"]).current_dir(&folder).status();
        assert!(applied.expect("git").success());
        let (trace, file) = (folder.join("trace.json"), folder.join(file));
        ends(&["replay", &trace.display().to_string(), &file.display().to_string()], 0, &["stale"]);
    }
    std::fs::remove_dir_all(&folder).expect("it was made above");
}
