//! Protocols that fail under weak memory are repaired: the patch applies, and the repaired files hold.
//!
//! The usual run takes a few of them; `REPAIR=all` takes every failing cell of the copying study, and every mutant.

use crate::mutant_files::{Mutant, mutants, root};
use crate::ordering::ask;
use lacuna::parallel;
use lacuna::session::{Disk, Protocol, open};
use memory::MemoryModel;
use program::{Expected, ExpectedOf, Loaded, Settings};
use repair::{Answer, Only, Solution, UnderSc, problem, repair};
use std::path::{Path, PathBuf};
use std::process::Command;
use workbench::{RunOptions, System, Verdict};

/// The cells of the usual run: file, variant, memory model.
const CELLS: [(&str, &str, &str); 7] = [
    ("stopless/stopless.lac", "original", "pso-no"),
    ("stopless/stopless.lac", "original", "rmo-no"),
    ("staccato/staccato.lac", "original", "rmo-no"),
    ("clover/clover.lac", "fix_alpha_2", "rmo-no"),
    ("chicken/chicken.lac", "original", "pso-full"),
    ("sapphire/sapphire_x86.lac", "original", "pso-full"),
    ("sapphire/sapphire_x86.lac", "no_fence", "tso"),
];

/// The mutants of the usual run.
const MUTANTS: [&str; 3] =
    ["clover/no_data_fence.mutant", "schism/acquire_fence.mutant", "sapphire/x86_release_fence.mutant"];

/// The memory models of the study.
const MEMORIES: [&str; 5] = ["tso", "pso-full", "pso-no", "rmo-full", "rmo-no"];

fn is_full() -> bool {
    std::env::var("REPAIR").is_ok_and(|value| value == "all")
}

fn memory(name: &str) -> MemoryModel {
    memory::builtin::find(name).expect("built in")
}

fn copying(file: &str) -> PathBuf {
    root().join("protocols/copying").join(file)
}

fn load(file: &str) -> Loaded {
    program::load(&Disk, &copying(file))
}

/// Repairs a protocol with default costs.
fn answer(loaded: &Loaded, variant: &str, memory: &MemoryModel, only: &[Only], n: usize) -> Answer {
    ask(loaded, variant, memory, |question, _| repair(&mut problem(question), only, n))
}

fn solutions(loaded: &Loaded, variant: &str, memory: &MemoryModel, only: &[Only], n: usize) -> Vec<Solution> {
    match answer(loaded, variant, memory, only, n) {
        Answer::Repaired(solutions, _) => solutions,
        other => panic!("{variant} under {}: {other:?}", memory.name),
    }
}

/// The verdicts of all scenarios of a file on the disk.
fn holds(path: &Path, variant: &str, memory: &MemoryModel) -> bool {
    let loaded = program::load(&Disk, path);
    program::outline(&loaded).scenarios.iter().all(|scenario| {
        let settings =
            Settings { variant: Some(variant.into()), scenario: Some(scenario.name.clone()), set: Vec::new() };
        let system = System::of(&loaded, &settings).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", path.display()));
        let outcome = workbench::Question::new(&system.automata, memory, &RunOptions::default()).answer();
        outcome.verdict == Verdict::Holds && !outcome.is_vacuous()
    })
}

/// A folder that goes away at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lacuna-repair-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        Folder(folder.canonicalize().expect("just made"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Copies a program's files into `folder`, each with the path it has from the root.
fn copy(loaded: &Loaded, folder: &Path) -> PathBuf {
    for (_, source) in loaded.sources.iter() {
        let path = folder.join(source.name.trim_start_matches('/'));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, &source.text).expect("writable");
    }
    let root = loaded.sources.get(loaded.root).expect("the file asked for");
    folder.join(root.name.trim_start_matches('/'))
}

