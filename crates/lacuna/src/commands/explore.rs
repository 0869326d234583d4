//! `lacuna explore`: a page for a browser, to step through a protocol or to follow a trace.

use crate::args::ExploreArgs;
use crate::exit::{Ended, Error, Exit, print};
use crate::limits;
use crate::progress::{STOP, listen};
use crate::session::{self, Protocol, Switches};
use crate::stored;
use base::Diagnostic;
use machine::{Options, Reductions};
use memory::MemoryModel;
use page::view::{Choice, Path, Start};
use page::{Caps, Opened, Server, Site, Subject, WATCH};
use program::{Loaded, Settings};
use report::json::StoredTrace;
use std::time::Duration;
use workbench::System;

/// Runs the command.
pub(crate) fn run(args: &ExploreArgs) -> Ended {
    let caps = caps(args)?;
    // What comes before the first request may take as much as one.
    limits::set_command(Some(caps.timeout.max(Duration::from_secs(1))), Some(most(caps)));
    let protocol = session::open(&args.file)?;
    let trace = args.trace.as_deref().map(stored::read).transpose()?;
    let desk = Desk::new(args, caps, protocol, trace)?;
    let server = Server::bind(args.port).map_err(|error| cannot_listen(args.port, &error))?;
    listen();
    print(&format!("{} is at {}\nCtrl-C ends it\n", desk.protocol.outline.name, server.url()))?;
    server.serve(&desk, &STOP).map_err(|error| Error::input(format!("the server stopped: {error}")))?;
    Ok(Exit::Holds)
}

fn cannot_listen(port: u16, error: &std::io::Error) -> Error {
    let message = match error.kind() {
        std::io::ErrorKind::AddrInUse => format!("port {port} is in use"),
        _ => format!("cannot listen on port {port}: {error}"),
    };
    Error::input(message).hint("give another with `--port N`; `--port 0` takes any that is free")
}

/// What the page is of.
struct Desk {
    protocol: Protocol,
    /// The memory models that can be chosen, with the names they are chosen by.
    memories: Vec<(String, MemoryModel)>,
    set: Vec<(String, String)>,
    options: Options,
    /// The property that a trace violates, which may be one that `check --live` or `--wait-free` has added.
    violated: Option<String>,
    choice: Choice,
    path: Path,
    caps: Caps,
}

impl Desk {
    /// What was typed; what a trace was found with, where nothing was typed.
    fn new(args: &ExploreArgs, caps: Caps, protocol: Protocol, trace: Option<StoredTrace>) -> Result<Self, Error> {
        let typed = args.scope.scope()?;
        let scope = trace.as_ref().map_or(typed, stored::scope);
        let wanted = |typed: &Option<String>, stored: fn(&StoredTrace) -> &String| {
            typed.clone().or_else(|| trace.as_ref().map(|trace| stored(trace).clone()))
        };
        let variant = one(protocol.variants(wanted(&args.variant, |t| &t.variant).as_deref())?);
        let scenario = one(protocol.scenarios(wanted(&args.scenario, |t| &t.scenario).as_deref())?);
        let memory = wanted(&args.memory, |t| &t.memory).unwrap_or_else(|| "relaxed".into());
        let violated = trace.as_ref().map(|trace| trace.property.clone());
        let path = trace.map(|t| Path { initial: t.initial, steps: t.steps, loop_start: t.loop_start });
        let memories = memories(&memory, &scope.switches)?;
        let chosen: Vec<MemoryModel> =
            memories.iter().filter(|(name, _)| *name == memory).map(|(_, model)| model.clone()).collect();
        let scope = scope.suited(&chosen);
        let desk = Desk {
            memories,
            options: Options {
                queue_bound: scope.queue_bound,
                buffer: scope.switches.buffer,
                reductions: Reductions::ALL,
                check_deadlock: !args.scope.no_deadlock,
                budget: limits::budget(None, Some(most(caps))),
            },
            set: scope.set,
            protocol,
            violated,
            choice: Choice { variant, scenario, memory, watch: None },
            path: path.unwrap_or_default(),
            caps,
        };
        // What is wrong with the text, the settings or the trace is said before there is a page.
        session::system(&desk.protocol, &desk.choice.variant, &desk.choice.scenario, &desk.set)?;
        desk.confirm()?;
        Ok(desk)
    }

    /// The way to begin with is one of this system.
    fn confirm(&self) -> Result<(), Error> {
        let opened = self.open(&self.choice).map_err(Error::input)?;
        let options = opened.options_for(self.caps.timeout);
        let subject = Subject { options: &options, ..opened.subject() };
        let walk = page::walk(&subject.interpreter(), self.path.initial, &self.path.steps);
        if let Some(limit) = options.budget.hit() {
            let error = Error::input(format!("the first steps take more than one request may ({})", limit.name()));
            return Err(error.hint("allow more with `--timeout` and `--max-memory`"));
        }
        walk.map(|_| ()).map_err(|error| Error::input(format!("the trace is not one of this file: {error}")))
    }

