//! `lacuna reproduce mplr22`: the 582 runs of Xu, Moss and Blackburn 2022, section 8.
//!
//! Idle mutators: 6 heaps, 4 configurations of workers, 2 formulas and for the first heap a third, 3 memory models: 156 runs. Active
//! mutators: 3 scenarios, 5 modes, 3 formulas, 3 memory models: 135. All of it with memory accesses to metadata and with atomic
//! metadata. `expected` is what the paper says; `measured` is computed here.

use crate::args::ReproduceArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::limits;
use crate::parallel;
use crate::progress::{STOP, listen};
use crate::session::{self, Protocol};
use automata::Automata;
use explore::Control;
use report::table::{align, bytes, thousands};
use serde::Serialize;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use workbench::{Answer, Question, RunOptions};

const MEMORIES: [&str; 3] = ["relaxed", "tso", "sc"];
const HEAPS: [&str; 6] = ["heap1", "heap2", "heap3", "heap4", "heap5", "heap6"];
/// Workers that scan stacks, mark and scan objects.
const WORKERS: [[u32; 3]; 4] = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]];
const SCENARIOS: [&str; 3] = ["shuffling", "deletion", "allocation"];
/// Variant, and whether the second formula must fail.
const MODES: [(&str, bool); 5] =
    [("satb", false), ("satb_always", false), ("satb_off", true), ("stw", false), ("stw_off", false)];
/// The paper's formulas 1, 2 and 3.
const FORMULAS: [&str; 3] = ["stays_marked", "all_marked", "garbage_unmarked"];
/// What the paper says of all its runs.
const PUBLISHED: &str = "the paper: 582 runs in over 440 CPU hours, with up to 340 GB";

/// One run.
#[derive(Clone, Serialize)]
struct Run {
    id: String,
    collector: &'static str,
    scenario: &'static str,
    workers: String,
    mode: &'static str,
    memory: &'static str,
    atomic_meta: bool,
    formula: &'static str,
    expected: &'static str,
    measured: String,
    states: u64,
    seconds: f64,
    peak_bytes: u64,
    vacuous: bool,
}

impl Run {
    fn is_matched(&self) -> bool {
        self.expected == self.measured && !self.vacuous
    }
}

#[derive(Serialize)]
struct Study {
    runs: Vec<Run>,
    matched: usize,
    total: usize,
}

/// A run to be done, with the file that it is of.
struct Job {
    run: Run,
    file: String,
    variant: &'static str,
    set: Vec<(String, String)>,
}

/// Runs the command.
pub(super) fn run(args: &ReproduceArgs) -> Ended {
    let started = Instant::now();
    let jobs = wanted(args)?;
    let systems = systems(args, &jobs)?;
    let scope = session::Scope::new(&[], args.queue_bound, args.switches.switches())?;
    let memories = session::memories(&MEMORIES.map(String::from), &scope.switches)?;
    let mut options = RunOptions::default();
    options.machine.queue_bound = scope.queue_bound;
    options.machine.buffer = scope.switches.buffer;
    options.search.workers = 1;
    options.machine.budget = limits::command();
    listen();
    let n_done = AtomicUsize::new(0);
    let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
    // The largest systems come last in the study, and are begun first: so no worker is left alone with them.
    let order: Vec<usize> = (0..jobs.len()).rev().collect();
    let answers = parallel::map(&order, |index| {
        let memory = memories.iter().find(|memory| memory.name == jobs[*index].run.memory).expect("one of the three");
        let answer = Question { control: &control, ..Question::new(&systems[*index], memory, &options) }.answer();
        show_progress(n_done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
        answer
    });
    let runs: Vec<Run> = jobs.iter().zip(answers.iter().rev()).map(|(job, answer)| measured(job, answer)).collect();
    let (matched, total) = (runs.iter().filter(|run| run.is_matched()).count(), runs.len());
    let study = Study { runs, matched, total };
    if args.json.as_deref() != Some("-") {
        print(&text(&study, started.elapsed().as_secs_f64()))?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(&study).expect("plain data")))?;
    }
    Ok(if study.runs.iter().any(|run| run.measured == "inconclusive") {
        Exit::Inconclusive
    } else if study.matched == study.total {
        Exit::Holds
    } else {
        Exit::Violated
    })
}

