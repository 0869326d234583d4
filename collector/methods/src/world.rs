//! What all threads share: the heap, and one control block per mutator.

use crate::access::{Access, Engine, Injection};
use crate::options::Options;
use crate::schedule::{self, Schedule};
use heap::{Addr, Heap, LOG_WORDS, LogKind, Ref, RegionId, Shape, log_entry, log_written};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Slots of the object that every mutator can reach.
pub(crate) const N_GLOBALS: u8 = 128;
/// Set in a request word to make a mutator look up without a handshake.
pub(crate) const POKE: u64 = 1 << 63;

/// What barriers do. A mutator changes its own set at handshakes only, so it is fixed between two yieldpoints.
pub(crate) mod barrier {
    /// Overwritten and written references are greyed.
    pub(crate) const MARK: u8 = 1;
    /// Slots that are given a reference are logged.
    pub(crate) const RECORD: u8 = 2;
    /// No original of the region under evacuation is written: it is evacuated first.
    pub(crate) const EVACUATE: u8 = 4;
    /// What is written to an original is written to its replica, and the other way round.
    pub(crate) const MIRROR: u8 = 8;
    /// References to originals are not written any more.
    pub(crate) const TRANSLATE: u8 = 16;
}

/// What a handshake asks of a mutator, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order(pub(crate) u64);

impl Order {
    pub(crate) const RETIRE: u64 = 1 << 8;
    pub(crate) const SCAN: u64 = 1 << 9;
    pub(crate) const FIX: u64 = 1 << 10;
    pub(crate) const STOP: u64 = 1 << 11;

    /// From now on, this set of barriers.
    pub(crate) fn barrier(set: u8) -> Order {
        Order(u64::from(set))
    }

    pub(crate) fn and(self, action: u64) -> Order {
        Order(self.0 | action)
    }

    pub(crate) fn asks(self, action: u64) -> bool {
        self.0 & action != 0
    }

    pub(crate) fn barrier_set(self) -> u8 {
        self.0 as u8
    }
}

/// What a mutator and the collector say to each other. On lines of its own.
#[repr(align(128))]
pub(crate) struct Control {
    /// The handshake that is asked for; polled at every yieldpoint.
    pub(crate) request: AtomicU64,
    /// What it asks for. On the same line: whoever has seen the request has it at hand.
    pub(crate) order: AtomicU64,
    /// The load-value barrier's mask: a loaded reference that has such a bit takes the slow path.
    pub(crate) bad: AtomicU64,
    /// Where the region under evacuation begins, for Baker's barrier.
    pub(crate) low: AtomicU64,
    /// Its length; 0 while nothing moves.
    pub(crate) length: AtomicU64,
    /// What the mutator says to the collector.
    pub(crate) said: Alone<Said>,
    /// The mutator has ended.
    pub(crate) is_detached: AtomicBool,
    logs: Alone<Mutex<[Drained; 2]>>,
}

/// On other lines than everything else: what the collector writes here must not take the line from a mutator that polls, nor abort
/// its transaction. Two lines, because the processor fetches them in pairs.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Alone<T>(pub(crate) T);

/// What a mutator says to the collector.
#[derive(Default)]
pub(crate) struct Said {
    /// The handshake that it has acknowledged.
    pub(crate) acknowledged: AtomicU64,
    /// The steps that it had taken by then.
    pub(crate) n_steps: AtomicU64,
}

/// Entries that have left the ring, and the number of the next one that has not.
#[derive(Default)]
struct Drained {
    position: u64,
    entries: Vec<u64>,
}

/// The heap and all that threads tell each other.
pub struct World {
    /// The heap.
    pub heap: Heap,
    pub(crate) engine: Engine,
    pub(crate) options: Options,
    pub(crate) controls: Box<[Control]>,
    /// The last stop that is over.
    pub(crate) resumed: Alone<AtomicU64>,
    pub(crate) cycle: AtomicU64,
    /// Some mutator waits for memory.
    pub(crate) is_wanted: AtomicBool,
    /// Programs are to end.
    pub(crate) is_over: AtomicBool,
    pub(crate) globals: Ref,
    pub(crate) schedule: Option<Arc<Schedule>>,
    failure: Mutex<Option<String>>,
}

