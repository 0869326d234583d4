//! `check --processes` and `--cluster`: several processes say what one says, and a process that is lost is no hang.

use crate::checkpoint::{COUNTERS, borrowed};
use crate::cli::Folder;
use crate::command::{ends, is_full, json, lacuna, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder with the text, removed at the end.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("cluster-{name}"));
    folder.file("counters.lac", COUNTERS);
    folder
}

/// The words that check the text, with some more.
fn check(folder: &Folder, more: &str) -> Vec<String> {
    let words = format!("check {} --memory tso --without symmetry,late-reads {more}", folder.path("counters.lac"));
    words.split_whitespace().map(String::from).collect()
}

/// What must not depend on the number of processes.
fn known(runs: &Value) -> Vec<String> {
    let fields = ["variant", "scenario", "memory", "verdict", "states", "transitions", "depth", "uncovered"];
    let fields = fields.into_iter().chain(["unreached", "bounds_hit", "limit"]);
    let of = |run: &Value| fields.clone().map(|field| format!("{field}: {} ", run[field])).collect::<String>();
    runs.as_array().expect("runs").iter().map(of).collect()
}

/// Begins a command whose outputs can be read.
fn begin(words: &[String]) -> Child {
    let mut command = lacuna(&borrowed(words));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lacuna starts")
}

/// The end of a command, which comes soon.
fn end(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(90), "it hangs");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A process that this one has begun.
fn child_of(parent: u32) -> Option<u32> {
    let children = format!("/proc/{parent}/task");
    let tasks = std::fs::read_dir(children).ok()?.flatten().map(|task| task.path().join("children"));
    let found = tasks.filter_map(|path| std::fs::read_to_string(path).ok());
    found.flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).next()
}

fn signal(process: u32, signal: &str) {
    let status = std::process::Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(status.expect("kill is there").success());
}

/// A port that was free a moment ago.
fn port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.local_addr().expect("it has an address").port()
}

/// Folders of protocols that are searched by one process and by several, with options.
const SAMPLE: [(&str, &str); 5] = [
    ("litmus/components", "--memory tso,rmo-no"),
    ("tests/semantics", "--memory sc,rmo-no --no-deadlock"),
    ("protocols/copying/staccato", "--memory pso-no --variant all"),
    ("protocols/structures", "--memory sc"),
    ("tests/packets", "--memory sc"),
];

/// All of the repository, as far as it is small.
const ALL: [(&str, &str); 4] = [
    ("litmus", "--memory tso,rmo-no,rc11"),
    ("protocols", "--memory tso"),
    ("protocols/copying", "--memory all --variant all"),
    ("tests/system", "--memory tso"),
];

/// The protocols in a folder and below that have no temporal property and can be checked alone.
fn protocols(folder: &Path, out: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            protocols(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "lac") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            if !text.contains("ltl") && text.contains("thread") && !text.contains("framework") {
                out.push(path.display().to_string());
            }
        }
    }
}

#[test]
fn verdicts_and_counts_are_those_of_one_process() {
    let (mut n_runs, sets) = (0, if is_full() { [&SAMPLE[..], &ALL].concat() } else { SAMPLE.to_vec() });
    for (folder, options) in sets {
        let mut files = Vec::new();
        protocols(&root().join(folder), &mut files);
        let common = "--quiet --no-explain --traces none --max-states 30000 --workers 1";
        let words = ["check"].into_iter().chain(options.split(' ')).chain(common.split(' '));
        let words: Vec<&str> = words.chain(files.iter().map(String::as_str)).collect();
        let alone = json(&words);
        // A limit of states is no exact number.
        let runs = alone.as_array().expect("runs").iter();
        let is_decided: Vec<bool> = runs.map(|run| run["states"].as_u64().is_some_and(|n| n < 30_000)).collect();
        let alone = known(&alone);
        for n in ["2", "4"] {
            let together = known(&json(&[&words[..], &["--processes", n]].concat()));
            assert_eq!(alone.len(), together.len(), "{folder}");
            for ((one, all), _) in alone.iter().zip(&together).zip(&is_decided).filter(|(_, is_decided)| **is_decided) {
                assert_eq!(one, all, "{folder} with {n} processes");
                n_runs += 1;
            }
        }
    }
    assert!(n_runs > 200, "{n_runs} runs were compared");
}

