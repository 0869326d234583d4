//! `lacuna show`: what a file offers, what a memory model says, what a thread's automaton is.

use crate::args::ShowArgs;
use crate::exit::{Ended, Exit, print};
use crate::session::{self, Protocol, Switches};
use report::table::align;
use std::fmt::Write;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(args: &ShowArgs) -> Ended {
    if !args.what.ends_with(".lac") {
        let model = session::memory_model(&args.what)?;
        print(&format!("{model:#?}\n"))?;
        return Ok(Exit::Holds);
    }
    let protocol = session::open(Path::new(&args.what))?;
    if !args.automata {
        print(&outline(&protocol))?;
        return Ok(Exit::Holds);
    }
    let scope = session::Scope::new(&args.set, None, Switches::default())?;
    for variant in protocol.variants(args.variant.as_deref())? {
        for scenario in protocol.scenarios(args.scenario.as_deref())? {
            let system = session::system(&protocol, &variant, &scenario, &scope.set)?;
            print(&format!("// {variant}, {scenario}\n{}", automata::text::write(&system.automata)))?;
        }
    }
    Ok(Exit::Holds)
}

fn outline(protocol: &Protocol) -> String {
    let outline = &protocol.outline;
    let mut out = format!("{}\n", outline.name);
    for line in &outline.doc {
        let _ = writeln!(out, "  {}", line.trim());
    }
    let mut rows = Vec::new();
    let mut row = |kind: &str, name: &str, more: String| rows.push(vec![kind.to_string(), name.to_string(), more]);
    for variant in &outline.variants {
        row("variant", &variant.name, variant.title.clone().unwrap_or_default());
    }
    for scenario in &outline.scenarios {
        let default = if scenario.is_default { " (default)" } else { "" };
        row("scenario", &scenario.name, format!("{}{default}", scenario.title.clone().unwrap_or_default()));
    }
    for param in &outline.params {
        row("param", &param.name, format!("{} = {}", param.domain, param.default));
    }
    for flag in &outline.flags {
        row("flag", &flag.name, format!("{} = {}", flag.words.join(" | "), flag.default));
    }
    out + "\n" + &align(&rows)
}
