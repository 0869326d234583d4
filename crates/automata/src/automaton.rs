//! One thread's automaton: points, each with an action, and the registers they use.

use crate::action::{Access, Action, Op};
use crate::expr::{Domain, Value};
use base::{Span, Table};
use memory::Order;

base::id_type! {
    /// A program point of one automaton.
    pub struct PointId("p");
    /// A register of one automaton.
    pub struct RegId("r");
}

/// A register.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Register {
    /// The name in the source, or a made-up one that begins with `%`.
    pub name: String,
    /// The values it may hold; any other violates `in_range`.
    pub domain: Domain,
    /// The value it starts with.
    pub init: Value,
    /// How its values are shown, for those that have a name: `(value, name)`.
    pub names: Vec<(Value, String)>,
}

/// A program point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// What the thread does here.
    pub action: Action,
    /// Where it continues, unless the action says so itself.
    pub next: PointId,
    /// The statement or expression in the source.
    pub span: Span,
    /// The names given by `@name` in the source.
    pub labels: Vec<String>,
    /// The procedures inlined here, outermost first, as in `["write", "access"]`.
    pub procs: Vec<String>,
}

/// One thread's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The points.
    pub points: Table<PointId, Point>,
    /// Where the thread starts.
    pub entry: PointId,
    /// The registers.
    pub registers: Table<RegId, Register>,
    /// Registers that keep their values after the thread has halted, because a property names them.
    pub observed: Vec<RegId>,
    /// Operations that are performed in program order whatever the memory model allows.
    pub kept: Kept,
}

/// Pairs of memory operations that keep program order whatever the memory model allows: `(older, younger)`, each by
/// its point; the younger may also be an atomic region, by its `Enter`. Where memory is histories, a point paired with itself passes
/// over no newer write. No text says so; it is how one asks which reordering a violation needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kept {
    /// None: the memory model decides.
    #[default]
    Nothing,
    /// These.
    Pairs(Vec<(PointId, PointId)>),
    /// All but these.
    AllBut(Vec<(PointId, PointId)>),
}

impl Kept {
    /// The pairs that are named.
    pub fn pairs(&self) -> &[(PointId, PointId)] {
        match self {
            Kept::Nothing => &[],
            Kept::Pairs(pairs) | Kept::AllBut(pairs) => pairs,
        }
    }

    /// Whether `younger` waits for `older`.
    pub fn keeps(&self, older: PointId, younger: PointId) -> bool {
        match self {
            Kept::Nothing => false,
            Kept::Pairs(pairs) => pairs.contains(&(older, younger)),
            Kept::AllBut(pairs) => !pairs.contains(&(older, younger)),
        }
    }
}

impl Automaton {
    /// Where a `seq_cst` load stands that may have to wait for an own `seq_cst` store: the thread has both.
    pub fn ordered_load(&self) -> Option<Span> {
        let is_seq_cst = |action: &Action, is_load: bool| match action {
            Action::Access(Access { op: Op::Load, order: Order::SeqCst, .. }) => is_load,
            Action::Access(Access { op: Op::Store(_), order: Order::SeqCst, .. }) => !is_load,
            _ => false,
        };
        let first = |is_load| self.points.values().find(|point| is_seq_cst(&point.action, is_load));
        first(false).and(first(true)).map(|load| load.span)
    }

    /// The points that may follow `point`. An abort is taken to follow the beginning: that is where the registers come from.
    pub fn successors(&self, point: PointId) -> Vec<PointId> {
        let p = &self.points[point];
        match &p.action {
            Action::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Action::Choose(options) => options.clone(),
            Action::Begin(begin) => vec![p.next, begin.handler],
            Action::Abort(_) | Action::Halt => Vec::new(),
            _ => vec![p.next],
        }
    }
}
