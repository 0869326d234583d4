//! Transactions on a simulated machine: which lines leave which level, and what that means for the read set and the
//! write set.
//!
//! A transaction of the sweep accesses its lines in ascending order, so a line is in its set if it lies between the first one
//! and the current one; others list their lines. Words of one line are one access. Pages of 4 KB have frames chosen at random:
//! the outer levels are indexed by physical addresses. Not simulated: prefetching, other threads, interrupts, translation faults.

use crate::cache::{Access, Cache, Replacement};
use crate::case::{Case, Mode, Operation};
use crate::machine::{Fills, Machine, ReadTracking, Signature};
use crate::random::{Random, mix};
use crate::sweep::Subject;
use htm::Cause;
use htm::area::{LINE_BYTES, PAGE_BYTES};
use std::collections::HashMap;

/// Lines of a page.
const PAGE_LINES: u64 = (PAGE_BYTES / LINE_BYTES) as u64;
/// Lines from here on belong to nobody's area.
const FOREIGN: u64 = 1 << 48;

/// A machine with the content of its caches.
pub struct Simulator {
    machine: Machine,
    l1: Cache,
    outer: Option<Cache>,
    /// The slots that are taken, for each bank.
    signature: Vec<Vec<u64>>,
    random: Random,
    /// The first line of the current area.
    base: u64,
    seed: u64,
}

/// The lines that a transaction has accessed.
enum Sets {
    /// No transaction.
    Outside,
    /// One that accesses an area in ascending order: all from the first line to the current one.
    Ascending { operation: Operation, first: u64, current: u64 },
    /// Any other. What was read and written counts as written.
    Listed(HashMap<u64, Operation>),
}

impl Sets {
    fn add(&mut self, line: u64, operation: Operation) {
        match self {
            Sets::Outside => {}
            Sets::Ascending { current, .. } => *current = line,
            Sets::Listed(lines) => {
                let known = lines.entry(line).or_insert(operation);
                if operation == Operation::Write {
                    *known = operation;
                }
            }
        }
    }

    /// What the transaction has done to a line, if it has accessed it.
    fn operation(&self, line: u64) -> Option<Operation> {
        match self {
            Sets::Outside => None,
            Sets::Ascending { operation, first, current } => (first..=current).contains(&&line).then_some(*operation),
            Sets::Listed(lines) => lines.get(&line).copied(),
        }
    }
}

