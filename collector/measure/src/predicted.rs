//! How many objects one collector transaction moves, predicted: its lines on a simulated cache.
//!
//! The lines are those of `Batch`: originals, replicas or shadow, the table of slots, the slots themselves, and a few words at
//! the end. Conflicts, faults and interrupts are not simulated. A prediction is never a measurement: no bar is judged by it.

use crate::batches::{SCHEMES, SHAPES, SHARE, Slots, largest};
use laboratory::machine::Machine;
use laboratory::simulator::Simulator;
use laboratory::{Operation, builtin};
use methods::{Compare, Copying};

const N_TRIALS: u64 = 40;
/// Lines of others between two batches: 512 KB.
const DISTURBANCE: usize = 8192;
/// Bytes of an object, and of an entry of the table of slots.
const OBJECT: u64 = 32;
const SLOT: u64 = 8;
const LINE: u64 = 64;
/// Lines of the heap in which slots lie anywhere: 4 MB.
const HEAP_LINES: u64 = 65_536;
/// The end of a log, a veto, the counters.
const LAST: [(u64, Operation); 3] = [(0, Operation::Read), (1, Operation::Read), (2, Operation::Write)];

/// Where things are, in lines.
#[derive(Clone, Copy)]
enum Area {
    Originals = 1,
    Replicas,
    Shadow,
    Table,
    Heap,
    Last,
}

impl Area {
    fn line(self, n: u64) -> u64 {
        ((self as u64) << 32) + n
    }
}

/// A batch of so many objects.
struct Batch {
    copying: Copying,
    warm_passes: u32,
    n_lines: u64,
    /// The lines of the slots that refer to it.
    slots: Vec<u64>,
}

impl Batch {
    fn new(copying: Copying, warm_passes: u32, n_objects: u64, slots: Slots, trial: u64) -> Batch {
        let n_slots = if slots == Slots::OnePerObject { n_objects } else { 0 };
        let mut random = methods::Random::new(trial + 1);
        let slots = (0..n_slots).map(|_| Area::Heap.line(random.below(HEAP_LINES))).collect();
        Batch { copying, warm_passes, n_lines: n_objects * OBJECT / LINE, slots }
    }

    fn area(&self, area: Area) -> impl Iterator<Item = u64> + use<> {
        (0..self.n_lines).map(move |n| area.line(n))
    }

    /// What is done outside: see `Batch::prepare` of the collector.
    fn prepare(&self, simulator: &mut Simulator) {
        simulator.touch(self.slots.iter().copied());
        if let Copying::Optimistic(compare) = self.copying {
            let has_shadow = compare != Compare::Hash;
            for n in 0..self.n_lines {
                let shadow = has_shadow.then_some(Area::Shadow.line(n));
                simulator.touch([Area::Originals.line(n), Area::Replicas.line(n)].into_iter().chain(shadow));
            }
        }
        simulator.touch(self.slots.iter().copied());
        for _ in 0..self.warm_passes {
            simulator.touch(self.area(Area::Originals));
        }
    }

    /// What the transaction accesses: see `Batch::attempt` of the collector.
    fn accesses(&self) -> Vec<(u64, Operation)> {
        use Operation::{Read, Write};
        let mut accesses = Vec::new();
        for n in 0..self.n_lines {
            accesses.push((Area::Originals.line(n), Read));
            match self.copying {
                Copying::Direct => accesses.push((Area::Replicas.line(n), Write)),
                Copying::Optimistic(Compare::Shadow) => accesses.push((Area::Shadow.line(n), Read)),
                Copying::Optimistic(Compare::Hash | Compare::Untracked) => {}
            }
        }
        for (n, slot) in self.slots.iter().enumerate() {
            accesses.extend([(Area::Table.line(n as u64 * SLOT / LINE), Read), (*slot, Read), (*slot, Write)]);
        }
        accesses.extend(LAST.map(|(line, operation)| (Area::Last.line(line), operation)));
        accesses
    }
}

/// The share of batches of this size that commit at the first attempt.
fn share(machine: &Machine, copying: Copying, warm_passes: u32, slots: Slots, n_objects: usize) -> f64 {
    let mut simulator = Simulator::new(machine, n_objects as u64);
    let commits = |trial: &u64| {
        let batch = Batch::new(copying, warm_passes, n_objects as u64, slots, *trial);
        simulator.disturb(DISTURBANCE);
        batch.prepare(&mut simulator);
        simulator.transaction(&batch.accesses()).is_ok()
    };
    (0..N_TRIALS).filter(commits).count() as f64 / N_TRIALS as f64
}

/// The largest batch of each scheme.
fn predict(machine: &Machine, slots: Slots) -> [usize; SCHEMES.len()] {
    SCHEMES.map(|(_, copying, warm_passes)| {
        largest(|n_objects| share(machine, copying, warm_passes, slots, n_objects) >= SHARE)
    })
}

/// Prints the largest batches.
pub(crate) fn print() {
    let machine = builtin::newest();
    println!("\nThe same, predicted for {} by a simulated cache (not measured)", machine.name);
    for (slots, _) in SHAPES {
        let largest = predict(&machine, slots);
        for ((scheme, ..), n_objects) in SCHEMES.iter().zip(largest) {
            let ratio = n_objects as f64 / largest[0].max(1) as f64;
            println!("  {:<22}{scheme:<30}{n_objects:>6}{ratio:>8.2}", slots.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prototype on such a machine moved 640, 768 and 2048 objects without slots, 128, 192 and 192 with one slot each.
    #[test]
    fn optimistic_copying_is_predicted_to_move_more() {
        let machine = builtin::newest();
        let [direct, _, warm, by_hash, _] = predict(&machine, Slots::None);
        assert!(direct < warm && warm < by_hash, "{direct} {warm} {by_hash}");
        let [direct, _, warm, ..] = predict(&machine, Slots::OnePerObject);
        assert!(direct < warm, "{direct} {warm}");
    }

    /// The share of a mutator's transactions of so many steps that commit: it hops through a chain of 256 KB that lies anywhere, and
    /// writes at each eighth hop.
    fn share_of_steps(n_steps: u64) -> f64 {
        const N_NODES: u64 = 8192;
        let mut random = methods::Random::new(n_steps);
        let mut nodes: Vec<u64> = (0..N_NODES).collect();
        (1..nodes.len()).rev().for_each(|idx| nodes.swap(idx, random.below(idx as u64 + 1) as usize));
        let mut simulator = Simulator::new(&builtin::newest(), n_steps);
        let mut hops = nodes.iter().cycle();
        let commits = |_: &u64| {
            let hop = |n: u64| {
                let line = Area::Heap.line(hops.next().expect("a cycle") * OBJECT / LINE);
                let written = n.is_multiple_of(8).then_some((line, Operation::Write));
                [Some((line, Operation::Read)), written].into_iter().flatten()
            };
            let accesses: Vec<_> = (0..n_steps).flat_map(hop).collect();
            simulator.transaction(&accesses).is_ok()
        };
        (0..100).filter(commits).count() as f64 / 100.0
    }

    /// Why mutators must not often try what does not fit.
    #[test]
    fn half_of_the_transactions_of_512_steps_fit_where_data_is_written() {
        let shares = [256, 512, 1024].map(share_of_steps);
        assert!(shares[0] > 0.99 && (0.3..0.8).contains(&shares[1]) && shares[2] < 0.05, "{shares:?}");
    }
}
