//! Files for programs: the table of formats. Each has an option, which names a file, or standard output with `-`.
//!
//! A new format is a row here with the function that writes it, and an option in `args/check.rs`.

use super::explanations::Needs;
use super::{Request, Run, html, junit, runs, sarif};
use crate::args::OutputArgs;
use crate::exit::{Error, write};
use crate::terminal::complain;
use crate::watchdog;

/// A format.
struct Format {
    option: &'static str,
    path: fn(&OutputArgs) -> Option<&str>,
    /// Which explanations it shows.
    needs: Needs,
    /// What it says of runs; none if it would be of a counterexample and there is none.
    text: fn(&[Request<'_>], &[Run<'_>]) -> Option<String>,
}

static FORMATS: [Format; 7] = [
    Format {
        option: "--json",
        path: |args| args.json.as_deref(),
        needs: Needs::All,
        text: |_, runs| Some(runs::json(runs)),
    },
    Format {
        option: "--save-trace",
        path: |args| args.save_trace.as_deref(),
        needs: Needs::First,
        text: |_, runs| runs.iter().find_map(runs::stored).map(|trace| to_json(&trace)),
    },
    Format {
        option: "--itf",
        path: |args| args.itf.as_deref(),
        needs: Needs::First,
        text: |_, runs| runs.iter().find_map(itf),
    },
    Format {
        option: "--junit",
        path: |args| args.junit.as_deref(),
        needs: Needs::All,
        text: |requests, runs| Some(report::junit::write(&junit::suites(requests, runs))),
    },
    Format {
        option: "--sarif",
        path: |args| args.sarif.as_deref(),
        needs: Needs::All,
        text: |_, runs| Some(to_json(&sarif::log(runs))),
    },
    Format {
        option: "--dot",
        path: |args| args.dot.as_deref(),
        needs: Needs::First,
        text: |_, runs| runs.iter().find_map(Run::explanation).map(explain::dot),
    },
    Format {
        option: "--html",
        path: |args| args.html.as_deref(),
        needs: Needs::All,
        text: |requests, runs| Some(html::html(requests, runs)),
    },
];

/// The formats asked for, each with its path.
fn requested(args: &OutputArgs) -> impl Iterator<Item = (&'static Format, &str)> {
    FORMATS.iter().filter_map(|format| Some((format, (format.path)(args)?)))
}

/// The files asked for, each with its option.
pub(crate) fn paths(args: &OutputArgs) -> Vec<(&'static str, &str)> {
    requested(args).map(|(format, path)| (format.option, path)).collect()
}

/// Which explanations the files show.
pub(super) fn needs(args: &OutputArgs) -> Needs {
    requested(args).map(|(format, _)| format.needs).max().unwrap_or(Needs::None)
}

/// Whether standard output is taken by a file.
pub(super) fn use_standard_output(args: &OutputArgs) -> bool {
    requested(args).any(|(_, path)| path == "-")
}

/// Refuses two files on standard output.
pub(super) fn refuse_two(args: &OutputArgs) -> Result<(), Error> {
    let taken: Vec<&str> = paths(args).into_iter().filter(|(_, path)| *path == "-").map(|(option, _)| option).collect();
    if taken.len() > 1 {
        let message = format!("{} cannot both write to standard output", taken.join(" and "));
        return Err(Error::input(message).hint("name a file for all but one"));
    }
    Ok(())
}

/// Writes the files asked for, as far as there is something to say, while further runs are to come.
pub(super) fn write_so_far(args: &OutputArgs, requests: &[Request<'_>], runs: &[Run<'_>]) -> Result<(), Error> {
    for (format, path) in requested(args) {
        match (format.text)(requests, runs) {
            Some(text) if path == "-" => watchdog::keep(Some(text)),
            Some(text) => write(path, &text)?,
            None => {}
        }
    }
    Ok(())
}

/// Writes all files asked for.
pub(super) fn write_files(args: &OutputArgs, requests: &[Request<'_>], runs: &[Run<'_>]) -> Result<(), Error> {
    for (format, path) in requested(args) {
        let text = (format.text)(requests, runs);
        if path == "-" {
            watchdog::keep(None);
        }
        match text {
            Some(text) => write(path, &text)?,
            None => complain(&format!("no counterexample, so `{path}` is not written")),
        }
    }
    Ok(())
}

pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).expect("plain data"))
}

fn itf(run: &Run<'_>) -> Option<String> {
    let itf = report::itf::itf(&run.system.automata, run.request.sources(), run.trace()?, &message(run));
    Some(to_json(&itf))
}

/// What is violated, and why.
pub(super) fn message(run: &Run<'_>) -> String {
    let property = run.answer.property.as_deref().unwrap_or("");
    let sentences = run.explanation().map_or(&[][..], |explanation| &explanation.sentences);
    let why: String = sentences.iter().map(|sentence| format!("\n{sentence}")).collect();
    let (variant, scenario) = (&run.system.variant, &run.system.scenario);
    format!("{property} is violated under {} (variant {variant}, scenario {scenario}){why}", run.memory.name)
}
