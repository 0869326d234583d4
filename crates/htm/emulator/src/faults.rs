//! What goes wrong on purpose: hardware transactions are best effort.

/// Turns that a delayed transaction lets pass, at most.
const MAX_TURNS: u32 = 4;
/// Statuses of aborts without a reason of the program's: none, conflict with retry, capacity.
const STATUSES: [u32; 3] = [0, CONFLICT, 0x8];
const CONFLICT: u32 = 0x6;

/// Which transactions abort, decided by random numbers that begin with the seed. None, unless said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// So many of a thousand abort at their beginning.
    pub at_begin_per_mille: u32,
    /// So many of a thousand are executed instruction by instruction.
    pub stepped_per_mille: u32,
    /// What becomes of those.
    pub stepping: Stepping,
    /// So many of a thousand begin late: transactions of other threads come first.
    pub delayed_per_mille: u32,
    /// Why.
    pub causes: Causes,
    /// Where random numbers begin.
    pub seed: u64,
}

/// Which statuses injected aborts have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Causes {
    /// None, conflict, capacity, in equal parts.
    All,
    /// Conflicts only.
    Conflicts,
}

/// What becomes of a transaction that is executed instruction by instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stepping {
    /// It continues to its end: to see what it executes.
    Whole,
    /// It aborts after fewer than so many instructions, if it has not ended by then.
    AbortsWithin(u32),
}

/// What is decided about a transaction when it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It runs.
    Starts,
    /// It aborts at once.
    Aborts {
        /// With this status.
        status: u32,
    },
    /// It is executed instruction by instruction, and aborts after so many.
    AbortsAfter {
        /// Instructions that are executed, at most 2^24 - 1.
        n_instructions: u32,
        /// With this status.
        status: u32,
    },
    /// It is executed instruction by instruction, to its end.
    Stepped,
}

impl Faults {
    /// Every transaction runs.
    pub const NONE: Faults = Faults {
        at_begin_per_mille: 0,
        stepped_per_mille: 0,
        stepping: Stepping::Whole,
        delayed_per_mille: 0,
        causes: Causes::All,
        seed: 1,
    };

    /// The fate that a random number means.
    pub(crate) fn fate(&self, random: u64) -> Fate {
        let chance = part(random, 0, 1000);
        let status = match self.causes {
            Causes::All => STATUSES[part(random, 1, 3) as usize],
            Causes::Conflicts => CONFLICT,
        };
        if chance < self.at_begin_per_mille {
            return Fate::Aborts { status };
        }
        if chance >= self.at_begin_per_mille + self.stepped_per_mille {
            return Fate::Starts;
        }
        match self.stepping {
            Stepping::Whole => Fate::Stepped,
            Stepping::AbortsWithin(n) => Fate::AbortsAfter { n_instructions: (random >> 32) as u32 % n.max(1), status },
        }
    }

    /// How many turns a transaction lets pass before it begins, if a random number says so.
    pub(crate) fn n_turns(&self, random: u64) -> u32 {
        if part(random, 0, 1000) < self.delayed_per_mille { 1 + part(random, 1, MAX_TURNS) } else { 0 }
    }
}

/// A number below `n`, made of the sixteen bits at a place.
fn part(random: u64, place: u32, n: u32) -> u32 {
    (u32::from((random >> (16 * place)) as u16) * n) >> 16
}

impl Default for Faults {
    fn default() -> Faults {
        Faults::NONE
    }
}

/// A sequence of random numbers (splitmix64): the number at a position.
pub(crate) fn random(seed: u64, position: u64) -> u64 {
    let mut z = seed.wrapping_add(position.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A fate in one word, for a queue that a signal handler reads. 0 is none.
pub(crate) fn encode(fate: Fate) -> u64 {
    let word = |kind: u64, n: u32, status: u32| kind << 56 | u64::from(n & 0xff_ffff) << 32 | u64::from(status);
    match fate {
        Fate::Starts => word(1, 0, 0),
        Fate::Aborts { status } => word(2, 0, status),
        Fate::AbortsAfter { n_instructions, status } => word(3, n_instructions, status),
        Fate::Stepped => word(4, 0, 0),
    }
}

pub(crate) fn decode(word: u64) -> Option<Fate> {
    let (n_instructions, status) = ((word >> 32) as u32 & 0xff_ffff, word as u32);
    match word >> 56 {
        1 => Some(Fate::Starts),
        2 => Some(Fate::Aborts { status }),
        3 => Some(Fate::AbortsAfter { n_instructions, status }),
        4 => Some(Fate::Stepped),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_about_what_was_asked_for() {
        let faults = Faults {
            at_begin_per_mille: 200,
            stepped_per_mille: 300,
            stepping: Stepping::AbortsWithin(50),
            delayed_per_mille: 500,
            causes: Causes::All,
            seed: 7,
        };
        let fates: Vec<Fate> = (0..10_000).map(|n| faults.fate(random(faults.seed, n))).collect();
        let count = |is: fn(&Fate) -> bool| fates.iter().filter(|fate| is(fate)).count();
        assert!((1800..2200).contains(&count(|fate| matches!(fate, Fate::Aborts { .. }))));
        assert!((2800..3200).contains(&count(|fate| matches!(fate, Fate::AbortsAfter { n_instructions: 0..50, .. }))));
        assert!(count(|fate| matches!(fate, Fate::Aborts { status: 0x8 })) > 500);
        let turns: Vec<u32> = (0..10_000).map(|n| faults.n_turns(random(faults.seed, n))).collect();
        assert!((4800..5200).contains(&turns.iter().filter(|n| **n > 0).count()) && turns.contains(&MAX_TURNS));
        assert!((0..100).all(|n| Faults::NONE.fate(random(1, n)) == Fate::Starts));
    }

    #[test]
    fn fates_survive_the_queue() {
        let stepped = Fate::AbortsAfter { n_instructions: 70_000, status: 0xff00_0001 };
        for fate in [Fate::Starts, Fate::Aborts { status: 0x6 }, stepped, Fate::Stepped] {
            assert_eq!(decode(encode(fate)), Some(fate));
        }
        assert_eq!(decode(0), None);
    }
}
