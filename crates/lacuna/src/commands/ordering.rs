//! What `orders` and `repair` share: the question asked of each variant and memory model, and words for costs.

use crate::args::OrderingArgs;
use crate::exit::Error;
use crate::progress::{STOP, listen};
use crate::session::{self, Protocol, Scope};
use explore::Control;
use memory::MemoryModel;
use repair::{Costs, Question, costs};
use report::json::StoredTrace;
use std::time::Instant;
use workbench::{RunOptions, Trace};

/// What was typed, read and understood.
pub(crate) struct Asked {
    pub(crate) protocol: Protocol,
    pub(crate) variants: Vec<String>,
    pub(crate) memories: Vec<MemoryModel>,
    /// How each memory model is named: by its name or its file.
    pub(crate) named: Vec<String>,
    pub(crate) scope: Scope,
    pub(crate) options: RunOptions,
    pub(crate) costs: Costs,
}

impl Asked {
    pub(crate) fn new(args: &OrderingArgs, memories: &[String]) -> Result<Self, Error> {
        let protocol = Protocol::load(&args.file)?;
        let scope = Scope::new(&args.scope.set, args.scope.queue_bound, &args.scope.switches)?;
        let named = session::memory_names(memories);
        let memories = session::memories(memories, &scope.switches)?;
        session::refuse_histories(&memories, "this command")?;
        let scope = scope.suited(&memories);
        let asked = Asked {
            variants: protocol.variants(args.variant.as_deref())?,
            memories,
            named,
            options: session::run_options(&scope, !args.scope.no_deadlock, &args.search)?,
            costs: cost_table(&args.costs)?,
            protocol,
            scope,
        };
        // Every program is checked before anything is run, so that what is wrong is said once and early.
        for variant in &asked.variants {
            for scenario in asked.protocol.scenarios(Some("all"))? {
                asked.protocol.system(variant, &scenario, &asked.scope.set)?;
            }
        }
        listen();
        Ok(asked)
    }

    /// Each variant with each memory model and its name.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&str, &MemoryModel, &str)> {
        let memories = || self.memories.iter().zip(&self.named);
        self.variants
            .iter()
            .flat_map(move |variant| memories().map(move |(m, named)| (variant.as_str(), m, named.as_str())))
    }

    pub(crate) fn question<'a>(&'a self, variant: &'a str, memory: &'a MemoryModel) -> Question<'a> {
        const CONTROL: Control<'static> = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
        Question {
            loaded: &self.protocol.loaded,
            variant,
            set: &self.scope.set,
            memory,
            options: &self.options,
            begun: Instant::now(),
            costs: &self.costs,
            control: &CONTROL,
        }
    }

    /// A trace of a changed text, as `lacuna replay` executes it with that text.
    pub(crate) fn stored(
        &self,
        (variant, scenario, named): (&str, &str, &str),
        memory: &MemoryModel,
        property: &str,
        trace: &Trace,
    ) -> StoredTrace {
        StoredTrace {
            // It is a trace of the changed text, which is in no file.
            file: None,
            variant: variant.into(),
            scenario: scenario.into(),
            memory: named.into(),
            set: self.scope.set.iter().cloned().collect(),
            queue_bound: self.scope.queue_bound,
            speculate: memory.speculate,
            address_speculation: memory.address_speculation == memory::AddressSpeculation::Allowed,
            buffer: self.scope.switches.buffer,
            spurious_failures: memory.store_conditional == memory::StoreConditional::MayFail,
            spurious_aborts: memory.transactions == memory::Transactions::MayAbort,
            property: property.into(),
            initial: trace.initial,
            steps: trace.steps.clone(),
            loop_start: trace.loop_start,
            events: Vec::new(),
        }
    }
}

/// The cost table of that name or in that file.
fn cost_table(name: &str) -> Result<Costs, Error> {
    let built_in = Costs::built_in();
    if let Some(costs) = built_in.iter().find(|costs| costs.name == name) {
        return Ok(costs.clone());
    }
    let text = crate::files::read(std::path::Path::new(name)).map_err(|error| {
        let names: Vec<&str> = built_in.iter().map(|costs| costs.name.as_str()).collect();
        let message = format!("there is no cost table `{name}`, and no such file can be read: {error}");
        Error::input(message).hint(format!("built in are: {}", names.join(", ")))
    })?;
    costs::read(&text)
        .map_err(|wrong| Error::input(format!("{name}:{}: {}", wrong.line, wrong.message)).hint(wrong.hint))
}

/// A cost in units: `4.5`.
pub(crate) fn units(hundredths: u64) -> String {
    let text = format!("{:.2}", hundredths as f64 / costs::UNIT as f64);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// `3 steps`, `1 step`
pub(crate) fn steps(trace: &Trace) -> String {
    match trace.steps.len() {
        1 => "1 step".into(),
        n => format!("{n} steps"),
    }
}
