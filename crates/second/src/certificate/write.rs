//! Finds all states, breadth first, and writes them. Nothing depends on that they are all, or that they are states: `verify` checks it.

use super::check::{Check, Fault};
use super::rows::Rows;
use super::text::Writer;
use super::{Amount, Outside, name, worlds};
use crate::world::Options;
use memory::MemoryModel;
use program::Program;
use std::io;

/// Why there is no certificate.
#[derive(Debug)]
pub enum Unwritten {
    /// The rules have nothing to certify.
    Outside(Outside),
    /// This property does not hold.
    Violated(String),
    /// It cannot be shown that this holds where threads are seen at points that they pass: more is judged there than is reached.
    Suspected(String),
    /// There is too much to look at; so many states were found.
    GaveUp(usize),
    /// It cannot be written.
    Io(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Unwritten::Io(error)
    }
}

/// Writes all states of a program; how many there are.
///
/// # Errors
/// Says why there is no certificate.
pub fn write(
    program: &Program,
    model: &MemoryModel,
    options: &Options,
    amount: Amount<'_>,
    out: &mut dyn io::Write,
) -> Result<u64, Unwritten> {
    let worlds = worlds(program, model, options).map_err(Unwritten::Outside)?;
    let mut check = Check::new(&worlds);
    let (mut rows, mut writer) = (Rows::new(check.n_words()), Writer::new(out, check.n_words()));
    for row in check.of.initial() {
        if rows.insert(&row) {
            writer.row(&row)?;
        }
    }
    let (mut at, mut row, mut failed) = (0, Vec::new(), None);
    while at < rows.len() {
        row.clear();
        row.extend_from_slice(rows.row(at));
        let fault = check.row(&row, |next| {
            if rows.insert(next) {
                failed = writer.row(next).err();
            }
            failed.is_none()
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        if let Some(fault) = fault {
            return Err(unwritten(program, fault));
        }
        at += 1;
        if amount.is_over(at, rows.len()) || check.has_given_up() {
            return Err(Unwritten::GaveUp(rows.len()));
        }
    }
    if check.of.passing.is_lost {
        return Err(Unwritten::Outside(Outside::Passing));
    }
    writer.end()?;
    Ok(rows.len() as u64)
}

fn unwritten(program: &Program, fault: Fault) -> Unwritten {
    match fault {
        Fault::Violated(violation) => Unwritten::Violated(name(program, violation)),
        Fault::Suspected(violation) => Unwritten::Suspected(name(program, violation)),
        // Who writes adds what a step leads to.
        Fault::Open => unreachable!("every row that is led to is there"),
    }
}
