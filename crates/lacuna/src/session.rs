//! Files, settings and memory models, from what was typed to what it means.

use crate::args::SearchArgs;
pub use crate::exit::Error;
pub use crate::expected::expected;
use crate::parallel;
pub use crate::protocols::texts;
use crate::{files, limits, terminal};
use automata::Automata;
use base::{Diagnostic, Sources, suggest};
use explore::SearchOptions;
use machine::{LateReads, Options, Reductions};
use memory::MemoryModel;
use program::{Settings, World};
use std::path::Path;
use system::Limits;
pub use workbench::{Protocol, Scope, Switches, System};
use workbench::{Question, RunOptions};

/// Files from the disk.
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        files::read(Path::new(path))
    }
}

/// Opens a file and everything it uses. What is wrong with its text is printed.
pub fn open(path: &Path) -> Result<Protocol, Error> {
    if let Err(error) = std::fs::metadata(path) {
        return Err(files::cannot_read(path, &error, "a `.lac` file"));
    }
    let protocol = workbench::open(&Disk, path)?;
    say(&protocol.loaded.diagnostics, &protocol.loaded.sources)?;
    Ok(protocol)
}

/// The system of one variant and scenario. What is wrong with its text is printed.
pub fn system(protocol: &Protocol, variant: &str, scenario: &str, set: &[(String, String)]) -> Result<System, Error> {
    let settings = Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set: set.to_vec() };
    let system = protocol.system(&settings)?;
    say(&system.warnings, &protocol.loaded.sources)?;
    // What is discarded here is discarded under every memory model; `check` asks under its own.
    if let Some(sc) = memory::builtin::find("sc") {
        refuse_without_run(&system.automata, &sc, &Options::default())?;
    }
    Ok(system)
}

/// A system without an initial state has no run, so nothing could be said of it. Where the command's budget is over before that is known, it is
/// not refused: its runs will say so.
///
/// # Errors
/// Names the first thread that cannot begin.
pub(crate) fn refuse_without_run(automata: &Automata, memory: &MemoryModel, machine: &Options) -> Result<(), Error> {
    let machine = Options { budget: limits::command(), ..machine.clone() };
    let options = RunOptions { machine, ..RunOptions::default() };
    let Some(thread) = Question::new(automata, memory, &options).cannot_begin() else { return Ok(()) };
    let message = format!(
        "there is no initial state under {}: every way in which thread `{thread}` may begin is discarded",
        memory.name
    );
    Err(Error::input(message).hint("what stands before its first step is never true"))
}

/// What a memory model has no meaning for cannot be run under it.
///
/// # Errors
/// Names the first such thing and where it stands.
pub(crate) fn refuse_for_memory(sources: &Sources, automata: &Automata, memory: &MemoryModel) -> Result<(), Error> {
    let Some(refusal) = machine::refused(automata, memory) else { return Ok(()) };
    let place = sources.place(refusal.span).map(|(source, place)| format!("{}:{}: ", source.name, place.line));
    let message = format!("{}`{}` has no {}", place.unwrap_or_default(), memory.name, refusal.what);
    Err(Error::input(message).hint(refusal.hint))
}

/// What has no rules for histories has no answer there.
///
/// # Errors
/// Names the first such memory model.
pub(crate) fn refuse_histories(memories: &[MemoryModel], what: &str) -> Result<(), Error> {
    match memories.iter().find(|memory| memory.histories.is_some()) {
        None => Ok(()),
        Some(memory) => {
            let message = format!("{what} cannot answer under `{}`: its memory is histories", memory.name);
            Err(Error::input(message).hint("ask `lacuna check` alone"))
        }
    }
}

/// Prints diagnostics; an error if one of them is.
pub fn say(diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), Error> {
    for diagnostic in diagnostics {
        terminal::complain(&diagnostic.render(sources));
    }
    let n_errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if n_errors == 0 {
        return Ok(());
    }
    terminal::complain(&format!("{n_errors} error{}", if n_errors == 1 { "" } else { "s" }));
    Err(Error::Reported)
}

