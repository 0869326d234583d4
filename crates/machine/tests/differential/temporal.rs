//! Temporal properties: the tabulated form against the interpreter, and the reductions against the plain rules.

use super::histories::rc11;
use super::{N_CELLS, Random, memories, options, system};
use ::liveness::{Ending, EndingVerdict, FairSystem, Property, Verdict, check, check_ending};
use automata::*;
use ltl::Formula;
use machine::{Interpreter, Local, Mode, Persistent, PlainState, Reductions, Runs, Tabulated, refused};
use memory::MemoryModel;
use std::collections::HashMap;
use system::{Control, Limits, Successors, TransitionSystem};

/// The atoms on cells, ends and a register of each random system, and those on locations.
const N_PLAIN_ATOMS: u32 = N_CELLS + 3;
const N_ATOMS: u32 = N_PLAIN_ATOMS + 2;

/// A random system whose threads mostly loop forever, with a property that has one atom per cell, and some more.
pub(super) fn looping(random: &mut Random) -> Automata {
    let mut automata = system(random, false);
    for thread in automata.threads.values_mut() {
        let n_points = thread.automaton.points.len() as u32;
        let last = &mut thread.automaton.points[PointId(n_points - 2)];
        match random.pick(3) {
            0 => last.next = PointId(0),
            1 => last.action = Action::Choose(vec![PointId(0), PointId(n_points - 1)]),
            _ => {}
        }
    }
    let atom = |cell| Expr::binary(BinaryOp::Equal, Expr::Leaf(StateLeaf::Cell(CellId(cell))), Expr::Const(1));
    let mut atoms: Vec<StateExpr> = (0..N_CELLS).map(atom).collect();
    atoms.extend((0..2).map(|thread| Expr::Leaf(StateLeaf::Ended(ThreadId(thread)))));
    atoms.push(Expr::Leaf(StateLeaf::Register(ThreadId(0), RegId(0))));
    for thread in 0..2 {
        let n_points = automata.threads[ThreadId(thread)].automaton.points.len() as u64;
        let points = (0..random.pick(3)).map(|_| PointId(random.pick(n_points) as u32)).collect();
        atoms.push(Expr::Leaf(StateLeaf::At(ThreadId(thread), points)));
    }
    let kind = PropertyKind::Ltl(Ltl { formula: Formula::True, atoms, fairness: Fairness::All });
    automata.properties.push(automata::Property { name: "p".into(), kind, span: base::Span::none() });
    automata
}

/// A memory of histories, if the system has a meaning there.
fn histories(automata: &Automata) -> Option<MemoryModel> {
    Some(rc11(3)).filter(|memory| refused(automata, memory).is_none())
}

pub(super) fn temporal(automata: &Automata) -> &Ltl {
    let kinds = automata.properties.values().map(|property| &property.kind);
    kinds.filter_map(|kind| if let PropertyKind::Ltl(ltl) = kind { Some(ltl) } else { None }).next().unwrap()
}

/// All states of the interpreter, and what temporal properties see of them.
pub(super) struct Plain {
    pub(super) steps: Vec<Vec<(u32, u8)>>,
    pub(super) atoms: Vec<u64>,
    pub(super) undecided: Vec<u64>,
    pub(super) enabled: Vec<u64>,
    pub(super) discarded: Vec<bool>,
    pub(super) n_initial: u32,
    pub(super) speculates: bool,
    pub(super) states: Vec<PlainState>,
}

