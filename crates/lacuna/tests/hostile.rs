//! Inputs that would take forever or too much, signals: every command ends in time, with what is finished.

use crate::command::is_full;
use crate::small_systems;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two threads store, others count: the first run is soon over under `sc`, and is not for many minutes with more of them.
pub(crate) const LONG: &str = "\
cell x: 0..1 = 0
cell y: 0..1 = 0
cell z[0..5]: 0..60 = 0
thread writer { x = 1; y = 1 }
thread reader { let r = y; let s = x; assert received: r == 0 or s == 1 }
thread others[6] { each i in 0..60 { z[self] = i } }
variant short { }
";

pub(crate) const SHORT: &str = "cell x: 0..1 = 0\nthread a { x = 1 }\nthread b { let r = x; assert seen: r == 0 }\n";

/// Much more than anything here takes, on a machine that does much else.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A folder of its own, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lacuna-hostile-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    pub(crate) fn lacuna(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.lacuna(arguments))
    }

    pub(crate) fn shell(&self, script: &str) -> Ended {
        let mut command = Command::new("bash");
        command.args(["-c", script]).env("LACUNA", env!("CARGO_BIN_EXE_lacuna")).current_dir(&self.0);
        ended(command)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a program says, and how it ends.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) all: String,
}

fn ended(mut command: Command) -> Ended {
    let begun = Instant::now();
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().expect("it runs");
    assert!(begun.elapsed() < SOON, "{command:?} takes too long");
    let all = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    Ended { code: status.code(), all }
}

/// Ends with this code, and says this.
pub(crate) fn assert_ended(ended: &Ended, code: i32, words: &str) {
    assert!(
        ended.code == Some(code) && ended.all.contains(words),
        "{:?}, {code} and `{words}` wanted:\n{}",
        ended.code,
        ended.all
    );
}

#[test]
fn every_hostile_file_ends_in_time_as_it_says_itself() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/limits");
    let mut n_files = 0;
    for entry in std::fs::read_dir(&folder).expect("the files are there").flatten() {
        let name = entry.file_name().into_string().expect("text");
        let text = std::fs::read_to_string(entry.path()).expect("text");
        let expected =
            text.lines().next().and_then(|line| line.strip_prefix("//! expected: ")).expect("an expectation");
        let code = match expected.split_once([':', '[']).map_or(expected, |(word, _)| word) {
            "holds" => 0,
            "violated" => 1,
            "error" => 2,
            "inconclusive" => 3,
            other => panic!("{name} expects `{other}`"),
        };
        let begun = Instant::now();
        let arguments = ["check", &name, "-q", "-m", "sc", "--timeout", "1", "--max-memory", "300M"];
        let (ended, out, err) = small_systems::lacuna("limits", &arguments);
        // It ends by itself, with a row for the run, and not by the last resort.
        assert!(!err.contains("stopped"), "{name}: {err}");
        let ended = Ended { code: ended, all: out + &err };
        assert_ended(&ended, code, expected);
        assert!(begun.elapsed() < SOON, "{name} takes too long");
        n_files += 1;
    }
    assert!(n_files >= 9, "only {n_files} files");
}

#[test]
fn long_chains_and_lists_come_to_an_end() {
    let folder = Folder::new("chains");
    let n = 20_000;
    let chain = |line: &dyn Fn(usize) -> String| (1..=n).rev().map(line).collect::<String>();
    let consts = chain(&|i| format!("const C{i} = C{} + 0\n", i - 1));
    let types = chain(&|i| format!("type T{i} = T{}\n", i - 1));
    let predicates: String = (1..n).map(|i| format!("predicate p{i}(a: 0..3): not p{}(a)\n", i - 1)).collect();
    let words: Vec<String> = (0..n).map(|i| format!("w{i}")).collect();
    let parameters = chain(&|i| format!("param P{i}: 0..3 = 1\n"));
    let store = "thread a { x = 1 }\n";
    for (name, text, code, said) in [
        ("const.lac", format!("{consts}const C0 = 0\ncell x: 0..3 = C{n}\n{store}"), 0, "holds"),
        ("type.lac", format!("{types}type T0 = 0..3\ncell x: T{n} = 0\n{store}"), 0, "holds"),
        (
            "predicate.lac",
            format!("cell x: 0..3 = 0\npredicate p0(a: 0..3): a == 1\n{predicates}invariant i: p{}(x)\n{store}", n - 1),
            2,
            "error[E0161",
        ),
        ("enum.lac", format!("enum E {{ {} }}\ncell x: E = w0\nthread a {{ x = w1 }}\n", words.join(", ")), 0, "holds"),
        ("param.lac", format!("cell x: 0..3 = 0\n{parameters}{store}"), 0, "holds"),
    ] {
        folder.file(name, &text);
        assert_ended(&folder.run(&["check", name, "-q", "-m", "sc", "--timeout", "50"]), code, said);
    }
}

