//! Where nothing is emulated.

use crate::{Counts, Fate, Faults, Offence, Unavailable};
use htm::Rtm;
use std::convert::Infallible;

/// The emulation, of which there is none here.
#[derive(Clone, Copy, Debug)]
pub struct Emulator(Infallible);

/// Says that there is none.
pub fn install() -> Result<Emulator, Unavailable> {
    Err(Unavailable::Platform)
}

impl Emulator {
    /// The proof that the instructions work.
    pub fn rtm(self) -> Rtm {
        match self.0 {}
    }

    /// From now on, what goes wrong on purpose.
    pub fn set(self, _faults: Faults) {
        match self.0 {}
    }

    /// Decides about the next transactions.
    pub fn decide(self, _fates: &[Fate]) {
        match self.0 {}
    }

    /// What was counted.
    pub fn counts(self) -> Counts {
        match self.0 {}
    }

    /// The first forbidden instructions that were met.
    pub fn offences(self) -> Vec<Offence> {
        match self.0 {}
    }
}
