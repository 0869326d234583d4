//! `lacuna check`: verdicts of a protocol under memory models, and why what is violated is.
//!
//! All runs are made first; then the violations that will be shown are explained (`explanations`); then everything is written and printed.
//! `formats` is the table of files for programs, with `runs`, `junit`, `sarif` and `html`; `summary` is the table of runs, `properties` that of what
//! became of each property, `breaks` says where each variant breaks, `traces` shows counterexamples.

mod breaks;
mod explanations;
pub(crate) mod formats;
mod html;
mod junit;
mod people;
mod properties;
mod runs;
mod sarif;
mod summary;
mod traces;

use super::cross_check;
use super::second::{self, Compared};
use crate::args::CheckArgs;
use crate::exit::{Ended, Error, Exit, print};
use crate::expected::refuse_unknown_memories;
use crate::progress::{STOP, SearchLine};
use crate::rows;
use crate::session::{self, Protocol, Scope, System};
use crate::{terminal, watchdog};
use base::Sources;
use explain::{Explained, Explanation};
use explore::Control;
use memory::MemoryModel;
use program::Expected;
use std::time::{Duration, Instant};
use summary::not_as_expected;
use workbench::{Answer, Question, RunOptions, Trace, Verdict};

/// What was typed, read and understood.
struct Request<'a> {
    args: &'a CheckArgs,
    protocol: Protocol,
    scope: Scope,
    options: RunOptions,
    memories: Vec<MemoryModel>,
    /// How each memory model is named: by its name or its file.
    names: Vec<String>,
    systems: Vec<System>,
}

/// One run: a system under a memory model, and what came of it.
struct Run<'a> {
    system: &'a System,
    memory: &'a MemoryModel,
    /// The memory model's name, or its file.
    named: &'a str,
    answer: Answer,
    /// How long that took.
    spent: Duration,
    expected: Option<Expected>,
    /// Why it is violated, once that is known.
    explained: Option<Explained>,
}

impl Run<'_> {
    /// The counterexample: the explained one, which delays nothing needlessly, or as it was found.
    fn trace(&self) -> Option<&Trace> {
        match (&self.answer.verdict, &self.explained) {
            (_, Some(explained)) => Some(&explained.trace),
            (Verdict::Violated(trace), None) => Some(trace),
            _ => None,
        }
    }

    /// Why it is violated.
    fn explanation(&self) -> Option<&Explanation> {
        self.explained.as_ref().map(|explained| &explained.explanation)
    }

    fn is_violated(&self) -> bool {
        matches!(self.answer.verdict, Verdict::Violated(_))
    }

    /// `original general tso`
    fn label(&self) -> String {
        label(self.system, self.memory)
    }
}

