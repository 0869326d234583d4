//! Counterexamples of searches that put reads off are executed by the interpreter.

use crate::command::is_full;
use explore::{Control, search};
use lacuna::parallel;
use lacuna::session::{Switches, memories, open, system};
use machine::{Compiled, LateReads, Options, Reductions};
use std::path::{Path, PathBuf};
use workbench::retrace_late;

/// How far the comparison goes; `./test --full` goes further.
struct Extent {
    /// Where a search gives up.
    max_states: u64,
    /// The memory models.
    memories: Vec<String>,
    /// One variant in so many.
    one_in: usize,
}

fn extent() -> Extent {
    let memories = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    match is_full() {
        true => Extent { max_states: 20_000, memories: memories(&["sc", "tso", "relaxed"]), one_in: 1 },
        false => Extent { max_states: 2_500, memories: memories(&["tso"]), one_in: 2 },
    }
}

/// Every file of these folders.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "litmus",
        "tests/symmetry",
        "tests/system",
        "tests/sets",
        "protocols/marking/schism",
        "protocols/marking/domani",
    ];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is here"));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("readable").path()).collect();
    // The heap of the paper takes minutes.
    files
        .retain(|path| path.extension().is_some_and(|extension| extension == "lac") && !path.ends_with("concrete.lac"));
    files.sort();
    files
}

/// How many counterexamples of a model the interpreter has executed.
fn executed(path: &Path) -> usize {
    let protocol = open(path).expect("loads");
    let mut n_executed = 0;
    let Extent { max_states, memories: names, one_in } = extent();
    for variant in protocol.outline.variants.iter().step_by(one_in) {
        let scenario = protocol.outline.scenarios.iter().find(|s| s.is_default).expect("there is one");
        let system = system(&protocol, &variant.name, &scenario.name, &[]).expect("checked");
        for memory in memories(&names, &Switches::default()).expect("built in") {
            let reductions = Reductions { late_reads: LateReads::Always, ..Reductions::ALL };
            let options = Options { reductions, buffer: Some(1), ..Options::default() };
            let compiled = Compiled::new(&system.automata, &memory, &options);
            let mut how = explore::SearchOptions::default();
            how.limits.max_states = Some(max_states);
            let Some(late) = compiled.late() else { continue };
            if let system::Verdict::Violated { property, path: states } =
                search(&compiled, &how, &Control::quiet()).verdict
            {
                let property = automata::PropertyId(property);
                let name = format!("{} {} {}", path.display(), variant.name, memory.name);
                let trace = retrace_late(late, &states, property).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(trace.steps.len() + 1 >= states.len(), "{name}");
                n_executed += 1;
            }
        }
    }
    n_executed
}

#[test]
fn the_interpreter_executes_what_a_search_finds_that_puts_reads_off() {
    let n_executed: usize = parallel::map(&models(), |path| executed(path)).into_iter().sum();
    assert!(n_executed * extent().one_in >= 20, "{n_executed} counterexamples");
}
