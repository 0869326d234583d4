//! What several commands take: a scope, limits of a search, which variants and scenarios, what traces show.

use crate::exit::Error;
use crate::terminal;
use clap::Args;
use report::LaneOptions;
use workbench::{Scope, Switches};

/// Which variants and scenarios.
#[derive(Args)]
pub(crate) struct ChoiceArgs {
    /// A variant, or `all` [default: `original`, or the first]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// A scenario, or `all` [default: the file's default]
    #[arg(long)]
    pub(crate) scenario: Option<String>,
}

/// What traces show besides steps.
#[derive(Args)]
pub(crate) struct LaneArgs {
    /// Show the cells that each step changes
    #[arg(long)]
    pub(crate) cells: bool,
    /// Show what each thread has issued and not yet performed
    #[arg(long)]
    pub(crate) queues: bool,
}

impl LaneArgs {
    /// How traces are shown.
    pub(crate) fn options(&self) -> LaneOptions {
        LaneOptions { cells: self.cells, queues: self.queues, width: terminal::width() }
    }
}

/// The scope of a run: what `holds` speaks of.
#[derive(Args, Clone)]
pub(crate) struct ScopeArgs {
    /// Set a parameter or flag
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// The queue bound K: operations a thread may have issued and not yet performed (also --set K=N)
    /// [default: 4; with --speculate 6]
    #[arg(long, short = 'K', value_name = "N")]
    pub(crate) queue_bound: Option<usize>,
    /// Switches of every memory model
    #[command(flatten)]
    pub(crate) switches: SwitchArgs,
    /// Do not report deadlocks
    #[arg(long)]
    pub(crate) no_deadlock: bool,
}

impl ScopeArgs {
    /// The scope that was typed.
    pub(crate) fn scope(&self) -> Result<Scope, Error> {
        self.scope_with(&self.set)
    }

    /// The same with other settings in place of those of `--set`.
    pub(crate) fn scope_with(&self, set: &[String]) -> Result<Scope, Error> {
        Ok(Scope::new(set, self.queue_bound, self.switches.switches())?)
    }
}

/// Switches of every memory model.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SwitchArgs {
    /// Let a thread guess up to N unresolved branches
    #[arg(long, value_name = "N")]
    pub(crate) speculate: Option<usize>,
    /// An access waits until the cells of all older ones are known
    #[arg(long)]
    pub(crate) no_address_speculation: bool,
    /// Let a store-conditional fail for no reason
    #[arg(long)]
    pub(crate) spurious_failures: bool,
    /// Let a transaction abort for no reason
    #[arg(long)]
    pub(crate) spurious_aborts: bool,
    /// Isolate transactions from other transactions only, not from plain accesses
    #[arg(long)]
    pub(crate) weak_isolation: bool,
    /// Let a conflict abort a transaction only where it would commit
    #[arg(long)]
    pub(crate) lazy_conflicts: bool,
    /// Try the critical sections of elidable locks in transactions, and take the lock after an abort
    #[arg(long)]
    pub(crate) elide_locks: bool,
    /// Let at most B stores of a thread be pending (also --set buffer=B) [default: as many as K allows]
    #[arg(long, value_name = "B")]
    pub(crate) buffer: Option<usize>,
    /// Where memory is histories (rc11): keep N writes of a cell that can be read (also --set history=N) [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) history: Option<usize>,
}

impl SwitchArgs {
    /// The switches that were typed.
    pub(crate) fn switches(&self) -> Switches {
        let SwitchArgs {
            speculate,
            no_address_speculation,
            spurious_failures,
            spurious_aborts,
            weak_isolation,
            lazy_conflicts,
            elide_locks,
            buffer,
            history,
        } = *self;
        Switches {
            speculate,
            no_address_speculation,
            spurious_failures,
            spurious_aborts,
            weak_isolation,
            lazy_conflicts,
            elide_locks,
            buffer,
            history,
        }
    }
}

/// How to search.
#[derive(Args, Clone, Default)]
pub(crate) struct SearchArgs {
    /// Workers for one run [default: one per core]
    #[arg(long)]
    pub(crate) workers: Option<usize>,
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// What the command may use
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Switch reductions off: symmetry, dead-registers, walls, partial-order, late-reads,
    /// late-decisions, ending-runs
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Put off steps that write nothing from the beginning, not only once there are many states
    #[arg(long)]
    pub(crate) late_reads: bool,
    /// Say nothing while searching
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What a whole command may use.
#[derive(Args, Clone, Default)]
pub(crate) struct LimitArgs {
    /// Stop at so much resident memory, such as 500M or 2G [default: 4/5 of what is free, within the limits of control groups]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<String>,
    /// Stop after so many seconds: the whole command
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
}
