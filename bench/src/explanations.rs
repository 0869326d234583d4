//! How long explanations take beside the searches that found the violations: every run of the repository that is violated under `sc`.

use crate::bars::{Bars, processor_seconds};
use crate::sections::root;
use explain::{Cause, Explanation, explain};
use lacuna::session::{Protocol, memory_model, open, system};
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::Limits;
use workbench::{Question, RunOptions, Verdict};

/// Where protocols are.
const FOLDERS: [&str; 3] = ["protocols", "litmus", "tests"];

/// Texts that are wrong, or too much, on purpose.
const LEFT_OUT: [&str; 3] = ["tests/limits", "tests/diagnostics", "tests/trust"];

/// A search that takes longer than that, and its explanation, are not waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// An explanation may take so many times as long as its search ..
const TIMES: f64 = 5.0;

/// .. and so many seconds more: below that, no one waits, and nothing can be measured.
const SECONDS: f64 = 0.1;

/// What the explanations name.
#[derive(Default)]
struct Named {
    all: usize,
    preemptions: usize,
    waits: usize,
    lost: usize,
    repeats: usize,
    turns: usize,
    at_once: usize,
    undecided: usize,
}

impl Named {
    fn add(&mut self, found: &Explanation) {
        self.all += 1;
        let is_lost = |sentence: &String| sentence.contains("is not reachable since") || sentence.contains("refers to");
        let kind = match () {
            () if found.cause == Cause::Undecided || !found.undecided.is_empty() => &mut self.undecided,
            () if !found.preemptions.is_empty() => &mut self.preemptions,
            () if found.waits.iter().any(|sentence| !sentence.starts_with(' ')) => &mut self.waits,
            () if found.story.iter().any(is_lost) => &mut self.lost,
            () if found.loop_start.is_some() => &mut self.repeats,
            () if found.n_steps == 0 => &mut self.at_once,
            () => &mut self.turns,
        };
        *kind += 1;
    }
}

/// Every explanation, and the slowest beside its search; with `UNDER`, of the files below that folder alone.
pub(crate) fn times(bars: &mut Bars) {
    let under = std::env::var("UNDER").ok();
    let folders = under.as_deref().map_or(FOLDERS.to_vec(), |folder| vec![folder]);
    let mut named = Named::default();
    let mut slowest: Option<(f64, String)> = None;
    let mut n_skipped = 0;
    for path in folders.iter().flat_map(|folder| protocols(&root().join(folder))) {
        let Ok(protocol) = open(&path) else { continue };
        for (name, measured) in runs(&path, &protocol) {
            let Some((search, explained, explanation)) = measured else {
                n_skipped += 1;
                continue;
            };
            named.add(&explanation);
            let times = explained / (search + SECONDS / TIMES);
            if slowest.as_ref().is_none_or(|(most, _)| times > *most) {
                slowest = Some((times, format!("{name}, {search:.3} s and {explained:.3} s")));
            }
        }
    }
    let Named { all, preemptions, waits, lost, repeats, turns, at_once, undecided } = named;
    println!("explain   {all} runs violated under sc; {n_skipped} were not searched in {} s", PATIENCE.as_secs());
    println!(
        "explain   {preemptions} name preemptions, {waits} waits, {lost} a lost reference, {repeats} what repeats"
    );
    println!("explain   {turns} need no preemption and show the turns, {at_once} no step, {undecided} are not decided");
    if let Some((times, name)) = slowest {
        bars.most(&format!("explain   the slowest beside its search ({name})"), times, TIMES, "times");
    }
}

/// All files below a folder.
fn protocols(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    let below = |path: PathBuf| match path.is_dir() {
        true if LEFT_OUT.iter().any(|left| path.ends_with(left)) => Vec::new(),
        true => protocols(&path),
        false => Some(path).filter(|path| path.extension().is_some_and(|e| e == "lac")).into_iter().collect(),
    };
    paths.into_iter().flat_map(below).collect()
}

/// Processor time of a search and of its explanation, and that.
type Measured = (f64, f64, Explanation);

/// The violated runs of a file: their names, and processor time of the search and of the explanation; none for one that was given up.
fn runs(path: &Path, protocol: &Protocol) -> Vec<(String, Option<Measured>)> {
    let memory = memory_model("sc").expect("built in");
    let mut options = RunOptions::default();
    options.search.limits = Limits { timeout: Some(PATIENCE), ..Limits::default() };
    let mut runs = Vec::new();
    for variant in &protocol.outline.variants {
        for scenario in &protocol.outline.scenarios {
            let Ok(system) = system(protocol, &variant.name, &scenario.name, &[]) else { continue };
            let question = Question::new(&system.automata, &memory, &options);
            let begun = processor_seconds();
            let name = format!("{} {} {}", path.display(), variant.name, scenario.name);
            match question.answer().verdict {
                Verdict::Holds => {}
                Verdict::Inconclusive(_) => runs.push((name, None)),
                Verdict::Violated(trace) => {
                    let searched = processor_seconds();
                    let found = explain(question, &protocol.loaded.sources, &trace);
                    let times = (searched - begun, processor_seconds() - searched, found.explanation);
                    runs.push((name, Some(times)));
                }
            }
        }
    }
    runs
}
