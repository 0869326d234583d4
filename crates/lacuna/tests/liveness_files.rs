//! The small systems in `tests/liveness/`: each gets the verdicts it expects, and every lasso is replayed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/liveness")
}

fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".lac")).collect();
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    files
}

/// Exit code, standard output, standard error.
fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).current_dir(folder()).output().expect("lacuna runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A path for a file of this test.
fn scratch(name: &str) -> String {
    std::env::temp_dir().join(format!("lacuna-liveness-{}-{name}", std::process::id())).to_string_lossy().into_owned()
}

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    for file in files() {
        let ways = [
            &[][..],
            &["--speculate", "1"],
            &["--without", "partial-order"],
            &["--without", "symmetry,dead-registers,walls"],
            &["--without", "ending-runs"],
        ];
        for switches in ways {
            let mut arguments = vec!["check", &file, "--memory", "all", "--scenario", "all", "--expect", "--json", "-"];
            arguments.extend(switches);
            let (code, json, err) = lacuna(&arguments);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{file} {switches:?}\n{json}");
            let runs: Value = serde_json::from_str(&json).expect("JSON");
            let stated = runs.as_array().expect("runs").iter().all(|run| run["expected"].is_string());
            assert!(stated, "{file} says for each memory model what it expects");
        }
    }
}

#[test]
fn every_file_is_formatted() {
    let files = files();
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(lacuna(&arguments), (Some(0), String::new(), String::new()));
}

