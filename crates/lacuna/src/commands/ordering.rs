//! What `orders` and `repair` share: the question asked of each variant and memory model, and words for costs.

use crate::args::OrderingArgs;
use crate::exit::Error;
use crate::progress::{STOP, listen};
use crate::session::{self, Protocol, Scope};
use crate::stored::{self, Found};
use base::Sources;
use explore::Control;
use memory::{MemoryModel, Operation};
use repair::{AtomId, Costs, Failure, Problem, Question, costs};
use report::json::StoredTrace;
use std::time::Instant;
use workbench::{RunOptions, Trace};

/// What was typed, read and understood.
pub(crate) struct Request {
    pub(crate) protocol: Protocol,
    pub(crate) variants: Vec<String>,
    pub(crate) scenarios: Vec<String>,
    pub(crate) memories: Vec<MemoryModel>,
    /// How each memory model is named: by its name or its file.
    pub(crate) named: Vec<String>,
    pub(crate) scope: Scope,
    pub(crate) options: RunOptions,
    pub(crate) costs: Costs,
}

impl Request {
    pub(crate) fn new(args: &OrderingArgs, memories: &[String]) -> Result<Self, Error> {
        let protocol = session::open(&args.file)?;
        let scope = args.scope.scope()?;
        let named = session::memory_names(memories);
        let memories = session::memories(memories, &scope.switches)?;
        let scope = scope.suited(&memories);
        let request = Request {
            variants: protocol.variants(args.variant.as_deref())?,
            scenarios: protocol.scenarios(Some(&args.scenario))?,
            memories,
            named,
            options: session::run_options(&scope, !args.scope.no_deadlock, &args.search)?,
            costs: cost_table(&args.costs)?,
            protocol,
            scope,
        };
        // Every program is checked before anything is run, so that what is wrong is said once and early.
        for variant in &request.variants {
            for scenario in &request.scenarios {
                let system = session::system(&request.protocol, variant, scenario, &request.scope.set)?;
                for memory in &request.memories {
                    session::refuse_for_memory(&request.protocol.loaded.sources, &system.automata, memory)?;
                }
            }
        }
        listen();
        Ok(request)
    }

    /// Each variant with each memory model.
    pub(crate) fn runs(&self) -> impl Iterator<Item = OrderingRun<'_>> {
        let memories = || self.memories.iter().zip(&self.named);
        self.variants
            .iter()
            .flat_map(move |variant| memories().map(move |(memory, named)| OrderingRun { variant, memory, named }))
    }

    pub(crate) fn question<'a>(&'a self, run: OrderingRun<'a>) -> Question<'a> {
        const CONTROL: Control<'static> = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
        Question {
            loaded: &self.protocol.loaded,
            variant: run.variant,
            scenarios: &self.scenarios,
            set: &self.scope.set,
            memory: run.memory,
            options: &self.options,
            begun: Instant::now(),
            costs: &self.costs,
            control: &CONTROL,
        }
    }

    /// A trace of a changed text, as `lacuna replay` executes it with that text. It is in no file, so none is named.
    pub(crate) fn stored(&self, run: OrderingRun<'_>, scenario: &str, property: &str, trace: &Trace) -> StoredTrace {
        let OrderingRun { variant, memory, named } = run;
        stored::write(&Found { variant, scenario, memory, named, scope: &self.scope, property, trace })
    }
}

/// One variant under one memory model.
#[derive(Clone, Copy)]
pub(crate) struct OrderingRun<'a> {
    pub(crate) variant: &'a str,
    pub(crate) memory: &'a MemoryModel,
    /// The memory model's name, or its file.
    pub(crate) named: &'a str,
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
        Error::input(message).hint(base::suggest::choice(name, &names))
    })?;
    costs::read(&text)
        .map_err(|wrong| Error::input(format!("{name}:{}: {}", wrong.line, wrong.message)).hint(wrong.hint))
}

/// Why what an atom forbids happens without it: the reorderings that it forbids; where memory is histories, the writes that have to be passed over.
pub(crate) fn reasons(problem: &Problem<'_>, failure: &Failure, atom: AtomId) -> Vec<String> {
    match problem.speaks_rust() {
        true => passed_over(problem, failure, &problem.question.loaded.sources),
        false => problem.reasons(failure, atom),
    }
}

/// The writes that have to be passed over for a failure to happen, in sentences; for a race, which accesses race.
pub(crate) fn passed_over(problem: &Problem<'_>, failure: &Failure, sources: &Sources) -> Vec<String> {
    let Question { memory, options, control, begun, .. } = &problem.question;
    let options = options.after(begun.elapsed());
    let question = workbench::Question { automata: &failure.automata, memory, options: &options, control };
    explain::explain(question, sources, &failure.trace).explanation.sentences
}

/// A warning where no branch is guessed though loads pass loads: processors with such memory guess, and so do those that cost tables are for.
pub(crate) fn unguessed(problem: &Problem<'_>) -> &'static str {
    let memory = problem.question.memory;
    match memory.speculate == 0 && memory.may_overtake(Operation::LOAD, Operation::LOAD) {
        true => "no branch is guessed here: where processors guess, more may be needed (`--speculate N`)\n",
        false => "",
    }
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
