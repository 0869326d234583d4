//! The syntax tree of one module: what the text says, before any name has a meaning.
//!
//! Every node carries its span. A tree always exists, however wrong the text: what could not be
//! read is an `Error` node, and a diagnostic says why. Names are plain strings here.

mod expr;
mod heat;
mod packets;
mod proofs;
mod state;
mod transactions;

pub use expr::{Argument, BinaryOp, Expr, ExprKind, LabelPart, LabelPattern, Quantifier, TemporalOp, UnaryOp};
pub use heat::Heat;
pub use packets::{Bucket, Pool, Releaser, Request, Work};
pub use proofs::{Guarantee, Level, Refines};
pub use state::{HeapObject, RegisterDecl, SharedDecl, SharedKind};
pub use transactions::Transaction;

use base::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A quoted string with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The text between the quotes.
    pub text: String,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Module {
    /// The lines of the `//!` comment, without the marker.
    pub doc: Vec<String>,
    /// The items in the order of the text.
    pub items: Vec<Item>,
}

/// An item with the `///` comment above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The lines of the `///` comment, without the marker.
    pub doc: Vec<String>,
    /// What it is.
    pub kind: ItemKind,
    /// All of it.
    pub span: Span,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `use copying`
    Use(Name),
    /// `param FIELDS: 1..4 = 1`
    Param {
        /// Its name.
        name: Name,
        /// The allowed values; a range type.
        ty: Type,
        /// The value unless set.
        default: Expr,
    },
    /// `flag yield_fence: acquire | full as fix_fence | release = acquire`
    Flag {
        /// Its name.
        name: Name,
        /// The values it may have.
        alternatives: Vec<Name>,
        /// The variants that it makes.
        variants: Vec<FlagVariant>,
        /// The value unless set.
        default: Name,
    },
    /// `const UNINITIALISED = 2`
    Const {
        /// Its name.
        name: Name,
        /// A constant expression.
        value: Expr,
    },
    /// `type Value = 0..2`
    TypeAlias {
        /// Its name.
        name: Name,
        /// What it stands for.
        ty: Type,
    },
    /// `enum Status { InOriginal, InWide, InCopy }`
    Enum {
        /// Its name.
        name: Name,
        /// The variants, numbered from 0.
        variants: Vec<Name>,
    },
    /// `word Wide { value: Value, status: Status }`: several fields in one cell.
    Word {
        /// Its name.
        name: Name,
        /// The fields, lowest bits first.
        fields: Vec<FieldDecl>,
    },
    /// `object Node { forward: Node = null, data[Field]: Value = 0 }`
    Object {
        /// Its name, which is also the type of references to it.
        name: Name,
        /// The fields, one cell each (or one per index).
        fields: Vec<FieldDecl>,
    },
    /// `heap { from: Node { forward = from }  to: Node[2] }`
    Heap(Vec<HeapObject>),
    /// `cell root: Node = from`, `abstract token: mutator = 0`, `ghost written: bool = false`
    Shared(SharedDecl),
    /// `register phase: Phase = Idle`, `register roots[mutator]: set Node = [{a}, {b}]`
    Register(RegisterDecl),
    /// `require proc read(o: Node, f: Field) -> Value` and the like.
    Require(Require),
    /// `proc read(o: Node, f: Field) -> Value { .. }`
    Proc {
        /// Name, parameters, result.
        signature: Signature,
        /// The statements.
        body: Block,
    },
    /// `thread mutator[MUTATORS] { .. }`
    Thread(ThreadDecl),
    /// `work mark_object(o: Object) multiset workers MARKERS { .. }`
    Work(Work),
    /// `bucket mark { mark_object, scan_object } opens when drained(stacks)`
    Bucket(Bucket),
    /// `releaser ends when drained(mark)`
    Releaser(Releaser),
    /// `scenario WR "write, then read" { .. }`
    Scenario(Scenario),
    /// `variant fix_fence "Staccato(fix with fence)" { yield_fence = full }`
    Variant {
        /// Its name.
        name: Name,
        /// The name in the paper, where it has one.
        title: Option<Title>,
        /// Flags, parameters and constants that it sets.
        settings: Vec<Setting>,
    },
    /// `invariant strong: expr`
    Invariant {
        /// Its name.
        name: Name,
        /// Its level, where stated.
        level: Option<Level>,
        /// What holds in every state.
        condition: Expr,
    },
    /// `forbid both_zero: P0.r == 0 and P1.r == 0`: no quiescent state is like that.
    Forbid {
        /// Its name.
        name: Name,
        /// What holds in no quiescent state.
        condition: Expr,
    },
    /// `ltl answered: always (requested implies eventually not requested) fairly`
    Ltl {
        /// Its name.
        name: Name,
        /// What is true of every run.
        formula: Expr,
        /// Whether only fair runs count.
        is_fair: bool,
    },
    /// `predicate marked(o: Object): o.meta == 1`
    Predicate {
        /// Its name.
        name: Name,
        /// Parameters with their types.
        params: Vec<(Name, Type)>,
        /// What it stands for in properties.
        condition: Expr,
    },
    /// `guarantee blacken: collector at (blacken, mark_*)`
    Guarantee(Guarantee),
    /// `cover flipped: root == to`: some state must be like that.
    Cover {
        /// Its name.
        name: Name,
        /// What must be reachable.
        condition: Expr,
    },
    /// `expect original { sc, tso: holds }`
    Expect(Expect),
    /// What could not be read.
    Error,
}

