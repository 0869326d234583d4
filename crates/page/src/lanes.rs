//! What happened on a walk, a line each, with late performs tied to their issues.

use crate::run::place;
use crate::subject::Subject;
use crate::view::Told;
use crate::walk::Walk;
use base::table::Id;
use report::tell_steps;
use report::words::{self, Happening, phrase, source_line};

/// All that happened and is worth telling.
pub(crate) fn told(subject: &Subject<'_>, walk: &Walk) -> Vec<Told> {
    let told = tell_steps(subject.automata, walk.begun(), &walk.told());
    told.iter().enumerate().map(|(n, what)| line(subject, what, issue(&told[..n], what))).collect()
}

fn line(subject: &Subject<'_>, what: &words::Told, issue: Option<usize>) -> Told {
    let point = &subject.automata.threads[what.thread].automaton.points[what.point];
    Told {
        step: what.step,
        thread: what.thread.index(),
        kind: kind(&what.happening),
        place: place(subject.sources, point.span),
        text: source_line(subject.sources, point.span).1,
        within: point.procs.last().cloned(),
        words: phrase(subject.automata, what),
        issue,
    }
}

fn kind(happening: &Happening) -> &'static str {
    match happening {
        Happening::Issued => "issue",
        Happening::Performed { issued_in: Some(_), .. } => "late",
        Happening::Performed { .. } => "perform",
        Happening::Begun => "begin",
        Happening::Tracked { .. } => "track",
        Happening::Published { .. } => "publish",
        Happening::Committed => "commit",
        Happening::Aborted(_) => "abort",
        Happening::Passed | Happening::Proceeded => "pass",
        Happening::Spun => "spin",
        Happening::Guessed(_) => "guess",
        Happening::Failed(_) | Happening::Stands => "fail",
    }
}

/// The position among the `earlier` things of the issue of something late.
fn issue(earlier: &[words::Told], what: &words::Told) -> Option<usize> {
    let Happening::Performed { issued_in: Some(step), .. } = what.happening else { return None };
    let is_it = |told: &words::Told| {
        told.step == step
            && told.thread == what.thread
            && told.point == what.point
            && told.happening == Happening::Issued
    };
    earlier.iter().rposition(is_it)
}
