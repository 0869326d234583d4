//! What the tabulated form says that it holds.

use crate::late::lowered;
use explore::{Control, SearchOptions, search};
use machine::{Compiled, Options};
use std::sync::atomic::AtomicBool;
use system::TransitionSystem;

/// The bytes held after a search of a thread that loads from a cell with so many values.
fn held(most: u32) -> u64 {
    let automata = lowered(&format!(
        "cell x: 0..{most} = 0
        thread one {{ let r = x; assert r == 0 }}
        thread other {{ let r = x; assert r <= 1 }}"
    ));
    let (memory, options) = (memory::builtin::find("sc").expect("built in"), Options::default());
    let compiled = Compiled::new(&automata, &memory, &options);
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &|_| {} };
    search(&compiled, &SearchOptions::default(), &control);
    compiled.own_bytes()
}

#[test]
fn a_result_for_each_value_that_may_be_read_is_counted() {
    let (few, many) = (held(1), held(200));
    // Two threads, and no result takes less than a few words.
    assert!(many >= few + 199 * 2 * 32, "{few} bytes for 2 values, {many} for 201");
}
