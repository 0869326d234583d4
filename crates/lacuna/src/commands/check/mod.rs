//! `lacuna check`: verdicts of protocols under memory models, and why what is violated is.
//!
//! `request` is what was asked of one protocol. All runs of all protocols are made first; then the violations that will be shown
//! are explained (`explanations`); then everything is written and printed.
//! `formats` is the table of files for programs, with `runs`, `junit`, `sarif` and `html`; `summary` is the table of runs, `properties` that of what
//! became of each property, `saving` and `finished` are what checkpoints have of the command and of runs, `breaks` says where each variant breaks, `traces` shows counterexamples. `team` is
//! the first process of a cluster, `guest` another one, `ask` what the first asks of the others.

mod ask;
mod breaks;
mod explanations;
mod finished;
pub(crate) mod formats;
mod guest;
mod html;
mod junit;
mod people;
pub(crate) mod properties;
mod request;
mod runs;
mod sarif;
pub(crate) mod saving;
mod summary;
mod team;
mod traces;

use super::certificate::write::{Holding, Of};
use super::second::{self, Compared};
use super::{certificate, cross_check};
use crate::args::{CheckArgs, OutputArgs};
use crate::exit::{Ended, Error, Exit, print};
use crate::progress::{STOP, SearchLine};
use crate::rows;
use crate::session::{self, System};
use crate::{terminal, watchdog};
use explain::{Explained, Explanation};
use explore::Control;
use memory::MemoryModel;
use program::Expected;
use request::Request;
use saving::{Place, Saving};
use std::time::{Duration, Instant};
use summary::not_as_expected;
use team::{Role, Team, TeamOf};
use workbench::{Answer, Question, RunOptions, Trace, Verdict};

/// One run: a system under a memory model, and its result.
struct Run<'a> {
    request: &'a Request<'a>,
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
        self.request.label(self.system, self.memory)
    }
}

/// Who searches, and where states are kept.
struct Help<'a> {
    saving: &'a Saving,
    team: Option<&'a Team>,
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Ended {
    run_saving(args, Saving::begin)
}

