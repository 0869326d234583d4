//! What was typed, read and understood.

use crate::args::MutantsArgs;
use crate::exit::Error;
use crate::limits;
use crate::parallel;
use crate::progress::listen;
use crate::session::{self, Protocol};
use memory::MemoryModel;
use mutate::{Kind, Scope};
use std::time::Duration;

pub(super) struct Request {
    pub(super) protocol: Protocol,
    pub(super) variants: Vec<String>,
    pub(super) all_variants: Vec<String>,
    pub(super) scenarios: Vec<String>,
    pub(super) scopes: Vec<Scope>,
    pub(super) memories: Vec<MemoryModel>,
    /// The time for all runs of a mutant.
    pub(super) each: Option<Duration>,
    /// The flags and parameters of each variant.
    constants: Vec<Vec<(String, String)>>,
}

impl Request {
    pub(super) fn new(args: &MutantsArgs) -> Result<Self, Error> {
        let protocol = session::open(&args.file)?;
        args.only.iter().try_for_each(|word| known(word))?;
        let memories = session::memories(&args.memory, &args.scope.switches.switches())?;
        let scopes = scopes(args, &memories)?;
        let mut request = Request {
            variants: protocol.variants(args.variant.as_deref())?,
            all_variants: protocol.variants(Some("all"))?,
            scenarios: protocol.scenarios(args.scenario.as_deref().or(Some("all")))?,
            memories,
            each: limits::timeout(args.each)?,
            scopes,
            constants: Vec::new(),
            protocol,
        };
        // Every program is checked before anything is run, so that what is wrong is said once and early.
        for variant in &request.variants {
            let mut constants = None;
            for scope in &request.scopes {
                for scenario in &request.scenarios {
                    let system = session::system(&request.protocol, variant, scenario, &scope.set)?;
                    for memory in &request.memories {
                        session::refuse_for_memory(&request.protocol.loaded.sources, &system.automata, memory)?;
                    }
                    constants.get_or_insert(system.program.constants);
                }
            }
            request.constants.push(constants.unwrap_or_default());
        }
        listen();
        Ok(request)
    }

    /// The flags and parameters of a variant, at the first scope.
    pub(super) fn constants(&self, variant: &str) -> &[(String, String)] {
        let position = self.variants.iter().position(|name| name == variant);
        position.map_or(&[], |n| &self.constants[n])
    }
}

fn known(word: &str) -> Result<(), Error> {
    if Kind::ALL.iter().any(|(kind, _)| kind.is_called(word)) {
        return Ok(());
    }
    let mut groups: Vec<&str> = Kind::ALL.iter().map(|(kind, _)| kind.group()).collect();
    groups.dedup();
    let kinds: Vec<&str> = Kind::ALL.iter().map(|(_, name)| *name).filter(|name| name.contains('-')).collect();
    let hint = format!("there are the groups {}, and the kinds {}", groups.join(", "), kinds.join(", "));
    Err(Error::input(format!("`--only {word}` names no kind of mutant")).hint(hint))
}

/// The scopes of `--scopes`, each on top of `--set`; that of `--set` alone if there are none.
fn scopes(args: &MutantsArgs, memories: &[MemoryModel]) -> Result<Vec<Scope>, Error> {
    let texts: Vec<&str> = args.scopes.as_deref().unwrap_or("").split(';').map(str::trim).collect();
    let texts: Vec<&str> = if args.scopes.is_some() { texts } else { vec![""] };
    texts.into_iter().map(|text| scope(args, memories, text)).collect()
}

fn scope(args: &MutantsArgs, memories: &[MemoryModel], text: &str) -> Result<Scope, Error> {
    if args.scopes.is_some() && text.is_empty() {
        let error = Error::input("`--scopes` has an empty scope");
        return Err(error.hint("write `--scopes \"REFS=2;MUTATORS=2,REFS=2\"`"));
    }
    let own: Vec<String> = text.split(',').map(str::trim).filter(|t| !t.is_empty()).map(String::from).collect();
    let set = session::joined(&args.scope.set, &own);
    let scope = args.scope.scope_with(&set)?.suited(memories);
    let mut options = session::run_options(&scope, !args.scope.no_deadlock, &args.search)?;
    // What the command may use is in the budget; this is for each mutant.
    options.search.limits.timeout = limits::timeout(args.each)?;
    // As many mutants as there are cores share the memory.
    let share = |bytes: u64| bytes / parallel::n_cores() as u64;
    options.search.limits.max_bytes = options.search.limits.max_bytes.map(share);
    Ok(Scope { name: own.join(","), set: scope.set, options })
}