impl World {
    /// An empty heap for so many mutators.
    pub fn new(options: Options, n_mutators: usize) -> World {
        let heap = Heap::new(options.size);
        let globals =
            heap.create(heap.regions.start(RegionId(0)), Shape { n_slots: N_GLOBALS, n_data: 0 }, (1 << 40) - 1);
        if options.always_odd {
            heap.words.store(heap::COUNTER, 1);
        }
        let injection = Injection { per_mille: options.aborts_per_mille };
        World {
            heap,
            engine: Engine::new(options.hardware.rtm(), injection, options.emulated_capacity),
            options,
            controls: (0..n_mutators).map(|_| Control::new()).collect(),
            resumed: Alone(AtomicU64::new(0)),
            cycle: AtomicU64::new(0),
            is_wanted: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            globals,
            schedule: options.schedule.map(|seed| Arc::new(Schedule::new(seed, n_mutators + 1))),
            failure: Mutex::new(None),
        }
    }

    /// Whether programs are to end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Asks every program to end at its next yieldpoint.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        for control in &self.controls {
            control.request.fetch_or(POKE, Ordering::AcqRel);
        }
    }

    /// Whether every mutator has ended.
    pub(crate) fn is_deserted(&self) -> bool {
        self.controls.iter().all(|control| control.is_detached.load(Ordering::Acquire))
    }

    /// Says what is wrong, the first time, and ends the run.
    pub(crate) fn fail(&self, message: String) {
        self.failure.lock().expect("no holder panics").get_or_insert(message);
        self.end();
    }

    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().expect("no holder panics").clone()
    }

    /// Whether a region holds originals of this cycle: what was there before it began.
    pub(crate) fn is_old(&self, region: RegionId) -> bool {
        use heap::RegionStatus::InUse;
        let regions = &self.heap.regions;
        regions.status(region) == InUse && regions.birth(region) < self.cycle.load(Ordering::Acquire)
    }
}

impl Control {
    fn new() -> Control {
        Control {
            request: AtomicU64::new(0),
            order: AtomicU64::new(0),
            bad: AtomicU64::new(0),
            low: AtomicU64::new(0),
            length: AtomicU64::new(0),
            said: Alone::default(),
            is_detached: AtomicBool::new(false),
            logs: Alone::default(),
        }
    }

    /// Takes a log's entries out of the ring. Returns the number of the next entry.
    ///
    /// Through `access`, because an emulated transaction writes an entry and its number at the same time only for those
    /// who wait for its lock.
    pub(crate) fn drain<'h, A: Access<'h>>(&self, access: &mut A, mutator: usize, kind: LogKind) -> u64 {
        let mut load = |at: Addr| access.load(at).ok().expect("outside a transaction nothing aborts");
        let log = &mut self.logs()[kind as usize];
        let written = load(log_written(mutator, kind));
        assert!(written - log.position <= LOG_WORDS, "a log was overwritten");
        for number in log.position..written {
            log.entries.push(load(log_entry(mutator, kind, number)));
        }
        log.position = written;
        written
    }

    /// Locks without blocking: where threads take turns, the holder may have to wait for its next one.
    fn logs(&self) -> MutexGuard<'_, [Drained; 2]> {
        let mut patience = Patience::default();
        loop {
            match self.logs.0.try_lock() {
                Ok(logs) => return logs,
                Err(TryLockError::WouldBlock) => patience.wait(),
                Err(TryLockError::Poisoned(_)) => panic!("a thread panicked while it drained a log"),
            }
        }
    }

    /// Takes the drained entries.
    pub(crate) fn take(&self, kind: LogKind) -> Vec<u64> {
        std::mem::take(&mut self.logs()[kind as usize].entries)
    }
}

/// Waits a little longer each time, and lets others run: there may be more threads than processors.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    pub(crate) fn wait(&mut self) {
        if schedule::pass() {
            return;
        }
        self.0 += 1;
        if self.0 < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of lines from the first byte of a thing to its last.
    fn lines<T>(of: &T) -> std::ops::RangeInclusive<usize> {
        let start = std::ptr::from_ref(of).addr();
        start / 128..=(start + size_of::<T>() - 1) / 128
    }

    #[test]
    fn what_a_mutator_polls_is_on_other_lines_than_what_the_collector_writes() {
        let world = World::new(Options::default(), 2);
        for control in &world.controls {
            let written = [lines(&control.logs), lines(&control.said), lines(&world.resumed)];
            for polled in [lines(&control.request), lines(&world.is_over), lines(&world.options), lines(&world.engine)]
            {
                let is_apart = |lines: &std::ops::RangeInclusive<usize>| {
                    lines.end() < polled.start() || lines.start() > polled.end()
                };
                assert!(written.iter().all(is_apart), "{polled:?} and {written:?}");
            }
        }
    }
}
