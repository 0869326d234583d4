//! `lacuna check --certificate`: what holds, with all states of the second opinion's rules.

use super::claim::Claim;
pub(crate) use super::claim::Of;
use super::file::Sealing;
use crate::exit::{Ended, Error, Exit};
use crate::terminal::complain;
use crate::{files, limits};
use report::table::thousands;
use second::{Amount, Options, Outside, Unwritten};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A run that holds.
pub(crate) struct Holding<'a> {
    pub(crate) label: String,
    pub(crate) of: Of<'a>,
    pub(crate) max_states: Option<u64>,
}

/// Writes the certificate of all runs that hold. Where there is none, that is said, and nothing is written.
pub(crate) fn write(path: &str, runs: &[Holding<'_>]) -> Ended {
    if runs.is_empty() {
        complain(&format!("no run holds, so `{path}` is not written"));
        return Ok(Exit::Holds);
    }
    let cannot = |e: io::Error| Error::input(format!("cannot write `{path}`: {e}"));
    let mut exit = Exit::Holds;
    let written = files::write_with(Path::new(path), |file: File| {
        let mut sealing = Sealing::begin(file, runs.len())?;
        for run in runs {
            exit = claim(&mut sealing, run)?;
            if exit != Exit::Holds {
                return Ok(false);
            }
        }
        sealing.end().map(|()| true)
    });
    if !written.map_err(cannot)? {
        complain(&format!("`{path}` is not written"));
    }
    Ok(exit)
}

/// Writes one claim and its states. If there are none, that is said.
fn claim(sealing: &mut Sealing, run: &Holding<'_>) -> io::Result<Exit> {
    let Holding { label, of, max_states } = run;
    let claim = serde_json::to_string(&Claim::of(of)).map_err(io::Error::from)?;
    sealing.write_all(claim.as_bytes())?;
    sealing.write_all(b"\n")?;
    let properties = (!of.properties.is_empty()).then(|| of.properties.to_vec());
    let (queue_bound, buffer) = (of.scope.queue_bound, of.scope.switches.buffer);
    let options = Options { queue_bound, buffer, check_deadlock: of.deadlock, properties };
    let budget = limits::command();
    let amount = Amount {
        max_states: max_states.and_then(|max| max.try_into().ok()).unwrap_or(usize::MAX),
        is_over: &|| budget.look().is_some(),
    };
    let (what, exit) = match second::write(&of.system.program, of.memory, &options, amount, sealing) {
        Ok(n_states) => {
            complain(&format!("certificate of {label}: {} states", thousands(n_states)));
            return Ok(Exit::Holds);
        }
        Err(Unwritten::Io(error)) => return Err(error),
        Err(Unwritten::Outside(outside)) => (outside_in_words(&outside), Exit::Inconclusive),
        Err(Unwritten::GaveUp(n)) => (format!("gave up at {} states", thousands(n as u64)), Exit::Inconclusive),
        Err(Unwritten::Suspected(property)) => {
            (format!("it cannot be shown that {property} holds where threads pass labels"), Exit::Inconclusive)
        }
        Err(Unwritten::Violated(property)) => {
            (format!("the second opinion finds {property} violated; this is a bug of Lacuna"), Exit::Internal)
        }
    };
    complain(&format!("certificate of {label}: none, {what}"));
    Ok(exit)
}

/// Why the rules have nothing to certify.
pub(super) fn outside_in_words(outside: &Outside) -> String {
    match outside {
        Outside::NoRun => "there is no run".into(),
        Outside::Histories => "its memory is histories, for which the second opinion has no rules".into(),
        Outside::InTwo => "the second opinion performs every read-modify-write in one".into(),
        Outside::ElidedLocks => "the second opinion takes every lock".into(),
        Outside::LazyConflicts => "the second opinion finds every conflict at once".into(),
        Outside::Passing => "others may change a thread at a label that it only passes".into(),
        Outside::Temporal(name) => format!("{name} is about runs, and a set of states says nothing about it"),
    }
}
