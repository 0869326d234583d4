//! `lacuna check`: verdicts of a protocol under memory models, and why what is violated is.
//!
//! `summary` is the table of runs, `properties` that of what became of each property, `breaks` says where each variant breaks, `traces` shows counterexamples, `runs` and
//! `outputs` write files for programs, `html` one for a browser.

mod breaks;
mod html;
mod outputs;
mod properties;
mod runs;
mod summary;
mod traces;

use super::cross_check;
use super::second::{self, Asked};
use crate::args::CheckArgs;
use crate::exit::{Error, Exit, Outcome as Ended, print};
use crate::expected::refuse_unknown_memories;
use crate::progress::{Progress, STOP};
use crate::rows::Written;
use crate::session::{self, Protocol, Scope, System};
use crate::{terminal, watchdog};
use automata::Automata;
use base::Sources;
use explain::{Explained, Explanation, Question};
use explore::Control;
use memory::MemoryModel;
use program::Expected;
use std::cell::{Cell, OnceCell};
use std::time::{Duration, Instant};
use summary::not_as_expected;
use workbench::{Outcome, RunOptions, Trace, Verdict};

/// What one run was of, and what came of it.
struct Done<'a> {
    system: &'a System,
    sources: &'a Sources,
    memory: &'a MemoryModel,
    /// The memory model's name, or its file.
    named: &'a str,
    outcome: Outcome,
    /// How long that took.
    spent: Duration,
    expected: Option<Expected>,
    /// How violations are explained; none if they are not.
    explain_with: Option<&'a RunOptions>,
    explained: OnceCell<Option<Explained>>,
    /// Whether all runs have ended: violations are not explained before.
    may_explain: &'a Cell<bool>,
}

impl Done<'_> {
    /// The counterexample: the explained one, which delays nothing needlessly, or as it was found.
    fn trace(&self) -> Option<&Trace> {
        match (&self.outcome.verdict, self.explained()) {
            (_, Some(explained)) => Some(&explained.trace),
            (Verdict::Violated(trace), None) => Some(trace),
            _ => None,
        }
    }

    /// Why it is violated.
    fn explanation(&self) -> Option<&Explanation> {
        self.explained().map(|explained| &explained.explanation)
    }

    fn explained(&self) -> Option<&Explained> {
        if !self.may_explain.get() {
            return self.explained.get()?.as_ref();
        }
        let explain = || {
            let (Verdict::Violated(trace), Some(options)) = (&self.outcome.verdict, self.explain_with) else {
                return None;
            };
            let options = limited(&options.after(self.spent), self.outcome.statistics.states);
            let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
            let (automata, memory) = (&self.system.automata, self.memory);
            let question = Question { automata, memory, options: &options, control: &control };
            Some(explain::explain(question, self.sources, trace))
        };
        self.explained.get_or_init(explain).as_ref()
    }
}

