//! The table of runs.

use super::Done;
use crate::exit::{Error, print};
use crate::session::{Protocol, System};
use machine::Bound;
use memory::MemoryModel;
use program::Expected;
use report::table::{bytes, thousands};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use workbench::{Outcome, RunOptions, Verdict};

/// One line per run, printed when it ends.
pub(super) struct Rows {
    title: String,
    widths: Cell<[usize; 9]>,
}

impl Rows {
    /// The table of all these runs. Columns are as wide as their contents may be expected to be.
    pub(super) fn new(protocol: &Protocol, options: &RunOptions, systems: &[System], memories: &[MemoryModel]) -> Self {
        let title = format!("{}  ({})\n", protocol.outline.name, scope_of(options, systems));
        let longest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| text.chars().count()).max();
        let of_all = |texts: &mut dyn Iterator<Item = &String>| longest(texts).unwrap_or(0);
        let properties = &mut systems.iter().flat_map(|s| s.automata.properties.values().map(|p| &p.name));
        let violated =
            "violated: ".len() + if systems.len() * memories.len() > 1 { of_all(properties).min(40) } else { 0 };
        let mut widths = HEAD.map(|head| head.chars().count());
        let least = [
            of_all(&mut systems.iter().map(|system| &system.variant)),
            of_all(&mut systems.iter().map(|system| &system.scenario)),
            of_all(&mut memories.iter().map(|memory| &memory.name)),
            violated,
            "1 234 567".len(),
            0,
            "12.345 s".len(),
        ];
        widths.iter_mut().zip(least).for_each(|(width, least)| *width = least.max(*width));
        Rows { title, widths: Cell::new(widths) }
    }

    /// Prints the row of the last run; the head before the first.
    pub(super) fn print(&self, options: &RunOptions, done: &[Done<'_>]) -> Result<(), Error> {
        let Some(last) = done.last() else { return Ok(()) };
        let row = row(last, options);
        let mut widths = self.widths.get();
        widths.iter_mut().zip(&row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
        self.widths.set(widths);
        if done.len() == 1 {
            print(&format!("{}{}", self.title, self.line(&HEAD.map(String::from))))?;
        }
        print(&self.line(&row))
    }

    fn line(&self, row: &[String; 9]) -> String {
        let pad = |(cell, width): (&String, &usize)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
        };
        let cells: Vec<String> = row.iter().zip(&self.widths.get()).map(pad).collect();
        format!("{}\n", cells.join("  ").trim_end())
    }
}

const HEAD: [&str; 9] = ["variant", "scenario", "memory", "verdict", "states", "depth", "time", "memory used", ""];

fn row(run: &Done<'_>, options: &RunOptions) -> [String; 9] {
    let statistics = &run.outcome.statistics;
    [
        run.system.variant.clone(),
        run.system.scenario.clone(),
        run.memory.name.clone(),
        verdict(&run.outcome),
        thousands(statistics.states),
        statistics.depth.to_string(),
        format!("{:.3} s", statistics.seconds),
        bytes(statistics.peak_bytes),
        remark(run, options),
    ]
}

/// What all systems share: what a variant sets is in its name.
fn scope_of(options: &RunOptions, systems: &[System]) -> String {
    let constants: Vec<&[(String, String)]> = systems.iter().map(|system| &system.constants[..]).collect();
    scope(options, &constants)
}

/// What all runs share: what a variant sets is in its name.
pub(super) fn shared_scope(options: &RunOptions, done: &[Done<'_>]) -> String {
    let constants: Vec<&[(String, String)]> = done.iter().map(|run| &run.system.constants[..]).collect();
    scope(options, &constants)
}

fn scope(options: &RunOptions, constants: &[&[(String, String)]]) -> String {
    let first = constants.first().copied().unwrap_or_default();
    let others: Vec<FxHashSet<&(String, String)>> = constants.iter().skip(1).map(|of| of.iter().collect()).collect();
    let shared = |constant: &&(String, String)| others.iter().all(|of| of.contains(*constant));
    let values = first.iter().filter(shared).map(|(name, value)| format!("{name}={value}"));
    let buffer = options.machine.buffer.map(|_| options.machine.show(Bound::Buffer));
    let scope: Vec<String> = values.chain([options.machine.show(Bound::Queue)]).chain(buffer).collect();
    scope.join(" ")
}

pub(super) fn verdict(outcome: &Outcome) -> String {
    match (&outcome.verdict, &outcome.property) {
        (Verdict::Violated(_), Some(property)) => format!("violated: {property}"),
        (Verdict::Inconclusive(limit), _) => format!("inconclusive: {}", limit.name()),
        _ if outcome.is_vacuous() => "holds, but vacuously".into(),
        _ => outcome.word().into(),
    }
}

pub(super) fn remark(run: &Done<'_>, options: &RunOptions) -> String {
    let mut remarks = Vec::new();
    if !run.outcome.uncovered.is_empty() {
        remarks.push(format!("never reached: {}", run.outcome.uncovered.join(", ")));
    }
    if !is_expected(run) {
        remarks.push("NOT AS EXPECTED".into());
    }
    if run.outcome.verdict == Verdict::Holds {
        let mut hit: Vec<_> = run.outcome.bounds_hit.iter().map(|(bound, _)| *bound).collect();
        hit.dedup();
        remarks.extend(hit.into_iter().map(|bound| format!("{} was hit", options.machine.show(bound))));
    }
    if run.outcome.late_reads {
        remarks.push("reads put off".into());
    }
    remarks.join("; ")
}

/// Whether the run is as the file expects, or the file expects nothing.
pub(super) fn is_expected(run: &Done<'_>) -> bool {
    match (&run.expected, &run.outcome.verdict) {
        (None, _) => true,
        (Some(Expected::Holds), Verdict::Holds) => !run.outcome.is_vacuous(),
        (Some(Expected::Violated { property }), Verdict::Violated(_)) => {
            property.is_none() || *property == run.outcome.property
        }
        _ => false,
    }
}
