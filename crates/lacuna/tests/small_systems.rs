//! Small systems in a folder of `tests/`, run by the program itself.

use std::path::{Path, PathBuf};
use std::process::Command;

fn path(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder)
}

/// Exit code, standard output, standard error of the program, run in that folder of `tests/`.
pub(crate) fn lacuna(folder: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    let output = command.args(arguments).current_dir(path(folder)).output().expect("lacuna runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Every variant of a file, with these switches, gets the verdicts that the file expects.
pub(crate) fn assert_expected(folder: &str, run: &[&str], switches: &[&str]) {
    let mut arguments = vec!["check", "--variant", "all", "--memory", "all", "--expect", "--quiet"];
    arguments.extend(run.iter().chain(switches));
    let (code, out, err) = lacuna(folder, &arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}\n{out}");
    assert!(!out.contains("NOT"), "{arguments:?}\n{out}");
}

/// Every run of a folder gets the verdicts that its file expects, with each of these lists of switches.
pub(crate) fn assert_all_expected(folder: &str, runs: &[&[&str]], switches: &[&[&str]]) {
    for run in runs {
        switches.iter().for_each(|switches| assert_expected(folder, run, switches));
    }
}

/// The file of every run is formatted.
pub(crate) fn assert_formatted(folder: &str, runs: &[&[&str]]) {
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(runs.iter().map(|run| run[0]));
    let (code, out, err) = lacuna(folder, &arguments);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
}

/// What every `.txt` of a folder has after the command in its first line is what `printed` makes of that command. `BLESS=1` writes it.
pub(crate) fn assert_stored(folder: &str, at_least: usize, printed: fn(&str) -> String) {
    let files = std::fs::read_dir(path(folder)).expect("a folder").flatten().map(|entry| entry.path());
    let mut stored: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "txt")).collect();
    stored.sort();
    assert!(stored.len() >= at_least, "{} files", stored.len());
    for path in stored {
        let expected = std::fs::read_to_string(&path).expect("a stored file");
        let found = printed(expected.lines().next().unwrap_or_default());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &found).expect("it can be written");
        } else {
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}
