//! What all repetitions of a method at one rate gave, as a line of a table.

use crate::bars::Bars;
use crate::sample::Quartiles;
use htm::{Cause, Tally};
use methods::{Moved, MovedBy, RunResult, percentile};
use programs::{Clock, Traversal};
use std::time::Duration;

/// A line of a table.
#[derive(Default)]
pub(crate) struct Row {
    /// Throughput of the whole run, and of the phases in which regions moved, relative to poll-only.
    ratios: Vec<f64>,
    moving: Vec<f64>,
    regions_per_ms: Vec<f64>,
    megabytes_per_s: Vec<f64>,
    waits_ns: Vec<u64>,
    batches: Vec<Moved>,
    stopped: Duration,
    tally: Tally,
}

impl Row {
    /// Adds a run; `plain` is the rate of poll-only.
    pub(crate) fn add(&mut self, outcome: &RunResult<Traversal>, plain: f64) {
        let collector = &outcome.collector;
        let pace = outcome.mutators[0].moving;
        self.ratios.push(outcome.programs[0].rate(Clock::Wall) / plain);
        self.moving.push(pace.rate() / plain);
        self.regions_per_ms.push(collector.n_regions as f64 / pace.time.as_secs_f64().max(1e-9) / 1e3);
        self.megabytes_per_s.push(collector.copied_words as f64 * 8.0 / collector.moving.as_secs_f64().max(1e-9) / 1e6);
        self.waits_ns.extend(outcome.waits_ns());
        self.batches.extend(&collector.batches);
        self.stopped += collector.stopped;
        self.tally.add(&collector.tally);
    }

    /// The names of what [`Row::print`] prints.
    pub(crate) fn print_heading() {
        println!(
            "  {:<16}{:>22}{:>22} {:>11} {:>10} {:>9} {:>9} {:>10} {:>10} {:>12}",
            "",
            "whole run",
            "while moving",
            "regions/ms",
            "MB/s moved",
            "p50 us",
            "p99 us",
            "max us",
            "fallbacks",
            "stopped ms"
        );
    }

    pub(crate) fn print(&mut self, name: &str) {
        let [middle, most, all] = [50.0, 99.0, 100.0].map(|percent| self.wait_us(percent));
        println!(
            "  {name:<16}{:>22}{:>22} {:>11.1} {:>10.0} {middle:>9.2} {most:>9.2} {all:>10.1} {:>10} {:>12.2}",
            Quartiles::of(self.ratios.clone()).to_string(),
            Quartiles::of(self.moving.clone()).to_string(),
            self.regions_per_ms(),
            Quartiles::of(self.megabytes_per_s.clone()).median,
            self.n_moved(MovedBy::Fallback),
            self.stopped.as_secs_f64() * 1e3,
        );
        if self.tally.attempts > 0 {
            let causes = Cause::ALL.map(|cause| format!("{} {}", cause.word(), self.tally.aborts_by(cause)));
            println!(
                "    {} batches of {:.0} objects, {} in short stops by choice; {:.2} attempts per commit; aborts: {}",
                self.batches.len(),
                mean(self.batches.iter().map(|moved| moved.n_objects as f64)),
                self.n_moved(MovedBy::Stop),
                mean(self.committed().map(|moved| f64::from(moved.n_attempts))),
                causes.join(", ")
            );
        }
    }

    /// The median of the throughput while regions moved.
    pub(crate) fn while_moving(&self) -> f64 {
        Quartiles::of(self.moving.clone()).median
    }

    /// Regions that moved per millisecond of the phases in which regions move.
    pub(crate) fn regions_per_ms(&self) -> f64 {
        Quartiles::of(self.regions_per_ms.clone()).median
    }

    /// A percentile of the waits per handshake.
    pub(crate) fn wait_us(&mut self, percent: f64) -> f64 {
        percentile(&mut self.waits_ns, percent) as f64 / 1e3
    }

    /// The batches of a row.
    pub(crate) fn batches(&self) -> &[Moved] {
        &self.batches
    }

    /// Notes every repetition, for the record.
    pub(crate) fn note(&self, bars: &mut Bars, name: &str) {
        let moved = |by| vec![self.n_moved(by) as f64];
        let causes = Cause::ALL.map(|cause| (cause.word(), vec![self.tally.aborts_by(cause) as f64]));
        let numbers = [
            ("whole run", self.ratios.clone()),
            ("while moving", self.moving.clone()),
            ("regions per ms", self.regions_per_ms.clone()),
            ("batches committed", moved(MovedBy::Commit)),
            ("batches by fallback", moved(MovedBy::Fallback)),
            ("batches by choice", moved(MovedBy::Stop)),
        ];
        for (what, numbers) in numbers.into_iter().chain(causes) {
            bars.note("collecting", &format!("{name}, {what}"), &numbers);
        }
    }

    fn n_moved(&self, by: MovedBy) -> usize {
        self.batches.iter().filter(|moved| moved.by == by).count()
    }

    fn committed(&self) -> impl Iterator<Item = &Moved> {
        self.batches.iter().filter(|moved| moved.is_committed())
    }
}

/// The mean of some values; 0 of none.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
