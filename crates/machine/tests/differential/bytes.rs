//! States that travel: what one process writes, another reads, though its thread states have other numbers.

use super::transactions::{all_memories, transactions};
use super::{Random, memories, options, system};
use crate::symmetry::random;
use crate::symmetry::states::states;
use automata::Automata;
use machine::{Compiled, Options, Reductions};
use memory::MemoryModel;
use std::collections::HashSet;
use system::{Successors, TransitionSystem};

/// Writes all states of a system and reads them in another, in another order; how many there are.
pub(super) fn travel(automata: &Automata, memory: &MemoryModel, options: &Options, random: &mut Random) -> usize {
    let (here, there) = (Compiled::new(automata, memory, options), Compiled::new(automata, memory, options));
    let Some(all) = states(&here, 1_000) else { return 0 };
    let mut all: Vec<Vec<u32>> = all.into_iter().collect();
    all.sort_by_key(|state| std::cmp::Reverse(state.clone()));
    let mut bytes = Vec::new();
    all.iter().for_each(|state| here.write_state(state, &mut bytes));
    let mut rest = &bytes[..];
    let mut read = HashSet::new();
    for state in &all {
        let there_now = there.read_state(&mut rest).expect("it is a state");
        assert_eq!(here.pack(&there.unpack(&there_now)), *state, "{} {automata:#?}", memory.name);
        let mut again = Vec::new();
        there.write_state(&there_now, &mut again);
        assert_eq!(there.read_state(&mut &again[..]), Some(there_now.clone()));
        read.insert(there_now);
    }
    assert!(rest.is_empty() && read.len() == all.len(), "{} of {} states", read.len(), all.len());
    for _ in 0..if options.reductions.symmetry { 0 } else { 40 } {
        let mut mangled = bytes[..bytes.len().min(200)].to_vec();
        let at = random.pick(mangled.len() as u64) as usize;
        mangled[at] ^= 1 << random.pick(8);
        // Another state, or none; never a panic.
        let _ = there.read_state(&mut &mangled[..]).map(|state| there.unpack(&state));
        assert_eq!(there.read_state(&mut &bytes[..at.min(3)]), None);
    }
    continue_with_notes(&here, &Compiled::new(automata, memory, options), &all);
    all.len()
}

/// With the notes of one system, another one takes the same steps from the same words.
fn continue_with_notes(here: &Compiled<'_>, there: &Compiled<'_>, all: &[Vec<u32>]) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let middle = here.write_notes(&[], &mut first);
    let end = here.write_notes(&middle, &mut second);
    for notes in [&first, &second] {
        let mut rest = &notes[..];
        assert_eq!((there.read_notes(&mut rest), rest.len()), (Some(()), 0));
    }
    assert_eq!(
        (there.reached(), there.bounds_hit(), there.never_at()),
        (here.reached(), here.bounds_hit(), here.never_at())
    );
    assert_eq!(there.write_notes(&end, &mut Vec::new()), end);
    let successors = |system: &Compiled<'_>, state: &[u32]| {
        let mut out = Successors::new(system.state_len());
        system.successors(state, &mut system.scratch(), &mut out);
        out.iter().map(|(state, label)| (state.to_vec(), label)).collect::<Vec<_>>()
    };
    for state in all.iter().take(200) {
        assert_eq!(successors(there, state), successors(here, state));
    }
    assert_eq!(there.read_notes(&mut &first[..first.len().min(2)]), None);
}

#[test]
fn states_that_one_process_writes_another_reads() {
    let mut random = Random(0x5EED_0099);
    let mut n_states = 0;
    for symmetry in [false, true] {
        let options = options(Reductions { symmetry, ..Reductions::ALL });
        for _ in 0..12 {
            let automata = system(&mut random, true);
            n_states += memories().iter().map(|m| travel(&automata, m, &options, &mut random)).sum::<usize>();
            let automata = transactions(&mut random, true);
            n_states += all_memories().iter().map(|m| travel(&automata, m, &options, &mut random)).sum::<usize>();
        }
        for seed in 1..30 {
            let automata = crate::symmetry::lowered(&random::program(seed), None, &[]);
            n_states += memories().iter().map(|m| travel(&automata, m, &options, &mut random)).sum::<usize>();
        }
    }
    assert!(n_states > 20_000, "{n_states}");
}
