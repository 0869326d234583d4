//! What a trace owes to weak memory: operations performed before older ones of the same thread.

use crate::atoms::{Atom, AtomId};
use crate::marked::Marked;
use crate::places::{PlaceId, Places, Strength};
use automata::{Access, Action, Automata, CellId, Op, PointId, ThreadId};
use base::Table;
use machine::{Event, Part};
use memory::{MemoryModel, Operation, Order};
use workbench::Trace;

/// One operation, performed before an older one of its thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overtaking {
    /// The thread.
    pub thread: ThreadId,
    /// Where the older operation was issued.
    pub older: PointId,
    /// The part of it that was still to be performed.
    pub older_part: Part,
    /// Where the younger one was issued.
    pub younger: PointId,
    /// The part of it that was performed.
    pub younger_part: Part,
    /// The cell of the younger one.
    pub cell: CellId,
    /// Whether the younger one wrote.
    pub wrote: bool,
    /// Fence places that the thread came by in between.
    pub between: Vec<PlaceId>,
}

/// All overtakings of a trace, in the order of the steps.
pub(crate) fn overtakings(marked: &Marked, automata: &Automata, trace: &Trace) -> Vec<Overtaking> {
    let mut all = Vec::new();
    let mut threads: Table<ThreadId, Thread> = automata.threads.values().map(|_| Thread::default()).collect();
    for step in trace.begun.iter().chain(&trace.taken) {
        for event in &step.events {
            threads[step.thread].follow(step.thread, event, marked, automata, &mut all);
        }
    }
    all
}

/// What a thread has come by so far.
#[derive(Default)]
struct Thread {
    /// Accesses not yet performed.
    pending: Vec<Pending>,
    places: Vec<PlaceId>,
}

/// An access, or its write, that is not yet performed.
struct Pending {
    point: PointId,
    /// The number of places come by before.
    n_before: usize,
    part: Part,
}

impl Thread {
    fn follow(
        &mut self,
        thread: ThreadId,
        event: &Event,
        marked: &Marked,
        automata: &Automata,
        all: &mut Vec<Overtaking>,
    ) {
        match event {
            Event::Issue(point) | Event::Pass(point) => {
                self.places.extend(marked.mark(thread, *point));
                let action = &automata.threads[thread].automaton.points[*point].action;
                if matches!((event, action), (Event::Issue(_), Action::Access(_))) {
                    self.pending.push(Pending { point: *point, n_before: self.places.len(), part: Part::Whole });
                }
            }
            Event::Perform { point, cell, wrote, is_half, .. } => {
                // Inside a region nothing is ever pending.
                let Some(index) = self.pending.iter().position(|pending| pending.point == *point) else { return };
                let Pending { point: younger, n_before, part } = self.pending[index];
                let younger_part = if *is_half { Part::Read } else { part };
                for older in &self.pending[..index] {
                    let between = self.places[older.n_before..n_before].to_vec();
                    let (older, older_part, cell, wrote) = (older.point, older.part, *cell, wrote.is_some());
                    all.push(Overtaking { thread, older, older_part, younger, younger_part, cell, wrote, between });
                }
                match is_half {
                    true => self.pending[index].part = Part::Write,
                    false => drop(self.pending.remove(index)),
                }
            }
            _ => {}
        }
    }
}

impl Overtaking {
    /// The two operations as the ordering rules see them.
    fn operations(&self, automata: &Automata, memory: &MemoryModel) -> (Operation, Operation) {
        let (older, younger) = (access(automata, self.thread, self.older), access(automata, self.thread, self.younger));
        let fails = matches!(younger.op, Op::Cas { .. }) && !self.wrote && self.younger_part == Part::Whole;
        let as_issued = younger.operation();
        let performed = if fails { memory.failed(as_issued, younger.failure_order) } else { as_issued };
        (half(older.operation(), self.older_part), half(performed, self.younger_part))
    }

    /// Whether `atom` would forbid it.
    pub fn is_forbidden_by(&self, atom: &Atom, places: &Places, automata: &Automata, memory: &MemoryModel) -> bool {
        let (older, younger) = self.operations(automata, memory);
        let is_at = |point: PointId| {
            let span = automata.threads[self.thread].automaton.points[point].span;
            places.accesses.get(&span) == Some(&atom.place)
        };
        match atom.strength {
            Strength::Fence(fence) => self.between.contains(&atom.place) && fence.orders(older, younger),
            Strength::Acquire if is_at(self.older) => {
                !memory.may_overtake(Operation { order: Order::Acquire, ..older }, younger)
            }
            Strength::Release if is_at(self.younger) => {
                !memory.may_overtake(older, Operation { order: Order::Release, ..younger })
            }
            // The other one may get the strength, too.
            Strength::SeqCst => {
                let raised = |op: Operation| Operation { order: Order::SeqCst, ..op };
                let is_new = |op: Operation, point: PointId| is_at(point) && op.order != Order::SeqCst;
                let is_raised = is_new(older, self.older) || is_new(younger, self.younger);
                is_raised && !memory.may_overtake(raised(older), raised(younger))
            }
            _ => false,
        }
    }
}

/// What the ordering rules see of a part of an operation.
fn half(whole: Operation, part: Part) -> Operation {
    match part {
        Part::Read => Operation { writes: false, is_half: true, ..whole },
        Part::Write => Operation { reads: false, is_half: true, ..whole },
        Part::Whole | Part::Succeeds | Part::Fails => whole,
    }
}

/// The atoms that forbid some overtaking of a trace: whoever is to forbid the trace needs one of them.
pub(crate) fn forbidding(
    overtakings: &[Overtaking],
    atoms: &Table<AtomId, Atom>,
    places: &Places,
    automata: &Automata,
    memory: &MemoryModel,
) -> Vec<AtomId> {
    let forbids = |atom: &Atom| overtakings.iter().any(|o| o.is_forbidden_by(atom, places, automata, memory));
    atoms.iter().filter(|(_, atom)| forbids(atom)).map(|(id, _)| id).collect()
}

fn access(automata: &Automata, thread: ThreadId, point: PointId) -> &Access {
    match &automata.threads[thread].automaton.points[point].action {
        Action::Access(access) => access,
        action => unreachable!("an access was performed, not {action:?}"),
    }
}