/// All runs of the study, in its order: smaller systems first.
fn study() -> Vec<Job> {
    let mut jobs = Vec::new();
    for atomic_meta in [false, true] {
        for (scenario, (mode, fails), formula) in active() {
            let collector = if mode.starts_with("satb") { "satb" } else { "stw" };
            let expected = if fails && formula == FORMULAS[1] { "violated" } else { "holds" };
            for memory in MEMORIES {
                let file = format!("active/{scenario}.lac");
                jobs.push(Job::new((collector, scenario, mode), [1; 3], memory, atomic_meta, formula, expected, file));
            }
        }
    }
    for heap in HEAPS {
        let formulas = if heap == HEAPS[0] { &FORMULAS[..] } else { &FORMULAS[..2] };
        for atomic_meta in [false, true] {
            for (workers, formula) in WORKERS.into_iter().flat_map(|w| formulas.iter().map(move |f| (w, *f))) {
                for memory in MEMORIES {
                    let file = format!("idle/{heap}.lac");
                    jobs.push(Job::new(("stw", heap, "idle"), workers, memory, atomic_meta, formula, "holds", file));
                }
            }
        }
    }
    jobs
}

/// Scenario, mode and formula of the active mutators' runs.
fn active() -> impl Iterator<Item = (&'static str, (&'static str, bool), &'static str)> {
    let modes = SCENARIOS.into_iter().flat_map(|scenario| MODES.map(|mode| (scenario, mode)));
    modes.flat_map(|(scenario, mode)| FORMULAS.map(|formula| (scenario, mode, formula)))
}

