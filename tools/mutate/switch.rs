//! Which mutant is active: `tools/mutate/run` puts this crate into its scratch copy, and nowhere else.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);

/// Its number; 0 if none is.
#[inline]
pub fn active() -> u32 {
    let known = ACTIVE.load(Relaxed);
    if known != u32::MAX { known } else { ask() }
}

#[cold]
fn ask() -> u32 {
    let number = std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    ACTIVE.store(number, Relaxed);
    number
}

/// One iterator or another, for functions that give `impl Iterator`.
#[derive(Clone)]
pub enum Either<A, B> {
    A(A),
    B(B),
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self {
            Either::A(a) => a.next(),
            Either::B(b) => b.next(),
        }
    }
}