/// `full as fix_fence "Staccato(fix with fence)"`, of a flag: the variant that sets the flag to this word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagVariant {
    /// The word.
    pub word: Name,
    /// The variant's name.
    pub name: Name,
    /// The name in the paper, where it has one.
    pub title: Option<Title>,
}

/// A field of a word or object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecl {
    /// Its name.
    pub name: Name,
    /// The index type, for an array of cells (objects only).
    pub index: Option<Type>,
    /// The type of one cell or bit field.
    pub ty: Type,
    /// The initial value (objects only).
    pub init: Option<Expr>,
    /// Whether accesses without an order are not atomic: `plain data: ..` (objects only).
    pub is_plain: bool,
    /// Whether it is a lock that may be elided: `elidable lock: ..` (objects only).
    pub is_elidable: bool,
}

/// A procedure's name, parameters and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<Param>,
    /// The result's type.
    pub result: Option<Type>,
    /// How often it runs, if the text says so.
    pub heat: Option<Heat>,
    /// The procedure that says what it does, if the text names one.
    pub refines: Option<Refines>,
}

/// A parameter of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Whether it stands for a place of shared state, not for a value: `place list: set Node`.
    pub is_place: bool,
    /// Its name.
    pub name: Name,
    /// The type of the value, or of what is at the place.
    pub ty: Type,
}

/// What a framework needs from the protocol that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Require {
    /// `require proc read(o: Node, f: Field) -> Value`
    Proc(Signature),
    /// `require thread collector`
    Thread(Name),
    /// `require object Node`
    Object(Name),
    /// `require cell root: Node`
    Cell(Name, Type),
}

/// A thread, or several alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadDecl {
    /// Its name; for a replicated thread also the type of its indices.
    pub name: Name,
    /// How many, if replicated.
    pub count: Option<Expr>,
    /// The statements.
    pub body: Block,
    /// How often it runs, if the text says so.
    pub heat: Option<Heat>,
}

/// A scenario: threads that run beside the protocol's, and settings of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name.
    pub name: Name,
    /// Whether it is run when none is named.
    pub is_default: bool,
    /// A description.
    pub title: Option<Title>,
    /// Parameters and flags that it sets.
    pub settings: Vec<Setting>,
    /// The threads it adds.
    pub threads: Vec<ThreadDecl>,
}

/// `name = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What is set.
    pub name: Name,
    /// To what.
    pub value: Expr,
}

/// The expected verdicts of some variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The variants spoken of; all when empty.
    pub variants: Vec<Name>,
    /// `with MUTATORS = 2`: the settings under which it is expected.
    pub settings: Vec<Setting>,
    /// The rows; for a memory model the first that names it counts.
    pub rows: Vec<ExpectRow>,
}

