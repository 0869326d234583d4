//! Runs of the transactional method on its real machine code, where the processor has no RTM: the instructions are emulated.

use heap::Size;
use htm::Rtm;
use htm_emulator::{Emulator, Faults};
use methods::{
    Copying, Hardware, Method, Moves, Mutator, Omission, Options, Program, Progress, RunResult, Selection, Step,
    Transactional, Transactions, Trigger, run,
};
use programs::{Kind, Workload};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

/// The emulation, for one test at a time; none, with a word about why, where the test cannot run.
pub(crate) fn emulation(faults: Faults) -> Option<(Emulator, MutexGuard<'static, ()>)> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let emulator = htm_emulator::install().inspect_err(|why| eprintln!("skipped: {why}")).ok()?;
    hide_panics_of_mutators();
    emulator.set(faults);
    Some((emulator, turn))
}

/// What they say is in the result. To name their frames takes memory, which makes every later transaction slow.
fn hide_panics_of_mutators() {
    static HIDDEN: Once = Once::new();
    HIDDEN.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name().is_some() {
                usual(panic);
            }
        }));
    });
}

/// One run: a program of so many steps in each of some mutators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) kind: Kind,
    pub(crate) n_mutators: u64,
    pub(crate) n_steps: u64,
    pub(crate) copying: Copying,
    /// Aborts by the method's own `xabort`.
    pub(crate) aborts_per_mille: u32,
    pub(crate) omission: Omission,
    pub(crate) moves: Moves,
    pub(crate) seed: u64,
}

impl Setting {
    /// Its result, or what is wrong. Where the program ends before anything has moved, because the machine does much else, there is
    /// another run with more steps.
    pub(crate) fn run(self, emulator: Emulator) -> Result<RunResult<Paced>, String> {
        let mut setting = self;
        loop {
            let outcome = setting.run_once(emulator)?;
            if outcome.collector.n_objects > 0 || setting.n_steps > 32 * self.n_steps {
                return Ok(outcome);
            }
            setting.n_steps *= 2;
        }
    }

    fn run_once(self, emulator: Emulator) -> Result<RunResult<Paced>, String> {
        let options = Options {
            size: Size { n_regions: 48, region_shift: 11 },
            trigger: Trigger::Continuous,
            selection: Selection::All,
            sanity: true,
            copying: self.copying,
            hardware: Transactions::Given(emulator.rtm()),
            aborts_per_mille: self.aborts_per_mille,
            omission: self.omission,
            moves: self.moves,
            seed: self.seed,
            ..Options::default()
        };
        let rtm = emulator.rtm();
        let program = |id| Paced { rtm, workload: Workload::new(self.kind, self.n_steps, self.seed * 8 + id) };
        let programs = (0..self.n_mutators).map(program).collect();
        run::<Transactional<Hardware>, _>(options, programs).map_err(|message| format!("{self:?}: {message}"))
    }
}

/// A program that rests before each step outside transactions.
///
/// Emulated transactions are slow. A program that is not would have ended, or have filled the heap and wait for the collector,
/// before the first object has moved.
#[derive(Clone, Debug)]
pub(crate) struct Paced {
    rtm: Rtm,
    workload: Workload,
}

impl Program for Paced {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if !self.rtm.is_inside() {
            std::thread::sleep(Duration::from_micros(20));
        }
        self.workload.step(mutator)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        self.workload.check(mutator)
    }
}
