//! The time and memory that one command may use, and the user's wish to stop, looked at wherever work can be long.
//!
//! A computation that is cut gives what it has. So whoever asks for one looks at `hit` afterwards, and relies on nothing if there is a limit.

use crate::Limit;
use crate::resident::usage;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Iterations between two looks of a [`Pace`].
const ITERATIONS: u32 = 64;

/// Memory is looked at so often at most: the system takes microseconds to say how much there is.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A deadline, an amount of memory and a flag of the user. Clones share what was hit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    max_bytes: Option<u64>,
    max_virtual: Option<u64>,
    stop: Option<&'static AtomicBool>,
    hit: Arc<AtomicU8>,
    looked: Arc<LastLook>,
}

/// When memory was looked at last: microseconds since the first budget was made, and one more; 0 if never.
#[derive(Debug)]
struct LastLook {
    since: Instant,
    at: AtomicU64,
}

impl Default for LastLook {
    fn default() -> Self {
        LastLook { since: Instant::now(), at: AtomicU64::new(0) }
    }
}

impl LastLook {
    /// Whether it is time to look again. Then somebody does.
    fn is_due(&self) -> bool {
        let (now, last) = (self.since.elapsed().as_micros() as u64 + 1, self.at.load(Ordering::Relaxed));
        let is_due = last == 0 || now - last.min(now) >= LOOK_EVERY.as_micros() as u64;
        if is_due {
            self.at.store(now, Ordering::Relaxed);
        }
        is_due
    }
}

/// A budget is no part of a question: two questions that differ by it only are equal.
impl PartialEq for Budget {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Budget {}

impl Budget {
    /// At most so much resident memory, at most so long from now, and no longer than `stop` is not set.
    pub fn new(timeout: Option<Duration>, max_bytes: Option<u64>, stop: &'static AtomicBool) -> Self {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Budget { deadline, max_bytes, stop: Some(stop), ..Budget::default() }
    }

    /// The same, with a limit on the address space of the process too.
    pub fn in_address_space(self, max_virtual: Option<u64>) -> Self {
        Budget { max_virtual, ..self }
    }

    /// The budget of one part of the work: at most so long from now, and what it hits is its own.
    pub fn part(&self, timeout: Option<Duration>) -> Self {
        let own = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Budget { deadline, hit: Arc::default(), ..self.clone() }
    }

    /// The time that is left; none if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limit that was hit, as far as somebody has looked.
    pub fn hit(&self) -> Option<Limit> {
        match self.hit.load(Ordering::Acquire) {
            1 => Some(Limit::Time),
            2 => Some(Limit::Memory),
            3 => Some(Limit::Interrupted),
            _ => None,
        }
    }

    /// Looks at clock and flag, and at memory if it is time to: the limit that is hit now or was before.
    pub fn look(&self) -> Option<Limit> {
        self.look_for(0)
    }

    /// As `look`, and always at memory, before so many bytes are taken.
    pub fn look_for(&self, bytes: u64) -> Option<Limit> {
        if let Some(limit) = self.hit() {
            return Some(limit);
        }
        let limit = self.limit_now(bytes)?;
        let number = match limit {
            Limit::Time => 1,
            Limit::Memory => 2,
            _ => 3,
        };
        // The first limit that is hit is the one that is named.
        let _ = self.hit.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire);
        self.hit()
    }

    fn limit_now(&self, bytes: u64) -> Option<Limit> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Limit::Time);
        }
        let is_limited = self.max_bytes.is_some() || self.max_virtual.is_some();
        if !is_limited || bytes == 0 && !self.looked.is_due() {
            return None;
        }
        let usage = usage()?;
        let is_over = |used: u64, max: Option<u64>| max.is_some_and(|max| used + bytes > max);
        let is_hit = is_over(usage.resident, self.max_bytes) || is_over(usage.virtual_bytes, self.max_virtual);
        is_hit.then_some(Limit::Memory)
    }

    /// For a loop that may be long.
    pub fn pace(&self) -> Pace<'_> {
        Pace { budget: self, left: ITERATIONS }
    }
}

/// Looks at a budget every few iterations.
pub struct Pace<'a> {
    budget: &'a Budget,
    left: u32,
}

impl Pace<'_> {
    /// One iteration more: whether the loop has to end. Once it has, so have all loops around it.
    pub fn is_over(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let is_over = self.budget.look().is_some();
        self.left = if is_over { 1 } else { ITERATIONS };
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static STOP: AtomicBool = AtomicBool::new(false);

    fn first_look(budget: &Budget) -> Option<Limit> {
        let mut pace = budget.pace();
        (0..2 * ITERATIONS).any(|_| pace.is_over()).then(|| budget.hit().expect("it ends by a limit"))
    }

    #[test]
    fn a_loop_ends_by_the_limit_that_is_hit() {
        static STOPPED: AtomicBool = AtomicBool::new(true);
        assert_eq!(first_look(&Budget::default()), None);
        assert_eq!(first_look(&Budget::new(None, Some(u64::MAX / 2), &STOP)), None);
        assert_eq!(first_look(&Budget::new(Some(Duration::ZERO), None, &STOP)), Some(Limit::Time));
        assert_eq!(first_look(&Budget::new(None, Some(1), &STOP)), Some(Limit::Memory));
        assert_eq!(first_look(&Budget::default().in_address_space(Some(1))), Some(Limit::Memory));
        assert_eq!(first_look(&Budget::new(None, None, &STOPPED)), Some(Limit::Interrupted));
    }

    #[test]
    fn loops_around_a_loop_that_is_over_are_over() {
        let budget = Budget::new(Some(Duration::ZERO), None, &STOP);
        let mut pace = budget.pace();
        while !pace.is_over() {}
        assert!((0..2 * ITERATIONS).all(|_| pace.is_over()));
    }

    #[test]
    fn what_a_part_hits_is_its_own() {
        let whole = Budget::new(Some(Duration::from_secs(1000)), None, &STOP);
        let part = whole.part(Some(Duration::ZERO));
        assert_eq!(part.look(), Some(Limit::Time));
        assert_eq!((whole.look(), part.clone().hit()), (None, Some(Limit::Time)));
        let over = Budget::new(Some(Duration::ZERO), None, &STOP);
        assert_eq!(over.part(Some(Duration::from_secs(1000))).look(), Some(Limit::Time));
    }

    #[test]
    fn memory_is_looked_at_before_it_is_taken() {
        let budget = Budget::new(None, Some(1 << 40), &STOP);
        assert_eq!((budget.look_for(1 << 20), budget.look_for(1 << 41)), (None, Some(Limit::Memory)));
    }
}
