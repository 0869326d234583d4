//! Limits where one command searches many times: what was found before stands, what was not decided is said so, with the limit.

use crate::command::lacuna;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The reader misses the message after a few steps. That it does not in program order, only a search of all that the others do can tell.
const LONG_TO_EXPLAIN: &str = "\
cell x: 0..1 = 0
cell y: 0..1 = 0
cell z[0..3]: 0..60 = 0
thread writer { x = 1; y = 1 }
thread reader { let r = y; let s = x; assert received: r == 0 or s == 1 }
thread others[4] { each i in 0..60 { z[self] = i } }
";

/// As long as anything here may take; without limits it takes far longer.
const SOON: Duration = Duration::from_secs(60);

fn run(arguments: &[&str]) -> Output {
    let begun = Instant::now();
    let output = lacuna(arguments).output().expect("lacuna runs");
    assert!(begun.elapsed() < SOON, "{arguments:?} takes too long");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn file(name: &str) -> String {
    let path: PathBuf = std::env::temp_dir().join(format!("lacuna-limits-{}-{name}.lac", std::process::id()));
    std::fs::write(&path, LONG_TO_EXPLAIN).expect("it can be written");
    path.display().to_string()
}

#[test]
fn a_limit_leaves_the_cause_undecided_and_the_verdict_stands() {
    let file = file("explained");
    for (limits, name) in [
        (&["--timeout", "2", "--max-states", "1000000000"][..], "timeout"),
        (&["--max-memory", "24M"][..], "max-memory"),
        (&["--max-states", "100000"][..], "max-states"),
    ] {
        let check = [&["check", &file, "--memory", "pso-no", "--workers", "1"], limits].concat();
        let output = run(&check);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let undecided = format!("cause:\n  which reorderings are needed was not decided ({name})\n");
        for words in ["violated: received", "received is violated under pso-no in scenario main", &undecided] {
            assert!(said.contains(words), "{limits:?} should say `{words}`:\n{said}");
        }
        let output = run(&[&check[..], &["--json", "-"]].concat());
        let runs: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&runs[0]["verdict"], &runs[0]["limit"]), (&"violated".into(), &Value::Null));
        assert!(runs[0]["trace"].is_object());
        let explanation = &runs[0]["explanation"];
        assert_eq!((&explanation["cause"], &explanation["limit"]), (&"undecided".into(), &name.into()));
    }
}

#[test]
fn a_stored_trace_is_explained_within_limits() {
    let file = file("stored");
    let trace = format!("{file}.json");
    run(&["check", &file, "--memory", "pso-no", "--no-explain", "--traces", "none", "--save-trace", &trace]);
    for limits in [["--timeout", "1"], ["--max-memory", "24M"]] {
        let output = run(&[&["explain", &trace], &limits[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.contains(&format!("not decided ({})", limits[0].trim_start_matches('-'))), "{said}");
    }
    let output = run(&["explain", &trace, "--gaps", "--timeout", "0"]);
    assert!(text(&output.stdout).contains("is not known"), "{}", text(&output.stdout));
    assert_eq!(run(&["explain", &trace, "--timeout=-1"]).status.code(), Some(2));
    assert_eq!(run(&["explain", &trace, "--max-memory", "much"]).status.code(), Some(2));
}

#[test]
fn ctrl_c_stops_the_explanation_and_not_the_verdict() {
    let file = file("interrupted");
    let check = ["check", &file, "--memory", "pso-no", "--max-states", "1000000000"];
    let mut child = lacuna(&check).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("lacuna starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    // The table is printed before anything is explained.
    while !said.contains("violated: received") {
        assert_ne!(out.read_line(&mut said).expect("text"), 0, "{said}");
    }
    let begun = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success(), "it was still running");
    out.read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{said}");
    assert!(begun.elapsed() < SOON, "it does not stop");
    assert!(said.contains("received is violated under pso-no in scenario main"), "{said}");
    assert!(said.contains("which reorderings are needed was not decided (interrupted)"), "{said}");
}

#[test]
fn all_runs_of_orders_and_of_repair_share_the_time() {
    let stopless = "protocols/copying/stopless/stopless.lac";
    let arguments = ["--memory", "rmo-no", "--set", "MUTATORS=3", "--timeout", "2"];
    for command in [["orders", stopless, "--variant", "for_rmo"], ["repair", stopless, "--variant", "original"]] {
        let output = run(&[&command[..], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(3), "{}{}", text(&output.stdout), text(&output.stderr));
        assert!(text(&output.stdout).contains("inconclusive (timeout)"), "{}", text(&output.stdout));
        let output = run(&[&command[..], &arguments[..], &["--json", "-"]].concat());
        let answers: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answers[0]["limit"], "timeout");
    }
}
