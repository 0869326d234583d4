//! Where a thread is between two of its steps, and where it gives way by itself.
//!
//! It gives way at the beginning of a loop in which it only looks (without stores: it waits), and of an outermost loop that never ends (it
//! starts over). It also gives way where it has no step, which no point says.

use crate::rules::local::Local;
use automata::{Access, Action, Automaton, Op, PointId};
use base::table::Id;
use std::collections::BTreeSet;

/// The point of the step that a thread takes next: its oldest pending memory operation, or where it is.
pub fn next_step(automaton: &Automaton, local: &Local) -> PointId {
    let is_access = |point: &PointId| matches!(automaton.points[*point].action, Action::Access(_));
    local.queue.iter().map(|entry| entry.point).find(is_access).unwrap_or(local.point)
}

/// The points of steps before which a thread gives way.
pub fn yields(automaton: &Automaton) -> BTreeSet<PointId> {
    let loops = loops(automaton);
    let is_inner = |one: &Loop| loops.iter().any(|other| other.head != one.head && other.body.contains(&one.head));
    let gives_way = |one: &&Loop| !one.stores(automaton) || !is_inner(one) && never_ends(automaton, one.head);
    loops.iter().filter(gives_way).flat_map(|one| one.first_steps(automaton)).collect()
}

/// A loop: where it begins, and all its points.
struct Loop {
    head: PointId,
    body: BTreeSet<PointId>,
}

impl Loop {
    fn stores(&self, automaton: &Automaton) -> bool {
        let is_store = |point: &PointId| {
            let action = &automaton.points[*point].action;
            matches!(action, Action::Access(Access { op: Op::Store(_) | Op::StoreConditional(_), .. }))
        };
        self.body.iter().any(is_store)
    }

    /// The first steps of a round.
    fn first_steps(&self, automaton: &Automaton) -> BTreeSet<PointId> {
        let is_inside = |point: &PointId| self.body.contains(point);
        let stops = |point: PointId| is_step(&automaton.points[point].action);
        reached(automaton, self.head, &is_inside, &stops).into_iter().filter(|point| stops(*point)).collect()
    }
}

fn is_step(action: &Action) -> bool {
    matches!(action, Action::Access(_) | Action::Enter(_) | Action::Safepoint | Action::Commit)
}

/// What is reached from `start` inside, not beyond where it stops.
fn reached(
    automaton: &Automaton,
    start: PointId,
    is_inside: &dyn Fn(&PointId) -> bool,
    stops: &dyn Fn(PointId) -> bool,
) -> BTreeSet<PointId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(point) = open.pop() {
        if reached.insert(point) && !stops(point) {
            open.extend(automaton.successors(point).into_iter().filter(is_inside));
        }
    }
    reached
}

fn never_ends(automaton: &Automaton, head: PointId) -> bool {
    let all = reached(automaton, head, &|_| true, &|_| false);
    !all.iter().any(|point| matches!(automaton.points[*point].action, Action::Halt))
}

/// The loops, one for each point that an edge leads back to.
fn loops(automaton: &Automaton) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    for (from, head) in back_edges(automaton) {
        let body = body(automaton, from, head);
        match loops.iter_mut().find(|known| known.head == head) {
            Some(known) => known.body.extend(body),
            None => loops.push(Loop { head, body }),
        }
    }
    loops
}

/// The edges that lead back on the way from the entry, in depth first.
fn back_edges(automaton: &Automaton) -> Vec<(PointId, PointId)> {
    let mut edges = Vec::new();
    let mut is_met = vec![false; automaton.points.len()];
    let mut way: Vec<(PointId, Vec<PointId>)> = vec![(automaton.entry, automaton.successors(automaton.entry))];
    is_met[automaton.entry.index()] = true;
    while let Some((point, ahead)) = way.last_mut() {
        let point = *point;
        let Some(next) = ahead.pop() else {
            way.pop();
            continue;
        };
        if way.iter().any(|(on_way, _)| *on_way == next) {
            edges.push((point, next));
        } else if !std::mem::replace(&mut is_met[next.index()], true) {
            way.push((next, automaton.successors(next)));
        }
    }
    edges
}

/// The points from which `from` is reached without passing `head`.
fn body(automaton: &Automaton, from: PointId, head: PointId) -> BTreeSet<PointId> {
    let mut body = BTreeSet::from([head]);
    let mut open = vec![from];
    while let Some(point) = open.pop() {
        if body.insert(point) {
            let leads_there = |other: &PointId| automaton.successors(*other).contains(&point);
            open.extend(automaton.points.ids().filter(leads_there));
        }
    }
    body
}
