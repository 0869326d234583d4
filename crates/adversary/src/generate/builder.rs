//! What is known of the program while it is being written.

use super::types::Ty;
use crate::features::Feature;
use crate::random::Random;

/// What kind of shared state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Memory.
    Cell,
    /// Abstract state.
    Abstract,
    /// A ghost.
    Ghost,
}

/// A shared variable or a field of `Node`.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The type of an element.
    pub ty: Ty,
    /// How many elements, if an array.
    pub count: Option<i64>,
    /// Whether it is a field of `Node`.
    pub is_field: bool,
}

/// A register in scope.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it may be assigned.
    pub is_assignable: bool,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Ty>,
    /// Its result.
    pub result: Option<Ty>,
    /// Whether it touches memory, abstract state or neither.
    pub touches: Option<Kind>,
}

/// A thread that properties may speak of.
#[derive(Clone, Debug)]
pub struct ThreadInfo {
    /// Its name.
    pub name: String,
    /// How many copies, if replicated.
    pub count: Option<i64>,
    /// The registers of its outermost block.
    pub registers: Vec<Local>,
    /// Its labels.
    pub labels: Vec<String>,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In no region.
    Free,
    /// In `atomic`.
    Atomic,
    /// In `then`, where nothing waits.
    Then,
    /// In `directly` or `stop_the_world`.
    Direct,
    /// In a transaction.
    Transaction,
}

/// What surrounds a statement.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The registers in scope.
    pub locals: Vec<Local>,
    /// Where it stands.
    pub place: Place,
    /// Blocks around it.
    pub depth: usize,
    /// Whether a loop is around it within the region.
    pub in_loop: bool,
    /// How many copies the thread has, if replicated.
    pub copies: Option<i64>,
    /// Whether it is in a thread's body and not in a procedure.
    pub in_thread: bool,
    /// The registers of the outermost block.
    pub outermost: Vec<Local>,
    /// The labels so far.
    pub labels: Vec<String>,
    /// Whether it is the thread whose name was reserved.
    pub is_reserved: bool,
}

impl Default for Scope {
    fn default() -> Self {
        Scope {
            locals: Vec::new(),
            place: Place::Free,
            depth: 0,
            in_loop: false,
            copies: None,
            in_thread: true,
            outermost: Vec::new(),
            labels: Vec::new(),
            is_reserved: false,
        }
    }
}

/// A program being written.
pub struct Builder {
    /// The source of all choices.
    pub random: Random,
    /// The features that it is made of.
    pub features: Vec<&'static Feature>,
    /// The items so far.
    pub items: Vec<String>,
    /// Shared state.
    pub shared: Vec<Shared>,
    /// Procedures.
    pub procs: Vec<Proc>,
    /// Registers of threads: those for every thread.
    pub registers: Vec<Local>,
    /// Threads done.
    pub threads: Vec<ThreadInfo>,
    /// What surrounds the next statement.
    pub scope: Scope,
    /// The lines of the body being written.
    pub lines: Vec<String>,
    /// Expressions that may leave the range: so many of 100.
    pub wild: usize,
    /// How many threads are to be written.
    pub n_threads: usize,
    /// How many statements a thread has.
    pub n_statements: usize,
    /// Whether threads are replicated.
    pub replicate: usize,
    /// Whether `Hue`, `Pair` and `Node` are declared.
    pub has_hue: bool,
    /// See above.
    pub has_pair: bool,
    /// See above.
    pub has_nodes: bool,
    /// The name of the next thread, which has two copies, if its name is known before.
    pub reserved: Option<String>,
    n_names: usize,
}

impl Builder {
    /// An empty program.
    pub fn new(random: Random, features: Vec<&'static Feature>) -> Self {
        Builder {
            random,
            features,
            items: Vec::new(),
            shared: Vec::new(),
            procs: Vec::new(),
            registers: Vec::new(),
            threads: Vec::new(),
            scope: Scope::default(),
            lines: Vec::new(),
            wild: 2,
            n_threads: 2,
            n_statements: 4,
            replicate: 15,
            has_hue: false,
            has_pair: false,
            has_nodes: false,
            reserved: None,
            n_names: 0,
        }
    }

    /// A name not used yet.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    /// Adds a line to the body.
    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Declares shared state with an initial value in range.
    pub fn declare(&mut self, kind: Kind, ty: Ty, count: Option<i64>) -> String {
        let (word, prefix) = match kind {
            Kind::Cell => ("cell", "c"),
            Kind::Abstract => ("abstract", "a"),
            Kind::Ghost => ("ghost", "g"),
        };
        let name = self.fresh(prefix);
        let init = self.constant(&ty);
        let index = count.map_or(String::new(), |n| format!("[0..{}]", n - 1));
        let unordered = if kind == Kind::Abstract && self.random.percent(20) { "unordered " } else { "" };
        let elidable = if kind == Kind::Cell && self.random.percent(15) { "elidable " } else { "" };
        self.items.push(format!("{unordered}{elidable}{word} {name}{index}: {} = {init}", ty.text()));
        self.shared.push(Shared { name: name.clone(), kind, ty, count, is_field: false });
        name
    }

    /// `unordered`, at times, before a step outside regions.
    pub fn perhaps_unordered(&mut self) -> &'static str {
        if self.is_free() && self.random.percent(20) { "unordered " } else { "" }
    }

    /// A type for a small cell or register, among those declared.
    pub fn small_type(&mut self) -> Ty {
        match self.random.weighted(&[8, 3, 2, 1, 1, 2]) {
            0 => Ty::Num(0, 1),
            1 => Ty::Num(0, 2),
            2 => Ty::Bool,
            3 if self.has_hue => Ty::Hue,
            4 if self.has_pair => Ty::Pair,
            5 if self.has_nodes => Ty::Node(self.random.percent(50)),
            _ => Ty::Num(0, 1),
        }
    }

    /// Whether memory may be touched here.
    pub fn may_touch_memory(&self) -> bool {
        matches!(self.scope.place, Place::Free | Place::Direct | Place::Transaction)
    }

    /// Whether abstract state may be touched here.
    pub fn may_touch_abstract(&self) -> bool {
        self.scope.place != Place::Transaction
    }

    /// Whether the statement stands in no region and no transaction.
    pub fn is_free(&self) -> bool {
        self.scope.place == Place::Free
    }
}
