//! The command line as a user or another program meets it: exit codes, JSON, limits, interruption, and what is said about
//! wrong arguments.

use crate::command::{lacuna, root, run};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) const STOPLESS: &str = "protocols/copying/stopless/stopless.lac";

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The runs that `check .. --json -` prints.
fn runs(arguments: &[&str]) -> Vec<Value> {
    let output = run(&[&["check"], arguments, &["--json", "-"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", out(&output), err(&output)))
}

/// The input is refused with these words, and nothing is printed on standard output.
pub(crate) fn refuses(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    let said = err(&output);
    assert_eq!(code(&output), 2, "{arguments:?}\n{said}");
    assert_eq!(out(&output), "", "{arguments:?}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} should say `{word}`:\n{said}");
    }
}

/// A fresh folder that goes away again.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lacuna-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_string()
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).expect("the file can be written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn exit_codes_tell_holds_violated_wrong_and_inconclusive() {
    assert_eq!(code(&run(&["check", "litmus/SB.lac", "--memory", "sc"])), 0);
    assert_eq!(code(&run(&["check", "litmus/SB.lac", "--memory", "tso"])), 1);
    assert_eq!(code(&run(&["check", "litmus/SB.lac", "--memory", "sc,tso"])), 1);
    assert_eq!(code(&run(&["check", "litmus/SB.lac", "--memory", "so"])), 2);
    assert_eq!(code(&run(&["check", STOPLESS, "--memory", "sc", "--max-states", "10"])), 3);
    assert_eq!(code(&run(&["check"])), 2);
    assert_eq!(code(&run(&["chek", "litmus/SB.lac"])), 2);
    assert_eq!(code(&run(&["--help"])), 0);
    assert_eq!(code(&run(&["--version"])), 0);
}

#[test]
fn a_violation_outweighs_a_limit() {
    let folder = Folder::new("limit");
    let text = "cell x: 0..3 = 0\nthread a { each i in 0..3 { x = i } }\nthread b { x = 3 }\n\
                scenario far default { thread c { x = 1 } }\nscenario near { thread d { assert no: false } }\n";
    let file = folder.file("limit.lac", text);
    let limited = |scenario| run(&["check", &file, "--memory", "sc", "--max-states", "10", "--scenario", scenario]);
    assert_eq!(code(&limited("far")), 3);
    assert_eq!(code(&limited("near")), 1);
    assert_eq!(code(&limited("all")), 1);
}

#[test]
fn search_limits_make_a_run_inconclusive_and_are_named() {
    let large = [STOPLESS, "--variant", "for_rmo", "--memory", "rmo-no", "--set", "MUTATORS=3"];
    for (limit, value, name) in
        [("--max-states", "10", "states"), ("--timeout", "0.05", "time"), ("--max-memory", "1M", "memory")]
    {
        let arguments = [&large[..], &[limit, value]].concat();
        let runs = runs(&arguments);
        assert_eq!(runs[0]["verdict"], "inconclusive", "{limit}");
        assert_eq!(runs[0]["property"], Value::Null, "{limit}");
        assert_eq!(runs[0]["vacuous"], false, "{limit}");
        let named = runs[0]["limit"].as_str().expect("the limit is named");
        assert!(named.contains(name), "{limit}: {named}");
        let output = run(&[&["check"], &arguments[..]].concat());
        assert_eq!(code(&output), 3, "{limit}");
        assert!(out(&output).contains(&format!("inconclusive: {named}")), "{}", out(&output));
    }
}

#[test]
fn json_has_the_documented_fields() {
    let listed = [
        "protocol",
        "variant",
        "scenario",
        "memory",
        "parameters",
        "verdict",
        "vacuous",
        "property",
        "states",
        "transitions",
        "depth",
        "seconds",
        "peak_bytes",
        "bounds_hit",
        "trace",
    ];
    let runs = runs(&[STOPLESS, "--variant", "all", "--memory", "sc,rmo-no", "--set", "FIELDS=2"]);
    assert_eq!(runs.len() % 2, 0);
    for run in &runs {
        for field in listed {
            assert!(run.get(field).is_some(), "{field} is missing");
        }
        assert_eq!(run["protocol"], "stopless");
        assert_eq!(run["parameters"]["FIELDS"], "2");
        assert_eq!(run["parameters"]["K"], "4");
        for number in ["states", "transitions", "depth", "peak_bytes"] {
            assert!(run[number].as_u64().is_some_and(|n| n > 0), "{number}: {}", run[number]);
        }
        assert!(run["seconds"].as_f64().is_some_and(|s| s >= 0.0));
        assert!(run["bounds_hit"].is_array());
        let violated = run["verdict"] == "violated";
        assert_eq!(run["property"].is_string(), violated);
        assert_eq!(run["trace"].is_object(), violated);
    }
    let verdict = |variant: &str, memory: &str| {
        let run = runs.iter().find(|run| run["variant"] == variant && run["memory"] == memory);
        run.expect("it was run")["verdict"].as_str().expect("a word").to_string()
    };
    assert_eq!(verdict("original", "sc"), "holds");
    assert_eq!(verdict("original", "rmo-no"), "violated");
    assert_eq!(verdict("for_rmo", "rmo-no"), "holds");
}

#[test]
fn json_to_a_file_leaves_the_summary_on_standard_output() {
    let folder = Folder::new("json");
    let path = folder.path("runs.json");
    let output = run(&["check", "litmus/SB.lac", "--memory", "tso", "--json", &path]);
    assert!(out(&output).contains("violated: both_old"));
    let runs: Value = serde_json::from_slice(&std::fs::read(&path).expect("it is written")).expect("JSON");
    assert_eq!(runs[0]["memory"], "tso");
    refuses_to_write(&["check", "litmus/SB.lac", "--json"]);
    refuses_to_write(&["check", "litmus/SB.lac", "--save-trace"]);
    refuses_to_write(&["litmus", "litmus/classics.jsonl", "--json"]);
}

fn refuses_to_write(arguments: &[&str]) {
    let output = run(&[arguments, &["/nowhere/at/all.json"]].concat());
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("cannot write `/nowhere/at/all.json`"), "{}", err(&output));
}