/// `sc, tso: holds` or `all: violated in WR by lost_update`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectRow {
    /// Memory models by name (`pso-full`), or `all`.
    pub memories: Vec<Name>,
    /// What is expected.
    pub verdict: ExpectVerdict,
}

/// An expected verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectVerdict {
    /// Every scenario holds.
    Holds,
    /// The named scenarios (all when empty) are violated, the others hold.
    Violated {
        /// `in WR, RW`
        scenarios: Vec<Name>,
        /// `by lost_update`
        property: Option<Name>,
    },
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `0..FIELDS-1`, both ends included; the ends are constant.
    Range(Box<Expr>, Box<Expr>),
    /// An enum, word, object (reference), alias, or replicated thread (its index).
    Named(Name),
    /// `Node?`: a reference or `null`.
    Optional(Name),
    /// `set Node`
    Set(Box<Type>),
    /// `queue Node of 3`; the number is constant.
    Queue(Box<Type>, Box<Expr>),
    /// What could not be read.
    Error,
}

/// `{ statement* }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The braces and what is between.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// `@copied` before it, naming this program point.
    pub label: Option<Name>,
    /// `unordered` before it: its step may come before older memory operations of the thread.
    pub is_unordered: bool,
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `let x = e`, `let x: T = e`
    Let {
        /// The register.
        name: Name,
        /// Its type, where written.
        ty: Option<Type>,
        /// Its first value.
        value: Expr,
    },
    /// `place = e`: a register, a cell, an abstract variable or a field of an object.
    Assign {
        /// What is written.
        place: Expr,
        /// The value.
        value: Expr,
    },
    /// A call or a memory operation for its effect.
    Expr(Expr),
    /// `if c { .. } else { .. }`
    If {
        /// The condition.
        condition: Expr,
        /// When true.
        then: Block,
        /// When false; `else if` is a block of one `if`.
        otherwise: Option<Block>,
    },
    /// `while c { .. }`
    While {
        /// Tested before each turn.
        condition: Expr,
        /// The turn.
        body: Block,
    },
    /// `loop { .. }`
    Loop(Block),
    /// `each f in Field { .. }`: once for every value of a finite type, unrolled.
    Each {
        /// The constant of each turn.
        name: Name,
        /// The type whose values it takes.
        domain: Type,
        /// The turn.
        body: Block,
    },
    /// `choose { .. } or { .. }`
    Choose(Vec<Block>),
    /// `atomic { .. }`: one step on abstract state.
    Atomic(Block),
    /// `then { .. }`: on abstract state, in the step that performs the operation before it.
    Then(Block),
    /// `when issued { .. }`: on abstract state, in the step that issues the store before it.
    Issued(Block),
    /// `directly { .. }`: one step on abstract state and memory, past every queue.
    Directly(Block),
    /// `stop_the_world { .. }`
    StopTheWorld(Block),
    /// `transaction { .. } abort(cause) { .. }`
    Transaction(Box<Transaction>),
    /// `abort`, `abort 7`
    Abort(Option<Expr>),
    /// `fence full`; a kind or a flag whose alternatives are kinds.
    Fence(Name),
    /// `assert c`, `assert lost_update: c`
    Assert {
        /// The property's name.
        name: Option<Name>,
        /// What must hold.
        condition: Expr,
    },
    /// `assume c`: waits until it is true.
    Assume(Expr),
    /// `discard unless c`: a run on which it is false is no run.
    Discard(Expr),
    /// `cover after_flip`, `cover after_flip: c`: must be reached, with `c` true.
    Cover {
        /// Its name.
        name: Name,
        /// The condition.
        condition: Option<Expr>,
    },
    /// `request scan_object(o)`
    Request(Request),
    /// `perform`: waits until the thread's memory operations have all been performed.
    Perform,
    /// `lock`: waits until no thread holds the bus, and takes it.
    Lock,
    /// `unlock`: waits until the thread's memory operations have all been performed, and frees the bus.
    Unlock,
    /// `safepoint`
    Safepoint,
    /// `return`, `return e`
    Return(Option<Expr>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `stop`: the thread ends.
    Stop,
    /// `skip`
    Skip,
    /// What could not be read.
    Error,
}
