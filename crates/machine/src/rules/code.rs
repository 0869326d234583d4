//! What is known of a thread's program before it runs.

use crate::partial::footprint::{Footprint, futures};
use crate::properties::by_point::{PointResidual, named, observed, residuals, speaks_of_threads};
use crate::properties::locations::guarding;
use crate::properties::trail::{Passing, Questions, passing};
use crate::rules::circles::circles;
use crate::rules::local::{Local, Operand};
use crate::rules::pause::pauses;
use crate::symmetry;
use automata::liveness::live_registers;
use automata::{Action, Automata, Automaton, PointId, PropertyKind, RegId, Region, ThreadId, Wait};
use base::Table;
use base::table::Id;

/// An automaton with what its rules look up again and again.
pub struct Code {
    /// The automaton.
    pub automaton: Automaton,
    /// For each point, the registers its action reads, each once.
    pub uses: Table<PointId, Vec<RegId>>,
    /// For each point, which registers still matter there, to the program or to a property.
    pub live: Table<PointId, Vec<bool>>,
    /// For each point, what conjuncts still ask of a thread that is there.
    pub(crate) residuals: Table<PointId, Vec<PointResidual>>,
    /// For each point whose passing may matter to a property, what it asks.
    pub(crate) passing: Table<PointId, Option<Passing>>,
    /// The questions of properties about threads at such points so far.
    pub(crate) questions: Questions,
    /// For each `Enter` of an atomic or direct region, the registers that it reads.
    pub region_uses: Table<PointId, Vec<RegId>>,
    /// For each access, the region that goes with it: with its performance, or with its issue.
    pub(crate) own_region: Table<PointId, Option<Region>>,
    /// For each point, the registers that properties look at there.
    pub(crate) observed: Table<PointId, Vec<RegId>>,
    /// For each point, whether the thread pauses there.
    pub(crate) pauses: Table<PointId, bool>,
    /// For each point, whether it is inside a region: after `Enter`, up to `Leave`.
    pub(crate) is_inside: Table<PointId, bool>,
    /// For each point, whether it is inside a stopped world.
    pub(crate) is_stopped: Table<PointId, bool>,
    /// For each point, whether it is inside an ordered region that touches memory.
    pub(crate) is_ordered: Table<PointId, bool>,
    /// For each point, whether an invariant asks something of threads there, to the left of an `implies`.
    pub(crate) is_guard: Table<PointId, bool>,
    /// For each point, whether the thread may go round through it without touching shared state.
    pub(crate) circles: Table<PointId, bool>,
    /// Whether temporal properties see a thread that loops forever though a choice leads out.
    pub(crate) sees_circling: bool,
    /// Whether a property speaks of threads: of where they are, their registers, what they have pending.
    pub(crate) is_seen: bool,
    /// For each point, what the thread may touch from there on.
    pub(crate) futures: Table<PointId, Footprint>,
}

impl Code {
    /// The code of each thread. Threads with equal programs have equal code.
    pub fn of_threads(automata: &Automata) -> Vec<Code> {
        let same = symmetry::same_program(automata);
        let sees_circling = automata.properties.values().any(|p| matches!(p.kind, PropertyKind::Ltl(_)));
        let residuals = residuals(automata, &same);
        let observed = observed(automata, &same, &residuals);
        let named = named(automata, &same);
        let is_seen = speaks_of_threads(automata);
        let pauses = pauses(automata);
        let code = |thread: usize| {
            let automaton = automata.threads[ThreadId::new(thread)].automaton.clone();
            let live = live_registers(&automaton, &observed[same[thread]]);
            let uses = automaton.points.values().map(|point| uses(&point.action)).collect();
            let nothing = automaton.points.ids().map(|_| Vec::new()).collect();
            let needed = live_registers(&automaton, &nothing);
            let region_uses =
                automaton.points.ids().map(|point| region_uses(&automaton, point, &needed[point])).collect();
            let own_region = automaton.points.values().map(|point| own_region(&automaton, point)).collect();
            let is_inside = inside(&automaton, |_| true);
            let is_stopped = inside(&automaton, |region| region == Region::StopTheWorld);
            let is_ordered = inside(&automaton, |region| region == Region::Direct(Wait::Performed));
            let circles = circles(&automaton);
            let futures = futures(&automaton, automata.cells.len());
            let residuals = residuals[same[thread]].clone();
            let passing = passing(&named[same[thread]], &residuals, &observed[same[thread]]);
            Code {
                automaton,
                uses,
                live,
                residuals,
                passing,
                questions: Questions::default(),
                pauses: pauses[thread].clone(),
                is_inside,
                is_stopped,
                is_ordered,
                region_uses,
                own_region,
                observed: observed[same[thread]].clone(),
                is_guard: guarding(automata, &same, ThreadId::new(thread)),
                circles,
                sees_circling,
                is_seen,
                futures,
            }
        };
        (0..same.len()).map(code).collect()
    }

    /// The state of a thread that has done nothing yet.
    pub(crate) fn start(&self) -> Local {
        let registers = self.automaton.registers.values().map(|register| Operand::Value(register.init));
        Local::start(self.automaton.entry, registers.collect())
    }

    /// The registers that a snapshot at `point` keeps.
    pub(crate) fn observed_registers(&self, point: PointId) -> &[RegId] {
        self.passing[point].as_ref().map_or(&[], |passing| &passing.registers)
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

/// The region that goes with the access at a point, if there is one.
fn own_region(automaton: &Automaton, point: &automata::Point) -> Option<Region> {
    match (&point.action, automaton.points.get(point.next).map(|next| &next.action)) {
        (Action::Access(_), Some(Action::Enter(region @ (Region::Then | Region::Issued)))) => Some(*region),
        _ => None,
    }
}

/// The registers read at any point of the region that `enter` begins: an unordered region waits for their values. (Any other
/// starts with an empty queue, hence with values only.)
fn region_uses(automaton: &Automaton, enter: PointId, needed: &[bool]) -> Vec<RegId> {
    if !matches!(automaton.points[enter].action, Action::Enter(_)) {
        return Vec::new();
    }
    let mut used: Vec<RegId> =
        region(automaton, enter).iter().flat_map(|point| uses(&automaton.points[*point].action)).collect();
    // What the region sets before it reads it has no value yet that matters.
    used.retain(|register| needed[register.index()]);
    used.sort();
    used.dedup();
    used
}

/// The points of the region that `enter` begins, this one included.
fn region(automaton: &Automaton, enter: PointId) -> Vec<PointId> {
    let mut seen = vec![enter];
    let mut next = 0;
    while let Some(&point) = seen.get(next) {
        next += 1;
        if !matches!(automaton.points[point].action, Action::Leave) {
            let successors = automaton.successors(point);
            let new: Vec<_> = successors.into_iter().filter(|p| !seen.contains(p)).collect();
            seen.extend(new);
        }
    }
    seen
}

/// For each point, whether it is inside a region that `is_it` accepts.
fn inside(automaton: &Automaton, is_it: fn(Region) -> bool) -> Table<PointId, bool> {
    let mut inside: Table<PointId, bool> = automaton.points.ids().map(|_| false).collect();
    for (enter, point) in automaton.points.iter() {
        if matches!(point.action, Action::Enter(region) if is_it(region)) {
            region(automaton, enter).into_iter().skip(1).for_each(|point| inside[point] = true);
        }
    }
    inside
}
