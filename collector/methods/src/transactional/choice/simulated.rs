//! The rule against simulated prices and conflicts: it is never much worse than the better of the two ways, and learns per region.

use super::{Choice, MAX_STOP_NS, MIN_BATCH, MoveBy, ODD_SHARE};
use crate::access::Random;
use crate::options::{Moves, Options, Price, Prices};

const REGION_OBJECTS: usize = 256;
const N_REGIONS: usize = 1000;

/// A machine and a program, as far as prices go.
#[derive(Clone, Copy, Debug)]
struct Environment {
    price: Price,
    /// Conflicts per object of an attempt, in every other region.
    heats: [f64; 2],
    /// Objects that fit a transaction.
    capacity: usize,
}

/// How regions move in a simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Moved {
    By(Moves),
    Stopped,
}

/// What mutators lost, and the share of objects that moved in stops in regions of each heat.
struct Lost {
    ns: f64,
    stopped: [f64; 2],
}

fn simulate(environment: Environment, moved: Moved) -> Lost {
    let Environment { price, heats, capacity } = environment;
    let moves = if let Moved::By(moves) = moved { moves } else { Moves::InTransactions };
    let mut choice = Choice::new(&Options { moves, ..Options::default() });
    let mut random = Random::new(7);
    let mut lost = Lost { ns: 0.0, stopped: [0.0; 2] };
    for region in 0..N_REGIONS {
        choice.begin_region();
        let (mut left, heat, mut was_refused) = (REGION_OBJECTS, heats[region % 2], false);
        while left > 0 {
            let is_stopped = moved == Moved::Stopped;
            let longest = ((MAX_STOP_NS - price.handshake_ns) / price.stop_ns) as usize;
            let n = if is_stopped { longest.max(MIN_BATCH) } else { choice.size() }.min(left);
            let move_by =
                if is_stopped { MoveBy::Stop } else { choice.move_by(n, Some(events(&mut random, heat * n as f64))) };
            choice.note_handshake(price.handshake_ns);
            if move_by == MoveBy::Cut {
                continue;
            }
            if move_by == MoveBy::Transaction {
                let (ns, is_committed) = attempts(&mut choice, &mut random, environment, heat, n);
                lost.ns += ns;
                if n > capacity {
                    choice.shrink(n);
                    continue;
                }
                if is_committed {
                    (left, was_refused) = (left - n, false);
                    continue;
                }
                if !was_refused && choice.tries_again(n) {
                    was_refused = true;
                    continue;
                }
            }
            lost.ns += price.handshake_ns + price.stop_ns * n as f64;
            lost.stopped[region % 2] += n as f64 / (REGION_OBJECTS * N_REGIONS / 2) as f64;
            choice.note_stop(n, price.stop_ns * n as f64);
            (left, was_refused) = (left - n, false);
        }
    }
    lost
}

/// How often something happens that is expected so often.
fn events(random: &mut Random, expected: f64) -> usize {
    let mut left = expected;
    let exponential = |random: &mut Random| -((random.below(1 << 20) + 1) as f64 / f64::from(1 << 20)).ln();
    std::iter::from_fn(|| {
        left -= exponential(random);
        (left > 0.0).then_some(())
    })
    .count()
}

/// Rounds of four attempts: what was lost, and whether the batch has committed.
fn attempts(choice: &mut Choice, random: &mut Random, environment: Environment, heat: f64, n: usize) -> (f64, bool) {
    let Environment { price, capacity, .. } = environment;
    let attempt_ns = price.attempt_ns * n as f64;
    let (mut ns, mut n_attempts) = (0.0, 0);
    for _round in 0..if choice.gives_up_early() { 1 } else { 3 } {
        ns += (2.0 + ODD_SHARE) * price.handshake_ns;
        for attempt in 1..=4 {
            n_attempts += 1;
            ns += price.handshake_ns + ODD_SHARE * attempt_ns;
            if n > capacity {
                return (ns, false);
            }
            if events(random, heat * n as f64) == 0 {
                choice.note_attempts(n, attempt, attempt - 1, f64::from(attempt) * attempt_ns);
                choice.note_commit(n, n_attempts);
                return (ns, true);
            }
        }
        choice.note_attempts(n, 4, 4, 4.0 * attempt_ns);
    }
    (ns, false)
}