impl Plain {
    pub(super) fn new(interpreter: &Interpreter<'_>, ltl: &Ltl, max: usize) -> Option<Self> {
        let mut states: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
        let mut numbers: HashMap<PlainState, u32> = states.iter().cloned().zip(0..).collect();
        let n_initial = states.len() as u32;
        let (mut steps, mut atoms, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
        let (mut enabled, mut discarded) = (Vec::new(), Vec::new());
        while steps.len() < states.len() {
            let state = states[steps.len()].clone();
            let successors = interpreter.run_successors(&state);
            let (truth, to_come) = interpreter.atoms(&state, ltl);
            atoms.push(truth);
            undecided.push(to_come);
            enabled.push(interpreter.enabled(&state, &successors));
            discarded.push(successors.discarded);
            let mut out = Vec::new();
            for (step, next) in successors.steps {
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                let label = step.thread.0 as u8 | u8::from(step.performs_oldest) << 7;
                out.push((number, if step.changes_nothing() { 127 } else { label }));
            }
            steps.push(out);
            if states.len() > max {
                return None;
            }
        }
        let speculates = states.iter().any(|state| state.locals.iter().any(Local::is_uncertain));
        Some(Plain { steps, atoms, undecided, enabled, discarded, n_initial, speculates, states })
    }
}

impl TransitionSystem for Plain {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        1
    }
    fn initial(&self, out: &mut Successors) {
        for number in 0..self.n_initial {
            out.push(&[number], 0);
        }
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        out.discarded |= self.discarded[from[0] as usize];
        for (number, label) in &self.steps[from[0] as usize] {
            out.push(&[*number], *label);
        }
    }
}

impl FairSystem for Plain {
    fn atoms(&self, state: &[u32]) -> u64 {
        self.atoms[state[0] as usize]
    }
    fn undecided(&self, state: &[u32]) -> u64 {
        self.undecided[state[0] as usize]
    }
    fn undecidable(&self) -> u64 {
        self.undecided.iter().fold(0, |all, undecided| all | undecided)
    }
    fn n_components(&self) -> u32 {
        4
    }
    fn taken(&self, label: u8) -> u64 {
        let thread = label & 0x7F;
        1 << thread | u64::from(label >> 7) << (2 + thread)
    }
    fn enabled(&self, state: &[u32], _: u64) -> u64 {
        self.enabled[state[0] as usize]
    }
}

pub(super) fn holds(system: &impl FairSystem, formula: &Formula, fairness: u64) -> bool {
    let control = Control::quiet();
    let property = Property::new(formula.clone()).expect("it is small");
    let outcome = check(system, &property, fairness, &Limits::default(), &control);
    outcome.verdict == Verdict::Holds
}

/// A random formula without `next`, over cells: what a thread does between two steps is not seen.
pub(super) fn formula(random: &mut Random, depth: u32) -> Formula {
    formula_over(random, depth, &(0..N_CELLS).collect::<Vec<_>>())
}

/// A random formula without `next` over these atoms.
pub(super) fn formula_over(random: &mut Random, depth: u32, atoms: &[u32]) -> Formula {
    if depth == 0 {
        return Formula::Atom(atoms[random.pick(atoms.len() as u64) as usize]);
    }
    let inner = |random: &mut Random| formula_over(random, depth - 1, atoms);
    match random.pick(8) {
        0 => Formula::negation(inner(random)),
        1 => Formula::and(inner(random), inner(random)),
        2 => Formula::or(inner(random), inner(random)),
        3 => Formula::until(inner(random), inner(random)),
        4 | 5 => Formula::eventually(inner(random)),
        _ => Formula::always(inner(random)),
    }
}

/// One pass over the runs that end, with these reductions and the eager closure.
pub(super) fn pass_over_ending(
    automata: &Automata,
    memory: &MemoryModel,
    reductions: Reductions,
    ltl: &Ltl,
    inspect: bool,
) -> Ending {
    let options = options(Reductions { eager_closure: true, ..reductions });
    let system = Persistent::for_runs(automata, memory, &options, ltl);
    let property = Property::new(ltl.formula.clone()).expect("it is small");
    check_ending(&Runs::new(&system, ltl), &property, inspect, &Limits::default(), &Control::quiet())
}

/// Compares a plain state, by its number, with the tabulated form of it.
type Compare<'c> = dyn FnMut(&Tabulated<'_>, &Runs<'_, Tabulated<'_>>, &Plain, usize) + 'c;

