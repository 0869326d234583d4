//! Where `check` is more liberal than the circuits.
//!
//! The circuits perform an operation at its place in the program. The memory machine issues it and continues: an atomic action, or a
//! location that an invariant names, may come before an older operation has been performed. Only stores under `tso` wait in the
//! circuits too. So a proof is one of all runs of the machine if the places found here are none; otherwise it is one of the
//! runs in which these wait.
//!
//! A branch is part of the step before it in the circuits; the machine lets a thread rest there until the value has come. That matters to
//! a condition that requires the thread to be elsewhere.
//!
//! Under `sc` and `tso` what is found here is performed in program order. So it is enough to know, for each way to a point, the
//! last operation that each register waits for: when its value has come, all older ones have been performed.

use crate::Memory;
use automata::{
    Access, Action, Automata, Automaton, BinaryOp, Expr, Op, PointId, RegId, Region, StateExpr, StateLeaf, ThreadId,
    UnaryOp,
};
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
    /// A region, a location that an invariant names, or a branch.
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

    /// The operations for which a thread rests at a branch or an assumption, oldest first.
    fn awaited_at(&self, automaton: &Automaton, point: PointId) -> &[PointId] {
        let action = &automaton.points[point].action;
        let mut uses = Vec::new();
        if let Action::Branch { .. } | Action::Assume(_) | Action::Discard(_) = action {
            action.uses(&mut |register| uses.push(register));
        }
        let youngest = self.youngest(&uses).and_then(|youngest| self.pending.iter().position(|p| *p == youngest));
        youngest.map_or(&[], |youngest| &self.pending[..=youngest])
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
        let asked = Asked::of(automata, thread);
        let of_thread = of_thread(&declared.automaton, memory, &asked).into_iter();
        found.extend(of_thread.map(|(place, pending)| Liberty { thread, place, pending }));
    }
    found.sort();
    found.dedup();
    found
}

/// What conditions ask about a thread.
struct Asked {
    /// The points that they name; all, if they ask whether the thread has anything pending.
    named: Vec<PointId>,
    /// The sets of points of which a condition may require that the thread is at one.
    required: Vec<Vec<PointId>>,
    /// Whether one asks whether the thread has anything pending: to `check`, a load counts, too.
    performed: bool,
}

impl Asked {
    fn of(automata: &Automata, thread: ThreadId) -> Self {
        Asked {
            named: named(automata, thread),
            required: required(automata, thread),
            performed: asks_performed(automata, thread),
        }
    }
}

/// The conditions that are to be preserved, each with what it is to be.
fn stated(automata: &Automata) -> impl Iterator<Item = (&StateExpr, bool)> {
    let judged = automata.properties.values().filter_map(|property| property.kind.state_property());
    let defined = automata.definedness.iter().map(|definedness| (&definedness.condition, true));
    judged.map(|judged| (judged.condition, !judged.violating)).chain(defined)
}

fn conditions(automata: &Automata) -> impl Iterator<Item = &StateExpr> {
    stated(automata).map(|(condition, _)| condition)
}

/// The points of `Asked::required`.
fn required(automata: &Automata, thread: ThreadId) -> Vec<Vec<PointId>> {
    let mut found = Vec::new();
    let mut rest: Vec<(&StateExpr, bool)> = stated(automata).collect();
    while let Some((condition, wanted)) = rest.pop() {
        match condition {
            Expr::Unary(UnaryOp::Not, operand) => rest.push((operand, !wanted)),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                rest.extend([(&**left, wanted), (right, wanted)])
            }
            Expr::Binary(BinaryOp::Implies, left, right) => rest.extend([(&**left, !wanted), (right, wanted)]),
            Expr::Leaf(StateLeaf::At(..)) if !wanted => {}
            other => automata.leaves(other, &mut |leaf| match leaf {
                StateLeaf::At(t, points) if *t == thread => found.push(points.to_vec()),
                _ => {}
            }),
        }
    }
    found
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

fn of_thread(automaton: &Automaton, memory: Memory, asked: &Asked) -> Vec<(PointId, PointId)> {
    let mut found = Vec::new();
    let mut rest = vec![(automaton.entry, PendingOnPath::default())];
    let mut seen: FxHashSet<(PointId, PendingOnPath)> = rest.iter().cloned().collect();
    while let Some((point, mut way)) = rest.pop() {
        if seen.len() > MAX_WAYS {
            return vec![(automaton.entry, automaton.entry)];
        }
        // In the circuits a store and what is done as it is issued are one; in `check` others see the block before the store.
        let own = way.pending.last().filter(|store| is_issued_with(automaton, **store, point));
        found.extend(own.map(|store| (point, *store)));
        // In the circuits an operation and its block are one; in `check` a thread is before the block while it waits.
        let is_own = matches!(automaton.points[point].action, Action::Enter(Region::Then));
        if is_own && asked.named.contains(&point) {
            found.push((point, point));
        }
        if asked.named.contains(&point) {
            let matters = |pending: &&PointId| asked.performed || changes(automaton, **pending);
            found.extend(way.pending.iter().filter(matters).map(|pending| (point, *pending)));
        }
        // In the circuits a thread is still at the oldest of these.
        let is_left = |pending: &&PointId| asked.required.iter().any(|at| at.contains(pending) && !at.contains(&point));
        found.extend(way.awaited_at(automaton, point).iter().filter(is_left).map(|pending| (point, *pending)));
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
        Action::Branch { .. } | Action::Assume(_) | Action::Discard(_) => {
            if let Some(youngest) = way.awaited_at(automaton, point).last().copied() {
                way.perform(youngest);
            }
        }
        Action::Perform => *way = PendingOnPath::default(),
        // A region waits for all that may be pending here: what is performed early is never overtaken under `sc` and `tso`.
        // Only the store that is issued with it is still to come.
        Action::Enter(_) => {
            let own = way.pending.pop().filter(|store| is_issued_with(automaton, *store, point));
            *way = PendingOnPath { pending: own.into_iter().collect(), waits: Vec::new() };
            return after_region(automaton, point);
        }
        _ => {}
    }
    automaton.successors(point)
}

/// Whether a block begins at `point` that is executed as `store` is issued.
fn is_issued_with(automaton: &Automaton, store: PointId, point: PointId) -> bool {
    automaton.points[store].next == point && matches!(automaton.points[point].action, Action::Enter(Region::Issued))
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
