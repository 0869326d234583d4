//! What is known of a thread's program before it runs.

use crate::footprint::{Footprint, futures};
use crate::local::{Local, Operand};
use crate::symmetry;
use automata::liveness::live_registers;
use automata::{Action, Automata, Automaton, PointId, PropertyKind, RegId, Region, StateExpr, StateLeaf};
use base::Table;
use base::table::Id;

/// An automaton with what its rules look up again and again.
pub struct Code {
    /// The automaton.
    pub automaton: Automaton,
    /// For each point, the registers its action reads, each once.
    pub uses: Table<PointId, Vec<RegId>>,
    /// For each point, which registers still matter there.
    pub live: Table<PointId, Vec<bool>>,
    /// For each `Enter` of an atomic or direct region, the registers that it reads.
    pub region_uses: Table<PointId, Vec<RegId>>,
    /// Whether going round for ever without touching shared state is a way to go on beside others: only
    /// temporal properties speak of it.
    pub tells_spinning: bool,
    /// For each point, what the thread may touch from there on.
    pub(crate) futures: Table<PointId, Footprint>,
}

impl Code {
    /// The code of each thread. Threads with equal programs have equal code.
    pub fn of_threads(automata: &Automata) -> Vec<Code> {
        let same = symmetry::same_program(automata);
        let mut kept = vec![Vec::new(); same.len()];
        for condition in conditions(automata) {
            automata.leaves(condition, &mut |leaf| {
                if let StateLeaf::Register(thread, register) = leaf {
                    kept[same[thread.index()]].push(*register);
                }
            });
        }
        let tells_spinning = automata.properties.values().any(|p| matches!(p.kind, PropertyKind::Ltl(_)));
        let threads = automata.threads.values().zip(&same);
        let n_cells = automata.cells.len();
        let code = |(thread, first): (&automata::Thread, &usize)| {
            Code::new(thread.automaton.clone(), n_cells, &kept[*first], tells_spinning)
        };
        threads.map(code).collect()
    }

    /// Prepares `automaton`; the registers `kept` matter everywhere.
    fn new(automaton: Automaton, n_cells: usize, kept: &[RegId], tells_spinning: bool) -> Self {
        let uses = automaton.points.values().map(|point| uses(&point.action)).collect();
        let mut live = live_registers(&automaton);
        for point in automaton.points.ids() {
            kept.iter().for_each(|register| live[point][register.index()] = true);
        }
        let region_uses = automaton.points.ids().map(|point| region_uses(&automaton, point)).collect();
        let futures = futures(&automaton, n_cells);
        Code { automaton, uses, live, region_uses, tells_spinning, futures }
    }

    /// The state of a thread that has done nothing yet.
    pub(crate) fn start(&self) -> Local {
        let registers = self.automaton.registers.values().map(|register| Operand::Value(register.init));
        Local::start(self.automaton.entry, registers.collect())
    }

    /// The action at `point`.
    pub fn action(&self, point: PointId) -> &Action {
        &self.automaton.points[point].action
    }
}

/// The conditions that are judged in every state. (`forbid` speaks of the end, where all observed registers matter.)
fn conditions(automata: &Automata) -> Vec<&StateExpr> {
    let stated = automata.properties.values().flat_map(|p| match &p.kind {
        PropertyKind::Invariant(condition) => std::slice::from_ref(condition),
        PropertyKind::Ltl(ltl) => &ltl.atoms,
        _ => &[],
    });
    stated.chain(automata.covers.values().filter_map(|cover| cover.condition.as_ref())).collect()
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

/// The registers read at any point of the atomic or direct region that `enter` begins: the region waits for
/// their values. (A stop-the-world region starts with an empty queue, hence with values only.)
fn region_uses(automaton: &Automaton, enter: PointId) -> Vec<RegId> {
    if !matches!(automaton.points[enter].action, Action::Enter(Region::Atomic | Region::Then | Region::Direct)) {
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
