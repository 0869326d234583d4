//! `lacuna fmt`: files in the one style.

use crate::args::FmtArgs;
use crate::exit::{Ended, Error, Exit};
use crate::session::say;
use crate::{files, terminal};
use base::Sources;

/// Runs the command.
pub(crate) fn run(args: &FmtArgs) -> Ended {
    let mut exit = Exit::Holds;
    let mut failed = false;
    for path in &args.files {
        let name = path.display();
        let text = files::read(path).map_err(|e| files::cannot_read(path, &e, "a `.lac` file"))?;
        let formatted = match syntax::format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                let mut sources = Sources::default();
                sources.add(name.to_string(), text);
                failed |= say(&diagnostics, &sources).is_err();
                continue;
            }
        };
        if formatted == text {
            continue;
        }
        if args.check {
            terminal::complain(&format!("{name} is not formatted"));
            exit = Exit::Violated;
        } else {
            files::write(path, &formatted)?;
        }
    }
    if failed { Err(Error::Reported) } else { Ok(exit) }
}
