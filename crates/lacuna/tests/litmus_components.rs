//! The components of memory in `litmus/components/`: each formula gets the verdicts its file expects, and the table in
//! the README is what the checker finds. `BLESS=1` rewrites the table.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The memory models of the study.
const STUDY: [&str; 3] = ["sc", "tso", "relaxed"];

/// One formula: an outcome of one component, and whether each memory model of the study allows it.
struct Formula {
    component: String,
    outcome: String,
    allowed: [bool; 3],
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus/components")
}

/// The names of the files, without their ending.
fn components() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there").flatten().map(|entry| entry.path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "lac"));
    let mut names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn text(component: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{component}.lac"))).expect("the component is there")
}

/// Exit code, standard output, standard error.
fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).current_dir(folder()).output().expect("lacuna runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The runs of every formula of a component, formula by formula, and whether all are as the file expects.
fn runs(component: &str, memories: &str) -> (bool, Vec<Value>) {
    let file = format!("{component}.lac");
    let arguments = ["check", &file, "--variant", "all", "--memory", memories, "--expect", "--json", "-"];
    let (code, json, err) = lacuna(&arguments);
    assert_eq!(err, "", "{component}: warnings");
    (code == Some(0), serde_json::from_str(&json).expect("one object per run"))
}

fn formulas() -> Vec<Formula> {
    let mut formulas = Vec::new();
    for component in components() {
        let (_, runs) = runs(&component, &STUDY.join(","));
        for of_formula in runs.chunks(STUDY.len()) {
            let allowed = std::array::from_fn(|memory| {
                assert_eq!(of_formula[memory]["memory"], STUDY[memory]);
                of_formula[memory]["verdict"] == "violated"
            });
            let outcome = of_formula[0]["variant"].as_str().expect("a name").to_string();
            formulas.push(Formula { component: component.clone(), outcome, allowed });
        }
    }
    formulas
}

#[test]
fn every_formula_gets_the_verdicts_its_file_expects() {
    for component in components() {
        let (as_expected, runs) = runs(&component, "all");
        assert!(as_expected, "{component}: `lacuna check {component}.lac --variant all` shows which are not");
        assert!(runs.iter().all(|run| run["expected"].is_string()), "{component} expects something of every run");
        let decided = |run: &Value| run["verdict"] == "holds" || run["property"] == "outcome";
        assert!(runs.iter().all(decided), "{component}: only outcomes are violated");
    }
}

#[test]
fn every_file_is_formatted() {
    let files: Vec<String> = components().into_iter().map(|name| format!("{name}.lac")).collect();
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(lacuna(&arguments), (Some(0), String::new(), String::new()));
}

/// As many as in the study: 19 models with 81 formulas. Each model says what can be and what cannot.
#[test]
fn the_study_is_matched_in_number() {
    let formulas = formulas();
    assert_eq!((components().len(), formulas.len()), (19, 81));
    for component in components() {
        let of_component = || formulas.iter().filter(|formula| formula.component == component);
        assert!(of_component().any(|formula| formula.allowed == [true; 3]), "{component}: something is possible");
        assert!(of_component().any(|formula| !formula.allowed[0]), "{component}: SC disallows something");
    }
    assert!(formulas.iter().all(|formula| formula.allowed.is_sorted()), "weaker memory allows more");
}

/// What the file says of an outcome.
fn title(formula: &Formula) -> String {
    let text = text(&formula.component);
    let start = format!("variant {} \"", formula.outcome);
    let line = text.lines().find_map(|line| line.strip_prefix(&start)).expect("every outcome has a title");
    line.split('"').next().expect("the title ends").to_string()
}

#[test]
fn the_table_is_what_the_checker_finds() {
    let mut table = format!("| component | outcome | | {} |\n|---|---|---|---|---|---|\n", STUDY.join(" | "));
    for formula in formulas() {
        let words = formula.allowed.map(|allowed| if allowed { "possible" } else { "–" });
        let Formula { component, outcome, .. } = &formula;
        let row = [&format!("[{component}]({component}.lac)"), &format!("`{outcome}`"), &title(&formula)];
        table += &format!("| {} | {} |\n", row.map(String::as_str).join(" | "), words.join(" | "));
    }
    let path = folder().join("README.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once("<!-- formulas -->\n").expect("a mark before the table");
    let (old, after) = rest.split_once("<!-- end of formulas -->").expect("a mark after the table");
    if old != table && std::env::var_os("BLESS").is_some() {
        let page = format!("{before}<!-- formulas -->\n{table}<!-- end of formulas -->{after}");
        std::fs::write(&path, page).expect("the page can be written");
    } else {
        assert_eq!(old, table, "BLESS=1 rewrites the table");
    }
}