#[test]
fn the_bound_of_the_queue_is_named_when_it_was_hit() {
    let deep = "cell a: 0..1 = 0\ncell b: 0..1 = 0\nthread t { a = 1; b = 1; a = 0; b = 0 }\n";
    let folder = Folder::new("bound");
    let file = folder.file("deep.lac", deep);
    let hit = &runs(&[&file, "--memory", "pso-no", "-K", "1"])[0];
    assert_eq!(hit["verdict"], "holds");
    assert_eq!(hit["bounds_hit"][0], "K=1 (t)");
    assert_eq!(hit["parameters"]["K"], "1");
    let not_hit = &runs(&[&file, "--memory", "pso-no", "--set", "K=8"])[0];
    assert_eq!(not_hit["bounds_hit"].as_array().expect("a list").len(), 0);
    assert_eq!(not_hit["parameters"]["K"], "8");
}

#[test]
fn the_study_is_reproduced() {
    let output = run(&["reproduce", "oopsla17", "--json", "-"]);
    assert_eq!(code(&output), 0);
    let table: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((table["matched"].as_u64(), table["total"].as_u64()), (Some(124), Some(124)));
    let cells = table["cells"].as_array().expect("a list");
    assert_eq!(cells.len(), 138);
    assert_eq!(cells.iter().filter(|cell| cell["published"].is_null()).count(), 14);
    for cell in cells {
        assert!(cell["row"].is_string() && cell["memory"].is_string());
        assert!(cell["states"].as_u64().is_some_and(|n| n > 0));
        for scenario in ["WR", "RW", "general"] {
            assert!(["holds", "violated"].contains(&cell["scenarios"][scenario].as_str().expect("a verdict")));
        }
        let fails = cell["measured"] != "pass";
        assert_eq!(cell["scenarios"]["general"] == "violated", fails, "{cell}");
        assert_eq!(cell["vacuous"], false, "{cell}");
    }
    refuses(&["reproduce", "pldi99"], &["there is no study `pldi99`", "oopsla17"]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new("unreadable");
    refuses(&["check", "no/such/file.lac"], &["cannot read `no/such/file.lac`", "No such file"]);
    refuses(&["orders", "litmus"], &["cannot read", "litmus", "it is a folder"]);
    refuses(&["litmus", "litmus"], &["cannot read `litmus`"]);
    refuses(&["fmt", "litmus"], &["cannot read `litmus`"]);
    refuses(&["show", "no/such/file.lac"], &["cannot read `no/such/file.lac`"]);
    let garbage: Vec<u8> = (0..2000u32).map(|i| (i * 7919 % 251 + i % 5) as u8).collect();
    refuses(&["check", &folder.file("garbage.lac", &garbage)], &["garbage.lac", "UTF-8"]);
    refuses(&["fmt", &folder.file("garbage.lac", &garbage)], &["garbage.lac", "UTF-8"]);
    refuses(&["litmus", &folder.file("garbage.jsonl", &garbage)], &["garbage.jsonl"]);
    refuses(&["check", "litmus/SB.lac", "--memory", &folder.file("garbage.memory", &garbage)], &["garbage.memory"]);
    let zeros = folder.file("zeros.lac", vec![0; 100_000]);
    refuses(&["check", &zeros], &["unknown-character"]);
}

#[test]
fn a_file_with_very_many_mistakes_shows_the_first_ones() {
    let folder = Folder::new("many");
    let output = run(&["check", &folder.file("many.lac", "cell = 1\n".repeat(5_000))]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("[E0029 too-many-errors]"));
    assert!(err(&output).lines().count() < 2_000, "{} lines", err(&output).lines().count());
}

#[test]
fn unknown_names_on_the_command_line_get_a_hint() {
    let sb = "litmus/SB.lac";
    refuses(&["check", sb, "--memory", "pos"], &["no memory model `pos`", "pso-full", "relaxed"]);
    refuses(&["check", sb, "--variant", "fix"], &["no variant `fix`", "original"]);
    refuses(&["check", sb, "--scenario", "WR"], &["no scenario `WR`", "main"]);
    refuses(&["check", STOPLESS, "--scenario", "wr"], &["no scenario `wr`", "WR", "general"]);
    refuses(&["check", STOPLESS, "--set", "FEILDS=2"], &["no parameter or flag `FEILDS`", "did you mean `FIELDS`?"]);
    refuses(&["check", sb, "--set", "FIELDS=2"], &["no parameter or flag `FIELDS`", "= hint:"]);
    refuses(&["check", sb, "--without", "speed"], &["no reduction `speed`", "symmetry"]);
    refuses(&["show", "tsso"], &["no memory model `tsso`", "tso"]);
    refuses(&["explain", "E9999"], &["no code `E9999`", "lists all"]);
    refuses(&["check", sb, "--worker", "2"], &["--workers"]);
}

#[test]
fn wrong_values_on_the_command_line_get_a_hint() {
    let sb = "litmus/SB.lac";
    refuses(&["check", STOPLESS, "--set", "FIELDS=9"], &["`FIELDS` cannot be `9`", "1..3"]);
    refuses(&["check", STOPLESS, "--set", "FIELDS=two"], &["`FIELDS` cannot be `two`", "1..3"]);
    refuses(&["check", STOPLESS, "--set", "data_fence=half"], &["`data_fence` cannot be `half`", "`none` and `full`"]);
    refuses(&["check", STOPLESS, "--set", "FIELDS"], &["has no `=`", "NAME=VALUE"]);
    refuses(&["check", sb, "-K", "0"], &["the queue bound cannot be 0", "1 to 64"]);
    refuses(&["check", sb, "-K", "65"], &["the queue bound cannot be 65", "1 to 64"]);
    refuses(&["check", sb, "--set", "K=many"], &["K cannot be `many`"]);
    refuses(&["check", sb, "--max-memory", "5Q"], &["`5Q` is no size", "K, M or G"]);
    refuses(&["check", sb, "--timeout=-1"], &["the timeout cannot be -1"]);
    refuses(&["check", sb, "--timeout=NaN"], &["the timeout cannot be NaN"]);
    refuses(&["check", sb, "--speculate", "9"], &["--speculate cannot be 9", "0 to 8"]);
    refuses(&["check", sb, "--max-states", "few"], &["few"]);
    refuses(&["check", sb, "--traces", "some"], &["some", "first"]);
}

/// Standard error, and the exit code, where nobody reads standard output.
fn unread(arguments: &[&str]) -> (String, i32) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = lacuna(arguments).stdout(writer).output().expect("lacuna runs");
    (err(&output), code(&output))
}

