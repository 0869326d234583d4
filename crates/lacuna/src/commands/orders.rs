//! `lacuna orders`: which fences and orders a protocol needs, and what fails without each.

use super::ordering::{Asked, steps, units};
use crate::args::OrdersArgs;
use crate::exit::{Error, Exit, Outcome as Ended, print, write};
use memory::Operation;
use repair::{Least, Map, Problem, Row, Subject, Weaker, orders, own_orders, strengths};
use report::json::StoredTrace;
use report::table::align;
use report::{LaneOptions, lanes};
use serde::Serialize;
use std::fmt::Write;

/// The map of one variant and memory model.
#[derive(Serialize)]
struct Told {
    protocol: String,
    variant: String,
    memory: String,
    /// `holds`, `violated` or `inconclusive`: the protocol as it is.
    verdict: &'static str,
    /// What made it inconclusive.
    limit: Option<&'static str>,
    costs: String,
    /// What the orders of the text cost.
    cost: f64,
    orders: Vec<ToldRow>,
    least: Vec<ToldLeast>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    exit: Exit,
}

#[derive(Serialize)]
struct ToldRow {
    file: String,
    line: usize,
    code: String,
    now: String,
    /// The weakest that are enough, all other orders being as they are; just what it is now if it is needed.
    enough: Vec<String>,
    weaker: Vec<ToldWeaker>,
}

#[derive(Serialize)]
struct ToldWeaker {
    order: String,
    holds: bool,
    patch: String,
    property: Option<String>,
    reasons: Vec<String>,
    /// Executed by `lacuna replay` with the patch applied.
    trace: Option<StoredTrace>,
}

#[derive(Serialize)]
struct ToldLeast {
    cost: f64,
    kept: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &OrdersArgs) -> Ended {
    let asked = Asked::new(&args.ordering, &args.memory)?;
    let mut told = Vec::new();
    for (variant, memory, named) in asked.runs() {
        let problem = own_orders(asked.question(variant, memory));
        let map = orders(&problem, args.ordering.solutions.max(1));
        told.push(tell(args, &asked, named, &problem, &map));
        show_last(&told, args.ordering.json.as_deref())?;
    }
    if args.ordering.json.as_deref() == Some("-") {
        write("-", &format!("{}\n", serde_json::to_string_pretty(&told).expect("plain data")))?;
    }
    Ok(told.iter().map(|told| told.exit).fold(Exit::Holds, Exit::and))
}

/// Prints the last answer, and writes the file with all so far.
fn show_last(told: &[Told], json: Option<&str>) -> Result<(), Error> {
    if json == Some("-") {
        return Ok(());
    }
    let between = if told.len() > 1 { "\n" } else { "" };
    print(&format!("{between}{}", told.last().map_or("", |told| told.text.as_str())))?;
    match json {
        Some(path) => write(path, &format!("{}\n", serde_json::to_string_pretty(told).expect("plain data"))),
        None => Ok(()),
    }
}

fn tell(args: &OrdersArgs, asked: &Asked, named: &str, problem: &Problem<'_>, map: &Map) -> Told {
    let question = &problem.question;
    let title = format!("{} {} under {}", asked.protocol.outline.name, question.variant, question.memory.name);
    let mut told = Told {
        protocol: asked.protocol.outline.name.clone(),
        variant: question.variant.into(),
        memory: question.memory.name.clone(),
        verdict: "holds",
        limit: None,
        costs: question.costs.name.clone(),
        cost: 0.0,
        orders: Vec::new(),
        least: Vec::new(),
        text: String::new(),
        exit: Exit::Holds,
    };
    match map {
        Map::Violated(failure) => {
            let scenario = &problem.instances[failure.instance].0.scenario;
            (told.verdict, told.exit) = ("violated", Exit::Violated);
            told.text = format!(
                "{title}: {} is violated in {scenario} as it is, so no order can be weakened; see `lacuna repair`\n",
                failure.property
            );
        }
        Map::Inconclusive(limit) => {
            (told.verdict, told.exit) = ("inconclusive", Exit::Inconclusive);
            told.limit = Some(limit.name());
            told.text = format!("{title}: inconclusive ({})\n", limit.name());
        }
        Map::Rows { rows, least, cost } => {
            told.cost = *cost as f64 / repair::costs::UNIT as f64;
            told.orders = rows.iter().map(|row| told_row(asked, named, problem, row)).collect();
            told.least = least.iter().map(|least| told_least(problem, least)).collect();
            told.text = text(args, problem, &title, (rows, least, *cost));
        }
    }
    told
}

fn span(problem: &Problem<'_>, row: &Row) -> base::Span {
    match row.subject {
        Subject::Place(place) => problem.places.table[place].span,
        Subject::StoppedWorld(span) => span,
    }
}

/// What the text has: `full`, `acq_rel`, or the world stopped.
fn now(row: &Row) -> &'static str {
    match row.subject {
        Subject::Place(_) => strengths(&row.now),
        Subject::StoppedWorld(_) => "stop_the_world",
    }
}

/// The weakest that are enough, in words.
fn enough(row: &Row) -> Vec<&'static str> {
    let enough: Vec<&str> = row.enough().iter().map(|weaker| strengths(&weaker.strengths)).collect();
    if enough.is_empty() { vec![now(row)] } else { enough }
}

