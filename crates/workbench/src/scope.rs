//! What `holds` speaks of, apart from variant, scenario and memory model: parameters, the queue bound, and the switches of memory models.
//!
//! Each switch is a row of [`SWITCHES`]: its name, the values it takes, where a [`Switches`] keeps it, and what it does to a memory model.

use crate::protocol::Error;
use memory::{AddressSpeculation, Conflicts, Isolation, Locks, MemoryModel, StoreConditional, Transactions};
use std::ops::RangeInclusive;

/// What `holds` speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Parameters and flags of the protocol.
    pub set: Vec<(String, String)>,
    /// The queue bound K.
    pub queue_bound: usize,
    /// Whether K was given.
    pub is_bound_given: bool,
    /// Switches of every memory model.
    pub switches: Switches,
}

/// Switches of every memory model, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// How many branches a thread may guess.
    pub speculate: Option<usize>,
    /// How many stores of a thread may be pending.
    pub buffer: Option<usize>,
    /// A store-conditional may fail for no reason.
    pub spurious_failures: bool,
    /// A transaction may abort for no reason.
    pub spurious_aborts: bool,
    /// A transaction is isolated from other transactions only.
    pub weak_isolation: bool,
    /// A conflict aborts a transaction only where it would commit.
    pub lazy_conflicts: bool,
    /// The critical sections of elidable locks are tried in transactions.
    pub elide_locks: bool,
    /// An access waits until the cells of all older ones are known.
    pub no_address_speculation: bool,
    /// How many writes of a cell can be read, where memory is histories.
    pub history: Option<usize>,
}

/// A switch.
pub struct Switch {
    /// Its name in `--set` and in expectations.
    pub name: &'static str,
    /// The numbers that it takes; none if it is `true` or `false`.
    numbers: Option<RangeInclusive<usize>>,
    /// Whether `--set` can give it, as its own option can.
    is_settable: bool,
    /// Its value, if it is given and not the default.
    given: fn(&Switches) -> Option<usize>,
    give: fn(&mut Switches, usize),
    /// The value that a memory model has by itself; none if memory models say nothing of it.
    of_memory: fn(&MemoryModel) -> Option<usize>,
    apply: fn(&mut MemoryModel, usize),
}

/// The value of a switch that is `true` or `false`.
const TRUE: usize = true as usize;

/// All switches.
pub static SWITCHES: [Switch; 9] = [
    Switch {
        name: "speculate",
        numbers: Some(0..=8),
        is_settable: true,
        given: |switches| switches.speculate,
        give: |switches, n| switches.speculate = Some(n),
        of_memory: |memory| Some(memory.speculate),
        apply: |memory, n| memory.speculate = n,
    },
    Switch {
        name: "buffer",
        numbers: Some(1..=64),
        is_settable: true,
        given: |switches| switches.buffer,
        give: |switches, n| switches.buffer = Some(n),
        of_memory: |_| None,
        apply: |_, _| {},
    },
    Switch {
        name: "spurious_failures",
        numbers: None,
        is_settable: true,
        given: |switches| switches.spurious_failures.then_some(TRUE),
        give: |switches, n| switches.spurious_failures = n == TRUE,
        of_memory: |memory| Some((memory.store_conditional == StoreConditional::MayFail).into()),
        apply: |memory, _| memory.store_conditional = StoreConditional::MayFail,
    },
    Switch {
        name: "spurious_aborts",
        numbers: None,
        is_settable: true,
        given: |switches| switches.spurious_aborts.then_some(TRUE),
        give: |switches, n| switches.spurious_aborts = n == TRUE,
        of_memory: |memory| Some((memory.transactions == Transactions::MayAbort).into()),
        apply: |memory, _| memory.transactions = Transactions::MayAbort,
    },
    Switch {
        name: "weak_isolation",
        numbers: None,
        is_settable: true,
        given: |switches| switches.weak_isolation.then_some(TRUE),
        give: |switches, n| switches.weak_isolation = n == TRUE,
        of_memory: |memory| Some((memory.isolation == Isolation::Weak).into()),
        apply: |memory, _| memory.isolation = Isolation::Weak,
    },
    Switch {
        name: "lazy_conflicts",
        numbers: None,
        is_settable: true,
        given: |switches| switches.lazy_conflicts.then_some(TRUE),
        give: |switches, n| switches.lazy_conflicts = n == TRUE,
        of_memory: |memory| Some((memory.conflicts == Conflicts::Lazy).into()),
        apply: |memory, _| memory.conflicts = Conflicts::Lazy,
    },
    Switch {
        name: "elide_locks",
        numbers: None,
        is_settable: true,
        given: |switches| switches.elide_locks.then_some(TRUE),
        give: |switches, n| switches.elide_locks = n == TRUE,
        of_memory: |memory| Some((memory.locks == Locks::Elided).into()),
        apply: |memory, _| memory.locks = Locks::Elided,
    },
    Switch {
        name: "address_speculation",
        numbers: None,
        is_settable: false,
        given: |switches| switches.no_address_speculation.then_some(false.into()),
        give: |switches, n| switches.no_address_speculation = n != TRUE,
        of_memory: |memory| Some((memory.address_speculation != AddressSpeculation::Forbidden).into()),
        apply: |memory, _| memory.address_speculation = AddressSpeculation::Forbidden,
    },
    Switch {
        name: "history",
        numbers: Some(1..=64),
        is_settable: true,
        given: |switches| switches.history,
        give: |switches, n| switches.history = Some(n),
        of_memory: |memory| memory.histories.map(|histories| histories.bound),
        apply: |memory, n| memory.histories.iter_mut().for_each(|histories| histories.bound = n),
    },
];

