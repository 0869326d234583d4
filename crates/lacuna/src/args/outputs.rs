//! What a command writes, and how long it may take: known before it begins.

use super::{Command, ExportTo};

impl Command {
    /// The files that the command writes, each with the option that names it. `fmt` and the folders of `htm`, `export` and `man` are not among them.
    pub(crate) fn outputs(&self) -> Vec<(&'static str, &str)> {
        let named: Vec<(&'static str, &Option<String>)> = match self {
            Command::Check(args) => vec![
                ("--json", &args.json),
                ("--save-trace", &args.save_trace),
                ("--itf", &args.itf),
                ("--junit", &args.junit),
                ("--sarif", &args.sarif),
                ("--dot", &args.dot),
                ("--html", &args.html),
            ],
            Command::Orders(args) => vec![("--json", &args.ordering.json)],
            Command::Repair(args) => vec![("--json", &args.ordering.json), ("--patch", &args.patch)],
            Command::Prove(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Mutants(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Scope(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Reproduce(args) => vec![("--json", &args.json)],
            Command::Litmus(args) => vec![("--json", &args.json)],
            Command::Htm(args) => vec![("--json", &args.json)],
            Command::Explain(args) => vec![("--json", &args.json)],
            Command::Replay(_)
            | Command::Explore(_)
            | Command::Fmt(_)
            | Command::Show(_)
            | Command::Export(_)
            | Command::Completions(_)
            | Command::Man(_) => Vec::new(),
        };
        named.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }

    /// The time that the whole command may take, and the memory. None if it is not watched over: then signals end it as they end any
    /// program.
    pub(crate) fn limits(&self) -> Option<(Option<f64>, Option<&str>)> {
        match self {
            Command::Check(args) => Some((args.search.timeout, args.search.max_memory.as_deref())),
            Command::Orders(args) => Some((args.ordering.search.timeout, args.ordering.search.max_memory.as_deref())),
            Command::Repair(args) => Some((args.ordering.search.timeout, args.ordering.search.max_memory.as_deref())),
            Command::Explain(args) => Some((args.timeout, args.max_memory.as_deref())),
            Command::Prove(args) => Some((args.timeout, args.max_memory.as_deref())),
            Command::Mutants(args) => Some((args.search.timeout, args.search.max_memory.as_deref())),
            Command::Scope(args) => Some((args.search.timeout, args.search.max_memory.as_deref())),
            Command::Reproduce(args) => Some((args.limits.timeout, args.limits.max_memory.as_deref())),
            Command::Litmus(args) => Some((args.limits.timeout, args.limits.max_memory.as_deref())),
            Command::Export(args) => {
                let ExportTo::Promela(args) = &args.to;
                Some((args.limits.timeout, args.limits.max_memory.as_deref()))
            }
            _ => None,
        }
    }
}
