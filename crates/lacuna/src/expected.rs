//! What a file expects of a run: the row that speaks of it.

use crate::exit::Error;
use crate::session::{Protocol, Scope, System, say};
use base::Sources;
use memory::{AddressSpeculation, MemoryModel, StoreConditional, Transactions};
use program::{Expected, ExpectedOf};
use std::path::Path;

/// The verdict that the file expects of a run. Two that contradict one another are printed as what is wrong with the file.
pub fn expected(
    protocol: &Protocol,
    scope: &Scope,
    system: &System,
    memory: &MemoryModel,
) -> Result<Option<Expected>, Error> {
    let (given, values) = (given(protocol, scope, system), values(scope, system, memory));
    let run = ExpectedOf {
        variant: &system.variant,
        scenario: &system.scenario,
        memory: &memory.name,
        given: &given,
        values: &values,
    };
    protocol.outline.expected(run).map_err(|diagnostic| {
        let said = say(&[diagnostic], &protocol.loaded.sources);
        said.err().unwrap_or(Error::Said)
    })
}

/// Says which memory models that the file names in expectations are not known: neither built in, nor asked for, nor beside it.
pub(crate) fn refuse_unknown_memories(protocol: &Protocol, asked: &[MemoryModel]) -> Result<(), Error> {
    let built_in = memory::builtin::every().into_iter().map(|model| model.name);
    let mut known: Vec<String> = built_in.chain(asked.iter().map(|model| model.name.clone())).collect();
    if !protocol.outline.unknown_memories(&known).is_empty() {
        known.extend(beside(protocol));
    }
    say(&protocol.outline.unknown_memories(&known), &protocol.loaded.sources)
}

/// The names of the memory models in the folder of the protocol.
fn beside(protocol: &Protocol) -> Vec<String> {
    let folder = protocol.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(".".as_ref())).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "memory"));
    files.filter_map(|path| name_in(&path)).collect()
}

/// The name of the memory model in a file; a file in which something is wrong has none.
fn name_in(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let file = Sources::default().add(path.to_str()?, text.clone());
    let (model, wrong) = memory::text::read(file, &text);
    wrong.is_empty().then_some(model.name)
}

/// What is set from outside, and is not so by itself.
fn given(protocol: &Protocol, scope: &Scope, system: &System) -> Vec<(String, String)> {
    let is_set = |(name, _): &&(String, String)| scope.set.iter().any(|(set, _)| set == name);
    let is_changed = |constant: &&(String, String)| !system.own_constants.contains(constant);
    let mut given: Vec<(String, String)> = system.constants.iter().filter(is_set).filter(is_changed).cloned().collect();
    let switches = &scope.switches;
    given.extend(switches.speculate.filter(|n| *n > 0).map(|n| ("speculate".into(), n.to_string())));
    given.extend(switches.buffer.map(|n| ("buffer".into(), n.to_string())));
    let flags = [
        ("spurious_failures", switches.spurious_failures, "true"),
        ("spurious_aborts", switches.spurious_aborts, "true"),
        ("address_speculation", switches.no_address_speculation, "false"),
    ];
    given.extend(flags.into_iter().filter(|(_, is_on, _)| *is_on).map(|(name, _, value)| (name.into(), value.into())));
    // A file that says nothing of K means whatever K is asked for.
    let names_bound = protocol.outline.expectations.iter().flat_map(|e| &e.settings).any(|(name, _)| name == "K");
    if names_bound && scope.is_bound_given {
        given.push(("K".into(), scope.queue_bound.to_string()));
    }
    given
}

/// What a row may say of a run: the values that it has, and the switches as given or as the memory model has them.
fn values(scope: &Scope, system: &System, memory: &MemoryModel) -> Vec<(String, String)> {
    let switches = &scope.switches;
    let own = [
        ("K", scope.queue_bound.to_string()),
        ("speculate", switches.speculate.unwrap_or(0).to_string()),
        ("speculate", memory.speculate.to_string()),
        ("spurious_failures", switches.spurious_failures.to_string()),
        ("spurious_failures", (memory.store_conditional == StoreConditional::MayFail).to_string()),
        ("spurious_aborts", switches.spurious_aborts.to_string()),
        ("spurious_aborts", (memory.transactions == Transactions::MayAbort).to_string()),
        ("address_speculation", (memory.address_speculation != AddressSpeculation::Forbidden).to_string()),
    ];
    let own = own.into_iter().map(|(name, value)| (name.to_string(), value));
    system.constants.iter().cloned().chain(own).collect()
}
