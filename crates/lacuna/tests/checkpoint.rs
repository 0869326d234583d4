//! `check --checkpoint` and `resume`: a check that is killed at any moment and continued says what one says that is not.

use crate::cli::Folder;
use crate::command::{ends, is_full, json, lacuna};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

/// Threads that count, each in its own cell: many states in many levels. With `FAILS=1` the assertion fails.
pub(crate) const COUNTERS: &str = "\
cell z[0..2]: 0..60 = 0
thread counter[3] { each i in 1..60 { z[self] = i } assert last: FAILS == 0 or z[self] < 60 }
param FAILS: 0..1 = 0
";

/// A folder with the text, removed at the end.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("checkpoint-{name}"));
    folder.file("counters.lac", COUNTERS);
    folder
}

/// The words that check the text, with some more.
fn check(folder: &Folder, more: &[&str]) -> Vec<String> {
    let words = ["check", &folder.path("counters.lac"), "--memory", "sc,tso", "--without", "symmetry,late-reads"];
    words.iter().chain(more).map(ToString::to_string).collect()
}

pub(crate) fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// What must not depend on interruptions.
fn known(runs: &Value) -> Vec<Value> {
    let fields = ["memory", "verdict", "property", "states", "transitions", "depth", "uncovered", "trace"];
    runs.as_array().expect("runs").iter().flat_map(|run| fields.map(|field| run[field].clone())).collect()
}

