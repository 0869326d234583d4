//! `lacuna completions` and `lacuna man`: what a shell and `man` need, from what can be typed.

use crate::args::{Arguments, CompletionsArgs, ManArgs};
use crate::exit::{Ended, Error, Exit};
use crate::{files, terminal};
use clap::CommandFactory;

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Ended {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "lacuna", &mut text);
    terminal::print_raw(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Holds)
}

/// Writes a manual page for the program and one for each command.
pub(crate) fn man(args: &ManArgs) -> Ended {
    let folder = args.folder.display();
    let cannot = |error: std::io::Error| Error::input(format!("cannot write to `{folder}`: {error}"));
    std::fs::create_dir_all(&args.folder).map_err(cannot)?;
    let mut program = Arguments::command();
    program.build();
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help").cloned();
    for command in std::iter::once(program.clone()).chain(commands) {
        let name = command.get_display_name().unwrap_or("lacuna").to_string();
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text).map_err(cannot)?;
        files::write(&args.folder.join(format!("{name}.1")), &String::from_utf8_lossy(&text))?;
    }
    Ok(Exit::Holds)
}
