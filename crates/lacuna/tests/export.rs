//! `lacuna export promela`: files, exit codes, and what is refused.

use crate::command::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn export(arguments: &[&str], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
    command.args(["export", "promela"]).args(arguments).arg("-o").arg(out).current_dir(root());
    command.output().expect("lacuna runs")
}

/// A fresh folder that goes away again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lacuna-export-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_model_and_a_script_are_written() {
    let folder = Folder::new("written");
    let output = export(&["litmus/SB.lac", "--memory", "tso"], &folder.0);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("SB.lac: original, main, tso, K = 4"), "{said}");
    let model = std::fs::read_to_string(folder.0.join("model.pml")).expect("the model");
    for part in ["property 4: both_old", "active proctype t_P0_steps()", "t_P0_cells[4]", "SB.lac:7"] {
        assert!(model.contains(part), "{part}\n{model}");
    }
    let script = std::fs::read_to_string(folder.0.join("run.sh")).expect("the script");
    assert!(script.contains("of_states property both_old '4==0' violated holds"), "{script}");
}

#[test]
fn sequential_consistency_needs_no_buffer() {
    let folder = Folder::new("sc");
    let output = export(&["litmus/SB.lac", "--memory", "sc"], &folder.0);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let model = std::fs::read_to_string(folder.0.join("model.pml")).expect("the model");
    assert!(!model.contains("_memory_steps"), "{model}");
}

#[test]
fn what_cannot_be_exported_is_named_with_its_place() {
    let cases: [(&[&str], &str); 6] = [
        (&["litmus/SB.lac", "--memory", "rmo-no"], "the memory model `rmo-no`"),
        (&["litmus/SB.lac", "--memory", "tso", "--speculate", "1"], "speculation"),
        (
            &["litmus/LLSC-atomic.lac", "--memory", "tso"],
            "LLSC-atomic.lac:6:14: this cannot be exported: `ll` and `sc`",
        ),
        (&["litmus/transactions/torn.lac", "--memory", "sc"], "a transaction"),
        (&["tests/observed/pending.lac", "--memory", "sc"], "`pending` in a property"),
        (&["tests/liveness/words.lac", "--memory", "sc"], "`next`"),
    ];
    for (arguments, words) in cases {
        let folder = Folder::new("refused");
        let output = export(arguments, &folder.0);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{said}");
        assert!(said.contains(words), "{arguments:?} should say `{words}`:\n{said}");
        assert!(!folder.0.exists(), "{arguments:?}: nothing is written");
    }
}

#[test]
fn one_system_is_exported() {
    let folder = Folder::new("one");
    for arguments in [&["litmus/SB.lac", "--memory", "all"], &["litmus/SB.lac", "--memory", "none"]] {
        let output = export(arguments, &folder.0);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let output = export(&["protocols/copying/chicken/chicken.lac", "--memory", "sc", "--variant", "all"], &folder.0);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
}

#[test]
fn a_file_of_somebody_else_stays() {
    let folder = Folder::new("foreign");
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let script = folder.0.join("run.sh");
    std::fs::write(&script, "echo mine\n").expect("written");
    let output = export(&["litmus/SB.lac", "--memory", "sc"], &folder.0);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&script).expect("it is there"), "echo mine\n");
    std::fs::remove_file(&script).expect("removed");
    // What was exported before is exported anew.
    for _ in 0..2 {
        assert_eq!(export(&["litmus/SB.lac", "--memory", "sc"], &folder.0).status.code(), Some(0));
    }
}
