//! What can be typed.

mod check;
mod export;
mod mutation;
mod outputs;
mod scope;
mod simulate;

pub(crate) use check::{CheckArgs, ClusterArgs, KeepingArgs, OutputArgs, ResumeArgs, Traces};
pub(crate) use export::{ExportArgs, ExportTo, PromelaArgs};
pub(crate) use mutation::{GrowthArgs, MutantsArgs};
pub(crate) use scope::{ChoiceArgs, LaneArgs, LimitArgs};
pub(crate) use scope::{ScopeArgs, SearchArgs, SwitchArgs};
pub(crate) use simulate::SimulateArgs;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Lacuna finds the gap in a concurrent garbage collector.
#[derive(Parser)]
#[command(name = "lacuna", version, about, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colours: auto uses them where the terminal has them and NO_COLOR is not set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(crate) color: Color,
}

/// When texts are coloured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check protocols under memory models
    Check(Box<CheckArgs>),
    /// Continue a `check --checkpoint DIR` that was killed or has hit a limit
    Resume(Box<ResumeArgs>),
    /// Check a certificate that `check --certificate` has written, by rules that share nothing with the search
    Verify(VerifyArgs),
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
    /// Walk through a protocol at random, where a search of everything does not fit; finds violations, never says `holds`
    Simulate(Box<SimulateArgs>),
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
    /// Write a protocol to begin with
    New(NewArgs),
    /// Check protocols, and again whenever one of their files changes
    Watch(Box<CheckArgs>),
    /// Format .lac files
    Fmt(FmtArgs),
    /// Write a protocol as a model for another checker, with a script that runs it
    Export(Box<ExportArgs>),
    /// Show what a file offers, a memory model, or a thread's automata
    Show(ShowArgs),
    /// Explain why a stored trace violates its property, or what a diagnostic's code means
    Explain(ExplainArgs),
    /// Serve an editor: the language server protocol on standard input and output
    Lsp(LspArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    Man(ManArgs),
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The certificate
    pub(crate) certificate: PathBuf,
    /// The protocol [default: the file that the certificate names]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
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

/// What `orders` and `repair` are asked of, and how orderings are ranked.
#[derive(Args)]
pub(crate) struct OrderingArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all`
    #[arg(long, default_value = "all")]
    pub(crate) scenario: String,
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
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
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
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
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
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    /// Set a parameter or flag
    #[arg(long, visible_alias = "scope", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Prove only these; all invariants are hypotheses all the same
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Begin in every state that satisfies this cover, and not only where the text does
    #[arg(long, value_name = "COVER")]
    pub(crate) from: Option<String>,
    /// Leave out invariants of a higher level
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub(crate) level: Option<u32>,
    /// Say which obligations are discharged for any number of objects and threads, and why the others are not
    #[arg(long, conflicts_with = "modular")]
    pub(crate) unbounded: bool,
    /// Look at threads one by one: what the others do is what their guarantees say
    #[arg(long)]
    pub(crate) modular: bool,
    /// Workers [default: one per core]
    #[arg(long)]
    pub(crate) workers: Option<usize>,
    /// Give up an obligation after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) each: Option<f64>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
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
    /// Tests, one JSON object per line; or one test in herd's format (`.litmus`)
    pub(crate) file: PathBuf,
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
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
    #[command(flatten)]
    pub(crate) lanes: LaneArgs,
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
pub(crate) struct NewArgs {
    /// Its name; the file is NAME.lac
    pub(crate) name: PathBuf,
}

#[derive(Args)]
pub(crate) struct LspArgs {
    /// Accepted, as many editors say it: there is no other way
    #[arg(long)]
    pub(crate) stdio: bool,
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
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Show all steps, not only those that matter
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) lanes: LaneArgs,
    /// Write the explanations as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
}
