//! `lacuna explain`: why a stored trace violates its property, or what a diagnostic's code means.

use crate::args::ExplainArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::limits;
use crate::progress::{STOP, listen};
use crate::stored::{self, Bound};
use crate::terminal;
use base::Code;
use explain::{Explained, Steps, gaps};
use explore::{Control, SearchOptions};
use report::table::align;
use std::path::Path;
use system::Limits;
use workbench::{Question, RunOptions};

/// More gaps than anyone will read.
const MAX_GAPS: usize = 12;

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs) -> Ended {
    match args.what.as_deref() {
        Some(what) if what == "-" || Path::new(what).exists() => trace(args, Path::new(what)),
        what => code(what),
    }
}

fn trace(args: &ExplainArgs, path: &Path) -> Ended {
    let stored = stored::read(path)?;
    let file = stored::protocol_file(args.file.as_ref(), &stored)?;
    let bound = Bound::new(stored, &file)?;
    let trace = match bound.execute() {
        Ok(trace) => trace,
        Err(error) => {
            terminal::complain(&format!("the trace is not one of this file: {error}"));
            return Ok(Exit::Violated);
        }
    };
    listen();
    let limits = Limits {
        max_states: None,
        max_bytes: limits::max_bytes(args.limits.max_memory.as_deref())?,
        timeout: limits::timeout(args.limits.timeout)?,
    };
    let search = SearchOptions { workers: crate::parallel::n_cores(), limits };
    let mut options = RunOptions { machine: bound.options.clone(), search };
    options.machine.budget = limits::budget(limits.timeout, limits.max_bytes);
    let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
    let question =
        Question { automata: &bound.system.automata, memory: &bound.memory, options: &options, control: &control };
    let sources = &bound.protocol.loaded.sources;
    let (found, is_all) = match args.gaps {
        true => gaps(question, sources, &trace, MAX_GAPS),
        false => (vec![explain::explain(question, sources, &trace)], false),
    };
    if let Some(path) = &args.json {
        let explanations: Vec<_> = found.iter().map(|found| &found.explanation).collect();
        let json = serde_json::to_string_pretty(&explanations).expect("plain data");
        write(path, &format!("{json}\n"))?;
    }
    if args.json.as_deref() != Some("-") {
        print(&show(args, &bound, &found, is_all))?;
    }
    Ok(Exit::Holds)
}

fn show(args: &ExplainArgs, bound: &Bound, found: &[Explained], is_all: bool) -> String {
    let texts: Vec<String> = found.iter().map(|found| show_one(args, bound, found)).collect();
    let memory = &bound.memory.name;
    let end = match args.gaps {
        true if is_all => format!("\nwith all of these kept in order, nothing is violated under {memory}\n"),
        true => format!("\nwhether something else is violated under {memory} is not known\n"),
        false => String::new(),
    };
    format!("{}{end}", texts.join("\n────\n\n"))
}

fn show_one(args: &ExplainArgs, bound: &Bound, found: &Explained) -> String {
    let steps = if args.all { Steps::All } else { Steps::Slice };
    explain::full(&bound.system.automata, &bound.protocol.loaded.sources, found, steps, args.lanes.options())
}

fn code(wanted: Option<&str>) -> Ended {
    let all: Vec<&(Code, &str)> =
        syntax::codes::ALL.iter().chain(program::codes::ALL).chain(memory::text::CODES).collect();
    let digits = wanted.map(|code| code.trim_start_matches(['E', 'W', 'e', 'w']));
    let number = digits.map(|digits| digits.parse::<u16>()).transpose().ok().flatten();
    let rows: Vec<Vec<String>> = all
        .iter()
        .filter(|(code, _)| digits.is_none() || Some(code.number) == number || digits == Some(code.name))
        .map(|(code, text)| vec![format!("E{:04}", code.number), code.name.to_string(), text.to_string()])
        .collect();
    if rows.is_empty() {
        let message = format!("there is no code `{0}`, and no trace in a file `{0}`", wanted.unwrap_or(""));
        return Err(Error::input(message).hint("`lacuna explain` without a code lists all"));
    }
    print(&align(&rows))?;
    Ok(Exit::Holds)
}
