//! `lacuna check --cross-check`: the same runs again without reductions. A verdict that differs is a bug of ours.

use super::check::watched;
use crate::exit::Exit;
use machine::{Options, Reductions};
use workbench::{Answer, Question, RunOptions, Verdict};

/// The result of repeating a run.
pub(crate) struct CrossCheck {
    /// For people.
    pub(crate) text: String,
    pub(crate) exit: Exit,
}

/// Repeats a run without reductions, at the greatest queue bound at which that fits the limits, and compares.
pub(crate) fn repeat(question: Question<'_>, label: &str, found: &Answer) -> CrossCheck {
    let options = question.options;
    let at = |queue_bound: usize, reductions: Reductions| {
        let machine = Options { queue_bound, reductions, ..options.machine.clone() };
        let options = RunOptions { machine, ..options.clone() };
        watched(format!("{label}, cross-check"), true, &options, |control| {
            Question { options: &options, control, ..question }.answer()
        })
    };
    // Tabulated thread states have the eager closure built in; the interpreter is compared without it in the tests.
    let none = Reductions { eager_closure: true, ..Reductions::NONE };
    for queue_bound in (1..=options.machine.queue_bound).rev() {
        let plain = at(queue_bound, none);
        if matches!(plain.verdict, Verdict::Inconclusive(_)) {
            continue;
        }
        let is_same_scope = queue_bound == options.machine.queue_bound;
        let reduced = if is_same_scope { found.clone() } else { at(queue_bound, options.machine.reductions) };
        return compare(label, queue_bound, &reduced, &plain);
    }
    let text = format!("cross-check of {label}: not done, without reductions no queue bound fits the limits\n");
    CrossCheck { text, exit: Exit::Inconclusive }
}

/// Compares the verdicts. Which property is violated first may depend on reductions: both are named.
fn compare(label: &str, queue_bound: usize, reduced: &Answer, plain: &Answer) -> CrossCheck {
    let states = report::table::thousands(plain.statistics.states);
    let (with, without) = (in_words(reduced), in_words(plain));
    if reduced.word() == plain.word() || reduced.word() == "inconclusive" {
        let text = format!(
            "cross-check of {label}: {with}, and without reductions {without} (K={queue_bound}, {states} states)\n"
        );
        return CrossCheck { text, exit: Exit::Holds };
    }
    let text = format!(
        "cross-check of {label}: DIFFERENT at K={queue_bound}: {with} with reductions, {without} without\n  this is a bug of Lacuna; please report it\n"
    );
    CrossCheck { text, exit: Exit::Internal }
}

/// The verdict, and the property violated.
fn in_words(answer: &Answer) -> String {
    match &answer.property {
        Some(property) => format!("{}: {property}", answer.word()),
        None => answer.word().into(),
    }
}