/// Calls `compare` with the number of each plain state in which no thread has failed, if there are at most 2 000 states.
pub(super) fn for_each_state(automata: &Automata, memory: &MemoryModel, compare: &mut Compare<'_>) {
    let (ltl, options) = (temporal(automata), options(Reductions { symmetry: false, ..Reductions::ALL }));
    let tables = Tabulated::new(automata, memory, &options);
    let runs = Runs::new(&tables, ltl);
    let Some(plain) = Plain::new(&Interpreter::new(automata, memory, &options), ltl, 2_000) else { return };
    for (number, state) in plain.states.iter().enumerate() {
        if !state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_))) {
            compare(&tables, &runs, &plain, number);
        }
    }
}

#[test]
fn the_tabulated_form_sees_what_the_interpreter_sees() {
    let mut random = Random(0x5EED_0004);
    let mut n_states = 0;
    for _ in 0..60 {
        let automata = looping(&mut random);
        for memory in memories().into_iter().chain(histories(&automata)) {
            for_each_state(&automata, &memory, &mut |tables, runs, plain, number| {
                let state = &plain.states[number];
                let words = tables.pack(state);
                let mut successors = Successors::new(runs.state_len());
                runs.successors(&words, &mut runs.scratch(), &mut successors);
                let mut found: Vec<(Vec<u32>, u8)> =
                    successors.iter().map(|(to, label)| (to.to_vec(), label)).collect();
                let pack = |(to, label): &(u32, u8)| (tables.pack(&plain.states[*to as usize]), *label);
                let mut expected: Vec<_> = plain.steps[number].iter().map(pack).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected);
                let stepping = found.iter().fold(0, |all, (_, label)| all | runs.taken(*label));
                assert_eq!(runs.enabled(&words, stepping), plain.enabled[number], "{} {state:?}", memory.name);
                assert_eq!(runs.atoms(&words), plain.atoms[number], "{state:?}");
                assert_eq!(runs.undecided(&words), plain.undecided[number], "{state:?}");
                n_states += 1;
            });
        }
    }
    assert!(n_states > 10_000, "{n_states} states");
}

#[test]
fn no_reduction_changes_a_temporal_verdict() {
    let mut random = Random(0x5EED_0005);
    let (mut n_held, mut n_violated, mut n_unfair) = (0, 0, 0);
    for _ in 0..super::rounds(28) {
        let automata = looping(&mut random);
        let ltl = temporal(&automata);
        for memory in memories().into_iter().chain(histories(&automata)) {
            let none = options(Reductions::NONE);
            let interpreter = Interpreter::new(&automata, &memory, &none);
            let Some(plain) = Plain::new(&interpreter, ltl, 1_500) else { continue };
            if plain.speculates {
                continue;
            }
            let reduced = options(Reductions::ALL);
            let tables = Tabulated::new(&automata, &memory, &reduced);
            let runs = Runs::new(&tables, ltl);
            for round in 0..4 {
                let formula = if round == 0 { visits(&mut random) } else { formula(&mut random, 3) };
                let fairly = holds(&plain, &formula, 0b1111);
                // A thread that no scheduler treats fairly need not even issue what the closure issues at once.
                let anyhow = if round == 0 { holds(&runs, &formula, 0) } else { holds(&plain, &formula, 0) };
                assert_eq!(
                    holds(&runs, &formula, 0b1111),
                    fairly,
                    "{} {formula:?}\n{}",
                    memory.name,
                    automata::text::write(&automata)
                );
                assert_eq!(
                    holds(&runs, &formula, 0),
                    anyhow,
                    "{} {formula:?}\n{}",
                    memory.name,
                    automata::text::write(&automata)
                );
                n_held += usize::from(fairly);
                n_violated += usize::from(!fairly);
                n_unfair += usize::from(fairly != anyhow);
            }
        }
    }
    assert!(n_held > 100 && n_violated > 100 && n_unfair > 5, "{n_held} {n_violated} {n_unfair}");
}

