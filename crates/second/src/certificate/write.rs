//! Finds all states, breadth first, and writes them. Nothing depends on that they are all, or that they are states: `verify` checks it.

use super::judge::Judge;
use super::rows::Rows;
use super::tabulated::Tabulated;
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
    let (mut of, mut judge) = (Tabulated::new(&worlds), Judge::new(&worlds[0]));
    let (mut rows, mut writer) = (Rows::new(of.form.n_words()), Writer::new(out, of.form.n_words()));
    for row in of.initial() {
        if rows.insert(&row) {
            writer.row(&row)?;
        }
    }
    let (mut at, mut row, mut next) = (0, Vec::new(), Vec::new());
    while at < rows.len() {
        row.clear();
        row.extend_from_slice(rows.row(at));
        let mut is_stuck = true;
        for t in 0..of.form.n_threads {
            for effect in of.steps(&row, t).iter() {
                is_stuck = false;
                if effect.leads_on {
                    effect.apply(&of.form, &row, &mut next);
                    if rows.insert(&next) {
                        writer.row(&next)?;
                    }
                }
            }
        }
        if let Some(violation) = judge.judge(&of, &row, is_stuck) {
            return Err(Unwritten::Violated(name(program, violation)));
        }
        at += 1;
        if amount.is_over(at, rows.len()) || worlds.iter().any(|world| world.has_given_up.get()) {
            return Err(Unwritten::GaveUp(rows.len()));
        }
    }
    writer.end()?;
    Ok(rows.len() as u64)
}
