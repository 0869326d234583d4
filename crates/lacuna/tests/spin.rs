//! SPIN as a third opinion: for protocols, litmus tests and the small systems of `tests/`, what SPIN says of each property of the
//! exported model is what `check` says. A sample by default; every variant and scenario with `PROMELA=all`, those that `check` takes by
//! default with `PROMELA=each`; `PROMELA_RECORD=FILE` records them.

use crate::command::root;
use lacuna::parallel;
use lacuna::session::{memory_model, open, system};
use promela::Options;
use promela::spin::{self, Failure, Limits, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What SPIN may spend on one search of the sample, and on one of all.
const SAMPLE: Limits = Limits { seconds: 20, megabytes: 500 };
const ALL: Limits = Limits { seconds: 40, megabytes: 1500 };

/// Systems with more states are left to `check`: those of the sample, and all.
const MAX_STATES: [u64; 2] = [5_000, 200_000];

/// Of the files outside `tests/spin`, one run in so many belongs to the sample.
const SAMPLED: usize = 251;

/// Where models differ from the rules (docs/warts.md).
const KNOWN: [&str; 2] =
    ["tests/trust/label_before_a_violation.lac", "tests/trust/value_that_does_not_fit_is_not_forwarded.lac"];

/// One run to compare.
struct Job {
    file: PathBuf,
    variant: String,
    scenario: String,
    memory: &'static str,
}

/// The result of a comparison.
enum Compared {
    /// So many properties and covers, all with the same verdict; states of SPIN.
    Agree(usize, u64),
    Differ(String),
    Refused(String),
    /// One of the two hit a limit.
    TooLarge,
}

fn lac_files(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        // What is wrong has no model, and what takes too long is compared with nothing.
        if path.is_dir() && !path.ends_with("diagnostics") && !path.ends_with("limits") {
            lac_files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "lac") {
            into.push(path);
        }
    }
}

/// Every file that can be run, in these variants and scenarios, under both memory models.
fn jobs(which: Option<&str>) -> Vec<Job> {
    let mut files = Vec::new();
    for folder in ["litmus", "protocols", "tests"] {
        lac_files(&root().join(folder), &mut files);
    }
    let mut jobs = Vec::new();
    for file in files {
        let Ok(protocol) = open(&file) else { continue };
        let (Ok(variants), Ok(scenarios)) = (protocol.variants(which), protocol.scenarios(which)) else {
            continue;
        };
        for variant in &variants {
            for scenario in &scenarios {
                for memory in ["sc", "tso"] {
                    let (variant, scenario) = (variant.clone(), scenario.clone());
                    jobs.push(Job { file: file.clone(), variant, scenario, memory });
                }
            }
        }
    }
    jobs
}

