//! What properties ask: their conditions, and the points at which they look.

use automata::{Automata, Ltl, Moment, PointId, PropertyKind, StateExpr, StateLeaf, ThreadId};
use base::table::Id;
use std::collections::BTreeSet;

/// The conditions of invariants and covers.
pub(crate) fn of_states(automata: &Automata) -> impl Iterator<Item = &StateExpr> {
    let judged = automata.properties.values().filter_map(|property| property.kind.state_property());
    let invariants = judged.filter(|judged| judged.moment == Moment::Always).map(|judged| judged.condition);
    invariants.chain(automata.covers.values().filter_map(|cover| cover.condition.as_ref()))
}

/// Temporal properties, each with its position among all.
pub(crate) fn temporal(automata: &Automata) -> impl Iterator<Item = (usize, &Ltl)> {
    automata.properties.iter().filter_map(|(id, property)| match &property.kind {
        PropertyKind::Ltl(ltl) => Some((id.index(), ltl)),
        _ => None,
    })
}

/// The points of a thread at which conditions look.
pub(crate) fn points<'a>(
    automata: &'a Automata,
    thread: ThreadId,
    conditions: impl Iterator<Item = &'a StateExpr>,
) -> BTreeSet<PointId> {
    let mut points = BTreeSet::new();
    for condition in conditions {
        automata.leaves(condition, &mut |leaf| {
            if let StateLeaf::At(of, at) = leaf
                && *of == thread
            {
                points.extend(at.iter().copied());
            }
        });
    }
    points
}
