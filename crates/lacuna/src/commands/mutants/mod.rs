//! `lacuna mutants`: many small changes to a protocol, one at a time, and which of them its properties see.
//!
//! `asked` is what was typed; `told` is what came of it, as JSON has it; `words` and `page` show that.

mod asked;
mod page;
mod told;
mod words;

use crate::args::MutantsArgs;
use crate::exit::{Error, Exit, Outcome as Ended, print, write};
use crate::parallel;
use crate::progress::{Counter, STOP};
use asked::Asked;
use explore::Control;
use mutate::{Mutant, Original, Question, Start, derive, judge, of_text, reached};
use told::Told;

/// Runs the command.
pub(crate) fn run(args: &MutantsArgs) -> Ended {
    let asked = Asked::new(args)?;
    let told: Vec<Told> = asked.variants.iter().map(|variant| of_variant(args, &asked, variant)).collect();
    show(args, &told)?;
    Ok(told.iter().map(|told| exit(args, told)).fold(Exit::Holds, Exit::and))
}

/// All mutants of one variant.
fn of_variant(args: &MutantsArgs, asked: &Asked, variant: &str) -> Told {
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
        Start::Fails(base) => told.fails(asked, &base),
        Start::Ended(original) => {
            told.original(asked, &original);
            let mutants = wanted(args, derive(&asked.protocol.loaded, asked.constants(variant)));
            judge_all(args, asked, &question, &original, &mutants, &mut told);
            if args.variants {
                judge_variants(asked, &question, &original, &mut told);
            }
        }
    }
    told
}

fn wanted(args: &MutantsArgs, mutants: Vec<Mutant>) -> Vec<Mutant> {
    let is_wanted = |mutant: &Mutant| args.only.is_empty() || args.only.iter().any(|word| mutant.kind.is_called(word));
    mutants.into_iter().filter(is_wanted).collect()
}

fn judge_all(
    args: &MutantsArgs,
    asked: &Asked,
    question: &Question<'_>,
    original: &Original,
    mutants: &[Mutant],
    told: &mut Told,
) {
    let reached = reached(question, original, mutants);
    let counter = Counter::new(format!("mutants of {}", question.variant), mutants.len(), args.search.quiet);
    let judged = parallel::map(mutants, |mutant| {
        let judged = judge(question, original, &reached, mutant, asked.timeout);
        counter.tell();
        judged
    });
    counter.clear();
    for (mutant, (patched, fate)) in mutants.iter().zip(judged) {
        told.mutant(asked, mutant, &patched, &fate);
    }
}

fn judge_variants(asked: &Asked, question: &Question<'_>, original: &Original, told: &mut Told) {
    let others: Vec<&String> = asked.all_variants.iter().filter(|name| *name != question.variant).collect();
    let fates = parallel::map(&others, |name| of_text(question, original, &asked.protocol.loaded, name, asked.timeout));
    for (name, fate) in others.iter().zip(fates) {
        told.variant(asked, name, &fate);
    }
}

fn show(args: &MutantsArgs, told: &[Told]) -> Result<(), Error> {
    let is_quiet = [&args.json, &args.html].into_iter().any(|path| path.as_deref() == Some("-"));
    if !is_quiet {
        print(&told.iter().map(|told| words::text(args, told)).collect::<Vec<_>>().join("\n"))?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(told).expect("plain data")))?;
    }
    match &args.html {
        Some(path) => write(path, &page::page(told)),
        None => Ok(()),
    }
}

fn exit(args: &MutantsArgs, told: &Told) -> Exit {
    match told.verdict.as_str() {
        "violated" => Exit::Violated,
        "holds" if args.fail_on_survivor && told.counts.survived > 0 => Exit::Violated,
        "holds" if told.counts.open == 0 => Exit::Holds,
        _ => Exit::Inconclusive,
    }
}
