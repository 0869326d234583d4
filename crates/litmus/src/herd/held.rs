//! What a register of a processor holds while code is read.

use crate::format::Instruction;
use crate::herd::{Code, End};
use std::collections::BTreeMap;

/// The register that is always zero.
pub(crate) const ZERO: &str = "XZR";

/// A sum: the address of a cell, a number, what was loaded, and something that is zero but depends on what was loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Held {
    pub(crate) cell: Option<String>,
    pub(crate) number: i32,
    /// The neutral format's register whose value it has.
    pub(crate) loaded: Option<String>,
    /// The neutral format's register that it depends on without having its value.
    pub(crate) depends: Option<String>,
}

impl Held {
    pub(crate) fn number(number: i32) -> Self {
        Held { number, ..Held::default() }
    }

    /// The neutral format's registers that it is made of.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &String> {
        [&self.loaded, &self.depends].into_iter().flatten()
    }

    /// Zero, depending on what this is made of: `EOR W1,W0,W0`; none if that is two loads.
    pub(crate) fn cleared(&self) -> Option<Self> {
        let depends = self.sources().next().cloned();
        (self.sources().count() < 2).then_some(Held { depends, ..Held::default() })
    }

    /// The neutral format's register that has `value` where this has `equals`: `(register, value)`. None if it is no loaded value plus a number.
    pub(crate) fn compared(&self, equals: i32) -> Option<(String, i32)> {
        match self {
            Held { cell: None, loaded: Some(loaded), depends: None, number } => {
                Some((loaded.clone(), equals.checked_sub(*number)?))
            }
            _ => None,
        }
    }

    /// The sum of two; none if it cannot be said.
    pub(crate) fn plus(&self, other: &Held) -> Option<Held> {
        let one = |a: &Option<String>, b: &Option<String>| match (a, b) {
            (Some(_), Some(_)) => None,
            (a, b) => Some(a.clone().or(b.clone())),
        };
        Some(Held {
            cell: one(&self.cell, &other.cell)?,
            number: self.number.checked_add(other.number)?,
            loaded: one(&self.loaded, &other.loaded)?,
            depends: one(&self.depends, &other.depends)?,
        })
    }

    fn end(&self) -> End {
        match self {
            Held { cell: None, loaded: None, number, .. } => End::Number(*number),
            Held { cell: None, loaded: Some(register), number: 0, .. } => End::Register(register.clone()),
            _ => End::Other,
        }
    }
}

/// What is known of a thread while its code is read.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) held: BTreeMap<String, Held>,
    pub(crate) instructions: Vec<Instruction>,
    n_loads: BTreeMap<String, usize>,
}

impl Thread {
    /// What a register holds.
    pub(crate) fn get(&self, register: &str) -> Held {
        self.held.get(register).cloned().unwrap_or_default()
    }

    /// A name in the neutral format for what is loaded into a register from now on.
    pub(crate) fn load(&mut self, register: &str) -> String {
        let n = self.n_loads.entry(register.into()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { register.to_string() } else { format!("{register}.{n}") };
        if register != ZERO {
            self.held.insert(register.into(), Held { loaded: Some(name.clone()), ..Held::default() });
        }
        name
    }

    /// What may have been left out ends here; `before` is what registers held before it. A register that only one way sets must hold 0 on the
    /// other, as those of the neutral format do.
    pub(crate) fn join(&self, before: &BTreeMap<String, Held>) -> Result<(), String> {
        let changed = self.held.iter().filter(|(name, held)| before.get(*name) != Some(held));
        for (name, held) in changed {
            let was_set = before.get(name).is_some_and(|held| *held != Held::default());
            if was_set || held.loaded.is_none() {
                return Err(format!("`{name}` may hold one of two things here, which cannot be said"));
            }
        }
        Ok(())
    }

    pub(crate) fn code(self) -> Code {
        let registers = self.held.iter().map(|(name, held)| (name.clone(), held.end())).collect();
        Code { instructions: self.instructions, registers }
    }
}

/// One name for the two widths of a register: `W0` is `X0`, `EAX` is `RAX`.
pub(crate) fn register(name: &str) -> String {
    let upper = name.trim().trim_start_matches('%').to_uppercase();
    match upper.strip_prefix('W') {
        Some(number) if number.parse::<u32>().is_ok() => format!("X{number}"),
        _ if is_half(&upper) => upper[..upper.len() - 1].into(),
        _ if upper.len() == 3 && upper.starts_with('E') => format!("R{}", &upper[1..]),
        _ if upper == "WZR" => ZERO.into(),
        _ if upper.strip_prefix('R').is_some_and(|number| number.parse::<u32>().is_ok()) => upper,
        _ if upper.starts_with('X') || upper.len() == 3 && upper.starts_with('R') => upper,
        _ => name.trim().into(),
    }
}

/// `R8D`: half of `R8`.
fn is_half(upper: &str) -> bool {
    let number = upper.strip_prefix('R').and_then(|rest| rest.strip_suffix('D'));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}
