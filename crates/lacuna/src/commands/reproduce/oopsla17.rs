//! `lacuna reproduce oopsla17`: Table 2 of Ugawa, Abe, Maeda 2017, beside what we measure.
//!
//! `published` is what the paper prints; `measured` is computed here, never taken from there.

use crate::args::ReproduceArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::limits;
use crate::parallel;
use crate::session::{self, Protocol};
use automata::Automata;
use report::table::{align, thousands};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::{Answer, Question, RunOptions};

/// The memory models of the paper's Table 1, in the order of its columns.
const MEMORIES: [&str; 6] = ["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no"];

/// Table 2: row, file, and the verdicts in the order of the columns. `+` both scenarios pass, `w` only WR fails,
/// `b` both fail, `-` not checked in the paper.
const TABLE_2: [(&str, &str, &str); 23] = [
    ("Stopless", "stopless/stopless.lac", "+++b+b"),
    ("Stopless(for RMO)", "stopless/stopless.lac", "++++++"),
    ("Chicken", "chicken/chicken.lac", "++wbwb"),
    ("Staccato", "staccato/staccato.lac", "++wwww"),
    ("Staccato(fix with fence)", "staccato/staccato.lac", "++++++"),
    ("Staccato(fix with rel_fence)", "staccato/staccato.lac", "++++++"),
    ("Clover(alpha=0)", "clover/clover.lac", "wwwwww"),
    ("Clover(alpha=1)", "clover/clover.lac", "+++b+b"),
    ("Clover(alpha=2)", "clover/clover.lac", "+++b+b"),
    ("Clover(fix, alpha=0)", "clover/clover.lac", "++++++"),
    ("Clover(fix, alpha=1)", "clover/clover.lac", "+++b+b"),
    ("Clover(fix, alpha=2)", "clover/clover.lac", "+++b+b"),
    ("Clover(for RMO, alpha=0)", "clover/clover.lac", "++++++"),
    ("Clover(for RMO, alpha=1)", "clover/clover.lac", "++++++"),
    ("Clover(for RMO, alpha=2)", "clover/clover.lac", "++++++"),
    ("Sapphire (iteration part)", "sapphire/sapphire_iteration.lac", "+++-+-"),
    ("Sapphire (LL/SC part)", "sapphire/sapphire_llsc.lac", "+++-+-"),
    ("x86-Sapphire", "sapphire/sapphire_x86.lac", "++w-w-"),
    ("Baker", "baker/baker.lac", "+++-+-"),
    ("Replication GC", "replication/replication.lac", "+++-+-"),
    ("Compressor", "compressor/compressor.lac", "++++++"),
    ("Pauseless", "pauseless/pauseless.lac", "+++-+-"),
    ("Schism", "schism/schism.lac", "+++-+-"),
];

/// What fails in the paper: a read that does not see what was written last, and an object that is not forwarded as it must be. Anything else that is
/// violated says nothing about the table.
const PROPERTIES: [&str; 4] = ["lost_update", "unwritten_value", "coherence", "forwarded"];

/// One cell of the table.
#[derive(Serialize)]
struct Cell {
    row: String,
    memory: String,
    published: Option<String>,
    measured: Option<String>,
    scenarios: BTreeMap<String, String>,
    vacuous: bool,
    states: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Table {
    cells: Vec<Cell>,
    matched: usize,
    total: usize,
}

/// One run to be done.
struct Job {
    row: usize,
    memory: usize,
    scenario: usize,
    system: usize,
}

/// Runs the command.
pub(super) fn run(args: &ReproduceArgs) -> Ended {
    let started = Instant::now();
    let scope = session::Scope::new(&args.set, args.queue_bound, args.switches.switches())?;
    let mut options = RunOptions::default();
    options.machine.queue_bound = scope.queue_bound;
    options.machine.buffer = scope.switches.buffer;
    options.machine.budget = limits::command();
    let memories = session::memories(&MEMORIES.map(String::from), &scope.switches)?;
    let scenarios = scenarios(args);
    let (systems, jobs) = plan(args, &scenarios, &scope.set)?;
    let answers =
        parallel::map(&jobs, |job| Question::new(&systems[job.system], &memories[job.memory], &options).answer());
    let table = tabulate(&scenarios, &jobs, &answers);
    if args.json.as_deref() != Some("-") {
        print(&text(&scenarios, &table, started.elapsed().as_secs_f64(), jobs.len()))?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(&table).expect("plain data")))?;
    }
    Ok(if answers.iter().any(|answer| answer.word() == "inconclusive") {
        Exit::Inconclusive
    } else if table.matched == table.total {
        Exit::Holds
    } else {
        Exit::Violated
    })
}

