//! The table of runs.

use super::{Request, Run};
use crate::exit::{Error, print};
use crate::rows::{Rows, longest};
use machine::Bound;
use memory::MemoryModel;
use program::Expected;
use report::table::{bytes, thousands};
use rustc_hash::FxHashSet;
use system::Statistics;
use workbench::{Answer, RunOptions, System, Verdict};

/// One line per run, printed when it ends.
pub(super) struct Table {
    /// Until it is printed.
    title: Option<String>,
    rows: Rows,
}

impl Table {
    /// The table of all these runs. Columns are as wide as their contents may be expected to be.
    pub(super) fn new(request: &Request<'_>) -> Self {
        let Request { systems, memories, .. } = request;
        let title = format!("{}  ({})\n", request.title(), shared_scope(request));
        let properties = systems.iter().flat_map(|s| s.automata.properties.values().map(|p| p.name.as_str()));
        let violated =
            "violated: ".len() + if systems.len() * memories.len() > 1 { longest(properties).min(40) } else { 0 };
        let least = [
            longest(systems.iter().map(|system| system.variant.as_str())),
            longest(systems.iter().map(|system| system.scenario.as_str())),
            longest(memories.iter().map(|memory| memory.name.as_str())),
            violated,
            "1 234 567".len(),
            0,
            "12.345 s".len(),
        ];
        let heads = HEAD.iter().map(|head| head.chars().count());
        let rows = Rows::new(heads.zip(least.into_iter().chain([0; 2])).map(|(head, least)| head.max(least)));
        Table { title: Some(title), rows }
    }

    /// Prints the row of the last run; the head before the first.
    pub(super) fn print(&mut self, options: &RunOptions, runs: &[Run<'_>]) -> Result<(), Error> {
        let Some(last) = runs.last() else { return Ok(()) };
        let line = self.rows.line(&row(last, options));
        let head = self.title.take().map(|title| title + &self.rows.line(&HEAD.map(String::from)));
        print(&(head.unwrap_or_default() + &line))
    }
}

const HEAD: [&str; 9] = ["variant", "scenario", "memory", "verdict", "states", "depth", "time", "memory used", ""];

/// Of fewer states, tables of other things take the most.
const MANY: u64 = 1_000_000;

fn row(run: &Run<'_>, options: &RunOptions) -> [String; 9] {
    let statistics = &run.answer.statistics;
    [
        run.system.variant.clone(),
        run.system.scenario.clone(),
        run.memory.name.clone(),
        verdict(&run.answer),
        thousands(statistics.states),
        statistics.depth.to_string(),
        format!("{:.3} s", statistics.seconds),
        memory_used(statistics),
        remark(run, options),
    ]
}

/// The memory that a run used; where there are many states, for each of them too.
fn memory_used(statistics: &Statistics) -> String {
    let all = bytes(statistics.peak_bytes);
    match statistics.states {
        MANY.. => format!("{all} ({:.1} bytes/state)", statistics.bytes_per_state()),
        _ => all,
    }
}

/// What all runs share: what a variant sets is in its name.
pub(super) fn shared_scope(request: &Request<'_>) -> String {
    let Request { options, systems, memories, .. } = request;
    let first = systems.first().map(System::constants).unwrap_or_default();
    let others: Vec<FxHashSet<&(String, String)>> =
        systems.iter().skip(1).map(|s| s.constants().iter().collect()).collect();
    let shared = |constant: &&(String, String)| others.iter().all(|of| of.contains(*constant));
    let values = first.iter().filter(shared).map(|(name, value)| format!("{name}={value}"));
    let buffer = options.machine.buffer.map(|_| options.machine.show(Bound::Buffer));
    let bounds = buffer.into_iter().chain(guesses(memories.iter())).chain(history(memories.iter()));
    let scope = values.chain([options.machine.show(Bound::Queue)]).chain(bounds);
    scope.collect::<Vec<_>>().join(" ")
}

/// How many guesses a thread may have open, if all memory models allow the same number and it is not 0.
fn guesses<'a>(mut memories: impl Iterator<Item = &'a MemoryModel>) -> Option<String> {
    let n_guesses = memories.next()?.speculate;
    let is_shared = memories.all(|memory| memory.speculate == n_guesses);
    (is_shared && n_guesses > 0).then(|| format!("speculate={n_guesses}"))
}

