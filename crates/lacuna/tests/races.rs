//! Races of mutators: `tests/races/racing.lac` beside each copying protocol, and in `tests/races/table.txt` what ends whatever others do.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with a protocol's files, the framework, and a file that adds the races to it.
fn with_races(protocol: &str) -> PathBuf {
    let (folder, name) = protocol.split_once('/').expect("a folder and a name");
    let scratch = std::env::temp_dir().join(format!("lacuna-races-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder of ours");
    let copying = root().join("protocols/copying");
    for from in [copying.clone(), copying.join(folder), root().join("tests/races")] {
        let files = std::fs::read_dir(from).expect("a folder").flatten().map(|entry| entry.path());
        for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "lac")) {
            std::fs::copy(&file, scratch.join(file.file_name().expect("a file"))).expect("it can be copied");
        }
    }
    std::fs::write(scratch.join("races.lac"), format!("use {name}\nuse racing\n")).expect("it can be written");
    scratch
}

/// Whether `mutator[0]` ends in a scenario under `sc` and `tso`.
fn ends(folder: &Path, variant: &str, scenario: &str) -> bool {
    let check = ["check", "races.lac", "--variant", variant, "--scenario", scenario, "--memory", "sc,tso"];
    let question = ["--set", "MUTATORS=2", "--wait-free", "mutator[0]", "--traces", "none", "--no-explain"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    let output = command.args(check).args(question).current_dir(folder).output().expect("lacuna runs");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let n_violated = out.matches("violated: wait_free(mutator[0])").count();
    let n_held = out.lines().filter(|line| line.contains(" holds ")).count();
    assert_eq!(n_violated + n_held, 2, "{variant} {scenario}\n{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_ne!(n_held, 1, "the two memory models differ\n{out}");
    n_held == 2
}

#[test]
fn what_ends_beside_mutators_that_stop_or_write_without_end_is_as_the_table_says() {
    let table = std::fs::read_to_string(root().join("tests/races/table.txt")).expect("the table");
    let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(rows.len() >= 12, "{rows:?}");
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [protocol, variant, cells @ ..] = words.as_slice() else { panic!("{row}") };
        let folder = with_races(protocol);
        for cell in cells {
            let (scenario, expected) = cell.split_once('=').expect("a scenario and what is expected");
            assert_eq!(ends(&folder, variant, scenario), expected == "ends", "{protocol} {variant} {scenario}");
        }
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
