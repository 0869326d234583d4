//! `lacuna export`: a protocol as a model for another checker.

use crate::args::{ExportTo, PromelaArgs};
use crate::exit::{Ended, Error, Exit, print};
use crate::files;
use crate::session;
use base::Sources;
use promela::{Options, Refusal};
use std::fs;
use std::path::Path;

/// What is written to the folder.
const MODEL: &str = "model.pml";
const SCRIPT: &str = "run.sh";

/// Runs the command.
pub(crate) fn run(to: &ExportTo) -> Ended {
    match to {
        ExportTo::Promela(args) => promela(args),
    }
}

fn promela(args: &PromelaArgs) -> Ended {
    files::claim_in("--out", &args.out, &[MODEL, SCRIPT])?;
    let scope = args.scope.scope()?;
    let memory = session::memories(std::slice::from_ref(&args.memory), &scope.switches)?;
    let [memory] = &memory[..] else {
        return Err(Error::input("a model is exported under one memory model").hint("name `sc` or `tso`"));
    };
    let protocol = session::open(&args.file)?;
    refuse_foreign(&args.out)?;
    let variant = one("variant", protocol.variants(args.variant.as_deref())?)?;
    let scenario = one("scenario", protocol.scenarios(args.scenario.as_deref())?)?;
    let mut system = session::system(&protocol, &variant, &scenario, &scope.set)?;
    if !args.property.is_empty() {
        system.only(&args.property)?;
    }
    let options = Options {
        queue_bound: scope.queue_bound,
        buffer: scope.switches.buffer,
        check_deadlock: !args.scope.no_deadlock,
    };
    let file = args.file.display();
    let title = format!("{file}: {variant}, {scenario}, {}, K = {}", memory.name, scope.queue_bound);
    let sources = &protocol.loaded.sources;
    let export = promela::export(&system.automata, memory, &options, sources, &title)
        .map_err(|refusal| refused(&refusal, sources))?;
    files::write_in(&args.out, &[(MODEL, &export.model, false), (SCRIPT, &export.script, true)])?;
    print(&format!("{title}\nwrote {MODEL} and {SCRIPT} to {}\n", args.out.display()))?;
    Ok(Exit::Holds)
}

/// What an export of before begins with is written anew; a file of somebody else stays.
fn refuse_foreign(folder: &Path) -> Result<(), Error> {
    for (name, ours) in [(MODEL, "/* property 1: deadlock */"), (SCRIPT, "# Runs SPIN on model.pml")] {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|text| !String::from_utf8_lossy(&text).contains(ours)) {
            let message = format!("{} is there and is not an exported model", path.display());
            return Err(Error::input(message).hint("export to another folder"));
        }
    }
    Ok(())
}

/// The one that was asked for.
fn one(kind: &str, mut named: Vec<String>) -> Result<String, Error> {
    let last = named.pop().unwrap_or_default();
    if named.is_empty() { Ok(last) } else { Err(Error::input(format!("a model is exported for one {kind}"))) }
}

fn refused(refusal: &Refusal, sources: &Sources) -> Error {
    let place = sources
        .place(refusal.span)
        .map_or(String::new(), |(source, place)| format!("{}:{}:{}: ", source.name, place.line, place.column));
    let hint = "docs/book/src/export.md says what is exported";
    Error::input(format!("{place}this cannot be exported: {}", refusal.what)).hint(hint)
}
