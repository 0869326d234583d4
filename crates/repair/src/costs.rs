//! What an ordering costs: a table per architecture, as data.
//!
//! ```text
//! # A rough ranking for ARMv8.
//! costs: arm
//! fence full: 40
//! load acquire: 4
//! thread mutator: 10
//! conditional: 4
//! ```
//! A place costs what is put there, times a weight, divided by `conditional` for every branch around it. The weight is `hot` or `cold` where the text
//! says so, else that of the thread that comes by most dearly. Every key has to be there once; `thread NAME` may be added, and so may
//! `hot`, `cold`, `load seq_cst`, `store seq_cst` and `rmw seq_cst`.

use crate::places::{Strength, Target};
use memory::Fence;
use std::collections::BTreeMap;
use syntax::tree::Heat;

/// The keys that every table has.
const KEYS: [&str; 10] = [
    "fence full",
    "fence release",
    "fence acquire",
    "fence store_store",
    "load acquire",
    "store release",
    "rmw acquire",
    "rmw release",
    "thread other",
    "conditional",
];

/// Keys that may be left out, each with the one that it then is as.
const OPTIONAL: [(&str, &str); 5] = [
    ("load seq_cst", "load acquire"),
    ("store seq_cst", "fence full"),
    ("rmw seq_cst", "rmw release"),
    ("hot", "thread mutator"),
    ("cold", "thread collector"),
];

/// The built-in tables' texts.
const TEXTS: [&str; 4] = [
    include_str!("../../../costs/arm.costs"),
    include_str!("../../../costs/power.costs"),
    include_str!("../../../costs/x86.costs"),
    include_str!("../../../costs/count.costs"),
];

/// Costs are kept in hundredths, so that branches can divide them.
pub const UNIT: u64 = 100;

/// A cost table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// Its name: `arm`.
    pub name: String,
    values: BTreeMap<String, u64>,
}

impl Costs {
    /// All built-in tables; the first is the default.
    pub fn built_in() -> Vec<Costs> {
        TEXTS.iter().map(|text| read(text).expect("tested below")).collect()
    }

    fn value(&self, key: &str) -> u64 {
        let other = OPTIONAL.iter().find(|(optional, _)| *optional == key).map(|(_, other)| *other);
        self.values.get(key).or_else(|| self.values.get(other?)).copied().unwrap_or(1)
    }

    /// The weight of a place: what the text says of it, else that of the dearest of the programs that come by.
    pub fn weight(&self, heat: Option<Heat>, programs: &[&str]) -> u64 {
        match heat {
            Some(Heat::Hot) => self.value("hot"),
            Some(Heat::Cold) => self.value("cold"),
            None => programs.iter().map(|program| self.weight_of(program)).max().unwrap_or(1),
        }
    }

    /// The weight of a thread's program, or of `other`.
    fn weight_of(&self, program: &str) -> u64 {
        self.values.get(&format!("thread {program}")).copied().unwrap_or_else(|| self.value("thread other"))
    }

    /// The cost, in hundredths, of `strength` at a target of that weight inside `n_branches` branches.
    pub fn cost(&self, strength: Strength, target: Target, n_branches: u32, weight: u64) -> u64 {
        let base = self.value(&key(strength, target));
        let divisor = self.value("conditional").saturating_pow(n_branches);
        (base * weight * UNIT / divisor.max(1)).max(1)
    }
}

/// The key of a strength.
fn key(strength: Strength, target: Target) -> String {
    let access = match target {
        Target::Rmw => "rmw",
        Target::Store => "store",
        Target::Fence | Target::Load => "load",
    };
    match strength {
        Strength::Fence(fence) => format!("fence {}", Fence::name(fence)),
        Strength::Acquire => format!("{access} acquire"),
        Strength::Release => format!("{access} release"),
        Strength::SeqCst => format!("{access} seq_cst"),
    }
}

/// What is wrong with a cost table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// Reads a cost table, up to the first thing that is wrong.
pub fn read(text: &str) -> Result<Costs, Wrong> {
    let mut costs = Costs::default();
    for (n, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or("").trim();
        if !content.is_empty() {
            read_line(&mut costs, content).map_err(|(message, hint)| Wrong { line: n + 1, message, hint })?;
        }
    }
    let mut missing: Vec<&str> = KEYS.into_iter().filter(|key| !costs.values.contains_key(*key)).collect();
    if costs.name.is_empty() {
        missing.insert(0, "costs");
    }
    if !missing.is_empty() {
        let message = format!("this cost table lacks {}", missing.join(", "));
        return Err(Wrong { line: 1, message, hint: "copy a table of `costs/` and change its numbers".into() });
    }
    Ok(costs)
}

/// Reads one line; what is wrong with it and a hint, if it is.
fn read_line(costs: &mut Costs, content: &str) -> Result<(), (String, String)> {
    let (key, value) =
        content.split_once(':').ok_or(("expected `key: value`".to_string(), "such as `fence full: 40`".to_string()))?;
    let (key, value) = (key.trim(), value.trim());
    if key == "costs" {
        costs.name = value.to_string();
        return Ok(());
    }
    let is_optional = OPTIONAL.iter().any(|(optional, _)| *optional == key);
    if !KEYS.contains(&key) && !is_optional && !key.starts_with("thread ") {
        let hint = format!("the keys are costs, {}, those with seq_cst, hot, cold, and `thread NAME`", KEYS.join(", "));
        return Err((format!("a cost table has no key `{key}`"), hint));
    }
    let number = value.parse().ok().filter(|n| (1..=1_000_000).contains(n));
    let number =
        number.ok_or((format!("`{key}` cannot be `{value}`"), "it takes a number from 1 to 1000000".to_string()))?;
    match costs.values.insert(key.to_string(), number) {
        None => Ok(()),
        Some(_) => Err((format!("`{key}` stands twice"), "keep one of the lines".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_table_reads_and_says_what_it_is() {
        for text in TEXTS {
            assert_eq!(read(text).err(), None);
            assert!(text.starts_with("# "), "{text}");
        }
    }

    #[test]
    fn the_mutator_pays_more_than_the_collector_and_a_branch_makes_it_cheaper() {
        let arm = &Costs::built_in()[0];
        let full = Strength::Fence(Fence::Full);
        let of = |n, program: &str| arm.cost(full, Target::Fence, n, arm.weight(None, &[program]));
        assert!(of(0, "mutator") > of(1, "mutator"));
        assert!(of(1, "mutator") > of(0, "collector"));
    }

    #[test]
    fn what_the_text_calls_hot_or_cold_weighs_so_whoever_comes_by() {
        let arm = &Costs::built_in()[0];
        let of = |heat, program: &str| arm.weight(heat, &[program]);
        assert_eq!(of(Some(Heat::Hot), "collector"), of(Some(Heat::Hot), "mutator"));
        assert!(of(Some(Heat::Hot), "collector") > of(Some(Heat::Cold), "mutator"));
    }

    #[test]
    fn wrong_tables_are_refused() {
        let wrong = |text: &str| read(text).expect_err("wrong").message;
        assert_eq!(wrong("costs arm"), "expected `key: value`");
        assert_eq!(wrong("fence half: 3"), "a cost table has no key `fence half`");
        assert_eq!(wrong("fence full: cheap"), "`fence full` cannot be `cheap`");
        assert_eq!(wrong("fence full: 1\nfence full: 2"), "`fence full` stands twice");
        assert!(wrong("costs: mine\nfence full: 3").starts_with("this cost table lacks fence release"));
    }
}
