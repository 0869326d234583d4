//! The results of the mutants of one variant, as JSON has it.

use super::request::Request;
use mutate::{Base, Fate, Instance, Mutant, Original, Same};
use patch::Patched;
use serde::Serialize;
use workbench::Verdict;

#[derive(Serialize)]
pub(super) struct MutantsReport {
    pub(super) protocol: String,
    pub(super) variant: String,
    pub(super) memories: Vec<String>,
    pub(super) scenarios: Vec<String>,
    /// `holds`, `violated` or `inconclusive`: the protocol as it is.
    pub(super) verdict: String,
    /// What is violated, or the limit, and where; null if it holds.
    pub(super) failure: Option<String>,
    /// Whether mutants were run: not after a limit, nor after `in_range` or `valid_reference`. They are judged by what the protocol as it is
    /// does not violate.
    pub(super) judged: bool,
    /// The smallest first.
    pub(super) scopes: Vec<ScopeRow>,
    pub(super) counts: Counts,
    pub(super) mutants: Vec<MutantRow>,
}

#[derive(Serialize)]
pub(super) struct ScopeRow {
    /// `REFS=2`; empty if nothing is set.
    pub(super) name: String,
    /// The original's states in all its runs there.
    pub(super) states: u64,
}

#[derive(Serialize, Default)]
pub(super) struct Counts {
    pub(super) killed: usize,
    pub(super) vacuous: usize,
    pub(super) survived: usize,
    pub(super) equivalent: usize,
    pub(super) open: usize,
    /// Those that are no programs. They are in no list.
    pub(super) discarded: usize,
}

#[derive(Serialize)]
pub(super) struct MutantRow {
    pub(super) name: String,
    /// `drop-fence` and the like, or `variant`.
    pub(super) kind: String,
    pub(super) owner: Option<String>,
    pub(super) file: Option<String>,
    pub(super) line: Option<usize>,
    pub(super) what: String,
    /// `killed`, `vacuous`, `survived`, `equivalent` or `open`.
    pub(super) fate: &'static str,
    /// The property violated, the covers no longer reached, why it is equivalent, or the limit.
    pub(super) by: Option<String>,
    /// The length of a shortest trace, if it is killed.
    pub(super) steps: Option<usize>,
    pub(super) scope: Option<String>,
    pub(super) memory: Option<String>,
    pub(super) scenario: Option<String>,
    pub(super) patch: Option<String>,
}

impl MutantsReport {
    pub(super) fn new(request: &Request, variant: &str) -> Self {
        MutantsReport {
            protocol: request.protocol.outline.name.clone(),
            variant: variant.into(),
            memories: request.memories.iter().map(|memory| memory.name.clone()).collect(),
            scenarios: request.scenarios.clone(),
            verdict: "holds".into(),
            failure: None,
            judged: true,
            scopes: request.scopes.iter().map(|scope| ScopeRow { name: scope.name.clone(), states: 0 }).collect(),
            counts: Counts::default(),
            mutants: Vec::new(),
        }
    }

    /// The original cannot be compared with.
    pub(super) fn fails(&mut self, request: &Request, base: &Base) {
        self.verdict = base.answer.word().into();
        let what = match &base.answer.verdict {
            Verdict::Inconclusive(limit) => limit.name().to_string(),
            _ => base.answer.property.clone().unwrap_or_default(),
        };
        self.failure = Some(failure(request, &what, base.instance));
        self.judged = false;
    }

    /// What the original violates, and its scopes, the smallest first.
    pub(super) fn original(&mut self, request: &Request, original: &Original) {
        let violated = original.runs.iter().filter(|run| !run.mask.names().is_empty());
        let failures: Vec<String> =
            violated.map(|run| failure(request, &run.mask.names().join(", "), run.instance)).collect();
        if !failures.is_empty() {
            self.verdict = "violated".into();
            self.failure = Some(failures.join("; "));
        }
        for run in &original.runs {
            self.scopes[run.instance.scope].states += run.answer.statistics.states;
        }
        // Stable, as is the order of the runs.
        self.scopes.sort_by_key(|scope| scope.states);
    }

    pub(super) fn mutant(&mut self, request: &Request, mutant: &Mutant, patched: &Patched, fate: &Fate) {
        let place = request.protocol.loaded.sources.place(mutant.span);
        self.add(request, fate, |report| MutantRow {
            name: mutant.name.clone(),
            kind: mutant.kind.name().into(),
            owner: Some(mutant.owner.clone()),
            file: place.map(|(source, _)| source.name.clone()),
            line: place.map(|(_, place)| place.line),
            what: mutant.what.clone(),
            patch: Some(patched.diff()),
            ..report
        });
    }

    pub(super) fn variant(&mut self, request: &Request, name: &str, fate: &Fate) {
        let outline = request.protocol.outline.variants.iter().find(|variant| variant.name == name);
        let title = outline.and_then(|variant| variant.title.clone()).unwrap_or_default();
        self.add(request, fate, |report| MutantRow { name: format!("variant {name}"), what: title, ..report });
    }

    fn add(&mut self, request: &Request, fate: &Fate, describe: impl FnOnce(MutantRow) -> MutantRow) {
        let counts = &mut self.counts;
        *match fate {
            Fate::Killed(_) => &mut counts.killed,
            Fate::Vacuous(..) => &mut counts.vacuous,
            Fate::Survived => &mut counts.survived,
            Fate::Equivalent(_) => &mut counts.equivalent,
            Fate::Open(..) => &mut counts.open,
            Fate::Discarded => &mut counts.discarded,
        } += 1;
        if !matches!(fate, Fate::Discarded) {
            self.mutants.push(describe(of_fate(request, fate)));
        }
    }
}

/// What is report of a fate, the mutant not being described yet.
fn of_fate(request: &Request, fate: &Fate) -> MutantRow {
    let (by, steps, instance) = match fate {
        Fate::Killed(kill) => (Some(kill.property.clone()), Some(kill.trace.steps.len()), Some(kill.instance)),
        Fate::Vacuous(instance, covers) => (Some(covers.join(", ")), None, Some(*instance)),
        Fate::Equivalent(Same::NeverReached) => (Some("never reached".into()), None, None),
        Fate::Equivalent(Same::Automata) => (Some("same automata".into()), None, None),
        Fate::Open(instance, limit) => (Some(limit.name().into()), None, Some(*instance)),
        Fate::Survived | Fate::Discarded => (None, None, None),
    };
    let named = instance.map(|instance| names(request, instance));
    let (scope, memory, scenario) = match named {
        Some((scope, memory, scenario)) => (Some(scope), Some(memory), Some(scenario)),
        None => (None, None, None),
    };
    MutantRow {
        name: String::new(),
        kind: "variant".into(),
        owner: None,
        file: None,
        line: None,
        what: String::new(),
        fate: fate.word(),
        by,
        steps,
        scope,
        memory,
        scenario,
        patch: None,
    }
}

/// `deadlock in main under sc`
fn failure(request: &Request, what: &str, instance: Instance) -> String {
    let (scope, memory, scenario) = names(request, instance);
    let scope = if scope.is_empty() { String::new() } else { format!(" at {scope}") };
    format!("{what} in {scenario} under {memory}{scope}")
}

/// Scope, memory model and scenario.
fn names(request: &Request, instance: Instance) -> (String, String, String) {
    let Instance { scope, memory, scenario } = instance;
    (request.scopes[scope].name.clone(), request.memories[memory].name.clone(), request.scenarios[scenario].clone())
}
