//! `lacuna check --second-opinion`: the same runs by an interpreter that shares no rule with the machine. A difference is a bug of ours.

use crate::exit::Exit;
use crate::terminal::{self, complain};
use automata::{Action, Op};
use base::Sources;
use memory::{Conflicts, Locks, MemoryModel};
use report::{LaneOptions, lanes, table::thousands};
use second::{Answer, Failure, Limits, Opinion, Options};
use std::time::{Duration, Instant};
use workbench::{RunOptions, System, Verdict};

/// States and time of one opinion unless the command says otherwise.
const MAX_STATES: u64 = 200_000;
const TIMEOUT: Duration = Duration::from_secs(120);

/// A run that the second opinion is compared with.
pub(crate) struct Compared<'a> {
    pub(crate) label: String,
    pub(crate) system: &'a System,
    pub(crate) sources: &'a Sources,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) options: &'a RunOptions,
    /// The stated properties that were chosen; all if none is.
    pub(crate) properties: &'a [String],
    pub(crate) answer: &'a workbench::Answer,
}

/// Whether a thread has a read-modify-write, a load-linked or a store-conditional.
fn has_rmw(automata: &automata::Automata) -> bool {
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    let is_atomic = |op: &Op| op.is_rmw() || matches!(op, Op::LoadLinked | Op::StoreConditional(_));
    points.any(|point| matches!(&point.action, Action::Access(access) if is_atomic(&access.op)))
}

/// Why the second opinion has no rules for a run.
fn without_rules(run: &Compared<'_>) -> Option<&'static str> {
    let (memory, automata) = (run.memory, &run.system.automata);
    if memory.splits_rmw() && has_rmw(automata) {
        Some("it performs every read-modify-write in one")
    } else if memory.locks == Locks::Elided && automata.has_elidable_locks() {
        Some("it takes every lock")
    } else if memory.conflicts == Conflicts::Lazy {
        Some("it finds every conflict at once")
    } else {
        None
    }
}

/// What the second opinion says of a run, on standard error.
pub(crate) fn ask(run: &Compared<'_>) -> Exit {
    if let Some(why) = without_rules(run) {
        complain(&format!("second opinion on {}: none, {why}", run.label));
        return Exit::Holds;
    }
    let machine = &run.options.machine;
    let options = Options {
        queue_bound: machine.queue_bound,
        buffer: machine.buffer,
        check_deadlock: machine.check_deadlock,
        properties: (!run.properties.is_empty()).then(|| run.properties.to_vec()),
    };
    let limits = run.options.search.limits;
    let time = machine.budget.time_left().or(limits.timeout).unwrap_or(TIMEOUT);
    let limits = Limits {
        max_states: usize::try_from(limits.max_states.unwrap_or(MAX_STATES)).unwrap_or(usize::MAX),
        deadline: Some(Instant::now() + time),
    };
    let label = &run.label;
    let opinion = match second::opinion(&run.system.program, run.memory, &options, limits) {
        Ok(opinion) => opinion,
        Err(Failure::GaveUp(states)) => {
            complain(&format!("second opinion on {label}: gave up at {} states", thousands(states as u64)));
            return Exit::Holds;
        }
        Err(Failure::NoRun) => {
            complain(&format!("second opinion on {label}: there is no run"));
            let is_same = matches!(run.answer.verdict, Verdict::Inconclusive(_));
            return if is_same { Exit::Holds } else { Exit::Internal };
        }
    };
    let differences = differences(run.answer, &opinion);
    if differences.is_empty() {
        let states = thousands(opinion.n_states as u64);
        complain(&format!("second opinion on {label}: {}, the same ({states} states)", run.answer.word()));
        return Exit::Holds;
    }
    let (differences, ours, theirs) = (differences.join(""), ours(run), theirs(run, &opinion));
    complain(&format!(
        "second opinion on {label}: DIFFERENT\n{differences}{ours}{theirs}  this is a bug of Lacuna; please report it"
    ));
    Exit::Internal
}

/// A line for each property of which both say something, and not the same.
fn differences(ours: &workbench::Answer, opinion: &Opinion) -> Vec<String> {
    let differs = |name: &str, ours: &str| {
        let (_, theirs) = opinion.properties.iter().find(|(known, _)| known == name)?;
        let theirs = match theirs {
            Answer::Holds | Answer::NotReached => "holds",
            Answer::Violated(_) => "violated",
            Answer::NotChecked => return None,
        };
        (theirs != ours).then(|| format!("  {name}: {ours}, the second opinion says {theirs}\n"))
    };
    let mut found = Vec::new();
    match &ours.verdict {
        Verdict::Inconclusive(_) => {}
        Verdict::Violated(_) => found.extend(ours.property.as_ref().and_then(|name| differs(name, "violated"))),
        Verdict::Holds => {
            found.extend(opinion.properties.iter().filter_map(|(name, _)| differs(name, "holds")));
            for (name, is_reached) in &opinion.covers {
                if *is_reached == ours.uncovered.contains(name) {
                    let words = |is_reached: bool| if is_reached { "reached" } else { "not reached" };
                    let (ours, theirs) = (words(!is_reached), words(*is_reached));
                    found.push(format!("  cover {name}: {ours}, the second opinion says {theirs}\n"));
                }
            }
            // The second opinion has no word for locations, which are among them: `at(m, marking)`.
            let is_cover = |name: &&String| !name.starts_with("at(");
            let is_missing = |name: &&String| opinion.covers.iter().all(|(known, _)| known != *name);
            let missing = ours.uncovered.iter().filter(is_cover).filter(is_missing);
            found.extend(missing.map(|name| format!("  cover {name}: the second opinion has no such cover\n")));
        }
    }
    let said = ours.findings.iter().filter_map(|finding| {
        let ours = match finding.word() {
            // Nothing violates it, whatever else is said of it.
            "vacuous" | "not reached" => "holds",
            "inconclusive" | "not checked" => return None,
            word => word,
        };
        differs(&finding.property, ours)
    });
    found.extend(said);
    found.sort();
    found.dedup();
    found
}

/// Our counterexample, if there is one.
fn ours(run: &Compared<'_>) -> String {
    let Verdict::Violated(trace) = &run.answer.verdict else { return String::new() };
    let options = LaneOptions { cells: true, queues: false, width: terminal::width() };
    let property = run.answer.property.as_deref().unwrap_or_default();
    format!("  ours, {property}:\n{}", lanes(&run.system.automata, run.sources, trace, options))
}

/// The counterexamples of the second opinion.
fn theirs(run: &Compared<'_>, opinion: &Opinion) -> String {
    let mut text = String::new();
    for (name, answer) in &opinion.properties {
        let Answer::Violated(lines) = answer else { continue };
        text.push_str(&format!("  the second opinion's, {name}:\n"));
        for line in lines {
            let place = run.sources.place(line.span).map_or(String::new(), |(_, place)| {
                let code = run.sources.text(line.span).lines().next().unwrap_or_default();
                format!("  ({}: {code})", place.line)
            });
            text.push_str(&format!("    {}{place}\n", line.text));
        }
    }
    text
}