    /// The memory model chosen; the first if there is none of that name.
    fn memory(&self, choice: &Choice) -> &MemoryModel {
        let chosen = self.memories.iter().find(|(name, _)| *name == choice.memory);
        &chosen.unwrap_or(&self.memories[0]).1
    }

    fn system(&self, loaded: &Loaded, choice: &Choice) -> Result<System, String> {
        let (variant, scenario) = (Some(choice.variant.clone()), Some(choice.scenario.clone()));
        let settings = Settings { variant, scenario, set: self.set.clone() };
        System::of(loaded, &settings).map_err(|diagnostics| said(&diagnostics))
    }
}

impl Site for Desk {
    fn start(&self) -> Start {
        let outline = &self.protocol.outline;
        let title = |title: &Option<String>| title.clone().unwrap_or_default();
        Start {
            title: outline.name.clone(),
            doc: outline.doc.clone(),
            variants: outline.variants.iter().map(|v| (v.name.clone(), title(&v.title))).collect(),
            scenarios: outline.scenarios.iter().map(|s| (s.name.clone(), title(&s.title))).collect(),
            memories: self.memories.iter().map(|(name, _)| name.clone()).collect(),
            choice: self.choice.clone(),
            path: self.path.clone(),
        }
    }

    fn open(&self, choice: &Choice) -> Result<Opened, String> {
        if !self.memories.iter().any(|(name, _)| *name == choice.memory) {
            return Err(format!("there is no memory model `{}` here", choice.memory));
        }
        let System { program, mut automata, .. } = match &choice.watch {
            None => self.system(&self.protocol.loaded, choice)?,
            Some(condition) => self.system(&watching(&self.protocol.loaded, condition)?, choice)?,
        };
        if let Some(name) = &self.violated
            && automata.properties.values().all(|property| property.name != *name)
            && let Some(added) = workbench::added(&automata, name)
        {
            automata.properties.push(added);
        }
        let (sources, memory) = (self.protocol.loaded.sources.clone(), self.memory(choice).clone());
        if let Some(refusal) = machine::refused(&automata, &memory) {
            return Err(format!("`{}` has no {}: {}", memory.name, refusal.what, refusal.hint));
        }
        let outline = self.protocol.outline.clone();
        Ok(Opened { outline, program, automata, sources, memory, options: self.options.clone() })
    }

    fn caps(&self) -> Caps {
        self.caps
    }
}

/// What one request may cost.
fn caps(args: &ExploreArgs) -> Result<Caps, Error> {
    let timeout = limits::timeout(Some(args.timeout))?.unwrap_or_default();
    let max_bytes = limits::max_bytes(Some(&args.max_memory))?.unwrap_or_default();
    Ok(Caps { max_states: args.max_states, max_bytes, timeout })
}

/// The memory of the process at which a request is stopped: what it has now, and what a request may take for states, or what any needs.
fn most(caps: Caps) -> u64 {
    const LEAST: u64 = 100_000_000;
    system::usage().map_or(0, |usage| usage.resident).saturating_add(caps.max_bytes.max(LEAST))
}

/// The files, and one more that states the condition as a cover property.
fn watching(loaded: &Loaded, condition: &str) -> Result<Loaded, String> {
    let mut loaded = loaded.clone();
    let text = format!("cover {WATCH}: {condition}\n");
    let file = loaded.sources.add("the condition", text.clone());
    let (module, diagnostics) = syntax::parse(file, &text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(said(&diagnostics));
    }
    if module.items.len() != 1 {
        return Err("write one condition, on one line, as after `invariant name:`".into());
    }
    loaded.modules.push(module);
    Ok(loaded)
}

/// What is wrong, in a line.
fn said(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    error.map_or_else(String::new, |error| {
        let hint = error.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        format!("{}{hint}", error.message)
    })
}

/// The memory models built in, and the one asked for if it is a file.
fn memories(wanted: &str, switches: &Switches) -> Result<Vec<(String, MemoryModel)>, Error> {
    let mut names: Vec<String> = session::memory_names(&["all".into()]);
    if !names.iter().any(|name| name == wanted) {
        names.push(wanted.into());
    }
    let models = session::memories(&names, switches)?;
    Ok(names.into_iter().zip(models).collect())
}

fn one(names: Vec<String>) -> String {
    names.into_iter().next().unwrap_or_default()
}
