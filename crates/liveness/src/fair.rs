//! What a system must tell for temporal properties, besides its steps.

use crate::property::ENDED;
use ltl::Letter;
use system::TransitionSystem;

/// A system with atoms, and with components whose steps may be required to be fair.
///
/// A component is a thread, or a memory, or anything else whose steps must not be put off forever. Weak fairness of a
/// component: on an infinite run, it is again and again disabled, or it takes a step again and again. A run
/// that keeps it enabled forever and never lets it step is not fair.
///
/// The system must not be a quotient: states that stand for others up to a renaming of threads mix their fairness up.
pub trait FairSystem: TransitionSystem {
    /// The atoms that are true in `state`, a bit each. Bit 63 is `ENDED`: the search sets it itself.
    fn atoms(&self, state: &[u32]) -> u64;

    /// The atoms whose value is to come in `state`, a bit each; none of them is among `atoms`.
    fn undecided(&self, state: &[u32]) -> u64 {
        let _ = state;
        0
    }

    /// The atoms whose value may be to come in some state, a bit each.
    fn undecidable(&self) -> u64 {
        0
    }

    /// How many components there are, at most 64.
    fn n_components(&self) -> u32;

    /// The components whose step a successor with this label is, a bit each.
    fn taken(&self, label: u8) -> u64;

    /// Whether a step with this label changes nothing: a component loops by itself. Having no other step is having none, to
    /// properties of states.
    fn changes_nothing(&self, label: u8) -> bool {
        let _ = label;
        false
    }

    /// Whether a run may stay forever in a state where no component that must be treated fairly is enabled, though others are.
    fn may_stop(&self) -> bool {
        false
    }

    /// The components that are enabled in `state`, a bit each. `stepping` are those that some successor is a step of:
    /// the answer, unless the system knows better.
    fn enabled(&self, state: &[u32], stepping: u64) -> u64 {
        let _ = state;
        stepping
    }
}

/// What temporal properties see of `state`; `ended` if it has no steps.
pub(crate) fn letter<S: FairSystem + ?Sized>(system: &S, state: &[u32], ended: bool) -> Letter {
    let own = !(1 << ENDED);
    let undecided = if system.undecidable() == 0 { 0 } else { system.undecided(state) & own };
    Letter { truth: system.atoms(state) & own | u64::from(ended) << ENDED, undecided }
}

/// All components of a system, a bit each.
pub fn all_components<S: FairSystem + ?Sized>(system: &S) -> u64 {
    1u64.checked_shl(system.n_components()).map_or(u64::MAX, |bit| bit - 1)
}
