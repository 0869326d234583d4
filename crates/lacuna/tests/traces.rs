//! Counterexamples: each is executed by the interpreter, none is longer than it must be, and symmetry loses nothing.

use automata::PropertyId;
use explore::{Control, SearchOptions, reference, search};
use lacuna::session::{System, memory_model, open};
use machine::{Compiled, Interpreter, Options, Reductions};
use std::path::Path;
use workbench::{Question, RunOptions, Verdict, replay, retrace};

/// Violated cells of the copying study: file, variant, scenario, settings, memory model.
const VIOLATED: [(&str, &str, &str, &[&str], &str); 7] = [
    ("stopless/stopless.lac", "original", "WR", &[], "pso-no"),
    ("stopless/stopless.lac", "original", "general", &["MUTATORS=2"], "pso-no"),
    ("chicken/chicken.lac", "original", "RW", &[], "rmo-no"),
    ("staccato/staccato.lac", "original", "WR", &[], "pso-full"),
    ("clover/clover.lac", "alpha_0", "WR", &[], "sc"),
    ("sapphire/sapphire_iteration.lac", "original", "general", &["MUTATORS=2"], "sc"),
    ("schism/schism.lac", "no_publish_fence", "general", &["MUTATORS=2"], "rmo-no"),
];

fn system(file: &str, variant: &str, scenario: &str, set: &[&str]) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/copying").join(file);
    let set: Vec<(String, String)> =
        set.iter().map(|s| s.split_once('=').expect("NAME=VALUE")).map(|(n, v)| (n.into(), v.into())).collect();
    lacuna::session::system(&open(&path).expect("loads"), variant, scenario, &set).expect("checked")
}

#[test]
fn every_counterexample_is_executed_and_as_short_as_the_naive_explorer_finds() {
    for (file, variant, scenario, set, memory) in VIOLATED {
        let system = system(file, variant, scenario, set);
        let memory = memory_model(memory).expect("built in");
        let outcome = Question::new(&system.automata, &memory, &RunOptions::default()).answer();
        let Verdict::Violated(trace) = outcome.verdict else { panic!("{file} {variant} {scenario} is violated") };
        let machine = Options::default();
        let interpreter = Interpreter::new(&system.automata, &memory, &machine);
        let again = replay(&interpreter, trace.initial, &trace.steps, trace.property).expect("every step is enabled");
        assert_eq!(*trace, again, "{file}");
        let reductions = Reductions { symmetry: false, ..Reductions::ALL };
        let plain = Options { reductions, ..Options::default() };
        let found = reference(&Compiled::new(&system.automata, &memory, &plain));
        let (depth, _) = found.violation.expect("violated");
        assert_eq!(trace.steps.len() as u64, depth, "{file}");
    }
}

#[test]
fn a_path_found_with_symmetry_is_followed_by_the_interpreter() {
    for (file, variant, scenario, set, memory) in VIOLATED {
        let system = system(file, variant, scenario, set);
        let memory = memory_model(memory).expect("built in");
        let machine = Options::default();
        let compiled = Compiled::new(&system.automata, &memory, &machine);
        for workers in [1, 2] {
            let options = SearchOptions { workers, ..SearchOptions::default() };
            let outcome = search(&compiled, &options, &Control::quiet());
            let system::Verdict::Violated { property, path } = outcome.verdict else { panic!("{file} is violated") };
            let trace = retrace(&compiled, &path, PropertyId(property)).expect("the interpreter follows");
            assert_eq!(trace.steps.len() + 1, path.len(), "{file}");
        }
    }
}

#[test]
fn a_tampered_trace_is_refused() {
    let system = system("staccato/staccato.lac", "original", "WR", &[]);
    let memory = memory_model("pso-full").expect("built in");
    let outcome = Question::new(&system.automata, &memory, &RunOptions::default()).answer();
    let Verdict::Violated(trace) = outcome.verdict else { panic!("violated") };
    let machine = Options::default();
    let interpreter = Interpreter::new(&system.automata, &memory, &machine);
    let shorter = &trace.steps[..trace.steps.len() - 1];
    assert!(replay(&interpreter, trace.initial, shorter, trace.property).is_err(), "it does not reach the violation");
    let mut wrong = trace.steps.clone();
    wrong[2] = 99;
    assert!(replay(&interpreter, trace.initial, &wrong, trace.property).is_err(), "there is no such step");
}
