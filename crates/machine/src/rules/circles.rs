//! Where a thread may loop without touching shared state.

use automata::{Action, Automaton, PointId};
use base::Table;

/// For each point, whether a cycle of local actions may go through it: those that are left when, again and again, points to which no
/// local action leads are taken away. What lies behind a cycle is left, too.
pub(crate) fn circles(automaton: &Automaton) -> Table<PointId, bool> {
    let mut is_left: Table<PointId, bool> =
        automaton.points.values().map(|point| is_passed_locally(&point.action)).collect();
    let mut n_ways_to: Table<PointId, usize> = automaton.points.ids().map(|_| 0).collect();
    let local = automaton.points.ids().filter(|point| is_left[*point]);
    local.flat_map(|point| automaton.successors(point)).for_each(|next| n_ways_to[next] += 1);
    let mut first: Vec<PointId> =
        automaton.points.ids().filter(|point| is_left[*point] && n_ways_to[*point] == 0).collect();
    while let Some(point) = first.pop() {
        is_left[point] = false;
        for next in automaton.successors(point) {
            n_ways_to[next] -= 1;
            first.extend((is_left[next] && n_ways_to[next] == 0).then_some(next));
        }
    }
    is_left
}

/// Whether a thread may continue past the action without a step. An access may be issued so, but leaves the queue by a step only.
fn is_passed_locally(action: &Action) -> bool {
    match action {
        Action::Fence(_)
        | Action::Compute { .. }
        | Action::Branch { .. }
        | Action::Choose(_)
        | Action::Assert { .. }
        | Action::Cover { .. }
        | Action::Assume(_)
        | Action::Discard(_)
        | Action::Perform
        | Action::Begin(_)
        | Action::Leave => true,
        Action::Access(_) | Action::Safepoint | Action::Enter(_) | Action::Commit | Action::Abort(_) | Action::Halt => {
            false
        }
    }
}
