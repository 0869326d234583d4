//! Residuals of properties, by the point where a thread is.
//!
//! With the thread at a known point, all that is said of its location is constant. Of a conjunct such as
//! `at(m, marking) implies m.ref != null` nothing is left anywhere else, and so `ref` matters nowhere else.

use crate::properties::conjuncts::{Conjunct, conjuncts, is_odd, parts, stated, threads};
use crate::properties::specialise::{Binding, is_true, specialise};
use crate::properties::view::View;
use automata::{Automata, PointId, PropertyKind, RegId, StateExpr, StateLeaf, Thread, ThreadId, Value};
use base::Table;
use base::table::Id;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The residual of a conjunct with a thread at a point.
#[derive(Clone, Debug)]
pub(crate) struct PointResidual {
    /// The thread; one of those that share the code.
    pub(crate) thread: ThreadId,
    /// The point.
    pub(crate) point: PointId,
    /// The conjunct's position in `conjuncts`.
    pub(crate) index: usize,
    /// What is left of the conjunct.
    pub(crate) rest: Arc<Conjunct>,
    /// The same taken apart, if it speaks of this thread only.
    pub(crate) parts: Arc<[Arc<Conjunct>]>,
    /// Whether it speaks of other threads too.
    pub(crate) is_joint: bool,
    /// Whether it cannot be evaluated in part.
    pub(crate) is_odd: bool,
    /// Whether the property names a label of the thread: then it sees the thread where it passes, too (semantics 8.2).
    pub(crate) is_located: bool,
}

impl PointResidual {
    /// Whether it counts for this view of the thread.
    pub(crate) fn sees(&self, view: View<'_>) -> bool {
        self.is_located || view.passed.is_none()
    }
}

/// For each thread that is the first with its program, the residuals for those with that program, by point.
pub(crate) fn residuals(automata: &Automata, same: &[usize]) -> Vec<Table<PointId, Vec<PointResidual>>> {
    let mut all = by_point(automata);
    let stated = stated(automata);
    let conjuncts =
        stated.iter().flat_map(|whole| whole.conjuncts(automata).into_iter().map(move |part| (whole, part)));
    for (index, (whole, conjunct)) in conjuncts.enumerate() {
        let threads = threads(automata, &conjunct.condition);
        let is_joint = threads.len() > 1;
        let is_odd = is_odd(automata, &conjunct.condition);
        for thread in threads {
            let residuals = &mut all[same[thread.index()]];
            let is_located = is_located(automata, whole.owner.whole(automata, &whole.condition), thread);
            for (points, condition) in by_location(automata, &conjunct.condition, thread) {
                let rest = Arc::new(Conjunct { owner: conjunct.owner, condition });
                let parts: Arc<[_]> = if is_joint { Arc::default() } else { parts(automata, &rest).into() };
                for point in points.into_iter().filter(|_| !is_true(&rest.condition)) {
                    let (rest, parts) = (rest.clone(), parts.clone());
                    residuals[point].push(PointResidual {
                        thread,
                        point,
                        index,
                        rest,
                        parts,
                        is_joint,
                        is_odd,
                        is_located,
                    });
                }
            }
        }
    }
    all
}

/// For each thread that is the first with its program, the registers that a property looks at, by point.
pub(crate) fn observed(
    automata: &Automata,
    same: &[usize],
    residuals: &[Table<PointId, Vec<PointResidual>>],
) -> Vec<Table<PointId, Vec<RegId>>> {
    let mut all = by_point(automata);
    let mut known = Registers::default();
    for (residuals, observed) in residuals.iter().zip(&mut all) {
        for (residuals, observed) in residuals.values().zip(observed.values_mut()) {
            residuals.iter().for_each(|a| known.of(automata, a).iter().for_each(|register| add(*register, observed)));
        }
    }
    for atom in atoms(automata) {
        for thread in threads(automata, atom) {
            for (points, condition) in by_location(automata, atom, thread) {
                let observed = &mut all[same[thread.index()]];
                points.into_iter().for_each(|point| add_registers(automata, &condition, thread, &mut observed[point]));
            }
        }
    }
    all
}

fn by_point<T>(automata: &Automata) -> Vec<Table<PointId, Vec<T>>> {
    automata.threads.values().map(|thread| thread.automaton.points.ids().map(|_| Vec::new()).collect()).collect()
}

