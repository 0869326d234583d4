//! What barriers cost while nothing moves, and what it costs to run in transactions all the time.

use crate::bars::{Bars, NO_RTM};
use crate::sample::{Quartiles, baseline, geometric_mean, traverse};
use heap::Size;
use methods::{Baker, Brooks, Hardware, LoadValue, Options, Sapphire, StopTheWorld, Transactional, Trigger};
use programs::{Clock, Order, Traversal, Writes};
use std::time::Duration;

/// Name, structure, what is written, objects, and whether it is read only and in a cache.
const WORKLOADS: [(&str, Order, Writes, u64, bool); 9] = [
    ("chain 16 KB", Order::Chain, Writes::None, 512, true),
    ("chain 256 KB", Order::Chain, Writes::None, 8192, true),
    ("chain 16 KB, data written", Order::Chain, Writes::Data, 512, false),
    ("chain 256 KB, data written", Order::Chain, Writes::Data, 8192, false),
    ("chain 16 KB, references written", Order::Chain, Writes::References, 512, false),
    ("chain 256 KB, references written", Order::Chain, Writes::References, 8192, false),
    ("lookup 20 KB", Order::Lookup, Writes::None, 511, true),
    ("lookup 320 KB", Order::Lookup, Writes::None, 8191, true),
    ("scan of 128 references", Order::Scan, Writes::None, 128, true),
];

type Rate = fn(Options, &Traversal) -> f64;

const METHODS: [(&str, Rate); 6] = [
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
    Options {
        size: Size { n_regions: 128, region_shift: 10 },
        trigger: Trigger::Never,
        limit: Some(Duration::from_millis(12)),
        ..Options::default()
    }
}

/// The ratios to poll-only, by workload and method, one per repetition.
fn ratios(n_repetitions: usize, n_methods: usize) -> Vec<Vec<Vec<f64>>> {
    let mut ratios = vec![vec![Vec::new(); n_methods]; WORKLOADS.len()];
    for repetition in 0..n_repetitions {
        for (workload, (_, order, writes, n_nodes, _)) in WORKLOADS.iter().enumerate() {
            let traversal = Traversal::new(*order, *writes, *n_nodes);
            let plain = baseline(options(), &traversal, Clock::Processor);
            for turn in 0..n_methods {
                // Another one begins each time.
                let method = (turn + repetition) % n_methods;
                let rate = match METHODS.get(method) {
                    Some((_, rate)) => rate(options(), &traversal),
                    None => METHODS[0].1(Options { always_odd: true, ..options() }, &traversal),
                };
                ratios[workload][method].push(rate / plain);
            }
        }
    }
    ratios
}

/// Prints the table and its bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nThroughput relative to poll-only while nothing moves, by processor time");
    let n_methods = METHODS.len() + usize::from(has_rtm);
    let ratios = ratios(n_repetitions, n_methods);
    let names: Vec<&str> =
        METHODS.iter().map(|(name, _)| *name).chain(has_rtm.then_some("all in transactions")).collect();
    println!("{:<34}{}", "", names.iter().map(|name| format!("{name:>22}")).collect::<String>());
    let mut medians = vec![Vec::new(); n_methods];
    for ((name, .., is_read_only), row) in WORKLOADS.iter().zip(ratios) {
        let cells: Vec<Quartiles> = row.into_iter().map(Quartiles::of).collect();
        println!("{name:<34}{}", cells.iter().map(|cell| format!("{:>22}", cell.to_string())).collect::<String>());
        cells.iter().enumerate().for_each(|(method, cell)| medians[method].push((cell.median, *is_read_only)));
    }
    let mean = |method: usize, only_read: bool| {
        let chosen = medians[method].iter().filter(|(_, is_read_only)| *is_read_only || !only_read);
        geometric_mean(&chosen.map(|(median, _)| *median).collect::<Vec<_>>())
    };
    let means =
        |only_read| (0..n_methods).map(|method| format!("{:>22.3}", mean(method, only_read))).collect::<String>();
    println!("{:<34}{}", "geometric mean", means(false));
    println!("{:<34}{}", "the same, read only and in cache", means(true));
    bars.at_least("idle transactional barrier, of poll-only, all workloads", 0.97, mean(0, false));
    for (method, bar) in [(1, 1.04), (2, 1.10), (3, 1.20)] {
        let what = format!("idle transactional barrier, times {}, read only in cache", METHODS[method].0);
        bars.at_least(&what, bar, mean(0, true) / mean(method, true));
    }
    let what = "mutators wholly in transactions, of poll-only";
    match has_rtm {
        true => bars.at_least(what, 0.85, mean(METHODS.len(), false)),
        false => bars.skip(what, ">= 0.85", NO_RTM),
    }
}
