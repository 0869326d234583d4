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
use system::{Reached, Successors, TransitionSystem, Verdict};

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

/// What is reached, where nothing is violated.
fn reached_if_holds(automata: &Automata, memory: &MemoryModel, options: &Options) -> Option<Reached> {
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    let compiled = Compiled::new(automata, memory, options);
    let result = search(&compiled, &SearchOptions::default(), &control);
    match result.verdict {
        Verdict::Holds => Some(result.reached),
        Verdict::Violated { .. } => None,
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
    let [without, with] = [false, true].map(|late| reached_if_holds(&automata, memory, &options(true, late)));
    assert_eq!(without, with, "reached, if it holds, without and with: {}\n{text}", memory.name);
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

/// All states that are come to, and how many steps lead there: by `successors`, or by `new_successors`, which leave out what was given before.
fn reached(system: &Compiled<'_>, are_new: bool) -> (HashSet<Vec<u32>>, u64) {
    let (mut scratch, mut successors) = (system.scratch(), Successors::new(system.state_len()));
    system.initial(&mut successors);
    let mut open: Vec<Vec<u32>> = successors.iter().map(|(state, _)| state.to_vec()).collect();
    let mut seen: HashSet<Vec<u32>> = open.iter().cloned().collect();
    let mut n_steps = 0;
    while let Some(state) = open.pop() {
        successors.clear();
        match are_new {
            true => system.new_successors(&state, &mut scratch, &mut successors),
            false => system.successors(&state, &mut scratch, &mut successors),
        }
        n_steps += successors.n_steps();
        let new = successors.iter().filter(|(next, _)| seen.insert(next.to_vec()));
        open.extend(new.map(|(next, _)| next.to_vec()));
    }
    (seen, n_steps)
}

#[test]
fn what_was_given_before_is_all_that_is_left_out() {
    let reader = "if x == 1 { y = x } else { y = 2 - x }";
    let readers: String = (0..5).map(|i| format!("thread reader_{i} {{ {reader} }}\n")).collect();
    let many = format!("cell x: 0..2 = 0\ncell y: 0..2 = 0\n{readers}thread writer {{ x = 1; x = 2 }}");
    let (mut n_systems, mut n_steps) = (0, 0);
    for text in (1..60).map(random::program).chain((1..30).map(random::locking_program)).chain([many.clone()]) {
        let (automata, memory) = (lowered(&text), memory::builtin::find("tso").expect("built in"));
        for symmetry in [false, true] {
            let options = options(symmetry, true);
            let system = Compiled::new(&automata, &memory, &options);
            if text == many || system.is_late() && states(&system, 5_000).is_some() {
                assert!(system.is_late(), "{text}");
                let all = reached(&system, false);
                assert_eq!(all, reached(&system, true), "symmetry {symmetry}\n{text}");
                (n_systems, n_steps) = (n_systems + 1, n_steps + all.1);
            }
        }
    }
    assert!(n_systems > 100 && n_steps > 5_000, "{n_systems} systems, {n_steps} steps");
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

/// The memory models of ARMv8, and others that guess or in which a write changes what another thread assumes.
fn guessing_memories() -> Vec<MemoryModel> {
    let built_in = |name: &str| memory::builtin::find(name).expect("built in");
    let guessing = |name: &str| MemoryModel { speculate: 1, name: format!("{name}, guessing"), ..built_in(name) };
    let armv8 = ["armv8", "armv8-ldar", "armv8-exclusives", "rmo-full"].map(built_in);
    armv8.into_iter().chain(["tso", "rmo-no"].map(guessing)).collect()
}

#[test]
fn what_is_stored_stands_for_all_states_where_threads_guess() {
    let n_programs = std::env::var("LACUNA_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    let (mut n_late, mut n_all, mut n_kept) = (0, 0, 0);
    for text in (1..=n_programs).map(random::ordered_program) {
        for memory in guessing_memories() {
            if let Some((all, kept)) = compare(&text, &memory, 20_000) {
                (n_late, n_all, n_kept) = (n_late + 1, n_all + all, n_kept + kept);
            }
        }
    }
    assert!(
        n_late > 4 * n_programs && n_kept * 10 < n_all * 5,
        "{n_late} systems: {n_kept} of {n_all} states are stored"
    );
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
