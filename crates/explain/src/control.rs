//! What decides whether a point is reached.

use automata::{Action, Automaton, PointId};
use base::Table;
use base::table::Id;
use std::cell::OnceCell;

/// For each point, the branches and assumptions that decide whether it is reached, worked out when someone asks.
///
/// A branch decides if the point is inevitable one way and not the other. A loop that may continue forever makes nothing behind it
/// inevitable, so what follows a waiting loop depends on what ends it.
pub(crate) struct Deciders<'a> {
    automaton: &'a Automaton,
    known: Table<PointId, OnceCell<Vec<PointId>>>,
}

impl<'a> Deciders<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        Deciders { automaton, known: automaton.points.ids().map(|_| OnceCell::new()).collect() }
    }

    pub(crate) fn of(&self, point: PointId) -> &[PointId] {
        self.known[point].get_or_init(|| deciders_of(self.automaton, point))
    }
}

fn deciders_of(automaton: &Automaton, point: PointId) -> Vec<PointId> {
    let inevitable = inevitable(automaton, point);
    let decides = |branch: &PointId| match automaton.points[*branch].action {
        Action::Branch { then, otherwise, .. } => inevitable[then.index()] != inevitable[otherwise.index()],
        // A run on which the condition is false goes no further.
        Action::Assume(_) => *branch != point && inevitable[branch.index()],
        _ => false,
    };
    automaton.points.ids().filter(decides).collect()
}

/// For each point, whether every run that continues from there comes to `target`.
fn inevitable(automaton: &Automaton, target: PointId) -> Vec<bool> {
    let mut inevitable = vec![false; automaton.points.len()];
    inevitable[target.index()] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for point in automaton.points.ids().rev().filter(|point| *point != target) {
            let next = automaton.successors(point);
            let now = !next.is_empty() && next.iter().all(|next| inevitable[next.index()]);
            changed |= now != inevitable[point.index()];
            inevitable[point.index()] = now;
        }
    }
    inevitable
}
