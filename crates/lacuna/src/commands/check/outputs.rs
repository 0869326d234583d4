//! Files for programs: each option names a file, or standard output with `-`.

use super::{Done, runs};
use crate::args::CheckArgs;
use crate::exit::{Error, write};
use crate::session::{Protocol, System};
use report::junit::{Case, Suite, Verdict as CaseVerdict};
use report::sarif::{Finding, Remark};
use workbench::{Fate, RunOptions, Verdict};

/// The files asked for, each with its option.
fn paths(args: &CheckArgs) -> [(&'static str, Option<&str>); 7] {
    [
        ("--json", args.json.as_deref()),
        ("--save-trace", args.save_trace.as_deref()),
        ("--itf", args.itf.as_deref()),
        ("--junit", args.junit.as_deref()),
        ("--sarif", args.sarif.as_deref()),
        ("--dot", args.dot.as_deref()),
        ("--html", args.html.as_deref()),
    ]
}

/// Whether standard output is taken by a file.
pub(super) fn use_standard_output(args: &CheckArgs) -> bool {
    paths(args).iter().any(|(_, path)| *path == Some("-"))
}

/// Refuses two files on standard output.
pub(super) fn refuse_two(args: &CheckArgs) -> Result<(), Error> {
    let taken: Vec<&str> =
        paths(args).iter().filter(|(_, path)| *path == Some("-")).map(|(option, _)| *option).collect();
    if taken.len() > 1 {
        let message = format!("{} cannot both write to standard output", taken.join(" and "));
        return Err(Error::input(message).hint("name a file for all but one"));
    }
    Ok(())
}

/// Writes the files asked for, as far as there is something to say, while further runs are to come.
pub(super) fn write_so_far(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    for (option, path) in paths(args) {
        let Some(path) = path.filter(|path| *path != "-") else { continue };
        if let Some(text) = text(option, protocol, set, options, done) {
            write(path, &text)?;
        }
    }
    Ok(())
}

/// Writes all files asked for.
pub(super) fn write_files(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    for (option, path) in paths(args) {
        let Some(path) = path else { continue };
        match text(option, protocol, set, options, done) {
            Some(text) => write(path, &text)?,
            None => crate::terminal::complain(&format!("no counterexample, so `{path}` is not written")),
        }
    }
    Ok(())
}

/// What the file of an option says of runs; none if it would be of a counterexample and there is none.
fn text(
    option: &str,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Option<String> {
    match option {
        "--json" => {
            let runs: Vec<_> = done.iter().map(|run| runs::explained(protocol, set, options, run)).collect();
            Some(to_json(&runs))
        }
        "--save-trace" => done.iter().find_map(|run| runs::stored(protocol, set, options, run)).map(|t| to_json(&t)),
        "--itf" => done.iter().find_map(itf).map(|itf| to_json(&itf)),
        "--dot" => done.iter().find_map(Done::explanation).map(explain::dot),
        "--html" => Some(super::html::html(protocol, options, done)),
        "--junit" => Some(report::junit::write(&suite(protocol, done))),
        _ => {
            let (findings, remarks) = (done.iter().filter_map(finding), done.iter().flat_map(remarks));
            Some(to_json(&report::sarif::log(&findings.collect::<Vec<_>>(), &remarks.collect::<Vec<_>>())))
        }
    }
}

fn to_json(value: &impl serde::Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).expect("plain data"))
}

/// What is violated, and why.
fn message(run: &Done<'_>) -> String {
    let property = run.outcome.property.as_deref().unwrap_or("");
    let sentences = run.explanation().map_or(&[][..], |explanation| &explanation.sentences);
    let why: String = sentences.iter().map(|sentence| format!("\n{sentence}")).collect();
    let System { variant, scenario, .. } = run.system;
    format!("{property} is violated under {} (variant {variant}, scenario {scenario}){why}", run.memory.name)
}

fn itf(run: &Done<'_>) -> Option<serde_json::Value> {
    Some(report::itf::itf(&run.system.automata, run.sources, run.trace()?, &message(run)))
}