impl Simulator {
    /// The machine, its caches full of other lines.
    pub fn new(machine: &Machine, seed: u64) -> Simulator {
        let mut simulator = Simulator {
            l1: Cache::new(machine.l1, seed),
            outer: machine.outer().map(|geometry| Cache::new(geometry, mix(seed))),
            signature: vec![Vec::new(); machine.banks()],
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

    /// All lines of the area, one out of so many, and the last.
    fn every(&self, n_bytes: usize, step: usize) -> impl Iterator<Item = u64> + use<> {
        let (first, end) = (self.base, self.base + (n_bytes / LINE_BYTES) as u64);
        (first..end).step_by(step).chain((first..end).last())
    }

    /// The area's lines that are accessed.
    fn lines(&self, case: &Case, n_bytes: usize) -> impl Iterator<Item = u64> + use<> {
        let (base, step) = (self.base, (case.line_step() / LINE_BYTES) as u64);
        (0..(n_bytes / case.line_step()) as u64).map(move |n| base + n * step)
    }

    /// Accesses a line; an abort if that costs the transaction one of its lines.
    fn access(&mut self, line: u64, sets: &Sets) -> Result<(), Cause> {
        let place = self.place(line);
        let evicted = match self.l1.access(line, place) {
            Access::Hit => return Ok(()),
            Access::Filled => None,
            Access::Evicted(old) => match sets.operation(old) {
                Some(Operation::Write) => return Err(Cause::Capacity),
                Some(Operation::Read) => Some(old),
                None => None,
            },
        };
        match self.machine.read_tracking {
            ReadTracking::FirstLevel => evicted.map_or(Ok(()), |_| Err(Cause::Capacity)),
            ReadTracking::SecondLevel | ReadTracking::ThirdLevel => self.enter_outer(line, place, sets),
            ReadTracking::Signature(signature) => self.sign(line, place, evicted, signature),
        }
    }

    /// The line enters the outer level, which includes the first; if another must leave for it, more follow.
    fn enter_outer(&mut self, line: u64, place: u64, sets: &Sets) -> Result<(), Cause> {
        let Some(outer) = &mut self.outer else { return Ok(()) };
        let Access::Evicted(old) = outer.access(line, place) else { return Ok(()) };
        self.leave_outer(old, sets)?;
        for _ in 0..self.machine.extra_fills {
            let (line, place) = (FOREIGN + self.random.below(FOREIGN), self.random.next());
            let Some(outer) = &mut self.outer else { return Ok(()) };
            if let Access::Evicted(old) = outer.access(line, place) {
                self.leave_outer(old, sets)?;
            }
        }
        Ok(())
    }

    /// What leaves the outer level leaves the first too.
    fn leave_outer(&mut self, old: u64, sets: &Sets) -> Result<(), Cause> {
        if sets.operation(old).is_some() {
            return Err(Cause::Capacity);
        }
        let place = self.place(old);
        self.l1.remove(old, place);
        Ok(())
    }

    /// What the signature says to an eviction from the first level and to a fill of the second.
    fn sign(&mut self, line: u64, place: u64, evicted: Option<u64>, signature: Signature) -> Result<(), Cause> {
        let Signature { slots, fills, .. } = signature;
        let bank = self.l1.set(place) % self.signature.len();
        let enters = self.outer.as_mut().is_some_and(|outer| outer.access(line, place) != Access::Hit);
        let looked_up = self.random.below(slots);
        if enters && fills == Fills::AreLookedUp && self.signature[bank].contains(&looked_up) {
            return Err(Cause::Capacity);
        }
        if let Some(old) = evicted {
            let slot = mix(old ^ self.random.next()) % slots;
            if self.signature[bank].contains(&slot) {
                return Err(Cause::Capacity);
            }
            self.signature[bank].push(slot);
        }
        Ok(())
    }

    /// Accesses lines outside transactions, where nothing aborts.
    pub fn touch(&mut self, lines: impl IntoIterator<Item = u64>) {
        for line in lines {
            let _ = self.access(line, &Sets::Outside);
        }
    }

    /// Lets as many lines of others pass through the caches.
    pub fn disturb(&mut self, n_lines: usize) {
        let lines: Vec<u64> = (0..n_lines).map(|_| FOREIGN + self.random.below(FOREIGN)).collect();
        self.touch(lines);
    }

    /// A transaction of these accesses.
    pub fn transaction(&mut self, accesses: &[(u64, Operation)]) -> Result<(), Cause> {
        self.transact(accesses.len(), accesses.iter().copied(), Sets::Listed(HashMap::new()))
    }

    fn transact(
        &mut self,
        n_accesses: usize,
        accesses: impl Iterator<Item = (u64, Operation)>,
        mut sets: Sets,
    ) -> Result<(), Cause> {
        self.signature.iter_mut().for_each(Vec::clear);
        let hot: Vec<u64> = (0..self.machine.hot_lines).map(|_| FOREIGN + self.random.below(FOREIGN)).collect();
        let mut foreign: Vec<u64> =
            (0..self.machine.foreign_lines).map(|_| self.random.below(n_accesses.max(1) as u64)).collect();
        foreign.sort_unstable();
        let mut foreign = foreign.into_iter().peekable();
        for (n, (line, operation)) in accesses.enumerate() {
            while foreign.next_if(|at| *at == n as u64).is_some() {
                let other = FOREIGN + self.random.below(FOREIGN);
                self.access(other, &sets)?;
            }
            if n % self.machine.hot_period == 0 {
                hot.iter().try_for_each(|line| self.access(*line, &sets))?;
            }
            sets.add(line, operation);
            self.access(line, &sets)?;
        }
        Ok(())
    }

    /// What the mode does before an attempt: as `hardware` does it, to the whole area, whatever is accessed of it.
    fn prepare(&mut self, case: &Case, n_bytes: usize) {
        if case.mode != Mode::Untouched {
            self.touch(self.every(n_bytes, PAGE_LINES as usize));
        }
        match case.mode {
            Mode::Untouched | Mode::Distinct | Mode::Reused => {}
            Mode::Flushed => {
                for line in self.every(n_bytes, 1) {
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
                for _ in 0..if self.is_lru() { passes.min(2) } else { passes } {
                    self.touch(self.every(n_bytes, 1));
                }
            }
        }
    }

    /// Whether every level evicts what was used longest ago, and none includes another: then what a pass over an area leaves behind
    /// depends on that pass and the last, so a third one changes nothing.
    fn is_lru(&self) -> bool {
        let levels = [Some(&self.l1), self.outer.as_ref()].into_iter().flatten();
        let includes = matches!(self.machine.read_tracking, ReadTracking::SecondLevel | ReadTracking::ThirdLevel);
        !includes && levels.map(|level| level.geometry.replacement).all(|replacement| replacement == Replacement::Lru)
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
        let operation = case.operation;
        let accesses = self.lines(case, n_bytes).map(|line| (line, operation));
        let sets = Sets::Ascending { operation, first: self.base, current: self.base };
        self.transact(n_bytes / case.line_step(), accesses, sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn emerald_rapids() -> Simulator {
        let machine = builtin::find("emerald-rapids").expect("it is built in");
        Simulator::new(&machine, 1)
    }

    /// How many of 20 transactions commit.
    fn commits(accesses: &[(u64, Operation)]) -> usize {
        let mut simulator = emerald_rapids();
        (0..20).filter(|_| simulator.transaction(accesses).is_ok()).count()
    }

    fn sequence(n_lines: u64, operation: Operation) -> Vec<(u64, Operation)> {
        (0..n_lines).map(|line| (line, operation)).collect()
    }

    /// 46 KB are written by 50 % of transactions, and 94 KB read: with room to spare on both sides.
    #[test]
    fn listed_lines_fit_as_lines_in_ascending_order_do() {
        assert_eq!(commits(&sequence(512, Operation::Write)), 20, "32 KB");
        assert_eq!(commits(&sequence(1024, Operation::Write)), 0, "64 KB");
        assert_eq!(commits(&sequence(768, Operation::Read)), 20, "48 KB");
        assert_eq!(commits(&sequence(4096, Operation::Read)), 0, "256 KB");
    }

    #[test]
    fn a_third_pass_over_an_area_changes_nothing() {
        assert!(emerald_rapids().is_lru());
        for n_lines in [100, 800, 5000, 40_000] {
            let [mut two, mut five] = [2, 5].map(|passes| {
                let mut simulator = emerald_rapids();
                (0..passes).for_each(|_| simulator.touch(0..n_lines));
                simulator
            });
            let evicted = |simulator: &mut Simulator| {
                let outer = simulator.outer.as_mut().expect("it has a second level");
                let lines = FOREIGN..FOREIGN + n_lines;
                lines.map(|line| (simulator.l1.access(line, line), outer.access(line, line))).collect::<Vec<_>>()
            };
            assert_eq!(evicted(&mut two), evicted(&mut five), "{n_lines} lines");
        }
    }

    #[test]
    fn a_written_line_must_not_be_pushed_out_by_reads() {
        let mut accesses = sequence(1000, Operation::Read);
        assert!(commits(&accesses) > 10, "62 KB of reads");
        accesses.insert(0, (5000, Operation::Write));
        assert_eq!(commits(&accesses), 0, "the line that was written first is gone");
    }
}
