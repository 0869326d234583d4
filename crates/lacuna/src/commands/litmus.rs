//! `lacuna litmus`: what memory models allow for each test of a file.

use crate::args::LitmusArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::files::cannot_read;
use crate::rows::{Rows, Written, longest};
use crate::{limits, parallel, session};
use litmus::{Finals, Test};
use memory::MemoryModel;
use serde::Serialize;

/// One line of the JSON output.
#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Known { name: &'a str, memory: &'a str, allowed: bool, finals: &'a [Vec<i32>] },
    Racy { name: &'a str, memory: &'a str, allowed: bool, race: bool },
    Unknown { name: &'a str, memory: &'a str, error: &'a str },
}

/// The result of a test under a memory model; an error says why nothing is known.
type Found = Result<Finals, String>;

const FORMAT: &str = "each line is one test in JSON; the book's page on litmus tests has the format";

/// Runs the command.
pub(crate) fn run(args: &LitmusArgs) -> Ended {
    let path = args.file.display();
    let text = crate::files::read(&args.file).map_err(|e| cannot_read(&args.file, &e, "a file of litmus tests"))?;
    let is_herds = args.file.extension().is_some_and(|ending| ending == "litmus");
    let read = if is_herds { litmus::herd::read(&text).map(|test| vec![test]) } else { litmus::read(&text) };
    let tests = read.map_err(|(line, message)| {
        let hint = if is_herds {
            "a file of herd's is for C, AArch64 or X86_64; the book's page on litmus tests says what is read of it"
        } else {
            FORMAT
        };
        Error::input(format!("{path}:{line}: {message}")).hint(hint)
    })?;
    if tests.is_empty() {
        return Err(Error::input(format!("{path} has no test")).hint(FORMAT));
    }
    let memories = session::memories(&args.memory, &args.switches.switches())?;
    let results = run_all(args, &tests, &memories)?;
    if let Some(path) = &args.json {
        write(path, &json(&tests, &memories, &results))?;
    }
    if args.json.as_deref() != Some("-") {
        print("(`allowed`: the condition can come true; the number: how many final states there are)\n")?;
    }
    let errors = errors(&tests, &memories, &results);
    errors.iter().for_each(|error| crate::terminal::complain(&format!("error: {error}")));
    Ok(match limits::command().look() {
        _ if errors.is_empty() => Exit::Holds,
        Some(_) => Exit::Inconclusive,
        None => Exit::BadInput,
    })
}

/// The results of every test under every memory model, test by test: printed and written as they become known.
fn run_all(args: &LitmusArgs, tests: &[Test], memories: &[MemoryModel]) -> Result<Vec<Found>, Error> {
    let jobs: Vec<(&Test, &MemoryModel)> = tests.iter().flat_map(|t| memories.iter().map(move |m| (t, m))).collect();
    let budget = limits::command();
    let is_quiet = args.json.as_deref() == Some("-");
    let names = tests.iter().map(|test| test.name.as_str());
    let mut rows = Rows::new(std::iter::once(longest(names)).chain(memories.iter().map(|_| longest(["allowed 10"]))));
    let head = std::iter::once("test".to_string()).chain(memories.iter().map(|memory| memory.name.clone()));
    let mut shown = if is_quiet { Ok(()) } else { print(&rows.line(&head.collect::<Vec<_>>())) };
    let (mut results, mut written) = (Vec::new(), Written::now());
    parallel::in_order(
        &jobs,
        |(test, memory)| litmus::run_within(test, memory, &budget),
        |found| {
            let is_due = if found.is_some() { written.is_due() } else { written.is_left() };
            if let Some(((test, _), result)) = found {
                results.push(result);
                if shown.is_ok() && results.len().is_multiple_of(memories.len()) {
                    let row = row(test, &results[results.len() - memories.len()..]);
                    shown = if is_quiet { Ok(()) } else { print(&rows.line(&row)) };
                }
            }
            if let (Some(path), true) = (args.json.as_deref().filter(|path| *path != "-"), shown.is_ok())
                && is_due
            {
                shown = write(path, &json(tests, memories, &results));
            }
        },
    );
    shown.map(|()| results)
}

/// What keeps tests from being run, each said once.
fn errors(tests: &[Test], memories: &[MemoryModel], results: &[Found]) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    for (test, results) in tests.iter().zip(results.chunks(memories.len().max(1))) {
        for message in results.iter().filter_map(|result| result.as_ref().err()) {
            let error = format!("test `{}`: {message}", test.name);
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
    }
    errors
}

fn json(tests: &[Test], memories: &[MemoryModel], results: &[Found]) -> String {
    let mut out = String::new();
    for (test, results) in tests.iter().zip(results.chunks(memories.len().max(1))) {
        for (memory, result) in memories.iter().zip(results) {
            let (name, memory) = (test.name.as_str(), memory.name.as_str());
            let line = match result {
                Ok(Finals { race: true, allowed, .. }) => Line::Racy { name, memory, allowed: *allowed, race: true },
                Ok(Finals { allowed, finals, .. }) => Line::Known { name, memory, allowed: *allowed, finals },
                Err(error) => Line::Unknown { name, memory, error },
            };
            out += &serde_json::to_string(&line).expect("plain data");
            out.push('\n');
        }
    }
    out
}

fn row(test: &Test, results: &[Found]) -> Vec<String> {
    let word = |result: &Found| match result {
        Ok(found) if found.race => "race".into(),
        Ok(found) => format!("{} {}", if found.allowed { "allowed" } else { "-" }, found.finals.len()),
        Err(_) => "error".into(),
    };
    std::iter::once(test.name.clone()).chain(results.iter().map(word)).collect()
}
