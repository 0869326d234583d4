//! What a certificate says it is of: a protocol with the hash of its texts, and the scope of `holds`.

use crate::exit::Error;
use crate::session::{self, Protocol, Scope, Switches, System, memories};
use base::Sources;
use memory::MemoryModel;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// One claim: that this holds.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// The protocol's file, as it was named.
    pub(super) file: PathBuf,
    pub(super) variant: String,
    pub(super) scenario: String,
    /// The memory model's name, or its file.
    pub(super) memory: String,
    set: Vec<(String, String)>,
    queue_bound: usize,
    speculate: Option<usize>,
    buffer: Option<usize>,
    address_speculation: bool,
    spurious_failures: bool,
    spurious_aborts: bool,
    weak_isolation: bool,
    lazy_conflicts: bool,
    elide_locks: bool,
    /// Whether `deadlock` is among what holds; and the stated properties that are, all if none is named.
    deadlock: bool,
    properties: Vec<String>,
    /// The hash of all texts and of what the memory model says.
    texts: String,
}

/// What a run was of.
pub(crate) struct Of<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) system: &'a System,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) named: &'a str,
    pub(crate) scope: &'a Scope,
    pub(crate) deadlock: bool,
    pub(crate) properties: &'a [String],
}

/// A claim with the texts that it is of.
pub(super) struct Bound {
    pub(super) system: System,
    pub(super) memory: MemoryModel,
    pub(super) options: second::Options,
}

impl Claim {
    pub(super) fn of(run: &Of<'_>) -> Self {
        let switches = Switches::of(run.memory, run.scope.switches.buffer);
        Claim {
            file: run.protocol.file.clone(),
            variant: run.system.variant.clone(),
            scenario: run.system.scenario.clone(),
            memory: run.named.into(),
            set: run.scope.set.clone(),
            queue_bound: run.scope.queue_bound,
            speculate: switches.speculate,
            buffer: switches.buffer,
            address_speculation: !switches.no_address_speculation,
            spurious_failures: switches.spurious_failures,
            spurious_aborts: switches.spurious_aborts,
            weak_isolation: switches.weak_isolation,
            lazy_conflicts: switches.lazy_conflicts,
            elide_locks: switches.elide_locks,
            deadlock: run.deadlock,
            properties: run.properties.to_vec(),
            texts: texts(&run.protocol.loaded.sources, run.memory),
        }
    }

    /// `original general tso K=4 MUTATORS=2 --property lost`: all that `holds` is said of. What is not said here is as the protocol and the
    /// memory model have it, and everything is checked.
    pub(super) fn label(&self) -> String {
        let named = Path::new(&self.memory).file_stem().map_or(self.memory.clone(), |it| it.to_string_lossy().into());
        let mut label = format!("{} {} {named} K={}", self.variant, self.scenario, self.queue_bound);
        for (name, value) in self.set.iter().chain(&self.switches().given()) {
            label += &format!(" {name}={value}");
        }
        label.extend(self.properties.iter().map(|name| format!(" --property {name}")));
        // Who chooses properties does not ask for deadlock.
        label + if self.deadlock || !self.properties.is_empty() { "" } else { " --no-deadlock" }
    }

    /// Reads the texts that it is of; another text is refused.
    pub(super) fn bind(&self, file: Option<&Path>) -> Result<Bound, Error> {
        let protocol = session::open(file.unwrap_or(&self.file))?;
        let mut system = session::system(&protocol, &self.variant, &self.scenario, &self.set)?;
        if !self.properties.is_empty() {
            system.only(&self.properties)?;
        }
        let scope = Scope::new(&[], Some(self.queue_bound), self.switches())?;
        let memory = memories(std::slice::from_ref(&self.memory), &scope.switches)?.swap_remove(0);
        if texts(&protocol.loaded.sources, &memory) != self.texts {
            let message = format!("{}: the certificate is of another text or memory model", self.label());
            return Err(Error::input(message).hint("give it the texts that it was written for"));
        }
        let properties = (!self.properties.is_empty()).then(|| self.properties.clone());
        let (queue_bound, buffer, check_deadlock) = (self.queue_bound, self.buffer, self.deadlock);
        Ok(Bound { system, memory, options: second::Options { queue_bound, buffer, check_deadlock, properties } })
    }

    fn switches(&self) -> Switches {
        Switches {
            speculate: self.speculate,
            buffer: self.buffer,
            spurious_failures: self.spurious_failures,
            spurious_aborts: self.spurious_aborts,
            weak_isolation: self.weak_isolation,
            lazy_conflicts: self.lazy_conflicts,
            elide_locks: self.elide_locks,
            no_address_speculation: !self.address_speculation,
            history: None,
        }
    }
}

/// A hash of all texts, without where they are, and of the memory model.
fn texts(sources: &Sources, memory: &MemoryModel) -> String {
    let mut hash = Sha256::new();
    for (_, source) in sources.iter() {
        hash.update((source.text.len() as u64).to_le_bytes());
        hash.update(&source.text);
    }
    hash.update(format!("{memory:?}"));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