/// What is deep in a text is either refused or followed without recursion, in all commands that read one.
#[test]
fn what_is_deep_is_no_recursion() {
    let folder = Folder::new("levels");
    // A stack of eight megabytes ends after some ten thousand calls.
    let n = if is_full() { 100_000 } else { 40_000 };
    let nested = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    let start = "cell x: 0..3 = 0\nabstract g: 0..3 = 0\n";
    let thread = |body: String| format!("{start}thread a {{ let r = x; {body} }}\n");
    let consts: String = (1..=n).rev().map(|i| format!("const C{i} = C{} + 0\n", i - 1)).collect();
    let types: String = (1..=n).rev().map(|i| format!("type T{i} = T{}\n", i - 1)).collect();
    let circle: String = (0..n).map(|i| format!("const C{i} = C{}\n", (i + 1) % n)).collect();
    let texts = [
        ("parens", thread(format!("x = {}", nested("(", "1", ")"))), 2),
        ("not", thread(format!("assert p: {}", nested("not ", "r == 1", ""))), 2),
        ("ifs", thread(nested("if r == 0 { ", "x = 1", " }")), 2),
        ("elses", thread(format!("if r == 0 {{ x = 1 }}{}", " else if r == 1 { x = 2 }".repeat(n))), 2),
        ("blocks", thread(nested("atomic { ", "g = 1", " }")), 2),
        ("open", thread("{".repeat(n)), 2),
        ("sums", thread(format!("x = {}", nested("r + ", "0", ""))), 2),
        (
            "implies",
            format!("{start}invariant i: {}\nthread a {{ x = 1 }}\n", nested("x == 1 implies ", "x == 0", "")),
            2,
        ),
        ("formulas", format!("{start}ltl p: {}\nthread a {{ x = 1 }}\n", nested("always ", "x == 0", "")), 2),
        ("sets", format!("{start}abstract s: {}0..3 = {{}}\nthread a {{ x = 1 }}\n", "set ".repeat(n)), 2),
        ("consts", format!("{consts}const C0 = 1\n{start}thread a {{ x = C{n} }}\n"), 0),
        ("types", format!("{types}type T0 = 0..3\n{start}cell y: T{n} = 0\nthread a {{ x = 1 }}\n"), 0),
        ("circle", format!("{circle}{start}thread a {{ x = C0 }}\n"), 2),
    ];
    for (name, text, code) in texts {
        let file = format!("{name}.lac");
        folder.file(&file, &text);
        assert_ended(&folder.run(&["check", &file, "-q", "-m", "sc", "--timeout", "50"]), code, "");
        let is_text = matches!(name, "consts" | "types" | "circle");
        assert_ended(&folder.run(&["fmt", "--check", &file]), if is_text { 0 } else { 2 }, "");
        for command in [&["show", &file, "--automata"][..], &["export", "promela", &file, "-m", "sc", "--out", "out"]] {
            assert_ended(&folder.run(command), code, "");
        }
        // Mutants are checked by workers, whose stacks are smaller.
        let ended = folder.run(&["mutants", &file, "-q", "-m", "sc", "--timeout", "2"]);
        assert!(matches!(ended.code, Some(0 | 2 | 3)), "{name}: {:?}\n{}", ended.code, ended.all);
    }
}

/// What is wrong with one file counts, however the check of another one ends.
#[test]
fn a_wrong_file_counts_where_another_one_is_stopped() {
    let folder = Folder::new("wrong");
    let body = "choose { c[self] = 1 } or { let r = c[(self + 1) % 6]; c[(self + 2) % 6] = (r + 1) % 10 }";
    folder.file("a.lac", &format!("cell c[w]: 0..9 = 0\nthread w[6] {{ loop {{ {body} }} }}\n"));
    let ended = folder.run(&["check", "missing.lac", "a.lac", "-m", "sc", "-q", "--timeout", "1"]);
    assert_ended(&ended, 2, "inconclusive");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = Folder::new("escapes");
    folder.file("a\x1b[31m.lac", SHORT);
    folder.file("b\x1b[31m.lac", "cell \x1b[2J x\n");
    for (name, code) in [("a\x1b[31m.lac", 1), ("b\x1b[31m.lac", 2), ("c\x1b[31m.lac", 2)] {
        let ended = folder.run(&["check", name, "-m", "sc"]);
        assert_ended(&ended, code, "\\u{1b}[31m");
        assert!(!ended.all.contains('\x1b'), "{}", ended.all.escape_debug());
    }
}

