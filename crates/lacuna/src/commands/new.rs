//! `lacuna new`: a file to begin with, which runs and teaches.

use crate::args::NewArgs;
use crate::exit::{Ended, Error, Exit, print};
use crate::files;
use std::path::Path;

/// The protocol, in which `NAME` stands for its name.
const TEXT: &str = include_str!("new.lac");

/// Runs the command.
pub(crate) fn run(args: &NewArgs) -> Ended {
    let name = name(&args.name)?;
    let file = args.name.with_extension("lac");
    // A link that leads nowhere is something, too.
    if file.symlink_metadata().is_ok() {
        let error = Error::input(format!("`{}` is there already", file.display()));
        return Err(error.hint("choose another name; nothing was written"));
    }
    files::write(&file, &TEXT.replace("NAME", name))?;
    let shown = file.display();
    print(&format!("wrote {shown}\n\nnext:\n  lacuna check {shown}\n  lacuna watch {shown} --variant all --expect\n"))?;
    Ok(Exit::Holds)
}

/// The name of the protocol, which another file can use.
fn name(path: &Path) -> Result<&str, Error> {
    let last = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let name = last.strip_suffix(".lac").unwrap_or(last);
    let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let begins = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if syntax::KEYWORDS.contains(&name) {
        let error = Error::input(format!("`{name}` is a keyword, so no file could use it"));
        return Err(error.hint(format!("choose another name, such as `my_{name}`")));
    }
    if !is_word(name) || !begins(name) {
        let error = Error::input(format!("`{last}` cannot be the name of a protocol"));
        return Err(error.hint("names are made of the letters A to Z, digits and `_`, and begin with no digit"));
    }
    Ok(name)
}
