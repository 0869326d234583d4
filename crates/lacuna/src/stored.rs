//! Stored traces: read, and bound again to the protocol they are of.

use crate::exit::Error;
use crate::files;
use crate::session::{self, Protocol, Scope, Switches, System, memories};
use automata::PropertyId;
use machine::{Interpreter, Options};
use memory::MemoryModel;
use report::json::StoredTrace;
use std::io::Read;
use std::path::{Path, PathBuf};
use workbench::{ReplayError, Trace};

/// A stored trace with the protocol it is of.
pub(crate) struct Bound {
    pub(crate) protocol: Protocol,
    pub(crate) system: System,
    pub(crate) memory: MemoryModel,
    pub(crate) options: Options,
    pub(crate) property: PropertyId,
    stored: StoredTrace,
}

/// The trace of a file, or of standard input for `-`: one by itself, or the first within a list of runs.
pub(crate) fn read(path: &Path) -> Result<StoredTrace, Error> {
    let shown = path.display();
    let unread =
        |e: std::io::Error| files::cannot_read(path, &e, "a trace that `lacuna check --save-trace` has written");
    let mut text = String::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).map_err(unread)?;
    } else {
        text = files::read(Path::new(path)).map_err(unread)?;
    }
    let wrong = |what: &str| {
        Error::input(format!("`{shown}` is not a trace: {what}"))
            .hint("write one with `lacuna check --save-trace PATH`")
    };
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| wrong(&format!("it is not JSON ({e})")))?;
    let is_trace = |trace: &&serde_json::Value| !trace.is_null();
    let inside = match json.as_array() {
        // A run of `simulate` has several.
        Some(runs) => runs.iter().flat_map(|run| [&run["trace"], &run["violations"][0]["trace"]]).find(is_trace),
        None if json.get("trace").is_some() => json.get("trace").filter(is_trace),
        None => Some(&json),
    };
    let inside = inside.ok_or_else(|| wrong("no run in it has a counterexample"))?;
    serde_json::from_value(inside.clone()).map_err(|e| wrong(&e.to_string()))
}

/// The file to take the protocol from: the one named, or else the one that the trace names.
pub(crate) fn protocol_file(named: Option<&PathBuf>, stored: &StoredTrace) -> Result<PathBuf, Error> {
    let file = named.cloned().or_else(|| stored.file.as_ref().map(PathBuf::from));
    file.ok_or_else(|| Error::input("the trace does not say which file it is of").hint("name the file after the trace"))
}

/// A counterexample with what it was found in.
pub(crate) struct Found<'a> {
    pub(crate) variant: &'a str,
    pub(crate) scenario: &'a str,
    pub(crate) memory: &'a MemoryModel,
    /// The memory model's name, or its file.
    pub(crate) named: &'a str,
    pub(crate) scope: &'a Scope,
    pub(crate) property: &'a str,
    pub(crate) trace: &'a Trace,
}

/// The trace as `lacuna replay` executes it, without the file's name and without events for people.
pub(crate) fn write(found: &Found<'_>) -> StoredTrace {
    let Found { memory, scope, trace, .. } = *found;
    let switches = Switches::of(memory, scope.switches.buffer);
    StoredTrace {
        file: None,
        variant: found.variant.into(),
        scenario: found.scenario.into(),
        memory: found.named.into(),
        set: scope.set.iter().cloned().collect(),
        queue_bound: scope.queue_bound,
        speculate: memory.speculate,
        address_speculation: !switches.no_address_speculation,
        buffer: switches.buffer,
        history: switches.history,
        spurious_failures: switches.spurious_failures,
        spurious_aborts: switches.spurious_aborts,
        weak_isolation: switches.weak_isolation,
        lazy_conflicts: switches.lazy_conflicts,
        elide_locks: switches.elide_locks,
        property: found.property.into(),
        initial: trace.initial,
        steps: trace.steps.clone(),
        loop_start: trace.loop_start,
        calls: Vec::new(),
        events: Vec::new(),
    }
}

/// The scope that a trace was found in.
pub(crate) fn scope(stored: &StoredTrace) -> Scope {
    let switches = Switches {
        speculate: Some(stored.speculate),
        no_address_speculation: !stored.address_speculation,
        spurious_failures: stored.spurious_failures,
        spurious_aborts: stored.spurious_aborts,
        weak_isolation: stored.weak_isolation,
        lazy_conflicts: stored.lazy_conflicts,
        elide_locks: stored.elide_locks,
        buffer: stored.buffer,
        history: stored.history,
    };
    let set = stored.set.clone().into_iter().collect();
    Scope { set, queue_bound: stored.queue_bound, is_bound_given: true, switches }
}

impl Bound {
    /// Binds `stored` to the protocol in `file`.
    pub(crate) fn new(stored: StoredTrace, file: &Path) -> Result<Self, Error> {
        let protocol = session::open(file)?;
        let set: Vec<(String, String)> = stored.set.clone().into_iter().collect();
        for (kind, name, known) in [
            ("variant", &stored.variant, protocol.variants(Some(&stored.variant))),
            ("scenario", &stored.scenario, protocol.scenarios(Some(&stored.scenario))),
        ] {
            known
                .map_err(|_| Error::input(format!("the trace is of {kind} `{name}`, which the file does not have")))?;
        }
        let mut system = session::system(&protocol, &stored.variant, &stored.scenario, &set)?;
        if system.automata.properties.values().all(|p| p.name != stored.property)
            && let Some(added) = workbench::added(&system.automata, &stored.property)
        {
            system.automata.properties.push(added);
        }
        // Bounds that no search can have are no scope.
        let switches = Scope::new(&[], Some(stored.queue_bound), scope(&stored).switches)?.switches;
        let memory = memories(std::slice::from_ref(&stored.memory), &switches)?.swap_remove(0);
        let property = system.automata.properties.iter().find(|(_, p)| p.name == stored.property).map(|(id, _)| id);
        let property = property.ok_or_else(|| {
            Error::input(format!("the trace violates `{}`, a property that the file does not have", stored.property))
        })?;
        let (queue_bound, buffer) = (stored.queue_bound, stored.buffer);
        let options = Options { queue_bound, buffer, ..Options::default() };
        Ok(Bound { protocol, system, memory, options, property, stored })
    }

    /// Executes the trace with the plain interpreter.
    pub(crate) fn execute(&self) -> Result<Trace, ReplayError> {
        let interpreter = Interpreter::new(&self.system.automata, &self.memory, &self.options);
        let StoredTrace { initial, steps, loop_start, .. } = &self.stored;
        workbench::replay_run(&interpreter, *initial, steps, *loop_start, self.property)
    }

    /// The name of the property that it violates.
    pub(crate) fn property_name(&self) -> &str {
        &self.stored.property
    }
}