/// Applies a solution's patch to copies of the files with `git apply`, and checks them.
fn apply_and_check(name: &str, loaded: &Loaded, variant: &str, memory: &MemoryModel, solution: &Solution) {
    let folder = Folder::new(name);
    let path = copy(loaded, &folder.0);
    assert!(!holds(&path, variant, memory), "{name}: it fails before the patch");
    let patch = folder.0.join("repair.patch");
    std::fs::write(&patch, solution.patched.diff()).expect("writable");
    let applied = Command::new("git").args(["apply", "-p1"]).arg(&patch).current_dir(&folder.0).output().expect("git");
    assert!(applied.status.success(), "{name}: {}", String::from_utf8_lossy(&applied.stderr));
    assert!(holds(&path, variant, memory), "{name}: it holds with the patch\n{}", solution.patched.diff());
    let text = std::fs::read_to_string(&path).expect("readable");
    assert_eq!(syntax::format(&text).as_deref(), Ok(text.as_str()), "{name}: the layout stays");
}

/// Whether a file expects all scenarios of a variant to hold.
fn is_expected_to_hold(protocol: &Protocol, variant: &str, memory: &str) -> bool {
    let scenarios = &protocol.outline.scenarios;
    let holds = |scenario: &str| {
        let run = ExpectedOf { variant, scenario, memory, given: &[], values: &[] };
        protocol.outline.expected(run) == Ok(Some(Expected::Holds))
    };
    scenarios.iter().all(|s| holds(&s.name))
}

/// The mutants of the copying study: what is missing there are orders.
fn copying_mutants() -> Vec<Mutant> {
    mutants().into_iter().filter(|mutant| mutant.protocol.starts_with(root().join("protocols/copying"))).collect()
}

/// Every failing cell of the study: file, variant, memory model.
fn failing_cells() -> Vec<(String, String, String)> {
    let mut cells = Vec::new();
    for file in
        copying_mutants().iter().map(|mutant| mutant.protocol.clone()).collect::<std::collections::BTreeSet<_>>()
    {
        let protocol = open(&file).expect("readable");
        for variant in &protocol.outline.variants {
            for memory in MEMORIES {
                if !is_expected_to_hold(&protocol, &variant.name, memory) {
                    let file = file.strip_prefix(root().join("protocols/copying")).expect("inside");
                    cells.push((file.display().to_string(), variant.name.clone(), memory.to_string()));
                }
            }
        }
    }
    cells
}

#[test]
fn failing_cells_are_repaired_unless_they_fail_under_sc() {
    let quick =
        || CELLS.map(|(file, variant, memory)| (file.to_string(), variant.to_string(), memory.to_string())).to_vec();
    let cells = if is_full() { failing_cells() } else { quick() };
    assert!(cells.len() >= CELLS.len());
    parallel::map(&cells, |(file, variant, name)| {
        let (loaded, memory) = (load(file), memory(name));
        let label = format!("{}-{variant}-{name}", file.replace('/', "-"));
        match answer(&loaded, variant, &memory, &[], 1) {
            Answer::Repaired(solutions, _) => apply_and_check(&label, &loaded, variant, &memory, &solutions[0]),
            Answer::Hopeless(_, UnderSc::Violated(..)) => {
                assert!(!holds(&copying(file), variant, &self::memory("sc")), "{label}");
            }
            other => panic!("{label}: {other:?}"),
        }
    });
}

/// Repairs a mutant under every memory model where its file says that it fails.
fn repair_mutant(mutant: &Mutant) {
    let loaded = crate::mutant_files::load(mutant);
    let variant = mutant.variant.clone().unwrap_or("original".into());
    let folder = Folder::new(&format!("sc-{}", mutant.name.replace('/', "-")));
    let fails_under_sc = !holds(&copy(&loaded, &folder.0), &variant, &memory("sc"));
    let failing = mutant.expectations.iter().filter(|e| e.verdict == "violated").map(|e| e.memory.as_str());
    for name in failing.collect::<std::collections::BTreeSet<_>>() {
        let label = format!("{}-{name}", mutant.name.replace('/', "-"));
        match answer(&loaded, &variant, &memory(name), &[], 1) {
            Answer::Repaired(solutions, _) => {
                assert!(!fails_under_sc, "{label}");
                apply_unformatted(&label, &loaded, &variant, &memory(name), &solutions[0]);
            }
            Answer::Hopeless(_, UnderSc::Violated(..)) => assert!(fails_under_sc, "{label}"),
            other => panic!("{label}: {other:?}"),
        }
    }
}

