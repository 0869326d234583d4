//! Programs that would keep the machine busy for ever within one step are left out.

use automata::{Action, Automata, Automaton, PointId};
use base::table::Id;

/// Whether no thread can go round in local actions, or inside a region.
pub fn is_safe(automata: &Automata) -> bool {
    automata.threads.values().all(|thread| {
        let automaton = &thread.automaton;
        let inside = inside_regions(automaton);
        let is_step = |point: PointId| !inside[point.index()] && is_step(&automaton.points[point].action);
        !has_cycle(automaton, &is_step)
    })
}

fn is_step(action: &Action) -> bool {
    matches!(action, Action::Access(_) | Action::Enter(_) | Action::Safepoint | Action::Halt)
}

/// The points between `Enter` and `Leave`.
fn inside_regions(automaton: &Automaton) -> Vec<bool> {
    let mut inside = vec![false; automaton.points.len()];
    let enters = automaton.points.iter().filter(|(_, point)| matches!(point.action, Action::Enter(_)));
    let mut rest: Vec<PointId> = enters.flat_map(|(id, _)| automaton.successors(id)).collect();
    while let Some(point) = rest.pop() {
        if !std::mem::replace(&mut inside[point.index()], true)
            && !matches!(automaton.points[point].action, Action::Leave)
        {
            rest.extend(automaton.successors(point));
        }
    }
    inside
}

/// Whether a cycle has no point that breaks it.
fn has_cycle(automaton: &Automaton, breaks: &dyn Fn(PointId) -> bool) -> bool {
    // 0: not seen, 1: on the way here, 2: done.
    let mut state = vec![0u8; automaton.points.len()];
    for start in automaton.points.ids() {
        let mut stack = vec![(start, false)];
        while let Some((point, is_done)) = stack.pop() {
            if is_done {
                state[point.index()] = 2;
                continue;
            }
            match state[point.index()] {
                1 => return true,
                2 => continue,
                _ => {}
            }
            if breaks(point) {
                state[point.index()] = 2;
                continue;
            }
            state[point.index()] = 1;
            stack.push((point, true));
            let next = automaton.successors(point);
            if next.iter().any(|n| state[n.index()] == 1) {
                return true;
            }
            stack.extend(next.into_iter().map(|n| (n, false)));
        }
    }
    false
}
