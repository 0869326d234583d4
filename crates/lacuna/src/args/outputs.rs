//! What a command writes, and how long it may take: known before it begins.

use super::{ClusterArgs, Command, ExportTo, LimitArgs};
use crate::commands::check::formats;

impl ClusterArgs {
    /// Whether this is not the first process.
    pub(crate) fn is_guest(&self) -> bool {
        self.member.is_some() || self.process.is_some_and(|process| process > 0)
    }
}

impl Command {
    /// The files that the command writes, each with the option that names it. `fmt`, `new`, what `watch` begins and the folders of `htm`, `export` and `man` are not among them.
    pub(crate) fn outputs(&self) -> Vec<(&'static str, &str)> {
        let named: Vec<(&'static str, &Option<String>)> = match self {
            Command::Check(args) => {
                let certificate = args.certificate.as_deref().map(|path| ("--certificate", path));
                return formats::paths(&args.output).into_iter().chain(certificate).collect();
            }
            Command::Resume(args) => return formats::paths(&args.output),
            Command::Orders(args) => vec![("--json", &args.ordering.json)],
            Command::Repair(args) => vec![("--json", &args.ordering.json), ("--patch", &args.patch)],
            Command::Prove(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Mutants(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Scope(args) => vec![("--json", &args.json), ("--html", &args.html)],
            Command::Simulate(args) => vec![("--json", &args.json)],
            Command::Reproduce(args) => vec![("--json", &args.json)],
            Command::Litmus(args) => vec![("--json", &args.json)],
            Command::Htm(args) => vec![("--json", &args.json)],
            Command::Explain(args) => vec![("--json", &args.json)],
            Command::Replay(_)
            | Command::Verify(_)
            | Command::Explore(_)
            | Command::New(_)
            | Command::Watch(_)
            | Command::Lsp(_)
            | Command::Fmt(_)
            | Command::Show(_)
            | Command::Export(_)
            | Command::Completions(_)
            | Command::Man(_) => Vec::new(),
        };
        named.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }

    /// Whether this process only helps another one, which prints, writes and watches.
    pub(crate) fn is_guest(&self) -> bool {
        match self {
            Command::Check(args) => args.cluster.is_guest(),
            Command::Resume(args) => args.member.is_some(),
            _ => false,
        }
    }

    /// What the whole command may use. None if it is not watched over: then signals end it as they end any program.
    pub(crate) fn limits(&self) -> Option<&LimitArgs> {
        match self {
            Command::Check(args) => Some(&args.search.limits),
            Command::Resume(args) => Some(&args.limits),
            Command::Verify(args) => Some(&args.limits),
            Command::Orders(args) => Some(&args.ordering.search.limits),
            Command::Repair(args) => Some(&args.ordering.search.limits),
            Command::Explain(args) => Some(&args.limits),
            Command::Prove(args) => Some(&args.limits),
            Command::Mutants(args) => Some(&args.search.limits),
            Command::Scope(args) => Some(&args.search.limits),
            Command::Simulate(args) => Some(&args.limits),
            Command::Reproduce(args) => Some(&args.limits),
            Command::Litmus(args) => Some(&args.limits),
            Command::Export(args) => {
                let ExportTo::Promela(args) = &args.to;
                Some(&args.limits)
            }
            _ => None,
        }
    }
}