/// Runs a command and kills it some time after it has written a checkpoint. Whether it was killed.
fn kill(words: &[&str], saved: &str, after: Duration) -> bool {
    let mut child = lacuna(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lacuna starts");
    while child.try_wait().expect("it can be asked").is_none() && !std::path::Path::new(saved).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(after);
    let is_running = child.try_wait().expect("it can be asked").is_none();
    let _ = child.kill();
    child.wait().expect("it ends");
    is_running
}

#[test]
fn a_check_that_is_killed_and_continued_ends_as_one_that_is_not() {
    let n_kills = if is_full() { 50 } else { 3 };
    for (name, more) in [("holds", vec!["--workers", "2"]), ("fails", vec!["--set", "FAILS=1", "--workers", "1"])] {
        let folder = self::folder(name);
        let expected = known(&json(&borrowed(&check(&folder, &more))));
        let (saved, manifest) = (folder.path("saved"), folder.path("saved/run-0/manifest"));
        // With one for each level, most of the time goes into them, however fast the search is.
        let begin = check(&folder, &[&more[..], &["--checkpoint", &saved, "--every", "0"]].concat());
        let mut was_killed = kill(&borrowed(&begin), &manifest, Duration::ZERO);
        assert!(was_killed, "it has more to do than one checkpoint");
        for n in 1..n_kills {
            was_killed &= kill(&["resume", &saved], &manifest, Duration::from_millis(n * 7 % 40));
        }
        let found = json(&["resume", &saved]);
        assert_eq!(known(&found), expected, "{name}");
        // What has ended is known.
        assert_eq!(known(&json(&["resume", &saved])), expected, "{name}");
    }
}

#[test]
fn a_limit_ends_a_check_that_can_be_continued() {
    let folder = folder("limit");
    let saved = folder.path("saved");
    let begin = check(&folder, &["--checkpoint", &saved, "--every", "0", "--max-states", "20000", "--workers", "1"]);
    ends(&borrowed(&begin), 3, &["inconclusive: max-states"]);
    ends(&["resume", &saved, "--timeout", "0"], 3, &["inconclusive: timeout"]);
    ends(&["resume", &saved, "--max-states", "30000"], 3, &["inconclusive: max-states"]);
    ends(&borrowed(&begin), 2, &["there is a checkpoint in", "lacuna resume"]);
    ends(&["resume", &saved], 0, &["holds"]);
}

#[test]
fn a_run_whose_manifest_was_deleted_begins_anew_and_says_so() {
    let folder = folder("deleted");
    let saved = folder.path("saved");
    let few = check(&folder, &["--checkpoint", &saved, "--every", "0", "--max-states", "20000"]);
    ends(&borrowed(&few), 3, &["inconclusive"]);
    std::fs::remove_file(folder.path("saved/run-0/manifest")).expect("it is there");
    ends(&["resume", &saved, "--max-states", "20000"], 3, &["begins anew"]);
}

#[test]
fn a_command_that_runs_is_not_continued_by_another() {
    let folder = folder("twice");
    let saved = folder.path("saved");
    let begin = check(&folder, &["--checkpoint", &saved, "--every", "0", "--max-states", "20000", "--workers", "1"]);
    ends(&borrowed(&begin), 3, &[]);
    let file = std::fs::File::open(folder.path("saved/command.json")).expect("it is there");
    file.lock().expect("it can be locked");
    ends(&["resume", &saved], 2, &["another process is at work"]);
    drop(file);
    ends(&["resume", &saved], 0, &[]);
}

#[test]
fn what_is_foreign_stale_or_damaged_is_refused() {
    let folder = folder("refused");
    let saved = folder.path("saved");
    let begin = check(&folder, &["--checkpoint", &saved, "--every", "0", "--max-states", "20000", "--workers", "1"]);
    ends(&borrowed(&begin), 3, &[]);
    let damage = |name: &str, words: &[&str]| {
        let path = folder.path(name);
        let whole = std::fs::read(&path).expect("it is there");
        let mut bytes = whole.clone();
        bytes[whole.len() / 2] ^= 4;
        std::fs::write(&path, bytes).expect("it can be written");
        ends(&["resume", &saved], 2, words);
        std::fs::write(&path, whole).expect("it can be written");
    };
    damage("saved/run-0/manifest", &["manifest", "damaged", "begin anew"]);
    damage("saved/run-0/journal-2", &["journal-2", "damaged"]);
    damage("saved/command.json", &["command.json", "damaged"]);
    damage("counters.lac", &[]);
    std::fs::write(folder.path("counters.lac"), format!("{COUNTERS}// more\n")).expect("it can be written");
    ends(&["resume", &saved], 2, &["a file has changed"]);
    std::fs::write(folder.path("counters.lac"), COUNTERS).expect("it can be written");
    std::fs::remove_dir_all(folder.path("saved/run-1")).expect("it is there");
    std::fs::rename(folder.path("saved/run-0"), folder.path("saved/run-1")).expect("it can be renamed");
    ends(&["resume", &saved], 2, &["another search"]);
    ends(&["resume", &folder.path("nothing")], 2, &["there is no checkpoint"]);
    let full = check(&folder, &["--checkpoint", &folder.path("")]);
    ends(&borrowed(&full), 2, &["is not empty"]);
    ends(
        &borrowed(&check(&folder, &["--checkpoint", &folder.path("new"), "--every", "soon"])),
        2,
        &["`soon` is no time"],
    );
    ends(&borrowed(&check(&folder, &["--every", "5s"])), 2, &["--checkpoint"]);
}

#[test]
fn a_limit_behind_a_violation_is_named_and_the_check_continues() {
    let folder = folder("behind");
    let text = "cell x: 0..5 = 0\nthread t { loop { let r = x; x = (r + 1) % 6 } }\ninvariant early: x != 0\ninvariant late: x != 5\n";
    std::fs::write(folder.path("count.lac"), text).expect("it can be written");
    let (file, saved) = (folder.path("count.lac"), folder.path("saved"));
    let check = ["check", &file, "--memory", "sc", "--every-property"];
    let expected = json(&check);
    let begun = json(&[&check[..], &["--max-states", "4", "--checkpoint", &saved]].concat());
    assert_eq!((&begun[0]["verdict"], &begun[0]["limit"]), (&"violated".into(), &"max-states".into()));
    ends(&["resume", &saved, "--max-states", "5", "--traces", "none"], 1, &["max-states was hit"]);
    let ended = json(&["resume", &saved, "--max-states", "100000"]);
    assert_eq!((known(&ended), &ended[0]["limit"]), (known(&expected), &Value::Null));
    assert_eq!(ended[0]["properties"], expected[0]["properties"]);
}
