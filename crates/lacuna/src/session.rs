//! Files, settings and memory models, from what was typed to what it means.

use crate::args::{ScopeArgs, SearchArgs, SwitchArgs};
use crate::exit::Error;
use automata::Automata;
use base::{Diagnostic, Sources};
use explore::SearchOptions;
use machine::{Options, Reductions};
use memory::{AddressSpeculation, MemoryModel, StoreConditional};
use program::{Loaded, Outline, Settings, World};
use std::path::Path;
use std::time::Duration;
use system::Limits;
use workbench::RunOptions;

/// Files from the disk.
pub(crate) struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// A protocol, loaded and outlined.
pub(crate) struct Protocol {
    pub(crate) loaded: Loaded,
    pub(crate) outline: Outline,
}

impl Protocol {
    /// Loads a file and everything it uses. What is wrong with its text is printed.
    pub(crate) fn load(path: &Path) -> Result<Self, Error> {
        if let Err(error) = std::fs::metadata(path) {
            return Err(Error::input(format!("cannot read `{}`: {error}", path.display())));
        }
        let loaded = program::load(&Disk, path);
        say(&loaded.diagnostics, &loaded.sources)?;
        let outline = program::outline(&loaded);
        Ok(Protocol { loaded, outline })
    }

    /// The variants asked for: one, `all`, or the default.
    pub(crate) fn variants(&self, asked: Option<&str>) -> Result<Vec<String>, Error> {
        let all: Vec<String> = self.outline.variants.iter().map(|v| v.name.clone()).collect();
        let default = self.outline.variants.iter().find(|v| v.is_default).map(|v| v.name.clone());
        pick("variant", asked, all, default)
    }

    /// The scenarios asked for: one, `all`, or the default.
    pub(crate) fn scenarios(&self, asked: Option<&str>) -> Result<Vec<String>, Error> {
        let all: Vec<String> = self.outline.scenarios.iter().map(|s| s.name.clone()).collect();
        let default = self.outline.scenarios.iter().find(|s| s.is_default).map(|s| s.name.clone());
        pick("scenario", asked, all, default)
    }

    /// The automata of one variant and scenario.
    pub(crate) fn automata(&self, variant: &str, scenario: &str, set: &[(String, String)]) -> Result<Automata, Error> {
        let settings =
            Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set: set.to_vec() };
        let (program, diagnostics) = program::check(&self.loaded, &settings);
        say(&diagnostics, &self.loaded.sources)?;
        let program = program.ok_or(Error::Said)?;
        Ok(lower::lower(&program))
    }

    /// All parameters and flags with their values in a run.
    pub(crate) fn parameters(&self, set: &[(String, String)]) -> Vec<(String, String)> {
        let params = self.outline.params.iter().map(|p| (p.name.clone(), p.default.clone()));
        let flags = self.outline.flags.iter().map(|f| (f.name.clone(), f.default.clone()));
        let mut all: Vec<(String, String)> = params.chain(flags).collect();
        for (name, value) in set {
            if let Some(entry) = all.iter_mut().find(|(n, _)| n == name) {
                entry.1 = value.clone();
            }
        }
        all
    }
}

fn pick(kind: &str, asked: Option<&str>, all: Vec<String>, default: Option<String>) -> Result<Vec<String>, Error> {
    match asked {
        None => Ok(default.into_iter().collect()),
        Some("all") => Ok(all),
        Some(name) if all.iter().any(|n| n == name) => Ok(vec![name.into()]),
        Some(name) => {
            let hint = format!("there are: {}", all.join(", "));
            Err(Error::input(format!("there is no {kind} `{name}`")).hint(hint))
        }
    }
}

/// Prints diagnostics; an error if one of them is.
pub(crate) fn say(diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), Error> {
    for diagnostic in diagnostics {
        eprintln!("{}", diagnostic.render(sources));
    }
    let n_errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if n_errors == 0 {
        return Ok(());
    }
    eprintln!("{n_errors} error{}", if n_errors == 1 { "" } else { "s" });
    Err(Error::Said)
}

