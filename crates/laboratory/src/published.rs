//! What others have published about a machine's capacity, beside what the simulator says. Nothing is fitted to these numbers.
//!
//! Each source has its own number: the size up to which everything commits, the largest that was seen to commit, a size above
//! which nothing does. So each is compared with that number of the simulated curve, not with its 50 % point.

use crate::case::{Case, Pattern};
use crate::curve::Spread;
use crate::machine::Machine;
use crate::simulator::Simulator;
use crate::sweep::{Cell, Plan, Sweep, sweep};
use std::fmt;

/// How far a prediction may be off.
const BAR: f64 = 0.25;
/// Sizes per octave.
const STEPS: i32 = 8;
/// Repetitions of the simulations.
const REPETITIONS: usize = 3;
/// The seed of the simulations.
const SEED: u64 = 7;

/// Which number of a curve a source speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The size up to which every transaction commits.
    Certain,
    /// The largest size that was seen to commit.
    Largest,
    /// Nothing larger commits.
    Below,
}

/// One number of one source.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// Who, and when.
    pub source: String,
    /// Of which case.
    pub case: Case,
    /// Which number.
    pub bound: Bound,
    /// In the unit of the case.
    pub size: f64,
}

/// A published number beside the simulated one.
#[derive(Clone, PartialEq, Debug)]
pub struct Beside {
    /// What was published.
    pub published: Published,
    /// The same number of the simulation, over its repetitions; none if it lies outside of what was tried.
    pub predicted: Option<Spread>,
}

impl Bound {
    /// All of them.
    pub const ALL: [Bound; 3] = [Bound::Certain, Bound::Largest, Bound::Below];

    /// This number of one repetition, in bytes: its cells are in ascending order of size.
    fn of(self, cells: &[&Cell]) -> Option<usize> {
        let size = |cell: &&Cell| cell.n_bytes;
        match self {
            Bound::Certain => cells.iter().take_while(|cell| cell.first_commits == cell.trials).map(size).last(),
            Bound::Largest | Bound::Below => cells.iter().rfind(|cell| cell.commits > 0).map(size),
        }
    }
}

/// What is published about a machine, simulated.
pub fn beside(machine: &Machine, published: &[Published], stops: &mut dyn FnMut(f64) -> bool) -> Vec<Beside> {
    let swept = sweep(&plan(published), &mut Simulator::new(machine, SEED), stops);
    published.iter().map(|published| predict(published, &swept)).collect()
}

/// Sizes from half to twice of every published number; from a sixteenth of it, if all smaller ones count.
fn plan(published: &[Published]) -> Plan {
    let mut curves: Vec<(Case, Vec<usize>)> = Vec::new();
    for Published { case, size, bound, .. } in published {
        let octaves_below = if *bound == Bound::Certain { 4 } else { 1 };
        let steps = (-octaves_below * STEPS..=STEPS).map(|n| size * (f64::from(n) / f64::from(STEPS)).exp2());
        let sizes = steps.map(|size| case.bytes_of(size));
        match curves.iter_mut().find(|(other, _)| other == case) {
            Some((_, known)) => known.extend(sizes),
            None => curves.push((*case, sizes.collect())),
        }
    }
    for (_, sizes) in &mut curves {
        sizes.sort_unstable();
        sizes.dedup();
    }
    Plan { curves, repetitions: REPETITIONS, trials: 24, max_attempts: 4, ends_after_failures: Some(6) }
}

fn predict(published: &Published, swept: &Sweep) -> Beside {
    let Published { case, bound, .. } = *published;
    let numbers = (0..REPETITIONS).filter_map(|repetition| {
        let is_one = |cell: &&Cell| cell.case == case && cell.repetition == repetition;
        bound.of(&swept.cells.iter().filter(is_one).collect::<Vec<_>>())
    });
    let predicted = Spread::of(numbers.map(|n_bytes| case.in_unit(n_bytes as f64)).collect());
    Beside { published: published.clone(), predicted }
}

impl Beside {
    /// How far the prediction is off, relative to what was published.
    pub fn error(&self) -> Option<f64> {
        Some(self.predicted?.median / self.published.size - 1.0)
    }

    /// Whether it is within a quarter; for what is only bounded from above, whether it is not larger.
    pub fn agrees(&self) -> bool {
        self.error().is_some_and(|error| match self.published.bound {
            Bound::Certain | Bound::Largest => error.abs() <= BAR,
            Bound::Below => error <= 0.0,
        })
    }
}

impl Case {
    /// The bytes of a size in the unit of the pattern, as whole lines.
    fn bytes_of(&self, size: f64) -> usize {
        let unit = match self.pattern {
            Pattern::Sequential(_) => 1024,
            Pattern::Strided(bytes) => bytes,
        };
        let step = self.line_step();
        ((size * unit as f64 / step as f64).round() as usize).max(1) * step
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Certain => "certain",
            Bound::Largest => "largest",
            Bound::Below => "below",
        })
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Published { source, case, bound, size } = self;
        write!(f, "{source}, {} {} {bound} {size}", case.operation, case.mode)
    }
}
