//! The circuits against the plain interpreter and against `check`, on random small programs.

pub(crate) mod generator;

use automata::*;
use base::table::Id;
use explore::{Control, SearchOptions, search};
use generator::{Random, candidates, system};
use machine::{Code, Compiled, Interpreter, Local, Mode, Operand, Options, PlainState, Reductions};
use memory::MemoryModel;
use prove::{Circuits, Limits, Memory, ObligationResult, Problem, Proof, Snapshot};
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::AtomicBool;
use system::Verdict;

const BUFFER: usize = 2;

pub(crate) fn memories() -> [(MemoryModel, Memory); 2] {
    let find = |name| memory::builtin::find(name).expect("built in");
    [(find("sc"), Memory::Sc), (find("tso"), Memory::Tso { buffer: BUFFER })]
}

pub(crate) fn options(reductions: Reductions) -> Options {
    Options { queue_bound: 8, buffer: Some(BUFFER), reductions, check_deadlock: false, ..Options::default() }
}

/// A system in which every local step is a location, and so a step of its own.
pub(crate) fn located(random: &mut Random) -> Automata {
    let mut automata = system(random);
    for thread in automata.threads.values_mut() {
        thread.automaton.points.values_mut().for_each(|point| point.labels.push("here".into()));
    }
    automata
}

/// The interpreter's state with a thread put back to the operation that it has issued last and not performed: there the
/// circuits have it. What its result register held before is not known; 0 stands for it.
fn put_back(codes: &[Code], state: &PlainState, memory: Memory) -> Option<Snapshot> {
    let mut state = state.clone();
    for (local, code) in state.locals.iter_mut().zip(codes) {
        let Some(last) = local.queue.last() else { continue };
        let Action::Access(access) = code.action(last.point) else { continue };
        let is_buffered = matches!(access.op, Op::Store(_)) && memory != Memory::Sc;
        if !is_buffered && code.automaton.points[last.point].next == local.point {
            let entry = local.queue.pop().expect("there is one");
            local.point = entry.point;
            for (register, operand) in code.uses[entry.point].iter().zip(&entry.operands) {
                local.registers[register.index()] = *operand;
            }
            let waits = |operand: &&mut Operand| **operand == Operand::Entry(local.queue.len() as u8);
            local.registers.iter_mut().filter(waits).for_each(|operand| *operand = Operand::Value(0));
        }
    }
    let is_plain = memory != Memory::Sc || state.locals.iter().all(|local| local.queue.is_empty());
    Snapshot::of(codes, &state).filter(|_| is_plain)
}

/// All states that the plain rules reach; none if they are too many.
pub(crate) fn reached(interpreter: &Interpreter<'_>, max: usize) -> Option<Vec<PlainState>> {
    let mut states: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
    let mut seen: HashSet<PlainState> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len() {
        for (_, after) in interpreter.successors(&states[next]).steps {
            if seen.insert(after.clone()) {
                states.push(after);
            }
        }
        next += 1;
        if states.len() > max {
            return None;
        }
    }
    Some(states)
}

/// A system under a memory model: the interpreter with the states it reaches, and the circuits.
struct Both<'a> {
    model: &'a MemoryModel,
    memory: Memory,
    interpreter: &'a Interpreter<'a>,
    states: &'a [PlainState],
    codes: &'a [Code],
    problem: &'a Problem<'a>,
    circuits: &'a Circuits<'a>,
}

