//! The command line as a library: `session` turns what was typed into what it means, `commands` has one
//! file per command, `args` says what can be typed. The tests and the bench use `session` and `parallel` too.

mod args;
mod commands;
mod exit;
mod expected;
mod files;
mod limits;
mod paint;
pub mod parallel;
mod progress;
mod protocols;
mod rows;
pub mod session;
mod stored;
mod terminal;
mod watchdog;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// The whole program.
pub fn main() -> ExitCode {
    limits::begin();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            return Exit::BadInput.code();
        }
        Err(help) => {
            let printed = help.print().and_then(|()| std::io::stdout().flush());
            return printed.map_or_else(|error| terminal::cannot_print(&error).report(), |()| Exit::Holds.code());
        }
    };
    terminal::begin(arguments.color);
    match on_a_large_stack(|| run(arguments.command)) {
        Ok(Ok(exit)) => exit.code(),
        Ok(Err(error)) => error.report(),
        // The panic's message is on stderr already.
        Err(_) => {
            terminal::complain(
                "lacuna: this is a bug of Lacuna, not of your protocol; please report it with the command line",
            );
            Exit::Internal.code()
        }
    }
}

/// Bytes of stack for the work: trees of texts are walked by recursion.
const STACK: usize = 1 << 28;

/// The result of `work`, unless it panics.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    let work = Mutex::new(Some(work));
    let go = || work.lock().unwrap_or_else(PoisonError::into_inner).take().map(|work| work());
    let done = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("lacuna".into()).stack_size(STACK).spawn_scoped(scope, go);
        worker.ok().map(|worker| worker.join())
    });
    match done {
        Some(done) => done.map(|done| done.expect("the work was there")),
        // Where so much address space is not allowed, the stack is what it is.
        None => std::panic::catch_unwind(AssertUnwindSafe(go)).map(|done| done.expect("nobody has begun it")),
    }
}

fn run(command: Command) -> exit::Ended {
    if let Some(typed) = command.limits() {
        progress::listen();
        let (timeout, max_bytes) = (limits::timeout(typed.timeout)?, limits::max_bytes(typed.max_memory.as_deref())?);
        limits::set_command(timeout, max_bytes);
        if !command.is_guest() {
            watchdog::watch(timeout, max_bytes);
        }
    }
    if !command.is_guest() {
        files::claim(&command.outputs())?;
    }
    match command {
        Command::Check(args) => commands::check::run(&args),
        Command::Resume(args) => commands::resume::run(args),
        Command::Verify(args) => commands::certificate::verify::run(&args),
        Command::Orders(args) => commands::orders::run(&args),
        Command::Prove(args) => commands::prove::run(&args),
        Command::Repair(args) => commands::repair::run(&args),
        Command::Mutants(args) => commands::mutants::run(&args),
        Command::Scope(args) => commands::scope::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Litmus(args) => commands::litmus::run(&args),
        Command::Htm(args) => commands::htm::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
        Command::Export(args) => commands::export::run(&args.to),
        Command::New(args) => commands::new::run(&args),
        Command::Watch(args) => commands::watch::run(&args),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Lsp(_) => commands::lsp::run(),
        Command::Completions(args) => commands::shell::completions(&args),
        Command::Man(args) => commands::shell::man(&args),
    }
}
