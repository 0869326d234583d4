//! The typed program: what `check` gives and `lower` takes.
//!
//! Constants are folded, names are ids, every expression has its type. Procedures are not yet
//! inlined and `each` is not yet unrolled. How to walk through it is in `walk`.

mod statements;

pub use crate::formula::Formula;
pub use crate::refines::specification::{Moment, Report, Specification};
use crate::types::{ObjectId, Range, Type, Types, Value, WordId};
use base::{Span, Table};
use memory::Order;
pub use statements::{Region, Stmt, StmtKind, Transaction};
use std::sync::Arc;
pub use syntax::tree::{BinaryOp, LabelPart, Quantifier, SharedKind, TemporalOp, UnaryOp};

base::id_type! {
    /// A shared cell, abstract variable or ghost (or an array of them).
    pub struct SharedId("shared");
    /// A register that threads have of their own.
    pub struct RegisterId("register");
    /// A procedure.
    pub struct ProcId("proc");
    /// A thread declaration.
    pub struct ThreadId("thread");
    /// A property.
    pub struct PropertyId("property");
    /// A cover property.
    pub struct CoverId("cover");
    /// A graph of objects that properties speak of.
    pub struct GraphId("graph");
    /// A register, parameter or bound constant of one body.
    pub struct LocalId("local");
}

/// A checked program of one variant and one scenario.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file's name without its ending.
    pub name: String,
    /// The variant it is.
    pub variant: String,
    /// The scenario it runs.
    pub scenario: String,
    /// Every parameter and flag with its value.
    pub constants: Vec<(String, String)>,
    /// The declared types.
    pub types: Types,
    /// Shared state outside objects.
    pub shared: Table<SharedId, Shared>,
    /// Registers that threads have of their own.
    pub registers: Table<RegisterId, Register>,
    /// Procedures.
    pub procs: Table<ProcId, Proc>,
    /// Threads, in the order of the text.
    pub threads: Table<ThreadId, Thread>,
    /// Invariants, forbidden outcomes and asserted properties.
    pub properties: Table<PropertyId, Property>,
    /// Cover properties.
    pub covers: Table<CoverId, Cover>,
    /// Guarantees.
    pub guarantees: Vec<Guarantee>,
    /// What calls are held against.
    pub specifications: Vec<Arc<Specification>>,
    /// Graphs, each once; the condition of one speaks of earlier ones only.
    pub graphs: Table<GraphId, Graph>,
}

/// Actions of a thread, all copies of it, that are looked at together in a proof.
#[derive(Clone, Debug)]
pub struct Guarantee {
    /// Its name.
    pub name: String,
    /// The thread.
    pub thread: ThreadId,
    /// Where the actions are; a point without a label belongs to the label before it.
    pub labels: Vec<LabelPattern>,
    /// From its name to the end of what it says.
    pub span: Span,
    /// What a proof that it is respected may use: invariants of at most this level.
    pub level: u32,
    /// `self`, if the thread is replicated, and the constants that quantifiers bind.
    pub locals: Table<LocalId, Local>,
    /// What is true before each action.
    pub requires: Option<Expr>,
    /// All that an action may change; none if that is not said.
    pub modifies: Option<Vec<Modified>>,
    /// What is true of the states before and after each action.
    pub ensures: Option<Expr>,
}

impl Guarantee {
    /// Whether it says what its actions do.
    pub fn is_relation(&self) -> bool {
        self.modifies.is_some() || self.ensures.is_some()
    }
}

/// Shared state that an action may change.
#[derive(Clone, Debug)]
pub struct Modified {
    /// Where it is, in the state before; an array without its index is meant as a whole.
    pub place: Place,
    /// The local that stands for every object of a type, if the field is meant of all of them.
    pub each: Option<LocalId>,
}

/// Shared state outside objects.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Memory, abstract or ghost.
    pub kind: SharedKind,
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The index type, for an array.
    pub index: Option<Type>,
    /// The type of one element.
    pub ty: Type,
    /// The initial value: of all elements, or one for each.
    pub init: Vec<Value>,
    /// Whether steps on it may come before older memory operations of their thread.
    pub is_unordered: bool,
    /// Whether accesses without an order are not atomic.
    pub is_plain: bool,
    /// Whether it is a lock that may be elided.
    pub is_elidable: bool,
}

