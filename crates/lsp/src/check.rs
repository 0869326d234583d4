//! `check` of a variant, in the words of a lens.

use crate::documents::Documents;
use explore::{Control, SearchOptions};
use machine::Options;
use memory::MemoryModel;
use program::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use system::{Budget, Limits};
use workbench::{Error, Protocol, Question, RunOptions, Scope, Switches, Verdict};

/// What lenses show, by file and variant.
pub(crate) type Verdicts = BTreeMap<(PathBuf, String), String>;

/// Set when the server ends: searches stop.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// How long the check of a variant may take.
const TIME: Duration = Duration::from_secs(30);
/// How many bytes it may take for states.
const BYTES: u64 = 1 << 30;

/// The verdict of a variant in its default scenario, under the memory models of the papers.
pub(crate) fn verdict(documents: &Documents, path: &Path, variant: &str) -> Result<String, String> {
    let protocol = workbench::open(documents, path).map_err(words)?;
    let variant = protocol.variants(Some(variant)).map_err(words)?.swap_remove(0);
    let scenario = protocol.scenarios(None).map_err(words)?.into_iter().next();
    run(&protocol, Settings { variant: Some(variant), scenario, set: Vec::new() })
}

fn run(protocol: &Protocol, settings: Settings) -> Result<String, String> {
    let system = protocol.system(&settings).map_err(words)?;
    let memories = memory::builtin::all();
    let options = options(&memories)?;
    let (mut found, mut is_vacuous) = (Vec::new(), false);
    for memory in &memories {
        let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
        let question = Question { automata: &system.automata, memory, options: &options, control: &control };
        if let Some(thread) = question.cannot_begin() {
            return Err(format!("thread `{thread}` cannot begin under {}", memory.name));
        }
        let answer = question.answer();
        is_vacuous |= answer.is_vacuous();
        found.push(match &answer.verdict {
            Verdict::Violated(_) => {
                return Ok(format!("✗ {} under {}", answer.property.unwrap_or_default(), memory.name));
            }
            Verdict::Inconclusive(limit) => return Ok(format!("? inconclusive: {}, {}", memory.name, limit.name())),
            Verdict::Holds => memory.name.as_str(),
        });
    }
    let how = if is_vacuous { "holds, but vacuously" } else { "holds" };
    Ok(format!("✓ {how} under {}", found.join(", ")))
}

fn options(memories: &[MemoryModel]) -> Result<RunOptions, String> {
    let queue_bound = Scope::new(&[], None, Switches::default()).map_err(words)?.suited(memories).queue_bound;
    let limits = Limits { max_states: None, max_bytes: Some(BYTES), timeout: Some(TIME) };
    let budget = Budget::new(Some(TIME), None, &STOP);
    Ok(RunOptions {
        machine: Options { queue_bound, budget, ..Options::default() },
        search: SearchOptions { workers: 1, limits },
    })
}

/// What is wrong, in one line.
fn words(error: Error) -> String {
    match error {
        Error::Text { diagnostics, .. } => {
            diagnostics.iter().find(|d| d.is_error()).map_or(String::new(), |diagnostic| diagnostic.message.clone())
        }
        Error::Input { message, .. } => message,
    }
}