/// Runs the command; where it keeps its states, `saving` says.
pub(crate) fn run_saving(
    args: &CheckArgs,
    saving: impl FnOnce(&CheckArgs, &[Request<'_>]) -> Result<Saving, Error>,
) -> Ended {
    formats::refuse_two(&args.output)?;
    let role = Role::of(args)?;
    let (requests, wrong) = request::all(args)?;
    if requests.is_empty() {
        return Ok(wrong);
    }
    let team = match role {
        Role::Alone => None,
        Role::First(asked) => Some(asked),
        Role::Guest(asked) => return guest::help(&asked, &requests),
    };
    team.iter().try_for_each(|_| team::refuse_temporal(&requests))?;
    let saving = saving(args, &requests)?;
    let team = team.map(|asked| Team::gather(asked, &requests)).transpose()?;
    let mut runs = Vec::new();
    watchdog::note(wrong);
    let help = Help { saving: &saving, team: team.as_ref() };
    requests.iter().try_for_each(|request| request.search(&help, &requests, &mut runs, wrong))?;
    team.iter().for_each(Team::end);
    explanations::explain(&args.output, &mut runs);
    show(&args.output, &requests, &runs)?;
    if args.output.expect {
        runs.iter().filter_map(not_as_expected).for_each(|line| terminal::complain(&line));
    }
    let mut exit = exit(args, &runs).and(wrong);
    if args.cross_check {
        exit = runs.iter().map(repeat).fold(exit, Exit::and);
    }
    if let Some(path) = &args.certificate {
        exit = exit.and(certificate(path, args, &runs)?);
    }
    if args.second_opinion {
        exit = runs.iter().map(second_opinion).fold(exit, Exit::and);
    }
    Ok(exit)
}

impl<'a> Request<'a> {
    /// Makes all runs of the protocol; each is printed, and files are written, as soon as it has ended.
    fn search(
        &'a self,
        help: &Help<'_>,
        all: &[Request<'_>],
        runs: &mut Vec<Run<'a>>,
        wrong: Exit,
    ) -> Result<(), Error> {
        let mut table = summary::Table::new(self);
        for system in &self.systems {
            for (memory, named) in self.memories.iter().zip(&self.names) {
                let expected = session::expected(&self.protocol, &self.scope, system, memory)?;
                let begun = Instant::now();
                let place = (help.saving.place(runs.len()), help.team.map(|team| team.of(runs.len())));
                let answer = self.answer_and_write((system, memory), &place, (all, runs))?;
                let spent = begun.elapsed();
                runs.push(Run { request: self, system, memory, named, answer, spent, expected, explained: None });
                if !formats::use_standard_output(&self.args.output) {
                    table.print(&self.options, runs)?;
                }
                watchdog::note(exit(self.args, runs).and(wrong));
            }
        }
        Ok(())
    }

    /// The answer of a run. If that takes its time, the files get the runs before it meanwhile.
    fn answer_and_write(
        &self,
        (system, memory): (&System, &MemoryModel),
        place: &(Place, Option<TeamOf>),
        (all, before): (&[Request<'_>], &[Run<'_>]),
    ) -> Result<Answer, Error> {
        let is_asked = !before.is_empty() && !formats::paths(&self.args.output).is_empty();
        let write = || formats::write_so_far(&self.args.output, all, before);
        rows::meanwhile(is_asked.then_some(write), || self.answer(system, memory, place))?
    }

    /// The answer of a run: the one that is there, or that of a search.
    fn answer(
        &self,
        system: &System,
        memory: &MemoryModel,
        (place, team): &(Place, Option<TeamOf>),
    ) -> Result<Answer, Error> {
        let question = Question::new(&system.automata, memory, &self.options);
        if let Some(answer) = place.finished(&question)? {
            return Ok(answer);
        }
        let keeping = match team {
            None => place.keeping()?,
            Some(team) => team.keeping(place.keeping()?),
        };
        let answer = watched(self.label(system, memory), self.args.search.quiet, &self.options, |control| {
            let question = Question { control, ..question };
            match self.args.every_property {
                true => question.answer_every_keeping(&keeping),
                false => question.answer_keeping(&keeping),
            }
        });
        let answer = answer.map_err(saving::refused)?;
        place.finish(&answer)?;
        Ok(answer)
    }
}

/// Files first: a reader of standard output who goes away does not lose them.
fn show(args: &OutputArgs, requests: &[Request<'_>], runs: &[Run<'_>]) -> Result<(), Error> {
    formats::write_files(args, requests, runs)?;
    if formats::use_standard_output(args) {
        return Ok(());
    }
    print(&properties::table(runs))?;
    print(&breaks::breaks_at(args, runs))?;
    print(&people::in_words(runs))?;
    traces::show_traces(args, runs)
}

/// Asks the second opinion about a run and reports the result on standard error.
fn second_opinion(run: &Run<'_>) -> Exit {
    second::ask(&Compared {
        label: run.label(),
        system: run.system,
        sources: run.request.sources(),
        memory: run.memory,
        options: &run.request.options,
        properties: &run.request.args.property,
        answer: &run.answer,
    })
}

/// Writes the certificate of all runs that hold.
fn certificate(path: &str, args: &CheckArgs, runs: &[Run<'_>]) -> Ended {
    let holding = runs.iter().filter(|run| run.answer.verdict == Verdict::Holds).map(|run| Holding {
        label: run.label(),
        of: Of {
            protocol: &run.request.protocol,
            system: run.system,
            memory: run.memory,
            named: run.named,
            scope: &run.request.scope,
            deadlock: run.request.options.machine.check_deadlock,
            properties: &args.property,
        },
        max_states: args.search.max_states,
    });
    certificate::write::write(path, &holding.collect::<Vec<_>>())
}

/// Repeats a run without reductions and reports the result on standard error.
fn repeat(run: &Run<'_>) -> Exit {
    let question = Question::new(&run.system.automata, run.memory, &run.request.options);
    let found = cross_check::repeat(question, &run.label(), &run.answer);
    terminal::complain(found.text.trim_end());
    found.exit
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
        _ if args.output.expect && not_as_expected(run).is_some() => Exit::Violated,
        Verdict::Holds if args.output.strict && !run.answer.holds_strictly() => Exit::Inconclusive,
        _ if args.output.expect => Exit::Holds,
        Verdict::Holds => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    };
    runs.iter().map(of_run).fold(Exit::Holds, Exit::and)
}
