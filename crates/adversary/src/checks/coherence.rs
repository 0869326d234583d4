//! The search up to the first violation, that for every property and those for one property agree.

use super::Complaint;
use crate::judge::Case;
use crate::opinion::Difference;
use crate::opinions::{answer_of_every, answer_of_run};
use machine::Reductions;
use workbench::{Verdict, quiet, run_for};

/// Something is violated in one mode exactly if it is in the other, and then the property reported is one of those found.
pub(super) fn modes(case: &Case<'_>) -> Complaint {
    let (Ok(run), Ok(every)) = (case.run(), case.every()) else { return None };
    let (one, all) = (answer_of_run(&case.subject.automata, run)?, answer_of_every(&case.subject.automata, every)?);
    let kind_of = |property: &str| case.subject.kind_of(property);
    if let Some(Difference { what, first, second }) = one.difference(&all, &kind_of) {
        return Some((what, format!("check: {first}; check --every-property: {second}")));
    }
    let reported = run.property.as_ref()?;
    let violated = all.violated.unwrap_or_default();
    let details = || format!("check: {reported}; check --every-property: {violated:?}");
    (!violated.contains(reported)).then(|| ("property reported".into(), details()))
}

/// What a search for one property finds, the search for every property finds too.
pub(super) fn one_property(case: &Case<'_>) -> Complaint {
    let Ok(every) = case.every() else { return None };
    let answer = answer_of_every(&case.subject.automata, every)?;
    let options = case.setting.options(Reductions::ALL);
    for (id, property) in case.subject.automata.properties.iter() {
        let Some(finding) = every.findings.iter().find(|f| f.property == property.name) else { continue };
        let alone = run_for(&case.subject.automata, &case.setting.memory, &options, id, &quiet());
        let only_alone = matches!(alone, Verdict::Violated(_)) && finding.depth.is_none();
        // With nothing else violated no run is cut short, so that both see the same runs.
        let is_sole = answer.violated.as_ref().is_some_and(|all| all.len() == 1 && all.contains(&property.name));
        if only_alone || is_sole && alone == Verdict::Holds {
            let (name, depth) = (&property.name, finding.depth);
            let word = if only_alone { "violated" } else { "holds" };
            return Some(("verdict".into(), format!("{name} alone: {word}; among all: {depth:?}")));
        }
    }
    None
}

/// An invariant that is said twice more in temporal words: all three are violated, or none, where no run is cut short by a failed step.
pub(super) fn said_thrice(case: &Case<'_>) -> Complaint {
    let Ok(every) = case.every() else { return None };
    answer_of_every(&case.subject.automata, every)?;
    let is_violated = |name: &str| every.findings.iter().find(|f| f.property == name).map(|f| f.depth.is_some());
    let is_step = |name: &str| matches!(case.subject.kind_of(name), "assert" | "in_range" | "valid_reference");
    if every.findings.iter().any(|f| f.depth.is_some() && is_step(&f.property)) {
        return None;
    }
    for finding in &every.findings {
        let (invariant, always, never) = (
            &finding.property,
            is_violated(&format!("{}_always", finding.property)),
            is_violated(&format!("{}_never", finding.property)),
        );
        let (Some(always), Some(never)) = (always, never) else { continue };
        if finding.depth.is_some() != always || always != never {
            let details = format!("{invariant} {}, always {always}, never {never}", finding.depth.is_some());
            return Some(("violated or not".into(), details));
        }
    }
    None
}
