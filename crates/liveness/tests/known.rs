//! Small systems with known answers. Each row says why; several are wrong answers that other tools have given.

use crate::toy::{Toy, formula, mask, run};
use liveness::Verdict;
use system::Limits;

/// Why, the system, its atoms, the formula, the fair components, whether it holds.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, bool);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // The end of runs.
    ("a loop goes round forever without p", "0a0", "", "eventually p", "", false),
    ("a run that ends without p has no p: deadlock under eventually", "0a1", "", "eventually p", "a", false),
    ("the run ends in p", "0a1", "p:1", "eventually p", "a", true),
    ("at the end the last state repeats, so p stays", "0a1", "p:1", "eventually always p", "", true),
    ("at the end nobody is enabled: staying there is fair to all", "0a1 0b1", "", "eventually p", "abc", false),
    ("next sees the last state again", "0a1", "p:1", "next next next p", "", true),
    ("next sees the last state again, and no other", "0a1", "p:1", "next next not p", "", false),
    ("where there are steps, a run does not stay: no stuttering", "0a1 1a0", "p:1", "eventually p", "", true),
    ("a lone initial state without steps is a run", "", "", "eventually p", "", false),
    ("a lone initial state without steps, where p is true", "", "p:0", "always p", "", true),
    ("discarded paths do not exist: 1 ends no run", "0a1 1x", "p:1", "always not p", "", true),
    ("discarded paths do not exist, others do", "0a1 1x 0a2 2a2", "q:2", "next q", "", true),
    ("a discarded path hides no step beside it", "0a1 1x 1a2", "p:2", "always not p", "", false),
    ("ended is true at the end", "0a1", "", "eventually ended", "", true),
    ("ended is false where there are steps", "0a0", "", "always not ended", "", true),
    ("ended is not true where all was discarded", "0a0 0a1 1x", "", "always not ended", "", true),
    // Fairness of one component.
    ("without fairness b may wait forever", "0a0 0b1 1a1", "p:1", "eventually p", "", false),
    ("a loop that ignores b, enabled all along, is unfair", "0a0 0b1 1a1", "p:1", "eventually p", "b", true),
    ("fairness to a does not help b", "0a0 0b1 1a1", "p:1", "eventually p", "a", false),
    ("b is enabled all along a cycle of two states", "0a1 1a0 0b2 1b2 2a2", "p:2", "eventually p", "b", true),
    ("b is enabled only now and then: weak fairness does not help", "0a1 1a0 0b2 2a2", "p:2", "eventually p", "ab", false),
    ("b takes a step on the cycle, just not the wanted one", "0a0 0b0 0b1 1a1", "p:1", "eventually p", "ab", false),
    ("a fair cycle is found although a nearer one is unfair", "0a0 0b1 1a2 2b1", "p:0", "always p", "ab", false),
    ("fairness on, one thread only: its loop is fair", "0a1 1a0", "", "eventually p", "a", false),
    ("a pending write is performed eventually if memory is fair", "0a1 1a1 1c2 2a2", "p:2", "eventually p", "c", true),
    ("a pending write may stay pending if only threads are fair", "0a1 1a1 1c2 2a2", "p:2", "eventually p", "ab", false),
    ("a component enabled at a dead end makes staying there unfair", "0a1 1!b", "p:0", "always p", "b", true),
    ("the same dead end without fairness", "0a1 1!b", "p:0", "always p", "", false),
    // Fairness of several components at once.
    ("each loop is unfair to one of the two", "0a0 0b1 1b1 1a2 2a2", "p:2", "eventually p", "ab", true),
    ("only a is fair: the first loop", "0a0 0b1 1b1 1a2 2a2", "p:2", "eventually p", "a", false),
    ("only b is fair: the second loop", "0a0 0b1 1b1 1a2 2a2", "p:2", "eventually p", "b", false),
    ("two loops of one state, each fair to one: both must be gone round", "0a0 0b0", "", "eventually p", "ab", false),
    ("two cycles of one component, each fair to one", "0a1 1c0 0b2 2c0 1!a 1!b 2!a 2!b", "", "eventually p", "ab", false),
    ("the same with a third that neither takes", "0a1 1c0 0b2 2c0 0!d 1!d 2!d", "", "eventually p", "abd", true),
    ("three loops, three components", "0a0 0b0 0c0 0b1 1a1", "p:1", "eventually p", "abc", false),
    ("two demands of fairness prove nothing false", "0a1 1b0", "p:1", "always not p", "ab", false),
    ("going round both cycles would be fair, but meets p", "0a0 0b1 1a0 1b1", "p:1", "eventually p", "ab", true),
    // Components within and behind one another.
    ("b steps only in a loop within a larger cycle, a only outside of it", "0a1 1b1 1a0 0!b", "", "eventually p", "ab", false),
    ("three cycles within one another, a component each", "0a1 1b2 2c2 2b1 1a0 0!b 0!c 1!a 1!c 2!a 2!b", "", "eventually p", "abc", false),
    ("the same, where the innermost loop is left for good", "0a1 1b2 2c2 2b3 3a3 0!b 0!c 1!a 1!c 2!a 2!b", "p:3", "eventually p", "abc", true),
    ("the inner loop is unfair, the outer cycle is fair", "0a0 0b1 1a0", "", "eventually p", "b", false),
    ("the violating component is unfair, the fair one does not violate", "0a1 1a0 1a2 2c2 2b3 3a3", "p:0,1,3", "always eventually p", "b", true),
    ("the same without fairness", "0a1 1a0 1a2 2c2 2b3 3a3", "p:0,1,3", "always eventually p", "", false),
    ("a path that joins one already seen is looked at too", "0a1 0a2 1a3 2a3 3a3", "p:1", "eventually p", "", false),
    ("p before the cycle counts", "0a1 1a2 2a1", "p:0", "eventually p", "", true),
    ("p before the cycle does not recur", "0a1 1a2 2a1", "p:0", "always eventually p", "", false),
    ("only the second initial state violates", "^0 ^1 0a0 1a1", "p:0", "eventually p", "", false),
    ("a component found last violates, the first two do not", "0a1 1a1 0a2 2a2 0a3 3a4 4a3", "p:1,2", "eventually always p", "", false),
    // Formula and fairness together.
    ("b must recur, and leads to p", "0a0 0b1 1a0 1b1", "p:1", "always eventually p", "b", true),
    ("only a must recur", "0a0 0b1 1a0 1b1", "p:1", "always eventually p", "a", false),
    ("p need not stay", "0a0 0b1 1a0 1b1", "p:1", "eventually always p", "ab", false),
    ("a handshake is answered if the other side is fair", "0a1 1a1 1b2 2a0", "p:1 q:2", "always (p implies eventually q)", "b", true),
    ("a handshake need not be answered otherwise", "0a1 1a1 1b2 2a0", "p:1 q:2", "always (p implies eventually q)", "a", false),
    ("false only on a lasso fair to both", "0a1 1b0 0a2 2a2 2b2", "p:2", "always (p implies eventually q)", "ab", false),
    ("if p recurs, so does q: not without fairness", "0a1 1a0 0b2 1b2 2b0", "p:1 q:2", "always eventually p implies always eventually q", "", false),
    ("if p recurs, so does q: with fairness", "0a1 1a0 0b2 1b2 2b0", "p:1 q:2", "always eventually p implies always eventually q", "b", true),
    ("one of two goals is reached, which one is open", "0a0 0b1 0b2 1a1 2a2", "p:1 q:2", "eventually p or eventually q", "b", true),
    ("neither goal is sure", "0a0 0b1 0b2 1a1 2a2", "p:1 q:2", "eventually p", "b", false),
    // The other operators.
    ("p until q", "0a1 1a2 2a2", "p:0,1 q:2", "p until q", "", true),
    ("p until q, with a gap", "0a1 1a2 2a2", "p:0 q:2", "p until q", "", false),
    ("p forever is not until", "0a0", "p:0", "p until q", "", false),
    ("p forever is weakly until", "0a0", "p:0", "p weakly_until q", "", true),
    ("fairness makes the strong form of the weak", "0a0 0b1 1a1", "p:0 q:1", "p until q", "b", true),
    ("p releases q", "0a1 1a1", "p:0 q:0", "p release q", "", true),
    ("nothing releases q", "0a1 1a1", "q:0", "p release q", "", false),
    ("all next states", "0a1 1a1", "p:1", "next p", "", true),
    ("some next states", "0a1 0a2 1a1 2a2", "p:1", "next p", "", false),
    ("once p, always p", "0a1 1a2 2a2", "p:1,2", "always (p implies always p)", "", true),
    ("p is lost", "0a1 1a2 2a2", "p:1", "always (p implies always p)", "", false),
    ("true holds", "0a0", "", "true", "", true),
    ("false does not, if there is a run", "0a0", "", "false", "", false),
    ("false holds if no run is fair", "0a0 0!b", "", "false", "b", true),
];

