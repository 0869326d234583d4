//! Counterexamples of searches that put reads off are executed by the interpreter.

use crate::command::is_full;
use explore::{Control, search};
use lacuna::parallel;
use lacuna::session::{Switches, memories, open, system};
use machine::{Compiled, LateReads, Options, Reductions};
use std::path::{Path, PathBuf};
use workbench::retrace_late;

/// Where a search gives up, and under which memory models there is one; `./test --full` goes further.
fn extent() -> (u64, Vec<String>) {
    match is_full() {
        true => (20_000, ["sc", "tso", "relaxed"].map(String::from).into()),
        false => (2_500, vec!["tso".into()]),
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
    let (max_states, names) = extent();
    for variant in &protocol.outline.variants {
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
    assert!(n_executed >= 20, "{n_executed} counterexamples");
}
