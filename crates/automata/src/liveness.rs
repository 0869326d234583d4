//! Which registers matter at a point: those that some path reads, or some property looks at, before they are written.
//!
//! A queued operation has taken its operands along, so a register matters only to what is not issued
//! yet. Registers that do not matter are reset to 0 before a state is stored.

use crate::action::Action;
use crate::automaton::{Automaton, PointId, RegId};
use base::Table;
use base::table::Id;

/// For each point, a bit per register: whether its value matters there. `observed` says which registers others look at
/// while the thread is at a point.
pub fn live_registers(automaton: &Automaton, observed: &Table<PointId, Vec<RegId>>) -> Table<PointId, Vec<bool>> {
    let n_registers = automaton.registers.len();
    let mut live: Table<PointId, Vec<bool>> = automaton.points.ids().map(|_| vec![false; n_registers]).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for point in automaton.points.ids().rev() {
            let before = live_before(automaton, point, &live, &observed[point]);
            if before != live[point] {
                live[point] = before;
                changed = true;
            }
        }
    }
    live
}

fn live_before(
    automaton: &Automaton,
    point: PointId,
    live: &Table<PointId, Vec<bool>>,
    observed: &[RegId],
) -> Vec<bool> {
    let mut bits = vec![false; automaton.registers.len()];
    for next in automaton.successors(point) {
        for (bit, after) in bits.iter_mut().zip(&live[next]) {
            *bit |= after;
        }
    }
    let action = &automaton.points[point].action;
    if let Some(dst) = action.defines() {
        bits[dst.index()] = false;
    }
    action.uses(&mut |r: RegId| bits[r.index()] = true);
    observed.iter().for_each(|r| bits[r.index()] = true);
    if matches!(action, Action::Halt) {
        automaton.observed.iter().for_each(|r| bits[r.index()] = true);
    }
    bits
}