fn finding<'a>(run: &'a Done<'_>) -> Option<Finding<'a>> {
    let (automata, sources) = (&run.system.automata, run.sources);
    Some(Finding { automata, sources, trace: run.trace()?, message: message(run) })
}

fn suite(protocol: &Protocol, done: &[Done<'_>]) -> Suite {
    let case = |run: &Done<'_>| Case {
        class: format!("{}.{}", protocol.outline.name, run.system.variant),
        name: format!("{} {}", run.system.scenario, run.memory.name),
        seconds: run.outcome.statistics.seconds,
        verdict: match &run.outcome.verdict {
            Verdict::Holds if run.outcome.is_vacuous() => {
                CaseVerdict::Skipped(format!("holds, but vacuously: {}", run.outcome.vacuous_because()))
            }
            Verdict::Holds => CaseVerdict::Passed,
            Verdict::Violated(_) => {
                CaseVerdict::Failed { kind: run.outcome.property.clone().unwrap_or_default(), text: message(run) }
            }
            Verdict::Inconclusive(limit) => CaseVerdict::Error(format!("inconclusive: {}", limit.name())),
        },
    };
    let cases = done.iter().flat_map(|run| std::iter::once(case(run)).chain(properties(protocol, run)));
    Suite { name: protocol.outline.name.clone(), cases: cases.collect() }
}

/// A case for each property, if each was asked for; without that, for those that were not looked at.
fn properties(protocol: &Protocol, run: &Done<'_>) -> Vec<Case> {
    let case = |property: &str, verdict: CaseVerdict| Case {
        class: format!("{}.{}", protocol.outline.name, run.system.variant),
        name: format!("{} {} {property}", run.system.scenario, run.memory.name),
        seconds: 0.0,
        verdict,
    };
    let of = |finding: &workbench::Finding| {
        let word = finding.word();
        let verdict = match finding.fate {
            Fate::Holds => CaseVerdict::Passed,
            Fate::Violated(depth) => {
                let text = format!("{} is violated after {depth} steps", finding.property);
                CaseVerdict::Failed { kind: finding.property.clone(), text }
            }
            Fate::Inconclusive(limit) => CaseVerdict::Error(format!("{word}: {}", limit.name())),
            Fate::NotReached | Fate::NotChecked | Fate::Vacuous => CaseVerdict::Skipped(word.into()),
        };
        case(&finding.property, verdict)
    };
    if !run.outcome.findings.is_empty() {
        return run.outcome.findings.iter().map(of).collect();
    }
    let skipped = |word: &'static str| move |name: &String| (name.clone(), word);
    let unreached = run.outcome.unreached.iter().map(skipped("not reached"));
    let all = unreached.chain(run.outcome.unchecked.iter().map(skipped("not checked")));
    all.map(|(name, word)| case(&name, CaseVerdict::Skipped(word.into()))).collect()
}

/// What SARIF is told of properties that were not looked at, and of violations without a trace.
fn remarks<'a>(run: &'a Done<'_>) -> Vec<Remark<'a>> {
    let remark = |name: &str, word: &str, (kind, level): (&'static str, &'static str)| {
        let property = run.system.automata.properties.values().find(|property| property.name == name);
        let System { variant, scenario, .. } = run.system;
        Remark {
            sources: run.sources,
            rule: name.to_string(),
            kind,
            level,
            span: property.map_or(base::Span::none(), |property| property.span),
            message: format!("{name} {word} under {} (variant {variant}, scenario {scenario})", run.memory.name),
        }
    };
    let outcome = &run.outcome;
    let of = |finding: &workbench::Finding| match finding.fate {
        Fate::Holds => None,
        // This one has its trace.
        Fate::Violated(_) if outcome.property.as_ref() == Some(&finding.property) => None,
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
    match outcome.findings.is_empty() {
        false => outcome.findings.iter().filter_map(of).collect(),
        true => named(&outcome.unreached, "is not reached")
            .chain(named(&outcome.unchecked, "is not checked"))
            .map(|(name, word)| remark(name, word, ("notApplicable", "none")))
            .collect(),
    }
}
