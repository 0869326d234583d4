//! What can be typed.

mod mutation;
mod outputs;

mod export;

pub(crate) use export::{ExportArgs, ExportTo, PromelaArgs};
pub(crate) use mutation::{GrowthArgs, MutantsArgs};

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Lacuna finds the gap in a concurrent garbage collector.
#[derive(Parser)]
#[command(name = "lacuna", version, about, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check a protocol under memory models
    Check(Box<CheckArgs>),
    /// Say which fences and orders of a protocol are needed, and show what fails without each
    Orders(OrdersArgs),
    /// Find the least costly fences and orders that make a protocol hold, as a patch
    Repair(RepairArgs),
    /// Prove invariants inductive at a bounded scope: every invariant held against every action, by SAT
    Prove(ProveArgs),
    /// Make many small changes to a protocol, one at a time, and say which of them its properties see
    Mutants(Box<MutantsArgs>),
    /// Check at growing scopes: the least that shows a violation, and how states, time and memory grow
    Scope(Box<GrowthArgs>),
    /// Run a paper's study again and print its table beside ours
    Reproduce(ReproduceArgs),
    /// Run litmus tests and list the final states that memory models allow
    Litmus(LitmusArgs),
    /// Measure what fits into a hardware transaction, and predict it with a simulated cache
    Htm(HtmArgs),
    /// Execute a stored trace with the plain interpreter
    Replay(ReplayArgs),
    /// Step through a protocol, or follow a trace, in a page for a browser
    Explore(ExploreArgs),
    /// Format .lac files
    Fmt(FmtArgs),
    /// Write a protocol as a model for another checker, with a script that runs it
    Export(Box<ExportArgs>),
    /// Show what a file offers, a memory model, or a thread's automata
    Show(ShowArgs),
    /// Explain why a stored trace violates its property, or what a diagnostic's code means
    Explain(ExplainArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    Man(ManArgs),
}

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// The folder, which is made if it is not there
    pub(crate) folder: PathBuf,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// Memory models: names or files, separated by commas, or `all`
    #[arg(long, short, default_value = "all", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all` [default: the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// Of the invariants, forbidden outcomes and temporal properties check only these, and not deadlock
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Write the runs as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Write the first counterexample to a file that `lacuna replay` executes
    #[arg(long, value_name = "PATH")]
    pub(crate) save_trace: Option<String>,
    /// Write the first counterexample as an ITF trace (Apalache's format)
    #[arg(long, value_name = "PATH")]
    pub(crate) itf: Option<String>,
    /// Write the runs as JUnit XML
    #[arg(long, value_name = "PATH")]
    pub(crate) junit: Option<String>,
    /// Write the violations as SARIF 2.1.0
    #[arg(long, value_name = "PATH")]
    pub(crate) sarif: Option<String>,
    /// Write the first counterexample, and the heap before and after, as a Graphviz graph
    #[arg(long, value_name = "PATH")]
    pub(crate) dot: Option<String>,
    /// Show counterexamples as they were found, without looking for the reorderings that they need
    #[arg(long)]
    pub(crate) no_explain: bool,
    /// Write a page for a browser with the verdicts and every step of every counterexample, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) html: Option<String>,
    /// Which counterexamples to print
    #[arg(long, value_enum, default_value_t = Traces::First)]
    pub(crate) traces: Traces,
    /// Show in traces the cells that each step changes
    #[arg(long)]
    pub(crate) cells: bool,
    /// Show in traces what each thread has issued and not yet performed
    #[arg(long)]
    pub(crate) queues: bool,
    /// Also check that every thread ends at last, if all threads and memory operations are treated fairly
    #[arg(long)]
    pub(crate) live: bool,
    /// Go on after a violation, and tell what became of every property: whether it holds, how deep its first violation is, or why neither is known
    #[arg(long)]
    pub(crate) every_property: bool,
    /// Repeat each run without reductions, at the greatest queue bound that fits the limits, and compare the verdicts
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// Ask an interpreter that shares no rule with ours about each run that is small enough, and compare the verdicts
    #[arg(long)]
    pub(crate) second_opinion: bool,
    /// End with 0 if every run is as the file expects, with 1 if not, or if the file expects nothing of it
    #[arg(long)]
    pub(crate) expect: bool,
    /// End with 3 if a run holds but is vacuous, or a property was not reached or not checked
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Traces {
    None,
    First,
    All,
}

