//! The program itself, run in the folder of the repository.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether all is to be run, as `./test --full` asks, and not a sample.
pub(crate) fn is_full() -> bool {
    std::env::var_os("LACUNA_FULL").is_some()
}

/// A command that is not begun yet.
pub(crate) fn lacuna(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    command.args(arguments).current_dir(root());
    command
}

/// The result of a command.
pub(crate) fn run(arguments: &[&str]) -> Output {
    lacuna(arguments).output().expect("lacuna runs")
}

/// What a command writes with `--json -`.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json", "-"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The command ends with this code and says these words.
pub(crate) fn ends(arguments: &[&str], code: i32, words: &[&str]) {
    let output = run(arguments);
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} should say `{word}`:\n{said}");
    }
}
