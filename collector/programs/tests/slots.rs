//! Which slots move with a batch: those of objects that are still there, each once.

use heap::Size;
use methods::{Moves, Options, Price, Prices, Selection, Software, Transactional, Trigger, run};
use programs::{Order, Traversal, Writes};

/// A chain whose nodes all lie apart: one slot refers to each object.
///
/// When its region moves, some of these slots lie in regions that have moved before. Then there are two of them: the original's,
/// which nothing looks at any more, and the replica's. Only the replica's counts.
fn slots_per_object(moves: Moves) -> f64 {
    let options = Options {
        size: Size { n_regions: 48, region_shift: 9 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        sanity: true,
        moves,
        schedule: Some(3),
        ..Options::default()
    };
    let traversal = Traversal::new(Order::Chain { cluster: 1 }, Writes::None, 1024, 40_000);
    let outcome =
        run::<Transactional<Software>, _>(options, vec![traversal]).unwrap_or_else(|message| panic!("{message}"));
    assert!(outcome.collector.n_cycles > 4, "{} cycles", outcome.collector.n_cycles);
    outcome.collector.n_slots as f64 / outcome.collector.n_objects as f64
}

#[test]
fn slots_of_originals_that_have_moved_are_left_alone() {
    let price = Price { handshake_ns: 1.0, attempt_ns: 1e6, stop_ns: 1.0 };
    for moves in [Moves::InTransactions, Moves::Cheapest(Prices::Given(price))] {
        let n = slots_per_object(moves);
        assert!((0.9..1.05).contains(&n), "{moves:?}: {n} slots for each object");
    }
}

/// A mutator that builds a chain logs slots with each step: more than a transaction takes in, while a batch is prepared.
/// They are looked at once more before the attempt, so most batches get by with one round.
#[test]
fn slots_logged_while_a_batch_is_prepared_are_taken_in() {
    let (mut n_batches, mut n_given_up) = (0, 0);
    for seed in 0..12 {
        let options = Options {
            size: Size { n_regions: 48, region_shift: 9 },
            trigger: Trigger::Continuous,
            selection: Selection::All,
            sanity: true,
            schedule: Some(seed),
            ..Options::default()
        };
        let traversal = Traversal::new(Order::Chain { cluster: 4 }, Writes::None, 1500, 1);
        let outcome =
            run::<Transactional<Software>, _>(options, vec![traversal]).unwrap_or_else(|message| panic!("{message}"));
        n_batches += outcome.collector.batches.len();
        n_given_up += outcome.collector.tally.aborts_by(htm::Cause::Explicit(0));
    }
    assert!(
        5 * n_given_up < 6 * n_batches as u64,
        "{n_given_up} attempts of {n_batches} batches met too many late slots"
    );
}
