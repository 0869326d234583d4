//! The command line as a library: `session` turns what was typed into what it means, `commands` has one
//! file per command, `args` says what can be typed. The tests and the bench use `session` and `parallel` too.

mod args;
mod commands;
mod exit;
mod expected;
pub mod parallel;
mod progress;
pub mod session;
mod stored;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

pub use args::{ScopeArgs, SearchArgs, SwitchArgs};

/// The whole program.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            let exit = if error.use_stderr() { Exit::BadInput } else { Exit::Holds };
            return exit.code();
        }
    };
    let result = std::panic::catch_unwind(|| run(arguments.command));
    match result {
        Ok(Ok(exit)) => exit.code(),
        Ok(Err(error)) => error.report(),
        // The panic's message is on stderr already.
        Err(_) => {
            eprintln!("lacuna: this is a bug of Lacuna, not of your protocol; please report it with the command line");
            Exit::Internal.code()
        }
    }
}

fn run(command: Command) -> exit::Outcome {
    match command {
        Command::Check(args) => commands::check::run(&args),
        Command::Orders(args) => commands::orders::run(&args),
        Command::Prove(args) => commands::prove::run(&args),
        Command::Repair(args) => commands::repair::run(&args),
        Command::Mutants(args) => commands::mutants::run(&args),
        Command::Scope(args) => commands::scope::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Litmus(args) => commands::litmus::run(&args),
        Command::Htm(args) => commands::htm::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
        Command::Export(args) => commands::export::run(&args.to),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
    }
}
