//! Throughput and waits while regions move, at several rates.
//!
//! Bars compare throughput *while regions move*: marking is the same for all methods, and beside it differences are small.

use crate::bars::Bars;
use crate::row::{Row, mean};
use crate::sample::{geometric_mean, traverse_undisturbed};
use heap::Size;
use methods::{
    Baker, Brooks, Hardware, LoadValue, Moved, MovedBy, Moves, Options, PollOnly, Prices, RunResult, Sapphire,
    Selection, StopTheWorld, Transactional, Trigger,
};
use programs::{Clock, Order, Traversal, Writes};
use std::time::Duration;

type Run = fn(Options, &Traversal) -> RunResult<Traversal>;

/// The first two are compared by the bars. The first one chooses between transactions and short stops; the last one does not.
const METHODS: [(&str, Run); 7] = [
    ("transactional", |options, traversal| {
        let options = Options { moves: Moves::Cheapest(Prices::Measured), ..options };
        traverse_undisturbed::<Transactional<Hardware>>(options, traversal)
    }),
    ("stop-the-world", traverse_undisturbed::<StopTheWorld>),
    ("load-value", traverse_undisturbed::<LoadValue>),
    ("baker", traverse_undisturbed::<Baker>),
    ("brooks", traverse_undisturbed::<Brooks>),
    ("sapphire", traverse_undisturbed::<Sapphire>),
    ("no short stops", traverse_undisturbed::<Transactional<Hardware>>),
];

/// A chain in clusters of four, so that a quarter of the objects is referred to from elsewhere.
const ORDER: Order = Order::Chain { cluster: 4 };

/// Hops of each run: some tens of milliseconds.
const N_HOPS: u64 = 10_000_000;

/// Name, objects of 32 bytes, regions of 8 KB.
const HEAPS: [(&str, u64, usize); 2] = [("256 KB", 8192, 256), ("4 MB", 131_072, 1280)];

/// Periods of the rates at which every method can keep up.
const PERIODS: [Duration; 2] = [Duration::from_micros(20), Duration::from_micros(100)];

/// What the bars speak of, over all heaps.
#[derive(Default)]
struct Compared {
    /// At the same rate, the highest that both have.
    throughputs: Vec<f64>,
    /// At every rate.
    at_all_rates: Vec<f64>,
    /// Stop-the-world's wait, times the transactional one.
    waits: Vec<f64>,
    batches: Vec<Moved>,
}

/// Prints a table per heap and rate, and the bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nOne mutator on a chain, data written, while regions of 8 KB move: throughput relative to poll-only");
    Row::print_heading();
    let mut compared = Compared::default();
    for heap in HEAPS {
        let free = table(n_repetitions, heap, Duration::ZERO, "continuous", &mut compared, bars);
        let rate = free[0].regions_per_ms().min(free[1].regions_per_ms());
        let period = Duration::from_secs_f64(1e-3 / rate.max(1.0));
        let name = format!("the same rate: {:.1} us per region", period.as_secs_f64() * 1e6);
        let mut rows = table(n_repetitions, heap, period, &name, &mut compared, bars);
        compared.throughputs.push(rows[0].while_moving() / rows[1].while_moving());
        compared.waits.push(rows[1].wait_us(99.0) / rows[0].wait_us(99.0).max(1e-3));
        for period in PERIODS {
            let name = format!("{} us per region", period.as_micros());
            table(n_repetitions, heap, period, &name, &mut compared, bars);
        }
    }
    compared.judge(has_rtm, bars);
}

/// Runs and prints every method at one rate.
fn table(
    n_repetitions: usize,
    (heap, n_nodes, n_regions): (&str, u64, usize),
    period: Duration,
    rate: &str,
    compared: &mut Compared,
    bars: &mut Bars,
) -> Vec<Row> {
    let options = Options {
        size: Size { n_regions, region_shift: 10 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        period,
        ..Options::default()
    };
    let traversal = Traversal::new(ORDER, Writes::Data, n_nodes, N_HOPS);
    let mut rows: Vec<Row> = METHODS.iter().map(|_| Row::default()).collect();
    for repetition in 0..n_repetitions {
        let idle = Options { trigger: Trigger::Never, ..options };
        let plain = traverse_undisturbed::<PollOnly>(idle, &traversal).programs[0].rate(Clock::Wall);
        for turn in 0..METHODS.len() {
            let method = (turn + repetition) % METHODS.len();
            rows[method].add(&METHODS[method].1(options, &traversal), plain);
        }
    }
    println!(" {heap}, {rate}");
    for ((method, _), row) in METHODS.iter().zip(&mut rows) {
        row.print(method);
        row.note(bars, &format!("{heap}, {rate}, {method}"));
    }
    compared.at_all_rates.push(rows[0].while_moving() / rows[1].while_moving());
    compared.batches.extend(rows[0].batches());
    rows
}

impl Compared {
    fn judge(&self, has_rtm: bool, bars: &mut Bars) {
        let committed = || self.batches.iter().filter(|moved| moved.is_committed());
        let n_tried = self.batches.iter().filter(|moved| moved.by != MovedBy::Stop).count();
        let share = committed().count() as f64 / n_tried.max(1) as f64;
        let attempts = mean(committed().map(|moved| f64::from(moved.n_attempts)));
        let worst = self.at_all_rates.iter().copied().fold(f64::INFINITY, f64::min);
        let least = [
            ("throughput while moving, times stop-the-world's, same rate", 1.3, geometric_mean(&self.throughputs)),
            ("throughput while moving, times stop-the-world's, worst rate", 0.95, worst),
            ("batches of at most 256 objects tried in transactions, committed", 0.99, share),
            ("wait per handshake, p99: stop-the-world's, times transactional's", 8.0, geometric_mean(&self.waits)),
        ];
        for (what, bar, value) in least {
            bars.at_least(what, bar, has_rtm.then_some(value));
        }
        bars.at_most("attempts per committed batch", 2.5, has_rtm.then_some(attempts));
    }
}