/// The options of the searches that explain: unless said otherwise, each is not to see many more states than the one that found something.
fn limited(options: &RunOptions, states: u64) -> RunOptions {
    let mut options = options.clone();
    options.search.limits.max_states.get_or_insert(10 * states + 1_000_000);
    options
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Ended {
    outputs::refuse_two(args)?;
    let protocol = Protocol::load(&args.file)?;
    let scope = Scope::new(&args.scope.set, args.scope.queue_bound, &args.scope.switches)?;
    let memories = session::memories(&args.memory, &scope.switches)?;
    let scope = scope.suited(&memories);
    // Who chooses properties asks for these, and not for deadlock.
    let check_deadlock = !args.scope.no_deadlock && args.property.is_empty();
    let options = session::run_options(&scope, check_deadlock, &args.search)?;
    refuse_unknown_memories(&protocol, &memories)?;
    if args.second_opinion {
        session::refuse_histories(&memories, "the second opinion")?;
    }
    let names = session::memory_names(&args.memory);
    let mut systems = Vec::new();
    for variant in protocol.variants(args.variant.as_deref())? {
        for scenario in protocol.scenarios(args.scenario.as_deref())? {
            let mut system = protocol.system(&variant, &scenario, &scope.set)?;
            if !args.property.is_empty() {
                system.only(&args.property)?;
            }
            if args.live {
                system.must_terminate()?;
            }
            systems.push(system);
        }
    }
    for system in &systems {
        memories
            .iter()
            .try_for_each(|memory| session::refuse_without_run(&system.automata, memory, &options.machine))?;
        let sources = &protocol.loaded.sources;
        memories.iter().try_for_each(|memory| session::refuse_for_memory(sources, &system.automata, memory))?;
    }
    let mut table = summary::Table::new(&protocol, &options, &systems, &memories);
    let mut written = Written::now();
    let may_explain = &Cell::new(false);
    let mut done: Vec<Done<'_>> = Vec::new();
    for system in &systems {
        for (memory, named) in memories.iter().zip(&names) {
            let expected = session::expected(&protocol, &scope, system, memory)?;
            let label = format!("{} {} {}", system.variant, system.scenario, memory.name);
            let run = if args.every_property { workbench::run_every } else { workbench::run };
            let begun = Instant::now();
            let outcome = search(run, &system.automata, memory, &options, label, args.search.quiet);
            let spent = begun.elapsed();
            let explain_with = (!args.no_explain && memory.histories.is_none()).then_some(&options);
            let sources = &protocol.loaded.sources;
            let explained = OnceCell::new();
            done.push(Done {
                system,
                sources,
                memory,
                named,
                outcome,
                spent,
                expected,
                explain_with,
                explained,
                may_explain,
            });
            if written.is_long_ago() {
                outputs::write_so_far(args, &protocol, &scope.set, &options, &done)?;
            }
            if !outputs::use_standard_output(args) {
                table.print(&options, &done)?;
            }
            watchdog::told(exit(args, &done));
        }
    }
    may_explain.set(true);
    show(args, &protocol, &scope.set, &options, &done)?;
    if args.expect {
        done.iter().filter_map(not_as_expected).for_each(|line| terminal::complain(&line));
    }
    let exit = exit(args, &done);
    let exit = if args.cross_check { exit.and(cross_check(&options, &done)) } else { exit };
    Ok(if args.second_opinion { exit.and(second_opinion(args, &options, &done)) } else { exit })
}

/// Asks the second opinion about all runs and says, on standard error, what came of it.
fn second_opinion(args: &CheckArgs, options: &RunOptions, done: &[Done<'_>]) -> Exit {
    let ask = |run: &Done<'_>| {
        second::ask(&Asked {
            label: format!("{} {} {}", run.system.variant, run.system.scenario, run.memory.name),
            program: &run.system.program,
            automata: &run.system.automata,
            sources: run.sources,
            memory: run.memory,
            options,
            properties: &args.property,
            outcome: &run.outcome,
        })
    };
    done.iter().map(ask).fold(Exit::Holds, Exit::and)
}

/// Repeats all runs without reductions and says, on standard error, what came of it.
fn cross_check(options: &RunOptions, done: &[Done<'_>]) -> Exit {
    let repeat = |run: &Done<'_>| {
        let label = format!("{} {} {}", run.system.variant, run.system.scenario, run.memory.name);
        let found = cross_check::repeat(&run.system.automata, run.memory, options, &label, &run.outcome);
        terminal::complain(found.text.trim_end());
        found.exit
    };
    done.iter().map(repeat).fold(Exit::Holds, Exit::and)
}

/// How a system is searched.
type Search = fn(&Automata, &MemoryModel, &RunOptions, &Control<'_>) -> Outcome;

pub(super) fn search(
    run: Search,
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    label: String,
    quiet: bool,
) -> Outcome {
    let progress = Progress::new(label, options.search.limits, quiet);
    let control = Control { stop: &STOP, progress: &|now| progress.tell(now), ended: &|_| {} };
    let outcome = run(automata, memory, options, &control);
    progress.clear();
    outcome
}

/// Files first: a reader of standard output who goes away does not lose them.
fn show(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    outputs::write_files(args, protocol, set, options, done)?;
    if outputs::use_standard_output(args) {
        return Ok(());
    }
    print(&properties::table(done))?;
    print(&breaks::breaks_at(done))?;
    traces::show_traces(args, protocol, done)
}

fn exit(args: &CheckArgs, done: &[Done<'_>]) -> Exit {
    let of_run = |run: &Done<'_>| match run.outcome.verdict {
        _ if args.expect && not_as_expected(run).is_some() => Exit::Violated,
        Verdict::Holds if args.strict && !run.outcome.holds_strictly() => Exit::Inconclusive,
        _ if args.expect => Exit::Holds,
        Verdict::Holds => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    };
    done.iter().map(of_run).fold(Exit::Holds, Exit::and)
}