impl Switch {
    fn show(&self, value: usize) -> String {
        if self.numbers.is_some() { value.to_string() } else { (value == TRUE).to_string() }
    }

    fn read(&self, text: &str) -> Result<usize, Error> {
        match (&self.numbers, text) {
            (Some(_), _) => number(self.name, text),
            (None, "true") => Ok(TRUE),
            (None, "false") => Ok(false.into()),
            (None, _) => Err(Error::input(format!("{} cannot be `{text}`", self.name)).hint("it is `true` or `false`")),
        }
    }
}

impl Switches {
    /// The switches of a run, as far as its memory model has them.
    pub fn of(memory: &MemoryModel, buffer: Option<usize>) -> Self {
        let mut switches = Switches { buffer, ..Switches::default() };
        for switch in &SWITCHES {
            if let Some(value) = (switch.of_memory)(memory) {
                (switch.give)(&mut switches, value);
            }
        }
        switches
    }

    /// The memory model with what is given put on it.
    ///
    /// # Errors
    /// A number that is out of range.
    pub fn apply(&self, memory: &mut MemoryModel) -> Result<(), Error> {
        self.check()?;
        for switch in &SWITCHES {
            if let Some(value) = (switch.given)(self) {
                (switch.apply)(memory, value);
            }
        }
        if memory.conflicts == Conflicts::Lazy && memory.isolation == Isolation::Weak {
            let hint = "a commit does not say then that it is one, so no transaction would be aborted";
            return Err(Error::input("`--lazy-conflicts` and `--weak-isolation` cannot be combined").hint(hint));
        }
        Ok(())
    }

    /// What is given and differs from the default, by name.
    pub fn given(&self) -> Vec<(String, String)> {
        // To guess no branch is to leave the switch alone.
        let given = |switch: &Switch| (switch.given)(self).filter(|value| switch.name != "speculate" || *value > 0);
        SWITCHES.iter().filter_map(|s| Some((s.name.to_string(), s.show(given(s)?)))).collect()
    }

    /// The values that a run has, by name: as given, and as its memory model has them.
    pub fn values(&self, memory: &MemoryModel) -> Vec<(String, String)> {
        let of = |switch: &'static Switch| {
            let own = (switch.of_memory)(memory);
            let given = own.map(|_| (switch.given)(self).unwrap_or_default()).filter(|_| switch.is_settable);
            given.into_iter().chain(own).map(|value| (switch.name.to_string(), switch.show(value)))
        };
        SWITCHES.iter().flat_map(of).collect()
    }

    fn check(&self) -> Result<(), Error> {
        for switch in &SWITCHES {
            let (Some(numbers), Some(value)) = (&switch.numbers, (switch.given)(self)) else { continue };
            if !numbers.contains(&value) {
                let hint = format!("it takes a number from {} to {}", numbers.start(), numbers.end());
                return Err(Error::input(format!("--{} cannot be {value}", switch.name)).hint(hint));
            }
        }
        Ok(())
    }
}

/// The queue bounds that there may be.
const QUEUE_BOUNDS: RangeInclusive<usize> = 1..=64;

/// The queue bound unless set: it shows every reordering of the copying study. A guess is worth
/// little in so short a queue, so with speculation it is longer.
fn default_queue_bound(speculates: bool) -> usize {
    if speculates { 6 } else { 4 }
}

impl Scope {
    /// The scope of these settings, `NAME=VALUE`. The queue bound, `K`, and most switches may be among them.
    pub fn new(set: &[String], queue_bound: Option<usize>, switches: Switches) -> Result<Self, Error> {
        let mut scope = Scope { set: Vec::new(), queue_bound: 0, is_bound_given: false, switches };
        let mut bound = queue_bound;
        for text in set {
            let (name, value) = setting(text)?;
            match SWITCHES.iter().find(|switch| switch.name == name && switch.is_settable) {
                Some(switch) => (switch.give)(&mut scope.switches, switch.read(value)?),
                None if name == "K" && queue_bound.is_none() => bound = Some(number(name, value)?),
                None if name == "K" => {
                    let error = Error::input("the queue bound is given twice: by an option and by `--set`");
                    return Err(error.hint("keep one of them"));
                }
                None => scope.set.push((name.to_string(), value.to_string())),
            }
        }
        scope.is_bound_given = bound.is_some();
        scope.queue_bound = bound.unwrap_or_else(|| default_queue_bound(scope.switches.speculate.unwrap_or(0) > 0));
        if !QUEUE_BOUNDS.contains(&scope.queue_bound) {
            let message = format!("the queue bound cannot be {}", scope.queue_bound);
            return Err(Error::input(message).hint("it takes a number from 1 to 64"));
        }
        scope.switches.check()?;
        Ok(scope)
    }

    /// The same with the queue bound that these memory models need, unless one was given: a memory model's own file may say
    /// that threads guess.
    pub fn suited(self, memories: &[MemoryModel]) -> Self {
        let speculates = memories.iter().any(|memory| memory.speculate > 0);
        let queue_bound = if self.is_bound_given { self.queue_bound } else { default_queue_bound(speculates) };
        Scope { queue_bound, ..self }
    }
}

fn setting(text: &str) -> Result<(&str, &str), Error> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    parts.ok_or_else(|| Error::input(format!("`--set {text}` has no `=`")).hint("write `--set NAME=VALUE`"))
}

fn number(name: &str, value: &str) -> Result<usize, Error> {
    value.parse().map_err(|_| Error::input(format!("{name} cannot be `{value}`")).hint("it takes a number"))
}
