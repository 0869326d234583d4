//! Which threads are interchangeable: those with equal programs that no property tells apart.
//!
//! Equal means equal: a program that names a cell of its own (such as `requested[self]`) differs from
//! its sibling's and is left alone, because then the collector treats them in some order.

use automata::{Automata, Automaton, PropertyKind, StateExpr, StateLeaf, ThreadId};
use base::table::Id;

/// For each thread, the first thread that runs an equal program (itself, mostly).
pub(crate) fn same_program(automata: &Automata) -> Vec<usize> {
    let programs: Vec<_> = automata.threads.values().map(|thread| program(&thread.automaton)).collect();
    programs.iter().map(|p| programs.iter().position(|q| q == p).unwrap_or(0)).collect()
}

/// A program without what only people see.
fn program(automaton: &Automaton) -> impl PartialEq + use<> {
    let points: Vec<_> = automaton.points.values().map(|p| (p.action.clone(), p.next)).collect();
    let domains: Vec<_> = automaton.registers.values().map(|r| r.domain).collect();
    (points, automaton.entry, domains, automaton.observed.clone())
}

/// Groups of two or more interchangeable threads.
pub(crate) fn interchangeable(automata: &Automata) -> Vec<Vec<usize>> {
    let mut named = vec![false; automata.threads.len()];
    for property in automata.properties.values() {
        if let PropertyKind::Invariant(condition) | PropertyKind::Forbid(condition) = &property.kind {
            mark_named(condition, &mut named);
        }
    }
    automata.covers.values().filter_map(|cover| cover.condition.as_ref()).for_each(|c| mark_named(c, &mut named));
    let same = same_program(automata);
    let group = |first: usize| (0..same.len()).filter(|t| same[*t] == first && !named[*t]).collect::<Vec<_>>();
    (0..same.len()).map(group).filter(|group| group.len() > 1).collect()
}

fn mark_named(condition: &StateExpr, named: &mut [bool]) {
    condition.leaves(&mut |leaf| match leaf {
        StateLeaf::Register(thread, _)
        | StateLeaf::At(thread, _)
        | StateLeaf::Ended(thread)
        | StateLeaf::Performed(thread) => named[ThreadId::index(*thread)] = true,
        StateLeaf::CellAt { index, .. } => mark_named(index, named),
        StateLeaf::Cell(_) => {}
    });
}
