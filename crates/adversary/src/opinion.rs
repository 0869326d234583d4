//! What someone says of a program under a setting.

use crate::setting::Setting;
use crate::subject::Subject;
use std::collections::BTreeSet;
use std::fmt;

/// As much of an answer as someone gives. Two answers are compared by what both say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether something is violated.
    pub is_violated: Option<bool>,
    /// The properties violated; temporal ones only if no other is.
    pub violated: Option<BTreeSet<String>>,
    /// The covers not reached, if nothing is violated.
    pub uncovered: Option<BTreeSet<String>>,
    /// How many states there are, if nothing is violated.
    pub states: Option<u64>,
}

impl Answer {
    /// The first thing in which two answers differ: its name, and what each says.
    pub fn difference(&self, other: &Answer) -> Option<(&'static str, String, String)> {
        fn of<T: PartialEq + fmt::Debug>(
            what: &'static str,
            a: &Option<T>,
            b: &Option<T>,
        ) -> Option<(&'static str, String, String)> {
            match (a, b) {
                (Some(a), Some(b)) if a != b => Some((what, format!("{a:?}"), format!("{b:?}"))),
                _ => None,
            }
        }
        of("is violated", &self.is_violated, &other.is_violated)
            .or_else(|| of("properties violated", &self.violated, &other.violated))
            .or_else(|| of("covers not reached", &self.uncovered, &other.uncovered))
            .or_else(|| of("number of states", &self.states, &other.states))
    }
}

/// Someone with an opinion.
pub trait Opinion: Sync {
    /// Who it is.
    fn name(&self) -> String;
    /// What they say; none if a limit stopped them, or they cannot say.
    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer>;
}
