//! Which lines conflict: batches of one size while a mutator only reads, writes data, or writes references. Needs RTM.
//!
//! A processor does not say which line has conflicted, so what mutators do is taken apart instead. Who only reads conflicts in
//! slots that a batch has updated, and in the counter. Writing data adds the originals, writing references the ends of the logs.

use crate::bars::{Bars, NO_RTM};
use crate::sample::{Quartiles, traverse_undisturbed};
use heap::Size;
use htm::Cause;
use methods::{Hardware, Options, Selection, Transactional, Trigger};
use programs::{Order, Traversal, Writes};

/// Objects of a batch: about what batches had on the first machine with RTM.
const N_OBJECTS: usize = 64;
const N_HOPS: u64 = 4_000_000;
const HEAPS: [(&str, u64, usize); 2] = [("256 KB", 8192, 256), ("4 MB", 131_072, 1280)];
const WRITES: [(&str, Writes); 3] =
    [("nothing written", Writes::None), ("data written", Writes::Data), ("references written", Writes::References)];

/// Prints conflicts per attempt.
pub(crate) fn measure(n_repetitions: usize, has_rtm: bool, bars: &mut Bars) {
    println!("\nConflicts per attempt of batches of {N_OBJECTS} objects, by what the mutator writes");
    if !has_rtm {
        println!("  skipped: {NO_RTM}");
        return;
    }
    for heap in HEAPS {
        for (what, writes) in WRITES {
            let shares: Vec<f64> = (0..n_repetitions).map(|_| share(heap, writes)).collect();
            bars.note("conflicts", &format!("{}, {what}", heap.0), &shares);
            println!("  {:<10}{what:<22}{}", heap.0, Quartiles::of(shares));
        }
    }
}

fn share((_, n_nodes, n_regions): (&str, u64, usize), writes: Writes) -> f64 {
    let options = Options {
        size: Size { n_regions, region_shift: 10 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        adapts: false,
        max_batch: N_OBJECTS,
        ..Options::default()
    };
    let traversal = Traversal::new(Order::Chain { cluster: 4 }, writes, n_nodes, N_HOPS);
    let tally = traverse_undisturbed::<Transactional<Hardware>>(options, &traversal).collector.tally;
    tally.aborts_by(Cause::Conflict) as f64 / tally.attempts.max(1) as f64
}
