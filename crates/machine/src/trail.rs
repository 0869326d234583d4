//! Locations that a thread has passed unseen, and that a property asks something of.
//!
//! The eager closure goes through local steps at once. In between, other threads could have stepped, and memory could have
//! performed what the thread had issued by then: both commute with the local steps. So a location that was passed is judged
//! in every state until something happens that cannot have happened before it was passed: the thread goes on from a stall, has
//! an operation performed that it issued later, or is found parked by a stopped world. What is asked there of registers and of pending operations is asked of a
//! *snapshot*; the snapshots of a thread state are its *trail*.

use crate::asked::Asked;
use crate::conjuncts::thread_of;
use crate::local::{Local, Mode, Operand};
use crate::pin::{Pin, is_true, pin};
use crate::rules::{Outcome, Progress, Rules};
use crate::stand::Stand;
use automata::{Automata, PointId, RegId, StateLeaf, ThreadId};
use base::Table;
use rustc_hash::FxHashMap;

/// A thread as it was when it passed a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Snapshot {
    /// The location.
    pub point: PointId,
    /// The registers that properties look at there, in the order of `Passing`.
    pub registers: Vec<Operand>,
    /// How many of the queue's entries had been issued, the oldest ones.
    pub issued: u8,
}

/// What properties ask of a thread that passes a point.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// Points with the same number ask the same.
    question: usize,
    /// The registers that matter.
    pub(crate) registers: Vec<RegId>,
    /// Whether more than location and registers matters.
    asks_more: bool,
}

/// For each point whose passing may matter to a property, what it asks.
pub(crate) fn passing(
    automata: &Automata,
    asked: &Table<PointId, Vec<Asked>>,
    observed: &Table<PointId, Vec<RegId>>,
) -> Table<PointId, Option<Passing>> {
    let mut questions: FxHashMap<Vec<(ThreadId, usize, usize)>, usize> = FxHashMap::default();
    let mut of_point = |(point, asked): (PointId, &Vec<Asked>)| {
        let key = asked.iter().map(|a| (a.thread, a.index, std::sync::Arc::as_ptr(&a.rest) as usize)).collect();
        let next = questions.len();
        let question = *questions.entry(key).or_insert(next);
        let registers = observed[point].clone();
        let asks_more = asked.iter().any(|a| asks_more(automata, a));
        asked.iter().any(|a| a.is_located).then_some(Passing { question, registers, asks_more })
    };
    asked.iter().map(&mut of_point).collect()
}

fn asks_more(automata: &Automata, asked: &Asked) -> bool {
    let mut more = false;
    automata.leaves(&asked.rest.condition, &mut |leaf| {
        more |= thread_of(leaf) == Some(asked.thread) && !matches!(leaf, StateLeaf::Register(..));
    });
    more
}

impl Rules<'_> {
    /// Issues the action at the thread's point; if the thread goes on, what a property asks there is kept.
    pub(crate) fn issue_and_remember(&self, path: &mut Outcome) -> Progress {
        let Some(snapshot) = self.snapshot(&path.local) else { return self.issue(path) };
        let before = path.local.trail.clone();
        path.local.remember(snapshot);
        let progress = self.issue(path);
        if matches!(progress, Progress::Stalled) && path.local.mode == Mode::Running {
            path.local.trail = before;
        }
        progress
    }

    /// The thread as it is, if properties ask something here that is not true already.
    fn snapshot(&self, local: &Local) -> Option<Snapshot> {
        if !self.options.reductions.eager_closure {
            return None;
        }
        let passing = self.code.passing[local.point].as_ref()?;
        let is_open = |asked: &&Asked| {
            let known = |leaf: &StateLeaf| match leaf {
                StateLeaf::Register(of, register) if *of == asked.thread => match local.register(*register) {
                    Operand::Value(value) => Pin::value(Some(value)),
                    Operand::Entry(_) => Pin::Open,
                },
                _ => Pin::Open,
            };
            asked.is_located && !is_true(&pin(&asked.rest.condition, &known))
        };
        self.code.asked[local.point].iter().find(is_open)?;
        let registers = passing.registers.iter().map(|r| local.register(*r)).collect();
        Some(Snapshot { point: local.point, registers, issued: local.queue.len() as u8 })
    }

    /// Leaves out snapshots of which another one, or the thread as it is, says all there is to say.
    pub(crate) fn shorten_trail(&self, local: &mut Local) {
        if local.trail.is_empty() {
            return;
        }
        let trail = std::mem::take(&mut local.trail);
        let is_told = |told: &Snapshot| {
            self.says_as_much(local, told) || trail.iter().any(|other| other != told && self.replaces(other, told))
        };
        let kept: Vec<Snapshot> = trail.iter().filter(|snapshot| !is_told(snapshot)).cloned().collect();
        local.trail = kept;
    }

    fn passing(&self, point: PointId) -> &Passing {
        self.code.passing[point].as_ref().expect("a snapshot is taken only where something is asked")
    }

    fn says_as_much(&self, local: &Local, snapshot: &Snapshot) -> bool {
        let asked = self.passing(snapshot.point);
        let is_now = local.mode == Mode::Running && usize::from(snapshot.issued) == local.queue.len();
        self.code.passing[local.point].as_ref().is_some_and(|now| now.question == asked.question)
            && !matches!(local.mode, Mode::Failed(_))
            && (is_now || !asked.asks_more)
            && asked.registers.iter().zip(&snapshot.registers).all(|(r, then)| local.register(*r) == *then)
    }

    /// Whether whatever is found by `told` is found by `other` too: with as much issued or more, it lasts as long.
    fn replaces(&self, other: &Snapshot, told: &Snapshot) -> bool {
        let (new, old) = (self.passing(other.point), self.passing(told.point));
        let lasts_longer = other.issued > told.issued && !old.asks_more;
        new.question == old.question
            && other.registers == told.registers
            && (lasts_longer || other.issued == told.issued && other.point < told.point)
    }

    /// The thread as properties may see it: as it is, then as it was at the locations that it has passed.
    pub(crate) fn stands<'a>(&'a self, local: &'a Local) -> impl Iterator<Item = Stand<'a>> + Clone {
        let passed = local.trail.iter().map(|snapshot| Stand {
            mode: Mode::Running,
            point: snapshot.point,
            registers: &snapshot.registers,
            named: Some(&self.passing(snapshot.point).registers),
            queue: &local.queue[..usize::from(snapshot.issued)],
        });
        std::iter::once(local.stand()).chain(passed)
    }
}

impl Local {
    fn remember(&mut self, snapshot: Snapshot) {
        if let Err(at) = self.trail.binary_search(&snapshot) {
            self.trail.insert(at, snapshot);
        }
    }

    /// The entry at `index` is performed: what was passed before it was issued is past.
    pub(crate) fn forget_before(&mut self, index: usize) {
        self.trail.retain(|snapshot| index < usize::from(snapshot.issued));
    }
}

impl Snapshot {
    /// The queue's entry at `index` leaves.
    pub(crate) fn remove(&mut self, index: usize, settle: impl Fn(&mut Operand)) {
        if index < usize::from(self.issued) {
            self.issued -= 1;
            self.registers.iter_mut().for_each(settle);
        }
    }
}
