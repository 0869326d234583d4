//! How many objects one collector transaction moves: direct, optimistic, warmed up; and by hash, which is opt-in.
//!
//! The batch does not adapt here: for each size, the share that commits at the first attempt. Needs RTM.

use crate::bars::{Bars, NO_RTM};
use crate::sample::{Quartiles, traverse};
use heap::Size;
use methods::{Compare, Copying, Hardware, Options, Selection, Transactional, Trigger};
use programs::{Order, Traversal, Writes};
use std::time::Duration;

const SIZES: [usize; 10] = [64, 96, 128, 192, 256, 384, 512, 640, 768, 1024];
/// First attempts that must commit for a size to count.
const SHARE: f64 = 0.9;

const SCHEMES: [(&str, Copying, u32); 4] = [
    ("direct", Copying::Direct, 0),
    ("optimistic", Copying::Optimistic(Compare::Shadow), 0),
    ("optimistic, warmed up", Copying::Optimistic(Compare::Shadow), 1),
    ("by hash, warmed up (opt-in)", Copying::Optimistic(Compare::Hash), 1),
];

/// Objects of 32 bytes; referenced by an array's few slots (none to speak of), or by one slot each, in a chain.
const SHAPES: [(&str, Order); 2] = [("no slots", Order::Lookup), ("one slot per object", Order::Chain)];

fn options(copying: Copying, warm_passes: u32, max_batch: usize) -> Options {
    Options {
        size: Size { n_regions: 64, region_shift: 13 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        adapts: false,
        limit: Some(Duration::from_millis(25)),
        copying,
        warm_passes,
        max_batch,
        ..Options::default()
    }
}

/// The share of batches of this size that committed at the first attempt.
fn share(copying: Copying, warm_passes: u32, size: usize, order: Order) -> f64 {
    let traversal = Traversal::new(order, Writes::None, 8191, u64::MAX);
    let outcome = traverse::<Transactional<Hardware>>(options(copying, warm_passes, size), &traversal);
    let collector = &outcome.collector;
    let full = collector.attempts.iter().zip(&collector.batches).filter(|(_, n)| **n as usize == size);
    let n_first = full.filter(|(attempts, _)| **attempts == 1).count();
    n_first as f64 / (collector.batches.len() as u64 + collector.n_fallbacks).max(1) as f64
}

/// Prints the largest sizes and the bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nObjects per collector transaction: the largest batch of which {SHARE} commit at the first attempt");
    let names = [("no slots", 1.1), ("one slot per object", 1.25)];
    if !has_rtm {
        println!("  skipped: {NO_RTM}");
        for (name, bar) in names {
            bars.skip(&format!("optimistic and warmed up, times direct, {name}"), &format!(">= {bar}"), NO_RTM);
        }
        return;
    }
    for ((shape, order), (_, bar)) in SHAPES.iter().zip(names) {
        let largest = SCHEMES.map(|(scheme, copying, warm_passes)| {
            let largest = largest(n_repetitions, copying, warm_passes, *order);
            println!("  {shape:<22}{scheme:<30}{largest:>6}");
            largest
        });
        let ratio = largest[2] as f64 / largest[0].max(1) as f64;
        bars.at_least(&format!("optimistic and warmed up, times direct, {shape}"), bar, ratio);
    }
}

fn largest(n_repetitions: usize, copying: Copying, warm_passes: u32, order: Order) -> usize {
    let reaches = |size: usize| {
        let shares = (0..n_repetitions.min(5)).map(|_| share(copying, warm_passes, size, order)).collect();
        Quartiles::of(shares).median >= SHARE
    };
    SIZES.into_iter().take_while(|size| reaches(*size)).last().unwrap_or(0)
}
