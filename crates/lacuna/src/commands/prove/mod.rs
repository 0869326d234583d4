//! `lacuna prove`: whether every stated invariant is inductive at a bounded scope, obligation by obligation.

mod counterexample;
mod html;
mod json;
mod scopes;
mod text;

use crate::args::ProveArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::limits;
use crate::parallel;
use crate::progress::{STOP, listen};
use crate::session::{self, Protocol, Scope, Switches, System};
use crate::terminal;
use json::ProofReport;
use prove::{Confirmation, Control, Limits, Memory, NoBeginning, Problem, Proof, Refused, prove};
use std::io::IsTerminal;

/// More cannot be drawn, and no bound so large has been asked for.
const MAX_BUFFER: usize = 8;

/// Runs the command.
pub(crate) fn run(args: &ProveArgs) -> Ended {
    let protocol = session::open(&args.file)?;
    let scope = Scope::new(&args.set, None, Switches::default())?;
    let memories = memories(args)?;
    let mut systems = Vec::new();
    for variant in protocol.variants(args.choice.variant.as_deref())? {
        for scenario in protocol.scenarios(args.choice.scenario.as_deref())? {
            systems.push(session::system(&protocol, &variant, &scenario, &scope.set)?);
        }
    }
    let limits = Limits { each: limits::timeout(args.each)?, timeout: limits::timeout(args.limits.timeout)? };
    listen();
    let mut reports = Vec::new();
    for system in &systems {
        for (name, memory) in &memories {
            let limits = Limits { timeout: limits::time_left(limits.timeout), ..limits };
            reports.push(one(args, &protocol, system, (name, *memory), limits)?);
            show_last(args, &reports)?;
        }
    }
    write_files(args, &reports, |path| path == "-")?;
    Ok(reports.iter().map(ProofReport::exit).fold(Exit::Holds, Exit::and))
}

/// Prints the last matrix, and writes the files with all so far.
fn show_last(args: &ProveArgs, reports: &[ProofReport]) -> Result<(), Error> {
    if let Some(last) = reports.last()
        && args.json.as_deref() != Some("-")
        && args.html.as_deref() != Some("-")
    {
        let between = if reports.len() > 1 { "\n" } else { "" };
        print(&format!("{between}{}", text::text(last, args.counterexamples)))?;
    }
    write_files(args, reports, |path| path != "-")
}

fn write_files(args: &ProveArgs, reports: &[ProofReport], is_wanted: fn(&str) -> bool) -> Result<(), Error> {
    if let Some(path) = args.json.as_deref().filter(|path| is_wanted(path)) {
        write(path, &format!("{}\n", serde_json::to_string_pretty(reports).expect("plain data")))?;
    }
    match args.html.as_deref().filter(|path| is_wanted(path)) {
        Some(path) => write(path, &html::page(reports)),
        None => Ok(()),
    }
}

/// The memory models asked for, each with its name.
fn memories(args: &ProveArgs) -> Result<Vec<(String, Memory)>, Error> {
    if !(1..=MAX_BUFFER).contains(&args.buffer) {
        let message = format!("a store buffer cannot hold {} stores", args.buffer);
        return Err(Error::input(message).hint(format!("it takes a number from 1 to {MAX_BUFFER}")));
    }
    let models = session::memories(&args.memory, &Switches::default())?;
    let of = |model: &memory::MemoryModel| match Memory::of(model, args.buffer) {
        Some(memory) => Ok((model.name.clone(), memory)),
        None => {
            let what = match model.locks {
                memory::Locks::Elided => "elides locks",
                memory::Locks::Taken => "lets more than loads pass stores",
            };
            let message = format!("`{}` {what}: there is no encoding of it", model.name);
            Err(Error::input(message).hint("proofs are for `sc` and `tso`; `lacuna check` takes every memory model"))
        }
    };
    models.iter().map(of).collect()
}

fn one(
    args: &ProveArgs,
    protocol: &Protocol,
    system: &System,
    (name, memory): (&str, Memory),
    limits: Limits,
) -> Result<ProofReport, Error> {
    let refused = |refused: Refused| {
        let place = protocol.loaded.sources.place(refused.span);
        let place = place.map_or(String::new(), |(source, place)| format!("{}:{}: ", source.name, place.line));
        Error::input(format!("{place}there is no encoding of {}", refused.what)).hint("`lacuna check` takes them")
    };
    let problem = if args.modular { Problem::modular } else { Problem::new };
    let mut problem = problem(&system.automata, memory, args.level, &args.only).map_err(refused)?;
    if let Some(unknown) = args.only.iter().find(|name| !problem.rows.iter().any(|row| row.name == **name)) {
        let known: Vec<&str> = problem.rows.iter().map(|row| row.name.as_str()).collect();
        let error = Error::input(format!("there is no row `{unknown}` to choose"));
        return Err(error.hint(base::suggest::choice(unknown, &known)));
    }
    if let Some(cover) = &args.from {
        problem.begin_from(cover).map_err(|why| begins_nowhere(cover, why))?;
    }
    let is_shown = !args.quiet && std::io::stderr().is_terminal();
    let progress = |done: usize, all: usize| {
        if is_shown {
            terminal::rewrite_line(&format!("{} {name}: {done} of {all} steps", system.variant));
        }
    };
    let workers = args.workers.unwrap_or_else(parallel::n_cores).clamp(1, 64);
    let proof = prove(&problem, workers, limits, &Control { stop: &STOP, progress: &progress }).map_err(refused)?;
    if is_shown {
        terminal::rewrite_line("");
    }
    assert!(is_confirmed(&proof), "the interpreter does not confirm a counterexample to induction");
    let mut report = json::to_report(protocol, system, name, &problem, &proof);
    report.from.clone_from(&args.from);
    if args.unbounded {
        let found = prove::generality(&problem, &proof, &system.program, &protocol.loaded.sources);
        scopes::add(&mut report, &problem, &proof, &found, &system.program);
    }
    Ok(report)
}

fn begins_nowhere(cover: &str, why: NoBeginning) -> Error {
    match why {
        NoBeginning::Unknown(known) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            Error::input(format!("there is no cover `{cover}` to begin from"))
                .hint(base::suggest::choice(cover, &known))
        }
        NoBeginning::Nowhere => Error::input(format!("no state at this scope satisfies the cover `{cover}`"))
            .hint("a proof that begins nowhere says nothing"),
    }
}

fn is_confirmed(proof: &Proof) -> bool {
    proof.false_beginnings.iter().all(|found| found.is_confirmed)
        && proof.obligations().all(|(_, obligation)| match &obligation.outcome {
            prove::ObligationResult::Counterexample(found) => found.confirmation == Confirmation::Confirmed,
            _ => true,
        })
}
