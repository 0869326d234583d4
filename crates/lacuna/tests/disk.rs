//! `check --store disk DIR`: the same verdicts and numbers as in memory, and nothing is left behind.

use crate::command::{ends, is_full, json, root};
use serde_json::Value;
use std::path::PathBuf;

fn known(runs: &Value) -> Vec<[Value; 6]> {
    let fields = ["variant", "scenario", "memory", "verdict", "states", "transitions"];
    runs.as_array().expect("runs").iter().map(|run| fields.map(|field| run[field].clone())).collect()
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lacuna-disk-{name}-{}", std::process::id()))
}

#[test]
fn verdicts_and_numbers_on_disk_are_those_in_memory() {
    let mut files = vec!["protocols/copying/staccato/staccato.lac", "tests/packets"];
    if is_full() {
        files.extend(["tests/trust", "protocols/copying", "litmus"]);
    }
    let folder = folder("same");
    let name = folder.display().to_string();
    for file in files {
        let path = root().join(file).display().to_string();
        let check = ["check", &path, "--memory", "rmo-no", "--no-explain", "--max-states", "200000", "--workers", "1"];
        let on_disk = [&check[..], &["--store", "disk", &name]].concat();
        let is_small = |run: &[Value; 6]| run[3] != "inconclusive";
        let expected = known(&json(&check));
        let found = known(&json(&on_disk));
        assert_eq!(found.len(), expected.len(), "{file}");
        for (found, expected) in found.iter().zip(&expected).filter(|(_, expected)| is_small(expected)) {
            assert_eq!(found, expected, "{file}");
        }
    }
    assert_eq!(std::fs::read_dir(&folder).expect("it was made").count(), 0, "a search leaves nothing behind");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_is_no_store_is_refused() {
    let file = "protocols/copying/stopless/stopless.lac";
    ends(
        &["check", file, "--memory", "sc", "--store", "disc", "/tmp"],
        2,
        &["there is no store `disc`", "did you mean `disk`"],
    );
    ends(
        &["check", file, "--memory", "sc", "--store", "disk", "/dev/null/here"],
        2,
        &["cannot write to `/dev/null/here`"],
    );
    ends(&["check", file, "--store", "disk", "/tmp/a", "--checkpoint", "/tmp/b"], 2, &["cannot be used with"]);
}
