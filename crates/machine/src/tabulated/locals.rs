//! Every thread state met so far, numbered, with its moves tabulated.
//!
//! A thread's part in a step depends only on its own state and on the value it reads. So each such
//! pair is worked out once, by the rules, and looked up ever after: successor code compiled on demand.
//! Threads with equal programs share a table. Tables only grow; readers take no lock.

use crate::options::{Bound, Options};
use crate::properties::judges::Judges;
use crate::rules::Rules;
use crate::rules::ahead::Step;
use crate::rules::code::Code;
use crate::rules::local::{Local, Mode};
use crate::rules::touch::{AfterTouch, Touch};
use crate::tabulated::info::{Continuation, Info, Known, Met, MoveInfo, MoveResult, Results, SparseResults};
use crate::tabulated::layout::{Layout, Slot};
use crate::tabulated::record::Record;
use crate::tabulated::uncounted::{ReachedOnWays, Uncounted};
use automata::{Automata, CellId, PointId, ThreadId};
use base::table::Id;
use memory::MemoryModel;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use system::{Reached, SharedReached};

/// Marks the number of a local state that has violated a property.
pub(crate) const FAILED: u32 = 1 << 31;

/// In place of a state's number: the path does not exist.
pub(crate) const DISCARDED: u32 = u32::MAX;

/// Parts of the map from thread states to their numbers.
const PARTS: usize = 16;

/// What surrounds the threads: all that the rules need besides the code.
pub(crate) struct Surroundings<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) options: &'a Options,
    pub(crate) layout: &'a Layout,
    pub(crate) judges: &'a Judges,
}

/// The states of threads that run one program.
pub(crate) struct Locals {
    pub(crate) code: Arc<Code>,
    /// The threads.
    members: Vec<ThreadId>,
    /// How many images each state has.
    n_images: usize,
    /// By hash, or by the next free number after it. In parts, each with its own lock: while one grows, it is there twice, and no more.
    numbers: [Mutex<FxHashMap<u64, u32>>; PARTS],
    pub(crate) infos: boxcar::Vec<Info>,
    queue_bound_hit: AtomicBool,
    buffer_hit: AtomicBool,
    guesses_hit: AtomicBool,
    /// Whether some state goes round forever.
    spins: AtomicBool,
    pub(crate) counted: SharedReached,
    /// For each point, whether some thread was there.
    pub(crate) been: Box<[AtomicBool]>,
    bytes: AtomicU64,
}

impl Locals {
    pub(crate) fn new(code: Arc<Code>, members: Vec<ThreadId>, n_images: usize) -> Self {
        let been = code.automaton.points.ids().map(|_| AtomicBool::new(false)).collect();
        Locals {
            code,
            members,
            n_images,
            numbers: std::array::from_fn(|_| Mutex::default()),
            infos: boxcar::Vec::new(),
            queue_bound_hit: AtomicBool::new(false),
            buffer_hit: AtomicBool::new(false),
            guesses_hit: AtomicBool::new(false),
            spins: AtomicBool::new(false),
            counted: SharedReached::default(),
            been,
            bytes: AtomicU64::new(0),
        }
    }

    pub(crate) fn rules<'a>(&'a self, around: &Surroundings<'a>) -> Rules<'a> {
        Rules { code: &self.code, automata: around.automata, memory: around.memory, options: around.options }
    }

    /// Whether this bound ever made a thread wait.
    pub(crate) fn bound_hit(&self, bound: Bound) -> bool {
        self.hit(bound).load(Ordering::Relaxed)
    }

    pub(crate) fn hit(&self, bound: Bound) -> &AtomicBool {
        match bound {
            Bound::Queue => &self.queue_bound_hit,
            Bound::Buffer => &self.buffer_hit,
            Bound::Guesses | Bound::History => &self.guesses_hit,
        }
    }

    /// Whether a property asks something of locations that may be passed.
    pub(crate) fn keeps_trails(&self) -> bool {
        self.code.passing.values().any(Option::is_some)
    }