#[test]
fn every_lasso_is_replayed() {
    for file in files() {
        let path = scratch(&file);
        lacuna(&["check", &file, "--memory", "relaxed", "--no-deadlock", "--save-trace", &path]);
        let stored = std::fs::read_to_string(&path).expect("every file has a counterexample");
        let (code, out, err) = lacuna(&["replay", &path, &file]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{file}\n{out}");
        assert!(out.contains("every step is enabled, and the run that repeats violates"), "{file}\n{out}");

        let mut changed: Value = serde_json::from_str(&stored).expect("JSON");
        changed["loop_start"] = Value::Null;
        std::fs::write(&path, changed.to_string()).expect("the file can be written");
        let (code, _, err) = lacuna(&["replay", &path, &file]);
        assert_eq!(code, Some(1), "{file}\n{err}");
        std::fs::remove_file(&path).expect("the file is there");
    }
}

#[test]
fn a_loop_that_is_not_fair_is_refused() {
    let path = scratch("unfair");
    lacuna(&["check", "spin.lac", "--memory", "sc", "--save-trace", &path]);
    let stored = std::fs::read_to_string(&path).expect("there is a counterexample");
    std::fs::write(&path, stored.replace("seen_anyhow", "seen")).expect("the file can be written");
    let (code, _, err) = lacuna(&["replay", &path, "spin.lac"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("the loop of the trace is not fair to thread setter"), "{err}");
    std::fs::remove_file(&path).expect("the file is there");
}

#[test]
fn threads_that_never_end_are_found_if_asked_for() {
    let (code, out, _) = lacuna(&["check", "spinning_deadlock.lac", "--memory", "tso", "--live"]);
    assert_eq!(code, Some(1), "{out}");
    let litmus = ["check", "../../litmus/SB.lac", "--memory", "sc", "--live"];
    assert_eq!(lacuna(&litmus).0, Some(0));
    let copying = "../../litmus/Peterson+fences.lac";
    let path = scratch("live");
    let (code, out, err) = lacuna(&["check", copying, "--memory", "tso", "--live", "--save-trace", &path]);
    assert!(code == Some(0) && err.contains("no counterexample"), "{out}{err}");
    let (_, out, _) = lacuna(&["check", "idle_world.lac", "--memory", "tso", "--live", "--json", "-"]);
    assert!(out.contains("\"collects_anyhow\""), "{out}");
}

#[test]
fn a_thread_is_wait_free_if_no_other_can_keep_it_from_ending() {
    let file = "../progress/counters.lac";
    let path = scratch("wait_free");
    for (variant, code) in [("by_lock", 1), ("by_cas", 1), ("by_swap", 0)] {
        let check = ["check", file, "--variant", variant, "--memory", "sc", "--save-trace", &path];
        assert_eq!(lacuna(&check).0, Some(0), "{variant} is safe");
        let (found, out, _) = lacuna(&[&check[..], &["--wait-free", "worker"]].concat());
        assert_eq!((found, out.contains("violated: wait_free(worker)")), (Some(code), code == 1), "{variant}\n{out}");
        if code == 1 {
            let (code, out, err) = lacuna(&["replay", &path, file]);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{variant}\n{out}");
        }
    }
    std::fs::remove_file(&path).expect("the file is there");
    let (code, _, err) = lacuna(&["check", file, "--wait-free", "nobody"]);
    assert!(code == Some(2) && err.contains("there is no thread `nobody`") && err.contains("worker"), "{err}");
}

#[test]
fn a_cross_check_repeats_each_run_without_reductions() {
    let (code, _, err) = lacuna(&["check", "handshake.lac", "--memory", "sc,tso", "--cross-check", "--no-deadlock"]);
    assert!(matches!(code, Some(0 | 1)), "{err}");
    assert_eq!(err.matches("and without reductions").count(), 2, "{err}");
    let few = ["check", "handshake.lac", "--memory", "sc", "--cross-check", "--max-states", "1"];
    let (code, _, err) = lacuna(&few);
    assert!(code == Some(3) && err.contains("not done"), "{err}");
}

#[test]
fn what_is_too_large_is_said() {
    let path = scratch("threads.lac");
    std::fs::write(&path, "cell x: 0..1 = 0\nthread t[33] { x = 1 }\nltl p: eventually x == 1 fairly\n")
        .expect("it can be");
    let (code, _, err) = lacuna(&["check", &path, "--memory", "sc"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`p` cannot be checked: there are 33 threads, and fairness can speak of 32"), "{err}");
    let conditions: Vec<String> = (0..64).map(|i| format!("(always x[{i}] == 0)")).collect();
    let formula = |n: usize| {
        format!("cell x[0..63]: 0..1 = 0\nthread t {{ x[0] = 1 }}\nltl p: {}\n", conditions[..n].join(" and "))
    };
    std::fs::write(&path, formula(64)).expect("it can be");
    let (code, _, err) = lacuna(&["check", &path, "--memory", "sc"]);
    assert!(code == Some(2) && err.contains("64 conditions on states; 63 are the most"), "{err}");
    std::fs::write(&path, formula(63)).expect("it can be");
    assert_eq!(lacuna(&["check", &path, "--memory", "sc"]).0, Some(1));
    std::fs::remove_file(&path).expect("the file is there");
}

#[test]
fn always_agrees_with_invariant_and_with_not_eventually() {
    let load = "cell x: 0..1 = 0\nthread t { let s = x }\n";
    let label = "cell x: 0..1 = 0\nthread t {\n    let s = x\n    @here x = s\n}\n";
    let path = scratch("agree.lac");
    for (program, condition, violated) in [
        (load, "t.s == 1", 0),
        (load, "t.s == 0", 1),
        (label, "at(t, here)", 1),
        (label, "at(t, here) and t.s == 1", 0),
    ] {
        let properties = format!(
            "invariant a: not ({condition})\nltl b: always not ({condition})\nltl c: not eventually ({condition})\n\
             ltl d: always not ({condition}) fairly\n"
        );
        std::fs::write(&path, format!("{program}{properties}")).expect("it can be");
        for property in ["a", "b", "c", "d"] {
            for memory in ["sc", "relaxed"] {
                let (code, out, err) = lacuna(&["check", &path, "--memory", memory, "--property", property]);
                assert_eq!(code, Some(violated), "{condition} {property} {memory}\n{out}{err}");
            }
        }
    }
    std::fs::remove_file(&path).expect("the file is there");
}

#[test]
fn a_second_opinion_is_asked_about_each_run() {
    let (code, _, err) = lacuna(&["check", "peterson.lac", "--memory", "sc,tso", "--second-opinion"]);
    assert!(matches!(code, Some(0 | 1)), "{err}");
    assert_eq!(err.matches(", the same (").count(), 2, "{err}");
    let few = ["check", "handshake.lac", "--memory", "sc", "--second-opinion", "--max-states", "3"];
    let (_, _, err) = lacuna(&few);
    assert!(err.contains("gave up at 4 states"), "{err}");
}