/// Whether what was run can be compared with the paper, which has WR and RW.
fn compares(scenarios: &[String]) -> bool {
    ["WR", "RW"].iter().all(|wanted| scenarios.iter().any(|scenario| scenario == wanted))
}

/// The scenarios asked for, or all.
fn scenarios(args: &ReproduceArgs) -> Vec<String> {
    if args.scenarios.is_empty() { ["WR", "RW", "general"].map(String::from).to_vec() } else { args.scenarios.clone() }
}

/// The systems of all rows and scenarios, and what to run on them.
fn plan(
    args: &ReproduceArgs,
    scenarios: &[String],
    set: &[(String, String)],
) -> Result<(Vec<Automata>, Vec<Job>), Error> {
    let folder = super::protocols(args.protocols.as_deref());
    let mut loaded: Vec<(&str, Protocol)> = Vec::new();
    let (mut systems, mut jobs) = (Vec::new(), Vec::new());
    for (row, (title, file, _)) in TABLE_2.iter().enumerate() {
        if !loaded.iter().any(|(name, _)| name == file) {
            loaded.push((file, session::open(&folder.join("copying").join(file))?));
        }
        let (_, protocol) = loaded.iter().find(|(name, _)| name == file).expect("just loaded");
        let variant = protocol.outline.variants.iter().find(|v| v.title.as_deref() == Some(title));
        let variant = variant.ok_or_else(|| {
            let message = format!("`{file}` has no variant with the title `{title}`");
            Error::input(message).hint("a variant's title is the row's name in the paper")
        })?;
        for (scenario, name) in scenarios.iter().enumerate() {
            protocol.scenarios(Some(name))?;
            systems.push(session::system(protocol, &variant.name, name, set)?.automata);
            let system = systems.len() - 1;
            jobs.extend((0..MEMORIES.len()).map(|memory| Job { row, memory, scenario, system }));
        }
    }
    Ok((systems, jobs))
}

fn tabulate(scenarios: &[String], jobs: &[Job], answers: &[Answer]) -> Table {
    let mut cells = Vec::new();
    for (row, (title, _, published)) in TABLE_2.iter().enumerate() {
        for (memory, name) in MEMORIES.iter().enumerate() {
            let runs: Vec<(&Job, &Answer)> =
                jobs.iter().zip(answers).filter(|(job, _)| job.row == row && job.memory == memory).collect();
            let scenarios: BTreeMap<String, String> =
                runs.iter().map(|(job, o)| (scenarios[job.scenario].clone(), word(o))).collect();
            cells.push(Cell {
                row: title.to_string(),
                memory: name.to_string(),
                published: published_word(published.as_bytes()[memory]).map(String::from),
                measured: measured_word(&scenarios),
                vacuous: runs.iter().any(|(_, o)| o.is_vacuous()),
                states: runs.iter().map(|(_, o)| o.statistics.states).sum(),
                seconds: runs.iter().map(|(_, o)| o.statistics.seconds).sum(),
                scenarios,
            });
        }
    }
    let published = cells.iter().filter(|cell| cell.published.is_some());
    let matched = published.clone().filter(|cell| cell.published == cell.measured && !cell.vacuous).count();
    let total = published.count();
    Table { matched, total, cells }
}