    /// The number of the same state without what was passed.
    pub(crate) fn without_trail(&self, number: u32) -> u32 {
        let info = self.info(number);
        let still = || self.number(Local { trail: Vec::new(), ..info.local.clone() });
        if info.local.trail.is_empty() { number } else { *info.still.get_or_init(still) }
    }

    /// Whether some thread was at `point` in a step worked out so far.
    pub(crate) fn was_at(&self, point: PointId) -> bool {
        self.been[point.index()].load(Ordering::Relaxed)
    }

    /// Notes where a thread has been; inside a region nobody can see it.
    fn note_points(&self, outcome: &crate::rules::SettlePath) {
        for point in outcome.been.iter().filter(|point| !self.code.is_inside[**point]) {
            self.been[point.index()].store(true, Ordering::Relaxed);
        }
    }

    /// Whether a thread may be in a state in which it goes round forever.
    pub(crate) fn may_spin(&self) -> bool {
        self.spins.load(Ordering::Relaxed)
    }

    /// An estimate of the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What is known of the state numbered `number`.
    pub(crate) fn info(&self, number: u32) -> &Info {
        &self.infos[(number & !FAILED) as usize]
    }

    /// The ways in which a thread begins.
    pub(crate) fn initial(&self, around: &Surroundings<'_>) -> MoveResult {
        let settled = self.rules(around).settle(self.code.start(), Vec::new());
        let result = self.result(None, None, settled);
        let nothing = Uncounted::default();
        (0..result.ways.len()).for_each(|way| self.count(&self.uncounted(&nothing, &result, way)));
        self.count(&self.uncounted_cut(&nothing, &result));
        result
    }

    /// The result of the move at `index` of `info` when its cell holds the raw value `raw`.
    pub(crate) fn step<'t>(&self, around: &Surroundings<'_>, met: Met<'t>, index: usize, raw: u32) -> &'t MoveResult {
        let a_move = &met.known.moves[index];
        let compute = || self.compute(around, met.local, a_move, raw);
        match &a_move.results {
            Results::Dense(results) => {
                // Mostly it is known, and then nothing is prepared for finding it.
                let result = &results[raw as usize];
                result.get().unwrap_or_else(|| result.get_or_init(compute))
            }
            Results::Sparse(sparse) => {
                let SparseResults { indices, results } = &**sparse;
                let mut indices = indices.lock().unwrap_or_else(|e| e.into_inner());
                let index = *indices.entry(raw).or_insert_with(|| results.push(compute()));
                &results[index]
            }
        }
    }

    fn compute(&self, around: &Surroundings<'_>, local: &Local, a_move: &MoveInfo, raw: u32) -> MoveResult {
        let read = a_move.reads.map_or(0, |slot| slot.value(raw));
        match self.rules(around).apply_step(local, &a_move.step, read) {
            None => MoveResult::default(),
            Some(applied) => {
                let write = applied.write.map(|(cell, value)| (cell, around.layout.slot(cell), value));
                self.result(write, applied.touch, applied.settled)
            }
        }
    }

    fn result(
        &self,
        write: Option<(CellId, Slot, automata::Value)>,
        touch: Option<(CellId, Touch)>,
        settled: crate::rules::Settled,
    ) -> MoveResult {
        let mut reached = Vec::with_capacity(settled.paths.len());
        let way = |outcome: crate::rules::SettlePath| {
            if let Some(bound) = outcome.bound_hit {
                self.hit(bound).store(true, Ordering::Relaxed);
            }
            self.note_points(&outcome);
            reached.push(outcome.reached);
            let in_region = outcome.local.is_mid_step();
            Continuation { in_region, local: self.number(outcome.local) }
        };
        // Not collected where the paths are, which are large: room would be given back piece by piece.
        let mut ways = Vec::with_capacity(settled.paths.len());
        ways.extend(settled.paths.into_iter().map(way));
        self.bytes.fetch_add((ways.len() * size_of::<Continuation>()) as u64, Ordering::Relaxed);
        let is_something = settled.cut.is_some() || reached.iter().any(|reached| *reached != Reached::default());
        let reached = is_something.then(|| {
            Box::new(ReachedOnWays { ways: reached.into(), cut: settled.cut, is_counted: AtomicBool::new(false) })
        });
        MoveResult { write, touch, ways: ways.into(), discarded: settled.discarded, reached }
    }