#[test]
fn data_that_nobody_reads_is_told_of() {
    for arguments in [
        &["check", "litmus/SB.lac", "--json", "-"][..],
        &["check", "litmus/SB.lac", "--sarif", "-"],
        &["litmus", "litmus/classics.jsonl", "--json", "-"],
    ] {
        let told = "error: standard output was closed before all was written\n".to_string();
        assert_eq!(unread(arguments), (told, 2), "{arguments:?}");
    }
}

#[test]
fn a_person_who_has_read_enough_hears_no_complaint() {
    for arguments in [
        &["check", "litmus/SB.lac", "--traces", "all"][..],
        &["check", "litmus/SB.lac", "litmus/MP.lac", "--color", "always"],
        &["explain"],
        &["show", STOPLESS, "--automata", "--variant", "all"],
    ] {
        assert_eq!(unread(arguments), (String::new(), 2), "{arguments:?}");
    }
}

#[test]
fn formatting_is_checked_and_done() {
    let folder = Folder::new("fmt");
    let file = folder.file("a.lac", "cell   x :0..1=0\nthread t{x=1}\n");
    let output = run(&["fmt", "--check", &file]);
    assert_eq!(code(&output), 1);
    assert!(err(&output).contains("a.lac is not formatted"));
    assert_eq!(code(&run(&["fmt", &file])), 0);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "cell x: 0..1 = 0\nthread t { x = 1 }\n");
    assert_eq!(code(&run(&["fmt", "--check", &file])), 0);
    let wrong = folder.file("wrong.lac", "cell x 0..1 = 0\n");
    refuses(&["fmt", &wrong], &["wrong.lac:1:6", "has no type"]);
    assert_eq!(std::fs::read_to_string(&wrong).expect("it is there"), "cell x 0..1 = 0\n", "left as it was");
}