/// A register that every thread which uses it has of its own.
#[derive(Clone, Debug)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The replicated thread that it is for; none if it is for every thread that uses it.
    pub thread: Option<ThreadId>,
    /// Its type.
    pub ty: Type,
    /// The value it starts with: in all threads, or one for each copy.
    pub init: Vec<Value>,
}

impl Register {
    /// The value it starts with in a copy of its thread.
    pub fn first_value(&self, copy: usize) -> Value {
        self.init.get(copy).or(self.init.first()).copied().unwrap_or_default()
    }
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The parameters, which are the first locals.
    pub n_params: usize,
    /// The result's type.
    pub result: Option<Type>,
    /// The statements and locals.
    pub body: Body,
    /// What it refines.
    pub refines: Option<Refinement>,
}

/// That a procedure refines another one, which is a single step.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The other one.
    pub of: ProcId,
    /// Whether calls begin and return when the thread's older memory operations have been performed.
    pub when_performed: bool,
    /// Where the text says it.
    pub span: Span,
}

/// A thread, or several alike.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// How many, if replicated.
    pub count: Option<u32>,
    /// The statements and locals.
    pub body: Body,
    /// Registers that a property names.
    pub observed: Vec<LocalId>,
}

/// Statements with the locals they use.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The locals.
    pub locals: Table<LocalId, Local>,
    /// The statements.
    pub block: Vec<Stmt>,
}

/// A register, parameter or bound constant.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: LocalKind,
    /// Whether something is assigned to it after its declaration.
    pub is_assigned: bool,
}

/// What a local is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// `let x: T = e`
    Register,
    /// `let x = e`: the type is that of `e`.
    Inferred,
    /// A procedure's parameter.
    Param,
    /// `each x in T`, `all x in T`: a constant of each turn.
    Bound,
    /// The thread's own register of this item; a body has one local for it.
    Item(RegisterId),
}

/// What a property asks.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// Asserted by statements.
    Assert,
    /// True in every state.
    Invariant(Expr),
    /// True in no quiescent state.
    Forbid(Expr),
    /// True of every run.
    Ltl {
        /// The formula.
        formula: Formula,
        /// Whether only fair runs count.
        is_fair: bool,
    },
}

impl PropertyKind {
    /// The condition that it states of single states, if it does.
    pub fn of_states(&self) -> Option<&Expr> {
        if let PropertyKind::Invariant(it) | PropertyKind::Forbid(it) = self { Some(it) } else { None }
    }
}

/// A property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Where it is stated, or first asserted.
    pub span: Span,
    /// What it asks.
    pub kind: PropertyKind,
    /// In a proof it may use invariants of at most this level.
    pub level: u32,
    /// The constants its quantifiers bind.
    pub locals: Table<LocalId, Local>,
}

/// The objects of a type, and which of them paths may step to.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The type.
    pub object: ObjectId,
    /// The predicate that tells, by its position in the text; none if paths may step to every object.
    pub predicate: Option<usize>,
    /// Its condition, in which the first local is the object.
    pub condition: Option<Expr>,
    /// The object, and the constants that quantifiers bind.
    pub locals: Table<LocalId, Local>,
}

