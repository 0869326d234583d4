//! What is known of one thread state: its moves, and for each value read their results.

use crate::partial::footprint::Footprint;
use crate::properties::judges::Judged;
use crate::properties::trail::Snapshot;
use crate::rules::ahead::Step;
use crate::rules::local::{Entry, Local};
use crate::rules::moves::Move;
use crate::rules::touch::{Touch, Watching};
use crate::tabulated::layout::Slot;
use crate::tabulated::locals::DISCARDED;
use crate::tabulated::record::{Head, Record, Simple};
use crate::tabulated::uncounted::ReachedOnWays;
use automata::{CellId, Region};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// Above so many values, the results of a move are kept in a map and not in an array.
const DENSE: usize = 1 << 12;

/// What is known of one thread state.
pub(crate) struct Info {
    pub(crate) local: Local,
    /// The number of the same state without its trail, once it is needed.
    pub(super) still: OnceLock<u32>,
    /// The numbers of its images, by permutation and thread; `DISCARDED` while not known.
    pub(super) images: Box<[AtomicU32]>,
    /// All else, once the thread is met in this state: many states are only images of such.
    pub(super) known: OnceLock<Known>,
}

/// What is known of one thread state that threads are in.
pub(crate) struct Known {
    /// The moves again, for the inner loop.
    pub(crate) record: Record,
    pub(crate) moves: Box<[MoveInfo]>,
    /// At a safepoint or ended, with nothing pending.
    pub(crate) is_parked: bool,
    /// For each thread of the table, what properties say of it.
    pub(crate) judged: Box<[Judged]>,
    /// What the next moves may touch, and what may be touched now or later. Empty without partial order.
    pub(crate) next: Footprint,
    pub(crate) future: Footprint,
    /// For each thing that another thread may do and that matters, the state after that.
    pub(super) watched: Box<[Watched]>,
}

/// A thread state that a thread is in, with all that is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Met<'t> {
    pub(crate) local: &'t Local,
    pub(super) known: &'t Known,
}

impl<'t> Met<'t> {
    /// All that is known, for as long as the table is there.
    pub(crate) fn known(self) -> &'t Known {
        self.known
    }
}

impl std::ops::Deref for Met<'_> {
    type Target = Known;

    fn deref(&self) -> &Known {
        self.known
    }
}

/// What another thread may do to a cell, and the state after that, once it is needed.
pub(super) type Watched = ((CellId, Touch), OnceLock<u32>);

/// What is known of one move of one thread state.
pub(crate) struct MoveInfo {
    pub(super) step: Step,
    /// The cell whose value decides the result.
    pub(crate) reads: Option<Slot>,
    pub(super) results: Results,
    /// Whether it performs the oldest memory operation that the thread has pending.
    pub(crate) performs_oldest: bool,
}

/// The result of a move, by the value read.
pub(super) enum Results {
    Dense(Box<[OnceLock<MoveResult>]>),
    Sparse(Box<SparseResults>),
}

/// Results by the value read, for a cell with many values.
#[derive(Default)]
pub(super) struct SparseResults {
    pub(super) indices: Mutex<FxHashMap<u32, usize>>,
    pub(super) results: boxcar::Vec<MoveResult>,
}

/// The result of a move for one value read.
#[derive(Default)]
pub(crate) struct MoveResult {
    /// The cell written, and its new value.
    pub(crate) write: Option<(CellId, Slot, automata::Value)>,
    /// How others see it.
    pub(crate) touch: Option<(CellId, Touch)>,
    /// The ways in which the thread settles.
    pub(crate) ways: Box<[Continuation]>,
    pub(crate) discarded: bool,
    /// What is reached on the ways, if anything is or the program discards some.
    pub(crate) reached: Option<Box<ReachedOnWays>>,
}

/// The thread state at the end of one path of settling after a move.
#[derive(Clone, Copy)]
pub(crate) struct Continuation {
    pub(crate) local: u32,
    pub(crate) in_region: bool,
}