/// A formula on how often a thread comes to locations that a property names. Without the eager closure it also is in between,
/// where these formulas see nothing.
fn visits(random: &mut Random) -> Formula {
    let there = Formula::Atom(N_PLAIN_ATOMS + random.pick(u64::from(N_ATOMS - N_PLAIN_ATOMS)) as u32);
    let sometime = Formula::eventually(there);
    let visits = if random.pick(2) == 0 { sometime } else { Formula::always(sometime) };
    if random.pick(2) == 0 { Formula::negation(visits) } else { visits }
}

/// A thread of the same program as another, so that there is something to identify.
pub(super) fn with_twin(mut automata: Automata, random: &mut Random) -> Automata {
    if random.pick(2) == 0 {
        let ids: Vec<ThreadId> = automata.threads.ids().collect();
        automata.threads[ids[1]].automaton = automata.threads[ids[0]].automaton.clone();
        let n_points = automata.threads[ids[1]].automaton.points.len();
        for property in automata.properties.values_mut() {
            let PropertyKind::Ltl(ltl) = &mut property.kind else { continue };
            for atom in &mut ltl.atoms {
                if let Expr::Leaf(StateLeaf::At(_, points)) = atom {
                    points.retain(|point| (point.0 as usize) < n_points);
                }
            }
        }
    }
    automata
}

/// What the pass for runs that end says is what the search without any reduction says, whichever are on.
#[test]
fn the_pass_for_runs_that_end_changes_no_verdict() {
    let mut random = Random(0x5EED_0006);
    let (mut n_held, mut n_suspected, mut n_given_up, mut n_reduced) = (0, 0, 0, 0);
    let all = Reductions::ALL;
    let switched =
        [all, Reductions { partial_order: false, ..all }, Reductions { symmetry: false, ..all }, Reductions::NONE];
    for round in 0..super::rounds(28) {
        let automata = if round % 4 == 0 { looping(&mut random) } else { ending(&mut random) };
        let automata = with_twin(automata, &mut random);
        let declared = temporal(&automata);
        for memory in memories() {
            let none = options(Reductions::NONE);
            let interpreter = Interpreter::new(&automata, &memory, &none);
            let Some(plain) = Plain::new(&interpreter, declared, 3_000) else { continue };
            if plain.speculates || plain.discarded.contains(&true) {
                continue;
            }
            for _ in 0..3 {
                let formula = formula(&mut random, 3);
                let expected = [holds(&plain, &formula, 0), holds(&plain, &formula, 0b1111)];
                let ltl = Ltl { formula, atoms: declared.atoms[..N_CELLS as usize].to_vec(), fairness: Fairness::All };
                let mut n_states = Vec::new();
                for reductions in switched {
                    let found = pass_over_ending(&automata, &memory, reductions, &ltl, round % 2 == 0);
                    n_states.push(found.statistics.states);
                    let reported = match found.verdict {
                        EndingVerdict::Holds => Some([true, true]),
                        EndingVerdict::Suspicion => Some([false, false]),
                        _ => None,
                    };
                    n_held += usize::from(reported == Some([true, true]));
                    n_suspected += usize::from(reported == Some([false, false]));
                    n_given_up += usize::from(reported.is_none());
                    let text = || automata::text::write(&automata);
                    assert_eq!(
                        reported.unwrap_or(expected),
                        expected,
                        "{} {reductions:?} {ltl:?}\n{}",
                        memory.name,
                        text()
                    );
                }
                n_reduced += usize::from(n_states[0] < n_states[1]);
            }
        }
    }
    assert!(n_held > 200 && n_suspected > 200 && n_given_up > 40, "{n_held} {n_suspected} {n_given_up}");
    assert!(n_reduced > 40, "{n_reduced}");
}

/// As `looping`, but no thread loops.
fn ending(random: &mut Random) -> Automata {
    let mut automata = looping(random);
    for thread in automata.threads.values_mut() {
        let n_points = thread.automaton.points.len() as u32;
        let last = &mut thread.automaton.points[PointId(n_points - 2)];
        last.action = Action::Fence(memory::Fence::Full);
        last.next = PointId(n_points - 1);
    }
    automata
}
