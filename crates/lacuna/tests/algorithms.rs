//! Known algorithms and kernels of MMTk: they hold as written, and `orders` finds the orders that are known to be needed.
//!
//! Histories have at most three writes here, so that loops without end are small; the pages say what the built-in bound of eight finds.

use crate::command::{ends, root};
use crate::ordering::ask;
use lacuna::parallel;
use lacuna::session::Disk;
use memory::{HistoryModel, MemoryModel};
use repair::{Map, orders, own_orders};

/// The file and variant, and the orders that are enough all together, each by its line and what stands there now.
const LEAST: [(&str, &str, &[&str]); 9] = [
    (
        "litmus/algorithms/peterson.lac",
        "original",
        &[
            "Ordering::AcqRel for `turn.swap(1 - me, seq_cst)`",
            "Ordering::Acquire for `raised[1 - me].load(seq_cst)`",
            "Ordering::Acquire for `turn.load(seq_cst)`",
            "Ordering::Release for `raised[me].store(false, seq_cst)`",
        ],
    ),
    (
        "litmus/algorithms/dekker.lac",
        "original",
        &[
            "fence(SeqCst) for `fence full`",
            "fence(SeqCst) for `fence full`",
            "fence(Acquire) for `fence full`",
            "fence(Release) for `fence full`",
        ],
    ),
    (
        "litmus/algorithms/seqlock.lac",
        "original",
        &[
            "fence(Release) for `fence full`",
            "fence(Release) for `fence full`",
            "fence(Acquire) for `fence full`",
            "Ordering::Release for `number.store(2, seq_cst)`",
            "Ordering::Release for `number.store(4, seq_cst)`",
            "Ordering::Acquire for `number.load(seq_cst)`",
        ],
    ),
    (
        "litmus/algorithms/spsc.lac",
        "original",
        &[
            "Ordering::Acquire for `head.load(seq_cst)`",
            "Ordering::Release for `tail.store(t, seq_cst)`",
            "Ordering::Acquire for `tail.load(seq_cst)`",
            "Ordering::Release for `head.store(h, seq_cst)`",
        ],
    ),
    (
        "litmus/algorithms/treiber.lac",
        "original",
        &[
            "Ordering::Release for `top.cas(old -> node, seq_cst, relaxed)`",
            "Ordering::Acquire for `top.load(seq_cst)`",
        ],
    ),
    (
        "litmus/algorithms/chase_lev.lac",
        "original",
        &[
            "fence(Release) for `fence release`",
            "fence(SeqCst) for `fence full`",
            "fence(SeqCst) for `fence full`",
            "Ordering::Acquire for `bottom.load(acquire)`",
        ],
    ),
    (
        "protocols/mmtk/forwarding.lac",
        "copying",
        &[
            "Ordering::Acquire for `bits.load(seq_cst)`",
            "Ordering::Acquire for `bits.load(seq_cst)`",
            "Ordering::Release for `bits.store(Forwarded, seq_cst)`",
        ],
    ),
    (
        "protocols/mmtk/forwarding.lac",
        "immix",
        &[
            "Ordering::Acquire for `bits.load(seq_cst)`",
            "Ordering::Acquire for `bits.cas(NotTriggered -> BeingForwarded, seq_cst, relaxed)`",
            "Ordering::Acquire for `bits.load(seq_cst)`",
            "Ordering::Release for `bits.store(Forwarded, seq_cst)`",
            "Ordering::Release for `bits.store(NotTriggered, seq_cst)`",
        ],
    ),
    ("protocols/mmtk/satb_barrier.lac", "original", &[]),
];

fn rc11() -> MemoryModel {
    let rc11 = memory::builtin::find("rc11").expect("built in");
    MemoryModel { histories: rc11.histories.map(|histories| HistoryModel { bound: 3, ..histories }), ..rc11 }
}

/// The least costly assignment of all orders together, each without its line; and whether every order that is kept has a witness.
fn least(file: &str, variant: &str) -> (Vec<String>, bool) {
    let loaded = program::load(&Disk, &root().join(file));
    ask(&loaded, variant, &rc11(), |question, _| {
        let problem = own_orders(question);
        let Map::Rows { rows, least, .. } = orders(&problem, 1) else { panic!("{file} {variant} does not hold") };
        let kept: Vec<_> = least[0].kept.iter().map(|(atom, _)| *atom).collect();
        let changes = problem.changes(&kept);
        let words = changes.iter().map(|change| change.split(" (").next().unwrap_or("").to_string());
        let is_witnessed =
            rows.iter().all(|row| !row.enough().is_empty() || row.weaker.iter().all(|w| w.witness.is_some()));
        (words.collect(), is_witnessed)
    })
}

#[test]
fn orders_finds_what_is_known_to_be_needed() {
    parallel::map(&LEAST, |(file, variant, expected)| {
        let (found, is_witnessed) = least(file, variant);
        assert_eq!(found, *expected, "{file} {variant}");
        assert!(is_witnessed, "{file} {variant}");
    });
}

#[test]
fn they_hold_as_written() {
    let files: std::collections::BTreeSet<&str> = LEAST.iter().map(|(file, ..)| *file).collect();
    for file in files {
        let memories = if file.starts_with("litmus") { "rc11" } else { "rc11,armv8,tso,sc" };
        ends(&["check", file, "-m", memories, "--variant", "all", "--expect"], 0, &["holds"]);
    }
}

#[test]
fn the_logging_barrier_needs_a_release_on_arm_and_rc11_cannot_tell() {
    ends(
        &["orders", "protocols/mmtk/satb_barrier.lac", "-m", "armv8"],
        0,
        &["release for `unlogged.swap(false, seq_cst)`"],
    );
}
