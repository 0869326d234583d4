//! Locks that are elided (semantics 6.7) beside the same critical sections written out as transactions: both can end in the same states. So
//! can transactions whose conflicts are found at once and those whose conflicts are found lazily (6.8).

use crate::command::is_full;
use base::random::splitmix64;
use lacuna::parallel;
use memory::{Conflicts, Isolation, Locks, MemoryModel, Transactions};
use program::Settings;
use std::collections::BTreeSet;
use std::path::Path;
use workbench::{Question, RunOptions, Verdict};

const MEMORIES: [&str; 5] = ["sc", "tso", "pso-no", "rmo-no", "relaxed"];
const STATEMENTS: [&str; 12] = [
    "r = x",
    "r = y",
    "x = r",
    "y = r",
    "x = 1",
    "y = 2",
    "x = y",
    "if r == 1 { y = 1 } else { x = 2 }",
    "x.swap(1)",
    "r = y.swap(2)",
    "y.cas(0 -> 2)",
    "fence full",
];

/// How a thread runs its critical section.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Under the lock, which the machine may elide.
    Locked,
    /// In a transaction, and under the lock after an abort.
    WrittenOut,
}

fn statements(seed: &mut u64, most: u64) -> String {
    let n = 1 + splitmix64(seed) % most;
    let mut one = || STATEMENTS[(splitmix64(seed) % STATEMENTS.len() as u64) as usize];
    (0..n).map(|_| one()).collect::<Vec<_>>().join("\n")
}

fn thread(n: usize, section: &str, way: Way) -> String {
    let locked = format!("while not lock.cas(0 -> 1) {{ skip }}\n{section}\nlock = 0");
    let section = match way {
        Way::Locked => locked,
        Way::WrittenOut => format!("transaction {{\nif lock == 1 {{ abort }}\n{section}\n}} abort {{\n{locked}\n}}"),
    };
    format!("thread P{n} {{\nlet r: 0..2 = 0\nlet done = false\n{section}\nperform\ndone = true\n}}\n")
}

/// A program with a cover for each way in which it may end.
fn program(seed: u64, way: Way) -> String {
    let mut seed = seed;
    let mut text = "elidable cell lock: 0..1 = 0\ncell x: 0..2 = 0\ncell y: 0..2 = 0\n".to_string();
    for n in 0..2 {
        text += &thread(n, &statements(&mut seed, 4), way);
    }
    // Another thread that knows nothing of the lock.
    let plain = statements(&mut seed, 2);
    text += &format!("thread P2 {{\nlet r: 0..2 = 1\nlet done = false\n{plain}\nperform\ndone = true\n}}\n");
    for end in 0..3_u32.pow(5) {
        let digit = |place: u32| end / 3_u32.pow(place) % 3;
        let registers = (0..3).map(|n| format!("P{n}.done and P{n}.r == {}", digit(n + 2))).collect::<Vec<_>>();
        text += &format!("cover e{end}: x == {} and y == {} and {}\n", digit(0), digit(1), registers.join(" and "));
    }
    text
}

/// The ends that are never reached.
fn unreached(text: &str, memory: &MemoryModel) -> BTreeSet<String> {
    let world = |_: &Path| Ok(text.to_string());
    let protocol = workbench::open(&world, Path::new("case.lac")).expect("it loads");
    let system = protocol.system(&Settings::default()).expect("it is well typed");
    let answer = Question::new(&system.automata, memory, &RunOptions::default()).answer();
    assert_eq!(answer.verdict, Verdict::Holds, "{text}");
    answer.uncovered.into_iter().collect()
}

#[test]
fn an_elided_lock_ends_as_a_transaction_that_is_written_out() {
    let n_programs = if is_full() { 2_000 } else { 40 };
    let seeds: Vec<u64> = (0..n_programs).collect();
    let n_reached = parallel::map(&seeds, |seed| {
        let mut memory = memory::builtin::find(MEMORIES[*seed as usize % MEMORIES.len()]).expect("built in");
        memory.isolation = if seed % 3 == 2 { Isolation::Weak } else { Isolation::Strong };
        memory.transactions = if seed % 4 == 3 { Transactions::MayAbort } else { Transactions::Exact };
        let elided = MemoryModel { locks: Locks::Elided, ..memory.clone() };
        let by_machine = unreached(&program(*seed, Way::Locked), &elided);
        let written_out = unreached(&program(*seed, Way::WrittenOut), &memory);
        assert_eq!(by_machine, written_out, "seed {seed}\n{}", program(*seed, Way::Locked));
        3_usize.pow(5) - by_machine.len()
    });
    assert!(
        n_reached.iter().filter(|n| **n > 3).count() * 3 > seeds.len(),
        "most programs have several ends: {n_reached:?}"
    );
}

/// Where transactions may also abort for no reason: lazily there are fewer conflicts, and so fewer runs in which the lock is taken.
#[test]
fn with_lazy_conflicts_transactions_end_as_with_eager_ones() {
    let n_programs = if is_full() { 2_000 } else { 20 };
    let seeds: Vec<u64> = (1_000..1_000 + n_programs).collect();
    parallel::map(&seeds, |seed| {
        let mut eager = memory::builtin::find(MEMORIES[*seed as usize % MEMORIES.len()]).expect("built in");
        eager.transactions = Transactions::MayAbort;
        let lazy = MemoryModel { conflicts: Conflicts::Lazy, ..eager.clone() };
        let text = program(*seed, Way::WrittenOut);
        assert_eq!(unreached(&text, &eager), unreached(&text, &lazy), "seed {seed}\n{text}");
    });
}
