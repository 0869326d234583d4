//! How long explanations take beside the searches that found the violations: every run of the repository that is violated under `sc`.

use crate::bars::{Bars, processor_seconds};
use crate::sections::root;
use explain::{Cause, Explanation, Named, explain_found};
use lacuna::session::{Protocol, memory_model, open, system, texts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::Limits;
use workbench::{Question, RunOptions, Verdict};

/// Where protocols are.
const FOLDERS: [&str; 3] = ["protocols", "litmus", "tests"];

/// Texts that are wrong, or too much, on purpose.
const LEFT_OUT: [&str; 3] = ["tests/limits", "tests/diagnostics", "tests/trust"];

/// A search that takes longer than that, and its explanation, are not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// An explanation may take so many times as long as its search ..
const TIMES: f64 = 5.0;

/// .. and so many seconds more. A search of a few states takes less time than it takes to write a page about them.
const SECONDS: f64 = 0.0005;

/// How many explanations there are, by what each names first, and how many leave something undecided.
#[derive(Default)]
struct Counts {
    all: usize,
    undecided: usize,
    by_name: BTreeMap<Named, usize>,
    nothing: usize,
}

impl Counts {
    /// Counts an explanation; whether it leaves something undecided.
    fn add(&mut self, found: &Explanation) -> bool {
        let is_undecided = found.cause == Cause::Undecided || !found.undecided.is_empty();
        self.all += 1;
        self.undecided += usize::from(is_undecided);
        match found.names.iter().min() {
            Some(first) => *self.by_name.entry(*first).or_default() += 1,
            None => self.nothing += 1,
        }
        is_undecided
    }
}

/// Every explanation, and the slowest beside its search; with `UNDER`, of the files below that folder alone.
pub(crate) fn times(bars: &mut Bars) {
    let under = std::env::var("UNDER").ok();
    let folders = under.as_deref().map_or(FOLDERS.to_vec(), |folder| vec![folder]);
    let mut counts = Counts::default();
    let mut slowest: Option<(f64, String)> = None;
    let mut n_longer = 0;
    let mut n_skipped = 0;
    for path in folders.iter().flat_map(|folder| protocols(&root().join(folder))) {
        let Ok(protocol) = open(&path) else { continue };
        for (name, measured) in runs(&path, &protocol) {
            let Some((search, explained, explanation)) = measured else {
                n_skipped += 1;
                continue;
            };
            if counts.add(&explanation) {
                println!("explain   undecided: {name}, {search:.3} s and {explained:.3} s");
            }
            let times = explained / (search + SECONDS / TIMES);
            if explained > TIMES * search {
                n_longer += 1;
                println!("explain   longer: {name}, {search:.4} s and {explained:.4} s");
            }
            if slowest.as_ref().is_none_or(|(most, _)| times > *most) {
                slowest = Some((times, format!("{name}, {search:.4} s and {explained:.4} s")));
            }
        }
    }
    let Counts { all, undecided, by_name, nothing } = counts;
    println!("explain   {all} runs violated under sc; {n_skipped} were not searched in {} s", PATIENCE.as_secs());
    println!("explain   what is named first: {by_name:?}; {undecided} leave something undecided");
    println!(
        "explain   {n_longer} took more than {TIMES} times their search, without the {SECONDS} s that are granted"
    );
    bars.most("explain   explanations that leave something undecided", undecided as f64, 0.0, "");
    bars.most("explain   explanations that name nothing", nothing as f64, 0.0, "");
    if let Some((times, name)) = slowest {
        bars.most(&format!("explain   the slowest beside its search ({name})"), times, TIMES, "times");
    }
}

/// All files below a folder that are not left out.
fn protocols(folder: &Path) -> Vec<PathBuf> {
    let is_left_out = |path: &PathBuf| LEFT_OUT.iter().any(|left| path.starts_with(root().join(left)));
    texts(folder).into_iter().flatten().filter(|path| !is_left_out(path)).collect()
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
            let answer = question.answer();
            match answer.verdict {
                Verdict::Holds => {}
                Verdict::Inconclusive(_) => runs.push((name, None)),
                Verdict::Violated(trace) => {
                    let searched = processor_seconds();
                    let found_in = Some(answer.statistics.states).filter(|_| !answer.late_reads);
                    let found = explain_found(question, &protocol.loaded.sources, &trace, found_in);
                    let times = (searched - begun, processor_seconds() - searched, found.explanation);
                    runs.push((name, Some(times)));
                }
            }
        }
    }
    runs
}