fn published_word(letter: u8) -> Option<&'static str> {
    match letter {
        b'+' => Some("pass"),
        b'w' => Some("wr-fail"),
        b'b' => Some("both-fail"),
        _ => None,
    }
}

/// A run's verdict; with the property, if the paper does not speak of it.
fn word(answer: &Answer) -> String {
    match answer.property.as_deref().filter(|property| !PROPERTIES.contains(property)) {
        Some(other) => format!("violated by {other}"),
        None => answer.word().to_string(),
    }
}

/// The paper's word for what WR and RW gave, or what the paper has no word for; none if one was not run to its end.
fn measured_word(scenarios: &BTreeMap<String, String>) -> Option<String> {
    let (wr, rw) = (scenarios.get("WR")?.as_str(), scenarios.get("RW")?.as_str());
    let known = match (wr, rw) {
        ("holds", "holds") => "pass",
        ("violated", "holds") => "wr-fail",
        ("holds", "violated") => "rw-fail",
        ("violated", "violated") => "both-fail",
        ("inconclusive", _) | (_, "inconclusive") => return None,
        ("holds" | "violated", other) | (other, _) => other,
    };
    Some(known.into())
}

fn text(scenarios: &[String], table: &Table, seconds: f64, n_runs: usize) -> String {
    let compares = compares(scenarios);
    let head = if compares { "published / measured".to_string() } else { scenarios.join(" / ") };
    let mut rows = vec![std::iter::once(head).chain(MEMORIES.map(String::from)).collect::<Vec<_>>()];
    for cells in table.cells.chunks(MEMORIES.len()) {
        let shown = cells.iter().map(|cell| if compares { show(cell) } else { verdicts(scenarios, cell) });
        rows.push(std::iter::once(cells[0].row.clone()).chain(shown).collect());
    }
    let states: u64 = table.cells.iter().map(|cell| cell.states).sum();
    let runs = format!("{n_runs} runs, {} states, {seconds:.2} s\n", thousands(states));
    format!("{}\n{}{runs}", align(&rows), if compares { compared(table) } else { not_compared(table) })
}

/// How many cells agree with the paper, and with the general mutator where it was run.
fn compared(table: &Table) -> String {
    let more = table.cells.iter().filter(|cell| cell.published.is_none() && cell.measured.is_some()).count();
    let mut out = format!(
        "{} of {} published cells agree; {more} cells without a published verdict are measured too\n",
        table.matched, table.total
    );
    let both = |cell: &Cell| Some((cell.measured.clone()?, cell.scenarios.get("general")?.clone()));
    let pairs: Vec<(String, String)> = table.cells.iter().filter_map(both).collect();
    if !pairs.is_empty() {
        let differs = |(measured, general): &&(String, String)| match general.as_str() {
            "holds" => measured != "pass",
            "violated" => !matches!(measured.as_str(), "wr-fail" | "rw-fail" | "both-fail"),
            _ => true,
        };
        let n_differ = pairs.iter().filter(differs).count();
        out += &format!("the general mutator differs from WR and RW together in {n_differ} cells\n");
    }
    out
}

fn not_compared(table: &Table) -> String {
    format!("nothing is compared with the {} published cells, which need both WR and RW\n", table.total)
}

/// The verdicts of the scenarios that were run.
fn verdicts(scenarios: &[String], cell: &Cell) -> String {
    let words: Vec<&str> = scenarios.iter().filter_map(|name| cell.scenarios.get(name)).map(String::as_str).collect();
    format!("{}{}", words.join(" / "), if cell.vacuous { " ?" } else { "" })
}

/// `pass / pass`, with `!` if they differ, `?` if the pass is vacuous.
fn show(cell: &Cell) -> String {
    let published = cell.published.as_deref().unwrap_or("-");
    let measured = cell.measured.as_deref().unwrap_or("?");
    let differs = cell.published.is_some() && cell.published != cell.measured;
    format!("{published} / {measured}{}{}", if differs { " !" } else { "" }, if cell.vacuous { " ?" } else { "" })
}
