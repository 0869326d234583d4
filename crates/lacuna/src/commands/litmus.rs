//! `lacuna litmus`: what memory models allow for each test of a file.

use crate::args::LitmusArgs;
use crate::exit::{Error, Exit, Outcome, print, write};
use crate::{parallel, session};
use litmus::{Finals, Test};
use memory::MemoryModel;
use report::table::align;
use serde::Serialize;

/// One line of the JSON output.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    memory: &'a str,
    allowed: bool,
    finals: &'a [Vec<i32>],
}

/// Runs the command.
pub(crate) fn run(args: &LitmusArgs) -> Outcome {
    let path = args.file.display();
    let text = crate::files::read(&args.file).map_err(|e| Error::input(format!("cannot read `{path}`: {e}")))?;
    let tests = litmus::read(&text).map_err(|(line, message)| {
        let hint = "each line is one test in JSON; the book's page on litmus tests has the format";
        Error::input(format!("{path}:{line}: {message}")).hint(hint)
    })?;
    let memories = session::memories(&args.memory, &args.switches)?;
    let results = run_all(&tests, &memories)?;
    if let Some(path) = &args.json {
        write(path, &json(&tests, &memories, &results))?;
    }
    if args.json.as_deref() != Some("-") {
        print(&table(&tests, &memories, &results))?;
    }
    Ok(Exit::Holds)
}

/// The results of every test under every memory model, test by test.
fn run_all(tests: &[Test], memories: &[MemoryModel]) -> Result<Vec<Finals>, Error> {
    let jobs: Vec<(&Test, &MemoryModel)> = tests.iter().flat_map(|t| memories.iter().map(move |m| (t, m))).collect();
    let results = parallel::map(&jobs, |(test, memory)| litmus::run(test, memory));
    let named = |((test, _), result): (&(&Test, &MemoryModel), Result<Finals, String>)| {
        result.map_err(|message| Error::input(format!("test `{}`: {message}", test.name)))
    };
    jobs.iter().zip(results).map(named).collect()
}

fn json(tests: &[Test], memories: &[MemoryModel], results: &[Finals]) -> String {
    let mut out = String::new();
    for (test, results) in tests.iter().zip(results.chunks(memories.len().max(1))) {
        for (memory, result) in memories.iter().zip(results) {
            let line = Line { name: &test.name, memory: &memory.name, allowed: result.allowed, finals: &result.finals };
            out += &serde_json::to_string(&line).expect("plain data");
            out.push('\n');
        }
    }
    out
}

fn table(tests: &[Test], memories: &[MemoryModel], results: &[Finals]) -> String {
    let head = std::iter::once("test".to_string()).chain(memories.iter().map(|m| m.name.clone()));
    let mut rows = vec![head.collect::<Vec<_>>()];
    for (test, results) in tests.iter().zip(results.chunks(memories.len().max(1))) {
        let word =
            |result: &Finals| format!("{} {}", if result.allowed { "allowed" } else { "-" }, result.finals.len());
        rows.push(std::iter::once(test.name.clone()).chain(results.iter().map(word)).collect());
    }
    format!("{}(`allowed`: the condition can come true; the number: how many final states there are)\n", align(&rows))
}
