//! What can be typed after `simulate`.

use super::{ChoiceArgs, LaneArgs, LimitArgs, ScopeArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
    #[arg(long, short, default_value = "all", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
    /// The seed: the same one finds the same, with any number of workers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many walks, at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) walks: u64,
    /// How many steps a walk has, at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) depth: usize,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) lanes: LaneArgs,
    /// Write the walks as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
}
