//! `lacuna mutants`: many small changes to a protocol, one at a time, and which of them its properties see.
//!
//! `asked` is what was typed; `told` is what came of it, as JSON has it; `show` prints and writes it as it becomes known, in the forms of `words` and `page`.

mod asked;
mod page;
mod show;
mod told;
mod words;

use crate::args::MutantsArgs;
use crate::exit::{Error, Exit, Outcome as Ended};
use crate::progress::{Counter, STOP};
use crate::rows::{Rows, Written};
use crate::{limits, parallel};
use asked::Asked;
use explore::Control;
use mutate::{Fate, Mutant, Original, Question, Start, derive, judge, of_text, reached};
use patch::Patched;
use show::Show;
use told::Told;

/// Runs the command.
pub(crate) fn run(args: &MutantsArgs) -> Ended {
    let asked = Asked::new(args)?;
    let mut show = Show { args, asked: &asked, told: Vec::new(), rows: Rows::new([]), written: Written::now() };
    for variant in &asked.variants {
        of_variant(&mut show, variant)?;
    }
    show.finish()?;
    Ok(show.told.iter().map(|told| exit(args, told)).fold(Exit::Holds, Exit::and))
}

/// All mutants of one variant.
fn of_variant(show: &mut Show<'_>, variant: &str) -> Result<(), Error> {
    let (args, asked) = (show.args, show.asked);
    let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
    let question = Question {
        loaded: &asked.protocol.loaded,
        variant,
        scenarios: &asked.scenarios,
        scopes: &asked.scopes,
        memories: &asked.memories,
        control: &control,
    };
    let mut told = Told::new(asked, variant);
    match question.start() {
        Start::Fails(base) => {
            told.fails(asked, &base);
            show.begin(told, &[])
        }
        Start::Ended(original) => {
            told.original(asked, &original);
            let mutants = wanted(args, derive(&asked.protocol.loaded, asked.constants(variant)));
            show.begin(told, &mutants)?;
            judge_all(show, &question, &original, &mutants)?;
            if args.variants {
                judge_variants(show, &question, &original)?;
            }
            show.end()
        }
    }
}

fn wanted(args: &MutantsArgs, mutants: Vec<Mutant>) -> Vec<Mutant> {
    let is_wanted = |mutant: &Mutant| args.only.is_empty() || args.only.iter().any(|word| mutant.kind.is_called(word));
    mutants.into_iter().filter(is_wanted).collect()
}

fn judge_all(
    show: &mut Show<'_>,
    question: &Question<'_>,
    original: &Original,
    mutants: &[Mutant],
) -> Result<(), Error> {
    let (args, asked) = (show.args, show.asked);
    let budget = limits::command();
    let reached = reached(question, original, mutants);
    let counter = Counter::new(format!("mutants of {}", question.variant), mutants.len(), args.search.quiet);
    let work = |mutant: &Mutant| match budget.look() {
        // What is left is not even read.
        Some(limit) => (Patched::new(question.loaded, &mutant.edits), Fate::Open(original.runs[0].instance, limit)),
        None => judge(question, original, &reached, mutant, asked.each),
    };
    let mut shown = Ok(());
    parallel::in_order(mutants, work, |mutant, (patched, fate)| {
        counter.clear();
        let told = |told: &mut Told| told.mutant(asked, mutant, &patched, &fate);
        shown = std::mem::replace(&mut shown, Ok(())).and_then(|()| show.add(told));
        counter.tell();
    });
    counter.clear();
    shown
}

fn judge_variants(show: &mut Show<'_>, question: &Question<'_>, original: &Original) -> Result<(), Error> {
    let asked = show.asked;
    let others: Vec<&String> = asked.all_variants.iter().filter(|name| *name != question.variant).collect();
    let work = |name: &&String| of_text(question, original, &asked.protocol.loaded, name, asked.each);
    let mut shown = Ok(());
    parallel::in_order(&others, work, |name, fate| {
        let told = |told: &mut Told| told.variant(asked, name, &fate);
        shown = std::mem::replace(&mut shown, Ok(())).and_then(|()| show.add(told));
    });
    shown
}

fn exit(args: &MutantsArgs, told: &Told) -> Exit {
    match told.verdict.as_str() {
        "violated" => Exit::Violated,
        "holds" if args.fail_on_survivor && told.counts.survived > 0 => Exit::Violated,
        "holds" if told.counts.open == 0 => Exit::Holds,
        _ => Exit::Inconclusive,
    }
}