#[test]
fn a_violation_is_shown_as_one_process_shows_it() {
    let folder = folder("violated");
    let trace = folder.path("trace.json");
    let alone = json(&borrowed(&check(&folder, "--set FAILS=1")));
    let words = check(&folder, &format!("--set FAILS=1 --processes 2 --save-trace {trace}"));
    let output = end(begin(&words));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("violated: last"), "{}", said(&output));
    ends(&["replay", &trace, &folder.path("counters.lac")], 0, &["last"]);
    let together = json(&borrowed(&check(&folder, "--set FAILS=1 --processes 3")));
    assert_eq!(known(&alone), known(&together));
    let every = json(&borrowed(&check(&folder, "--set FAILS=1 --every-property --processes 2")));
    assert_eq!(every[0]["depth"], alone[0]["depth"]);
}

#[test]
fn late_reads_are_put_off_by_all() {
    let words = "check protocols/copying/staccato/staccato.lac --memory rmo-no --late-reads --quiet --no-explain";
    let words: Vec<&str> = words.split(' ').collect();
    let alone = json(&words);
    assert_eq!(known(&alone), known(&json(&[&words[..], &["--processes", "3"]].concat())));
}

#[test]
fn limits_and_signals_stop_all() {
    let folder = folder("limits");
    let slow = folder.file("slow.lac", COUNTERS.replace("0..2", "0..3").replace("[3]", "[4]"));
    let ends_by = |more: &str, limit: &str| {
        let words = format!("check {slow} --memory tso --without symmetry,late-reads --processes 2 {more}");
        let output = end(begin(&words.split_whitespace().map(String::from).collect::<Vec<_>>()));
        assert_eq!(output.status.code(), Some(3), "{more}: {}", said(&output));
        assert!(said(&output).contains(&format!("inconclusive: {limit}")), "{more}: {}", said(&output));
    };
    ends_by("--max-states 20000", "max-states");
    ends_by("--timeout 2", "timeout");
    ends_by("--max-memory 90M", "max-memory");
    let words = format!("check {slow} --memory tso --without symmetry,late-reads --processes 2");
    let child = begin(&words.split_whitespace().map(String::from).collect::<Vec<_>>());
    std::thread::sleep(Duration::from_secs(2));
    signal(child.id(), "-INT");
    let output = end(child);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("inconclusive: interrupted"), "{}", said(&output));
}

/// Waits until something is there.
fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_process_that_is_killed_ends_the_run_with_a_message() {
    let folder = folder("killed");
    let slow = folder.file("slow.lac", COUNTERS.replace("0..2", "0..3").replace("[3]", "[4]"));
    let words = format!("check {slow} --memory tso --without symmetry,late-reads --processes 3");
    let child = begin(&words.split_whitespace().map(String::from).collect::<Vec<_>>());
    let other = wait_for("another process", || child_of(child.id()));
    std::thread::sleep(Duration::from_secs(3));
    signal(other, "-KILL");
    let output = end(child);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("is gone; the run is not finished"), "{}", said(&output));
    assert!(said(&output).contains("inconclusive: process-lost"), "{}", said(&output));
}

#[test]
fn a_check_goes_on_when_processes_are_killed() {
    let folder = folder("goes-on");
    let expected = known(&json(&borrowed(&check(&folder, ""))));
    let saved = folder.path("saved");
    let out = folder.path("out.json");
    let child = begin(&check(&folder, &format!("--processes 2 --checkpoint {saved} --every 0 --json {out}")));
    let generation = PathBuf::from(folder.path("saved/run-0/phase-2/generation"));
    wait_for("a checkpoint", || generation.exists().then_some(()));
    // A process that is lost is begun again, and the search goes on.
    signal(wait_for("another process", || child_of(child.id())), "-KILL");
    let output = end(child);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("going on from the last checkpoint"), "{}", said(&output));
    let found = |path: &str| -> Value {
        serde_json::from_slice(&std::fs::read(path).expect("it is written")).expect("it is JSON")
    };
    assert_eq!(expected, known(&found(&out)));
}

