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
    /// The locations that an invariant asks something of and where no thread ever is, if nothing is violated.
    pub never_at: Option<BTreeSet<String>>,
    /// How many states there are, if nothing is violated.
    pub states: Option<u64>,
}

/// In what two answers differ, and what each says.
pub struct Difference {
    /// In what, so that it is the same for differences of one cause.
    pub what: String,
    /// What the first says.
    pub first: String,
    /// What the second says.
    pub second: String,
}

impl Answer {
    /// The first thing in which two answers differ. `kind_of` says what kind of property has a name.
    pub fn difference(&self, other: &Answer, kind_of: &dyn Fn(&str) -> &'static str) -> Option<Difference> {
        let (a, b) = (self, other);
        sets(&a.violated, &b.violated, kind_of)
            .or_else(|| of("whether something is violated", &a.is_violated, &b.is_violated))
            .or_else(|| of("covers not reached", &a.uncovered, &b.uncovered))
            .or_else(|| of("locations never reached", &a.never_at, &b.never_at))
            .or_else(|| of("number of states", &a.states, &b.states))
    }
}

fn of<T: PartialEq + fmt::Debug>(what: &str, first: &Option<T>, second: &Option<T>) -> Option<Difference> {
    match (first, second) {
        (Some(first), Some(second)) if first != second => {
            Some(Difference { what: what.into(), first: format!("{first:?}"), second: format!("{second:?}") })
        }
        _ => None,
    }
}

/// Two sets of properties: what differs is listed by kind, `+` for those that only the second has.
fn sets(
    first: &Option<BTreeSet<String>>,
    second: &Option<BTreeSet<String>>,
    kind_of: &dyn Fn(&str) -> &'static str,
) -> Option<Difference> {
    let difference = of("", first, second)?;
    let (first, second) = (first.as_ref()?, second.as_ref()?);
    let less: BTreeSet<String> = first.difference(second).map(|name| format!(" -{}", kind_of(name))).collect();
    let more: BTreeSet<String> = second.difference(first).map(|name| format!(" +{}", kind_of(name))).collect();
    let kinds: String = less.into_iter().chain(more).collect();
    Some(Difference { what: format!("properties violated:{kinds}"), ..difference })
}

/// Someone with an opinion.
pub trait Opinion: Sync {
    /// Who it is.
    fn name(&self) -> String;
    /// What they say; none if a limit stopped them, or they cannot say.
    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer>;
}