#[test]
fn known_answers() {
    assert!(ROWS.len() >= 30);
    let mut wrong = Vec::new();
    for (why, system, atoms, text, fair, holds) in ROWS {
        let outcome = run(&Toy::read(system, atoms), &formula(text), mask(fair), &Limits::default());
        if (outcome.verdict == Verdict::Holds) != *holds {
            wrong.push(format!("{why}: {system} |= {text} (fair {fair}): {:?}", outcome.verdict));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Stem and cycle as text: `0a | 1b 2-`.
fn lasso(system: &str, atoms: &str, text: &str, fair: &str) -> String {
    let outcome = run(&Toy::read(system, atoms), &formula(text), mask(fair), &Limits::default());
    let Verdict::Violated(lasso) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    let step = |step: &liveness::Step| {
        let label = step.label.map_or('-', |label| (b'a' + label) as char);
        format!("{}{label}", step.state[0])
    };
    let steps = |steps: &[liveness::Step]| steps.iter().map(step).collect::<Vec<_>>().join(" ");
    format!("{} | {}", steps(&lasso.stem), steps(&lasso.cycle)).trim().to_string()
}

#[test]
fn lassos_are_short_and_true() {
    assert_eq!(lasso("0a0", "", "eventually p", ""), "| 0a");
    assert_eq!(lasso("0a1", "", "eventually p", ""), "0a | 1-");
    // Both loops of a state.
    assert_eq!(lasso("0a0 0b0", "", "eventually p", "ab"), "| 0a 0b");
    // Two cycles of one component, not the whole component as if it were a cycle.
    assert_eq!(lasso("0a1 1c0 0b2 2c0 1!a 1!b 2!a 2!b", "", "eventually p", "ab"), "| 0a 1c 0b 2c");
    // The long way round is not taken although it is found first.
    assert_eq!(lasso("0a1 1a2 2a3 3a4 4a0 0b5 5b0", "", "eventually p", ""), "| 0b 5b");
    // The stem is the shortest, and the cycle begins as early as it can.
    assert_eq!(lasso("0a1 1a2 2a3 3a3 0a3", "", "eventually p", ""), "0a | 3a");
}
