//! Throughput and waits while regions move, at several rates.

use crate::bars::{Bars, NO_RTM};
use crate::sample::{Quartiles, baseline, traverse};
use heap::Size;
use htm::Cause;
use methods::{
    Baker, Brooks, Hardware, LoadValue, Options, Outcome, Sapphire, Selection, StopTheWorld, Transactional, Trigger,
    percentile,
};
use programs::{Clock, Order, Traversal, Writes};
use std::time::Duration;

type Run = fn(Options, &Traversal) -> Outcome<Traversal>;

const METHODS: [(&str, Run); 6] = [
    ("transactional", traverse::<Transactional<Hardware>>),
    ("stop-the-world", traverse::<StopTheWorld>),
    ("load-value", traverse::<LoadValue>),
    ("baker", traverse::<Baker>),
    ("brooks", traverse::<Brooks>),
    ("sapphire", traverse::<Sapphire>),
];

/// Hops of each run: some tens of milliseconds.
const N_HOPS: u64 = 10_000_000;

/// Rests between two moves.
const RESTS: [(&str, Duration); 3] = [
    ("continuous", Duration::ZERO),
    ("20 us between regions", Duration::from_micros(20)),
    ("100 us between regions", Duration::from_micros(100)),
];

/// What all repetitions of a method at one rate gave.
#[derive(Default)]
struct Row {
    ratios: Vec<f64>,
    regions_per_ms: Vec<f64>,
    megabytes_per_s: Vec<f64>,
    waits_ns: Vec<u64>,
    n_fallbacks: u64,
    fallback: Duration,
    attempts: Vec<u32>,
    aborts: [u64; Cause::ALL.len()],
}

fn options(rest: Duration) -> Options {
    Options {
        size: Size { n_regions: 256, region_shift: 10 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        rest,
        ..Options::default()
    }
}

impl Row {
    fn add(&mut self, outcome: &Outcome<Traversal>, plain: f64) {
        let collector = &outcome.collector;
        let seconds = outcome.elapsed.as_secs_f64();
        self.ratios.push(outcome.programs[0].rate(Clock::Wall) / plain);
        self.regions_per_ms.push(collector.n_regions as f64 / seconds / 1e3);
        self.megabytes_per_s.push(collector.copied_words as f64 * 8.0 / collector.moving.as_secs_f64().max(1e-9) / 1e6);
        self.waits_ns.extend(outcome.waits_ns());
        self.n_fallbacks += collector.n_fallbacks;
        self.fallback += collector.fallback;
        self.attempts.extend(&collector.attempts);
        self.aborts.iter_mut().zip(collector.tally.aborts).for_each(|(sum, n)| *sum += n);
    }

    fn print(&mut self, name: &str) {
        let wait = |row: &mut Row, percent| percentile(&mut row.waits_ns, percent) as f64 / 1e3;
        let (middle, most, all) = (wait(self, 50.0), wait(self, 99.0), wait(self, 100.0));
        println!(
            "  {name:<16}{:>22} {:>11.1} {:>10.0} {middle:>9.2} {most:>9.2} {all:>10.1} {:>10} {:>12.2}",
            Quartiles::of(self.ratios.clone()).to_string(),
            Quartiles::of(self.regions_per_ms.clone()).median,
            Quartiles::of(self.megabytes_per_s.clone()).median,
            self.n_fallbacks,
            self.fallback.as_secs_f64() * 1e3,
        );
        if !self.attempts.is_empty() {
            let mean = self.mean_attempts();
            let causes = Cause::ALL.iter().map(|cause| format!("{} {}", cause.word(), self.aborts[cause.index()]));
            println!("    {:.2} attempts per commit; aborts: {}", mean, causes.collect::<Vec<_>>().join(", "));
        }
    }

    fn mean_attempts(&self) -> f64 {
        self.attempts.iter().map(|n| f64::from(*n)).sum::<f64>() / self.attempts.len().max(1) as f64
    }

    fn committed_share(&self) -> f64 {
        self.attempts.len() as f64 / (self.attempts.len() as u64 + self.n_fallbacks).max(1) as f64
    }
}

/// Prints a table per rate, and the bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!(
        "\nOne mutator on a chain of 256 KB, data written, while regions of 8 KB move: throughput relative to poll-only"
    );
    println!(
        "  {:<16}{:>22} {:>11} {:>10} {:>9} {:>9} {:>10} {:>10} {:>12}",
        "", "ratio", "regions/ms", "MB/s moved", "p50 us", "p99 us", "max us", "fallbacks", "fallback ms"
    );
    let mut worst = f64::INFINITY;
    for (name, rest) in RESTS {
        println!(" {name}");
        let mut rows = rows(n_repetitions, options(rest));
        METHODS.iter().zip(&mut rows).for_each(|((method, _), row)| row.print(method));
        let ratio = |row: &Row| Quartiles::of(row.ratios.clone()).median;
        worst = worst.min(ratio(&rows[0]) / ratio(&rows[1]));
        if rest.is_zero() && has_rtm {
            judge(&mut rows, bars);
        }
    }
    let what = "transactional, times stop-the-world's throughput, at the worst rate";
    match has_rtm {
        true => bars.at_least(what, 0.95, worst),
        false => skip(bars, what),
    }
}

fn rows(n_repetitions: usize, options: Options) -> Vec<Row> {
    let traversal = Traversal::new(Order::Chain, Writes::Data, 8192, N_HOPS);
    let mut rows: Vec<Row> = METHODS.iter().map(|_| Row::default()).collect();
    for repetition in 0..n_repetitions {
        let plain = baseline(options, &traversal, Clock::Wall);
        for turn in 0..METHODS.len() {
            let method = (turn + repetition) % METHODS.len();
            rows[method].add(&METHODS[method].1(options, &traversal), plain);
        }
    }
    rows
}

fn judge(rows: &mut [Row], bars: &mut Bars) {
    let ratio = |row: &Row| Quartiles::of(row.ratios.clone()).median;
    bars.at_least(
        "transactional, times stop-the-world's throughput, continuous",
        1.3,
        ratio(&rows[0]) / ratio(&rows[1]),
    );
    bars.at_least("batches of at most 256 objects committed by hardware", 0.99, rows[0].committed_share());
    bars.at_most("attempts per committed batch", 2.5, rows[0].mean_attempts());
    let waits = [0, 1].map(|method: usize| percentile(&mut rows[method].waits_ns, 99.0).max(1) as f64);
    bars.at_least("wait per handshake, p99: stop-the-world's, times transactional's", 8.0, waits[1] / waits[0]);
}

fn skip(bars: &mut Bars, worst: &str) {
    bars.skip("transactional, times stop-the-world's throughput, continuous", ">= 1.3", NO_RTM);
    bars.skip("batches of at most 256 objects committed by hardware", ">= 0.99", NO_RTM);
    bars.skip("attempts per committed batch", "<= 2.5", NO_RTM);
    bars.skip("wait per handshake, p99: stop-the-world's, times transactional's", ">= 8", NO_RTM);
    bars.skip(worst, ">= 0.95", NO_RTM);
}