    /// The number of `local`, given now if it has none yet.
    pub(crate) fn number(&self, local: Local) -> u32 {
        let mut hash = FxBuildHasher.hash_one(&local);
        // Not the bits by which the map itself chooses.
        let part = (hash >> 40) as usize % PARTS;
        let mut numbers = self.numbers[part].lock().unwrap_or_else(|e| e.into_inner());
        while let Some(number) = numbers.get(&hash) {
            if self.info(*number).local == local {
                return *number;
            }
            hash = hash.wrapping_add(1);
        }
        let failed = if matches!(local.mode, Mode::Failed(_)) { FAILED } else { 0 };
        self.spins.fetch_or(local.mode.is_looping(), Ordering::Relaxed);
        let images = (0..self.n_images).map(|_| AtomicU32::new(DISCARDED)).collect();
        let info = Info { local, still: OnceLock::new(), images, known: OnceLock::new() };
        self.bytes.fetch_add(info.bytes(), Ordering::Relaxed);
        let number = self.infos.push(info) as u32 | failed;
        numbers.insert(hash, number);
        number
    }

    /// As `info`, with all that is known of it.
    pub(crate) fn ready(&self, around: &Surroundings<'_>, number: u32) -> Met<'_> {
        let Info { local, known, .. } = self.info(number);
        let known = known.get_or_init(|| {
            let known = self.describe(around, local);
            self.bytes.fetch_add(known.bytes(), Ordering::Relaxed);
            known
        });
        Met { local, known }
    }

    fn describe(&self, around: &Surroundings<'_>, local: &Local) -> Known {
        let rules = self.rules(around);
        let describe_step = |step: Step| {
            let reads = rules.step_footprint(local, &step).filter(|r| r.reads).map(|r| around.layout.slot(r.cell));
            let results = Results::of(reads.map_or(1, |slot| slot.n_values()));
            let performs_oldest = rules.step_performs_oldest(local, &step);
            MoveInfo { step, reads, results, performs_oldest }
        };
        let (steps, bounds) = rules.steps(local);
        bounds.into_iter().for_each(|bound| self.hit(bound).store(true, Ordering::Relaxed));
        let (next, future) = match around.options.reductions.partial_order {
            true => (rules.next_footprint(local, &steps), rules.future_footprint(local)),
            false => Default::default(),
        };
        let moves: Box<[MoveInfo]> = steps.into_iter().map(describe_step).collect();
        let record = Record::new(&moves.iter().map(MoveInfo::head).collect::<Vec<_>>());
        let is_parked = rules.is_parked(local);
        let watched = rules.watched(local).into_iter().map(|touch| (touch, OnceLock::new())).collect();
        let judge = |thread: &ThreadId| around.judges.of_thread(&rules, around.layout, *thread, local);
        let judged = self.members.iter().map(judge).collect();
        Known { record, moves, is_parked, judged, next, future, watched }
    }

    /// The cells that another thread may write so that the state `number` is another then, or does not exist.
    pub(crate) fn watches(&self, around: &Surroundings<'_>, number: u32) -> impl Iterator<Item = CellId> {
        let watched = self.ready(around, number).known().watched.iter();
        watched.filter(|((_, touch), _)| *touch == Touch::Store).map(|((cell, _), _)| *cell)
    }

    /// The number of a state after another thread has so touched a cell; `DISCARDED` if that path
    /// does not exist.
    pub(crate) fn after_touch(&self, around: &Surroundings<'_>, number: u32, touched: (CellId, Touch)) -> u32 {
        let info = self.ready(around, number);
        match info.watched.iter().find(|(watched, _)| *watched == touched) {
            None => number,
            Some((_, after)) => {
                *after.get_or_init(|| match self.rules(around).after_touch(info.local, touched.0, touched.1) {
                    AfterTouch::Unchanged => number,
                    AfterTouch::Changed(local) => self.number(local),
                    AfterTouch::Discarded => DISCARDED,
                })
            }
        }
    }
}