/// As `apply_and_check`, for texts that are in no layout: mutants are not.
fn apply_unformatted(name: &str, loaded: &Loaded, variant: &str, memory: &MemoryModel, solution: &Solution) {
    let folder = Folder::new(name);
    let path = copy(loaded, &folder.0);
    let patch = folder.0.join("repair.patch");
    std::fs::write(&patch, solution.patched.diff()).expect("writable");
    let applied = Command::new("git").args(["apply", "-p1"]).arg(&patch).current_dir(&folder.0).output().expect("git");
    assert!(applied.status.success(), "{name}: {}", String::from_utf8_lossy(&applied.stderr));
    assert!(holds(&path, variant, memory), "{name}\n{}", solution.patched.diff());
}

#[test]
fn mutants_that_an_order_can_repair_are_repaired() {
    let chosen: Vec<Mutant> =
        copying_mutants().into_iter().filter(|mutant| is_full() || MUTANTS.contains(&mutant.name.as_str())).collect();
    assert!(chosen.len() >= MUTANTS.len());
    parallel::map(&chosen, repair_mutant);
}

#[test]
fn one_fence_is_enough_for_stopless() {
    let loaded = load("stopless/stopless.lac");
    for name in ["pso-no", "rmo-no"] {
        let found = solutions(&loaded, "original", &memory(name), &[Only::Fences], 1);
        assert_eq!(found[0].needs.len(), 1, "{name}");
        assert!(found[0].patched.diff().contains("+variant original \"Stopless\" { data_fence = full }"), "{name}");
    }
}

#[test]
fn staccato_gets_its_release_fence_in_the_yieldpoint_and_clover_its_fence_before_the_cas() {
    let staccato = solutions(&load("staccato/staccato.lac"), "original", &memory("rmo-no"), &[Only::Fences], 1);
    assert!(staccato[0].patched.diff().contains("+variant original \"Staccato\" { answer_fence = release }"));
    let clover = solutions(&load("clover/clover.lac"), "fix_alpha_2", &memory("rmo-no"), &[Only::Fences], 1);
    assert!(clover[0].patched.diff().contains("alpha_field = passed_over; data_fence = full }"));
}

#[test]
fn places_can_be_restricted_to_the_collector() {
    let collector = [Only::Thread("collector".into())];
    let stopless = solutions(&load("stopless/stopless.lac"), "original", &memory("rmo-no"), &collector, 3);
    assert!(stopless.len() == 2, "the order of the CAS, or the fence before it");
    let x86 = answer(&load("sapphire/sapphire_x86.lac"), "original", &memory("rmo-no"), &collector, 1);
    assert!(
        matches!(x86, Answer::Hopeless(Some(_), UnderSc::Holds)),
        "the mutator's two writes need an order: {x86:?}"
    );
}

#[test]
fn what_fails_under_sequential_consistency_no_order_repairs() {
    let clover = answer(&load("clover/clover.lac"), "alpha_0", &memory("rmo-no"), &[], 1);
    let Answer::Hopeless(_, UnderSc::Violated(scenario, property)) = clover else { panic!("{clover:?}") };
    assert_eq!((scenario.as_str(), property.as_str()), ("WR", "lost_update"));
}

#[test]
fn what_holds_needs_no_repair() {
    assert!(matches!(answer(&load("schism/schism.lac"), "original", &memory("rmo-no"), &[], 1), Answer::Holds));
}

#[test]
fn solutions_come_by_cost_and_none_covers_another() {
    let found = solutions(&load("chicken/chicken.lac"), "original", &memory("pso-full"), &[], 4);
    assert_eq!(found.len(), 4);
    assert!(found.windows(2).all(|pair| pair[0].cost <= pair[1].cost));
    let patches: std::collections::BTreeSet<String> = found.iter().map(|solution| solution.patched.diff()).collect();
    assert_eq!(patches.len(), 4);
}
