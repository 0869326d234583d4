//! What `mutants` and `scope` take.

use super::{ScopeArgs, SearchArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct MutantsArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// Memory models: names or files, separated by commas, or `all` (those of the papers), or `real` (rc11, armv8, tso)
    #[arg(long, short, default_value = "rmo-no", value_delimiter = ',')]
    pub(crate) memory: Vec<String>,
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all` [default: all]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// Scopes beyond --set, such as `REFS=2;MUTATORS=2,REFS=2`; a mutant is reported with the smallest that kills it
    #[arg(long, value_name = "SCOPES")]
    pub(crate) scopes: Option<String>,
    /// Only mutants of these kinds or groups, such as `swap` or `drop-fence`
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Also run every other variant of the file
    #[arg(long)]
    pub(crate) variants: bool,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Give up a mutant after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) each: Option<f64>,
    /// Print the patch of every mutant that survives
    #[arg(long)]
    pub(crate) patches: bool,
    /// End with 1 if a mutant survives
    #[arg(long)]
    pub(crate) fail_on_survivor: bool,
    /// Write what became of each mutant as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Write a page for a browser, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) html: Option<String>,
}

#[derive(Args)]
pub(crate) struct GrowthArgs {
    /// The protocol
    pub(crate) file: PathBuf,
    /// The memory model, by name or file
    #[arg(long, short, default_value = "sc")]
    pub(crate) memory: String,
    /// The variant [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all` [default: the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// A parameter, or the queue bound K, and its values [default: all parameters of the file with their ranges]
    #[arg(long, value_name = "NAME=1..3")]
    pub(crate) vary: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Give up a scope after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) each: Option<f64>,
    /// Write the runs and forecasts as JSON to a file, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<String>,
    /// Write a page with a chart for a browser, or to standard output with `-`
    #[arg(long, value_name = "PATH")]
    pub(crate) html: Option<String>,
}
