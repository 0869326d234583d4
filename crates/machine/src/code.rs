//! What is known of a thread's program before it runs.

use automata::liveness::live_registers;
use automata::{Action, Automaton, PointId, RegId, Region};
use base::Table;

/// An automaton with what its rules look up again and again.
pub struct Code {
    /// The automaton.
    pub automaton: Automaton,
    /// For each point, the registers its action reads, each once.
    pub uses: Table<PointId, Vec<RegId>>,
    /// For each point, which registers still matter there.
    pub live: Table<PointId, Vec<bool>>,
    /// For each `Enter` of an atomic region, the registers that it reads.
    pub region_uses: Table<PointId, Vec<RegId>>,
}

impl Code {
    /// Prepares `automaton`.
    pub fn new(automaton: Automaton) -> Self {
        let uses = automaton.points.values().map(|point| uses(&point.action)).collect();
        let live = live_registers(&automaton);
        let region_uses = automaton.points.ids().map(|point| region_uses(&automaton, point)).collect();
        Code { automaton, uses, live, region_uses }
    }

    /// The action at `point`.
    pub fn action(&self, point: PointId) -> &Action {
        &self.automaton.points[point].action
    }
}

fn uses(action: &Action) -> Vec<RegId> {
    let mut registers = Vec::new();
    action.uses(&mut |r| {
        if !registers.contains(&r) {
            registers.push(r);
        }
    });
    registers
}

/// The registers read at any point of the atomic region that `enter` begins: the region waits for
/// their values. (A stop-the-world region starts with an empty queue, hence with values only.)
fn region_uses(automaton: &Automaton, enter: PointId) -> Vec<RegId> {
    if !matches!(automaton.points[enter].action, Action::Enter(Region::Atomic)) {
        return Vec::new();
    }
    let mut seen = vec![enter];
    let mut used = Vec::new();
    let mut next = 0;
    while let Some(&point) = seen.get(next) {
        next += 1;
        let action = &automaton.points[point].action;
        used.extend(uses(action));
        if !matches!(action, Action::Leave) {
            let successors = automaton.successors(point);
            let new: Vec<_> = successors.into_iter().filter(|p| !seen.contains(p)).collect();
            seen.extend(new);
        }
    }
    used.sort();
    used.dedup();
    used
}
