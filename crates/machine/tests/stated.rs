//! Systems stated as automata: what no program of the language says, such as a pair of operations that keeps its order.

use explore::{Control, SearchOptions, search};
use machine::{Compiled, Options};
use std::sync::atomic::AtomicBool;
use system::Verdict;

/// Whether the one property of a system holds under a memory model.
#[track_caller]
fn holds(text: &str, memory: &str) -> bool {
    let automata = automata::text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(automata::validate(&automata), Ok(()), "{text}");
    let memory = memory::builtin::find(memory).expect("built in");
    let options = Options::default();
    let compiled = Compiled::new(&automata, &memory, &options);
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    matches!(search(&compiled, &SearchOptions::default(), &control).verdict, Verdict::Holds)
}

/// Store buffering.
fn store_buffering(keeps: &str) -> String {
    format!(
        "cell x: 0..1 = 0
cell y: 0..1 = 0
forbid both_zero: (one.r == 0) and (other.r == 0)
thread one
  register r: 0..1 observed
{keeps}  p0: x.store(1)
  p1: r = y.load()
  p2: halt
thread other
  register r: 0..1 observed
{keeps}  p0: y.store(1)
  p1: r = x.load()
  p2: halt
"
    )
}

#[test]
fn a_pair_that_is_kept_keeps_its_order() {
    assert!(holds(&store_buffering(""), "sc"));
    assert!(!holds(&store_buffering(""), "tso"));
    assert!(holds(&store_buffering("  keeps p0<p1\n"), "tso"));
    assert!(!holds(&store_buffering("  keeps p1<p0\n"), "tso"));
    assert!(holds(&store_buffering("  keeps all but\n"), "tso"));
    assert!(!holds(&store_buffering("  keeps all but p0<p1\n"), "tso"));
}

#[test]
fn a_false_dependency_orders_loads() {
    let message_passing = |after: &str| {
        format!(
            "cell x: 0..1 = 0
cell y: 0..1 = 0
forbid stale: (reader.flag == 1) and (reader.r == 0)
thread writer
  p0: x.store(1)
  p1: fence full
  p2: y.store(1)
  p3: halt
thread reader
  register flag: 0..1 observed
  register r: 0..1 observed
  p0: flag = y.load()
  p1: r = x.load(){after}
  p2: halt
"
        )
    };
    assert!(!holds(&message_passing(""), "relaxed"));
    assert!(holds(&message_passing(" after flag"), "relaxed"));
}
