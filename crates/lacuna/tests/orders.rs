//! The ordering map is put to the test on the text: what can be weakened holds weakened, what is needed fails without, and the
//! trace that shows it is executed once more by the plain interpreter.
//!
//! The usual run takes a few variants under RMO; `ORDERS=all` takes every variant of the copying study that holds there.

use crate::command::root;
use crate::ordering::ask;
use automata::Automata;
use lacuna::parallel;
use lacuna::session::Disk;
use machine::Interpreter;
use program::{Loaded, Settings};
use repair::{Map, Row, Subject, Weaker, orders, own_orders};
use workbench::{RunOptions, System, Verdict, replay_run};

/// The variants of the usual run.
const VARIANTS: [(&str, &str); 5] = [
    ("protocols/copying/stopless/stopless.lac", "for_rmo"),
    ("protocols/copying/staccato/staccato.lac", "fix_rel_fence"),
    ("protocols/copying/compressor/compressor.lac", "original"),
    ("protocols/copying/schism/schism.lac", "original"),
    ("litmus/ISA2+rel+rel+acq.lac", "original"),
];

/// All variants of the copying study.
fn all_variants() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in std::fs::read_dir(root().join("protocols/copying")).expect("the study is here") {
        let Ok(files) = std::fs::read_dir(folder.expect("readable").path()) else { continue };
        for path in
            files.map(|file| file.expect("readable").path()).filter(|p| p.extension().is_some_and(|e| e == "lac"))
        {
            let loaded = program::load(&Disk, &path);
            // A file that others use has no thread of its own to run.
            if program::check(&loaded, &Settings::default()).0.is_some() {
                let name = path.strip_prefix(root()).expect("inside").display().to_string();
                all.extend(program::outline(&loaded).variants.iter().map(|v| (name.clone(), v.name.clone())));
            }
        }
    }
    all
}

fn variants() -> Vec<(String, String)> {
    if std::env::var("ORDERS").is_ok_and(|value| value == "all") {
        return all_variants();
    }
    VARIANTS.map(|(file, variant)| (file.to_string(), variant.to_string())).to_vec()
}

/// The first scenario of a text that is violated.
fn violated(loaded: &Loaded, variant: &str) -> Option<String> {
    let memory = memory::builtin::find("rmo-no").expect("built in");
    program::outline(loaded).scenarios.into_iter().map(|scenario| scenario.name).find(|scenario| {
        let automata = automata(loaded, variant, scenario);
        workbench::Question::new(&automata, &memory, &RunOptions::default()).answer().verdict != Verdict::Holds
    })
}

fn automata(loaded: &Loaded, variant: &str, scenario: &str) -> Automata {
    let settings = Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set: Vec::new() };
    System::of(loaded, &settings).unwrap_or_else(|wrong| panic!("{wrong:?}")).automata
}

/// Checks one weaker order on the changed text.
fn judge(label: &str, variant: &str, scenarios: &[String], weaker: &Weaker) {
    let changed = weaker.patched.load();
    let Some(witness) = &weaker.witness else {
        assert_eq!(violated(&changed, variant), None, "{label}: it can be weakened");
        return;
    };
    assert!(violated(&changed, variant).is_some(), "{label}: it is needed");
    let failure = &witness.failure;
    let automata = automata(&changed, variant, &scenarios[failure.instance]);
    let memory = memory::builtin::find("rmo-no").expect("built in");
    let options = RunOptions::default().machine;
    let interpreter = Interpreter::new(&automata, &memory, &options);
    let trace = &failure.trace;
    let again = replay_run(&interpreter, trace.initial, &trace.steps, trace.loop_start, trace.property);
    assert_eq!(again.as_ref().map(|again| &again.taken), Ok(&trace.taken), "{label}: the witness replays");
}

fn judge_row(label: &str, variant: &str, scenarios: &[String], row: &Row) {
    for weaker in &row.weaker {
        judge(label, variant, scenarios, weaker);
    }
    let is_kept = row.weaker[0].witness.is_some();
    let kept_has_reason = row.weaker.iter().filter_map(|weaker| weaker.witness.as_ref()).all(|w| !w.reasons.is_empty());
    assert!(!is_kept || kept_has_reason || matches!(row.subject, Subject::StoppedWorld(_)), "{label}: a reason");
}

#[test]
fn every_order_is_as_the_map_says() {
    let n_rows = parallel::map(&variants(), |(file, variant)| {
        let loaded = program::load(&Disk, &root().join(file));
        let memory = memory::builtin::find("rmo-no").expect("built in");
        let label = format!("{file} {variant}");
        ask(&loaded, variant, &memory, |question, scenarios| match orders(&own_orders(question), 3) {
            Map::Violated(_) => {
                assert!(violated(&loaded, variant).is_some(), "{label}");
                0
            }
            Map::Inconclusive(limit) => panic!("{label}: {}", limit.name()),
            Map::Rows { rows, least, cost } => {
                rows.iter().for_each(|row| judge_row(&label, variant, scenarios, row));
                assert!(!least.is_empty() && least.iter().all(|least| least.cost <= cost), "{label}");
                rows.len()
            }
        })
    });
    assert!(n_rows.iter().sum::<usize>() >= 10, "{n_rows:?}");
}
