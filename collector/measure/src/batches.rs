//! How many objects one collector transaction moves: direct, optimistic, warmed up; and by hash, which is opt-in.
//!
//! Batches do not adapt here, and the mutator does not touch the heap: for each size, the share that commits at the first
//! attempt. Needs RTM.

use crate::bars::{Bars, NO_RTM};
use crate::sample::Quartiles;
use heap::Size;
use htm::Cause;
use methods::{
    Compare, Copying, Hardware, Method, Mutator, Options, Program, Progress, Selection, Step, Transactional, Trigger,
    run,
};
use programs::{Order, Traversal, Writes};
use std::time::Duration;

/// Words of a region, by their logarithm: room for the largest batch.
const REGION_SHIFT: u32 = 13;
/// Objects of 4 words: four regions full.
const N_NODES: u64 = 4 << (REGION_SHIFT - 2);
/// First attempts that must commit for a size to count.
pub(crate) const SHARE: f64 = 0.9;

/// Ways to copy, with passes of warming up.
pub(crate) const SCHEMES: [(&str, Copying, u32); 5] = [
    ("direct", Copying::Direct, 0),
    ("optimistic", Copying::Optimistic(Compare::Shadow), 0),
    ("optimistic, warmed up", Copying::Optimistic(Compare::Shadow), 1),
    ("by hash, warmed up (opt-in)", Copying::Optimistic(Compare::Hash), 1),
    ("untracked, warmed up (opt-in)", Copying::Optimistic(Compare::Untracked), 1),
];

/// Slots elsewhere in the heap that refer to objects of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slots {
    None,
    OnePerObject,
}

/// With the bar of optimistic copying, times direct.
pub(crate) const SHAPES: [(Slots, f64); 2] = [(Slots::None, 1.1), (Slots::OnePerObject, 1.25)];

impl Slots {
    pub(crate) fn name(self) -> &'static str {
        ["no slots", "one slot per object"][self as usize]
    }

    /// A chain whose nodes lie side by side, or all apart.
    fn order(self) -> Order {
        Order::Chain { cluster: if self == Slots::None { u64::MAX } else { 1 } }
    }
}

/// Builds the structure, then only passes yieldpoints.
#[derive(Clone)]
struct Quiet(Traversal);

impl Program for Quiet {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if self.0.is_built() { Ok(Progress::More) } else { self.0.step(mutator) }
    }
}

/// The share of batches of this size that committed at the first attempt, if there were any. Notes it with the causes of aborts.
fn share(
    (scheme, copying, warm_passes): (&str, Copying, u32),
    slots: Slots,
    size: usize,
    bars: &mut Bars,
) -> Option<f64> {
    let options = Options {
        size: Size { n_regions: 64, region_shift: REGION_SHIFT },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        adapts: false,
        limit: Some(Duration::from_millis(25)),
        copying,
        warm_passes,
        max_batch: size,
        ..Options::default()
    };
    let program = Quiet(Traversal::new(slots.order(), Writes::None, N_NODES, u64::MAX));
    let outcome =
        run::<Transactional<Hardware>, _>(options, vec![program]).unwrap_or_else(|message| panic!("{message}"));
    let full: Vec<_> = outcome.collector.batches.iter().filter(|moved| moved.n_objects == size).collect();
    let n_first = full.iter().filter(|moved| moved.is_committed() && moved.n_attempts == 1).count();
    let share = (!full.is_empty()).then(|| n_first as f64 / full.len() as f64);
    let what = format!("{}, {scheme}, {size} objects", slots.name());
    bars.note("batches", &format!("{what}, share"), share.as_slice());
    let aborts = Cause::ALL.map(|cause| outcome.collector.tally.aborts_by(cause) as f64);
    bars.note("batches", &format!("{what}, aborts by cause in the order of causes"), &aborts);
    share
}

/// Whether loads can be kept out of the read set.
fn can_suspend() -> bool {
    htm::Rtm::detect().is_ok_and(|rtm| rtm.load_tracking().is_some())
}

/// The sizes that are tried, each a tenth larger than the last.
fn sizes() -> Vec<usize> {
    let next = |size: &usize| Some(size + size.div_ceil(10)).filter(|size| *size <= 1 << (REGION_SHIFT - 2));
    std::iter::successors(Some(16), next).collect()
}

/// The largest size that is good enough, found by bisection; 0 if none is.
pub(crate) fn largest(mut is_enough: impl FnMut(usize) -> bool) -> usize {
    let sizes = sizes();
    let n = sizes.partition_point(|size| is_enough(*size));
    n.checked_sub(1).map_or(0, |idx| sizes[idx])
}

/// Prints the largest sizes and the bars.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nObjects per collector transaction: the largest batch of which {SHARE} commit at the first attempt");
    if !has_rtm {
        println!("  skipped: {NO_RTM}");
    }
    for (slots, bar) in SHAPES {
        let shape = slots.name();
        let what = format!("objects per batch, optimistic and warm, times direct, {shape}");
        if !has_rtm {
            bars.at_least(&what, bar, None);
            continue;
        }
        // One after the other in each repetition.
        let largest: Vec<[f64; SCHEMES.len()]> = (0..n_repetitions)
            .map(|_| {
                SCHEMES.map(|scheme| {
                    let is_enough = |size| share(scheme, slots, size, bars).is_some_and(|share| share >= SHARE);
                    largest(is_enough) as f64
                })
            })
            .collect();
        for (idx, (scheme, copying, _)) in SCHEMES.iter().enumerate() {
            if *copying == Copying::Optimistic(Compare::Untracked) && !can_suspend() {
                println!("  {shape:<22}{scheme:<30}skipped: no TSXLDTRK, so the shadow is tracked");
                continue;
            }
            println!("  {shape:<22}{scheme:<30}{}", Quartiles::of(largest.iter().map(|all| all[idx]).collect()));
        }
        let ratios = largest.iter().map(|[direct, _, warm, ..]| warm / direct.max(1.0)).collect();
        bars.at_least(&what, bar, Some(Quartiles::of(ratios).median));
    }
}
