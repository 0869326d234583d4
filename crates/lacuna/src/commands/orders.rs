//! `lacuna orders`: which fences and orders a protocol needs, and what fails without each.

use super::ordering::{OrderingRun, Request, passed_over, steps, unguessed, units};
use crate::args::OrdersArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::terminal;
use repair::{Least, Map, Problem, Row, Strength, Subject, Target, Weaker, orders, own_orders, strengths};
use report::json::StoredTrace;
use report::table::align;
use report::{LaneOptions, lanes};
use serde::Serialize;
use std::fmt::Write;

/// The map of one variant and memory model.
#[derive(Serialize)]
struct OrdersReport {
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
    orders: Vec<OrderRow>,
    least: Vec<LeastRow>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    exit: Exit,
}

#[derive(Serialize)]
struct OrderRow {
    file: String,
    line: usize,
    code: String,
    now: String,
    /// The weakest that are enough, all other orders being as they are; just what it is now if it is needed.
    enough: Vec<String>,
    weaker: Vec<WeakerRow>,
}

#[derive(Serialize)]
struct WeakerRow {
    order: String,
    holds: bool,
    patch: String,
    property: Option<String>,
    reasons: Vec<String>,
    /// Executed by `lacuna replay` with the patch applied.
    trace: Option<StoredTrace>,
}

#[derive(Serialize)]
struct LeastRow {
    cost: f64,
    kept: Vec<String>,
}

/// The run that is asked about, and of what.
type Of<'a> = (&'a Request, OrderingRun<'a>);

/// Runs the command.
pub(crate) fn run(args: &OrdersArgs) -> Ended {
    let request = Request::new(&args.ordering, &args.memory)?;
    let mut reports = Vec::new();
    for run in request.runs() {
        let problem = own_orders(request.question(run));
        let map = orders(&problem, args.ordering.solutions.max(1));
        reports.push(to_report(args, (&request, run), &problem, &map));
        show_last(&reports, args.ordering.json.as_deref())?;
    }
    if args.ordering.json.as_deref() == Some("-") {
        write("-", &format!("{}\n", serde_json::to_string_pretty(&reports).expect("plain data")))?;
    }
    Ok(reports.iter().map(|report| report.exit).fold(Exit::Holds, Exit::and))
}

/// Prints the last answer, and writes the file with all so far.
fn show_last(reports: &[OrdersReport], json: Option<&str>) -> Result<(), Error> {
    if json == Some("-") {
        return Ok(());
    }
    let between = if reports.len() > 1 { "\n" } else { "" };
    print(&format!("{between}{}", reports.last().map_or("", |report| report.text.as_str())))?;
    match json {
        Some(path) => write(path, &format!("{}\n", serde_json::to_string_pretty(reports).expect("plain data"))),
        None => Ok(()),
    }
}

fn to_report(args: &OrdersArgs, of: Of<'_>, problem: &Problem<'_>, map: &Map) -> OrdersReport {
    let request = of.0;
    let question = &problem.question;
    let title = format!("{} {} under {}", request.protocol.outline.name, question.variant, question.memory.name);
    let mut report = OrdersReport {
        protocol: request.protocol.outline.name.clone(),
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
            (report.verdict, report.exit) = ("violated", Exit::Violated);
            report.text = format!(
                "{title}: {} is violated in {scenario} as it is, so no order can be weakened; see `lacuna repair`\n",
                failure.property
            );
        }
        Map::Inconclusive(limit) => {
            (report.verdict, report.exit) = ("inconclusive", Exit::Inconclusive);
            report.limit = Some(limit.name());
            report.text = format!("{title}: inconclusive ({})\n", limit.name());
        }
        Map::Rows { rows, least, cost } => {
            report.cost = *cost as f64 / repair::costs::UNIT as f64;
            report.orders = rows.iter().map(|row| order_row(of, problem, row)).collect();
            report.least = least.iter().map(|least| least_row(problem, least)).collect();
            report.text = text(args, problem, &title, (rows, least, *cost));
        }
    }
    report
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

/// Strengths at a row's place, for people.
fn said(problem: &Problem<'_>, row: &Row, strengths: &[Strength]) -> String {
    match row.subject {
        Subject::Place(place) => problem.word(strengths, problem.places.table[place].target == Target::Fence),
        Subject::StoppedWorld(_) if strengths == row.now => "stop_the_world".into(),
        Subject::StoppedWorld(_) => "none".into(),
    }
}

