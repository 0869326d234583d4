//! Files, settings and memory models, from what was typed to what it means.

use crate::args::{SearchArgs, SwitchArgs};
pub use crate::exit::Error;
pub use crate::expected::expected;
use crate::parallel;
use crate::{files, limits, terminal};
use automata::{Action, Automata, PropertyKind, Stated, Thread};
use base::{Diagnostic, Sources};
use explore::SearchOptions;
use machine::{Interpreter, LateReads, Options, Reductions};
use memory::{AddressSpeculation, MemoryModel, StoreConditional, Transactions};
use program::{Loaded, Outline, Program, Settings, World};
use std::path::{Path, PathBuf};
use system::Limits;
use workbench::RunOptions;

/// Files from the disk.
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        files::read(Path::new(path))
    }
}

/// A protocol, loaded and outlined.
pub struct Protocol {
    /// Its file.
    pub file: PathBuf,
    /// Its files.
    pub loaded: Loaded,
    /// What it offers.
    pub outline: Outline,
}

/// A protocol in one variant and scenario.
pub struct System {
    /// The variant.
    pub variant: String,
    /// The scenario.
    pub scenario: String,
    /// Every parameter and flag with its value.
    pub constants: Vec<(String, String)>,
    /// The same without what is set from outside.
    pub(crate) own_constants: Vec<(String, String)>,
    /// The typed program.
    pub program: Program,
    /// Its threads, cells and properties.
    pub automata: Automata,
}

impl System {
    /// Leaves out every invariant, forbidden outcome and temporal property that is not named.
    pub fn only(&mut self, names: &[String]) -> Result<(), Error> {
        let is_stated = |kind: &PropertyKind| {
            matches!(kind, PropertyKind::Invariant(_) | PropertyKind::Forbid(_) | PropertyKind::Ltl(_))
        };
        let stated = self.automata.properties.values_mut().filter(|property| is_stated(&property.kind));
        let (named, others): (Vec<_>, Vec<_>) = stated.partition(|property| names.contains(&property.name));
        if let Some(unknown) = names.iter().find(|name| !named.iter().any(|property| property.name == **name)) {
            let known: Vec<&str> = named.iter().chain(&others).map(|property| property.name.as_str()).collect();
            let error = Error::input(format!("there is no property `{unknown}` to choose"));
            return Err(error.hint(format!("there are: {}", known.join(", "))));
        }
        for other in others {
            other.kind = PropertyKind::Unchecked;
        }
        let properties = &self.automata.properties;
        let is_off = |of: Stated| matches!(of, Stated::Property(id) if properties[id].kind == PropertyKind::Unchecked);
        self.automata.definedness.retain(|definedness| !is_off(definedness.of));
        Ok(())
    }

    /// Adds the property `terminates`: every thread ends at last.
    pub fn must_terminate(&mut self) -> Result<(), Error> {
        let property = workbench::terminates(&self.automata);
        if self.automata.properties.values().any(|p| p.name == property.name) {
            let message = format!("the file has a property `{}` of its own, so there is nothing to add", property.name);
            return Err(Error::input(message).hint("leave out `--live`, or rename the property"));
        }
        self.automata.properties.push(property);
        match workbench::unsuitable(&self.automata) {
            None => Ok(()),
            Some((property, why)) => Err(Error::input(format!("the property `{property}` cannot be checked: {why}"))),
        }
    }
}

