//! One run of the stress: method, program, mutators and options, all from one number.

use heap::Size;
use methods::{
    Baker, Brooks, CollectorStats, Compare, Copying, Hardware, LoadValue, Method, Moves, Options, Prices, Sapphire,
    Selection, Software, StopTheWorld, Transactional, Trigger, run,
};
use programs::{Kind, Workload};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

type Run = fn(Options, Vec<Workload>) -> Result<(u64, CollectorStats), String>;

const METHODS: [(&str, Run); 8] = [
    ("transactional, software", one::<Transactional<Software>>),
    ("stop-the-world", one::<StopTheWorld>),
    ("transactional, hardware", one::<Transactional<Hardware>>),
    ("brooks", one::<Brooks>),
    ("transactional, software", one::<Transactional<Software>>),
    ("baker", one::<Baker>),
    ("load-value", one::<LoadValue>),
    ("sapphire", one::<Sapphire>),
];

fn one<M: Method>(options: Options, programs: Vec<Workload>) -> Result<(u64, CollectorStats), String> {
    run::<M, Workload>(options, programs).map(|outcome| (outcome.n_steps(), outcome.collector))
}

/// What to run.
pub(crate) struct Setting {
    number: u64,
    method: usize,
    kind: Kind,
    n_mutators: usize,
    options: Options,
}

/// What all runs of a method did.
#[derive(Default)]
pub(crate) struct Totals(BTreeMap<&'static str, Total>);

#[derive(Default)]
struct Total {
    n_runs: u64,
    n_steps: u64,
    n_cycles: u64,
    n_objects: u64,
    n_checked: u64,
    n_commits: u64,
    n_aborts: u64,
    n_fallbacks: u64,
}

impl Setting {
    /// The setting with this number: methods in turn, the rest mixed.
    pub(crate) fn new(number: u64) -> Setting {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let pick = |shift: u32, n: u64| (mixed >> shift) % n;
        let options = Options {
            size: Size { n_regions: 64 + pick(8, 100) as usize, region_shift: 9 + pick(16, 3) as u32 },
            trigger: if pick(20, 4) == 0 { Trigger::HalfFull } else { Trigger::Continuous },
            selection: if pick(24, 3) == 0 { Selection::Sparse { max_live: 60 } } else { Selection::All },
            sanity: true,
            copying: [Copying::Direct, Copying::Optimistic(Compare::Shadow), Copying::Optimistic(Compare::Untracked)]
                [pick(28, 3) as usize],
            moves: [Moves::InTransactions, Moves::Cheapest(Prices::Measured)][pick(52, 2) as usize],
            max_batch: 8 << pick(32, 6),
            aborts_per_mille: [0, 0, 100, 500][pick(36, 4) as usize],
            emulated_capacity: [usize::MAX, 300, 2000][pick(40, 3) as usize],
            limit: Some(Duration::from_millis(150)),
            seed: number,
            ..Options::default()
        };
        let kind = Kind::ALL[pick(44, 8) as usize];
        Setting {
            number,
            method: (number % METHODS.len() as u64) as usize,
            kind,
            n_mutators: [1, 2, 4][pick(50, 3) as usize],
            options,
        }
    }

    pub(crate) fn run(&self, totals: &mut Totals) -> Result<(), String> {
        let seed = |mutator: usize| self.number * 8 + mutator as u64;
        let programs = (0..self.n_mutators).map(|id| Workload::new(self.kind, u64::MAX, seed(id))).collect();
        let (name, run) = METHODS[self.method];
        let (n_steps, stats) = run(self.options, programs)?;
        totals.0.entry(name).or_default().add(n_steps, &stats);
        Ok(())
    }
}

impl Total {
    fn add(&mut self, n_steps: u64, stats: &CollectorStats) {
        self.n_runs += 1;
        self.n_steps += n_steps;
        self.n_cycles += stats.n_cycles;
        self.n_objects += stats.n_objects;
        self.n_checked += stats.n_checked;
        self.n_commits += stats.tally.commits;
        self.n_aborts += stats.tally.attempts - stats.tally.commits;
        self.n_fallbacks += stats.n_fallbacks() as u64;
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = METHODS[self.method].0;
        write!(f, "{name}, {}, {} mutators, {:?}", self.kind.name(), self.n_mutators, self.options)
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:>5} {:>12} {:>9} {:>11} {:>12} {:>9} {:>9} {:>9}",
            "method", "runs", "steps", "cycles", "moved", "checked", "commits", "aborts", "fallbacks"
        )?;
        for (name, t) in &self.0 {
            writeln!(
                f,
                "{name:<24} {:>5} {:>12} {:>9} {:>11} {:>12} {:>9} {:>9} {:>9}",
                t.n_runs, t.n_steps, t.n_cycles, t.n_objects, t.n_checked, t.n_commits, t.n_aborts, t.n_fallbacks
            )?;
        }
        write!(f, "no object was lost, none was there twice")
    }
}
