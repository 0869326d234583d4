//! The tests of `htm`, in one binary, which links once.

use std::sync::{Mutex, MutexGuard, PoisonError};

mod detection;
mod emulated;
mod emulated_sweep;
mod hardware;

/// What the emulator is told holds for the whole process, so tests that use it take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
