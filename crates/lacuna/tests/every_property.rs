//! `check --every-property`, and what is asked of locations that take no step of their own.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A thread marks an object and then passes two labels without a step of their own; another takes the mark away meanwhile.
const MARKING: &str = r#"
cell mark: bool = false
cell colour: 0..1 = 0

thread marker {
    let c = colour
    mark = true
    perform
    @marked let next = c + 1
    @tested if next == 2 { @nowhere mark = false }
    safepoint
}

thread sweeper {
    mark = false
}

invariant marks_stay: at(marker, tested) implies mark
invariant marks_at_all: at(marker, marked) implies not mark
invariant nowhere: at(marker, nowhere) implies mark
invariant sane: mark or not mark
"#;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lacuna-every-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        std::fs::write(path.join("marking.lac"), text).expect("writable");
        Folder(path)
    }

    fn check(&self, options: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
        command.arg("check").arg("marking.lac").args(options).current_dir(&self.0);
        command.output().expect("lacuna runs")
    }

    fn runs(&self, options: &[&str]) -> Value {
        let output = self.check(&[options, &["--json", "-"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn every_property_has_its_verdict_and_the_depth_of_its_first_violation() {
    let folder = Folder::new("verdicts", MARKING);
    let runs = folder.runs(&["--memory", "sc", "--every-property"]);
    let properties = runs[0]["properties"].as_array().expect("one for each property");
    let of = |name: &str| properties.iter().find(|p| p["name"] == name).unwrap_or_else(|| panic!("{name}: {runs}"));
    assert_eq!((&of("marks_stay")["verdict"], &of("marks_stay")["depth"]), (&"violated".into(), &3.into()));
    assert_eq!((&of("marks_at_all")["verdict"], &of("marks_at_all")["depth"]), (&"violated".into(), &2.into()));
    assert_eq!(of("sane")["verdict"], "holds");
    assert_eq!(of("deadlock")["verdict"], "holds");
    assert_eq!(of("nowhere")["never_at"][0], "at(marker, nowhere)");
    assert_eq!(runs[0]["property"], "marks_at_all");
}

#[test]
fn a_violation_at_a_location_that_is_passed_ends_there_and_is_replayed() {
    let folder = Folder::new("replayed", MARKING);
    let output = folder.check(&["--memory", "sc", "--property", "marks_stay", "--save-trace", "trace.json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output).lines().any(|line| line.contains("is at tested") && line.contains('✗')), "{}", text(&output));
    let trace: Value =
        serde_json::from_slice(&std::fs::read(folder.0.join("trace.json")).expect("written")).expect("JSON");
    assert_eq!(trace["events"].as_array().and_then(|events| events.last()).expect("some")["kind"], "at");
    let mut replay = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    let output =
        replay.args(["replay", "trace.json", "marking.lac"]).current_dir(&folder.0).output().expect("lacuna runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output).contains("is at tested"), "{}", text(&output));
}

#[test]
fn an_invariant_of_a_location_that_nobody_reaches_is_vacuous() {
    let folder = Folder::new("vacuous", MARKING);
    let run = &folder.runs(&["--memory", "sc", "--property", "nowhere"])[0];
    assert_eq!((&run["verdict"], &run["vacuous"]), (&"holds".into(), &true.into()));
    assert_eq!(run["uncovered"][0], "at(marker, nowhere)");
    let run = &folder.runs(&["--memory", "sc", "--property", "sane"])[0];
    assert_eq!((&run["verdict"], &run["vacuous"]), (&"holds".into(), &false.into()));
}

#[test]
fn the_exit_code_is_that_of_a_violation_if_there_is_any() {
    let folder = Folder::new("exit", MARKING);
    assert_eq!(folder.check(&["--every-property", "--quiet"]).status.code(), Some(1));
    let harmless = MARKING.lines().filter(|line| !line.contains("marks_")).collect::<Vec<_>>().join("\n");
    assert_eq!(Folder::new("harmless", &harmless).check(&["--every-property", "--quiet"]).status.code(), Some(0));
}
