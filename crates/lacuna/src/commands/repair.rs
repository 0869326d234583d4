//! `lacuna repair`: the least costly fences and orders that make a protocol hold, as a patch.

use super::ordering::{Request, reasons, steps, unguessed, units};
use crate::args::RepairArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use repair::{Answer, Only, Problem, Solution, UnderSc, Verified, repair};
use report::table::thousands;
use serde::Serialize;
use std::fmt::Write;

/// The result of one variant and memory model.
#[derive(Serialize)]
struct RepairReport {
    protocol: String,
    variant: String,
    memory: String,
    /// `holds`, `repaired`, `hopeless` or `inconclusive`.
    answer: &'static str,
    /// What made it inconclusive.
    limit: Option<&'static str>,
    costs: String,
    /// Whether there are no other solutions.
    complete: bool,
    solutions: Vec<SolutionRow>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    exit: Exit,
}

#[derive(Serialize)]
struct SolutionRow {
    cost: f64,
    changes: Vec<ChangeRow>,
    verified: Vec<VerifiedRow>,
    patch: String,
}

#[derive(Serialize)]
struct ChangeRow {
    change: String,
    /// What is violated without it.
    property: String,
    scenario: String,
    steps: usize,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct VerifiedRow {
    scenario: String,
    set: Option<String>,
    states: u64,
    limit: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &RepairArgs) -> Ended {
    let request = Request::new(&args.ordering, &args.memory)?;
    let only: Vec<Only> = args.only.iter().map(|word| only(&request, word)).collect::<Result<_, _>>()?;
    let mut reports = Vec::new();
    for run in request.runs() {
        let n = args.ordering.solutions.max(1);
        let mut problem = repair::problem(request.question(run));
        let mut answer = repair(&mut problem, &only, n);
        if matches!(answer, Answer::Hopeless(_, UnderSc::Holds))
            && let Some(beside) = repair::problem_beside_flags(&problem)
        {
            problem = beside;
            answer = repair(&mut problem, &only, n);
        }
        reports.push(to_report(&request, &problem, &answer));
        show_last(args, &reports)?;
    }
    finish(args, &reports)?;
    Ok(reports.iter().map(|report| report.exit).fold(Exit::Holds, Exit::and))
}

fn only(request: &Request, word: &str) -> Result<Only, Error> {
    let threads = thread_names(request);
    match word {
        "fences" => Ok(Only::Fences),
        "orders" => Ok(Only::Orders),
        name if threads.iter().any(|thread| thread == name) => Ok(Only::Thread(name.into())),
        _ => {
            let known: Vec<&str> = ["fences", "orders"].into_iter().chain(threads.iter().map(String::as_str)).collect();
            let error = Error::input(format!("`--only {word}` names nothing that can be changed"));
            Err(error.hint(base::suggest::choice(word, &known)))
        }
    }
}

/// The names of all threads, those of scenarios too.
fn thread_names(request: &Request) -> Vec<String> {
    use syntax::tree::ItemKind;
    let mut names: Vec<String> = Vec::new();
    for item in request.protocol.loaded.modules.iter().flat_map(|module| &module.items) {
        let threads = match &item.kind {
            ItemKind::Thread(thread) => std::slice::from_ref(thread),
            ItemKind::Scenario(scenario) => &scenario.threads,
            _ => &[],
        };
        names.extend(threads.iter().map(|thread| thread.name.text.clone()));
    }
    names.sort();
    names.dedup();
    names
}

/// Prints the last answer, and writes the files with all so far.
fn show_last(args: &RepairArgs, reports: &[RepairReport]) -> Result<(), Error> {
    let is_quiet = [&args.ordering.json, &args.patch].into_iter().any(|path| path.as_deref() == Some("-"));
    if !is_quiet {
        let between = if reports.len() > 1 { "\n" } else { "" };
        print(&format!("{between}{}", reports.last().map_or("", |report| report.text.as_str())))?;
    }
    if let (Some(path), Some(patch)) = (args.patch.as_deref().filter(|path| *path != "-"), patch(reports)) {
        write(path, patch)?;
    }
    match args.ordering.json.as_deref().filter(|path| *path != "-") {
        Some(path) => write(path, &json(reports)),
        None => Ok(()),
    }
}

/// Writes what goes to standard output, and says what is not written.
fn finish(args: &RepairArgs, reports: &[RepairReport]) -> Result<(), Error> {
    match (args.patch.as_deref(), patch(reports)) {
        (Some("-"), Some(patch)) => write("-", patch)?,
        (Some(path), None) => crate::terminal::complain(&format!("no repair, so `{path}` is not written")),
        _ => {}
    }
    if args.ordering.json.as_deref() == Some("-") { write("-", &json(reports)) } else { Ok(()) }
}

/// The patch of the first solution.
fn patch(reports: &[RepairReport]) -> Option<&str> {
    reports.iter().find_map(|report| Some(report.solutions.first()?.patch.as_str()))
}

fn json(reports: &[RepairReport]) -> String {
    format!("{}\n", serde_json::to_string_pretty(reports).expect("plain data"))
}

fn to_report(request: &Request, problem: &Problem<'_>, answer: &Answer) -> RepairReport {
    let question = &problem.question;
    let title = format!("{} {} under {}", request.protocol.outline.name, question.variant, question.memory.name);
    let (word, text, exit) = match answer {
        Answer::Holds => ("holds", format!("{title} holds: there is nothing to repair\n"), Exit::Holds),
        Answer::Inconclusive(limit) => {
            ("inconclusive", format!("{title}: inconclusive ({})\n", limit.name()), Exit::Inconclusive)
        }
        Answer::Hopeless(failure, sc) => {
            let why = match (sc, failure) {
                (UnderSc::Violated(scenario, property), _) => {
                    format!("{property} is violated in {scenario} under sequential consistency too")
                }
                (UnderSc::Holds, Some(failure)) => format!(
                    "{} in {} fails ({}) whatever is put in the places allowed",
                    failure.property,
                    problem.instances[failure.instance].0.scenario,
                    steps(&failure.trace)
                ),
                (UnderSc::Holds, None) => "nothing in the places allowed is enough".into(),
            };
            ("hopeless", format!("{title}: no fence or order repairs it: {why}\n"), Exit::Violated)
        }
        Answer::Repaired(solutions, complete) => {
            ("repaired", repaired(problem, &title, solutions, *complete), Exit::Holds)
        }
    };
    let (solutions, complete) = match answer {
        Answer::Repaired(solutions, complete) => (&solutions[..], *complete),
        _ => (&[][..], !matches!(answer, Answer::Inconclusive(_))),
    };
    let limit = match answer {
        Answer::Inconclusive(limit) => Some(limit.name()),
        _ => None,
    };
    RepairReport {
        protocol: request.protocol.outline.name.clone(),
        variant: question.variant.into(),
        memory: question.memory.name.clone(),
        answer: word,
        limit,
        costs: question.costs.name.clone(),
        complete,
        solutions: solutions.iter().map(|solution| solution_row(problem, solution)).collect(),
        text,
        exit,
    }
}

fn solution_row(problem: &Problem<'_>, solution: &Solution) -> SolutionRow {
    let changes = solution.needs.iter().map(|need| ChangeRow {
        change: problem.change(need.atom),
        property: need.failure.property.clone(),
        scenario: instance(problem, need.failure.instance),
        steps: need.failure.trace.steps.len(),
        reasons: reasons(problem, &need.failure, need.atom),
    });
    let verified = solution.verified.iter().map(|run| VerifiedRow {
        scenario: run.instance.scenario.clone(),
        set: run.instance.larger.as_ref().map(|(name, value)| format!("{name}={value}")),
        states: run.states,
        limit: run.limit.map(|limit| limit.name().into()),
    });
    SolutionRow {
        cost: solution.cost as f64 / repair::costs::UNIT as f64,
        changes: changes.collect(),
        verified: verified.collect(),
        patch: solution.patched.diff(),
    }
}

fn repaired(problem: &Problem<'_>, title: &str, solutions: &[Solution], complete: bool) -> String {
    let others = if complete { "no others" } else { "there may be others" };
    let plural = if solutions.len() == 1 { "" } else { "s" };
    let costs = &problem.question.costs.name;
    let mut out = format!("{title}: {} repair{plural}, least costly first ({costs}); {others}\n", solutions.len());
    for (n, solution) in solutions.iter().enumerate() {
        let _ = writeln!(out, "\n{}. cost {}", n + 1, units(solution.cost));
        for need in &solution.needs {
            let failure = &need.failure;
            let _ = writeln!(out, "   {}", problem.change(need.atom));
            let scenario = instance(problem, failure.instance);
            let _ = writeln!(out, "     without it: {} in {scenario}, {}", failure.property, steps(&failure.trace));
            for reason in reasons(problem, failure, need.atom) {
                let _ = writeln!(out, "     {reason}");
            }
        }
        let _ = writeln!(out, "   holds in {}", verified(&solution.verified));
        let _ = write!(out, "\n{}", solution.patched.diff());
    }
    let warning = unguessed(problem);
    if warning.is_empty() { out } else { format!("{out}\n{warning}") }
}

/// `general (MUTATORS=2)`
fn instance(problem: &Problem<'_>, number: usize) -> String {
    let instance = &problem.instances[number].0;
    match &instance.larger {
        None => instance.scenario.clone(),
        Some((name, value)) => format!("{} ({name}={value})", instance.scenario),
    }
}

/// The scenarios that hold, and those that were too large to tell; one group for each scope.
fn verified(all: &[Verified]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for run in all {
        let scope = run.instance.larger.as_ref().map_or(String::new(), |(name, value)| format!(" with {name}={value}"));
        let states = thousands(run.states);
        let word = match run.limit {
            None => run.instance.scenario.clone(),
            Some(_) => format!("{} as far as {states} states", run.instance.scenario),
        };
        match groups.iter_mut().find(|(other, _)| *other == scope) {
            Some((_, words)) => words.push(word),
            None => groups.push((scope, vec![word])),
        }
    }
    groups.iter().map(|(scope, words)| format!("{}{scope}", words.join(", "))).collect::<Vec<_>>().join("; ")
}
