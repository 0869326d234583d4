//! Files that must not be lost: an output is tried first, is no input, and is the old file until it is the new one.

use crate::command::is_full;
use crate::hostile::{Folder, LONG, SHORT, SOON, assert_ended};
use serde_json::Value;
use std::process::Stdio;
use std::time::Instant;

#[test]
fn an_output_is_tried_before_the_search_and_is_no_input() {
    let folder = Folder::new("outputs");
    let source = folder.file("a.lac", LONG);
    for made in [
        std::os::unix::fs::symlink("a.lac", folder.0.join("link.json")),
        std::fs::hard_link(&source, folder.0.join("hard.json")),
    ] {
        made.expect("a link");
    }
    let begun = Instant::now();
    for path in ["a.lac", "./a.lac", "link.json", "hard.json"] {
        for option in ["--json", "--html", "--junit", "--sarif", "--dot", "--itf", "--save-trace"] {
            assert_ended(&folder.run(&["check", "a.lac", option, path]), 2, "overwritten");
        }
    }
    assert_eq!(std::fs::read_to_string(&source).expect("text"), LONG);
    assert_ended(
        &folder.run(&["check", "a.lac", "--json", "no/such/folder.json"]),
        2,
        "cannot write `no/such/folder.json`",
    );
    assert_ended(&folder.run(&["check", "a.lac", "--json", "."]), 2, "it is a folder");
    assert_ended(&folder.run(&["check", "a.lac", "--json", "x", "--html", "./x"]), 2, "cannot both write");
    assert_ended(&folder.run(&["orders", "a.lac", "--json", "no/folder"]), 2, "cannot write");
    let export = |out: &str| folder.run(&["export", "promela", "a.lac", "-m", "sc", "--out", out]);
    assert_ended(&export("a.lac/deep"), 2, "cannot write");
    std::os::unix::fs::symlink("a.lac", folder.0.join("model.pml")).expect("a link");
    assert_ended(&export("."), 2, "overwritten");
    std::fs::remove_file(folder.0.join("model.pml")).expect("it was there");
    assert!(begun.elapsed() < SOON, "nothing is searched");
    let left: Vec<_> = std::fs::read_dir(&folder.0).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// A memory model that is read for its name alone is an input, and so is a file that another one uses.
#[test]
fn what_is_read_for_a_name_is_no_output() {
    let folder = Folder::new("names");
    let model = "memory: mine\nreorder: store->load\n";
    let (memory, used) = (folder.file("my.memory", model), folder.file("fw.lac", "cell x: 0..1 = 0\n"));
    folder.file("a.lac", "use fw\nthread P { x = 1 }\ninvariant i: x <= 1\nexpect { mine: holds; all: holds }\n");
    for output in ["my.memory", "fw.lac"] {
        let ended = folder.run(&["check", "a.lac", "-m", "tso", "--expect", "--json", output]);
        assert_ended(&ended, 2, "it would be overwritten by an output of this command");
    }
    assert_eq!(std::fs::read_to_string(memory).expect("text"), model);
    assert_eq!(std::fs::read_to_string(used).expect("text"), "cell x: 0..1 = 0\n");
    assert_ended(&folder.run(&["check", "a.lac", "-m", "tso", "--expect", "--json", "new.memory"]), 0, "");
}

#[test]
fn a_file_is_replaced_as_a_whole_and_keeps_its_links_and_rights() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("replaced");
    folder.file("a.lac", SHORT);
    let kept = folder.file("kept.json", "old");
    std::fs::set_permissions(&kept, PermissionsExt::from_mode(0o640)).expect("rights");
    std::os::unix::fs::symlink("kept.json", folder.0.join("link.json")).expect("a link");
    assert_ended(&folder.run(&["check", "a.lac", "-m", "sc", "--json", "link.json"]), 1, "violated: seen");
    let text = std::fs::read_to_string(&kept).expect("text");
    let runs: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(runs[0]["verdict"], "violated");
    assert_eq!(std::fs::metadata(&kept).expect("a file").permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(folder.0.join("link.json")).expect("a link").is_symlink());
    assert_ended(&folder.run(&["check", "a.lac", "-m", "sc", "--json", "/dev/null"]), 1, "violated: seen");
    // No more than a kilobyte may be written: as good as a full disk.
    let long: String = (0..400).map(|i| format!("cell  x{i}: 0..1 = 0\n")).collect();
    let source = folder.file("long.lac", &long);
    let ended = folder.shell("trap '' XFSZ; ulimit -f 1; \"$LACUNA\" fmt long.lac");
    assert_ended(&ended, 2, "cannot write `long.lac`");
    assert_eq!(std::fs::read_to_string(source).expect("text"), long);
}

#[test]
fn nothing_is_lost_or_torn_when_the_program_is_killed() {
    let n_tries = if is_full() { 100 } else { 30 };
    let folder = Folder::new("killed");
    folder.file("a.lac", SHORT);
    let arguments = ["check", "a.lac", "-m", "all", "-q", "--json", "a.json", "--html", "a.html"];
    let begun = Instant::now();
    assert_ended(&folder.run(&arguments), 1, "violated: seen");
    let whole = begun.elapsed();
    for n in 0..n_tries {
        let mut child = folder.lacuna(&arguments).stdout(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(whole * n / n_tries);
        child.kill().and_then(|()| child.wait()).expect("it ends");
        let json = std::fs::read_to_string(folder.0.join("a.json")).expect("the file is there");
        let runs: Value = serde_json::from_str(&json).expect("whole JSON");
        assert!(runs.as_array().is_some_and(|runs| !runs.is_empty()));
        let page = std::fs::read_to_string(folder.0.join("a.html")).expect("the file is there");
        assert!(page.trim_end().ends_with("</html>"), "a torn page");
    }
}

/// A model is as good as a report.
#[test]
fn a_model_is_not_lost_or_torn_when_the_program_is_killed() {
    let n_tries = if is_full() { 100 } else { 20 };
    let folder = Folder::new("model");
    folder.file("a.lac", SHORT);
    let arguments = ["export", "promela", "a.lac", "-m", "sc", "--out", "new/out"];
    let read = || ["model.pml", "run.sh"].map(|name| std::fs::read_to_string(folder.0.join("new/out").join(name)).ok());
    let begun = Instant::now();
    assert_ended(&folder.run(&arguments), 0, "wrote model.pml and run.sh");
    let (whole, files) = (begun.elapsed(), read());
    assert!(files.iter().all(Option::is_some));
    for n in 0..n_tries {
        let mut child = folder.lacuna(&arguments).stdout(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(whole * n / n_tries);
        child.kill().and_then(|()| child.wait()).expect("it ends");
        assert_eq!(read(), files);
    }
    use std::os::unix::fs::PermissionsExt;
    let script = std::fs::metadata(folder.0.join("new/out/run.sh")).expect("a file");
    assert_eq!(script.permissions().mode() & 0o111, 0o111);
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let folder = Folder::new("devices");
    folder.file("a.lac", SHORT);
    assert_ended(&folder.shell("mkfifo pipe"), 0, "");
    for arguments in [
        &["check", "pipe"][..],
        &["check", "/dev/zero"],
        &["fmt", "pipe"],
        &["litmus", "pipe"],
        &["replay", "pipe", "a.lac"],
        &["check", "a.lac", "-m", "pipe"],
        &["explain", "pipe"],
    ] {
        assert_ended(&folder.run(arguments), 2, "it is no regular file");
    }
}