/// Compares the two under every memory model, where the plain rules reach at most `max` states.
fn with_states(automata: &Automata, max: usize, mut compare: impl FnMut(Both<'_>)) {
    for (model, memory) in memories() {
        let options = options(Reductions::NONE);
        let interpreter = Interpreter::new(automata, &model, &options);
        let Some(states) = reached(&interpreter, max) else { continue };
        let codes = Code::of_threads(automata);
        let problem = Problem::new(automata, memory, None, &[]).expect("supported");
        let circuits = Circuits::new(&problem).expect("supported");
        let (interpreter, problem, circuits) = (&interpreter, &problem, &circuits);
        compare(Both { model: &model, memory, interpreter, states: &states, codes: &codes, problem, circuits });
    }
}

fn failed(local: &Local) -> Option<PropertyId> {
    match local.mode {
        Mode::Failed(property) => Some(property),
        _ => None,
    }
}

/// A thread at its end has ended in the circuits; the interpreter takes a step for it.
fn is_about_to_end(codes: &[Code], state: &PlainState) -> bool {
    let is_at_end = |(local, code): (&Local, &Code)| {
        local.mode == Mode::Running && matches!(code.action(local.point), Action::Halt)
    };
    state.locals.iter().zip(codes).any(is_at_end)
}

/// Whether two states differ at most in what a thread at an operation holds in the register of its result.
fn is_same(automata: &Automata, a: &Snapshot, b: &Snapshot) -> bool {
    let mut a = a.clone();
    for (thread, (of_a, of_b)) in a.threads.iter_mut().zip(&b.threads).enumerate() {
        let points = &automata.threads[ThreadId::new(thread)].automaton.points;
        if let Some(dst) = points[of_a.point].action.defines() {
            of_a.registers[dst.index()] = of_b.registers[dst.index()];
        }
    }
    a == *b
}

#[test]
fn every_step_of_the_interpreter_is_one_of_the_circuits() {
    let mut random = Random(0x9E37_79B9_0000_0001);
    let mut n_compared = 0;
    for _ in 0..120 {
        let automata = located(&mut random);
        with_states(&automata, 1_500, |both| {
            let Both { model, memory, interpreter, states, codes, circuits, .. } = both;
            for state in states.iter().filter(|state| state.locals.iter().all(|local| failed(local).is_none())) {
                let before = put_back(codes, state, memory);
                let Some(before) = before.filter(|before| circuits.judge(before).is_some()) else { continue };
                let mine = circuits.successors(&before);
                for (step, after) in interpreter.successors(state).steps {
                    let thread = step.thread.index();
                    if let Some(property) = failed(&after.locals[thread]) {
                        // An assertion does not wait for what is pending; the circuits come to it later.
                        if before.threads[thread].point != state.locals[thread].point {
                            continue;
                        }
                        assert!(
                            mine.iter().any(|(_, end)| *end == Err(property)),
                            "{}\n{}",
                            model.name,
                            automata::text::write(&automata)
                        );
                        continue;
                    }
                    let Some(after) = put_back(codes, &after, memory) else { continue };
                    if circuits.judge(&after).is_none() {
                        // A value that its cell cannot hold is refused when it is stored, not when it is committed.
                        let is_refused = mine.iter().any(|(_, end)| *end == Err(Automata::IN_RANGE));
                        assert!(is_refused, "{}\n{after:?}\n{}", model.name, automata::text::write(&automata));
                        continue;
                    }
                    let is_it =
                        |end: &Result<Snapshot, PropertyId>| matches!(end, Ok(end) if is_same(&automata, end, &after));
                    let is_there = is_same(&automata, &before, &after) || mine.iter().any(|(_, end)| is_it(end));
                    assert!(is_there, "{}\n{before:?}\n{after:?}\n{}", model.name, automata::text::write(&automata));
                    n_compared += 1;
                }
            }
        });
    }
    assert!(n_compared > 10_000, "{n_compared} compared");
}

/// From states in which only stores are pending, each step of the circuits is one, two or three of the interpreter.
#[test]
fn every_step_of_the_circuits_is_one_of_the_interpreter() {
    let mut random = Random(0x9E37_79B9_0000_0002);
    let mut n_compared = 0;
    for _ in 0..80 {
        let automata = system(&mut random);
        with_states(&automata, 1_500, |both| {
            let Both { model, memory, interpreter, states, codes, problem, circuits } = both;
            for state in states.iter().filter(|state| state.locals.iter().all(|local| failed(local).is_none())) {
                // Under `sc` a store is performed where it stands.
                let is_plain = memory != Memory::Sc || state.locals.iter().all(|local| local.queue.is_empty());
                if is_about_to_end(codes, state) {
                    continue;
                }
                let Some(before) = Snapshot::of(codes, state).filter(|_| is_plain) else { continue };
                if circuits.judge(&before).is_none() {
                    continue;
                }
                for (step, end) in circuits.successors(&before) {
                    let thread = problem.steps[step].thread;
                    let mut states = vec![state.clone()];
                    let is_it = |state: &PlainState| match &end {
                        Ok(after) => Snapshot::of(codes, state).as_ref() == Some(after),
                        Err(property) => failed(&state.locals[thread.index()]) == Some(*property),
                    };
                    // What the circuits do at once, the interpreter issues, performs and retires; then come local steps.
                    let is_there = (0..12).any(|_| {
                        let next = states.iter().flat_map(|state| interpreter.successors(state).steps);
                        let own = next.filter(|(label, _)| label.thread == thread).map(|(_, state)| state);
                        states = own.collect::<HashSet<_>>().into_iter().collect();
                        states.iter().any(is_it)
                    });
                    assert!(is_there, "{}\n{before:?}\n{end:?}\n{}", model.name, automata::text::write(&automata));
                    n_compared += 1;
                }
            }
        });
    }
    assert!(n_compared > 10_000, "{n_compared} compared");
}

#[test]
fn conditions_are_what_the_interpreter_judges() {
    let mut random = Random(0x9E37_79B9_0000_0003);
    let mut n_compared = 0;
    for _ in 0..60 {
        let mut automata = located(&mut random);
        candidates(&mut random, &mut automata, 12);
        with_states(&automata, 800, |both| {
            let Both { memory, interpreter, states, codes, problem, circuits, .. } = both;
            for state in states {
                // Under `sc` a store is performed where it stands.
                let is_plain = memory != Memory::Sc || state.locals.iter().all(|local| local.queue.is_empty());
                let Some(snapshot) = Snapshot::of(codes, state).filter(|_| is_plain) else { continue };
                let Some(judged) = circuits.judge(&snapshot) else {
                    // A value that its cell cannot hold is refused when it is stored, not when it is committed.
                    let cells = snapshot.threads.iter().flat_map(|thread| &thread.buffer);
                    let fits = |(cell, value): &(CellId, Value)| automata.cells[*cell].domain.contains(*value);
                    assert!(!cells.copied().all(|pending| fits(&pending)), "what is reached is typed: {snapshot:?}");
                    continue;
                };
                for (row, value) in problem.rows.iter().zip(judged) {
                    let PropertyKind::Invariant(condition) = &automata.properties[row.property].kind else { continue };
                    if !is_about_to_end(codes, state) {
                        assert_eq!(interpreter.judge(state, condition), Some(value), "{condition:?}");
                        n_compared += 1;
                    }
                }
            }
        });
    }
    assert!(n_compared > 10_000, "{n_compared} compared");
}

pub(crate) fn prove_all(problem: &Problem<'_>) -> Proof {
    let control = prove::Control { stop: &AtomicBool::new(false), progress: &|_, _| {} };
    prove::prove(problem, 1, Limits::default(), &control).expect("supported")
}

/// Leaves out candidates that are not inductive together with the others, until all are.
fn inductive(automata: &mut Automata, memory: Memory) {
    loop {
        let (proof, rows) = {
            let problem = Problem::new(automata, memory, None, &[]).expect("supported");
            (prove_all(&problem), problem.rows.iter().map(|row| row.property).collect::<Vec<_>>())
        };
        let mut bad: BTreeSet<PropertyId> = proof.false_at_the_start.iter().map(|row| rows[*row]).collect();
        for (_, obligation) in proof.obligations() {
            if let ObligationResult::Counterexample(found) = &obligation.outcome {
                assert_eq!(
                    found.confirmation,
                    prove::Confirmation::Confirmed,
                    "{found:?}\n{}",
                    automata::text::write(automata)
                );
                bad.insert(rows[obligation.row]);
            }
        }
        let is_stated = |id: &PropertyId| matches!(automata.properties[*id].kind, PropertyKind::Invariant(_));
        let bad: Vec<PropertyId> = bad.into_iter().filter(is_stated).collect();
        if bad.is_empty() {
            return;
        }
        bad.into_iter().for_each(|id| automata.properties[id].kind = PropertyKind::Assert);
    }
}

#[test]
fn what_is_proved_is_never_violated_by_check() {
    let mut random = Random(0x9E37_79B9_0000_0004);
    let (mut n_proved, mut n_dropped) = (0, 0);
    // As many as take a few seconds; `./test --full` has many more.
    let n_turns = if std::env::var_os("LACUNA_FULL").is_some() { 1_400 } else { 120 };
    for turn in 0..n_turns {
        let mut automata = if turn % 2 == 0 { system(&mut random) } else { located(&mut random) };
        candidates(&mut random, &mut automata, 16);
        for (model, memory) in memories() {
            let mut automata = automata.clone();
            inductive(&mut automata, memory);
            let problem = Problem::new(&automata, memory, None, &[]).expect("supported");
            if !problem.liberties.is_empty() {
                continue;
            }
            let n_left = automata.properties.values().filter(|p| matches!(p.kind, PropertyKind::Invariant(_))).count();
            let options = options(Reductions::ALL);
            let compiled = Compiled::new(&automata, &model, &options);
            let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
            let outcome = search(&compiled, &SearchOptions::default(), &control);
            if let Verdict::Violated { property, .. } = outcome.verdict {
                let kind = &automata.properties[PropertyId(property)].kind;
                assert!(
                    !matches!(kind, PropertyKind::Invariant(_)),
                    "{} {kind:?}\n{}",
                    model.name,
                    automata::text::write(&automata)
                );
                continue;
            }
            n_proved += n_left;
            n_dropped += 16 - n_left;
        }
    }
    assert!(n_proved > 70 && n_dropped > 100, "{n_proved} proved, {n_dropped} dropped");
}
