//! Checks a certificate: the initial states are among its rows, no step leads out of them, and none is bad. Nothing in it is trusted.

use super::judge::Judge;
use super::rows::Rows;
use super::tabulated::Tabulated;
use super::text::Reader;
use super::{Amount, Outside, name, worlds};
use crate::world::Options;
use memory::MemoryModel;
use program::Program;
use std::io;

/// Why a certificate is refused. Rows are counted from 0.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The rules have nothing to certify.
    Outside(Outside),
    /// It ends too early, or its bytes are no rows.
    Damaged,
    /// A row is there twice.
    Twice(u64),
    /// A row is no state: a cell out of its range, or a thread where no row before leads it.
    NoState(u64),
    /// An initial state is missing.
    Initial,
    /// A step of this row leads to a state that is missing.
    Open(u64),
    /// The state of this row violates this property.
    Violated(u64, String),
    /// There is too much to look at; so many states were checked.
    GaveUp(u64),
}

/// Checks that the states that are read are closed and good; how many there are.
///
/// # Errors
/// Says why they are refused.
pub fn verify(
    program: &Program,
    model: &MemoryModel,
    options: &Options,
    amount: Amount<'_>,
    from: &mut dyn io::Read,
) -> Result<u64, Refusal> {
    let worlds = worlds(program, model, options).map_err(Refusal::Outside)?;
    let (mut of, mut judge) = (Tabulated::new(&worlds), Judge::new(&worlds[0]));
    let rows = read(from, of.form.n_words(), amount)?;
    if !of.initial().iter().all(|row| rows.contains(row)) {
        return Err(Refusal::Initial);
    }
    let mut next = Vec::new();
    for at in 0..rows.len() {
        let (row, place) = (rows.row(at), at as u64);
        if !of.is_state(row) {
            return Err(Refusal::NoState(place));
        }
        let mut is_stuck = true;
        for t in 0..of.form.n_threads {
            for effect in of.steps(row, t).iter() {
                is_stuck = false;
                if effect.leads_on {
                    effect.apply(&of.form, row, &mut next);
                    if !rows.contains(&next) {
                        return Err(Refusal::Open(place));
                    }
                }
            }
        }
        if let Some(violation) = judge.judge(&of, row, is_stuck) {
            return Err(Refusal::Violated(place, name(program, violation)));
        }
        if amount.is_over(at, rows.len()) || worlds.iter().any(|world| world.has_given_up.get()) {
            return Err(Refusal::GaveUp(place));
        }
    }
    Ok(rows.len() as u64)
}

/// All rows. What is not there takes no memory, whatever the bytes say.
fn read(from: &mut dyn io::Read, n_words: usize, amount: Amount<'_>) -> Result<Rows, Refusal> {
    let (mut rows, mut reader) = (Rows::new(n_words), Reader::new(from, n_words));
    while let Some(row) = reader.row().map_err(|_| Refusal::Damaged)? {
        let n_rows = rows.len();
        if !rows.insert(row) {
            return Err(Refusal::Twice(n_rows as u64));
        }
        if amount.is_over(n_rows, n_rows) {
            return Err(Refusal::GaveUp(0));
        }
    }
    Ok(rows)
}
