//! What can be typed after `export`.

use super::{LimitArgs, ScopeArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) to: ExportTo,
}

#[derive(Subcommand)]
pub(crate) enum ExportTo {
    /// Write model.pml for SPIN, and run.sh, which runs SPIN and prints a verdict for each property
    Promela(PromelaArgs),
}

#[derive(Args)]
pub(crate) struct PromelaArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// The memory model: `sc`, `tso`, or a file that says the same
    #[arg(long, short)]
    pub(crate) memory: String,
    /// The variant [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// The scenario [default: the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// Of the invariants, forbidden outcomes and temporal properties export only these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// The folder to write to; it is made if it is not there
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
