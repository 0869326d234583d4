//! What the emulation is told holds for the whole process, so tests take turns.

use htm_emulator::{Emulator, Faults};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The emulation, for one test at a time; none, with a word about why, where the test cannot run.
pub(crate) fn alone() -> Option<(Emulator, MutexGuard<'static, ()>)> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let emulator = htm_emulator::install().inspect_err(|why| eprintln!("skipped: {why}")).ok()?;
    emulator.set(Faults::NONE);
    Some((emulator, turn))
}
