//! Exit codes, and errors that are not verdicts.

pub(crate) use crate::terminal::print;
use crate::{files, session, terminal};
use std::path::Path;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All runs hold (or all are as expected, if that was asked).
    Holds,
    /// Some run is violated.
    Violated,
    /// The user's input is wrong.
    BadInput,
    /// Some run hit a search limit, and none is violated.
    Inconclusive,
    /// A bug of ours.
    Internal,
    /// Some obligation has a counterexample to induction.
    NotInductive,
}

impl Exit {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// The number that the program ends with.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Inconclusive => 3,
            Exit::Internal => 4,
            Exit::NotInductive => 5,
        }
    }

    /// The exit with this number; a process that was ended has none.
    pub(crate) fn of(number: Option<i32>) -> Exit {
        use Exit::*;
        let all = [Holds, Violated, BadInput, Inconclusive, NotInductive];
        all.into_iter().find(|exit| Some(exit.number().into()) == number).unwrap_or(Internal)
    }

    /// The exit of several runs together: a violation outweighs a counterexample to induction, that a limit, a limit
    /// a pass.
    pub(crate) fn and(self, other: Exit) -> Exit {
        let weight = |exit: Exit| match exit {
            Exit::Holds => 0,
            Exit::Inconclusive => 1,
            Exit::NotInductive => 2,
            Exit::Violated => 3,
            Exit::BadInput => 4,
            Exit::Internal => 5,
        };
        if weight(other) > weight(self) { other } else { self }
    }
}

/// What the user did wrong, said once, with what to do about it.
#[derive(Debug)]
pub enum Error {
    /// Already printed, as diagnostics.
    Reported,
    /// A message and a hint.
    Input {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Whoever reads our output has gone away: what was asked for has not arrived.
    BrokenPipe,
}

/// How a command ends.
pub(crate) type Ended = Result<Exit, Error>;

impl From<workbench::Error> for Error {
    /// What is wrong with a text is printed at once.
    fn from(error: workbench::Error) -> Self {
        match error {
            workbench::Error::Text { diagnostics, sources } => {
                session::say(&diagnostics, &sources).err().unwrap_or(Error::Reported)
            }
            workbench::Error::Input { message, hint } => Error::Input { message, hint },
        }
    }
}

impl Error {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Error::Input { message: message.into(), hint: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Error::Input { message, .. } => Error::Input { message, hint: Some(hint.into()) },
            other => other,
        }
    }

    /// The same, said of a file among others.
    pub(crate) fn within(self, file: &Path) -> Self {
        match self {
            Error::Input { message, hint } => Error::Input { message: format!("{}: {message}", file.display()), hint },
            other => other,
        }
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            Error::Reported => Exit::BadInput.code(),
            Error::BrokenPipe => {
                terminal::complain("error: standard output was closed before all was written");
                Exit::BadInput.code()
            }
            Error::Input { message, hint } => {
                let hint = hint.map_or(String::new(), |hint| format!("\n  = hint: {hint}"));
                terminal::complain(&format!("error: {message}{hint}"));
                Exit::BadInput.code()
            }
        }
    }
}

/// Writes `text` to `path`, or to standard output if it is `-`.
pub(crate) fn write(path: &str, text: &str) -> Result<(), Error> {
    if path == "-" { terminal::print_raw(text) } else { files::write(Path::new(path), text) }
}
