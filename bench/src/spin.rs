//! The same scenarios in SPIN, from Promela models in the style of the MPLR'22 study, and in lacuna: ratios of one run.

use crate::pan::{Cost, Ending, Verifier, install};
use crate::sections::{binary, root};
use report::table::{bytes, thousands};
use serde_json::Value;
use std::process::Command;

/// What was asked of this section.
#[derive(Default)]
pub(crate) struct Options {
    /// All formulas under all memory models, with more time for each run.
    pub(crate) full: bool,
    /// Only the configurations whose name contains this.
    pub(crate) only: Option<String>,
}

/// A formula of the study: its name in the Promela model, in ours, and whether it needs weak fairness.
type Formula = (&'static str, &'static str, bool);
const ONCE_MARKED: Formula = ("p1", "stays_marked", false);
const ALL_MARKED: Formula = ("p2", "all_marked", true);
const UNREACHABLE: Formula = ("p3", "garbage_unmarked", false);

/// One model to build: a scenario with its workers under a memory model.
struct Configuration {
    name: String,
    defines: Vec<String>,
    lacuna: Vec<String>,
    formulas: Vec<Formula>,
}

const MEMORIES: [(&str, Option<&str>); 3] =
    [("relaxed", None), ("tso", Some("-DMM_TSO")), ("sc", Some("-DMM_SEQ_CST"))];

/// Workers that scan stacks, mark objects, scan objects.
const WORKERS: [[u32; 3]; 4] = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]];

fn strings<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

fn shuffling(memory: &str, formulas: Vec<Formula>) -> Configuration {
    Configuration {
        name: format!("shuffling-{memory}"),
        defines: strings(["-DSHUFFLING", "-DBARRIER=1"]),
        lacuna: strings(["protocols/marking/active/shuffling.lac", "--variant", "satb", "--memory", memory]),
        formulas,
    }
}

fn heap6([ss, mo, so]: [u32; 3], memory: &str) -> Configuration {
    let mut lacuna = strings(["protocols/marking/idle/heap6.lac", "--memory", memory]);
    for (name, workers) in [("STACK_SCANNERS", ss), ("MARKERS", mo), ("OBJECT_SCANNERS", so)] {
        lacuna.extend(["--set".into(), format!("{name}={workers}")]);
    }
    Configuration {
        name: format!("heap6-w{ss}{mo}{so}-{memory}"),
        defines: vec!["-DHEAP6".into(), format!("-DSS={ss}"), format!("-DMO={mo}"), format!("-DSO={so}")],
        lacuna,
        formulas: vec![ONCE_MARKED, ALL_MARKED],
    }
}

/// The printed algorithms leave their scratch variables as they are; ours and the other configurations clear them.
fn literal(mut configuration: Configuration) -> Configuration {
    configuration.name += "-literal";
    configuration.defines.push("-DLITERAL".into());
    configuration
}

fn configurations(options: &Options) -> Vec<Configuration> {
    let mut all = Vec::new();
    for (memory, define) in MEMORIES {
        let is_whole = options.full || memory == "relaxed";
        let formulas = if is_whole { vec![UNREACHABLE, ONCE_MARKED, ALL_MARKED] } else { vec![ALL_MARKED] };
        let mut of_memory = vec![shuffling(memory, formulas)];
        if is_whole {
            of_memory.push(literal(shuffling(memory, vec![UNREACHABLE])));
            of_memory.extend(WORKERS.map(|workers| heap6(workers, memory)));
        }
        for configuration in &mut of_memory {
            configuration.defines.extend(define.map(String::from));
        }
        all.extend(of_memory);
    }
    all.retain(|configuration| options.only.as_ref().is_none_or(|only| configuration.name.contains(only)));
    all
}

/// The same formula in lacuna: what `lacuna check --json` says of it.
fn ask_lacuna(configuration: &Configuration, property: &str, limit: u32) -> Result<Cost, String> {
    let mut command = Command::new(binary());
    command.arg("check").args(&configuration.lacuna).args(["--property", property, "--timeout", &limit.to_string()]);
    command.args(["--quiet", "--json", "-"]);
    let output = command.current_dir(root()).output().map_err(|error| error.to_string())?;
    let first_line = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_string();
    let runs: Value = serde_json::from_slice(&output.stdout).map_err(|_| first_line)?;
    let run = &runs[0];
    let number = |field: &str| run[field].as_f64().unwrap_or_default();
    let ending = match run["verdict"].as_str() {
        Some("holds") => Ending::Holds,
        Some("violated") => Ending::Violated,
        _ => return Err(format!("stopped: {}", run["limit"].as_str().unwrap_or("for a reason unknown"))),
    };
    let (states, bytes) = (number("states") as u64, number("peak_bytes") as u64);
    Ok(Cost { ending, states, seconds: number("seconds"), bytes })
}

fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Holds => "holds",
        Ending::Violated => "violated",
        Ending::OutOfTime => "stopped: time",
        Ending::OutOfMemory => "stopped: memory",
    }
}

/// How a line shows one side.
fn side(result: &Result<Cost, String>) -> String {
    match result {
        Ok(cost) => {
            let Cost { ending, states, seconds, bytes: most } = cost;
            format!("{}, {} states, {seconds:.2} s, {}", word(*ending), thousands(*states), bytes(*most))
        }
        Err(why) => why.clone(),
    }
}

/// How many times more SPIN needed. At least so many if it was stopped.
fn ratios(spin: &Cost, lacuna: &Cost) -> String {
    let is_complete = matches!(spin.ending, Ending::Holds | Ending::Violated);
    if is_complete && spin.ending != lacuna.ending {
        return "THE VERDICTS DIFFER".into();
    }
    let at_least = if is_complete { "" } else { "at least " };
    let states = spin.states as f64 / lacuna.states as f64;
    let (time, memory) = (spin.seconds / lacuna.seconds, spin.bytes as f64 / lacuna.bytes as f64);
    format!("{at_least}{states:.1} times the states, {time:.1} times the time, {memory:.1} times the memory")
}

/// Checks one formula with both and prints what it cost.
fn compare_formula(configuration: &Configuration, verifier: &Verifier, formula: Formula, limit: u32) {
    let (name, property, is_fair) = formula;
    let spin = verifier.check(name, is_fair, limit);
    let lacuna = ask_lacuna(configuration, property, limit);
    println!("spin      {} {name} ({property})", configuration.name);
    println!("spin        SPIN    {}", side(&spin));
    println!("spin        lacuna  {}", side(&lacuna));
    if let (Ok(spin), Ok(lacuna)) = (&spin, &lacuna) {
        println!("spin        ratio   {}", ratios(spin, lacuna));
    }
}

/// Builds every configuration and checks its formulas with both.
pub(crate) fn compare(options: &Options) {
    if let Err(why) = install() {
        println!("spin      skipped: SPIN is not here and cannot be installed: {why}");
        return;
    }
    let limit = if options.full { 700 } else { 120 };
    println!("spin      SPIN with COLLAPSE against lacuna, one run each; a run of SPIN is stopped after {limit} s");
    for configuration in configurations(options) {
        match Verifier::build(&configuration.name, &configuration.defines) {
            Ok(verifier) => {
                for formula in &configuration.formulas {
                    compare_formula(&configuration, &verifier, *formula, limit);
                }
            }
            Err(why) => println!("spin      {} skipped: {why}", configuration.name),
        }
    }
}
