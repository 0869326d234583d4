//! Regions: which points belong to one, and what they wait for.

use automata::{Action, Automaton, PointId, Region, Wait};
use std::collections::BTreeSet;

/// What a region waits for before it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waits {
    /// Until every older memory operation of the thread has been performed.
    Performed,
    /// Until what nothing overtakes has been performed.
    Walls,
    /// It is part of the step that performs the operation before it.
    Operation,
    /// It is part of the step that issues the store before it.
    Issue,
    /// Until the world has stopped.
    World,
}

pub(crate) fn waits(region: Region) -> Waits {
    match region {
        Region::Atomic(Wait::Performed) | Region::Direct(Wait::Performed) => Waits::Performed,
        Region::Atomic(Wait::Walls) | Region::Direct(Wait::Walls) => Waits::Walls,
        Region::Then => Waits::Operation,
        Region::Issued => Waits::Issue,
        Region::StopTheWorld => Waits::World,
    }
}

/// Whether the action is a block that is executed when the store before it is issued.
pub(crate) fn is_issued(action: &Action) -> bool {
    matches!(action, Action::Enter(region) if waits(*region) == Waits::Issue)
}

/// Whether the action is a block that is executed when the operation before it is performed.
pub(crate) fn is_then(action: &Action) -> bool {
    matches!(action, Action::Enter(region) if waits(*region) == Waits::Operation)
}

/// All points inside regions.
pub(crate) fn points_inside(automaton: &Automaton) -> BTreeSet<PointId> {
    let entries = automaton.points.iter().filter(|(_, point)| matches!(point.action, Action::Enter(_)));
    entries.flat_map(|(entry, _)| inside(automaton, entry)).collect()
}

/// The points of the region that is entered at `entry`, its end included.
pub(crate) fn inside(automaton: &Automaton, entry: PointId) -> BTreeSet<PointId> {
    let mut found = BTreeSet::new();
    let mut open = automaton.successors(entry);
    while let Some(point) = open.pop() {
        if found.insert(point) && !matches!(automaton.points[point].action, Action::Leave) {
            open.extend(automaton.successors(point));
        }
    }
    found
}

/// Where the thread continues after the region that is entered at `entry`.
pub(crate) fn ends(automaton: &Automaton, entry: PointId) -> BTreeSet<PointId> {
    let is_end = |point: &PointId| matches!(automaton.points[*point].action, Action::Leave);
    inside(automaton, entry).into_iter().filter(is_end).map(|point| automaton.points[point].next).collect()
}
