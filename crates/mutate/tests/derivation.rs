//! Mutants of small texts and of all protocols, derived and not run.

use mutate::{Kind, Mutant, derive};
use patch::Patched;
use program::{Loaded, World};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// One text, in a file of this name.
struct Text(&'static str);

impl World for Text {
    fn read(&self, path: &Path) -> io::Result<String> {
        if path == Path::new("small.lac") { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<String> {
        std::fs::read_to_string(path)
    }
}

fn small(text: &'static str) -> (Loaded, Vec<Mutant>) {
    let loaded = program::load(&Text(text), Path::new("small.lac"));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let mutants = derive(&loaded, &[("kind".into(), "release".into())]);
    (loaded, mutants)
}

/// The names of the mutants of one kind or group.
fn names(text: &'static str, word: &str) -> Vec<String> {
    let of_kind = |mutant: &Mutant| mutant.kind.is_called(word).then(|| mutant.name.clone());
    small(text).1.iter().filter_map(of_kind).collect()
}

/// The lines that the first mutant of a kind takes away and puts in.
fn change(text: &'static str, kind: &str) -> Vec<String> {
    let (loaded, mutants) = small(text);
    let mutant = mutants.iter().find(|mutant| mutant.kind.name() == kind).expect("there is one");
    let diff = Patched::new(&loaded, &mutant.edits).diff();
    let is_change = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-')) && !line.starts_with("+++") && !line.starts_with("---")
    };
    diff.lines().filter(is_change).map(String::from).collect()
}

#[test]
fn statements_are_taken_away_with_their_lines_and_labels_stay() {
    const TEXT: &str =
        "cell x: 0..1 = 0\nthread P {\n    fence full  // why\n    @here x = 1\n    if x == 1 { x = 0 }\n}\n";
    assert_eq!(change(TEXT, "drop-fence"), ["-    fence full  // why"]);
    assert_eq!(change(TEXT, "drop-store"), ["-    @here x = 1", "+    @here skip"]);
    assert_eq!(
        names(TEXT, "drop"),
        [
            "drop-fence P small.lac:3 fence full",
            "drop-store P small.lac:4 @here x = 1",
            "drop-store P small.lac:5 x = 0"
        ]
    );
}

#[test]
fn properties_ghosts_and_scenarios_are_left_alone() {
    const TEXT: &str = "cell x: bool = false\nghost g: bool = false\nproc note() { g = true }\nproc look() {\n    let v = x\n    \
                        assert seen: v\n}\nproc act() { x = true }\nscenario S {\n    thread P {\n        act()\n        note()\n        look()\n        x = false\n    }\n}\n\
                        invariant fine: x or not g\n";
    assert_eq!(
        names(TEXT, "drop").into_iter().chain(names(TEXT, "constant")).collect::<Vec<_>>(),
        ["drop-store act small.lac:8 x = true", "constant-negated act small.lac:8 x = true: true -> false"]
    );
    assert!(names(TEXT, "condition").is_empty() && names(TEXT, "swap").is_empty());
}

#[test]
fn fences_and_orders_become_weaker_and_flags_have_their_values() {
    const TEXT: &str = "flag kind: full | release = full\ncell x: 0..1 = 0\nthread P {\n    fence full\n    fence kind\n    \
                        x.store(1, release)\n    let r = x.load(seq_cst)\n}\n";
    assert_eq!(
        names(TEXT, "weaken"),
        [
            "weaken-fence P small.lac:4 fence full: full -> release",
            "weaken-fence P small.lac:4 fence full: full -> acquire",
            "weaken-fence P small.lac:4 fence full: full -> store_store",
            "weaken-fence P small.lac:5 fence kind: release -> store_store",
            "weaken-order P small.lac:6 x.store(1, release): release -> relaxed",
            "weaken-order P small.lac:7 x.load(seq_cst): seq_cst -> acquire",
            "weaken-order P small.lac:7 x.load(seq_cst): seq_cst -> relaxed",
        ]
    );
}

#[test]
fn an_operation_is_taken_apart_where_it_stands() {
    const IF: &str = "cell x: 0..1 = 0\nthread P {\n    if x.cas(0 -> 1) { x = 0 }\n}\n";
    assert_eq!(
        change(IF, "drop-atomicity"),
        [
            "-    if x.cas(0 -> 1) { x = 0 }",
            "+    let seen = x == 0",
            "+    if seen { x = 1 }",
            "+    if seen { x = 0 }"
        ]
    );
    const WHILE: &str = "cell x: 0..1 = 0\nthread P {\n    while x.swap(1) == 1 {\n        skip\n    }\n}\n";
    let (loaded, mutants) = small(WHILE);
    let mutant = mutants.iter().find(|mutant| mutant.kind == Kind::DropAtomicity).expect("there is one");
    let changed = Patched::new(&loaded, &mutant.edits).load();
    assert!(changed.diagnostics.is_empty(), "{:?}", changed.diagnostics);
    assert!(program::check(&changed, &program::Settings::default()).0.is_some());
    const RIGHT: &str = "cell x: 0..1 = 0\nthread P {\n    let r = true\n    if r or x.cas(0 -> 1) { x = 0 }\n}\n";
    assert!(names(RIGHT, "drop-atomicity").is_empty(), "it may not be executed");
}

#[test]
fn conditions_are_forced_and_what_they_do_is_done() {
    const TEXT: &str = "flag on: yes | no = yes\ncell x: 0..1 = 0\nthread P {\n    if on == yes { x = 1 }\n    \
                        if x == 0 or x == 1 { skip; x = 1 }\n    if x.cas(0 -> 1) { x = 0 }\n}\n";
    assert_eq!(
        names(TEXT, "condition").iter().filter(|name| name.contains(":5")).count(),
        4,
        "always, never, negated, and"
    );
    assert!(!names(TEXT, "condition").iter().any(|name| name.contains(":4")), "a flag is a variant's business");
    let (loaded, mutants) = small(TEXT);
    let of_cas = |mutant: &&Mutant| mutant.kind == Kind::ConditionNever && mutant.name.contains("cas");
    let mutant = mutants.iter().find(of_cas).expect("there is one");
    assert!(Patched::new(&loaded, &mutant.edits).diff().contains("+    if x.cas(0 -> 1) and false {"));
}

#[test]
fn constants_become_others_of_their_kind() {
    const TEXT: &str = "enum Colour { White, Grey, Black }\nobject Node { colour: Colour = White, flip: bool = false }\n\
                        heap { a: Node; b: Node }\ncell root: Node = a\ncell sense: bool = false\nthread P {\n    root = b\n    a.colour = Grey\n    \
                        a.flip = sense\n    sense = not sense\n}\n";
    assert_eq!(
        names(TEXT, "constant"),
        [
            "constant-value P small.lac:7 root = b: b -> a",
            "constant-value P small.lac:8 a.colour = Grey: Grey -> White",
            "constant-value P small.lac:8 a.colour = Grey: Grey -> Black",
            "constant-negated P small.lac:9 a.flip = sense: sense -> not sense",
            "constant-negated P small.lac:10 sense = not sense: not sense -> sense",
        ]
    );
}

#[test]
fn neighbours_change_places_unless_that_changes_nothing() {
    const TEXT: &str =
        "cell x: 0..1 = 0\nthread P {\n    let a = 0\n    let b = 1\n    x = a\n    fence full\n    x = b\n}\n";
    assert_eq!(
        names(TEXT, "swap"),
        [
            "swap P small.lac:4 let b = 1 <-> x = a",
            "swap P small.lac:5 x = a <-> fence full",
            "swap P small.lac:6 fence full <-> x = b",
        ]
    );
}

fn protocols(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path()) {
        if path.is_dir() {
            protocols(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "lac") {
            found.push(path);
        }
    }
}

/// One mutant in so many is read again; `./test --full` reads all.
fn one_in() -> usize {
    if std::env::var_os("LACUNA_FULL").is_some() { 1 } else { 4 }
}

#[test]
fn every_mutant_of_every_protocol_can_be_read_and_differs() {
    let mut files = Vec::new();
    protocols(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols"), &mut files);
    let mut n_mutants = 0;
    for file in &files {
        let loaded = program::load(&Disk, file);
        if loaded.diagnostics.iter().any(base::Diagnostic::is_error) {
            continue;
        }
        let mutants = derive(&loaded, &[]);
        assert_eq!(mutants, derive(&loaded, &[]), "{}", file.display());
        let names: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), mutants.len(), "{}", file.display());
        for mutant in mutants.iter().step_by(one_in()) {
            let patched = Patched::new(&loaded, &mutant.edits);
            assert_eq!(patched.changed().len(), 1, "{}", mutant.name);
            let diagnostics = patched.load().diagnostics;
            assert!(!diagnostics.iter().any(base::Diagnostic::is_error), "{}: {diagnostics:?}", mutant.name);
        }
        n_mutants += mutants.len();
    }
    assert!(n_mutants > 1000, "{n_mutants}");
}