/// Cheap and dear handshakes, quick and slow attempts and stops, cold to hot, roomy and tight.
fn environments() -> Vec<Environment> {
    let mut all = Vec::new();
    for handshake_ns in [100.0, 250.0, 1000.0] {
        for attempt_ns in [2.0, 8.0] {
            // A stop does what an attempt does, and fixes roots.
            for stop_ns in [1.0, 2.5, 5.0].map(|factor| factor * attempt_ns) {
                for heat in [0.0, 1e-4, 1e-3, 4e-3, 2e-2, 0.2] {
                    for capacity in [24, 88, 512] {
                        let price = Price { handshake_ns, attempt_ns, stop_ns };
                        all.push(Environment { price, heats: [heat; 2], capacity });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn the_rule_is_never_much_worse_than_the_better_of_the_two_ways() {
    for environment in environments() {
        let chosen = simulate(environment, Moved::By(Moves::Cheapest(Prices::Measured))).ns;
        let transactions = simulate(environment, Moved::By(Moves::InTransactions)).ns;
        let stops = simulate(environment, Moved::Stopped).ns;
        let better = transactions.min(stops);
        assert!(chosen <= 1.15 * better, "{environment:?}: {chosen} against {transactions} and {stops}");
    }
}

#[test]
fn hot_regions_stop_and_cold_ones_move_in_large_transactions() {
    let price = Price { handshake_ns: 250.0, attempt_ns: 3.5, stop_ns: 5.0 };
    let environment = Environment { price, heats: [0.0, 0.1], capacity: 512 };
    let chosen = simulate(environment, Moved::By(Moves::Cheapest(Prices::Measured)));
    let [cold, hot] = chosen.stopped;
    assert!(cold < 0.4 && hot > 0.6, "{cold} and {hot} of the objects moved in stops");
    let others = [Moved::By(Moves::InTransactions), Moved::Stopped].map(|moved| simulate(environment, moved).ns);
    assert!(others.iter().all(|other| chosen.ns < 1.05 * other), "{} against {others:?}", chosen.ns);
}

/// Of a batch that met conflicts only, a quarter is tried once more; then it stops.
#[test]
fn a_refused_batch_is_tried_once_more_with_fewer_objects() {
    let moves = Moves::Cheapest(Prices::Given(Price { handshake_ns: 250.0, attempt_ns: 3.5, stop_ns: 5.0 }));
    let mut choice = Choice::new(&Options { moves, ..Options::default() });
    choice.begin_region();
    choice.note_attempts(128, 4, 4, 0.0);
    assert!(choice.tries_again(128));
    assert_eq!((choice.size(), choice.move_by(32, Some(100))), (32, MoveBy::Transaction));
    assert_ne!(choice.move_by(32, Some(100)), MoveBy::Transaction, "once");
    assert!(!choice.tries_again(MIN_BATCH), "too small");
    let mut only = Choice::new(&Options { moves: Moves::InTransactions, ..Options::default() });
    assert!(!only.tries_again(128), "where no stop is chosen, sizes adapt");
}

#[test]
fn stops_are_short() {
    let price = Price { handshake_ns: 250.0, attempt_ns: 8.0, stop_ns: 60.0 };
    let moves = Moves::Cheapest(Prices::Given(price));
    let mut choice = Choice::new(&Options { moves, ..Options::default() });
    choice.begin_region();
    // So hot that every transaction fails.
    (0..40).for_each(|_| choice.note_attempts(8, 4, 4, 0.0));
    assert_eq!(choice.move_by(256, Some(100)), MoveBy::Cut);
    let n = choice.size();
    assert_eq!(choice.move_by(n, Some(100)), MoveBy::Stop);
    assert!((MIN_BATCH..=29).contains(&n), "{n} objects of 60 ns after a handshake of 250 are at most 2 µs");
}
