//! `lacuna mutants`: many small changes to a protocol, one at a time, and which of them its properties see.
//!
//! `request` is what was typed; `json` is the result as JSON; `show` prints and writes it as it becomes known, in the
//! forms of `words` and `page`.

mod json;
mod page;
mod request;
mod show;
mod words;

use crate::args::MutantsArgs;
use crate::exit::{Ended, Error, Exit};
use crate::progress::{Counter, STOP};
use crate::rows::{Rows, Written};
use crate::{limits, parallel};
use explore::Control;
use json::MutantsReport;
use mutate::{Fate, Judge, Mutant, Question, Start, derive, reached};
use patch::Patched;
use request::Request;
use show::Show;

/// Runs the command.
pub(crate) fn run(args: &MutantsArgs) -> Ended {
    let request = Request::new(args)?;
    let mut show = Show { args, request: &request, reports: Vec::new(), rows: Rows::new([]), written: Written::now() };
    for variant in &request.variants {
        of_variant(&mut show, variant)?;
    }
    show.finish()?;
    Ok(show.reports.iter().map(|report| exit(args, report)).fold(Exit::Holds, Exit::and))
}

/// All mutants of one variant.
fn of_variant(show: &mut Show<'_>, variant: &str) -> Result<(), Error> {
    let (args, request) = (show.args, show.request);
    let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
    let question = Question {
        loaded: &request.protocol.loaded,
        variant,
        scenarios: &request.scenarios,
        scopes: &request.scopes,
        memories: &request.memories,
        control: &control,
    };
    let mut report = MutantsReport::new(request, variant);
    match question.start() {
        Start::Fails(base) => {
            report.fails(request, &base);
            show.begin(report, &[])
        }
        Start::Ended(original) => {
            report.original(request, &original);
            let mutants = wanted(args, derive(&request.protocol.loaded, request.constants(variant)));
            show.begin(report, &mutants)?;
            let judge = Judge { question: &question, original: &original, timeout: request.each };
            judge_all(show, &judge, &mutants)?;
            if args.variants {
                judge_variants(show, &judge)?;
            }
            show.end()
        }
    }
}

fn wanted(args: &MutantsArgs, mutants: Vec<Mutant>) -> Vec<Mutant> {
    let is_wanted = |mutant: &Mutant| args.only.is_empty() || args.only.iter().any(|word| mutant.kind.is_called(word));
    mutants.into_iter().filter(is_wanted).collect()
}

fn judge_all(show: &mut Show<'_>, judge: &Judge<'_>, mutants: &[Mutant]) -> Result<(), Error> {
    let (args, request) = (show.args, show.request);
    let Judge { question, original, .. } = judge;
    let budget = limits::command();
    let reached = reached(question, original, mutants);
    let counter = Counter::new(format!("mutants of {}", question.variant), mutants.len(), args.search.quiet);
    let work = |mutant: &Mutant| match budget.look() {
        // What is left is not even read.
        Some(limit) => (Patched::new(question.loaded, &mutant.edits), Fate::Open(original.runs[0].instance, limit)),
        None => judge.mutant(mutant, &reached),
    };
    let mut shown = Ok(());
    parallel::in_order(mutants, work, |decided| {
        let so_far = std::mem::replace(&mut shown, Ok(()));
        let Some((mutant, (patched, fate))) = decided else { return shown = so_far.and_then(|()| show.pause()) };
        counter.clear();
        shown = so_far.and_then(|()| show.add(|report| report.mutant(request, mutant, &patched, &fate)));
        counter.count();
    });
    counter.clear();
    shown
}

fn judge_variants(show: &mut Show<'_>, judge: &Judge<'_>) -> Result<(), Error> {
    let request = show.request;
    let others: Vec<&String> = request.all_variants.iter().filter(|name| *name != judge.question.variant).collect();
    let work = |name: &&String| judge.text(&request.protocol.loaded, name);
    let mut shown = Ok(());
    parallel::in_order(&others, work, |decided| {
        let so_far = std::mem::replace(&mut shown, Ok(()));
        shown = so_far.and_then(|()| match decided {
            Some((name, fate)) => show.add(|report| report.variant(request, name, &fate)),
            None => show.pause(),
        });
    });
    shown
}

fn exit(args: &MutantsArgs, report: &MutantsReport) -> Exit {
    match report.verdict.as_str() {
        "violated" => Exit::Violated,
        "holds" if args.fail_on_survivor && report.counts.survived > 0 => Exit::Violated,
        "holds" if report.counts.open == 0 => Exit::Holds,
        _ => Exit::Inconclusive,
    }
}