impl Protocol {
    /// Loads a file and everything it uses. What is wrong with its text is printed.
    pub fn load(path: &Path) -> Result<Self, Error> {
        if let Err(error) = std::fs::metadata(path) {
            return Err(Error::input(format!("cannot read `{}`: {error}", path.display())));
        }
        let mut loaded = program::load(&Disk, path);
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            // What could be read is checked too, so that all mistakes are told at once.
            let found = program::check_rest(&loaded);
            loaded.diagnostics.extend(found);
            loaded.diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
        }
        say(&loaded.diagnostics, &loaded.sources)?;
        let outline = program::outline(&loaded);
        Ok(Protocol { file: path.to_path_buf(), loaded, outline })
    }

    /// The variants asked for: one, `all`, or the default.
    pub fn variants(&self, asked: Option<&str>) -> Result<Vec<String>, Error> {
        let all: Vec<String> = self.outline.variants.iter().map(|v| v.name.clone()).collect();
        let default = self.outline.variants.iter().find(|v| v.is_default).map(|v| v.name.clone());
        pick("variant", asked, all, default)
    }

    /// The scenarios asked for: one, `all`, or the default.
    pub fn scenarios(&self, asked: Option<&str>) -> Result<Vec<String>, Error> {
        let all: Vec<String> = self.outline.scenarios.iter().map(|s| s.name.clone()).collect();
        let default = self.outline.scenarios.iter().find(|s| s.is_default).map(|s| s.name.clone());
        pick("scenario", asked, all, default)
    }

    /// The system of one variant and scenario.
    pub fn system(&self, variant: &str, scenario: &str, set: &[(String, String)]) -> Result<System, Error> {
        let settings = Settings { variant: Some(variant.into()), scenario: Some(scenario.into()), set: set.to_vec() };
        let (program, diagnostics) = program::check(&self.loaded, &settings);
        say(&diagnostics, &self.loaded.sources)?;
        let program = program.ok_or(Error::Said)?;
        let automata = lower::lower(&program);
        if let Some((property, why)) = workbench::unsuitable(&automata) {
            let error = Error::input(format!("the property `{property}` cannot be checked: {why}"));
            return Err(error.hint("state it as several properties, or use smaller parameters"));
        }
        // What is discarded here is discarded under every memory model; `check` asks under its own.
        if let Some(sc) = memory::builtin::find("sc") {
            refuse_without_run(&automata, &sc, &Options { budget: limits::command(), ..Options::default() })?;
        }
        let (variant, scenario) = (variant.to_string(), scenario.to_string());
        let constants = program.constants.clone();
        let own_constants = match set.is_empty() {
            true => constants.clone(),
            false => {
                let own = Settings { set: Vec::new(), ..settings };
                program::check(&self.loaded, &own).0.map_or(Vec::new(), |program| program.constants)
            }
        };
        Ok(System { variant, scenario, constants, own_constants, program, automata })
    }
}

/// A system without an initial state has no run, so nothing could be said of it. Where the command's budget is over before that is known, it is
/// not refused: its runs will say so.
///
/// # Errors
/// Names the first thread that cannot begin.
pub(crate) fn refuse_without_run(automata: &Automata, memory: &MemoryModel, options: &Options) -> Result<(), Error> {
    let budget = limits::command();
    let discards = |thread: &Thread| thread.automaton.points.values().any(|p| matches!(p.action, Action::Discard(_)));
    if !automata.threads.values().any(discards) || budget.look().is_some() {
        return Ok(());
    }
    let options = Options { budget, ..options.clone() };
    match Interpreter::new(automata, memory, &options).without_beginning() {
        None => Ok(()),
        Some(thread) => {
            let name = &automata.threads[thread].name;
            let message = format!(
                "there is no initial state under {}: every way in which thread `{name}` may begin is discarded",
                memory.name
            );
            Err(Error::input(message).hint("what stands before its first step is never true"))
        }
    }
}

/// What a memory model has no meaning for cannot be run under it.
///
/// # Errors
/// Names the first such thing and where it stands.
pub(crate) fn refuse_for_memory(sources: &Sources, automata: &Automata, memory: &MemoryModel) -> Result<(), Error> {
    let Some(refusal) = machine::refused(automata, memory) else { return Ok(()) };
    let place = sources
        .place(refusal.span)
        .map_or(String::new(), |(source, place)| format!("{}:{}: ", source.name, place.line));
    Err(Error::input(format!("{place}`{}` has no {}", memory.name, refusal.what)).hint(refusal.hint))
}

