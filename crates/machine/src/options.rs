//! The options of a run besides the program and the memory model.

use system::Budget;

/// The scope of a run and the reductions it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The queue bound K: how many operations a thread may have issued and not yet performed.
    pub queue_bound: usize,
    /// How many of them may be stores; none if only K bounds them.
    pub buffer: Option<usize>,
    /// Which reductions are on.
    pub reductions: Reductions,
    /// Whether a state without steps violates `deadlock`.
    pub check_deadlock: bool,
    /// What every long computation keeps to.
    pub budget: Budget,
}

/// A bound of the scope that may make a thread wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The queue bound K.
    Queue,
    /// The bound on pending stores.
    Buffer,
    /// The bound on open guesses.
    Guesses,
    /// The bound on the writes of a cell that can be read.
    History,
}

impl Bound {
    /// Those that make threads wait.
    pub(crate) const OF_THREADS: [Bound; 3] = [Bound::Queue, Bound::Buffer, Bound::Guesses];
}

impl Options {
    /// A bound with its value, for people: `K=4`, `buffer=1`.
    pub fn show(&self, bound: Bound) -> String {
        match bound {
            Bound::Queue => format!("K={}", self.queue_bound),
            Bound::Buffer => self.buffer.map_or(String::new(), |n| format!("buffer={n}")),
            Bound::Guesses => "guesses".into(),
            Bound::History => "history".into(),
        }
    }
}

/// Reductions that change the number of states and no verdict. Each has an on/off differential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// After each step, issue and retire until the thread stalls.
    pub eager_closure: bool,
    /// Reset registers whose value no longer matters.
    pub dead_registers: bool,
    /// Once a reduction; walls are part of the meaning now (semantics 4.4), and this changes nothing.
    pub walls: bool,
    /// Identify states that differ only by a permutation of interchangeable threads.
    pub symmetry: bool,
    /// Of steps that commute, take some first and put the others off.
    pub partial_order: bool,
    /// Put off steps that write nothing which others see.
    pub late_reads: LateReads,
    /// Decide a branch whose condition is to come, and whether a CAS in two succeeds, only when something behind is performed.
    pub late_decisions: bool,
    /// Check temporal properties without fairness while every run is seen to end.
    pub ending_runs: bool,
}

/// When steps that write nothing are put off. Then a step of the search is not a step of a thread, and the counterexample that is found
/// first need not be a shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateReads {
    /// Never.
    Never,
    /// If a search that puts nothing off meets too many states.
    WhenLarge,
    /// From the beginning.
    Always,
}

/// Switches a reduction off.
pub type SwitchOff = fn(&mut Reductions);

impl Reductions {
    /// Those that can be switched off one by one, by name.
    pub const SWITCHES: [(&'static str, SwitchOff); 7] = [
        ("symmetry", |reductions| reductions.symmetry = false),
        ("dead-registers", |reductions| reductions.dead_registers = false),
        ("walls", |reductions| reductions.walls = false),
        ("partial-order", |reductions| reductions.partial_order = false),
        ("late-reads", |reductions| reductions.late_reads = LateReads::Never),
        ("late-decisions", |reductions| reductions.late_decisions = false),
        ("ending-runs", |reductions| reductions.ending_runs = false),
    ];
    /// All on.
    pub const ALL: Reductions = Reductions {
        eager_closure: true,
        dead_registers: true,
        walls: true,
        symmetry: true,
        partial_order: true,
        late_reads: LateReads::WhenLarge,
        late_decisions: true,
        ending_runs: true,
    };
    /// All off: the plain rules.
    pub const NONE: Reductions = Reductions {
        eager_closure: false,
        dead_registers: false,
        walls: false,
        symmetry: false,
        partial_order: false,
        late_reads: LateReads::Never,
        late_decisions: false,
        ending_runs: false,
    };

    /// For each that can be switched off, its name and all the others.
    pub fn without_each() -> impl Iterator<Item = (&'static str, Reductions)> {
        Reductions::SWITCHES.into_iter().map(|(name, switch_off)| {
            let mut reductions = Reductions::ALL;
            switch_off(&mut reductions);
            (name, reductions)
        })
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            queue_bound: 4,
            buffer: None,
            reductions: Reductions::ALL,
            check_deadlock: true,
            budget: Budget::default(),
        }
    }
}
