//! A mutator in the odd phase: several steps per transaction, and a veto if it cannot commit (thesis, algorithm 6).

use crate::access::{Access, Code};
use crate::method::{Method, Step};
use crate::mutator::{Mutator, Program, Progress, Steps, plain};
use crate::options::Omission;
use heap::{COUNTER, veto};
use std::sync::atomic::{Ordering, fence};

/// Aborts in a row after which a mutator takes a step outside.
const MAX_FAILURES: u32 = 4;
impl<'h, M: Method> Mutator<'h, M> {
    /// Takes some steps in one transaction, or none.
    pub(crate) fn transaction<P: Program>(&mut self, program: &mut P, steps: Steps<'h, P, M>) -> Progress {
        let saved = (!<M::Access<'h> as Access<'h>>::RESTORES).then(|| (program.clone(), self.local));
        let before = self.local.n_steps;
        let result = self.attempt_steps(program, steps);
        self.stats.tally.count(&result);
        match result {
            Ok(progress) => {
                self.stats.n_transactional_steps += self.local.n_steps - before;
                self.n_failures = 0;
                self.length.grow();
                progress
            }
            Err(abort) => {
                if let Some((program_before, local_before)) = saved {
                    *program = program_before;
                    self.local = local_before;
                }
                self.n_failures += 1;
                self.length.shrink(abort.cause());
                self.attend();
                let is_stuck = self.n_failures >= MAX_FAILURES && self.is_in_odd_phase();
                if is_stuck { self.step_under_veto(program, steps) } else { Progress::More }
            }
        }
    }

    /// One transaction. In hardware, an abort comes back as the result of `begin`.
    #[inline(never)]
    fn attempt_steps<P: Program>(&mut self, program: &mut P, steps: Steps<'h, P, M>) -> Result<Progress, htm::Abort> {
        self.access.begin()?;
        match self.steps_inside(program, steps) {
            Ok(progress) => self.access.commit().map(|()| progress),
            Err(abort) => Err(self.access.roll_back(abort)),
        }
    }

    /// The counter is read first, so that a commit of the collector aborts us at once, and looked at again last.
    #[inline(always)]
    fn steps_inside<P: Program>(&mut self, program: &mut P, steps: Steps<'h, P, M>) -> Step<Progress, M> {
        self.check_counter()?;
        let progress = steps(program, self, u64::from(self.length.steps))?;
        self.check_counter()?;
        Ok(progress)
    }

    #[inline(always)]
    fn check_counter(&mut self) -> Step<(), M> {
        if self.world.options.omission == Omission::Counter {
            return Ok(());
        }
        let is_known = self.access.load(COUNTER)? == self.local.counter;
        if is_known { Ok(()) } else { Err(self.access.give_up(Code::Stale)) }
    }

    /// A step outside transactions in the odd phase.
    ///
    /// The collector's transaction reads the veto: while it stands, none commits. If one committed before it
    /// stood, the counter shows it. Panics hidden by transactions show here.
    fn step_under_veto<P: Program>(&mut self, program: &mut P, steps: Steps<'h, P, M>) -> Progress {
        plain(self.access.store(veto(self.id), 1));
        fence(Ordering::SeqCst);
        let is_current = plain(self.access.load(COUNTER)) == self.local.counter;
        let progress = if is_current {
            self.stats.n_vetoed_steps += 1;
            self.n_failures = 0;
            plain(steps(program, self, 1))
        } else {
            Progress::More
        };
        plain(self.access.store(veto(self.id), 0));
        self.attend();
        progress
    }
}
