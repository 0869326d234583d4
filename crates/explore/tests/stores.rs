//! A search knows its store by the trait only: one that is written in the plainest way gives the same answers.

use crate::toys::{Graph, options, quiet};
use explore::{Control, Disk, Put, Store, search, search_in};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard};
use system::{Limit, Successors, Verdict};

/// States with their parents, and those that wait, behind one lock.
#[derive(Default)]
pub(crate) struct Plain(Mutex<Held>);

#[derive(Default)]
struct Held {
    parents: HashMap<Vec<u32>, Option<Vec<u32>>>,
    level: Vec<Vec<u32>>,
    next: Vec<Vec<u32>>,
}

impl Plain {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().expect("nobody panics")
    }
}

/// Each with its parent.
type Gathered = Vec<(Vec<u32>, Option<Vec<u32>>)>;

impl Store for Plain {
    type Batch = Gathered;

    fn batch(&self) -> Gathered {
        Vec::new()
    }
    fn gather(&self, parent: Option<&[u32]>, states: &Successors, batch: &mut Gathered) {
        batch.extend(states.iter().map(|(state, _)| (state.to_vec(), parent.map(<[u32]>::to_vec))));
    }
    fn n_gathered(batch: &Gathered) -> usize {
        batch.len()
    }
    fn put(&self, batch: &mut Gathered, mut visit: impl FnMut(&[u32])) -> Put {
        let mut held = self.held();
        let before = held.next.len();
        for (state, parent) in batch.drain(..) {
            if !held.parents.contains_key(&state) {
                visit(&state);
                held.next.push(state.clone());
                held.parents.insert(state, parent);
            }
        }
        Put { n_new: (held.next.len() - before) as u64, limit: None }
    }
    fn hand_in(&self, _: &mut Gathered) {}
    fn next_level(&self) -> bool {
        let mut held = self.held();
        held.level = std::mem::take(&mut held.next);
        held.level.reverse();
        !held.level.is_empty()
    }
    fn take(&self) -> Option<Vec<u32>> {
        self.held().level.pop()
    }
    fn n_waiting(&self) -> u64 {
        self.held().level.len() as u64
    }
    fn parent(&self, state: &[u32], _: usize, mut is_it: impl FnMut(&[u32]) -> bool) -> Option<Vec<u32>> {
        self.held().parents[state].clone().filter(|parent| is_it(parent))
    }
    fn bytes(&self) -> u64 {
        0
    }
}

/// What is violated and how far away; there may be several paths.
fn shown(verdict: &Verdict) -> Option<(u32, usize)> {
    match verdict {
        Verdict::Violated { property, path } => Some((*property, path.len())),
        _ => None,
    }
}

#[test]
fn verdicts_depths_and_numbers_do_not_depend_on_the_store() {
    for seed in 1..30 {
        for (n, bad, stuck_is_bad) in
            [(50, None, false), (3000, None, false), (900, Some(17), false), (900, None, true)]
        {
            let graph = Graph { n, seed, bad, stuck_is_bad };
            let stop = AtomicBool::new(false);
            let expected = search(&graph, &options(1), &quiet(&stop));
            for workers in [1, 3] {
                let found = search_in(&Plain::default(), &graph, &options(workers), &quiet(&stop));
                assert_eq!(found.statistics.states, expected.statistics.states, "seed {seed}, {workers} workers");
                assert_eq!(found.reached, expected.reached);
                if workers == 1 {
                    assert_eq!(shown(&found.verdict), shown(&expected.verdict), "seed {seed}");
                    assert_eq!(found.statistics.transitions, expected.statistics.transitions);
                }
            }
        }
    }
}

/// On disk, with a table so small that every level is written in several runs.
#[test]
fn states_on_disk_give_the_same_verdicts_and_numbers() {
    let folder = std::env::temp_dir().join(format!("lacuna-stores-{}", std::process::id()));
    for seed in 1..4 {
        for (n, bad, stuck_is_bad) in
            [(50, None, false), (3000, None, false), (900, Some(17), false), (900, None, true), (20_000, None, false)]
        {
            let graph = Graph { n, seed, bad, stuck_is_bad };
            let stop = AtomicBool::new(false);
            let expected = search(&graph, &options(1), &quiet(&stop));
            for (workers, table_bytes) in [(1, 1), (1, 1 << 20), (3, 40_000)] {
                let disk = Disk::new(&folder, 3, table_bytes, None).expect("it can be made");
                let found = search_in(&disk, &graph, &options(workers), &quiet(&stop));
                assert_eq!(found.statistics.states, expected.statistics.states, "seed {seed}, {workers} workers");
                assert_eq!(found.statistics.transitions, expected.statistics.transitions);
                assert_eq!(found.reached, expected.reached);
                assert_eq!(shown(&found.verdict), shown(&expected.verdict), "seed {seed}");
                assert_eq!(matches!(found.verdict, Verdict::Holds), matches!(expected.verdict, Verdict::Holds));
            }
        }
    }
    let left = std::fs::read_dir(&folder).expect("it is there").count();
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(left, 0, "a search leaves nothing behind");
}

/// What was written cannot be read any more: then nothing is said to hold.
#[test]
fn a_disk_that_fails_makes_a_search_inconclusive() {
    let folder = std::env::temp_dir().join(format!("lacuna-stores-failing-{}", std::process::id()));
    let graph = Graph { n: 20_000, seed: 3, bad: None, stuck_is_bad: false };
    let stop = AtomicBool::new(false);
    let disk = Disk::new(&folder, 3, 1 << 20, None).expect("it can be made");
    let damage = |_: &[u32]| {
        let _ = std::fs::remove_dir_all(&folder);
    };
    let control = Control { stop: &stop, progress: &|_| {}, ended: &damage };
    let found = search_in(&disk, &graph, &options(1), &control);
    assert_eq!(found.verdict, Verdict::Inconclusive(Limit::Disk));
    assert!(Disk::new(std::path::Path::new("/dev/null/here"), 3, 1, None).is_err());
}
