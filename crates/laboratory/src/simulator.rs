//! Transactions on a simulated machine: which lines leave which level, and what that means for the read set and the
//! write set.
//!
//! A transaction accesses its lines in ascending order, so a line is in its set if it lies between the first one and the
//! current one. Words of one line are one access. Pages of 4 KB have frames chosen at random: the outer levels
//! are indexed by physical addresses. Not simulated: prefetching, other threads, interrupts, translation faults.

use crate::cache::{Access, Cache};
use crate::case::{Case, Mode, Operation};
use crate::machine::{Machine, ReadTracking};
use crate::random::{Random, mix};
use crate::sweep::Subject;
use htm::Cause;
use htm::area::{LINE_BYTES, PAGE_BYTES};

/// Lines of a page.
const PAGE_LINES: u64 = (PAGE_BYTES / LINE_BYTES) as u64;
/// Lines from here on belong to nobody's area.
const FOREIGN: u64 = 1 << 48;

/// A machine with the content of its caches.
pub struct Simulator {
    machine: Machine,
    l1: Cache,
    outer: Option<Cache>,
    /// The slots that are taken, for each set of the first level.
    signature: Vec<Vec<u64>>,
    random: Random,
    /// The first line of the current area.
    base: u64,
    seed: u64,
}

/// The lines of one attempt.
struct Attempt {
    operation: Operation,
    /// The area's first line, and the one that is accessed now.
    first: u64,
    current: u64,
}

impl Attempt {
    fn has(&self, line: u64) -> bool {
        (self.first..=self.current).contains(&line)
    }
}

impl Simulator {
    /// The machine, its caches full of other lines.
    pub fn new(machine: &Machine, seed: u64) -> Simulator {
        let mut simulator = Simulator {
            l1: Cache::new(machine.l1, seed),
            outer: machine.outer().map(|geometry| Cache::new(geometry, mix(seed))),
            signature: vec![Vec::new(); machine.l1.sets],
            random: Random(mix(seed ^ 1)),
            base: 0,
            machine: machine.clone(),
            seed,
        };
        simulator.fill();
        simulator
    }

    /// Fills every way with lines that are no part of any area.
    fn fill(&mut self) {
        for cache in [Some(&mut self.l1), self.outer.as_mut()].into_iter().flatten() {
            let sets = cache.geometry.sets as u64;
            for n in 0..sets * cache.geometry.ways as u64 {
                cache.access(FOREIGN + self.random.below(FOREIGN), n % sets);
            }
        }
    }

    /// The number of the physical line.
    fn place(&self, line: u64) -> u64 {
        let (page, offset) = (line / PAGE_LINES, line % PAGE_LINES);
        (mix(page ^ self.seed) >> 24) * PAGE_LINES + offset
    }

    /// The area's lines that are accessed.
    fn lines(&self, case: &Case, n_bytes: usize) -> impl Iterator<Item = u64> + use<> {
        let (base, step) = (self.base, (case.line_step() / LINE_BYTES) as u64);
        (0..(n_bytes / case.line_step()) as u64).map(move |n| base + n * step)
    }

    /// Accesses a line; an abort if that costs the transaction one of its lines.
    fn access(&mut self, line: u64, attempt: &Attempt) -> Result<(), Cause> {
        let place = self.place(line);
        let evicted = match self.l1.access(line, place) {
            Access::Hit => return Ok(()),
            Access::Filled => None,
            Access::Evicted(old) => Some(old).filter(|old| attempt.has(*old)),
        };
        if evicted.is_some() && attempt.operation == Operation::Write {
            return Err(Cause::Capacity);
        }
        match self.machine.read_tracking {
            ReadTracking::FirstLevel => evicted.map_or(Ok(()), |_| Err(Cause::Capacity)),
            ReadTracking::SecondLevel | ReadTracking::ThirdLevel => self.enter_outer(line, place, attempt),
            ReadTracking::Signature(slots) => self.sign(line, place, evicted, slots),
        }
    }

