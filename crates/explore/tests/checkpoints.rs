//! A search that is stopped again and again, and continued from what is on the disk, says what one says that is never stopped.

use crate::toys::{Graph, options, quiet};
use explore::{
    Checkpoint, SearchOptions, SearchResult, Unusable, search, search_every, search_every_saving, search_saving,
};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use system::{Limit, Limits, Verdict};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lacuna-checkpoints-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        Folder(folder)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint { folder: self.0.clone(), every: Duration::ZERO, identity: 7, phase: 1 }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Up to so many states.
fn up_to(workers: usize, max_states: u64) -> SearchOptions {
    SearchOptions { workers, limits: Limits { max_states: Some(max_states), ..Limits::default() } }
}

fn stopped_and_continued(graph: &Graph, workers: usize, step: u64) -> SearchResult {
    let folder = Folder::new(&format!("{}-{}-{workers}-{step}", graph.n, graph.seed));
    let stop = AtomicBool::new(false);
    let mut most = step;
    loop {
        let found = search_saving(graph, &up_to(workers, most), &quiet(&stop), &folder.checkpoint());
        let found = found.expect("the checkpoint is whole");
        if found.verdict != Verdict::Inconclusive(Limit::States) {
            return found;
        }
        most += step;
    }
}

#[test]
fn a_search_that_is_stopped_and_continued_ends_as_one_that_is_not() {
    for (n, seed, bad, stuck_is_bad) in [(20_000, 3, None, false), (9_000, 5, Some(17), false), (6_000, 8, None, true)]
    {
        let graph = Graph { n, seed, bad, stuck_is_bad };
        let expected = search(&graph, &options(1), &quiet(&AtomicBool::new(false)));
        for (workers, step) in [(1, 700), (1, 3000), (3, 2000)] {
            let found = stopped_and_continued(&graph, workers, step);
            let numbers = |result: &SearchResult| {
                (result.statistics.states, result.statistics.transitions, result.statistics.depth)
            };
            assert_eq!(numbers(&found), numbers(&expected), "{n} {workers} {step}");
            assert_eq!(found.reached, expected.reached);
            match workers {
                1 => assert_eq!(found.verdict, expected.verdict),
                _ => assert_eq!(matches!(found.verdict, Verdict::Holds), matches!(expected.verdict, Verdict::Holds)),
            }
        }
    }
}

#[test]
fn violations_before_a_checkpoint_are_known_after_it() {
    let graph = Graph { n: 9_000, seed: 5, bad: Some(17), stuck_is_bad: true };
    let (stop, folder) = (AtomicBool::new(false), Folder::new("every"));
    let expected = search_every(&graph, &options(1), &quiet(&stop));
    for most in (1..).map(|i| i * 500) {
        let found = search_every_saving(&graph, &up_to(1, most), &quiet(&stop), &folder.checkpoint());
        let found = found.expect("the checkpoint is whole");
        if found.limit.is_none() {
            assert_eq!((found.violated, found.statistics.states), (expected.violated, expected.statistics.states));
            return;
        }
    }
}

#[test]
fn what_is_damaged_or_of_another_search_is_refused() {
    let graph = Graph { n: 20_000, seed: 3, bad: None, stuck_is_bad: false };
    let (stop, folder) = (AtomicBool::new(false), Folder::new("damaged"));
    let again = |checkpoint: &Checkpoint| search_saving(&graph, &up_to(1, 5000), &quiet(&stop), checkpoint);
    let checkpoint = folder.checkpoint();
    assert!(again(&checkpoint).is_ok() && again(&checkpoint).is_ok());
    let is_other = |result: Result<SearchResult, Unusable>| result.is_err_and(|e| e.0.contains("another search"));
    assert!(is_other(again(&Checkpoint { identity: 8, ..checkpoint.clone() })));
    for name in ["manifest", "journal-1"] {
        let path = folder.0.join(name);
        let whole = std::fs::read(&path).expect("it is there");
        let at = |part: usize| whole.len() * part / 23;
        for place in (0..23).map(at).chain([whole.len() - 1]) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            std::fs::write(&path, &bytes).expect("it can be written");
            let is_read = again(&checkpoint).is_ok();
            // What is behind the last checkpoint does not count.
            assert!(
                !is_read || name != "manifest" && place == whole.len() - 1,
                "{name}: byte {place} of {}",
                whole.len()
            );
            std::fs::write(&path, &whole[..place]).expect("it can be written");
            assert!(again(&checkpoint).is_err(), "{name}: only {place} bytes");
        }
        std::fs::write(&path, &whole).expect("it can be written");
    }
    assert!(again(&checkpoint).is_ok());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let graph = Graph { n: 50, seed: 3, bad: None, stuck_is_bad: false };
    let checkpoint = Checkpoint { folder: "/nonexistent".into(), ..Folder::new("none").checkpoint() };
    let found = search_saving(&graph, &options(1), &quiet(&AtomicBool::new(false)), &checkpoint);
    assert!(found.is_err_and(|e| e.0.contains("/nonexistent")));
}
