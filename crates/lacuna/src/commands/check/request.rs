//! What was asked of one protocol: typed, read and understood.

use crate::args::CheckArgs;
use crate::exit::{Error, Exit};
use crate::expected::refuse_unknown_memories;
use crate::session::{self, Protocol, Scope, System};
use crate::{protocols, terminal};
use base::Sources;
use memory::MemoryModel;
use std::path::Path;
use workbench::RunOptions;

/// What was asked of one protocol.
pub(crate) struct Request<'a> {
    pub(super) args: &'a CheckArgs,
    /// Whether no other protocol is asked about.
    is_alone: bool,
    pub(super) protocol: Protocol,
    pub(super) scope: Scope,
    pub(super) options: RunOptions,
    pub(super) memories: Vec<MemoryModel>,
    /// How each memory model is named: by its name or its file.
    pub(super) names: Vec<String>,
    pub(super) systems: Vec<System>,
}

/// What is asked of every protocol.
#[derive(Clone)]
struct Asked {
    scope: Scope,
    memories: Vec<MemoryModel>,
}

/// The requests for all protocols that were named, and how the command ends at best: what is wrong with one file is said, and the others are checked.
pub(super) fn all(args: &CheckArgs) -> Result<(Vec<Request<'_>>, Exit), Error> {
    let scope = args.scope.scope()?;
    let memories = session::memories(&args.memory, &scope.switches)?;
    let asked = Asked { scope: scope.suited(&memories), memories };
    let files = protocols::named(&args.files)?;
    let (mut requests, mut wrong) = (Vec::new(), Exit::Holds);
    for file in &files {
        match Request::new(args, &asked, file, files.len() == 1) {
            Ok(request) => requests.push(request),
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                error.within(file).report();
                wrong = Exit::BadInput;
            }
        }
    }
    Ok((requests, wrong))
}

impl<'a> Request<'a> {
    fn new(args: &'a CheckArgs, asked: &Asked, file: &Path, is_alone: bool) -> Result<Self, Error> {
        let protocol = session::open(file)?;
        let Asked { scope, memories } = asked.clone();
        // Who chooses properties asks for these, and not for deadlock.
        let check_deadlock = !args.scope.no_deadlock && args.property.is_empty();
        let options = session::run_options(&scope, check_deadlock, &args.search)?;
        refuse_unknown_memories(&protocol, &memories)?;
        if args.second_opinion {
            session::refuse_histories(&memories, "the second opinion")?;
        }
        let names = session::memory_names(&args.memory);
        let mut request = Request { args, is_alone, protocol, scope, options, memories, names, systems: Vec::new() };
        request.systems = request.systems()?;
        request.leave_out_languages();
        request.refuse()?;
        Ok(request)
    }

    /// The systems of all variants and scenarios asked for.
    fn systems(&self) -> Result<Vec<System>, Error> {
        let mut systems = Vec::new();
        for variant in self.protocol.variants(self.args.choice.variant.as_deref())? {
            for scenario in self.protocol.scenarios(self.args.choice.scenario.as_deref())? {
                let mut system = session::system(&self.protocol, &variant, &scenario, &self.scope.set)?;
                if !self.args.property.is_empty() {
                    system.only(&self.args.property)?;
                }
                if self.args.live {
                    system.must_terminate()?;
                }
                if let Some(thread) = &self.args.wait_free {
                    system.must_be_wait_free(thread)?;
                }
                systems.push(system);
            }
        }
        Ok(systems)
    }

    /// A question about `real` memory names a language that has no meaning for the text, and gets the others.
    fn leave_out_languages(&mut self) {
        let is_named = |name: &str| self.args.memory.iter().any(|asked| asked == name);
        let mut left_out = Vec::new();
        for (n, memory) in self.memories.iter().enumerate().filter(|(_, memory)| !is_named(&memory.name)) {
            let mut refusals = self.systems.iter().filter_map(|system| machine::refused(&system.automata, memory));
            if let Some(refusal) = refusals.next().filter(|_| memory.histories.is_some()) {
                terminal::complain(&format!("`{}` is left out: it has no {}", memory.name, refusal.what));
                left_out.push(n);
            }
        }
        for n in left_out.into_iter().rev() {
            self.memories.remove(n);
            self.names.remove(n);
        }
    }

    /// Refuses what has no run, or no meaning, under a memory model.
    fn refuse(&self) -> Result<(), Error> {
        let has_locks = self.systems.iter().any(|system| system.automata.has_elidable_locks());
        if self.scope.switches.elide_locks && !has_locks {
            let hint = "declare the lock `elidable cell`, and take it by a CAS, a swap or a fetch";
            return Err(Error::input("`--elide-locks` finds no lock to elide").hint(hint));
        }
        for system in &self.systems {
            let refuse = |memory| session::refuse_without_run(&system.automata, memory, &self.options.machine);
            self.memories.iter().try_for_each(refuse)?;
            let has_meaning = |memory| session::refuse_for_memory(self.sources(), &system.automata, memory);
            self.memories.iter().try_for_each(has_meaning)?;
            // Expectations that contradict one another are known before any run.
            let expects = |memory| session::expected(&self.protocol, &self.scope, system, memory).map(|_| ());
            self.memories.iter().try_for_each(expects)?;
        }
        Ok(())
    }

    /// The protocol's files.
    pub(super) fn sources(&self) -> &Sources {
        &self.protocol.loaded.sources
    }

    /// The protocol's name; its file among others.
    pub(super) fn title(&self) -> String {
        if self.is_alone { self.protocol.outline.name.clone() } else { self.protocol.file.display().to_string() }
    }

    /// Nothing; the file and a colon among others.
    pub(super) fn place(&self) -> String {
        if self.is_alone { String::new() } else { format!("{}: ", self.title()) }
    }

    /// The variant; after the file among others.
    pub(super) fn variant(&self, system: &System) -> String {
        format!("{}{}", self.place(), system.variant)
    }

    /// `original general tso`; after the file among others.
    pub(super) fn label(&self, system: &System, memory: &MemoryModel) -> String {
        format!("{} {} {}", self.variant(system), system.scenario, memory.name)
    }
}