    /// The line enters the outer level, which includes the first; if another must leave for it, more follow.
    fn enter_outer(&mut self, line: u64, place: u64, attempt: &Attempt) -> Result<(), Cause> {
        let Some(outer) = &mut self.outer else { return Ok(()) };
        let Access::Evicted(old) = outer.access(line, place) else { return Ok(()) };
        self.leave_outer(old, attempt)?;
        for _ in 0..self.machine.extra_fills {
            let (line, place) = (FOREIGN + self.random.below(FOREIGN), self.random.next());
            let Some(outer) = &mut self.outer else { return Ok(()) };
            if let Access::Evicted(old) = outer.access(line, place) {
                self.leave_outer(old, attempt)?;
            }
        }
        Ok(())
    }

    /// What leaves the outer level leaves the first too.
    fn leave_outer(&mut self, old: u64, attempt: &Attempt) -> Result<(), Cause> {
        if attempt.has(old) {
            return Err(Cause::Capacity);
        }
        let place = self.place(old);
        self.l1.remove(old, place);
        Ok(())
    }

    /// What the signature of the line's set says to an eviction from the first level and to a fill of the second.
    fn sign(&mut self, line: u64, place: u64, evicted: Option<u64>, slots: u64) -> Result<(), Cause> {
        let set = self.l1.set(place);
        let enters = self.outer.as_mut().is_some_and(|outer| outer.access(line, place) != Access::Hit);
        let looked_up = self.random.below(slots);
        if enters && self.signature[set].contains(&looked_up) {
            return Err(Cause::Capacity);
        }
        if let Some(old) = evicted {
            let slot = mix(old ^ self.random.next()) % slots;
            if self.signature[set].contains(&slot) {
                return Err(Cause::Capacity);
            }
            self.signature[set].push(slot);
        }
        Ok(())
    }

    /// What the mode does before an attempt.
    fn prepare(&mut self, case: &Case, n_bytes: usize) {
        let outside = Attempt { operation: Operation::Read, first: 1, current: 0 };
        match case.mode {
            Mode::Untouched | Mode::Distinct | Mode::Reused => {}
            Mode::Flushed => {
                for line in self.lines(case, n_bytes) {
                    let place = self.place(line);
                    self.l1.remove(line, place);
                    if let Some(outer) = &mut self.outer {
                        outer.remove(line, place);
                    }
                }
            }
            Mode::Invalidated => {
                self.l1.clear();
                if let Some(outer) = &mut self.outer {
                    outer.clear();
                }
            }
            Mode::Warm(passes) => {
                for _ in 0..passes {
                    for line in self.lines(case, n_bytes) {
                        // Outside a transaction nothing aborts.
                        let _ = self.access(line, &outside);
                    }
                }
            }
        }
    }
}

impl Subject for Simulator {
    fn can_try(&self, case: &Case) -> bool {
        // Translation faults are not a matter of caches.
        case.mode != Mode::Untouched
    }

    fn start_case(&mut self, _case: &Case) {
        self.fill();
    }

    fn start_trial(&mut self, case: &Case, n_bytes: usize) {
        self.base = match case.mode {
            // One area for each size.
            Mode::Reused => (n_bytes as u64) << 12,
            // Areas begin at any line, as in the thesis.
            _ => self.random.below(1 << 40),
        };
    }

    fn attempt(&mut self, case: &Case, n_bytes: usize) -> Result<(), Cause> {
        self.prepare(case, n_bytes);
        self.signature.iter_mut().for_each(Vec::clear);
        let n_lines = (n_bytes / case.line_step()).max(1) as u64;
        let hot: Vec<u64> = (0..self.machine.hot_lines).map(|_| FOREIGN + self.random.below(FOREIGN)).collect();
        let mut foreign: Vec<u64> = (0..self.machine.foreign_lines).map(|_| self.random.below(n_lines)).collect();
        foreign.sort_unstable();
        let mut foreign = foreign.into_iter().peekable();
        let mut attempt = Attempt { operation: case.operation, first: self.base, current: self.base };
        for (n, line) in self.lines(case, n_bytes).enumerate() {
            while foreign.next_if(|at| *at == n as u64).is_some() {
                let other = FOREIGN + self.random.below(FOREIGN);
                self.access(other, &attempt)?;
            }
            if n % self.machine.hot_period == 0 {
                hot.iter().try_for_each(|line| self.access(*line, &attempt))?;
            }
            attempt.current = line;
            self.access(line, &attempt)?;
        }
        Ok(())
    }
}
