//! A mutator between two yieldpoints: allocation, barriers, transactions.
//!
//! What a program does between two yieldpoints is a *step*. References live in registers and in the shadow stack across
//! steps, and nowhere else: an object may move at any yieldpoint.

use crate::access::Access;
use crate::method::{Method, Step};
use crate::options::Omission;
use crate::stats::MutatorStats;
use crate::transactional::Length;
use crate::world::{Control, World};
use heap::{Addr, Header, N_REGISTERS, Ref, Shape, forwarding_addr, root};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Words that a step may allocate.
pub(crate) const STEP_WORDS: u64 = 320;
/// `Local::acked` of a mutator that wants to attend.
pub(crate) const ATTENTION: u64 = u64::MAX;

/// Whether a program continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    More,
    /// It has ended.
    Done,
    /// It has found something that cannot be.
    Wrong(&'static str),
}

/// A program that a mutator runs, step by step.
///
/// Cloned where a transaction cannot take back the program's own variables.
pub trait Program: Clone + Send {
    /// What lies between two yieldpoints.
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M>;

    /// Steps until something is wanted at a yieldpoint, or `max` of them.
    ///
    /// A program with a tight loop may write it out, with a poll per turn: references stay in variables meanwhile, as
    /// compiled code has them in registers, and are put back into [`Mutator::set_register`] at the end.
    #[inline(always)]
    fn steps<M: Method>(&mut self, mutator: &mut Mutator<'_, M>, max: u64) -> Step<Progress, M> {
        for _ in 0..max {
            if mutator.poll() {
                break;
            }
            mutator.count(1);
            match self.step(mutator)? {
                Progress::More => {}
                ending => return Ok(ending),
            }
        }
        Ok(Progress::More)
    }

    /// Looks at everything once more, after the last step.
    fn check<M: Method>(&mut self, _mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        Ok(Progress::Done)
    }
}

/// What takes steps of a program: some, or one that checks.
pub(crate) type Steps<'h, P, M> = fn(&mut P, &mut Mutator<'h, M>, u64) -> Step<Progress, M>;

/// How long a mutator takes steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Until {
    /// Until the program has ended, or the run is over.
    Over,
    /// Until the program has ended.
    Done,
}

/// A mutator's own variables: what an abort must take back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) registers: [Ref; N_REGISTERS],
    /// The roots in use are below this.
    pub(crate) n_roots: usize,
    pub(crate) top: u64,
    pub(crate) limit: u64,
    pub(crate) next_id: u64,
    pub(crate) barrier: u8,
    /// The request that needs no attention: the last one served, or none.
    pub(crate) acked: u64,
    pub(crate) served: u64,
    /// Entries of each log, and how many of them were drained when the mutator last attended.
    pub(crate) written: [u64; 2],
    pub(crate) drained: [u64; 2],
    /// The counter that was acknowledged, and the commits whose moves the roots have seen.
    pub(crate) counter: u64,
    pub(crate) commits: u64,
    pub(crate) n_steps: u64,
}

/// A mutator thread.
pub struct Mutator<'h, M: Method> {
    pub(crate) world: &'h World,
    pub(crate) control: &'h Control,
    pub(crate) id: usize,
    pub(crate) access: M::Access<'h>,
    pub(crate) local: Local,
    pub(crate) stats: MutatorStats,
    /// When the last handshake was served, and after how many steps.
    pub(crate) last_served: (Instant, u64),
    /// Of its transactions.
    pub(crate) length: Length,
    pub(crate) n_failures: u32,
}

impl<'h, M: Method> Mutator<'h, M> {
    pub(crate) fn new(world: &'h World, id: usize) -> Self {
        let local = Local {
            registers: [Ref::NULL; N_REGISTERS],
            n_roots: N_REGISTERS,
            top: 0,
            limit: 0,
            next_id: (id as u64) << 36,
            barrier: 0,
            acked: ATTENTION,
            served: 0,
            written: [0; 2],
            drained: [0; 2],
            counter: 0,
            commits: 0,
            n_steps: 0,
        };
        Mutator {
            world,
            control: &world.controls[id],
            id,
            access: M::Access::open(&world.heap, &world.engine, world.options.seed ^ (id as u64 + 2) << 8),
            local,
            stats: MutatorStats::default(),
            last_served: (Instant::now(), 0),
            length: Length::new(),
            n_failures: 0,
        }
    }

    /// Which mutator this is.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The object whose slots every mutator can reach.
    pub fn globals(&self) -> Ref {
        self.world.globals
    }

    /// A reference in a register.
    #[inline(always)]
    pub fn register(&self, idx: usize) -> Ref {
        self.local.registers[idx]
    }

    /// Puts a reference into a register.
    #[inline(always)]
    pub fn set_register(&mut self, idx: usize, value: Ref) {
        self.local.registers[idx] = value;
    }

