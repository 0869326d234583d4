//! Where a thread is between two of its steps, and where it gives way by itself.
//!
//! It gives way at the beginning of a loop in which it only looks (without stores: it waits), and of an outermost loop that never ends (it
//! starts over). It also gives way where it has no step, which no point says.

use crate::rules::local::Local;
use automata::{Access, Action, Automaton, Op, PointId};
use base::table::Id;
use std::collections::{BTreeMap, BTreeSet};

/// The point of the step that a thread takes next: its oldest pending memory operation, or where it is.
pub fn next_step(automaton: &Automaton, local: &Local) -> PointId {
    let is_access = |point: &PointId| matches!(automaton.points[*point].action, Action::Access(_));
    local.queue.iter().map(|entry| entry.point).find(is_access).unwrap_or(local.point)
}

/// The points of steps before which a thread gives way.
pub fn yields(automaton: &Automaton) -> BTreeSet<PointId> {
    let predecessors = predecessors(automaton);
    let loops = loops(automaton, &predecessors);
    let halts = automaton.points.iter().filter(|(_, point)| matches!(point.action, Action::Halt)).map(|(id, _)| id);
    let ends = closure(halts, |point| predecessors[point.index()].iter().copied());
    let insides = loops.iter().flat_map(|(head, body)| body.iter().filter(move |point| *point != head));
    let inner: BTreeSet<&PointId> = insides.filter(|point| loops.contains_key(point)).collect();
    let gives_way = |(head, body): &(&PointId, &BTreeSet<PointId>)| {
        !stores(automaton, body) || !inner.contains(head) && !ends.contains(head)
    };
    loops.iter().filter(gives_way).flat_map(|(head, body)| first_steps(automaton, *head, body)).collect()
}

/// The points of each loop by its head, to which an edge leads back.
type Loops = BTreeMap<PointId, BTreeSet<PointId>>;

/// From where an edge leads to each point.
type Predecessors = Vec<Vec<PointId>>;

fn stores(automaton: &Automaton, body: &BTreeSet<PointId>) -> bool {
    let is_store = |point: &PointId| {
        let action = &automaton.points[*point].action;
        matches!(action, Action::Access(Access { op: Op::Store(_) | Op::StoreConditional(_), .. }))
    };
    body.iter().any(is_store)
}

/// The first steps of a round.
fn first_steps(automaton: &Automaton, head: PointId, body: &BTreeSet<PointId>) -> Vec<PointId> {
    let is_step = |point: &PointId| {
        matches!(
            automaton.points[*point].action,
            Action::Access(_) | Action::Enter(_) | Action::Safepoint | Action::Commit
        )
    };
    let ahead = |point| if is_step(&point) { Vec::new() } else { automaton.successors(point) };
    let reached = closure([head], |point| ahead(point).into_iter().filter(|next| body.contains(next)));
    reached.into_iter().filter(is_step).collect()
}

/// What is reached from some points.
fn closure<I: IntoIterator<Item = PointId>>(
    from: impl IntoIterator<Item = PointId>,
    next: impl Fn(PointId) -> I,
) -> BTreeSet<PointId> {
    let mut open: Vec<PointId> = from.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(point) = open.pop() {
        if reached.insert(point) {
            open.extend(next(point));
        }
    }
    reached
}

fn predecessors(automaton: &Automaton) -> Predecessors {
    let mut predecessors = vec![Vec::new(); automaton.points.len()];
    for point in automaton.points.ids() {
        for next in automaton.successors(point) {
            predecessors[next.index()].push(point);
        }
    }
    predecessors
}

/// A loop has the points from which the edge back is reached without passing its head.
fn loops(automaton: &Automaton, predecessors: &Predecessors) -> Loops {
    let mut backs: BTreeMap<PointId, Vec<PointId>> = BTreeMap::new();
    for (from, head) in back_edges(automaton) {
        backs.entry(head).or_default().push(from);
    }
    let body = |(head, backs): (PointId, Vec<PointId>)| {
        let behind = |point: PointId| if point == head { &[][..] } else { &predecessors[point.index()][..] };
        (head, closure(backs.into_iter().chain([head]), |point| behind(point).iter().copied()))
    };
    backs.into_iter().map(body).collect()
}

/// How far a search in depth has come with a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    Never,
    OnTheWay,
    Left,
}

/// The edges that lead back on the way from the entry, in depth first.
fn back_edges(automaton: &Automaton) -> Vec<(PointId, PointId)> {
    let mut edges = Vec::new();
    let mut met = vec![Met::Never; automaton.points.len()];
    let mut way = vec![(automaton.entry, automaton.successors(automaton.entry))];
    met[automaton.entry.index()] = Met::OnTheWay;
    while let Some((point, ahead)) = way.last_mut() {
        let point = *point;
        let Some(next) = ahead.pop() else {
            met[point.index()] = Met::Left;
            way.pop();
            continue;
        };
        match met[next.index()] {
            Met::Never => {
                met[next.index()] = Met::OnTheWay;
                way.push((next, automaton.successors(next)));
            }
            Met::OnTheWay => edges.push((point, next)),
            Met::Left => {}
        }
    }
    edges
}