#[test]
fn a_check_whose_first_process_is_killed_is_resumed() {
    let folder = folder("resumed");
    let expected = known(&json(&borrowed(&check(&folder, ""))));
    let saved = folder.path("saved");
    let mut child = begin(&check(&folder, &format!("--processes 2 --checkpoint {saved} --every 0")));
    let generation = PathBuf::from(folder.path("saved/run-0/phase-2/generation"));
    wait_for("a checkpoint", || generation.exists().then_some(()));
    let other = child_of(child.id());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let is_gone = || other.is_none_or(|id| !Path::new(&format!("/proc/{id}")).exists()).then_some(());
    wait_for("the others end with the first", is_gone);
    // All processes read the folder where it is now.
    let moved = folder.path("moved");
    std::fs::rename(&saved, &moved).expect("it can be moved");
    assert_eq!(expected, known(&json(&["resume", &moved])));
    assert!(!Path::new(&saved).exists(), "nobody writes to where it was");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder("refused");
    let file = folder.path("counters.lac");
    let hosts = |text: &str| folder.file("hosts", text);
    let cluster = |text: &str, process: &str, words: &[&str]| {
        ends(&["check", &file, "--cluster", &hosts(text), "--process", process], 2, words);
    };
    cluster("", "0", &["it names no process"]);
    cluster("# nothing\n\n", "0", &["it names no process"]);
    cluster("localhost", "0", &["line 1: `localhost` has no port"]);
    cluster("a:1\nb:99999\n", "0", &["line 2", "has no port from 1 to 65535"]);
    cluster("a:1\na:1\n", "0", &["line 2", "is there twice"]);
    cluster("a b:1\n", "0", &["names no host"]);
    cluster("a:1\nb:2\n", "2", &["there is no process 2", "counted from 0"]);
    ends(&["check", &file, "--cluster", "/nowhere/hosts", "--process", "0"], 2, &["/nowhere/hosts"]);
    ends(&["check", &file, "--cluster", "hosts"], 2, &["--process"]);
    ends(&["check", &file, "--processes", "0"], 2, &["there cannot be 0 processes"]);
    ends(&["check", &file, "--processes", "65"], 2, &["there cannot be 65 processes"]);
    ends(&["check", &file, "--processes", "2", "--store", "disk", &folder.path("d")], 2, &["--store"]);
    ends(&["check", &file, "--processes", "2", "--live"], 2, &["`terminates` is a temporal property"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let port = taken.local_addr().expect("it has an address").port();
    cluster(&format!("127.0.0.1:{port}\n127.0.0.1:1\n"), "0", &["cannot listen at", "in use"]);
}

/// A command for each of two processes of a hostfile.
fn two(folder: &Folder, ports: [u16; 2], more: [&str; 2]) -> [Child; 2] {
    let hosts = folder.file("hosts", format!("127.0.0.1:{} # first\n127.0.0.1:{}\n", ports[0], ports[1]));
    [0, 1].map(|process| begin(&check(folder, &format!("--cluster {hosts} --process {process} {}", more[process]))))
}

#[test]
fn two_processes_of_a_hostfile_search_together() {
    let folder = folder("hosts");
    let expected = known(&json(&borrowed(&check(&folder, ""))));
    let [first, second] = two(&folder, [port(), port()], ["--json -", ""]).map(end);
    assert_eq!((first.status.code(), second.status.code()), (Some(0), Some(0)), "{}{}", said(&first), said(&second));
    assert_eq!(expected, known(&serde_json::from_slice(&first.stdout).expect("JSON")));
    assert_eq!(said(&second), "", "only the first one speaks");
}

#[test]
fn who_was_asked_something_else_is_refused() {
    let folder = folder("else");
    let differ = [("--set FAILS=1", "was asked with other options"), ("-K 2", "was asked with other options")];
    for (more, why) in differ {
        let [first, second] = two(&folder, [port(), port()], ["", more]).map(end);
        assert_eq!(
            (first.status.code(), second.status.code()),
            (Some(2), Some(2)),
            "{}{}",
            said(&first),
            said(&second)
        );
        assert!(said(&first).contains(why) && said(&second).contains(why), "{}{}", said(&first), said(&second));
    }
    let other = self::folder("other-text");
    other.file("counters.lac", format!("// another text\n{COUNTERS}"));
    let ports = [port(), port()];
    let hosts = folder.file("hosts", format!("127.0.0.1:{}\n127.0.0.1:{}\n", ports[0], ports[1]));
    let both = [(&folder, 0), (&other, 1)];
    let both = both.map(|(of, process)| begin(&check(of, &format!("--cluster {hosts} --process {process}"))));
    let [first, second] = both.map(end);
    assert_eq!((first.status.code(), second.status.code()), (Some(2), Some(2)), "{}{}", said(&first), said(&second));
    assert!(said(&first).contains("has another text of the protocol"), "{}", said(&first));
}

#[test]
fn strangers_are_sent_away_and_do_not_disturb() {
    use std::io::Write;
    let folder = folder("strangers");
    let ports = [port(), port()];
    let hosts = folder.file("hosts", format!("127.0.0.1:{}\n127.0.0.1:{}\n", ports[0], ports[1]));
    let first = begin(&check(&folder, &format!("--cluster {hosts} --process 0")));
    let mut stranger = wait_for("the first listens", || std::net::TcpStream::connect(("127.0.0.1", ports[0])).ok());
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it is connected");
    drop(std::net::TcpStream::connect(("127.0.0.1", ports[0])).expect("it listens"));
    let second = begin(&check(&folder, &format!("--cluster {hosts} --process 1")));
    let [first, second] = [first, second].map(end);
    assert_eq!((first.status.code(), second.status.code()), (Some(0), Some(0)), "{}{}", said(&first), said(&second));
}
