//! Traces that are stored and replayed: what is refused, and why.

use crate::cli::{Folder, STOPLESS, code, err, out, refuses};
use crate::command::run;
use serde_json::Value;
use std::path::Path;

#[test]
fn a_stored_trace_is_replayed() {
    let folder = Folder::new("replay");
    for (file, arguments) in [
        ("litmus/SB.lac", vec!["--memory", "tso"]),
        ("litmus/MP+fence+ctrl.lac", vec!["--memory", "rmo-no", "--speculate", "1"]),
        (STOPLESS, vec!["--memory", "rmo-no", "--set", "FIELDS=2", "--scenario", "WR", "-K", "3"]),
    ] {
        let (trace, json) = (folder.path("trace.json"), folder.path("runs.json"));
        let check = [&["check", file, "--save-trace", &trace, "--json", &json], &arguments[..]].concat();
        assert_eq!(code(&run(&check)), 1, "{file}");
        for stored in [&trace, &json] {
            let output = run(&["replay", stored, file]);
            assert_eq!(code(&output), 0, "{file}: {}", err(&output));
            assert!(out(&output).contains("every step is enabled"), "{}", out(&output));
        }
    }
}

#[test]
fn nothing_is_stored_where_nothing_is_violated() {
    let folder = Folder::new("no-trace");
    let path = folder.path("trace.json");
    let output = run(&["check", "litmus/SB.lac", "--memory", "sc", "--save-trace", &path]);
    assert_eq!(code(&output), 0);
    assert!(err(&output).contains("no counterexample"), "{}", err(&output));
    assert!(!Path::new(&path).exists());
}

#[test]
fn a_trace_that_is_tampered_with_is_refused() {
    let folder = Folder::new("tampered");
    let path = folder.path("trace.json");
    run(&["check", "litmus/SB.lac", "--memory", "tso", "--save-trace", &path]);
    let stored: Value = serde_json::from_slice(&std::fs::read(&path).expect("a trace")).expect("JSON");
    let replay = |change: &dyn Fn(&mut Value), file: &str| {
        let mut changed = stored.clone();
        change(&mut changed);
        let output = run(&["replay", &folder.file("changed.json", changed.to_string()), file]);
        assert_eq!(out(&output), "");
        (code(&output), err(&output))
    };
    let not_enabled = replay(&|trace| trace["steps"][1] = 99.into(), "litmus/SB.lac");
    assert_eq!(not_enabled.0, 1);
    assert!(not_enabled.1.contains("the trace is not one of this file"), "{}", not_enabled.1);
    let too_short = replay(&|trace| trace["steps"] = serde_json::json!([0]), "litmus/SB.lac");
    assert_eq!(too_short.0, 1);
    assert!(too_short.1.contains("the trace is not one of this file"), "{}", too_short.1);
    let other_file = replay(&|_| (), "litmus/MP.lac");
    assert_eq!(other_file.0, 2);
    assert!(other_file.1.contains("violates `both_old`, a property that the file does not have"), "{}", other_file.1);
    let other_variant = replay(&|trace| trace["variant"] = "fix".into(), "litmus/SB.lac");
    assert_eq!(other_variant.0, 2);
    assert!(other_variant.1.contains("variant `fix`, which the file does not have"), "{}", other_variant.1);
    let other_memory = replay(&|trace| trace["memory"] = "sc".into(), "litmus/SB.lac");
    assert_eq!(other_memory.0, 1, "{}", other_memory.1);
    let no_steps = replay(&|trace| trace["steps"] = "none".into(), "litmus/SB.lac");
    assert_eq!(no_steps.0, 2);
    assert!(no_steps.1.contains("is not a trace") && no_steps.1.contains("--save-trace"), "{}", no_steps.1);
}

#[test]
fn files_that_hold_no_trace_are_refused() {
    let folder = Folder::new("no-json");
    refuses(&["replay", &folder.path("missing"), "litmus/SB.lac"], &["cannot read", "missing"]);
    refuses(&["replay", &folder.file("text", "not JSON"), "litmus/SB.lac"], &["is not a trace", "= hint:"]);
    refuses(&["replay", &folder.file("list", "[]"), "litmus/SB.lac"], &["is not a trace", "= hint:"]);
}

/// The memory model is stored in the trace, whether built in or a file.
#[test]
fn a_trace_under_a_memory_model_of_the_user_is_replayed() {
    let folder = Folder::new("memory-trace");
    let file = folder.file("mine.memory", "memory: mine\nreorder: store->load\n");
    let trace = folder.path("trace.json");
    let check = ["check", "litmus/SB.lac", "--memory", &file, "--save-trace", &trace];
    assert_eq!(code(&run(&check)), 1);
    let output = run(&["replay", &trace, "litmus/SB.lac"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
}
