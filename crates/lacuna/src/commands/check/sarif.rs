//! Violations, and what was not looked at, as SARIF.

use super::Run;
use super::formats::message;
use report::sarif::{Finding, Remark};
use workbench::Fate;

/// The log of these runs.
pub(super) fn log(runs: &[Run<'_>]) -> serde_json::Value {
    let findings: Vec<Finding<'_>> = runs.iter().filter_map(finding).collect();
    let remarks: Vec<Remark<'_>> = runs.iter().flat_map(remarks).collect();
    report::sarif::log(&findings, &remarks)
}

fn finding<'a>(run: &'a Run<'_>) -> Option<Finding<'a>> {
    let sources = run.request.sources();
    Some(Finding { automata: &run.system.automata, sources, trace: run.trace()?, message: message(run) })
}

/// Remarks on properties that were not looked at, and of violations without a trace.
fn remarks<'a>(run: &'a Run<'_>) -> Vec<Remark<'a>> {
    let sources = run.request.sources();
    let remark = |name: &str, word: &str, (kind, level): (&'static str, &'static str)| {
        let property = run.system.automata.properties.values().find(|property| property.name == name);
        let (variant, scenario) = (&run.system.variant, &run.system.scenario);
        Remark {
            sources,
            rule: name.to_string(),
            kind,
            level,
            span: property.map_or(base::Span::none(), |property| property.span),
            message: format!("{name} {word} under {} (variant {variant}, scenario {scenario})", run.memory.name),
        }
    };
    let answer = &run.answer;
    let of = |finding: &workbench::Finding| match finding.fate {
        Fate::Holds => None,
        // This one has its trace.
        Fate::Violated(_) if answer.property.as_ref() == Some(&finding.property) => None,
        Fate::Violated(depth) => {
            Some(remark(&finding.property, &format!("is violated after {depth} steps"), ("fail", "error")))
        }
        Fate::NotReached | Fate::NotChecked | Fate::Vacuous => {
            Some(remark(&finding.property, &format!("is {}", finding.word()), ("notApplicable", "none")))
        }
        Fate::Inconclusive(limit) => {
            Some(remark(&finding.property, &format!("is inconclusive ({})", limit.name()), ("open", "none")))
        }
    };
    let named = |names: &'a [String], word: &'static str| names.iter().map(move |name| (name, word));
    match answer.findings.is_empty() {
        false => answer.findings.iter().filter_map(of).collect(),
        true => named(&answer.unreached, "is not reached")
            .chain(named(&answer.unchecked, "is not checked"))
            .map(|(name, word)| remark(name, word, ("notApplicable", "none")))
            .collect(),
    }
}
