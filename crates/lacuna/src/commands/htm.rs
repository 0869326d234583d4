//! `lacuna htm`: what fits into a hardware transaction, measured if there are any, and predicted.
//!
//! `watch` says how far it is and when to stop; `record` writes the files, as the run continues and at its end; `predict` asks the
//! simulator.

mod predict;
mod record;
mod watch;

use crate::args::HtmArgs;
use crate::exit::{Ended, Error, Exit, print, write};
use crate::progress::listen;
use crate::terminal;
use htm::{Features, Rtm};
use laboratory::cache::Geometry;
use laboratory::{Findings, Machine, Plan, Prediction, builtin, cost, curve, hardware, present, sweep, text};
use record::Record;
use report::laboratory as pages;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use watch::{Following, Watch};

/// Repetitions of the costs, which take milliseconds.
const COST_REPETITIONS: usize = 31;

/// Runs the command.
pub(crate) fn run(args: &HtmArgs) -> Ended {
    let machines = machines(&args.machine)?;
    let plan = plan(args)?;
    let watch = Watch::new(args)?;
    let record = Record::new(args)?;
    listen();
    let findings = find(args, &plan, &machines, &watch, &record);
    watch.clear();
    // What was found is said even if it cannot be kept: a run may have taken an hour.
    let recorded = record.finish(&findings);
    if let Some(path) = &args.json {
        write(path, &pages::json(&findings))?;
    }
    if args.json.as_deref() != Some("-") {
        print(&pages::summary(&findings))?;
    }
    recorded?;
    Ok(if findings.is_cut_short { Exit::Inconclusive } else { Exit::Holds })
}

/// Measures, then predicts. What was measured is what the present machine is fitted to.
fn find(args: &HtmArgs, plan: &Plan, machines: &[Machine], watch: &Watch, record: &Record) -> Findings {
    // In a thread of its own, because it stays on one processor.
    let measured = std::thread::scope(|scope| scope.spawn(|| measure(args, plan, watch, record)).join());
    let mut findings = measured.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    record.keep(&findings);
    let so_far = Mutex::new(findings.clone());
    let keep = |prediction: &Prediction| {
        let mut so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.predictions.push(prediction.clone());
        record.keep(&so_far);
    };
    findings.predictions = predict::all(machines, plan, &findings.measured, &watch.stage("predicting"), &keep);
    findings.is_cut_short = watch.has_stopped.load(Ordering::Relaxed);
    findings
}

fn measure(args: &HtmArgs, plan: &Plan, watch: &Watch, record: &Record) -> Findings {
    let rtm =
        if args.no_rtm { Err("switched off by --no-rtm".into()) } else { Rtm::detect().map_err(|m| m.to_string()) };
    let is_pinned = hardware::stay_on_one_processor();
    let facts = facts(rtm.is_ok(), is_pinned, plan);
    let stage = watch.stage("costs");
    let costs = cost::costs(rtm.clone().ok(), COST_REPETITIONS, cost::ROUNDS, &mut || stage.stops(0.0));
    let mut findings = Findings { facts, costs, ..Findings::default() };
    match rtm {
        Ok(rtm) => {
            let mut following = Following { stage: watch.stage("measuring"), record, so_far: findings.clone() };
            record.keep(&findings);
            let swept = sweep::sweep(plan, &mut hardware::Hardware::new(rtm), &mut following);
            findings.measured = curve::curves(&swept);
            findings.cells = swept.cells;
        }
        Err(missing) => findings.missing = Some(missing),
    }
    findings
}

/// Where and how this was measured.
fn facts(has_rtm: bool, is_pinned: bool, plan: &Plan) -> Vec<(String, String)> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let processor = read("/proc/cpuinfo").and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    let kernel = read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_string());
    let load = read("/proc/loadavg").and_then(|text| Some(text.split_whitespace().next()?.to_string()));
    let present = present::read(Path::new(present::CACHES));
    let unknown = || "unknown".to_string();
    let mut facts = vec![
        ("processor", processor.unwrap_or_else(unknown)),
        ("features", Features::read().to_string()),
        ("first level", level(present.as_ref().map(|machine| machine.l1))),
        ("second level", level(present.as_ref().and_then(|machine| machine.l2))),
        ("third level", level(present.as_ref().and_then(|machine| machine.l3))),
        ("kernel", kernel.unwrap_or_else(unknown)),
        ("load", load.unwrap_or_else(unknown)),
        ("thread", if is_pinned { "stays on one processor" } else { "may change processors" }.to_string()),
    ];
    if has_rtm {
        let tried = format!(
            "{} repetitions, {} trials of a size (a quarter above 1 MB), at most {} attempts each",
            plan.repetitions, plan.trials, plan.max_attempts
        );
        facts.push(("tried", tried));
    }
    facts.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn level(geometry: Option<Geometry>) -> String {
    geometry.map_or("unknown".into(), |level| {
        format!("{} KB, {} sets, {} ways", level.bytes() / 1024, level.sets, level.ways)
    })
}

fn plan(args: &HtmArgs) -> Result<Plan, Error> {
    let mut plan = if args.quick { Plan::quick() } else { Plan::full() };
    if let Some(n) = args.repetitions {
        if !(1..=1000).contains(&n) {
            return Err(Error::input(format!("--repetitions cannot be {n}")).hint("it takes a number from 1 to 1000"));
        }
        plan.repetitions = n;
    }
    Ok(plan)
}

fn machines(names: &[String]) -> Result<Vec<Machine>, Error> {
    let here = || present::read(Path::new(present::CACHES));
    let mut machines = Vec::new();
    for name in names {
        match name.as_str() {
            "none" => {}
            "all" => machines.extend(here().into_iter().chain(builtin::all())),
            "present" => {
                let message = format!("the caches of this machine are not listed in `{}`", present::CACHES);
                machines.push(here().ok_or_else(|| Error::input(message).hint("describe it in a file"))?);
            }
            name => machines.push(match builtin::find(name) {
                Some(machine) => machine,
                None => machine_file(name)?,
            }),
        }
    }
    Ok(machines)
}

fn machine_file(name: &str) -> Result<Machine, Error> {
    let source = crate::files::read(Path::new(name)).map_err(|e| {
        let machines = builtin::all();
        let words = ["present", "none", "all"];
        let names: Vec<&str> = machines.iter().map(|machine| machine.name.as_str()).chain(words).collect();
        let hint = base::suggest::choice(name, &names) + "; or a file";
        Error::input(format!("there is no machine `{name}`, and no file: {e}")).hint(hint)
    })?;
    text::read(&source).map_err(|mistakes| {
        for mistake in mistakes {
            let place = if mistake.line == 0 { name.to_string() } else { format!("{name}:{}", mistake.line) };
            terminal::complain(&format!("error: {place}: {}\n  = hint: {}", mistake.message, mistake.hint));
        }
        Error::Reported
    })
}
