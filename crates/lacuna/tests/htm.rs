//! `lacuna htm` as a user or another program meets it: with and without hardware transactions, files, wrong arguments.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Enough for every field to be there; short, whether the machine has transactions or not.
const SHORT: [&str; 6] = ["htm", "--quick", "--repetitions", "1", "--machine", "emerald-rapids"];

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).output().expect("lacuna runs")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// A fresh folder.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("lacuna-htm-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn refuses(arguments: &[&str], words: &[&str]) {
    let output = run(&[&["htm"], arguments].concat());
    let said = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{said}");
    assert_eq!(out(&output), "", "{arguments:?}");
    words.iter().for_each(|word| assert!(said.contains(word), "{arguments:?} should say `{word}`:\n{said}"));
}

#[test]
fn without_transactions_it_says_so_predicts_and_ends_well() {
    let output = run(&[&SHORT[..], &["--no-rtm"]].concat());
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for words in
        ["no hardware transactions: switched off by --no-rtm", "compare-and-swap", "full fence", "emerald-rapids"]
    {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    assert!(!text.contains("measured on this machine") && !text.contains("empty transaction"), "{text}");
}

#[test]
fn what_the_processor_has_is_what_is_reported() {
    let output = run(&[&SHORT[..], &["--json", "-"]].concat());
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    match htm::Rtm::detect() {
        Ok(_) => {
            assert_eq!(found["missing"], Value::Null);
            let curves = found["measured"].as_array().expect("an array");
            assert!(!curves.is_empty());
            // A few words always fit; half a gigabyte of causes is not needed to say why larger ones do not.
            assert!(curves.iter().all(|curve| curve["points"].as_array().is_some_and(|points| !points.is_empty())));
        }
        Err(missing) => {
            eprintln!("skipped: no RTM, so nothing is measured: {missing}");
            assert_eq!(found["missing"], Value::String(missing.to_string()));
            assert_eq!(found["measured"].as_array().map(Vec::len), Some(0));
        }
    }
    assert_eq!(found["complete"], Value::Bool(true));
    assert_eq!(found["predictions"][0]["machine"], "emerald-rapids");
}

/// Every element that is opened is closed, in the right order.
fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1).filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag)) {
        let name = tag.split_whitespace().next().unwrap_or("");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            None if tag.ends_with('/') || ["!DOCTYPE", "meta"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

#[test]
fn the_files_are_well_formed_and_agree() {
    let folder = folder("files");
    let output = run(&[&SHORT[..], &["--no-rtm", "--out", folder.to_str().expect("plain")]].concat());
    assert_eq!(output.status.code(), Some(0));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("written");

    let csv = read("htm.csv");
    let widths: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(widths.iter().all(|width| *width == 18), "{widths:?}");

    let json: Value = serde_json::from_str(&read("htm.json")).expect("JSON");
    let curves = json["predictions"][0]["curves"].as_array().expect("curves");
    let n_points: usize = curves.iter().map(|curve| curve["points"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(csv.lines().count(), n_points + 1, "a line for every point, and the head");
    for point in curves.iter().flat_map(|curve| curve["points"].as_array().expect("points")) {
        let success = &point["success"];
        let of = |name: &str| success[name].as_f64().expect("a number");
        assert!(0.0 <= of("min") && of("min") <= of("median") && of("median") <= of("max") && of("max") <= 1.0);
    }

    let page = read("htm.html");
    assert_well_formed(&page);
    assert!(page.contains("<svg") && page.contains("<polyline"), "plots are in the page");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("://") && !outside.contains("<script"), "the page needs nothing else");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_record_has_all_that_is_needed_to_judge_a_run() {
    let folder = folder("record");
    let output = run(&[&SHORT[..], &["--no-rtm", "--record", folder.to_str().expect("plain")]].concat());
    assert_eq!(output.status.code(), Some(0));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("written");
    for (name, words) in [
        ("origin.txt", "commit   "),
        ("origin.txt", "--record"),
        ("repetitions.csv", "first_commits,commits,attempts,explicit"),
        ("htm.csv", "predicted,emerald-rapids,"),
        ("htm.json", "\"complete\": true"),
        ("htm.html", "<polyline"),
    ] {
        assert!(read(name).contains(words), "{name} has no `{words}`");
    }
    assert_eq!(read("summary.txt"), out(&output), "the summary is what was printed");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_run_that_is_stopped_keeps_what_there_is() {
    let folder = folder("stopped");
    let path = folder.to_str().expect("plain");
    let output = run(&["htm", "--no-rtm", "--machine", "haswell", "--timeout", "0.2", "--record", path]);
    assert_eq!(output.status.code(), Some(3));
    let json = std::fs::read_to_string(folder.join("htm.json")).expect("written");
    assert!(json.contains("\"complete\": false"));
    assert!(folder.join("summary.txt").exists() && folder.join("repetitions.csv").exists());
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn ctrl_c_keeps_what_there_is() {
    let folder = folder("interrupted");
    let arguments = ["htm", "--no-rtm", "--machine", "haswell", "--record", folder.to_str().expect("plain")];
    let child = Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).stdout(Stdio::piped()).spawn();
    let child = child.expect("lacuna starts");
    crate::cli::wait_until_it_listens(child.id());
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success(), "it was still running");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(out(&output).contains("stopped before the end"));
    let summary = std::fs::read_to_string(folder.join("summary.txt")).expect("written");
    assert_eq!(summary, out(&output));
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// No file can be written where a folder has its name; what was found is said all the same.
#[test]
fn a_record_that_cannot_be_written_loses_nothing() {
    let folder = folder("blocked");
    std::fs::create_dir_all(folder.join("htm.csv")).expect("made");
    let path = folder.to_str().expect("plain");
    let output = run(&[&SHORT[..], &["--no-rtm", "--record", path]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(out(&output).contains("predicted for emerald-rapids"), "{}", out(&output));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("htm.csv") && said.contains("hint"), "{said}");
    std::fs::remove_dir_all(folder.join("htm.csv")).expect("removed");
    std::fs::remove_file(folder.join("origin.txt")).expect("removed");
    std::fs::create_dir_all(folder.join("origin.txt")).expect("made");
    // Nothing can be recorded there: that is said before the run, not after it.
    refuses(&["--no-rtm", "--record", path], &["origin.txt", "hint"]);
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// A full run takes minutes. Killed at any moment it leaves a folder that can be read.
#[test]
fn a_run_that_is_killed_leaves_what_it_has() {
    let folder = folder("killed");
    let arguments = ["htm", "--no-rtm", "--quiet", "--record", folder.to_str().expect("plain")];
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_lacuna")).args(arguments).stdout(Stdio::null()).spawn().expect("lacuna runs");
    let complete = || {
        let text = std::fs::read_to_string(folder.join("htm.json")).ok()?;
        let found: Value = serde_json::from_str(&text).expect("JSON");
        Some((found["complete"].clone(), folder.join("summary.txt").exists()))
    };
    let found = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        complete().filter(|(_, has_summary)| *has_summary)
    });
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(found, Some((Value::Bool(false), true)), "costs are there, predictions are not");
    assert!(std::fs::read_to_string(folder.join("origin.txt")).expect("written").contains("--record"));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_time_limit_is_kept_and_said() {
    let output = run(&["htm", "--no-rtm", "--machine", "haswell", "--timeout", "0.2"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(out(&output).contains("stopped before the end"), "{}", out(&output));
}

#[test]
fn wrong_arguments_are_refused() {
    refuses(&["--machine", "pentium"], &["no machine `pentium`", "there are: haswell"]);
    refuses(&["--timeout=-1"], &["the timeout cannot be -1"]);
    refuses(&["--timeout", "NaN"], &["the timeout cannot be NaN"]);
    refuses(&["--repetitions", "0"], &["--repetitions cannot be 0"]);
    refuses(&["--out", "/proc/nowhere"], &["cannot create the folder"]);
    refuses(&["--record", "/proc/nowhere"], &["cannot create the folder"]);
    refuses(&["--record", "a", "--out", "b"], &["cannot be used with"]);
    let folder = folder("wrong");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("wrong.machine");
    std::fs::write(&file, "machine: wrong\nl1: 64 sets, 12 ways, tree-plru\nl9: 1\n").expect("written");
    let path = file.to_str().expect("plain");
    refuses(&["--machine", path], &["wrong.machine:2: `l1` cannot be", "wrong.machine:3: a machine has no key `l9`"]);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_machine_can_come_from_a_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machines/emerald-rapids.machine");
    let named = run(&[&SHORT[..], &["--no-rtm", "--json", "-"]].concat());
    let from_file = run(&[&SHORT[..5], &[file.to_str().expect("plain"), "--no-rtm", "--json", "-"]].concat());
    let predictions =
        |output: &Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["predictions"].clone();
    assert_eq!(predictions(&named), predictions(&from_file), "predictions are the same in every run");
}

/// The picture of the book: what was recorded on a machine with RTM, and what the simulator says. `BLESS=1` draws it anew.
#[test]
fn the_chart_of_the_book_shows_measured_and_predicted_points() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let csv = std::fs::read_to_string(root.join("bench/runs/2026-11-16-rtm/laboratory-quick.csv")).expect("recorded");
    let measured = laboratory::recorded::read(&csv).expect("it reads");
    let machine = laboratory::builtin::find("xeon-tsxldtrk").expect("built in");
    let plan = laboratory::Plan { trials: 100, max_attempts: 1, ..laboratory::Plan::quick().simulated() };
    let (predicted, _) = laboratory::compare::predict(&machine, &plan, &mut |_| false);
    let drawn = report::laboratory::capacity(&measured, &predicted);
    assert_well_formed(&drawn);
    let path = root.join("docs/images/htm-capacity.svg");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &drawn).expect("written");
    }
    let stored = std::fs::read_to_string(&path).expect("BLESS=1 draws it");
    assert_eq!(stored, drawn, "BLESS=1 draws it anew");
}