/// The scope of a run: what `holds` speaks of.
#[derive(Args, Clone)]
pub struct ScopeArgs {
    /// Set a parameter or flag
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The queue bound K: operations a thread may have issued and not yet performed (also --set K=N)
    /// [default: 4; with --speculate 6]
    #[arg(long, short = 'K', value_name = "N")]
    pub queue_bound: Option<usize>,
    /// Switches of every memory model
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// Do not report deadlocks
    #[arg(long)]
    pub no_deadlock: bool,
}

/// Switches of every memory model.
#[derive(Args, Clone, Debug, Default)]
pub struct SwitchArgs {
    /// Let a thread guess up to N unresolved branches
    #[arg(long, value_name = "N")]
    pub speculate: Option<usize>,
    /// An access waits until the cells of all older ones are known
    #[arg(long)]
    pub no_address_speculation: bool,
    /// Let a store-conditional fail for no reason
    #[arg(long)]
    pub spurious_failures: bool,
    /// Let a transaction abort for no reason
    #[arg(long)]
    pub spurious_aborts: bool,
    /// Let at most B stores of a thread be pending (also --set buffer=B) [default: as many as K allows]
    #[arg(long, value_name = "B")]
    pub buffer: Option<usize>,
}

/// How to search.
#[derive(Args, Clone, Default)]
pub struct SearchArgs {
    /// Workers for one run [default: one per core]
    #[arg(long)]
    pub workers: Option<usize>,
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop at so much resident memory, such as 500M or 2G [default: 4/5 of what is free, within the limits of control groups]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<String>,
    /// Stop after so many seconds: the whole command
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// Switch reductions off: symmetry, dead-registers, walls, partial-order, late-reads, ending-runs
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Put off steps that write nothing from the beginning, not only once there are many states
    #[arg(long)]
    pub late_reads: bool,
    /// Say nothing while searching
    #[arg(long, short)]
    pub quiet: bool,
}

/// What a command may use that has no other options of a search.
#[derive(Args, Clone, Default)]
pub(crate) struct LimitArgs {
    /// Stop at so much resident memory, such as 500M or 2G [default: 4/5 of what is free, within the limits of control groups]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<String>,
    /// Stop after so many seconds: the whole command
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
}

/// What `orders` and `repair` are asked of, and how orderings are ranked.
#[derive(Args)]
pub(crate) struct OrderingArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// What orderings cost: `arm`, `power`, `x86`, `count`, or a file
    #[arg(long, value_name = "TABLE", default_value = "arm")]
    pub(crate) costs: String,
    /// Solutions to show, the least costly first
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) solutions: usize,
    /// Write the answers as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
}

#[derive(Args)]
pub(crate) struct OrdersArgs {
    /// Memory models: names or files, separated by commas, or `all`
    #[arg(long, short, default_value = "rmo-no", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    #[command(flatten)]
    pub(crate) ordering: OrderingArgs,
    /// Print the trace that each needed order forbids
    #[arg(long)]
    pub(crate) witnesses: bool,
}

#[derive(Args)]
pub(crate) struct RepairArgs {
    /// Memory models: names or files, separated by commas, or `all`
    #[arg(long, short, required = true, value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    #[command(flatten)]
    pub(crate) ordering: OrderingArgs,
    /// Change only `fences`, only `orders` of accesses, or only what the thread of this name comes by, such as `collector`
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Write the patch of the first solution to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) patch: Option<String>,
}