/// For each thread that is the first with its program, which points an invariant or a cover property names.
pub(crate) fn named(automata: &Automata, same: &[usize]) -> Vec<Table<PointId, bool>> {
    let points = |thread: &Thread| thread.automaton.points.ids().map(|_| false).collect();
    let mut named: Vec<Table<PointId, bool>> = automata.threads.values().map(points).collect();
    for conjunct in conjuncts(automata) {
        automata.leaves(&conjunct.condition, &mut |leaf| {
            if let StateLeaf::At(thread, points) = leaf {
                points.iter().for_each(|point| named[same[thread.index()]][*point] = true);
            }
        });
    }
    named
}

/// Whether a property speaks of a thread, or of how states follow one another.
pub(crate) fn speaks_of_threads(automata: &Automata) -> bool {
    let mut of_threads = automata.properties.values().any(|property| matches!(property.kind, PropertyKind::Ltl(_)));
    for conjunct in conjuncts(automata) {
        let is_of_memory = |leaf: &StateLeaf| matches!(leaf, StateLeaf::Cell(_) | StateLeaf::CellAt { .. });
        automata.leaves(&conjunct.condition, &mut |leaf| of_threads |= !is_of_memory(leaf));
    }
    of_threads
}

/// What temporal properties speak of. (`forbid` speaks of the end, where all observed registers matter.)
fn atoms(automata: &Automata) -> impl Iterator<Item = &StateExpr> {
    automata.properties.values().flat_map(|property| match &property.kind {
        PropertyKind::Ltl(ltl) => &ltl.atoms[..],
        _ => &[],
    })
}

/// What is left of a condition wherever a thread may be: points at which the same is said of its location go together.
fn by_location(automata: &Automata, condition: &StateExpr, thread: ThreadId) -> Vec<(Vec<PointId>, StateExpr)> {
    let named = locations(automata, condition, thread);
    let mut together: BTreeMap<Vec<bool>, Vec<PointId>> = BTreeMap::new();
    for point in automata.threads[thread].automaton.points.ids() {
        together.entry(named.iter().map(|points| points.contains(&point)).collect()).or_default().push(point);
    }
    let rest = |points: Vec<PointId>| {
        let rest = at(condition, thread, points[0]);
        (points, rest)
    };
    together.into_values().map(rest).collect()
}

/// Whether a condition says something of where a thread is.
pub(crate) fn is_located(automata: &Automata, condition: &StateExpr, thread: ThreadId) -> bool {
    !locations(automata, condition, thread).is_empty()
}

/// All that a condition says of where a thread is.
fn locations<'a>(automata: &'a Automata, condition: &'a StateExpr, thread: ThreadId) -> Vec<&'a Vec<PointId>> {
    let mut named = Vec::new();
    automata.leaves(condition, &mut |leaf| match leaf {
        StateLeaf::At(of, points) if *of == thread => named.push(points),
        _ => {}
    });
    named
}

/// A condition in which `thread` is at `point`.
fn at(condition: &StateExpr, thread: ThreadId, point: PointId) -> StateExpr {
    specialise(condition, &|leaf| match leaf {
        StateLeaf::At(of, points) if *of == thread => Binding::value(Some(Value::from(points.contains(&point)))),
        _ => Binding::Open,
    })
}

/// The registers that conditions look at. Points share conditions, so each is looked through once.
#[derive(Default)]
struct Registers {
    known: FxHashMap<(*const Conjunct, ThreadId), Vec<RegId>>,
}

impl Registers {
    fn of(&mut self, automata: &Automata, residual: &PointResidual) -> &[RegId] {
        self.known.entry((Arc::as_ptr(&residual.rest), residual.thread)).or_insert_with(|| {
            let mut registers = Vec::new();
            add_registers(automata, &residual.rest.condition, residual.thread, &mut registers);
            registers
        })
    }
}

fn add_registers(automata: &Automata, condition: &StateExpr, thread: ThreadId, registers: &mut Vec<RegId>) {
    automata.leaves(condition, &mut |leaf| match leaf {
        StateLeaf::Register(of, register) if *of == thread => add(*register, registers),
        _ => {}
    });
}

fn add(register: RegId, registers: &mut Vec<RegId>) {
    if !registers.contains(&register) {
        registers.push(register);
    }
}