/// What `check` says: properties and covers with their verdicts in words; none beyond the limit.
fn checked(
    system: &lacuna::session::System,
    memory: &memory::MemoryModel,
    max_states: u64,
) -> Option<Vec<(String, &'static str)>> {
    let mut options = workbench::RunOptions::default();
    options.machine.queue_bound = 4;
    options.search.workers = 1;
    options.search.limits.max_states = Some(max_states);
    options.search.limits.timeout = Some(std::time::Duration::from_secs(20));
    let outcome = workbench::Question::new(&system.automata, memory, &options).answer_every();
    if outcome.word() == "inconclusive" || outcome.findings.iter().any(|finding| finding.word() == "inconclusive") {
        return None;
    }
    // What `check` has not judged, SPIN may judge as it likes.
    let judged_ones = outcome.findings.iter().filter(|finding| finding.word() != "not checked");
    let mut verdicts: Vec<(String, &'static str)> =
        judged_ones.map(|finding| (finding.property.clone(), judged(finding.word()))).collect();
    if outcome.word() == "holds" {
        for cover in system.automata.covers.values() {
            let is_reached = !outcome.uncovered.contains(&cover.name);
            verdicts.push((cover.name.clone(), if is_reached { "reached" } else { "unreached" }));
        }
    }
    Some(verdicts)
}

/// What `check` says beyond SPIN's words: what is not reached or vacuous is not violated.
fn judged(word: &'static str) -> &'static str {
    if matches!(word, "vacuous" | "not reached") { "holds" } else { word }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Reached => "reached",
        Verdict::Unreached => "unreached",
        Verdict::Inconclusive => "inconclusive",
    }
}

fn compare(job: &Job, (limits, max_states): (Limits, u64), number: usize) -> Compared {
    let Ok(protocol) = open(&job.file) else { return Compared::Refused("it has no automata".into()) };
    let Ok(system) = system(&protocol, &job.variant, &job.scenario, &[]) else {
        return Compared::Refused("it has no automata".into());
    };
    let memory = memory_model(job.memory).expect("built in");
    let options = Options { queue_bound: 4, buffer: None, check_deadlock: true };
    if let Err(refusal) = promela::export(&system.automata, &memory, &options, &protocol.loaded.sources, "") {
        return Compared::Refused(refusal.what);
    }
    let Some(checked) = checked(&system, &memory, max_states) else { return Compared::TooLarge };
    let folder = std::env::temp_dir().join(format!("lacuna-spin-{}-{number}", std::process::id()));
    let asked = spin::ask(&system.automata, &memory, &options, limits, &folder);
    let verdicts = match asked {
        Ok(verdicts) => verdicts,
        Err(Failure::Refused(refusal)) => return Compared::Refused(refusal.what),
        Err(Failure::Broken(text)) => return Compared::Differ(format!("SPIN fails: {text}")),
    };
    let _ = std::fs::remove_dir_all(&folder);
    let found: Vec<(&str, Verdict)> =
        verdicts.properties.iter().chain(&verdicts.covers).map(|(name, verdict)| (name.as_str(), *verdict)).collect();
    if found.iter().any(|(_, verdict)| *verdict == Verdict::Inconclusive) {
        return Compared::TooLarge;
    }
    let mut differences = String::new();
    let mut n_compared = 0;
    for (name, expected) in &checked {
        let Some((_, verdict)) = found.iter().find(|(other, _)| other == name) else { continue };
        n_compared += 1;
        if word(*verdict) != *expected {
            let _ = write!(differences, " {name}: check says {expected}, SPIN {};", word(*verdict));
        }
    }
    if differences.is_empty() { Compared::Agree(n_compared, verdicts.states) } else { Compared::Differ(differences) }
}

#[test]
fn spin_agrees_with_check() {
    if !spin::is_here() {
        println!("SKIPPED: SPIN and gcc are not here, so exported models were not run");
        return;
    }
    let asked = std::env::var("PROMELA").unwrap_or_default();
    let is_all = matches!(asked.as_str(), "all" | "each");
    let only = std::env::var("PROMELA_ONLY").unwrap_or_default();
    let mut jobs = jobs((asked != "each").then_some("all"));
    jobs.retain(|job| job.file.to_string_lossy().contains(&only));
    let takes_all = is_all || !only.is_empty();
    let is_taken = |(number, job): &(usize, Job)| {
        takes_all || number % SAMPLED == 0 || job.file.parent().is_some_and(|folder| folder.ends_with("tests/spin"))
    };
    let jobs: Vec<(usize, Job)> = jobs.into_iter().enumerate().filter(is_taken).collect();
    let limits = if is_all { (ALL, MAX_STATES[1]) } else { (SAMPLE, MAX_STATES[0]) };
    let lines = parallel::map(&jobs, |(number, job)| {
        let file = job.file.strip_prefix(root()).unwrap_or(&job.file).display().to_string();
        let name = format!("{file} {} {} {}", job.variant, job.scenario, job.memory);
        let compared = compare(job, limits, *number);
        match &compared {
            Compared::Agree(n, states) => println!("{name}: {n} agree, {states} states"),
            Compared::Differ(how) => println!("{name}: DIFFER:{how}"),
            Compared::Refused(why) => println!("{name}: refused: {why}"),
            Compared::TooLarge => println!("{name}: too large"),
        }
        (name, compared)
    });
    let mut record = String::new();
    for (name, compared) in &lines {
        let _ = match compared {
            Compared::Agree(n, states) => writeln!(record, "{name}: {n} agree, {states} states"),
            Compared::Differ(how) => writeln!(record, "{name}: DIFFER:{how}"),
            Compared::Refused(why) => writeln!(record, "{name}: refused: {why}"),
            Compared::TooLarge => writeln!(record, "{name}: too large"),
        };
    }
    if let Ok(file) = std::env::var("PROMELA_RECORD") {
        std::fs::write(file, &record).expect("the record can be written");
    }
    let is_known = |line: &&str| KNOWN.iter().any(|file| line.starts_with(file));
    let differ: Vec<&str> =
        record.lines().filter(|line| line.contains(": DIFFER:")).filter(|line| !is_known(line)).collect();
    assert!(differ.is_empty(), "{} of {} differ:\n{}", differ.len(), lines.len(), differ.join("\n"));
    let n_agree = lines.iter().filter(|(_, compared)| matches!(compared, Compared::Agree(..))).count();
    assert!(n_agree > 0, "nothing was compared");
}
