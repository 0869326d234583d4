//! Where `check` is more liberal than the circuits.
//!
//! The circuits perform an operation at its place in the program. The memory machine issues it and continues: an atomic action, or a
//! location that an invariant names, may come before an older operation has been performed. Only stores under `tso` wait in the
//! circuits too. So a proof is one of all runs of the machine if the places found here are none; otherwise it is one of the
//! runs in which these wait.
//!
//! Under `sc` and `tso` what is found here is performed in program order. So it is enough to know, for each way to a point, the
//! last operation that each register waits for: when its value has come, all older ones have been performed.

use crate::Memory;
use automata::{Access, Action, Automata, Automaton, Op, PointId, RegId, Region, StateExpr, StateLeaf, ThreadId};
use base::table::Id;
use memory::Fence;
use rustc_hash::FxHashSet;

/// More ways to a point than anyone writes; a thread with more is taken to have liberties.
const MAX_WAYS: usize = 50_000;

/// A place that a thread may come to, in `check`, before an older operation has been performed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Liberty {
    /// The thread.
    pub thread: ThreadId,
    /// A region, or a location that an invariant names.
    pub place: PointId,
    /// The operation.
    pub pending: PointId,
}

/// What may be pending at a point after one path to it, oldest first, and what registers wait for.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct PendingOnPath {
    pending: Vec<PointId>,
    /// By register: the position in `pending` that it waits for.
    waits: Vec<(RegId, PointId)>,
}

impl PendingOnPath {
    fn awaited(&self, register: RegId) -> Option<PointId> {
        self.waits.iter().find(|(r, _)| *r == register).map(|(_, point)| *point)
    }

    /// The youngest operation that one of these registers waits for.
    fn youngest(&self, registers: &[RegId]) -> Option<PointId> {
        let awaited = registers.iter().filter_map(|register| self.awaited(*register));
        awaited.max_by_key(|point| self.pending.iter().position(|p| p == point))
    }

    fn set(&mut self, register: RegId, awaited: Option<PointId>) {
        self.waits.retain(|(r, _)| *r != register);
        self.waits.extend(awaited.map(|point| (register, point)));
        self.waits.sort();
    }

    /// All up to `point` has been performed.
    fn perform(&mut self, point: PointId) {
        if let Some(position) = self.pending.iter().position(|p| *p == point) {
            let done: Vec<PointId> = self.pending.drain(..=position).collect();
            self.waits.retain(|(_, point)| !done.contains(point));
        }
    }

    fn issue(&mut self, point: PointId) {
        self.pending.retain(|p| *p != point);
        self.pending.push(point);
    }
}

/// All liberties that `check` has with these automata.
pub(crate) fn liberties(automata: &Automata, memory: Memory) -> Vec<Liberty> {
    let mut found = Vec::new();
    for (thread, declared) in automata.threads.iter() {
        let named = named(automata, thread);
        let sees_performed = asks_performed(automata, thread);
        found.extend(
            of_thread(&declared.automaton, memory, &named, sees_performed)
                .into_iter()
                .map(|(place, pending)| Liberty { thread, place, pending }),
        );
    }
    found.sort();
    found.dedup();
    found
}

/// The conditions that are to be preserved.
fn conditions(automata: &Automata) -> impl Iterator<Item = &StateExpr> {
    let judged = automata.properties.values().filter_map(|property| property.kind.state_property());
    judged.map(|judged| judged.condition).chain(automata.definedness.iter().map(|definedness| &definedness.condition))
}

/// The points that conditions ask about; all, if they ask whether the thread has anything pending.
fn named(automata: &Automata, thread: ThreadId) -> Vec<PointId> {
    let all = &automata.threads[thread].automaton.points;
    let mut points = Vec::new();
    for condition in conditions(automata) {
        automata.leaves(condition, &mut |leaf| match leaf {
            StateLeaf::At(t, named) if *t == thread => points.extend(named),
            StateLeaf::Performed(t) | StateLeaf::Pending { thread: t, .. } | StateLeaf::Oldest { thread: t, .. }
                if *t == thread =>
            {
                points.extend(all.ids());
            }
            StateLeaf::Ended(t) if *t == thread => {
                points.extend(all.iter().filter(|(_, p)| matches!(p.action, Action::Halt)).map(|(id, _)| id));
            }
            _ => {}
        });
    }
    points
}