    /// A reference on the shadow stack, above the registers' places.
    pub fn root(&mut self, idx: usize) -> Step<Ref, M> {
        self.access.load(root(self.id, N_REGISTERS + idx)).map(Ref)
    }

    /// Puts a reference on the shadow stack.
    pub fn set_root(&mut self, idx: usize, value: Ref) -> Step<(), M> {
        self.local.n_roots = self.local.n_roots.max(N_REGISTERS + idx + 1);
        self.access.store(root(self.id, N_REGISTERS + idx), value.0)
    }

    /// Reads a slot, with the method's barrier.
    #[inline(always)]
    pub fn load(&mut self, object: Ref, slot: u8) -> Step<Ref, M> {
        M::load_ref(self, object, slot)
    }

    /// Writes a slot, with the method's barrier.
    #[inline(always)]
    pub fn store(&mut self, object: Ref, slot: u8, value: Ref) -> Step<(), M> {
        M::store_ref(self, object, slot, value)
    }

    /// Reads a data word of an object of `n_slots` slots.
    #[inline(always)]
    pub fn data(&mut self, object: Ref, n_slots: u8, idx: u8) -> Step<u64, M> {
        M::load_data(self, object, n_slots, idx)
    }

    /// Writes a data word.
    #[inline(always)]
    pub fn set_data(&mut self, object: Ref, n_slots: u8, idx: u8, value: u64) -> Step<(), M> {
        M::store_data(self, object, n_slots, idx, value)
    }

    /// Whether two references name the same object.
    pub fn is_same(&mut self, one: Ref, other: Ref) -> Step<bool, M> {
        M::is_same(self, one, other)
    }

    /// A new object, its fields 0 and null. A step allocates at most [`STEP_WORDS`] words.
    #[inline]
    pub fn alloc(&mut self, shape: Shape) -> Step<Ref, M> {
        let words = shape.words();
        if self.local.top + words > self.local.limit {
            // Only evacuation may take more than a step allocates, and it never happens in a transaction.
            assert!(!M::IS_TRANSACTIONAL && self.take_region(0), "a step allocates at most {STEP_WORDS} words");
        }
        let at = self.local.top;
        self.local.top += words;
        self.local.next_id += 1;
        self.ask_for_room();
        let object = Ref(at);
        self.access.store(object.header(), Header::new(shape, self.local.next_id).0)?;
        self.access.store(forwarding_addr(object), object.0)?;
        for field in at + 2..at + words {
            self.access.store(Addr::of_word(field), 0)?;
        }
        Ok(object)
    }

    /// If the next step might find no room, attends before it.
    #[inline(always)]
    pub(crate) fn ask_for_room(&mut self) {
        if self.local.limit - self.local.top < STEP_WORDS {
            self.local.acked = ATTENTION;
        }
    }

    /// Whether something is requested at this yieldpoint.
    #[inline(always)]
    pub fn poll(&self) -> bool {
        M::Access::point();
        self.control.request.load(Ordering::Acquire) != self.local.acked
    }

    /// Counts steps.
    #[inline(always)]
    pub fn count(&mut self, n_steps: u64) {
        self.local.n_steps += n_steps;
    }

    /// Runs a program to its end, or until the run is over.
    pub(crate) fn run<P: Program>(&mut self, program: &mut P) -> Progress {
        match self.run_until(program, P::steps::<M>, Until::Over) {
            Progress::Wrong(message) => Progress::Wrong(message),
            _ => {
                if self.world.options.omission == Omission::Phase {
                    self.local.counter = 0;
                }
                self.run_until(program, |program, mutator, _| program.check(mutator), Until::Done)
            }
        }
    }

    /// Invariant: while the acknowledged counter is odd, nothing is read or written outside a transaction or a veto. It may
    /// be odd already when this begins: the program's last step may have been in the odd phase.
    #[inline(always)]
    fn run_until<P: Program>(&mut self, program: &mut P, steps: Steps<'h, P, M>, until: Until) -> Progress {
        while self.continues(until) {
            if self.poll() {
                self.attend();
                continue;
            }
            let progress = match self.is_in_odd_phase() {
                true => self.transaction(program, steps),
                false => plain(steps(program, self, u64::MAX)),
            };
            match progress {
                Progress::More => {}
                ending => return ending,
            }
        }
        Progress::More
    }

    /// Whether the collector may move objects while this mutator runs.
    #[inline(always)]
    pub(crate) fn is_in_odd_phase(&self) -> bool {
        M::IS_TRANSACTIONAL && self.local.counter % 2 == 1
    }

    fn continues(&self, until: Until) -> bool {
        until == Until::Done || !self.world.is_over()
    }
}

/// The result of a step outside transactions.
#[inline(always)]
pub(crate) fn plain<T, A>(result: Result<T, A>) -> T {
    match result {
        Ok(value) => value,
        Err(_) => unreachable!("outside a transaction nothing aborts"),
    }
}