impl Job {
    fn new(
        (collector, scenario, mode): (&'static str, &'static str, &'static str),
        workers: [u32; 3],
        memory: &'static str,
        atomic_meta: bool,
        formula: &'static str,
        expected: &'static str,
        file: String,
    ) -> Self {
        let counts = ["STACK_SCANNERS", "MARKERS", "OBJECT_SCANNERS"].into_iter().zip(workers);
        let mut set: Vec<(String, String)> = counts.map(|(name, n)| (name.to_string(), n.to_string())).collect();
        set.push(("atomic_metadata".into(), if atomic_meta { "on" } else { "off" }.into()));
        let workers = workers.map(|n| n.to_string()).join("-");
        let meta = if atomic_meta { "-atomic" } else { "" };
        let id = format!("{scenario}-{mode}-{workers}-{memory}{meta}-{formula}");
        let (measured, vacuous) = (String::new(), false);
        let (states, seconds, peak_bytes) = (0, 0.0, 0);
        let variant = if mode == "idle" { "original" } else { mode };
        let run = Run {
            id,
            collector,
            scenario,
            workers,
            mode,
            memory,
            atomic_meta,
            formula,
            expected,
            measured,
            states,
            seconds,
            peak_bytes,
            vacuous,
        };
        Job { run, file, variant, set }
    }
}

/// The runs of the scenarios asked for.
fn wanted(args: &ReproduceArgs) -> Result<Vec<Job>, Error> {
    let known: Vec<&str> = SCENARIOS.into_iter().chain(HEAPS).collect();
    if let Some(unknown) = args.scenarios.iter().find(|name| !known.contains(&name.as_str())) {
        let error = Error::input(format!("the study has no scenario `{unknown}`"));
        return Err(error.hint(base::suggest::choice(unknown, &known)));
    }
    let mut jobs = study();
    jobs.retain(|job| args.scenarios.is_empty() || args.scenarios.iter().any(|name| name == job.run.scenario));
    Ok(jobs)
}

/// The system of every run.
fn systems(args: &ReproduceArgs, jobs: &[Job]) -> Result<Vec<Automata>, Error> {
    let folder = super::protocols(args.protocols.as_deref()).join("marking");
    let scope = session::Scope::new(&args.set, args.queue_bound, args.switches.switches())?;
    let mut loaded: Vec<(&str, Protocol)> = Vec::new();
    let mut systems = Vec::new();
    for job in jobs {
        if !loaded.iter().any(|(file, _)| *file == job.file) {
            loaded.push((&job.file, session::open(&folder.join(&job.file))?));
        }
        let (_, protocol) = loaded.iter().find(|(file, _)| *file == job.file).expect("just loaded");
        let set = [&job.set[..], &scope.set[..]].concat();
        let mut system = session::system(protocol, job.variant, "main", &set)?;
        system.only(&[job.run.formula.to_string()])?;
        systems.push(system.automata);
    }
    Ok(systems)
}

fn measured(job: &Job, answer: &Answer) -> Run {
    // A run that something else than its formula ends has not measured the formula.
    let is_other = answer.property.as_deref().is_some_and(|property| property != job.run.formula);
    let other = || format!("violated by {}", answer.property.as_deref().unwrap_or_default());
    Run {
        measured: if is_other { other() } else { answer.word().to_string() },
        vacuous: answer.is_vacuous(),
        states: answer.statistics.states,
        seconds: answer.statistics.seconds,
        peak_bytes: answer.statistics.peak_bytes,
        ..job.run.clone()
    }
}

fn show_progress(n_done: usize, total: usize) {
    if std::io::stderr().is_terminal() {
        let line = if n_done == total { String::new() } else { format!("{n_done} of {total} runs") };
        crate::terminal::rewrite_line(&line);
    }
}

/// A row for each scenario and mode or configuration of workers; then the totals beside the paper's.
fn text(study: &Study, seconds: f64) -> String {
    let head = ["scenario", "mode", "workers", "runs", "as expected", "violated", "states", "time", "most memory"];
    let mut rows = vec![head.map(String::from).to_vec()];
    let mut groups: Vec<(&Run, Vec<&Run>)> = Vec::new();
    for run in &study.runs {
        let is_same = |(first, _): &&mut (&Run, Vec<&Run>)| {
            (first.scenario, first.mode, &first.workers) == (run.scenario, run.mode, &run.workers)
        };
        match groups.iter_mut().find(is_same) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((run, vec![run])),
        }
    }
    for (first, runs) in &groups {
        let count = |wanted: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| wanted(run)).count().to_string();
        rows.push(vec![
            first.scenario.into(),
            first.mode.into(),
            first.workers.clone(),
            runs.len().to_string(),
            count(&|run| run.is_matched()),
            count(&|run| run.measured == "violated"),
            thousands(runs.iter().map(|run| run.states).sum()),
            format!("{:.2} s", runs.iter().map(|run| run.seconds).sum::<f64>()),
            bytes(runs.iter().map(|run| run.peak_bytes).max().unwrap_or_default()),
        ]);
    }
    let mut out = align(&rows);
    let others = study.runs.iter().filter(|run| !run.is_matched());
    out.extend(others.map(|run| format!("\n{}: expected {}, measured {}", run.id, run.expected, run.measured)));
    let cpu: f64 = study.runs.iter().map(|run| run.seconds).sum();
    let states = study.runs.iter().map(|run| run.states).sum();
    let most = study.runs.iter().map(|run| run.peak_bytes).max().unwrap_or_default();
    let (matched, total) = (study.matched, study.total);
    out += &format!("\n{matched} of {total} runs end as the paper says, none of these vacuous\n");
    out += &format!("{} states, {cpu:.1} s in searches, {seconds:.1} s in all, ", thousands(states));
    out + &format!("at most {} for a run\n{PUBLISHED}\n", bytes(most))
}