fn label(system: &System, memory: &MemoryModel) -> String {
    format!("{} {} {}", system.variant, system.scenario, memory.name)
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Ended {
    formats::refuse_two(args)?;
    let request = Request::new(args)?;
    let mut runs = request.search()?;
    explanations::explain(&request, &mut runs);
    request.show(&runs)?;
    if args.expect {
        runs.iter().filter_map(not_as_expected).for_each(|line| terminal::complain(&line));
    }
    let exit = exit(args, &runs);
    let exit = if args.cross_check { exit.and(request.cross_check(&runs)) } else { exit };
    Ok(if args.second_opinion { exit.and(request.second_opinion(&runs)) } else { exit })
}

impl<'a> Request<'a> {
    fn new(args: &'a CheckArgs) -> Result<Self, Error> {
        let protocol = session::open(&args.file)?;
        let scope = args.scope.scope()?;
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
        let mut request = Request { args, protocol, scope, options, memories, names, systems: Vec::new() };
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

    /// Who asks about `real` memory is told of a language that has no meaning for the text, and gets the others.
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
        for system in &self.systems {
            let refuse = |memory| session::refuse_without_run(&system.automata, memory, &self.options.machine);
            self.memories.iter().try_for_each(refuse)?;
            let has_meaning = |memory| session::refuse_for_memory(self.sources(), &system.automata, memory);
            self.memories.iter().try_for_each(has_meaning)?;
        }
        Ok(())
    }

    fn sources(&self) -> &Sources {
        &self.protocol.loaded.sources
    }

    /// Makes all runs; each is printed, and files are written, as soon as it has ended.
    fn search(&self) -> Result<Vec<Run<'_>>, Error> {
        let mut table = summary::Table::new(self);
        let mut runs: Vec<Run<'_>> = Vec::new();
        for system in &self.systems {
            for (memory, named) in self.memories.iter().zip(&self.names) {
                let expected = session::expected(&self.protocol, &self.scope, system, memory)?;
                let begun = Instant::now();
                let answer = self.answer_and_write(system, memory, &runs)?;
                let spent = begun.elapsed();
                runs.push(Run { system, memory, named, answer, spent, expected, explained: None });
                if !formats::use_standard_output(self.args) {
                    table.print(&self.options, &runs)?;
                }
                watchdog::note(exit(self.args, &runs));
            }
        }
        Ok(runs)
    }

    /// The answer of a run. If that takes its time, the files get the runs before it meanwhile.
    fn answer_and_write(&self, system: &System, memory: &MemoryModel, before: &[Run<'_>]) -> Result<Answer, Error> {
        let is_asked = !before.is_empty() && !formats::paths(self.args).is_empty();
        let write = || formats::write_so_far(self, before);
        rows::meanwhile(is_asked.then_some(write), || self.answer(system, memory))
    }

    fn answer(&self, system: &System, memory: &MemoryModel) -> Answer {
        watched(label(system, memory), self.args.search.quiet, &self.options, |control| {
            let question = Question { automata: &system.automata, memory, options: &self.options, control };
            if self.args.every_property { question.answer_every() } else { question.answer() }
        })
    }

    /// Files first: a reader of standard output who goes away does not lose them.
    fn show(&self, runs: &[Run<'_>]) -> Result<(), Error> {
        formats::write_files(self, runs)?;
        if formats::use_standard_output(self.args) {
            return Ok(());
        }
        print(&properties::table(runs))?;
        print(&breaks::breaks_at(self.args, runs))?;
        print(&people::in_words(runs))?;
        traces::show_traces(self, runs)
    }

    /// Asks the second opinion about all runs and says, on standard error, what came of it.
    fn second_opinion(&self, runs: &[Run<'_>]) -> Exit {
        let ask = |run: &Run<'_>| {
            second::ask(&Compared {
                label: run.label(),
                system: run.system,
                sources: self.sources(),
                memory: run.memory,
                options: &self.options,
                properties: &self.args.property,
                answer: &run.answer,
            })
        };
        runs.iter().map(ask).fold(Exit::Holds, Exit::and)
    }

    /// Repeats all runs without reductions and says, on standard error, what came of it.
    fn cross_check(&self, runs: &[Run<'_>]) -> Exit {
        let repeat = |run: &Run<'_>| {
            let question = Question::new(&run.system.automata, run.memory, &self.options);
            let found = cross_check::repeat(question, &run.label(), &run.answer);
            terminal::complain(found.text.trim_end());
            found.exit
        };
        runs.iter().map(repeat).fold(Exit::Holds, Exit::and)
    }
}

/// What `search` answers while a line on standard error shows how far it is.
pub(super) fn watched<T>(
    label: String,
    quiet: bool,
    options: &RunOptions,
    search: impl FnOnce(&Control<'_>) -> T,
) -> T {
    let line = SearchLine::new(label, options.search.limits, quiet);
    let found = search(&Control { stop: &STOP, progress: &|now| line.show(now), ended: &|_| {} });
    line.clear();
    found
}

fn exit(args: &CheckArgs, runs: &[Run<'_>]) -> Exit {
    let of_run = |run: &Run<'_>| match run.answer.verdict {
        _ if args.expect && not_as_expected(run).is_some() => Exit::Violated,
        Verdict::Holds if args.strict && !run.answer.holds_strictly() => Exit::Inconclusive,
        _ if args.expect => Exit::Holds,
        Verdict::Holds => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    };
    runs.iter().map(of_run).fold(Exit::Holds, Exit::and)
}
