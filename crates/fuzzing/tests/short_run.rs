//! A short fuzzing run, the same every time: no text makes the front end panic or hang.
//!
//! `FUZZ_ITERATIONS=N` makes it longer, `FUZZ_SEED=N` makes it another one.

use fuzzing::{Random, Reached, front_end, memory_model, mutate};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// No text takes longer. (Tests run beside others; a quiet machine needs milliseconds.)
const PATIENCE: Duration = Duration::from_secs(20);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The texts of all files under `folders` whose names end with `ending`.
fn corpus(folders: &[&str], ending: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| collect(&root.join(folder), ending, &mut paths));
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn collect(folder: &Path, ending: &str, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, ending, paths);
        } else if path.extension().is_some_and(|e| e == ending) {
            paths.push(path);
        }
    }
}

/// Prints the text if what is done with it panics.
struct Shown<'a>(&'a str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the text that did it:\n---\n{}\n---", self.0);
        }
    }
}

#[test]
fn the_front_end_survives_mutated_programs() {
    let texts = corpus(
        &["protocols", "litmus", "tests", "crates/syntax/tests", "crates/program/tests", "crates/lower/tests"],
        "lac",
    );
    assert!(texts.len() >= 10, "the corpus is there");
    let mut random = Random(number("FUZZ_SEED", 1));
    let mut counts = [0usize; 3];
    for _ in 0..number("FUZZ_ITERATIONS", 4_000) {
        let (text, other) = (random.pick(&texts).clone(), random.pick(&texts).clone());
        let text = mutate(&mut random, &text, &other);
        let shown = Shown(&text);
        let started = Instant::now();
        counts[front_end(&text) as usize] += 1;
        assert!(started.elapsed() < PATIENCE, "it took {:?}", started.elapsed());
        drop(shown);
    }
    eprintln!("read {}, parsed {}, lowered {}", counts[0], counts[1], counts[2]);
    assert!(counts.iter().all(|count| *count > 0), "every stage was reached: {counts:?}");
}

#[test]
fn unchanged_protocols_get_through() {
    let texts = corpus(&["protocols"], "lac");
    let n_lowered = texts.iter().filter(|text| front_end(text) == Reached::Lowered).count();
    assert!(n_lowered >= 10, "{n_lowered} of {} files are programs by themselves", texts.len());
}

#[test]
fn memory_models_survive_mutation() {
    let texts = corpus(&["memory-models"], "memory");
    let mut random = Random(number("FUZZ_SEED", 1));
    for _ in 0..number("FUZZ_ITERATIONS", 10_000) {
        let (text, other) = (random.pick(&texts).clone(), random.pick(&texts).clone());
        let text = mutate(&mut random, &text, &other);
        let _shown = Shown(&text);
        memory_model(&text);
    }
}
