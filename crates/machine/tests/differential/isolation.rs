//! Random programs whose transactions meet the bus lock, `directly` and `atomic`, in the same thread and in another, against the
//! plain rules. As in `bus`, walls are on or off in both.

use super::bus::{BUS, bounded, direct, locked};
use super::transactions::{add, add_transaction, all_memories, plain_action};
use super::*;

/// A random thread of transactions, locked additions, direct copies, steps on abstract state, and plain actions; at times it holds the
/// bus around a transaction.
fn mixed(random: &mut Random, name: &str, property: PropertyId) -> Thread {
    let own = Value::from(name == "b");
    let mut points: Table<PointId, Point> = Table::new();
    for _ in 0..1 + random.pick(3) {
        let actions = match random.pick(7) {
            0 | 1 => {
                add_transaction(random, &mut points, property);
                continue;
            }
            2 => {
                // Everything but the access between locking and unlocking.
                let actions = locked(random, own);
                let split = actions.iter().position(|action| *action == Action::Perform).expect("it is drained");
                actions[..split - 2].iter().for_each(|action| add(&mut points, action.clone()));
                add_transaction(random, &mut points, property);
                actions[split..].to_vec()
            }
            3 => locked(random, own),
            4 => direct(random),
            5 => vec![plain_action(random, property)],
            _ => super::item(random, property),
        };
        let is_branch = |action: &Action| matches!(action, Action::Branch { .. });
        actions.into_iter().filter(|action| !is_branch(action)).for_each(|action| add(&mut points, action));
    }
    add(&mut points, Action::Halt);
    let domain = Domain::new(0, 3);
    let registers: Table<RegId, Register> =
        (0..N_REGISTERS).map(|i| Register { name: format!("r{i}"), domain, init: 0, names: Vec::new() }).collect();
    let observed = registers.ids().collect();
    Thread::new(name, Automaton { points, entry: PointId(0), registers, observed, kept: Kept::Nothing })
}

fn mixed_system(random: &mut Random, with_asserts: bool) -> Automata {
    let mut automata = super::system_of(random, with_asserts, &mixed);
    let second = mixed(random, "b", PropertyId(3));
    automata.threads[ThreadId(1)] = second;
    if !with_asserts {
        let points = automata.threads.values_mut().flat_map(|thread| thread.automaton.points.values_mut());
        let asserted = points.filter(|point| matches!(point.action, Action::Assert { .. }));
        asserted.for_each(|point| point.action = Action::Fence(Fence::Acquire));
    }
    let domain = Domain::new(Automata::FREE, 1);
    automata.cells.push(Cell::new("bus", CellKind::Abstract, domain, Automata::FREE));
    automata.bus = Some(BUS);
    assert_eq!(automata::validate(&automata), Ok(()));
    automata
}

/// Whether transactions meet anything else here: the bus, or a direct access.
fn is_meeting(automata: &Automata) -> bool {
    let has = |is_it: fn(&Action) -> bool| {
        let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
        points.any(|point| is_it(&point.action))
    };
    has(|action| matches!(action, Action::Begin(_)))
        && has(|action| matches!(action, Action::Perform | Action::Enter(Region::Direct(_))))
}

#[test]
fn transactions_end_as_the_plain_rules_say_beside_the_bus_and_direct_actions() {
    let mut random = Random(0x5EED_0021);
    let mut compared = 0;
    for _ in 0..200 {
        let automata = mixed_system(&mut random, false);
        for memory in all_memories() {
            for walls in [true, false] {
                let rules = bounded(Reductions { walls, ..Reductions::NONE }, None);
                let reduced = bounded(Reductions { symmetry: false, walls, ..Reductions::ALL }, None);
                let is_compared = assert_same_finals(&automata, &memory, &rules, [reduced]);
                compared += usize::from(is_compared && is_meeting(&automata));
            }
        }
    }
    assert!(compared > 400, "{compared} compared");
}

#[test]
fn no_reduction_changes_a_verdict_of_transactions_beside_the_bus_and_direct_actions() {
    let mut random = Random(0x5EED_0022);
    let (mut n_violated, mut n_held) = (0, 0);
    let all = Reductions::ALL;
    let switched = [all, Reductions { dead_registers: false, ..all }, Reductions { walls: false, ..all }];
    for _ in 0..200 {
        let automata = mixed_system(&mut random, true);
        for memory in all_memories() {
            for reductions in switched {
                let rules = bounded(Reductions { walls: reductions.walls, ..Reductions::NONE }, None);
                let [violated, held] = assert_same_verdicts(&automata, &memory, &rules, [bounded(reductions, None)]);
                if is_meeting(&automata) {
                    (n_violated, n_held) = (n_violated + violated, n_held + held);
                }
            }
        }
    }
    assert!(n_violated > 50 && n_held > 50, "{n_violated} violated, {n_held} held");
}