/// The weakest that are enough, for people.
fn said_enough(problem: &Problem<'_>, row: &Row) -> String {
    let enough: Vec<String> = row.enough().iter().map(|weaker| said(problem, row, &weaker.strengths)).collect();
    if enough.is_empty() { said(problem, row, &row.now) } else { enough.join(" or ") }
}

/// Why it fails with a weaker order.
fn reasons(problem: &Problem<'_>, weaker: &Weaker) -> Vec<String> {
    match &weaker.witness {
        Some(witness) if problem.speaks_rust() => {
            passed_over(problem, &witness.failure, &weaker.patched.load().sources)
        }
        Some(witness) => witness.reasons.clone(),
        None => Vec::new(),
    }
}

fn order_row(of: Of<'_>, problem: &Problem<'_>, row: &Row) -> OrderRow {
    let span = span(problem, row);
    let (file, line) = match problem.question.loaded.sources.place(span) {
        Some((source, place)) => (source.name.clone(), place.line),
        None => (String::new(), 0),
    };
    OrderRow {
        file,
        line,
        code: problem.code(span),
        now: now(row).into(),
        enough: enough(row).into_iter().map(String::from).collect(),
        weaker: row.weaker.iter().map(|weaker| weaker_row(of, problem, weaker)).collect(),
    }
}

fn weaker_row((request, run): Of<'_>, problem: &Problem<'_>, weaker: &Weaker) -> WeakerRow {
    let trace = weaker.witness.as_ref().map(|witness| {
        let failure = &witness.failure;
        let scenario = &problem.instances[failure.instance].0.scenario;
        let mut stored = request.stored(run, scenario, &failure.property, &failure.trace);
        stored.events = report::json::events(&failure.automata, &weaker.patched.load().sources, &failure.trace);
        stored
    });
    WeakerRow {
        order: strengths(&weaker.strengths).into(),
        holds: weaker.witness.is_none(),
        patch: weaker.patched.diff(),
        property: weaker.witness.as_ref().map(|witness| witness.failure.property.clone()),
        reasons: reasons(problem, weaker),
        trace,
    }
}

fn least_row(problem: &Problem<'_>, least: &Least) -> LeastRow {
    LeastRow { cost: least.cost as f64 / repair::costs::UNIT as f64, kept: kept(problem, least) }
}

/// What an assignment keeps, in words.
fn kept(problem: &Problem<'_>, least: &Least) -> Vec<String> {
    problem.changes(&least.kept.iter().map(|(atom, _)| *atom).collect::<Vec<_>>())
}

fn text(args: &OrdersArgs, problem: &Problem<'_>, title: &str, (rows, least, cost): (&[Row], &[Least], u64)) -> String {
    if rows.is_empty() {
        return format!("{title} holds, and has no fence or order that could be weakened\n");
    }
    let mut table = vec![["place", "", "now", "enough", "without it"].map(String::from).to_vec()];
    for row in rows {
        let span = span(problem, row);
        let code = problem.code(span);
        let now = said(problem, row, &row.now);
        table.push(vec![problem.line(span), code, now, said_enough(problem, row), removed(problem, row)]);
    }
    let mut out = format!("{title}: each order, all others being as they are\n{}", align(&table));
    for row in rows {
        for weaker in shown(row) {
            out += &witness(args, problem, row, weaker);
        }
    }
    let costs = &problem.question.costs.name;
    let is_stopped = rows.iter().any(|row| matches!(row.subject, Subject::StoppedWorld(_)));
    let stays = if is_stopped { "; stop_the_world stays" } else { "" };
    let _ = writeln!(out, "\nall together, least costly first ({costs}; as it is: {}{stays})", units(cost));
    for (n, least) in least.iter().enumerate() {
        let kept = kept(problem, least);
        let kept = if kept.is_empty() { "no fence or order is needed".into() } else { kept.join("; ") };
        let _ = writeln!(out, "{}. cost {}: {kept}", n + 1, units(least.cost));
    }
    out + unguessed(problem)
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
        said(problem, row, &weaker.strengths),
        said(problem, row, &row.now),
        failure.property,
        steps(&failure.trace),
        failure.trace.switches(),
    );
    for reason in reasons(problem, weaker) {
        let _ = writeln!(out, "  {reason}");
    }
    if args.witnesses {
        let options = LaneOptions { width: terminal::width(), ..LaneOptions::default() };
        out += &format!("\n{}", lanes(&failure.automata, &weaker.patched.load().sources, &failure.trace, options));
    }
    out
}