#[test]
fn a_closed_or_full_output_is_no_bug() {
    let folder = Folder::new("closed");
    folder.file("a.lac", SHORT);
    for (script, code) in [
        ("\"$LACUNA\" check none.lac 2>/dev/full", 2),
        ("\"$LACUNA\" check none.lac 2>&-", 2),
        ("\"$LACUNA\" check a.lac -m sc >&- 2>&-", 1),
        ("\"$LACUNA\" check a.lac -m sc >/dev/full 2>/dev/full", 2),
        ("\"$LACUNA\" check a.lac -m sc 2>/dev/full | true; exit ${PIPESTATUS[0]}", 2),
        ("\"$LACUNA\" nonsense 2>/dev/full", 2),
        ("\"$LACUNA\" --help >/dev/full", 2),
        ("\"$LACUNA\" check --help >/dev/full", 2),
        ("\"$LACUNA\" --version >/dev/full", 2),
    ] {
        let ended = folder.shell(script);
        let is_right = ended.code == Some(code) || script.contains("| true") && ended.code == Some(1);
        assert!(is_right, "{script}: {:?}\n{}", ended.code, ended.all);
    }
}

#[test]
fn a_far_column_and_a_long_name_are_shown() {
    let folder = Folder::new("columns");
    folder.file("a.lac", &format!("cell x: 0..1 = 0{}?\nthread a {{ x = 1 }}\n", " ".repeat(70_000)));
    let ended = folder.run(&["check", "a.lac"]);
    assert_ended(&ended, 2, "a.lac:1:7001");
    assert!(ended.all.lines().all(|line| line.chars().count() < 1000), "a line is not cut");
    let name = "n".repeat(70_000);
    let test = r#"{"name": "NAME", "init": {"x": 0}, "threads": [[{"op": "load", "loc": "x", "reg": "r0"}]], "exists": [["0:r0", 0]], "observed": ["0:r0"]}"#;
    folder.file("a.jsonl", &format!("{}\n", test.replace("NAME", &name)));
    assert_ended(&folder.run(&["litmus", "a.jsonl"]), 0, &name);
}

/// A child that has printed a line with these words.
fn begun(mut command: Command, words: &str) -> (Child, BufReader<std::process::ChildStdout>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    while !said.contains(words) {
        assert_ne!(out.read_line(&mut said).expect("text"), 0, "`{words}` is not said:\n{said}");
    }
    (child, out, said)
}

#[test]
fn a_signal_ends_the_search_with_what_is_finished() {
    let folder = Folder::new("signals");
    let variants = "param N: 1..6 = 6\nvariant a_short { N = 1 }\nvariant b_long { N = 6 }\n";
    folder.file(
        "a.lac",
        &format!("{variants}{}", LONG.replace("variant short { }\n", "").replace("others[6]", "others[N]")),
    );
    for signal in ["INT", "TERM", "HUP"] {
        let json = format!("{signal}.json");
        let arguments = ["check", "a.lac", "--variant", "all", "-m", "sc", "-q", "--json", &json];
        let (mut child, mut out, mut said) = begun(folder.lacuna(&arguments), "a_short");
        // It is in the file before the second run ends.
        let written = Instant::now();
        while !folder.0.join(&json).exists() && written.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(child.try_wait().expect("it can be asked").is_none(), "the second run is long");
        let sent = Instant::now();
        let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        out.read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(3), "{signal}: {said}");
        assert!(sent.elapsed() < Duration::from_secs(10), "{signal}: it takes {:?}", sent.elapsed());
        assert!(said.contains("inconclusive: interrupted"), "{signal}: {said}");
        let text = std::fs::read_to_string(folder.0.join(&json)).expect("the file is written");
        let runs: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&runs[0]["verdict"], &runs[1]["limit"]), (&"holds".into(), &"interrupted".into()), "{text}");
    }
}

/// Runs a command until a row with these words is printed, while others are to come; then the files are there, and a signal ends it.
fn assert_shown_as_it_goes(folder: &Folder, arguments: &[&str], words: &str, json: &str) {
    let (mut child, mut out, mut said) = begun(folder.lacuna(arguments), words);
    let begun = Instant::now();
    while !folder.0.join(json).exists() && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(child.try_wait().expect("it can be asked").is_none(), "{arguments:?} is long:\n{said}");
    let sent = Instant::now();
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    out.read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{arguments:?}\n{said}");
    assert!(sent.elapsed() < Duration::from_secs(10), "{arguments:?}: it takes {:?}", sent.elapsed());
    assert!(said.contains("interrupted"), "{arguments:?}\n{said}");
    let text = std::fs::read_to_string(folder.0.join(json)).expect("the file is written");
    serde_json::from_str::<Value>(&text).expect("whole JSON");
}