/// A cover property.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Its name.
    pub name: String,
    /// Where it is stated.
    pub span: Span,
    /// The condition on states; none if statements name it.
    pub condition: Option<Expr>,
    /// The constants its quantifiers bind.
    pub locals: Table<LocalId, Local>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; for a number, the range its value is known to be in.
    pub ty: Type,
    /// All of it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// A local.
    Local(LocalId),
    /// `self`
    SelfIndex,
    /// The value at a place: a plain load, or a read of abstract state.
    Load(Box<Place>),
    /// An operator and its operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator and its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A field of a word.
    Part(Box<Expr>, WordId, usize),
    /// A word built from its fields.
    Build(WordId, Vec<Expr>),
    /// A procedure's result.
    Call(ProcId, Vec<Expr>),
    /// A memory operation.
    Access(Box<Access>),
    /// `if c then a else b`; threads only.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `all` or `exists`, over the values of the local's type.
    Quantified(Quantifier, LocalId, Box<Expr>),
    /// Any value of the expression's type.
    Choose,
    /// Any element of a set.
    ChooseIn(Box<Expr>),
    /// A queue with one element more.
    Push(Box<Expr>, Box<Expr>),
    /// A queue without its oldest element.
    Pop(Box<Expr>),
    /// The oldest element of a queue.
    Top(Box<Expr>),
    /// How many elements a set or queue has.
    Size(Box<Expr>),
    /// A register of a thread; properties only. The index is made of constants and bound ones.
    Register(ThreadRef, LocalId),
    /// Whether a thread is at a label that one of the patterns matches; properties only.
    At(ThreadRef, Vec<LabelPattern>),
    /// Whether a thread has ended; properties only.
    Ended(ThreadRef),
    /// Whether a thread has no memory operation pending; properties only.
    Performed(ThreadRef),
    /// Whether a thread holds the bus; properties only.
    LockedBy(ThreadRef),
    /// How many of a thread's stores to a place are pending; with a value, whether one of that value is; with a number too, whether the
    /// thread's pending store of that number is, the oldest being 0. Properties only.
    Pending(ThreadRef, Box<Place>, Option<Box<Expr>>, Option<u8>),
    /// The value of the oldest of a thread's pending stores to a place, else the value there; properties only.
    Oldest(ThreadRef, Box<Place>),
    /// Whether a path through the graph goes from one object to another; properties only.
    Reaches(GraphId, Box<Expr>, Box<Expr>),
    /// Whether all threads have ended and nothing is pending; properties only.
    Quiescent,
    /// The value in the state before a step; only where a guarantee says what a step ensures.
    Old(Box<Expr>),
}

/// One thread, by its declaration and index.
#[derive(Clone, Debug)]
pub struct ThreadRef {
    /// The declaration.
    pub thread: ThreadId,
    /// Which copy; none if it is not replicated.
    pub index: Option<Box<Expr>>,
}

/// A label, or all labels that begin or end so.
#[derive(Clone, Debug)]
pub struct LabelPattern {
    /// The label, its beginning or its end.
    pub text: String,
    /// Which of these.
    pub part: LabelPart,
}

impl LabelPattern {
    /// Whether `label` is meant.
    pub fn matches(&self, label: &str) -> bool {
        match self.part {
            LabelPart::Whole => label == self.text,
            LabelPart::Beginning => label.starts_with(&self.text),
            LabelPart::End => label.ends_with(&self.text),
        }
    }
}

/// A place in shared state.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is part of.
    pub root: PlaceRoot,
    /// The index, for an element of an array.
    pub index: Option<Expr>,
    /// The values of the index.
    pub index_range: Range,
    /// The type of the value there.
    pub ty: Type,
    /// Memory, abstract or ghost.
    pub kind: SharedKind,
    /// All of it.
    pub span: Span,
}

/// What a place is part of.
#[derive(Clone, Debug)]
pub enum PlaceRoot {
    /// A shared variable.
    Shared(SharedId),
    /// A field of an object.
    Field(Expr, ObjectId, usize),
}

/// A memory operation.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is done.
    pub op: Op,
    /// Where.
    pub place: Place,
    /// Its order; for a CAS, when it succeeds.
    pub order: Order,
    /// The order of a CAS that fails.
    pub failure_order: Order,
}

/// The kinds of memory operations with an order or as one step; their operands.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is the method of that name")]
pub enum Op {
    Load,
    Store(Expr),
    Cas(Expr, Expr),
    CasOld(Expr, Expr),
    Swap(Expr),
    FetchAdd(Expr),
    FetchAnd(Expr),
    FetchOr(Expr),
    LoadLinked,
    StoreConditional(Expr),
    /// No text says it: a call or return is reported, of the number that follows.
    Report(Report, Expr),
}
