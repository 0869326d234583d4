//! Reads put off: what is stored, with all that it stands for, is all that there is, and verdicts are the same.

use crate::symmetry::random;
use crate::symmetry::states::states;
use automata::Automata;
use explore::{Control, SearchOptions, search};
use machine::{Compiled, LateReads, Options, PlainState, Reductions};
use memory::MemoryModel;
use program::{Settings, World};
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use system::{TransitionSystem, Verdict};

struct Text(String);

impl World for Text {
    fn read(&self, _: &Path) -> io::Result<String> {
        Ok(self.0.clone())
    }
}

pub(crate) fn lowered(text: &str) -> Automata {
    let loaded = program::load(&Text(text.to_string()), Path::new("p.lac"));
    let (program, diagnostics) = program::check(&loaded, &Settings::default());
    let complaints: Vec<String> =
        loaded.diagnostics.iter().chain(&diagnostics).map(|d| d.render(&loaded.sources)).collect();
    lower::lower(&program.unwrap_or_else(|| panic!("{text}\n{}", complaints.concat())))
}

fn options(symmetry: bool, late_reads: bool) -> Options {
    let late_reads = if late_reads { LateReads::Always } else { LateReads::Never };
    Options { reductions: Reductions { symmetry, late_reads, ..Reductions::ALL }, ..Options::default() }
}

fn violated(automata: &Automata, memory: &MemoryModel, options: &Options) -> bool {
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    let compiled = Compiled::new(automata, memory, options);
    match search(&compiled, &SearchOptions::default(), &control).verdict {
        Verdict::Holds => false,
        Verdict::Violated { .. } => true,
        Verdict::Inconclusive(limit) => panic!("{limit:?}"),
    }
}

/// A plain state without the locations that its threads have passed: they are judged in other states then.
fn without_trails(mut state: PlainState) -> Vec<String> {
    state.locals.iter_mut().for_each(|local| local.trail.clear());
    vec![format!("{state:?}")]
}

/// The numbers of all states and of those stored, if reads are put off and there are not too many.
fn compare(text: &str, memory: &MemoryModel, most: usize) -> Option<(usize, usize)> {
    let automata = lowered(text);
    let (plain, late) = (options(false, false), options(false, true));
    let (full, reduced) = (Compiled::new(&automata, memory, &plain), Compiled::new(&automata, memory, &late));
    let all = states(&full, most)?;
    let kept = states(&reduced, most)?;
    let (a, b) =
        (violated(&automata, memory, &options(true, false)), violated(&automata, memory, &options(true, true)));
    assert_eq!(a, b, "violated without and with: {}\n{text}", memory.name);
    let late = reduced.late()?;
    let expected: HashSet<Vec<String>> = all.iter().map(|state| without_trails(full.unpack(state))).collect();
    let mut scratch = reduced.scratch();
    let meant = kept.iter().flat_map(|state| late.states(state, &mut scratch));
    let found: HashSet<Vec<String>> = meant.map(|state| without_trails(reduced.unpack(&state))).collect();
    let missing: Vec<_> = expected.difference(&found).take(2).collect();
    let wrong: Vec<_> = found.difference(&expected).take(2).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{}\n{text}\nmissing {missing:?}\nwrong {wrong:?}", memory.name);
    Some((all.len(), kept.len()))
}

/// Compares random programs; how many systems there were, and of how many states how many were stored.
fn compare_all(programs: impl Iterator<Item = String>) -> (usize, usize, usize) {
    let (mut n_late, mut n_all, mut n_kept) = (0, 0, 0);
    for text in programs {
        for name in ["sc", "tso", "pso", "relaxed"] {
            let Some(memory) = memory::builtin::find(name) else { continue };
            if let Some((all, kept)) = compare(&text, &memory, 5_000) {
                (n_late, n_all, n_kept) = (n_late + 1, n_all + all, n_kept + kept);
            }
        }
    }
    (n_late, n_all, n_kept)
}

#[test]
fn what_is_stored_stands_for_all_states_of_random_programs() {
    let (n_late, n_all, n_kept) = compare_all((1..200).map(random::program));
    assert!(n_late > 100 && n_kept * 10 < n_all * 5, "{n_late} systems: {n_kept} of {n_all} states are stored");
}

#[test]
fn what_is_stored_stands_for_all_states_of_random_programs_that_lock() {
    let (n_late, n_all, n_kept) = compare_all((1..200).map(random::locking_program));
    assert!(n_late > 100 && n_kept * 10 < n_all * 5, "{n_late} systems: {n_kept} of {n_all} states are stored");
}

#[test]
fn what_is_read_into_a_cell_of_ones_own_is_not_forgotten() {
    // The thread is in the same state whatever it has read; its own cell is not.
    let text = "cell x: 0..1 = 0
        cell own: 0..1 = 0
        thread reader { let r = x; own = r }
        thread writer { x = 1 }";
    for name in ["sc", "tso", "relaxed"] {
        let memory = memory::builtin::find(name).expect("built in");
        assert!(compare(text, &memory, 1_000).is_some(), "{name}");
    }
}