/// `--set` settings, `K` apart.
pub(crate) fn settings(set: &[String], queue_bound: usize) -> Result<(Vec<(String, String)>, usize), Error> {
    let mut settings = Vec::new();
    let mut bound = queue_bound;
    for text in set {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Error::input(format!("`--set {text}` has no `=`")).hint("write `--set NAME=VALUE`")
        })?;
        let (name, value) = (name.trim(), value.trim());
        if name == "K" {
            bound = value.parse().map_err(|_| Error::input(format!("K cannot be `{value}`")).hint("it takes a number"))?;
        } else {
            settings.push((name.to_string(), value.to_string()));
        }
    }
    if !(1..=64).contains(&bound) {
        return Err(Error::input(format!("the queue bound cannot be {bound}")).hint("it takes a number from 1 to 64"));
    }
    Ok((settings, bound))
}

/// The options of a run.
pub(crate) fn run_options(scope: &ScopeArgs, queue_bound: usize, search: &SearchArgs) -> Result<RunOptions, Error> {
    let mut reductions = Reductions::ALL;
    for name in &search.without {
        match name.as_str() {
            "symmetry" => reductions.symmetry = false,
            "dead-registers" => reductions.dead_registers = false,
            "walls" => reductions.walls = false,
            _ => {
                let error = Error::input(format!("there is no reduction `{name}`"));
                return Err(error.hint("there are: symmetry, dead-registers, walls"));
            }
        }
    }
    let timeout = match search.timeout {
        Some(seconds) if !(seconds.is_finite() && seconds >= 0.0) => {
            return Err(Error::input(format!("the timeout cannot be {seconds}")).hint("it takes seconds, such as 2.5"));
        }
        seconds => seconds.map(|s| Duration::from_secs_f64(s.min(1e9))),
    };
    let max_bytes = search.max_memory.as_deref().map(size).transpose()?;
    let workers = search.workers.unwrap_or_else(n_cores).clamp(1, 64);
    Ok(RunOptions {
        machine: Options { queue_bound, reductions, check_deadlock: !scope.no_deadlock },
        search: SearchOptions { workers, limits: Limits { max_states: search.max_states, max_bytes, timeout } },
    })
}

/// One worker per core.
pub(crate) fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn size(text: &str) -> Result<u64, Error> {
    let (digits, factor) = match text.trim().to_ascii_uppercase() {
        t if t.ends_with('K') => (t[..t.len() - 1].to_string(), 1_000),
        t if t.ends_with('M') => (t[..t.len() - 1].to_string(), 1_000_000),
        t if t.ends_with('G') => (t[..t.len() - 1].to_string(), 1_000_000_000),
        t => (t, 1),
    };
    let wrong = || Error::input(format!("`{text}` is no size")).hint("write bytes, or a number with K, M or G");
    digits.parse::<u64>().ok().and_then(|n| n.checked_mul(factor)).ok_or_else(wrong)
}

/// The memory models named, built in or files, with the switches set.
pub(crate) fn memories(names: &[String], switches: &SwitchArgs) -> Result<Vec<MemoryModel>, Error> {
    let mut models = Vec::new();
    for name in names {
        match name.as_str() {
            "all" => models.extend(memory::builtin::all()),
            name => models.push(memory_model(name)?),
        }
    }
    for model in &mut models {
        if let Some(n) = switches.speculate {
            if n > 8 {
                return Err(Error::input(format!("--speculate cannot be {n}")).hint("it takes a number from 0 to 8"));
            }
            model.speculate = n;
        }
        if switches.no_address_speculation {
            model.address_speculation = AddressSpeculation::Forbidden;
        }
        if switches.spurious_failures {
            model.store_conditional = StoreConditional::MayFail;
        }
    }
    Ok(models)
}

/// The memory model of that name or in that file.
pub(crate) fn memory_model(name: &str) -> Result<MemoryModel, Error> {
    if let Some(model) = memory::builtin::find(name) {
        return Ok(model);
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        let names: Vec<String> = memory::builtin::all().into_iter().map(|m| m.name).collect();
        let message = format!("there is no memory model `{name}`, and no such file can be read: {error}");
        Error::input(message).hint(format!("built in are: {}", names.join(", ")))
    })?;
    let mut sources = Sources::default();
    let file = sources.add(name, text.clone());
    let (model, diagnostics) = memory::text::read(file, &text);
    say(&diagnostics, &sources)?;
    Ok(model)
}
