//! What barriers cost while nothing moves, and what it costs to run in transactions all the time.

use crate::bars::Bars;
use crate::sample::{Quartiles, geometric_mean, traverse};
use heap::Size;
use methods::{Baker, Brooks, Hardware, LoadValue, Options, PollOnly, Sapphire, StopTheWorld, Transactional, Trigger};
use programs::{Clock, Order, Traversal, Writes};

/// Every node lies apart from the next.
const SCATTERED: Order = Order::Chain { cluster: 1 };

/// Name, structure, what is written, objects, and whether it is read only and in a cache.
const WORKLOADS: [(&str, Order, Writes, u64, bool); 9] = [
    ("chain 16 KB", SCATTERED, Writes::None, 512, true),
    ("chain 256 KB", SCATTERED, Writes::None, 8192, true),
    ("chain 16 KB, data written", SCATTERED, Writes::Data, 512, false),
    ("chain 256 KB, data written", SCATTERED, Writes::Data, 8192, false),
    ("chain 16 KB, references written", SCATTERED, Writes::References, 512, false),
    ("chain 256 KB, references written", SCATTERED, Writes::References, 8192, false),
    ("lookup 20 KB", Order::Lookup, Writes::None, 511, true),
    ("lookup 320 KB", Order::Lookup, Writes::None, 8191, true),
    ("scan of 128 references", Order::Scan, Writes::None, 128, true),
];

/// Hops of each run: some milliseconds.
const N_HOPS: u64 = 2_000_000;

type Rate = fn(Options, &Traversal) -> f64;

/// The first one is what the others are compared with; the second one is what the bars speak of.
const METHODS: [(&str, Rate); 7] = [
    ("poll only", |options, traversal| traverse::<PollOnly>(options, traversal).programs[0].rate(Clock::Processor)),
    ("transactional", |options, traversal| {
        traverse::<Transactional<Hardware>>(options, traversal).programs[0].rate(Clock::Processor)
    }),
    ("load-value", |options, traversal| traverse::<LoadValue>(options, traversal).programs[0].rate(Clock::Processor)),
    ("baker", |options, traversal| traverse::<Baker>(options, traversal).programs[0].rate(Clock::Processor)),
    ("brooks", |options, traversal| traverse::<Brooks>(options, traversal).programs[0].rate(Clock::Processor)),
    ("sapphire", |options, traversal| traverse::<Sapphire>(options, traversal).programs[0].rate(Clock::Processor)),
    ("stop-the-world", |options, traversal| {
        traverse::<StopTheWorld>(options, traversal).programs[0].rate(Clock::Processor)
    }),
];

fn options() -> Options {
    Options { size: Size { n_regions: 128, region_shift: 10 }, trigger: Trigger::Never, ..Options::default() }
}

/// Hops per second, by workload and method, one per repetition.
fn rates(n_repetitions: usize, n_methods: usize) -> Vec<Vec<Vec<f64>>> {
    let mut rates = vec![vec![Vec::new(); n_methods]; WORKLOADS.len()];
    for repetition in 0..n_repetitions {
        for (workload, (_, order, writes, n_nodes, _)) in WORKLOADS.iter().enumerate() {
            let traversal = Traversal::new(*order, *writes, *n_nodes, N_HOPS);
            for turn in 0..n_methods {
                // Another one begins each time.
                let method = (turn + repetition) % n_methods;
                rates[workload][method].push(match METHODS.get(method) {
                    Some((_, rate)) => rate(options(), &traversal),
                    None => METHODS[1].1(Options { always_odd: true, ..options() }, &traversal),
                });
            }
        }
    }
    rates
}

/// The ratios of a method to the first one, repetition by repetition.
fn ratios(row: &[Vec<f64>], method: usize) -> Quartiles {
    Quartiles::of(row[method].iter().zip(&row[0]).map(|(rate, plain)| rate / plain).collect())
}

/// Prints the table and its bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nThroughput relative to poll-only while nothing moves, by processor time");
    let n_methods = METHODS.len() + usize::from(has_rtm);
    let rates = rates(n_repetitions, n_methods);
    let names: Vec<&str> =
        METHODS.iter().map(|(name, _)| *name).chain(has_rtm.then_some("all in transactions")).collect();
    println!("{:<34}{:>8}{}", "", "ns/hop", names[1..].iter().map(|name| format!("{name:>22}")).collect::<String>());
    let mut medians = vec![Vec::new(); n_methods];
    for ((name, .., is_read_only), row) in WORKLOADS.iter().zip(rates) {
        let plain_ns = 1e9 / Quartiles::of(row[0].clone()).median;
        for (method, rates) in names.iter().zip(&row) {
            bars.note("idle", &format!("{name}, {method}, hops per second"), rates);
        }
        let cells: Vec<Quartiles> = (1..n_methods).map(|method| ratios(&row, method)).collect();
        println!(
            "{name:<34}{plain_ns:>8.2}{}",
            cells.iter().map(|cell| format!("{:>22}", cell.to_string())).collect::<String>()
        );
        cells.iter().enumerate().for_each(|(idx, cell)| medians[idx + 1].push((cell.median, *is_read_only)));
    }
    let mean = |method: usize, only_read: bool| {
        let chosen = medians[method].iter().filter(|(_, is_read_only)| *is_read_only || !only_read);
        geometric_mean(&chosen.map(|(median, _)| *median).collect::<Vec<_>>())
    };
    let means =
        |only_read| (1..n_methods).map(|method| format!("{:>22.3}", mean(method, only_read))).collect::<String>();
    println!("{:<42}{}", "geometric mean", means(false));
    println!("{:<42}{}", "the same, read only and in cache", means(true));
    bars.at_least("idle transactional barrier, of poll-only, all workloads", 0.97, Some(mean(1, false)));
    for (method, bar) in [(2, 1.04), (3, 1.10), (4, 1.20)] {
        let what = format!("idle transactional barrier, times {}, read only in cache", METHODS[method].0);
        bars.at_least(&what, bar, Some(mean(1, true) / mean(method, true)));
    }
    let in_transactions = has_rtm.then(|| mean(METHODS.len(), false));
    bars.at_least("mutators wholly in transactions, of poll-only", 0.85, in_transactions);
}
