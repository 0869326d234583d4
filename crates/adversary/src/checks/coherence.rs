//! The search up to the first violation, that for every property and those for one property agree.

use super::Complaint;
use crate::judge::Case;
use crate::opinion::Difference;
use crate::opinions::{answer_of_every, answer_of_run};
use machine::Reductions;
use workbench::{Question, Verdict};

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
        if finding.fate == workbench::Fate::NotChecked {
            continue;
        }
        let alone = Question::new(&case.subject.automata, &case.setting.memory, &options).verdict_of(id);
        let only_alone = matches!(alone, Verdict::Violated(_)) && finding.depth().is_none();
        // With nothing else violated no run is cut short, so that both see the same runs.
        let is_sole = answer.violated.as_ref().is_some_and(|all| all.len() == 1 && all.contains(&property.name));
        if only_alone || is_sole && alone == Verdict::Holds {
            let (name, depth) = (&property.name, finding.depth());
            let word = if only_alone { "violated" } else { "holds" };
            return Some(("verdict".into(), format!("{name} alone: {word}; among all: {depth:?}")));
        }
    }
    None
}

/// An invariant that is said twice more in temporal words (8.7): all three are violated, or none, each looked for alone and where no
/// other property cuts runs short, nor a `discard`.
pub(super) fn said_thrice(case: &Case<'_>) -> Complaint {
    let Ok(every) = case.every() else { return None };
    let violated = answer_of_every(&case.subject.automata, every)?.violated?;
    if case.subject.text.contains("discard ") {
        return None;
    }
    let is_of_state = |name: &&String| case.subject.kind_of(name) != "ltl";
    for (_, property) in case.subject.automata.properties.iter() {
        let name = &property.name;
        let words = ["", "always", "noteventuallynot"].into_iter().zip(["", "_always", "_never"]);
        let said: Option<Vec<_>> = words.map(|(word, suffix)| said(&case.subject.text, name, suffix, word)).collect();
        let is_thrice = said.is_some_and(|said| said.iter().all(|one| *one == said[0]));
        if !is_thrice || violated.iter().filter(is_of_state).any(|other| other != name) {
            continue;
        }
        let of = |suffix: &str| is_violated_alone(case, &format!("{name}{suffix}"));
        let (invariant, always, never) = (of("")?, of("_always")?, of("_never")?);
        if invariant != always || always != never {
            let details = format!("{name} {invariant}, always {always}, never {never}");
            return Some(("violated or not".into(), details));
        }
    }
    None
}

/// Whether a search for that property only finds a violation; none if a limit stops it.
fn is_violated_alone(case: &Case<'_>, name: &str) -> Option<bool> {
    let (id, _) = case.subject.automata.properties.iter().find(|(_, property)| property.name == name)?;
    let options = case.setting.options(Reductions::ALL);
    match Question::new(&case.subject.automata, &case.setting.memory, &options).verdict_of(id) {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Inconclusive(_) => None,
    }
}

/// The condition of a property in the text, behind these words; without blanks and parentheses.
fn said(text: &str, name: &str, suffix: &str, words: &str) -> Option<String> {
    let head = format!(" {name}{suffix}: ");
    let line = text.lines().find_map(|line| line.split_once(&head))?.1;
    let plain: String = line.chars().filter(|c| !c.is_whitespace() && *c != '(' && *c != ')').collect();
    plain.strip_prefix(words).map(String::from)
}