/// `timeout` sends its signal to the program and to its group: that is one request, not two.
#[test]
fn a_signal_that_comes_twice_is_one() {
    let folder = Folder::new("twice");
    folder.file("a.lac", LONG);
    for _ in 0..3 {
        let ended = folder.shell("timeout 2 \"$LACUNA\" check a.lac -m sc -q --json a.json; exit $?");
        assert_ended(&ended, 124, "inconclusive: interrupted");
        let text = std::fs::read_to_string(folder.0.join("a.json")).expect("the file is written");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON")[0]["limit"], "interrupted");
        std::fs::remove_file(folder.0.join("a.json")).expect("it was there");
    }
}

#[test]
fn scopes_and_mutants_are_shown_as_they_are_decided() {
    let folder = Folder::new("as-it-goes");
    let counting = LONG.replace("others[6]", "others[N]").replace("variant short { }\n", "");
    folder.file("a.lac", &format!("param N: 1..6 = 1\n{counting}"));
    let scope = ["scope", "a.lac", "--vary", "N=1..6", "-q", "--json", "s.json"];
    assert_shown_as_it_goes(&folder, &scope, "N=2", "s.json");
    // What the first thread's mutants do is soon known; that the others always count takes forever.
    let others = "thread others[6] { let g = go; if g == 1 { each i in 0..60 { z[self] = i } } }\n";
    let cells = "cell x: 0..1 = 0\ncell go: 0..1 = 0\ncell z[0..5]: 0..60 = 0\n";
    folder.file("b.lac", &format!("{cells}thread first {{ x = 1 }}\n{others}"));
    let mutants = ["mutants", "b.lac", "-m", "sc", "-q", "--json", "m.json"];
    assert_shown_as_it_goes(&folder, &mutants, "drop-store", "m.json");
}

#[test]
fn the_time_is_for_the_whole_of_every_command() {
    let folder = Folder::new("whole");
    folder.file("a.lac", LONG);
    for arguments in [
        &["check", "a.lac", "-m", "all", "--cross-check", "--second-opinion"][..],
        &["orders", "a.lac", "-m", "all"],
        &["repair", "a.lac", "-m", "all"],
        &["mutants", "a.lac", "-m", "all"],
        &["scope", "a.lac", "--vary", "K=1..6"],
    ] {
        let begun = Instant::now();
        let ended = folder.run(&[arguments, &["-q", "--timeout", "1"]].concat());
        let Ended { code, all } = ended;
        assert!(code == Some(3) && all.contains("timeout"), "{arguments:?}: {code:?}\n{all}");
        // A second, and a grace; and much more on a machine that does much else.
        assert!(begun.elapsed() < Duration::from_secs(12), "{arguments:?} takes {:?}", begun.elapsed());
    }
    assert_ended(&folder.run(&["prove", "a.lac", "-q", "--timeout", "0"]), 3, "");
    // It is over before the first scope.
    assert_ended(
        &folder.run(&["scope", "a.lac", "--vary", "K=1..2", "-q", "--timeout", "0"]),
        3,
        "inconclusive: timeout",
    );
    assert_ended(
        &folder.run(&["export", "promela", "a.lac", "-m", "sc", "--out", "out", "--timeout=-1"]),
        2,
        "timeout",
    );
    assert_ended(&folder.run(&["litmus", "none.jsonl", "--max-memory", "much"]), 2, "much");
}

#[test]
fn resident_memory_keeps_to_the_limit() {
    let folder = Folder::new("memory");
    folder.file("a.lac", LONG);
    let arguments = ["check", "a.lac", "-m", "tso", "-q", "--max-memory", "64M", "--timeout", "50", "--no-explain"];
    let mut child = folder.lacuna(&arguments).stdout(Stdio::piped()).spawn().expect("it starts");
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut most: u64 = 0;
    while child.try_wait().expect("it can be asked").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("inconclusive: max-memory"), "{said}");
    assert!(most > 40_000 && most * 1024 <= 64_000_000 / 100 * 105, "{most} kB");
}

#[test]
fn a_small_address_space_ends_a_search_cleanly() {
    let folder = Folder::new("address-space");
    folder.file("a.lac", LONG);
    let ended = folder.shell("ulimit -v 540000; \"$LACUNA\" check a.lac -m tso -q --workers 1 --timeout 50");
    assert_ended(&ended, 3, "inconclusive: max-memory");
}
