//! What became of one property. What was not looked at does not hold.

use automata::{Automata, PropertyId, PropertyKind};
use system::Limit;

/// What became of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub property: String,
    /// The verdict.
    pub fate: Fate,
    /// Locations at which it asks something, and where no thread ever was.
    pub never_at: Vec<String>,
}

/// The verdict of one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Every state, or run, was looked at, and none violates it.
    Holds,
    /// A run shows it violated after so many steps, and none does after fewer.
    Violated(u64),
    /// An assertion at which control never came.
    NotReached,
    /// It was switched off, or something else keeps it from being judged.
    NotChecked,
    /// Nothing violates it, because what it speaks of never happens.
    Vacuous,
    /// A limit stopped the search before a violation was found.
    Inconclusive(Limit),
}

impl Finding {
    /// The finding in a word or two.
    pub fn word(&self) -> &'static str {
        match self.fate {
            Fate::Holds => "holds",
            Fate::Violated(_) => "violated",
            Fate::NotReached => "not reached",
            Fate::NotChecked => "not checked",
            Fate::Vacuous => "vacuous",
            Fate::Inconclusive(_) => "inconclusive",
        }
    }

    /// Steps to its first violation.
    pub fn depth(&self) -> Option<u64> {
        match self.fate {
            Fate::Violated(depth) => Some(depth),
            _ => None,
        }
    }
}

/// Whether a property was switched off.
pub(crate) fn is_switched_off(automata: &Automata, id: PropertyId, checks_deadlock: bool) -> bool {
    match automata.properties[id].kind {
        PropertyKind::Unchecked => true,
        PropertyKind::Deadlock => !checks_deadlock,
        _ => false,
    }
}
