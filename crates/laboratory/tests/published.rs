//! The ten capacities of the literature (the thesis, Section 3.1), to which nothing is fitted: the book shows each beside what the
//! simulator says, whether that agrees or not.

use laboratory::published::{Beside, Bound, beside};
use laboratory::simulator::Simulator;
use laboratory::{Machine, Operation, builtin};

const BOOK: &str = include_str!("../../../docs/book/src/htm.md");

fn machine(name: &str) -> Machine {
    builtin::find(name).expect("built in")
}

/// The row of the book's table.
fn row(name: &str, one: &Beside) -> String {
    let number = match one.published.bound {
        Bound::Certain => "all commit up to",
        Bound::Largest => "the largest:",
        Bound::Below => "nothing above",
    };
    let predicted = one.predicted.map_or("-".into(), |p| format!("{:.0} [{:.0}-{:.0}]", p.median, p.min, p.max));
    let (case, size) = (one.published.case, one.published.size);
    let word = if one.agrees() { "agrees" } else { "**differs**" };
    format!(
        "| {} | `{name}` | {} {} | {number} {size} | {predicted} | {word} |",
        one.published.source, case.operation, case.mode
    )
}

#[test]
fn the_book_shows_every_published_number_beside_the_simulated_one() {
    let mut n_agree = 0;
    let mut rows = Vec::new();
    for name in ["haswell", "skylake-mobile"] {
        let machine = machine(name);
        let all = beside(&machine, &machine.published, &mut |_| false);
        n_agree += all.iter().filter(|one| one.agrees()).count();
        rows.extend(all.iter().map(|one| row(name, one)));
    }
    let missing: Vec<&String> = rows.iter().filter(|row| !BOOK.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "the book has no {missing:#?}");
    assert_eq!((rows.len(), n_agree), (15, 9));
}

/// Yoo et al. 2013: a line that was read may leave the first level, a line that was written may not.
#[test]
fn only_written_lines_must_stay_in_the_first_level() {
    let machine = Machine { hot_lines: 0, ..machine("haswell") };
    let one_set = |n_lines: u64, operation| (0..n_lines).map(|n| (n * 64, operation)).collect::<Vec<_>>();
    let commits = |accesses: &[(u64, Operation)]| Simulator::new(&machine, 1).transaction(accesses).is_ok();
    assert!(commits(&one_set(8, Operation::Write)), "as many as there are ways");
    assert!(!commits(&one_set(9, Operation::Write)) && commits(&one_set(9, Operation::Read)));
}

/// Diegues et al. 2014: it is the pattern of accesses to the first level that counts, not their number.
#[test]
fn as_many_lines_fit_or_do_not_by_their_sets() {
    let machine = machine("haswell");
    let commits = |step: u64| {
        let accesses: Vec<_> = (0..32).map(|n| (n * step, Operation::Write)).collect();
        (0..20).filter(|seed| Simulator::new(&machine, *seed).transaction(&accesses).is_ok()).count()
    };
    assert!(commits(1) > 10 && commits(64) == 0, "{} and {} of 20", commits(1), commits(64));
}