#[test]
fn codes_are_explained() {
    for name in ["E0101", "101", "unknown-name"] {
        let output = run(&["explain", name]);
        assert_eq!(code(&output), 0);
        assert!(out(&output).starts_with("E0101  unknown-name"), "{name}: {}", out(&output));
    }
    let all = out(&run(&["explain"]));
    let n_codes = syntax::codes::ALL.len() + program::codes::ALL.len() + memory::text::CODES.len();
    assert_eq!(all.lines().count(), n_codes);
}

#[test]
fn a_file_a_memory_model_and_automata_are_shown() {
    let offered = out(&run(&["show", STOPLESS]));
    for word in ["Stopless (Pizlo et al. 2007)", "for_rmo", "general", "(default)", "FIELDS", "data_fence"] {
        assert!(offered.contains(word), "{word}:\n{offered}");
    }
    let model = out(&run(&["show", "tso"]));
    assert!(model.contains("tso") && model.contains("Total store ordering"), "{model}");
    let automata = out(&run(&["show", "litmus/SB.lac", "--automata"]));
    assert!(automata.contains("P0") && automata.contains("P1"), "{automata}");
    refuses(&["show", "litmus/SB.lac", "--automata", "--variant", "fix"], &["no variant `fix`"]);
}

#[test]
fn a_memory_model_of_the_user_is_used_like_any_other() {
    let folder = Folder::new("memory");
    let text = "# Loads may pass older loads, and nothing else.\nmemory: eager-loads\nreorder: load->load\n";
    let file = folder.file("eager-loads.memory", text);
    let verdict = |test: &str| {
        let runs = runs(&[&format!("litmus/{test}.lac"), "--memory", &file]);
        assert_eq!(runs[0]["memory"], "eager-loads");
        runs[0]["verdict"].as_str().expect("a word").to_string()
    };
    assert_eq!(verdict("SB"), "holds");
    assert_eq!(verdict("MP"), "violated");
    assert_eq!(verdict("MP+fence+po"), "violated");
    assert_eq!(verdict("MP+fence+addr"), "holds");
    assert!(out(&run(&["show", &file])).contains("eager-loads"));
    assert_eq!(runs(&["litmus/SB.lac", "--memory", &format!("sc,{file},tso")]).len(), 3);
}

#[test]
fn speculation_lets_loads_pass_branches() {
    let test = "litmus/MP+fence+ctrl.lac";
    assert_eq!(runs(&[test, "--memory", "rmo-no"])[0]["verdict"], "holds");
    assert_eq!(runs(&[test, "--memory", "rmo-no", "--speculate", "1"])[0]["verdict"], "violated");
    assert_eq!(runs(&[test, "--memory", "tso", "--speculate", "1"])[0]["verdict"], "holds");
    assert_eq!(runs(&["litmus/LB+ctrls.lac", "--memory", "rmo-no", "--speculate", "2"])[0]["verdict"], "holds");
}

#[test]
fn workers_and_reductions_change_no_verdict() {
    let arguments = [STOPLESS, "--variant", "for_rmo", "--memory", "sc,tso,rmo-no", "--scenario", "RW"];
    let of = |more: &[&str]| {
        let runs = runs(&[&arguments[..], more].concat());
        let key = |run: &Value| (run["memory"].to_string(), run["verdict"].to_string(), run["states"].as_u64());
        runs.iter().map(key).collect::<Vec<_>>()
    };
    let one = of(&["--workers", "1"]);
    assert_eq!(one, of(&["--workers", "2"]));
    let plain = of(&["--without", "symmetry,dead-registers,walls"]);
    for (reduced, plain) in one.iter().zip(&plain) {
        assert_eq!((&reduced.0, &reduced.1), (&plain.0, &plain.1));
        assert!(reduced.2 <= plain.2, "{reduced:?} {plain:?}");
    }
}

