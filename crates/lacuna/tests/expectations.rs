//! Every protocol's verdicts are those that its file expects, and no pass is vacuous.

use crate::command::is_full;
use lacuna::parallel;
use lacuna::session::{Protocol, Scope, Switches, expected, memories, open, system};
use program::{Expectation, Expected};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use system::Limit;
use workbench::{Answer, Question, RunOptions, Verdict};

/// The protocols: every file of a protocol's folder that says what to expect.
fn protocols() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).expect("the protocols are here");
        entries.map(|entry| entry.expect("readable").path()).collect::<Vec<_>>()
    };
    let studies = entries(root).into_iter().filter(|path| path.is_dir()).flat_map(entries);
    let mut files: Vec<PathBuf> = studies.filter(|path| path.is_dir()).flat_map(entries).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "lac"));
    files.retain(|path| std::fs::read_to_string(path).expect("readable").contains("expect "));
    files.sort();
    files
}

/// The parameters that a file expects something for, each choice of them once.
fn settings(protocol: &Protocol) -> BTreeSet<Vec<String>> {
    let set = |expectation: &Expectation| {
        let mut set: Vec<String> = expectation.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        set.sort();
        set
    };
    protocol.outline.expectations.iter().map(set).collect()
}

/// Above how many states a search is left out, and one variant in how many is run: `./test --full` runs all, to the end.
fn extent() -> (Option<u64>, usize) {
    if is_full() { (None, 1) } else { (Some(20_000), 3) }
}

/// What is not as expected, how many runs are, and how many were too long.
#[derive(Default)]
struct Judged {
    wrong: Vec<String>,
    n_right: usize,
    n_long: usize,
}

/// All runs of a variant for which something is expected with these parameters.
fn judge(path: &Path, protocol: &Protocol, (set, variant): (&[String], &str)) -> Judged {
    let scope = Scope::new(set, None, Switches::default()).expect("settings");
    let mut judged = Judged::default();
    for scenario in protocol.outline.scenarios.iter().map(|s| &s.name) {
        let system = system(protocol, variant, scenario, &scope.set).expect("checked");
        for memory in memories(&["all".into(), "relaxed-cas".into()], &scope.switches).expect("built in") {
            let expected = expected(protocol, &scope, &system, &memory).expect("no contradiction");
            let Some(expected) = expected else { continue };
            let mut options = RunOptions::default();
            options.machine.queue_bound = scope.queue_bound;
            options.machine.buffer = scope.switches.buffer;
            options.search.limits.max_states = extent().0;
            let outcome = Question::new(&system.automata, &memory, &options).answer();
            if matches!(outcome.verdict, Verdict::Inconclusive(Limit::States)) {
                judged.n_long += 1;
            } else if is_expected(&expected, &outcome) {
                judged.n_right += 1;
            } else {
                let (word, name) = (outcome.word(), path.file_stem().expect("a name").display());
                let (property, uncovered) = (&outcome.property, &outcome.uncovered);
                judged.wrong.push(format!(
                    "{name} {variant} {scenario} {} {set:?}: {word} {property:?} {uncovered:?}, expected {expected:?}",
                    memory.name
                ));
            }
        }
    }
    judged
}

fn is_expected(expected: &Expected, outcome: &Answer) -> bool {
    match (expected, &outcome.verdict) {
        (Expected::Holds, Verdict::Holds) => !outcome.is_vacuous(),
        (Expected::Violated { property }, Verdict::Violated(_)) => property.is_none() || *property == outcome.property,
        _ => false,
    }
}

#[test]
fn every_verdict_is_as_the_file_expects_and_none_is_vacuous() {
    let protocols: Vec<(PathBuf, Protocol)> =
        protocols().into_iter().map(|path| (path.clone(), open(&path).expect("loads"))).collect();
    assert!(protocols.len() >= 26, "{} protocols", protocols.len());
    let mut jobs: Vec<(&PathBuf, &Protocol, Vec<String>, &str)> = Vec::new();
    for (path, protocol) in &protocols {
        for set in settings(protocol) {
            let variants = protocol.outline.variants.iter().map(|variant| variant.name.as_str());
            jobs.extend(variants.map(|variant| (path, protocol, set.clone(), variant)));
        }
    }
    let jobs: Vec<_> = jobs.into_iter().step_by(extent().1).collect();
    let judged = parallel::map(&jobs, |(path, protocol, set, variant)| judge(path, protocol, (set, variant)));
    let wrong: Vec<&str> = judged.iter().flat_map(|judged| &judged.wrong).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} verdicts differ:\n{}", wrong.len(), wrong.join("\n"));
    let n_right: usize = judged.iter().map(|judged| judged.n_right).sum();
    let n_long: usize = judged.iter().map(|judged| judged.n_long).sum();
    println!("{n_right} runs are as expected; {n_long} are long and left for ./test --full");
    assert!(n_right * extent().1 >= 1_500 && n_right > 5 * n_long, "{n_right} and {n_long}");
}
