//! Files for programs: each option names a file, or standard output with `-`.

use super::{Done, runs};
use crate::args::CheckArgs;
use crate::exit::{Error, write};
use crate::session::{Protocol, System};
use report::junit::{Case, Suite, Verdict as CaseVerdict};
use report::sarif::Finding;
use workbench::{RunOptions, Verdict};

/// The files asked for, each with its option.
fn paths(args: &CheckArgs) -> [(&'static str, Option<&str>); 7] {
    [
        ("--json", args.json.as_deref()),
        ("--save-trace", args.save_trace.as_deref()),
        ("--itf", args.itf.as_deref()),
        ("--junit", args.junit.as_deref()),
        ("--sarif", args.sarif.as_deref()),
        ("--dot", args.dot.as_deref()),
        ("--html", args.html.as_deref()),
    ]
}

/// Whether standard output is taken by a file.
pub(super) fn use_standard_output(args: &CheckArgs) -> bool {
    paths(args).iter().any(|(_, path)| *path == Some("-"))
}

/// Refuses two files on standard output.
pub(super) fn refuse_two(args: &CheckArgs) -> Result<(), Error> {
    let taken: Vec<&str> =
        paths(args).iter().filter(|(_, path)| *path == Some("-")).map(|(option, _)| *option).collect();
    if taken.len() > 1 {
        let message = format!("{} cannot both write to standard output", taken.join(" and "));
        return Err(Error::input(message).hint("name a file for all but one"));
    }
    Ok(())
}

/// Writes the files asked for, as far as there is something to say, while further runs are to come.
pub(super) fn write_so_far(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    for (option, path) in paths(args) {
        let Some(path) = path.filter(|path| *path != "-") else { continue };
        if let Some(text) = text(option, protocol, set, options, done) {
            write(path, &text)?;
        }
    }
    Ok(())
}

/// Writes all files asked for.
pub(super) fn write_files(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    for (option, path) in paths(args) {
        let Some(path) = path else { continue };
        match text(option, protocol, set, options, done) {
            Some(text) => write(path, &text)?,
            None => crate::terminal::complain(&format!("no counterexample, so `{path}` is not written")),
        }
    }
    Ok(())
}

/// What the file of an option says of runs; none if it would be of a counterexample and there is none.
fn text(
    option: &str,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Option<String> {
    match option {
        "--json" => {
            let runs: Vec<_> = done.iter().map(|run| runs::explained(protocol, set, options, run)).collect();
            Some(to_json(&runs))
        }
        "--save-trace" => done.iter().find_map(|run| runs::stored(protocol, set, options, run)).map(|t| to_json(&t)),
        "--itf" => done.iter().find_map(itf).map(|itf| to_json(&itf)),
        "--dot" => done.iter().find_map(Done::explanation).map(explain::dot),
        "--html" => Some(super::html::html(protocol, options, done)),
        "--junit" => Some(report::junit::write(&suite(protocol, done))),
        _ => Some(to_json(&report::sarif::log(&done.iter().filter_map(finding).collect::<Vec<_>>()))),
    }
}

fn to_json(value: &impl serde::Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).expect("plain data"))
}

/// What is violated, and why.
fn message(run: &Done<'_>) -> String {
    let property = run.outcome.property.as_deref().unwrap_or("");
    let sentences = run.explanation().map_or(&[][..], |explanation| &explanation.sentences);
    let why: String = sentences.iter().map(|sentence| format!("\n{sentence}")).collect();
    let System { variant, scenario, .. } = run.system;
    format!("{property} is violated under {} (variant {variant}, scenario {scenario}){why}", run.memory.name)
}

fn itf(run: &Done<'_>) -> Option<serde_json::Value> {
    Some(report::itf::itf(&run.system.automata, run.sources, run.trace()?, &message(run)))
}

fn finding<'a>(run: &'a Done<'_>) -> Option<Finding<'a>> {
    let (automata, sources) = (&run.system.automata, run.sources);
    Some(Finding { automata, sources, trace: run.trace()?, message: message(run) })
}

fn suite(protocol: &Protocol, done: &[Done<'_>]) -> Suite {
    let case = |run: &Done<'_>| Case {
        class: format!("{}.{}", protocol.outline.name, run.system.variant),
        name: format!("{} {}", run.system.scenario, run.memory.name),
        seconds: run.outcome.statistics.seconds,
        verdict: match &run.outcome.verdict {
            Verdict::Holds if run.outcome.is_vacuous() => CaseVerdict::Skipped(format!(
                "holds, but vacuously: never reached {}",
                run.outcome.uncovered.join(", ")
            )),
            Verdict::Holds => CaseVerdict::Passed,
            Verdict::Violated(_) => {
                CaseVerdict::Failed { kind: run.outcome.property.clone().unwrap_or_default(), text: message(run) }
            }
            Verdict::Inconclusive(limit) => CaseVerdict::Error(format!("inconclusive: {}", limit.name())),
        },
    };
    Suite { name: protocol.outline.name.clone(), cases: done.iter().map(case).collect() }
}
