//! What can be typed after `check`.

use super::{ChoiceArgs, LimitArgs, ScopeArgs, SearchArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Protocols, and folders of them: every `.lac` file in a folder and below that is no framework
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
    #[arg(long, short, default_value = "all", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    /// Of the invariants, forbidden outcomes and temporal properties check only these, and not deadlock
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) keeping: KeepingArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Also check that every thread ends at last, if all threads and memory operations are treated fairly
    #[arg(long)]
    pub(crate) live: bool,
    /// Also check that each thread of this name ends at last, if it and its memory operations are treated fairly, though all other threads may stop anywhere
    #[arg(long, value_name = "THREAD")]
    pub(crate) wait_free: Option<String>,
    /// Go on after a violation, and say what became of every property: whether it holds, how deep its first violation is, or why neither is known
    #[arg(long, conflicts_with = "late_reads")]
    pub(crate) every_property: bool,
    /// Repeat each run without reductions, at the greatest queue bound that fits the limits, and compare the verdicts
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// Ask an interpreter that shares no rule with ours about each run that is small enough, and compare the verdicts
    #[arg(long)]
    pub(crate) second_opinion: bool,
    /// Write a certificate of all that holds, which `lacuna verify` checks by rules that share nothing with the search
    #[arg(long, value_name = "PATH", value_parser = a_file, conflicts_with_all = ["live", "wait_free"])]
    pub(crate) certificate: Option<String>,
}

/// What is written and printed of runs, and how the command ends.
#[derive(Args)]
pub(crate) struct OutputArgs {
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
    /// End with 0 if every run is as the file expects, with 1 if not, or if the file expects nothing of it
    #[arg(long)]
    pub(crate) expect: bool,
    /// End with 3 if a run holds but is vacuous, or a property was not reached or not checked
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Where the states of searches are kept.
#[derive(Args)]
pub(crate) struct KeepingArgs {
    /// Write checkpoints to a new or empty folder; `lacuna resume DIR` continues the command after it was killed or has hit a limit
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The time between two checkpoints, such as 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "checkpoint")]
    pub(crate) every: String,
    /// Keep states on disk: `--store disk DIR` writes them to files in a folder, which are removed at the end
    #[arg(long, num_args = 2, value_names = ["disk", "DIR"], conflicts_with = "checkpoint")]
    pub(crate) store: Vec<String>,
}

/// Who searches together.
#[derive(Args)]
pub(crate) struct ClusterArgs {
    /// Search with N processes on this machine
    #[arg(long, value_name = "N", conflicts_with_all = ["store", "cluster"])]
    pub(crate) processes: Option<usize>,
    /// Search with a process on each of these hosts: a file with `host:port` in each line
    #[arg(long, value_name = "HOSTFILE", requires = "process", conflicts_with = "store")]
    pub(crate) cluster: Option<PathBuf>,
    /// Which line of the hostfile this process is, counted from 0. The first process prints and writes
    #[arg(long, value_name = "I", requires = "cluster")]
    pub(crate) process: Option<usize>,
    /// Which of `--processes` this is, and where the first one listens
    #[arg(long, hide = true)]
    pub(crate) member: Option<String>,
}

#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// The folder that `check --checkpoint DIR` has written
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Which of `--processes` this is, and where the first one listens
    #[arg(long, hide = true)]
    pub(crate) member: Option<String>,
    /// Stop after N states, those before the checkpoint included
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Say nothing while searching
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Traces {
    None,
    First,
    All,
}

/// The path of a file that is no text.
fn a_file(path: &str) -> Result<String, String> {
    if path == "-" { Err("it is no text for standard output; name a file".into()) } else { Ok(path.into()) }
}
