//! Runs the second opinion on what a file expects of itself.

use memory::{AddressSpeculation, Isolation, MemoryModel, StoreConditional, Transactions};
use program::{Expected, ExpectedOf, Outline, Settings, World};
use second::{Failure, Limits, Opinion, Options};
use std::path::{Path, PathBuf};

/// Files from the disk.
struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// One run that a file speaks of.
pub(crate) struct Run {
    /// Variant, scenario, memory model, settings.
    pub(crate) name: String,
    /// What the file expects.
    pub(crate) expected: Expected,
    /// What the second opinion says.
    pub(crate) opinion: Result<Opinion, Failure>,
    /// The texts, to show traces.
    pub(crate) sources: base::Sources,
}

impl Run {
    /// Whether the opinion is as expected; none if there is no opinion.
    pub(crate) fn is_expected(&self) -> Option<bool> {
        let opinion = self.opinion.as_ref().ok()?;
        let violated = opinion.properties.iter().filter(|(_, answer)| matches!(answer, second::Answer::Violated(_)));
        let violated: Vec<&str> = violated.map(|(name, _)| name.as_str()).collect();
        Some(match &self.expected {
            Expected::Holds => violated.is_empty(),
            Expected::Violated { property: None } => !violated.is_empty(),
            Expected::Violated { property: Some(name) } => violated.contains(&name.as_str()),
        })
    }

    /// The traces of all that is violated.
    pub(crate) fn traces(&self) -> String {
        let mut text = String::new();
        let Ok(opinion) = &self.opinion else { return format!("{:?}", self.opinion) };
        for (name, answer) in &opinion.properties {
            if let second::Answer::Violated(lines) = answer {
                text.push_str(&format!("  {name} is violated:\n"));
                for line in lines {
                    let place = self.sources.place(line.span).map(|(_, place)| place.line).unwrap_or_default();
                    let code = self.sources.text(line.span).lines().next().unwrap_or_default();
                    text.push_str(&format!("    {} ({place}: {code})\n", line.text));
                }
            }
        }
        text
    }
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every run that a file speaks of, each with at most so many states.
pub(crate) fn runs(file: &Path, max_states: usize) -> Vec<Run> {
    let loaded = program::load(&Disk, file);
    let outline = program::outline(&loaded);
    let mut all_settings: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for expectation in &outline.expectations {
        if !all_settings.contains(&expectation.settings) {
            all_settings.push(expectation.settings.clone());
        }
    }
    let mut runs = Vec::new();
    for settings in &all_settings {
        for variant in &outline.variants {
            for scenario in &outline.scenarios {
                for model in memory::builtin::all() {
                    let names = (variant.name.as_str(), scenario.name.as_str());
                    runs.extend(run(&loaded, &outline, settings, names, model, max_states));
                }
            }
        }
    }
    runs
}

fn run(
    loaded: &program::Loaded,
    outline: &Outline,
    settings: &[(String, String)],
    (variant, scenario): (&str, &str),
    mut model: MemoryModel,
    max_states: usize,
) -> Option<Run> {
    let mut options = Options { queue_bound: 4, buffer: None, check_deadlock: true, properties: None };
    let mut set = Vec::new();
    for (name, value) in settings {
        match name.as_str() {
            "speculate" => {
                model.speculate = value.parse().expect("a number");
                options.queue_bound = 6;
            }
            "spurious_failures" => model.store_conditional = StoreConditional::MayFail,
            "spurious_aborts" => model.transactions = Transactions::MayAbort,
            "weak_isolation" => model.isolation = Isolation::Weak,
            // It has no opinion there.
            "lazy_conflicts" | "elide_locks" => return None,
            "buffer" => options.buffer = Some(value.parse().expect("a number")),
            "history" => model.histories.iter_mut().for_each(|it| it.bound = value.parse().expect("a number")),
            "address_speculation" => model.address_speculation = AddressSpeculation::Forbidden,
            _ => set.push((name.clone(), value.clone())),
        }
    }
    let name = format!("{variant} {scenario} {} {settings:?}", model.name);
    let checked = |set: Vec<(String, String)>| {
        let chosen = Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set };
        let (program, diagnostics) = program::check(loaded, &chosen);
        program.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"))
    };
    let by_itself = checked(Vec::new()).constants;
    let given: Vec<(String, String)> = settings.iter().filter(|set| !by_itself.contains(set)).cloned().collect();
    let values = &by_itself;
    let of = ExpectedOf { variant, scenario, memory: &model.name, given: &given, values };
    let expected = outline.expected(of).unwrap_or_else(|diagnostic| panic!("{name}: {diagnostic:?}"))?;
    let program = checked(set);
    let limits = Limits { max_states, deadline: None };
    let opinion = second::opinion(&program, &model, &options, limits);
    Some(Run { name, expected, opinion, sources: loaded.sources.clone() })
}