/// Whether a condition asks whether the thread has anything pending: to `check`, a load counts, too.
fn asks_performed(automata: &Automata, thread: ThreadId) -> bool {
    let mut asks = false;
    for condition in conditions(automata) {
        automata.leaves(condition, &mut |leaf| asks |= *leaf == StateLeaf::Performed(thread));
    }
    asks
}

fn of_thread(
    automaton: &Automaton,
    memory: Memory,
    named: &[PointId],
    sees_performed: bool,
) -> Vec<(PointId, PointId)> {
    let mut found = Vec::new();
    let mut rest = vec![(automaton.entry, PendingOnPath::default())];
    let mut seen: FxHashSet<(PointId, PendingOnPath)> = rest.iter().cloned().collect();
    while let Some((point, mut way)) = rest.pop() {
        if seen.len() > MAX_WAYS {
            return vec![(automaton.entry, automaton.entry)];
        }
        // In the circuits an operation and its block are one; in `check` a thread is before the block while it waits.
        let is_own = matches!(automaton.points[point].action, Action::Enter(Region::Then));
        if is_own && named.contains(&point) {
            found.push((point, point));
        }
        if named.contains(&point) {
            found.extend(
                way.pending
                    .iter()
                    .filter(|p| sees_performed || changes(automaton, **p))
                    .map(|pending| (point, *pending)),
            );
        }
        let next = pass(automaton, memory, point, &mut way);
        for next in next {
            if seen.insert((next, way.clone())) {
                rest.push((next, way.clone()));
            }
        }
    }
    found
}

/// Whether it matters to a location after it that an operation is still pending: a load changes nothing that others see.
fn changes(automaton: &Automaton, pending: PointId) -> bool {
    !matches!(&automaton.points[pending].action, Action::Access(access) if access.op == Op::Load)
}

/// Goes through the action at `point`; gives the points after it.
fn pass(automaton: &Automaton, memory: Memory, point: PointId, way: &mut PendingOnPath) -> Vec<PointId> {
    let mut uses = Vec::new();
    match &automaton.points[point].action {
        Action::Access(access) => {
            if is_early(access, memory) {
                way.issue(point);
            }
            if let Some(dst) = access.dst {
                way.set(dst, Some(point));
            }
        }
        Action::Fence(Fence::Full) if memory != Memory::Sc => way.issue(point),
        Action::Compute { dst, value } => {
            value.leaves(&mut |register| uses.push(*register));
            let awaited = way.youngest(&uses);
            way.set(*dst, awaited);
        }
        action @ (Action::Branch { .. } | Action::Assume(_) | Action::Discard(_)) => {
            action.uses(&mut |register| uses.push(register));
            if let Some(awaited) = way.youngest(&uses) {
                way.perform(awaited);
            }
        }
        Action::Perform => *way = PendingOnPath::default(),
        // A region waits for all that may be pending here: what is performed early is never overtaken under `sc` and `tso`.
        Action::Enter(_) => {
            *way = PendingOnPath::default();
            return after_region(automaton, point);
        }
        _ => {}
    }
    automaton.successors(point)
}

/// Whether the circuits perform it before the machine need do so.
fn is_early(access: &Access, memory: Memory) -> bool {
    memory == Memory::Sc || !matches!(access.op, Op::Store(_))
}

/// The points after a region.
fn after_region(automaton: &Automaton, enter: PointId) -> Vec<PointId> {
    let mut exits = Vec::new();
    let mut is_seen = vec![false; automaton.points.len()];
    let mut rest = vec![enter];
    while let Some(point) = rest.pop() {
        if std::mem::replace(&mut is_seen[point.index()], true) {
            continue;
        }
        match automaton.points[point].action {
            Action::Leave => exits.push(automaton.points[point].next),
            _ => rest.extend(automaton.successors(point)),
        }
    }
    exits
}