#[test]
fn a_vacuous_pass_is_reported() {
    let folder = Folder::new("vacuous");
    let text =
        "cell root: 0..1 = 0\nthread t { assert zero: root == 0 }\ncover flipped: root == 1\nexpect { all: holds }\n";
    let file = folder.file("vacuous.lac", text);
    let runs = runs(&[&file, "--memory", "sc"]);
    assert_eq!((&runs[0]["verdict"], &runs[0]["vacuous"]), (&"holds".into(), &true.into()));
    let output = run(&["check", &file, "--memory", "sc"]);
    assert!(out(&output).contains("holds, but vacuously"), "{}", out(&output));
    assert!(out(&output).contains("never reached: flipped"), "{}", out(&output));
    assert_eq!(
        code(&run(&["check", &file, "--memory", "sc", "--expect"])),
        1,
        "a vacuous pass is not what is expected"
    );
}

#[test]
fn expectations_decide_the_exit_code_if_asked() {
    assert_eq!(code(&run(&["check", "litmus/SB.lac", "--expect"])), 0);
    let folder = Folder::new("expect");
    let text = std::fs::read_to_string(root().join("litmus/SB.lac")).expect("it is there");
    let wrong = folder.file("SB.lac", text.replace("all: violated", "all: holds"));
    let output = run(&["check", &wrong, "--expect"]);
    assert_eq!(code(&output), 1);
    assert_eq!(out(&output).matches("NOT AS EXPECTED").count(), 6, "{}", out(&output));
}

#[test]
fn a_deadlock_is_a_violation_unless_it_is_allowed() {
    let folder = Folder::new("deadlock");
    let file = folder.file("stuck.lac", "abstract n: 0..1 = 0\nthread t { atomic { assume n == 1; n = 0 } }\n");
    let stuck = &runs(&[&file, "--memory", "sc"])[0];
    assert_eq!((&stuck["verdict"], &stuck["property"]), (&"violated".into(), &"deadlock".into()));
    assert_eq!(runs(&[&file, "--memory", "sc", "--no-deadlock"])[0]["verdict"], "holds");
}

#[test]
fn litmus_tests_with_mistakes_are_refused_with_their_line() {
    let folder = Folder::new("litmus");
    let right = std::fs::read_to_string(root().join("litmus/classics.jsonl")).expect("it is there");
    let first = right.lines().next().expect("a test");
    let file = |name: &str, line: &str| folder.file(name, format!("{first}\n\n{line}\n"));
    refuses(&["litmus", &file("a.jsonl", "{\"name\": \"x\"}")], &["a.jsonl:3:", "missing field", "= hint:"]);
    refuses(&["litmus", &file("b.jsonl", &first.replace("store", "stor"))], &["b.jsonl:3:", "unknown variant `stor`"]);
    let output = run(&["litmus", &file("c.jsonl", &first.replace("0:r0", "7:r0"))]);
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(err(&output).contains("test `SB`: `7:r0` names a thread"), "{}", err(&output));
    assert!(out(&output).contains("allowed 4"), "the other test is run: {}", out(&output));
    refuses(&["litmus", "litmus/classics.jsonl", "--memory", "none"], &["no memory model `none`"]);
}

#[test]
fn ctrl_c_stops_the_search_and_tells_what_is_known() {
    let long = ["check", STOPLESS, "--variant", "for_rmo", "--memory", "rmo-no", "--set", "MUTATORS=3"];
    let mut child = lacuna(&long).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lacuna starts");
    wait_until_it_listens(child.id());
    std::thread::sleep(Duration::from_millis(200));
    let started = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success(), "it was still running");
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(started.elapsed() < Duration::from_secs(10), "it does not stop");
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("it has ended");
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(out(&output).contains("inconclusive: interrupted"), "{}", out(&output));
}

/// Waits until the process catches SIGINT. Where that cannot be seen, half a second must do.
pub(crate) fn wait_until_it_listens(id: u32) {
    let status = PathBuf::from(format!("/proc/{id}/status"));
    if !status.exists() {
        std::thread::sleep(Duration::from_millis(500));
        return;
    }
    for _ in 0..500 {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        if u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 0b10 != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never listens");
}
