//! `lacuna resume`: continues a check from its checkpoints, as it was typed; what is written and printed is typed anew.

use super::check;
use super::check::saving::{Command as Typed, Saving};
use crate::args::{Arguments, Command, OutputArgs, ResumeArgs};
use crate::exit::{Ended, Error};
use clap::Parser;

/// Runs the command.
pub(crate) fn run(args: Box<ResumeArgs>) -> Ended {
    let ResumeArgs { folder, mut output, limits, member, max_states, quiet } = *args;
    let typed = Typed::read(&folder)?;
    let cannot = |what: &str| Error::input(format!("the checkpoint cannot be continued: {what}"));
    let folder = std::fs::canonicalize(&folder).map_err(|e| cannot(&e.to_string()))?;
    let words = ["lacuna".into(), "check".into()].into_iter().chain(typed.words.iter().cloned());
    let Ok(Arguments { command: Command::Check(mut args), .. }) = Arguments::try_parse_from(words) else {
        return Err(cannot("its words are no command"));
    };
    paths(&mut output)?;
    // Files are named from where the command was typed.
    std::env::set_current_dir(&typed.directory)
        .map_err(|e| cannot(&format!("it was begun in `{}`: {e}", typed.directory.display())))?;
    // The folder may have been moved, and the processes that this one begins read it too.
    args.keeping.checkpoint = Some(folder.clone());
    args.output = output;
    args.search.limits = limits;
    args.cluster.member = member;
    args.search.max_states = max_states;
    args.search.quiet |= quiet;
    check::run_saving(&args, |args, requests| Saving::resume(folder, &typed, args, requests))
}

/// Lets outputs be files from where this command was typed.
fn paths(output: &mut OutputArgs) -> Result<(), Error> {
    let OutputArgs { json, save_trace, itf, junit, sarif, dot, html, .. } = output;
    let all = [json, save_trace, itf, junit, sarif, dot, html];
    for path in all.into_iter().flatten().filter(|path| *path != "-") {
        let whole = std::path::absolute(&path).map_err(|e| Error::input(format!("cannot write `{path}`: {e}")))?;
        *path = whole.into_os_string().into_string().map_err(|_| Error::input("outputs need names in UTF-8"))?;
    }
    Ok(())
}
