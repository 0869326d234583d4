//! `lacuna mutants` and `lacuna scope` from outside: exit codes, patches, pages, and input that is wrong.

use crate::command::{ends, json, root, run};
use serde_json::Value;
use std::process::Command;

const MP: &str = "litmus/MP.lac";
const ORDERED: &str = "litmus/MP+rel+acq.lac";
const STACCATO: &str = "protocols/copying/staccato/staccato.lac";

#[test]
fn exit_codes_say_what_came_of_it() {
    ends(&["mutants", ORDERED], 0, &["killed", "the original holds in main"]);
    ends(&["mutants", MP], 1, &["as it is: violated by stale in main", "mutants are judged by what else they violate"]);
    ends(&["mutants", ORDERED, "--max-states", "2"], 3, &["as it is: inconclusive by max-states"]);
    ends(&["mutants", ORDERED, "-m", "sc", "--only", "weaken", "--fail-on-survivor"], 1, &["what no property sees"]);
    ends(&["mutants", ORDERED, "-m", "sc", "--only", "weaken", "--patches"], 0, &["--- a/litmus/MP+rel+acq.lac"]);
    ends(&["scope", STACCATO, "--vary", "FIELDS=1..2"], 0, &["no violation in the 2 scopes", "FIELDS=2"]);
    ends(&["scope", STACCATO, "-m", "rmo-no", "--vary", "K=1..4"], 1, &["least scope with a violation: K="]);
    ends(
        &["scope", STACCATO, "--vary", "FIELDS=1..3", "--max-states", "6000"],
        3,
        &["inconclusive: max-states", "is a forecast, not a search"],
    );
}

#[test]
fn wrong_input_is_refused_with_a_hint() {
    ends(&["mutants", "nowhere.lac"], 2, &["cannot read `nowhere.lac`"]);
    ends(&["mutants", MP, "--only", "drops"], 2, &["`--only drops` names no kind of mutant", "drop, swap, weaken"]);
    ends(&["mutants", MP, "--scopes", "K=2;;K=3"], 2, &["an empty scope", "hint"]);
    ends(&["mutants", MP, "--scopes", "FIELDS=2"], 2, &["FIELDS"]);
    ends(&["mutants", MP, "--scopes", "K"], 2, &["has no `=`"]);
    ends(&["mutants", MP, "--variant", "other"], 2, &["there is no variant `other`"]);
    ends(&["mutants", MP, "--timeout", "nan"], 2, &["the timeout cannot be"]);
    ends(&["mutants", ORDERED, "--html", "/nowhere/x.html"], 2, &["cannot write `/nowhere/x.html`"]);
    ends(&["scope", MP], 2, &["MP has no parameter to vary", "--vary K=1..6"]);
    ends(&["scope", STACCATO, "--vary", "FIELDS"], 2, &["`--vary FIELDS` is no range"]);
    ends(&["scope", STACCATO, "--vary", "FIELDS=3..1"], 2, &["is no range"]);
    ends(&["scope", STACCATO, "--vary", "REFS=1..2"], 2, &["no parameter `REFS`", "FIELDS, MUTATORS, K"]);
    ends(&["scope", STACCATO, "--vary", "K=1..1000"], 2, &["more than 200 scopes"]);
    ends(&["scope", STACCATO, "--vary", "FIELDS=9"], 2, &["FIELDS"]);
    ends(&["scope", STACCATO, "--variant", "all"], 2, &["takes one variant"]);
}

#[test]
fn a_scope_that_kills_is_the_smallest() {
    let file = "tests/mutants-derived/scopes.lac";
    let reports = json(&["mutants", file, "--scopes", "READERS=2;READERS=1", "--only", "drop"]);
    let names = |list: &Value, key: &str| -> Vec<String> {
        let of = list.as_array().expect("a list").iter().filter_map(|one| one[key].as_str());
        of.map(String::from).collect()
    };
    assert_eq!(names(&reports[0]["scopes"], "name"), ["READERS=1", "READERS=2"]);
    let killed = names(&reports[0]["mutants"], "scope");
    assert!(["READERS=1", "READERS=2"].iter().all(|scope| killed.iter().any(|name| name == scope)), "{killed:?}");
}

#[test]
fn a_patch_applied_gives_the_violation_reported() {
    let reports = json(&["mutants", ORDERED, "--only", "weaken-order"]);
    let folder = std::env::temp_dir().join(format!("lacuna-mutants-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("litmus")).expect("writable");
    let mutants = reports[0]["mutants"].as_array().expect("a list");
    assert_eq!(mutants.len(), 2);
    for mutant in mutants {
        std::fs::copy(root().join(ORDERED), folder.join(ORDERED)).expect("writable");
        std::fs::write(folder.join("mutant.patch"), mutant["patch"].as_str().expect("text")).expect("writable");
        let applied = Command::new("git").args(["apply", "-p1", "mutant.patch"]).current_dir(&folder).status();
        assert!(applied.expect("git").success());
        let file = folder.join(ORDERED).display().to_string();
        ends(&["check", &file, "-m", "rmo-no"], 1, &[mutant["by"].as_str().expect("a property")]);
    }
    std::fs::remove_dir_all(&folder).expect("it was made above");
}

#[test]
fn pages_show_what_the_text_says() {
    let page =
        |arguments: &[&str]| String::from_utf8(run(&[arguments, &["--html", "-"]].concat()).stdout).expect("text");
    let mutants = page(&["mutants", ORDERED, "-m", "sc"]);
    assert!(mutants.contains("<h2>What no property sees: ") && mutants.contains("weaken-order"), "{mutants}");
    let scopes = page(&["scope", STACCATO, "--vary", "FIELDS=1..2"]);
    assert!(scopes.contains("<svg") && scopes.contains("FIELDS=2"), "{scopes}");
}

#[test]
fn the_same_mutants_come_out_the_same_whatever_the_cores_do() {
    let once = json(&["mutants", STACCATO, "-m", "sc", "--scenario", "WR"]);
    assert_eq!(once, json(&["mutants", STACCATO, "-m", "sc", "--scenario", "WR"]));
    assert!(once[0]["counts"]["killed"].as_u64().is_some_and(|n| n >= 25), "{}", once[0]["counts"]);
}