#[derive(Args)]
pub(crate) struct ProveArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// Memory models: `sc`, `tso`
    #[arg(long, short, default_value = "tso", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    /// How many stores a thread's store buffer holds, under `tso`
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) buffer: usize,
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all` [default: the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// Set a parameter or flag
    #[arg(long, visible_alias = "scope", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Prove only these; all invariants are hypotheses all the same
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Leave out invariants of a higher level
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<u32>,
    /// Workers [default: one per core]
    #[arg(long)]
    pub(crate) workers: Option<usize>,
    /// Give up an obligation after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) each: Option<f64>,
    /// Give up all that is left after so many seconds: the whole command
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Stop at so much resident memory, such as 500M or 2G [default: 4/5 of what is free, within the limits of control groups]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<String>,
    /// Which counterexamples to induction to print
    #[arg(long, value_enum, default_value_t = Traces::First)]
    pub(crate) counterexamples: Traces,
    /// Write the matrices as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Write the matrices as a page for a browser, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) html: Option<String>,
    /// Say nothing while proving
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Args)]
pub(crate) struct ReproduceArgs {
    /// The study: `oopsla17` or `mplr22`
    pub(crate) study: String,
    /// Write the table as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Scenarios to run [default: all of the study]
    #[arg(long, value_delimiter = ',')]
    pub(crate) scenarios: Vec<String>,
    /// The folder with the protocols [default: the one of this build]
    #[arg(long, value_name = "DIR")]
    pub(crate) protocols: Option<PathBuf>,
    /// Set a parameter or flag in every run
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// The queue bound K [default: 4; with --speculate 6]
    #[arg(long, short = 'K', value_name = "N")]
    pub(crate) queue_bound: Option<usize>,
    #[command(flatten)]
    pub(crate) switches: SwitchArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct LitmusArgs {
    /// Tests, one JSON object per line
    pub(crate) file: PathBuf,
    /// Memory models: names or files, separated by commas, or `all`
    #[arg(long, short, default_value = "all", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    #[command(flatten)]
    pub(crate) switches: SwitchArgs,
    /// Write one JSON object per line to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct HtmArgs {
    /// Machines to predict: names, files, `present` or `none`, separated by commas, or `all` (the present one and the built-in ones)
    #[arg(long, short, default_value = "all", value_delimiter = ',')]
    pub(crate) machine: Vec<String>,
    /// Fewer sizes, modes, trials and repetitions
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure no transactions, even if there are any
    #[arg(long)]
    pub(crate) no_rtm: bool,
    /// Repetitions of all measurements [default: 5; with --quick 3]
    #[arg(long, value_name = "N")]
    pub(crate) repetitions: Option<usize>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Write htm.csv, htm.json and htm.html to a folder, anew whenever a case is done
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write all that is needed to judge the run to a folder: the files of --out, every repetition, the machine, the commit, the summary
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub(crate) record: Option<PathBuf>,
    /// Write the findings as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Say nothing while measuring
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The trace, as written by `check --save-trace` or `check --json`
    pub(crate) trace: PathBuf,
    /// The protocol
    pub(crate) file: PathBuf,
    /// Show the cells that each step changes
    #[arg(long)]
    pub(crate) cells: bool,
    /// Show what each thread has issued and not yet performed
    #[arg(long)]
    pub(crate) queues: bool,
}

#[derive(Args)]
pub(crate) struct ExploreArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// A trace to follow, as written by `check --save-trace` or `check --json`
    pub(crate) trace: Option<PathBuf>,
    /// The memory model to begin with, by name or file [default: the trace's, or `relaxed`]
    #[arg(long, short)]
    pub(crate) memory: Option<String>,
    /// The variant to begin with [default: the trace's, or `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// The scenario to begin with [default: the trace's, or the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 7117)]
    pub(crate) port: u16,
    /// How many states a search in the page may look at
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) max_states: usize,
    /// How much memory it may take for states, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    pub(crate) max_memory: String,
    /// How many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) timeout: f64,
}

#[derive(Args)]
pub(crate) struct FmtArgs {
    /// The files
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; end with 1 if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// A .lac file, or the name or file of a memory model
    pub(crate) what: String,
    /// Print the automata of each thread
    #[arg(long)]
    pub(crate) automata: bool,
    /// The variant whose automata are printed
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// The scenario whose automata are printed
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// Set a parameter or flag
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// A trace as `check --save-trace` writes it, `-` for standard input; or a code such as E0101, or nothing for all codes
    pub(crate) what: Option<String>,
    /// The protocol [default: the file that the trace names]
    pub(crate) file: Option<PathBuf>,
    /// Also look for what else breaks the property once this is kept in order
    #[arg(long)]
    pub(crate) gaps: bool,
    /// Stop at so much resident memory, such as 500M or 2G [default: 4/5 of what is free, within the limits of control groups]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<String>,
    /// Stop after so many seconds: the whole command
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Show all steps, not only those that matter
    #[arg(long)]
    pub(crate) all: bool,
    /// Show the cells that each step changes
    #[arg(long)]
    pub(crate) cells: bool,
    /// Show what each thread has issued and not yet performed
    #[arg(long)]
    pub(crate) queues: bool,
    /// Write the explanations as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
}
