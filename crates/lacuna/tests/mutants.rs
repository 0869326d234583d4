//! Every mutant of a protocol is caught: one fence, order, handshake or CAS taken away gives the
//! violation that its file names.

use lacuna::SwitchArgs;
use lacuna::session::{Scope, memories};
use program::{Loaded, Settings, World};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use workbench::{RunOptions, quiet, run};

/// A `.mutant` file.
#[derive(Debug)]
struct Mutant {
    name: String,
    /// The file that is changed, and the one that is checked.
    protocol: PathBuf,
    checked: PathBuf,
    variant: Option<String>,
    set: Vec<String>,
    /// The lines taken away, trimmed, and those put in their place.
    before: Vec<String>,
    after: Vec<String>,
    expectations: Vec<Expectation>,
}

/// `expect MEMORY SCENARIO holds`, or `violated`, or `violated by PROPERTY`.
#[derive(Debug)]
struct Expectation {
    memory: String,
    scenario: String,
    verdict: String,
    property: Option<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads a mutant of a protocol below `root`.
fn read(root: &Path, path: &Path) -> Mutant {
    let text = std::fs::read_to_string(path).expect("readable");
    let name = path.strip_prefix(root.join("tests/mutants")).expect("inside").display().to_string();
    let mut mutant = Mutant {
        name,
        protocol: PathBuf::new(),
        checked: PathBuf::new(),
        variant: None,
        set: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        expectations: Vec::new(),
    };
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "protocol" => {
                mutant.protocol = root.join(rest);
                mutant.checked = root.join(rest);
            }
            "checked" => mutant.checked = root.join(rest),
            "variant" => mutant.variant = Some(rest.into()),
            "set" => mutant.set.push(rest.into()),
            "-" => mutant.before.push(rest.into()),
            "+" => mutant.after.push(rest.into()),
            "expect" => mutant.expectations.push(expectation(rest)),
            _ => panic!("{}: what is `{line}`?", mutant.name),
        }
    }
    mutant
}

fn expectation(text: &str) -> Expectation {
    let words: Vec<&str> = text.split_whitespace().collect();
    let property = match words[3..] {
        [] => None,
        ["by", property] => Some(property.to_string()),
        _ => panic!("what is `expect {text}`?"),
    };
    Expectation { memory: words[0].into(), scenario: words[1].into(), verdict: words[2].into(), property }
}

/// The disk, with one file changed.
struct Changed<'a>(&'a Path, String);

impl World for Changed<'_> {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        if path.file_name() == self.0.file_name() { Ok(self.1.clone()) } else { std::fs::read_to_string(path) }
    }
}

/// The protocol's text with the mutant's lines replaced; they must stand there exactly once.
fn mutated(mutant: &Mutant) -> String {
    let text = std::fs::read_to_string(&mutant.protocol).expect("the protocol is here");
    let lines: Vec<&str> = text.lines().collect();
    let n = mutant.before.len();
    let is_there = |at: &usize| lines[*at..*at + n].iter().zip(&mutant.before).all(|(line, b)| line.trim() == b);
    let places: Vec<usize> = (0..=lines.len() - n).filter(is_there).collect();
    assert_eq!(places.len(), 1, "{}: the lines to be replaced stand at {places:?}", mutant.name);
    let (head, tail) = (&lines[..places[0]], &lines[places[0] + n..]);
    let middle: Vec<&str> = mutant.after.iter().map(String::as_str).collect();
    [head, &middle, tail].concat().join("\n")
}

fn load(mutant: &Mutant) -> Loaded {
    let loaded = program::load(&Changed(&mutant.protocol, mutated(mutant)), &mutant.checked);
    assert!(loaded.diagnostics.is_empty(), "{}: {:?}", mutant.name, loaded.diagnostics);
    loaded
}

/// What is not as the mutant's file says.
fn judge(mutant: &Mutant) -> Vec<String> {
    let loaded = load(mutant);
    let scope = Scope::new(&mutant.set, None, &SwitchArgs::default()).expect("settings");
    let mut wrong = Vec::new();
    for expectation in &mutant.expectations {
        let settings = Settings {
            variant: mutant.variant.clone(),
            scenario: Some(expectation.scenario.clone()),
            set: scope.set.clone(),
        };
        let (program, diagnostics) = program::check(&loaded, &settings);
        let Some(program) = program else { panic!("{}: {diagnostics:?}", mutant.name) };
        let automata = lower::lower(&program);
        let memory = &memories(std::slice::from_ref(&expectation.memory), &scope.switches).expect("built in")[0];
        let mut options = RunOptions::default();
        options.machine.queue_bound = scope.queue_bound;
        let outcome = run(&automata, memory, &options, &quiet());
        let is_right = outcome.word() == expectation.verdict
            && (expectation.property.is_none() || expectation.property == outcome.property);
        if !is_right {
            let (word, property) = (outcome.word(), &outcome.property);
            wrong.push(format!("{}: {word} {property:?}, but {expectation:?}", mutant.name));
        }
    }
    wrong
}

fn mutants() -> Vec<Mutant> {
    let folders = std::fs::read_dir(root().join("tests/mutants")).expect("the mutants are here");
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.expect("readable").path()).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    files.sort();
    files.iter().map(|path| read(&root(), path)).collect()
}

#[test]
fn every_mutant_is_caught() {
    let wrong: Vec<String> = mutants().iter().flat_map(judge).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_protocol_has_three_mutants_and_each_names_its_violation() {
    let mut count: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for mutant in mutants() {
        let named = |e: &&Expectation| e.verdict == "violated" && e.property.is_some();
        assert!(mutant.expectations.iter().any(|e| named(&e)), "{} names no violation", mutant.name);
        let folder = mutant.protocol.parent().expect("a folder").to_path_buf();
        *count.entry(folder).or_default() += 1;
    }
    let protocols = std::fs::read_dir(root().join("protocols/copying")).expect("readable");
    for folder in protocols.map(|entry| entry.expect("readable").path()).filter(|path| path.is_dir()) {
        let n = count.get(&folder).copied().unwrap_or(0);
        assert!(n >= 3, "{} has {n} mutants", folder.display());
    }
}

/// The file that a page of the book titles so.
fn titled(page: &str, title: &str) -> String {
    let after = page.split_once(&format!("title={title}\n")).unwrap_or_else(|| panic!("{title} is not there")).1;
    after.split_once("```").expect("the block ends").0.to_string()
}

#[test]
fn the_mutant_of_the_recipe_is_caught() {
    let page = std::fs::read_to_string(root().join("docs/book/src/add-a-protocol.md")).expect("the recipe is here");
    let folder = std::env::temp_dir().join(format!("lacuna-recipe-{}", std::process::id()));
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, text).expect("writable");
        path
    };
    let framework = "protocols/copying/copying.lac";
    put(framework, &std::fs::read_to_string(root().join(framework)).expect("the framework is here"));
    let protocol = "protocols/copying/naive/naive.lac";
    put(protocol, &titled(&page, protocol));
    let mutant = "tests/mutants/naive/concurrent_copy.mutant";
    let path = put(mutant, &titled(&page, mutant));
    let wrong = judge(&read(&folder, &path));
    std::fs::remove_dir_all(&folder).expect("it was made above");
    assert_eq!(wrong, Vec::<String>::new());
}