impl Results {
    /// None known yet, of a move that may read so many values.
    pub(super) fn of(n_values: usize) -> Self {
        match n_values <= DENSE {
            true => Results::Dense((0..n_values).map(|_| OnceLock::new()).collect()),
            false => Results::Sparse(Box::default()),
        }
    }
}

impl MoveInfo {
    /// The cell that it reads.
    pub(crate) fn reads_cell(&self) -> Option<CellId> {
        match self.step.a_move {
            Move::Perform(_, cell) | Move::Direct(Some(cell)) if self.reads.is_some() => Some(cell),
            _ => None,
        }
    }

    /// What it is.
    pub(crate) fn a_move(&self) -> Move {
        self.step.a_move
    }

    /// Whether it waits for all other threads to be parked.
    pub(crate) fn stops_the_world(&self) -> bool {
        self.step.a_move == Move::Enter(Region::StopTheWorld)
    }

    /// Whether it performs the oldest entry of the queue.
    pub(crate) fn performs_first(&self) -> bool {
        matches!(self.step.a_move, Move::Perform(0, _))
    }

    /// Whether it is not enabled while another thread holds the bus.
    pub(crate) fn needs_bus(&self) -> bool {
        self.step.a_move.needs_bus()
    }

    pub(super) fn head(&self) -> Head {
        let n_results = match &self.results {
            Results::Dense(results) => results.len(),
            Results::Sparse(_) => 0,
        };
        let head = Head::new(self.reads, n_results, self.stops_the_world());
        let head = if self.step.a_move.needs_bus() { head.needing_bus() } else { head };
        if self.performs_oldest { head.performing_oldest() } else { head }
    }
}

impl MoveResult {
    /// The result in one word, if it is simple: nothing that another thread notices.
    pub(crate) fn simple(&self, watching: Watching) -> Option<Simple> {
        let notifies_others = match self.touch {
            None => false,
            Some((_, Touch::Store)) => watching != Watching::Nothing,
            Some((_, Touch::Load | Touch::Claim)) => watching == Watching::Accesses,
        };
        match &*self.ways {
            [] if !self.discarded => Some(Simple::disabled()),
            [way] if !notifies_others => {
                Simple::new(way.local, way.in_region, self.write.map(|(_, slot, value)| (slot, value)))
            }
            _ => None,
        }
    }
}

impl Info {
    /// The number of the image at `index`, which `find` finds if it is not known yet.
    pub(crate) fn image(&self, index: usize, find: impl FnOnce() -> u32) -> u32 {
        // As in `Record`: what a number stands for is published by the table.
        match self.images[index].load(Ordering::Relaxed) {
            DISCARDED => {
                let found = find();
                self.images[index].store(found, Ordering::Relaxed);
                found
            }
            known => known,
        }
    }

    /// An estimate of the bytes held, the key in the map included.
    pub(super) fn bytes(&self) -> u64 {
        let entry = |e: &Entry| 72 + 8 * e.operands.len();
        let trail = |s: &Snapshot| size_of::<Snapshot>() + 8 * s.registers.len();
        let local = size_of::<Local>()
            + 8 * self.local.registers.len()
            + self.local.queue.iter().map(entry).sum::<usize>()
            + self.local.trail.iter().map(trail).sum::<usize>();
        (local + 4 * self.images.len() + size_of::<(Info, u64, u32)>()) as u64
    }
}

impl Known {
    /// An estimate of the bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let results = |m: &MoveInfo| match &m.results {
            Results::Dense(results) => results.len() * size_of::<OnceLock<MoveResult>>(),
            Results::Sparse(_) => 64,
        };
        let moves: usize = self.moves.iter().map(|m| size_of::<MoveInfo>() + results(m)).sum();
        let judged: usize = self.judged.iter().map(Judged::bytes).sum();
        (moves + judged + self.next.bytes() + self.future.bytes() + self.record.bytes()) as u64
    }
}