/// How long histories may be, if that is not what `rc11` says by itself.
fn history<'a>(memories: impl Iterator<Item = &'a MemoryModel>) -> Option<String> {
    let bound = |memory: &MemoryModel| memory.histories.map(|histories| histories.bound);
    let by_itself = memory::builtin::find("rc11").as_ref().and_then(bound);
    let given = memories.filter_map(bound).find(|bound| Some(*bound) != by_itself);
    given.map(|bound| format!("history={bound}"))
}

pub(super) fn verdict(answer: &Answer) -> String {
    match (&answer.verdict, &answer.property) {
        (Verdict::Violated(_), Some(property)) => format!("violated: {property}"),
        (Verdict::Inconclusive(limit), _) => format!("inconclusive: {}", limit.name()),
        _ if answer.is_vacuous() => "holds, but vacuously".into(),
        _ => answer.word().into(),
    }
}

/// A bound with its value.
pub(super) fn shown(bound: Bound, memory: &MemoryModel, options: &RunOptions) -> String {
    match bound {
        Bound::Guesses => format!("speculate={}", memory.speculate),
        Bound::History => format!("history={}", memory.histories.map_or(0, |histories| histories.bound)),
        _ => options.machine.show(bound),
    }
}

pub(super) fn remark(run: &Run<'_>, options: &RunOptions) -> String {
    let mut remarks = Vec::new();
    let not_looked_at = [
        ("never reached", &run.answer.uncovered),
        ("not reached", &run.answer.unreached),
        ("not checked", &run.answer.unchecked),
    ];
    for (word, names) in not_looked_at.into_iter().filter(|(_, names)| !names.is_empty()) {
        remarks.push(format!("{word}: {}", names.join(", ")));
    }
    if run.answer.has_no_step() {
        remarks.push("no thread ever steps".into());
    }
    if let (Verdict::Violated(_), Some(limit)) = (&run.answer.verdict, run.answer.limit()) {
        remarks.push(format!("{} was hit", limit.name()));
    }
    if run.expected.as_ref().is_some_and(|expected| !is_expected(run, expected)) {
        remarks.push("NOT AS EXPECTED".into());
    }
    let holds = |finding: &workbench::Finding| finding.word() == "holds";
    if run.answer.verdict == Verdict::Holds || run.answer.findings.iter().any(holds) {
        let mut hit: Vec<_> = run.answer.bounds_hit.iter().map(|(bound, _)| *bound).collect();
        hit.dedup();
        remarks.extend(hit.into_iter().map(|bound| format!("{} was hit", shown(bound, run.memory, options))));
    }
    if run.answer.late_reads {
        remarks.push("reads put off".into());
    }
    remarks.join("; ")
}

/// Why a run is not as the file expects, in one line that names it.
pub(super) fn not_as_expected(run: &Run<'_>) -> Option<String> {
    let expected = match &run.expected {
        Some(expected) if is_expected(run, expected) => return None,
        Some(expected) => format!("expected {}", words(expected)),
        None => "no `expect` of the file speaks of this run".into(),
    };
    Some(format!("not as expected: {}: {}; {expected}", run.label(), verdict(&run.answer)))
}

/// An expected verdict as the file writes it, without scenarios.
pub(super) fn words(expected: &Expected) -> String {
    match expected {
        Expected::Holds => "holds".into(),
        Expected::Violated { property: Some(property) } => format!("violated by {property}"),
        Expected::Violated { property: None } => "violated".into(),
    }
}

/// Whether the run is as expected.
fn is_expected(run: &Run<'_>, expected: &Expected) -> bool {
    match (expected, &run.answer.verdict) {
        (Expected::Holds, Verdict::Holds) => !run.answer.is_vacuous(),
        (Expected::Violated { property }, Verdict::Violated(_)) => {
            property.is_none() || *property == run.answer.property
        }
        _ => false,
    }
}
