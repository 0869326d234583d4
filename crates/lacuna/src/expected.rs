//! What a file expects of a run: the row that speaks of it.

use crate::exit::Error;
use crate::files;
use crate::session::{Protocol, Scope, System, say};
use base::Sources;
use memory::MemoryModel;
use program::{Expected, ExpectedOf, Settings};
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
        said.err().unwrap_or(Error::Reported)
    })
}

/// Says which memory models that the file names in expectations are not known: neither built in, nor asked for, nor beside it.
pub(crate) fn refuse_unknown_memories(protocol: &Protocol, wanted: &[MemoryModel]) -> Result<(), Error> {
    let built_in = memory::builtin::every().into_iter().map(|model| model.name);
    let mut known: Vec<String> = built_in.chain(wanted.iter().map(|model| model.name.clone())).collect();
    if !protocol.outline.unknown_memories(&known).is_empty() {
        known.extend(beside(protocol)?);
    }
    say(&protocol.outline.unknown_memories(&known), &protocol.loaded.sources)
}

/// The names of the memory models in the folder of the protocol. A file that is read is no output.
fn beside(protocol: &Protocol) -> Result<Vec<String>, Error> {
    let folder = protocol.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(".".as_ref())).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "memory"));
    files.filter_map(|path| name_in(&path).transpose()).collect()
}

/// The name of the memory model in a file; a file in which something is wrong has none.
fn name_in(path: &Path) -> Result<Option<String>, Error> {
    let text = match files::read(path) {
        Ok(text) => text,
        Err(error) if files::is_claimed(path) => return Err(files::cannot_read(path, &error, "a memory model")),
        Err(_) => return Ok(None),
    };
    let file = Sources::default().add(path.display().to_string(), text.clone());
    let (model, wrong) = memory::text::read(file, &text);
    Ok(wrong.is_empty().then_some(model.name))
}

/// What is set from outside, and is not so by itself.
fn given(protocol: &Protocol, scope: &Scope, system: &System) -> Vec<(String, String)> {
    let is_set = |(name, _): &&(String, String)| scope.set.iter().any(|(set, _)| set == name);
    let own = if scope.set.is_empty() { Vec::new() } else { own_constants(protocol, system) };
    let set = system.constants().iter().filter(is_set).filter(|constant| !own.contains(constant));
    let mut given: Vec<(String, String)> = set.cloned().chain(scope.switches.given()).collect();
    // A file that does not mention K means the K of the command line.
    let names_bound = protocol.outline.expectations.iter().flat_map(|e| &e.settings).any(|(name, _)| name == "K");
    if names_bound && scope.is_bound_given {
        given.push(("K".into(), scope.queue_bound.to_string()));
    }
    given
}

/// Every parameter and flag with the value that it has if nothing is set from outside.
fn own_constants(protocol: &Protocol, system: &System) -> Vec<(String, String)> {
    let (variant, scenario) = (Some(system.variant.clone()), Some(system.scenario.clone()));
    let settings = Settings { variant, scenario, set: Vec::new() };
    program::check(&protocol.loaded, &settings).0.map_or(Vec::new(), |program| program.constants)
}

/// What a row may say of a run: the values that it has, and the switches as given or as the memory model has them.
fn values(scope: &Scope, system: &System, memory: &MemoryModel) -> Vec<(String, String)> {
    let bound = ("K".to_string(), scope.queue_bound.to_string());
    system.constants().iter().cloned().chain([bound]).chain(scope.switches.values(memory)).collect()
}