/// Settings as typed, and others in place of those of the same name.
pub(crate) fn joined(set: &[String], others: &[String]) -> Vec<String> {
    let name = |text: &String| text.split('=').next().unwrap_or("").trim().to_string();
    let is_kept = |text: &&String| !others.iter().any(|other| name(other) == name(text));
    set.iter().filter(is_kept).chain(others).cloned().collect()
}

fn reductions(search: &SearchArgs) -> Result<Reductions, Error> {
    let mut reductions = Reductions::ALL;
    if search.late_reads {
        reductions.late_reads = LateReads::Always;
    }
    for name in &search.without {
        let Some((_, switch_off)) = Reductions::SWITCHES.iter().find(|(known, _)| known == name) else {
            let known = Reductions::SWITCHES.map(|(name, _)| name);
            let error = Error::input(format!("there is no reduction `{name}`"));
            return Err(error.hint(suggest::choice(name, &known)));
        };
        switch_off(&mut reductions);
    }
    Ok(reductions)
}

/// The options of a run.
pub(crate) fn run_options(scope: &Scope, check_deadlock: bool, search: &SearchArgs) -> Result<RunOptions, Error> {
    let timeout = limits::timeout(search.limits.timeout)?;
    let max_bytes = limits::max_bytes(search.limits.max_memory.as_deref())?;
    let workers = search.workers.unwrap_or_else(parallel::n_cores).clamp(1, 64);
    Ok(RunOptions {
        machine: Options {
            queue_bound: scope.queue_bound,
            buffer: scope.switches.buffer,
            reductions: reductions(search)?,
            check_deadlock,
            budget: limits::budget(timeout, max_bytes),
        },
        search: SearchOptions { workers, limits: Limits { max_states: search.max_states, max_bytes, timeout } },
    })
}

/// The memory models named, built in or files, with the switches set.
pub fn memories(names: &[String], switches: &Switches) -> Result<Vec<MemoryModel>, Error> {
    let mut models: Vec<MemoryModel> = Vec::new();
    for name in memory_names(names) {
        let model = memory_model(&name)?;
        // As for those that are built in: a row is known by this name.
        if models.iter().any(|other| other.name == model.name && *other != model) {
            let message = format!("{name} is another memory model than the `{}` named before it", model.name);
            return Err(Error::input(message).hint("give each a name of its own in its line `memory: NAME`"));
        }
        models.push(model);
    }
    models.iter_mut().try_for_each(|model| switches.apply(model))?;
    Ok(models)
}

/// How each of the memory models that `memories` gives is named: by its name if built in, else by its file. Each is there once.
pub fn memory_names(names: &[String]) -> Vec<String> {
    let named = |models: Vec<MemoryModel>| models.into_iter().map(|model| model.name).collect();
    let expand = |name: &String| match name.as_str() {
        "all" => named(memory::builtin::all()),
        "real" => named(memory::builtin::real()),
        _ => vec![name.clone()],
    };
    let mut all = Vec::new();
    for name in names.iter().flat_map(expand) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// The memory model of that name or in that file.
pub fn memory_model(name: &str) -> Result<MemoryModel, Error> {
    if let Some(model) = memory::builtin::find(name) {
        return Ok(model);
    }
    let text = files::read(Path::new(name)).map_err(|error| {
        let models = memory::builtin::every();
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).chain(["all", "real"]).collect();
        let message = format!("there is no memory model `{name}`, and no such file can be read: {error}");
        Error::input(message).hint(suggest::choice(name, &names))
    })?;
    let mut sources = Sources::default();
    let file = sources.add(name, text.clone());
    let (model, diagnostics) = memory::text::read(file, &text);
    say(&diagnostics, &sources)?;
    // Rows, expectations and stored traces know a memory model by its name.
    if memory::builtin::find(&model.name).is_some_and(|built_in| built_in != model) {
        let error = Error::input(format!("{name} is another memory model than the `{}` that is built in", model.name));
        return Err(error.hint("give it a name of its own in its line `memory: NAME`"));
    }
    Ok(model)
}