/// What asks which reorderings matter has no answer where memory is histories.
///
/// # Errors
/// Names the first such memory model.
pub(crate) fn refuse_histories(memories: &[MemoryModel], what: &str) -> Result<(), Error> {
    match memories.iter().find(|memory| memory.histories.is_some()) {
        None => Ok(()),
        Some(memory) => {
            let message = format!("{what} cannot answer under `{}`: nothing is reordered there", memory.name);
            Err(Error::input(message).hint("`lacuna check` shows which older writes are read"))
        }
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
pub fn say(diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), Error> {
    for diagnostic in diagnostics {
        terminal::complain(&diagnostic.render(sources));
    }
    let n_errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if n_errors == 0 {
        return Ok(());
    }
    terminal::complain(&format!("{n_errors} error{}", if n_errors == 1 { "" } else { "s" }));
    Err(Error::Said)
}

/// The queue bound unless set: it shows every reordering of the copying study. A guess is worth
/// little in so short a queue, so with speculation it is longer.
fn default_queue_bound(speculates: bool) -> usize {
    if speculates { 6 } else { 4 }
}

/// What `holds` speaks of: the settings of a run, apart from variant, scenario and memory model.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Parameters and flags of the protocol.
    pub set: Vec<(String, String)>,
    /// The queue bound K.
    pub queue_bound: usize,
    /// Whether K was typed.
    pub is_bound_given: bool,
    /// Switches of every memory model.
    pub switches: SwitchArgs,
}

impl Scope {
    /// The scope that was typed. `K`, `speculate`, `spurious_failures`, `spurious_aborts` and `buffer` can be given by `--set` too.
    pub fn new(set: &[String], queue_bound: Option<usize>, switches: &SwitchArgs) -> Result<Self, Error> {
        let mut scope = Scope { set: Vec::new(), queue_bound: 0, is_bound_given: false, switches: switches.clone() };
        let mut bound = queue_bound;
        for text in set {
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| Error::input(format!("`--set {text}` has no `=`")).hint("write `--set NAME=VALUE`"))?;
            let (name, value) = (name.trim(), value.trim());
            match name {
                "K" => bound = Some(number(name, value)?),
                "speculate" => scope.switches.speculate = Some(number(name, value)?),
                "spurious_failures" => scope.switches.spurious_failures = value == "true",
                "spurious_aborts" => scope.switches.spurious_aborts = value == "true",
                "buffer" => scope.switches.buffer = Some(number(name, value)?),
                _ => scope.set.push((name.to_string(), value.to_string())),
            }
        }
        scope.is_bound_given = bound.is_some();
        scope.queue_bound = bound.unwrap_or_else(|| default_queue_bound(scope.switches.speculate.unwrap_or(0) > 0));
        if !(1..=64).contains(&scope.queue_bound) {
            let message = format!("the queue bound cannot be {}", scope.queue_bound);
            return Err(Error::input(message).hint("it takes a number from 1 to 64"));
        }
        if let Some(n) = scope.switches.buffer.filter(|n| !(1..=64).contains(n)) {
            return Err(Error::input(format!("--buffer cannot be {n}")).hint("it takes a number from 1 to 64"));
        }
        Ok(scope)
    }

    /// The same with the queue bound that these memory models need, unless one was typed: a memory model's own file may say
    /// that threads guess.
    pub fn suited(self, memories: &[MemoryModel]) -> Self {
        let speculates = memories.iter().any(|memory| memory.speculate > 0);
        let queue_bound = if self.is_bound_given { self.queue_bound } else { default_queue_bound(speculates) };
        Scope { queue_bound, ..self }
    }
}

/// Settings as typed, and others in place of those of the same name.
pub(crate) fn joined(set: &[String], others: &[String]) -> Vec<String> {
    let name = |text: &String| text.split('=').next().unwrap_or("").trim().to_string();
    let is_kept = |text: &&String| !others.iter().any(|other| name(other) == name(text));
    set.iter().filter(is_kept).chain(others).cloned().collect()
}

fn number(name: &str, value: &str) -> Result<usize, Error> {
    value.parse().map_err(|_| Error::input(format!("{name} cannot be `{value}`")).hint("it takes a number"))
}

/// The options of a run.
pub fn run_options(scope: &Scope, check_deadlock: bool, search: &SearchArgs) -> Result<RunOptions, Error> {
    let mut reductions = Reductions::ALL;
    if search.late_reads {
        reductions.late_reads = LateReads::Always;
    }
    for name in &search.without {
        match name.as_str() {
            "symmetry" => reductions.symmetry = false,
            "dead-registers" => reductions.dead_registers = false,
            "walls" => reductions.walls = false,
            "partial-order" => reductions.partial_order = false,
            "late-reads" => reductions.late_reads = LateReads::Never,
            "ending-runs" => reductions.ending_runs = false,
            _ => {
                let error = Error::input(format!("there is no reduction `{name}`"));
                return Err(
                    error.hint("there are: symmetry, dead-registers, walls, partial-order, late-reads, ending-runs")
                );
            }
        }
    }
    let timeout = limits::timeout(search.timeout)?;
    let max_bytes = limits::max_bytes(search.max_memory.as_deref())?;
    let workers = search.workers.unwrap_or_else(parallel::n_cores).clamp(1, 64);
    Ok(RunOptions {
        machine: Options {
            queue_bound: scope.queue_bound,
            buffer: scope.switches.buffer,
            reductions,
            check_deadlock,
            budget: limits::budget(timeout, max_bytes),
        },
        search: SearchOptions { workers, limits: Limits { max_states: search.max_states, max_bytes, timeout } },
    })
}

/// The memory models named, built in or files, with the switches set.
pub fn memories(names: &[String], switches: &SwitchArgs) -> Result<Vec<MemoryModel>, Error> {
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
        if switches.spurious_aborts {
            model.transactions = Transactions::MayAbort;
        }
    }
    Ok(models)
}

/// How each of the memory models that `memories` gives is named: by its name if built in, else by its file.
pub fn memory_names(names: &[String]) -> Vec<String> {
    let built_in = || memory::builtin::all().into_iter().map(|model| model.name).collect();
    names.iter().flat_map(|name| if name == "all" { built_in() } else { vec![name.clone()] }).collect()
}

/// The memory model of that name or in that file.
pub fn memory_model(name: &str) -> Result<MemoryModel, Error> {
    if let Some(model) = memory::builtin::find(name) {
        return Ok(model);
    }
    let text = files::read(Path::new(name)).map_err(|error| {
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
