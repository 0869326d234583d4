//! A memory model with its switches and the bounds of a run.

use crate::random::Random;
use machine::{Options, Reductions};
use memory::{AddressSpeculation, Conflicts, Isolation, Locks, MemoryModel, StoreConditional, Transactions};
use std::time::Duration;
use system::{Budget, Limits};
use workbench::RunOptions;

/// More states than a small program has; a search that meets more is skipped.
pub const MAX_STATES: u64 = 10_000;

/// Longer than a run may take.
const LONGEST: Duration = Duration::from_secs(2);

/// Whether there are proofs, and models for SPIN, under a memory model.
fn has_proofs(model: &MemoryModel) -> bool {
    matches!(model.name.as_str(), "sc" | "tso")
}

/// What a program is looked at under.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The memory model, switches included.
    pub memory: MemoryModel,
    /// The queue bound K.
    pub queue_bound: usize,
    /// The bound on pending stores.
    pub buffer: Option<usize>,
}

impl Setting {
    /// A setting of that memory model without switches.
    pub fn plain(name: &str) -> Option<Self> {
        Some(Setting { memory: memory::builtin::find(name)?, queue_bound: 4, buffer: None })
    }

    /// A random one. Programs of the profile `speculation` are mostly looked at with guesses, those of `proofs` where there are proofs.
    pub fn random(random: &mut Random, profile: &str) -> Self {
        let mut all = memory::builtin::all();
        if profile == "proofs" {
            all.retain(has_proofs);
        }
        let mut memory = all.swap_remove(random.below(all.len()));
        let guesses = if profile == "speculation" { 75 } else { 20 };
        if random.percent(guesses) {
            memory.speculate = 1 + random.below(2);
        }
        if random.percent(20) {
            memory.address_speculation = AddressSpeculation::Forbidden;
        }
        if random.percent(20) {
            memory.store_conditional = StoreConditional::MayFail;
        }
        if random.percent(20) {
            memory.transactions = Transactions::MayAbort;
        }
        if random.percent(20) {
            memory.isolation = Isolation::Weak;
        } else if random.percent(20) {
            memory.conflicts = Conflicts::Lazy;
        }
        if random.percent(20) {
            memory.locks = Locks::Elided;
        }
        let queue_bound = [4, 4, 6, 3, 2, 1][random.below(6)];
        let buffer = random.percent(15).then(|| 1 + random.below(2));
        Setting { memory, queue_bound, buffer }
    }

    /// A random one that a model for SPIN can have.
    pub fn random_for_spin(random: &mut Random, _profile: &str) -> Self {
        let mut all = memory::builtin::all();
        all.retain(has_proofs);
        let memory = all.swap_remove(random.below(all.len()));
        let queue_bound = [4, 4, 3, 2][random.below(4)];
        let buffer = random.percent(15).then(|| 1 + random.below(2));
        Setting { memory, queue_bound, buffer }
    }

    /// The options of a run with these reductions.
    pub fn options(&self, reductions: Reductions) -> RunOptions {
        let (queue_bound, buffer) = (self.queue_bound, self.buffer);
        let budget = Budget::default().part(Some(LONGEST));
        let machine = Options { queue_bound, buffer, reductions, check_deadlock: true, budget };
        let mut options = RunOptions { machine, ..RunOptions::default() };
        options.search.limits =
            Limits { max_states: Some(MAX_STATES), max_bytes: Some(1 << 30), timeout: Some(LONGEST) };
        options
    }

    /// The options of the command line that ask for it.
    pub fn arguments(&self) -> String {
        let mut text = format!("-m {} --queue-bound {}", self.memory.name, self.queue_bound);
        if self.memory.speculate > 0 {
            text += &format!(" --speculate {}", self.memory.speculate);
        }
        if let Some(n) = self.buffer {
            text += &format!(" --buffer {n}");
        }
        let built_in = memory::builtin::find(&self.memory.name);
        let differs = |is_same: fn(&MemoryModel, &MemoryModel) -> bool| {
            built_in.as_ref().is_some_and(|model| !is_same(model, &self.memory))
        };
        if differs(|a, b| a.address_speculation == b.address_speculation) {
            text += " --no-address-speculation";
        }
        if differs(|a, b| a.store_conditional == b.store_conditional) {
            text += " --spurious-failures";
        }
        if differs(|a, b| a.transactions == b.transactions) {
            text += " --spurious-aborts";
        }
        if differs(|a, b| a.isolation == b.isolation) {
            text += " --weak-isolation";
        }
        if differs(|a, b| a.conflicts == b.conflicts) {
            text += " --lazy-conflicts";
        }
        if differs(|a, b| a.locks == b.locks) {
            text += " --elide-locks";
        }
        text
    }

    /// Settings that are simpler by one thing each, the simplest first.
    pub fn simpler(&self) -> Vec<Setting> {
        let with = |memory: MemoryModel| Setting { memory, ..self.clone() };
        let mut all = Vec::new();
        for model in memory::builtin::all() {
            all.push(with(model.clone()));
            all.push(with(MemoryModel { speculate: self.memory.speculate, ..model.clone() }));
            let MemoryModel { reorder, rmw, failed_cas, same_cell_loads, name, doc, .. } = model;
            all.push(with(MemoryModel { reorder, rmw, failed_cas, same_cell_loads, name, doc, ..self.memory.clone() }));
        }
        if self.memory.speculate > 1 {
            all.push(with(MemoryModel { speculate: 1, ..self.memory.clone() }));
        }
        all.push(Setting { queue_bound: 4, ..self.clone() });
        all.push(Setting { buffer: None, ..self.clone() });
        all.retain(|setting| setting.complexity() < self.complexity());
        all
    }

    /// How far from the simplest setting it is.
    fn complexity(&self) -> (usize, usize) {
        let position = memory::builtin::all().iter().position(|m| m.name == self.memory.name).unwrap_or(0);
        let switches = self.arguments().matches("--").count() + self.memory.speculate;
        (position, switches + usize::from(self.queue_bound != 4))
    }
}