fn told_row(asked: &Asked, named: &str, problem: &Problem<'_>, row: &Row) -> ToldRow {
    let span = span(problem, row);
    let (file, line) = match problem.question.loaded.sources.place(span) {
        Some((source, place)) => (source.name.clone(), place.line),
        None => (String::new(), 0),
    };
    ToldRow {
        file,
        line,
        code: problem.code(span),
        now: now(row).into(),
        enough: enough(row).into_iter().map(String::from).collect(),
        weaker: row.weaker.iter().map(|weaker| told_weaker(asked, named, problem, weaker)).collect(),
    }
}

fn told_weaker(asked: &Asked, named: &str, problem: &Problem<'_>, weaker: &Weaker) -> ToldWeaker {
    let question = &problem.question;
    let trace = weaker.witness.as_ref().map(|witness| {
        let failure = &witness.failure;
        let scenario = &problem.instances[failure.instance].0.scenario;
        let what = (question.variant, scenario.as_str(), named);
        let mut stored = asked.stored(what, question.memory, &failure.property, &failure.trace);
        stored.events = report::json::events(&failure.automata, &weaker.patched.load().sources, &failure.trace);
        stored
    });
    ToldWeaker {
        order: strengths(&weaker.strengths).into(),
        holds: weaker.witness.is_none(),
        patch: weaker.patched.diff(),
        property: weaker.witness.as_ref().map(|witness| witness.failure.property.clone()),
        reasons: weaker.witness.as_ref().map_or(Vec::new(), |witness| witness.reasons.clone()),
        trace,
    }
}

fn told_least(problem: &Problem<'_>, least: &Least) -> ToldLeast {
    let kept = least.kept.iter().map(|(atom, _)| problem.change(*atom)).collect();
    ToldLeast { cost: least.cost as f64 / repair::costs::UNIT as f64, kept }
}

fn text(args: &OrdersArgs, problem: &Problem<'_>, title: &str, (rows, least, cost): (&[Row], &[Least], u64)) -> String {
    if rows.is_empty() {
        return format!("{title} holds, and has no fence or order that could be weakened\n");
    }
    let mut table = vec![["place", "", "now", "enough", "without it"].map(String::from).to_vec()];
    for row in rows {
        let span = span(problem, row);
        let code = problem.code(span);
        table.push(vec![problem.line(span), code, now(row).into(), enough(row).join(" or "), removed(problem, row)]);
    }
    let mut out = format!("{title}: each order, all others being as they are\n{}", align(&table));
    for row in rows {
        for weaker in shown(row) {
            out += &witness(args, problem, row, weaker);
        }
    }
    let costs = &problem.question.costs.name;
    let _ = writeln!(out, "\nall together, least costly first ({costs}; as it is: {})", units(cost));
    for (n, least) in least.iter().enumerate() {
        let kept: Vec<String> = least.kept.iter().map(|(atom, _)| problem.change(*atom)).collect();
        let kept = if kept.is_empty() { "none is needed".into() } else { kept.join("; ") };
        let _ = writeln!(out, "{}. cost {}: {kept}", n + 1, units(least.cost));
    }
    let memory = problem.question.memory;
    if memory.speculate == 0 && memory.may_overtake(Operation::LOAD, Operation::LOAD) {
        out += "no branch is guessed here: where processors guess, more may be needed (`--speculate N`)\n";
    }
    out
}

/// What fails if the order is taken away.
fn removed(problem: &Problem<'_>, row: &Row) -> String {
    let witness = row.weaker.first().and_then(|weaker| weaker.witness.as_ref());
    witness.map_or("holds".into(), |witness| {
        let scenario = &problem.instances[witness.failure.instance].0.scenario;
        format!("{} in {scenario}, {}", witness.failure.property, steps(&witness.failure.trace))
    })
}

/// The strongest of the weaker orders that fail: each shows why no less is enough.
fn shown(row: &Row) -> Vec<&Weaker> {
    let fails: Vec<&Weaker> = row.weaker.iter().filter(|weaker| weaker.witness.is_some()).collect();
    let is_covered = |a: &Weaker, b: &Weaker| {
        a.strengths != b.strengths && a.strengths.iter().all(|a| b.strengths.iter().any(|b| b.covers(*a)))
    };
    fails.iter().filter(|a| !fails.iter().any(|b| is_covered(a, b))).copied().collect()
}

fn witness(args: &OrdersArgs, problem: &Problem<'_>, row: &Row, weaker: &Weaker) -> String {
    let Some(witness) = &weaker.witness else { return String::new() };
    let failure = &witness.failure;
    let scenario = &problem.instances[failure.instance].0.scenario;
    let line = problem.line(span(problem, row));
    let mut out = format!(
        "\n{line}: with {} instead of {}, {} is violated in {scenario} ({}, {} changes of thread)\n",
        strengths(&weaker.strengths),
        now(row),
        failure.property,
        steps(&failure.trace),
        failure.trace.switches(),
    );
    for reason in &witness.reasons {
        let _ = writeln!(out, "  {reason}");
    }
    if args.witnesses {
        let options = LaneOptions { cells: false, queues: false, width: 0 };
        out += &format!("\n{}", lanes(&failure.automata, &weaker.patched.load().sources, &failure.trace, options));
    }
    out
}
