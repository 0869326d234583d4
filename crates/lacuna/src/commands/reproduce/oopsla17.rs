//! `lacuna reproduce oopsla17`: Table 2 of Ugawa, Abe, Maeda 2017, beside what we measure.
//!
//! `published` is what the paper prints; `measured` is computed here, never taken from there.

use crate::args::ReproduceArgs;
use crate::exit::{Error, Exit, Outcome as Ended, print, write};
use crate::parallel;
use crate::session::{self, Protocol};
use automata::Automata;
use report::table::{align, thousands};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::{Outcome, RunOptions, quiet};

/// The memory models of the paper's Table 1, in the order of its columns.
const MEMORIES: [&str; 6] = ["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no"];

/// What the study asks: the assertions of the mutators. A run that violates anything else has measured none of them.
const PROPERTIES: [&str; 4] = ["lost_update", "forwarded", "coherence", "unwritten_value"];

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
    let scope = session::Scope::new(&args.set, args.queue_bound, &args.switches)?;
    let mut options = RunOptions::default();
    options.machine.queue_bound = scope.queue_bound;
    options.machine.buffer = scope.switches.buffer;
    let memories = session::memories(&MEMORIES.map(String::from), &scope.switches)?;
    let scenarios = scenarios(args);
    let (systems, jobs) = plan(args, &scenarios, &scope.set)?;
    let outcomes =
        parallel::map(&jobs, |job| workbench::run(&systems[job.system], &memories[job.memory], &options, &quiet()));
    let table = tabulate(&scenarios, &jobs, &outcomes);
    if args.json.as_deref() != Some("-") {
        print(&text(&scenarios, &table, started.elapsed().as_secs_f64(), jobs.len()))?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(&table).expect("plain data")))?;
    }
    Ok(if table.matched == table.total { Exit::Holds } else { Exit::Violated })
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
            loaded.push((file, Protocol::load(&folder.join("copying").join(file))?));
        }
        let (_, protocol) = loaded.iter().find(|(name, _)| name == file).expect("just loaded");
        let variant = protocol.outline.variants.iter().find(|v| v.title.as_deref() == Some(title));
        let variant = variant.ok_or_else(|| {
            let message = format!("`{file}` has no variant with the title `{title}`");
            Error::input(message).hint("a variant's title is the row's name in the paper")
        })?;
        for (scenario, name) in scenarios.iter().enumerate() {
            protocol.scenarios(Some(name))?;
            systems.push(protocol.system(&variant.name, name, set)?.automata);
            let system = systems.len() - 1;
            jobs.extend((0..MEMORIES.len()).map(|memory| Job { row, memory, scenario, system }));
        }
    }
    Ok((systems, jobs))
}

fn tabulate(scenarios: &[String], jobs: &[Job], outcomes: &[Outcome]) -> Table {
    let mut cells = Vec::new();
    for (row, (title, _, published)) in TABLE_2.iter().enumerate() {
        for (memory, name) in MEMORIES.iter().enumerate() {
            let runs: Vec<(&Job, &Outcome)> =
                jobs.iter().zip(outcomes).filter(|(job, _)| job.row == row && job.memory == memory).collect();
            let scenarios: BTreeMap<String, String> =
                runs.iter().map(|(job, o)| (scenarios[job.scenario].clone(), word(o))).collect();
            cells.push(Cell {
                row: title.to_string(),
                memory: name.to_string(),
                published: published_word(published.as_bytes()[memory]).map(String::from),
                measured: measured_word(&scenarios).map(String::from),
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

/// The verdict; a violation of what the study does not ask about is named.
fn word(outcome: &Outcome) -> String {
    match outcome.property.as_deref() {
        Some(property) if !PROPERTIES.contains(&property) => format!("violated by {property}"),
        _ => outcome.word().to_string(),
    }
}

fn published_word(letter: u8) -> Option<&'static str> {
    match letter {
        b'+' => Some("pass"),
        b'w' => Some("wr-fail"),
        b'b' => Some("both-fail"),
        _ => None,
    }
}

/// The paper's word for what WR and RW gave; none if one was not run to its end.
fn measured_word(scenarios: &BTreeMap<String, String>) -> Option<&'static str> {
    match (scenarios.get("WR")?.as_str(), scenarios.get("RW")?.as_str()) {
        ("holds", "holds") => Some("pass"),
        ("violated", "holds") => Some("wr-fail"),
        ("holds", "violated") => Some("rw-fail"),
        ("violated", "violated") => Some("both-fail"),
        _ => None,
    }
}

fn text(scenarios: &[String], table: &Table, seconds: f64, n_runs: usize) -> String {
    let mut rows =
        vec![std::iter::once("published / measured".to_string()).chain(MEMORIES.map(String::from)).collect::<Vec<_>>()];
    for cells in table.cells.chunks(MEMORIES.len()) {
        rows.push(std::iter::once(cells[0].row.clone()).chain(cells.iter().map(show)).collect());
    }
    let states: u64 = table.cells.iter().map(|cell| cell.states).sum();
    let differs = |cell: &&Cell| {
        let general = cell.scenarios.get("general").map(String::as_str);
        let fails = cell.measured.as_deref().map(|measured| measured != "pass");
        general.is_some() && fails.is_some_and(|fails| fails != (general == Some("violated")))
    };
    let n_differ = table.cells.iter().filter(differs).count();
    let mut out = align(&rows);
    out += &format!(
        "\n{} of {} published cells agree; {} cells without a published verdict are measured too\n",
        table.matched,
        table.total,
        table.cells.iter().filter(|cell| cell.published.is_none() && cell.measured.is_some()).count()
    );
    let has = |name: &str| scenarios.iter().any(|s| s == name);
    if !has("WR") || !has("RW") {
        out += "the paper's verdicts are of WR and RW together, which were not both run: nothing is compared\n";
    } else if has("general") {
        out += &format!("the general mutator differs from WR and RW together in {n_differ} cells\n");
    }
    out + &format!("{n_runs} runs, {} states, {seconds:.2} s\n", thousands(states))
}

/// `pass / pass`, with `!` if they differ, `?` if the pass is vacuous.
fn show(cell: &Cell) -> String {
    let published = cell.published.as_deref().unwrap_or("-");
    let measured = cell.measured.as_deref().unwrap_or("?");
    let differs = cell.published.is_some() && cell.published != cell.measured;
    format!("{published} / {measured}{}{}", if differs { " !" } else { "" }, if cell.vacuous { " ?" } else { "" })
}
