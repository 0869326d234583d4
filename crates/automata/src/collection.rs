//! All automata of one system, the cells they share, and their properties.

use crate::action::Action;
use crate::automaton::{Automaton, PointId};
use crate::expr::{Domain, StateExpr, StatePlace, Value};
use crate::graph::{Graph, GraphId};
use crate::name::{CellPlace, ThreadPlace};
use crate::part::PropertyPart;
use crate::scalars::Scalars;
use base::{Span, Table};

base::id_type! {
    /// A shared cell or abstract variable.
    pub struct CellId("c");
    /// A thread.
    pub struct ThreadId("t");
    /// A property.
    pub struct PropertyId("prop");
    /// A cover property.
    pub struct CoverId("cover");
}

/// How a cell is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellKind {
    /// Through the memory model.
    Memory,
    /// Directly, in atomic actions.
    Abstract,
}

/// A shared cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The name for people: `from.data[0]`.
    pub name: String,
    /// The same in parts.
    pub place: CellPlace,
    /// How it is accessed.
    pub kind: CellKind,
    /// The values it may hold; storing any other violates `in_range`.
    pub domain: Domain,
    /// The value at the start.
    pub init: Value,
    /// How its values are shown, for those that have a name: `(value, name)`.
    pub names: Vec<(Value, String)>,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The name for people: `collector`, `mutator[1]`.
    pub name: String,
    /// The same in parts.
    pub place: ThreadPlace,
    /// Its automaton.
    pub automaton: Automaton,
}

impl Cell {
    /// A cell whose values have no names.
    pub fn new(place: impl Into<CellPlace>, kind: CellKind, domain: Domain, init: Value) -> Self {
        let place = place.into();
        Cell { name: place.to_string(), place, kind, domain, init, names: Vec::new() }
    }
}

impl Thread {
    /// A thread.
    pub fn new(place: impl Into<ThreadPlace>, automaton: Automaton) -> Self {
        let place = place.into();
        Thread { name: place.to_string(), place, automaton }
    }
}

/// What a property states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// Asserted at points that name it.
    Assert,
    /// True in every state.
    Invariant(StateExpr),
    /// True in no quiescent state.
    Forbid(StateExpr),
    /// True of every run.
    Ltl(Ltl),
    /// Some thread can always step, unless all have halted.
    Deadlock,
    /// No access through `null` or past the end of an array.
    ValidReference,
    /// No register or cell gets a value outside its domain.
    InRange,
    /// No two accesses to a cell, one of them a write and one of them plain, that nothing orders.
    DataRace,
    /// Nothing: the property was switched off.
    Unchecked,
}

impl PropertyKind {
    /// What it states of single states, if anything: when that is judged, and which truth violates it.
    pub fn state_property(&self) -> Option<StateProperty<'_>> {
        let (condition, moment, violating) = match self {
            PropertyKind::Invariant(condition) => (condition, Moment::Always, false),
            PropertyKind::Forbid(condition) => (condition, Moment::Quiescent, true),
            _ => return None,
        };
        Some(StateProperty { condition, moment, violating })
    }

    /// The property of single states that a word declares.
    pub fn of_states(word: &str) -> Option<fn(StateExpr) -> PropertyKind> {
        match word {
            "invariant" => Some(PropertyKind::Invariant),
            "forbid" => Some(PropertyKind::Forbid),
            _ => None,
        }
    }

    /// The word that declares it; of those that every system has, their names.
    pub fn word(&self) -> &'static str {
        match self {
            PropertyKind::Assert => "assert",
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::Forbid(_) => "forbid",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::ValidReference => "valid_reference",
            PropertyKind::InRange => "in_range",
            PropertyKind::DataRace => "data_race",
            PropertyKind::Unchecked => "unchecked",
        }
    }

    /// Its conditions on states: the one it states of single states, or the atoms of its formula.
    pub fn conditions(&self) -> impl Iterator<Item = &StateExpr> {
        let atoms = if let PropertyKind::Ltl(ltl) = self { &ltl.atoms[..] } else { &[] };
        self.state_property().map(|judged| judged.condition).into_iter().chain(atoms)
    }

    /// Whether it states something of states or runs: it can be left out without changing what threads do.
    pub fn is_stated(&self) -> bool {
        self.state_property().is_some() || matches!(self, PropertyKind::Ltl(_))
    }
}

/// What a property states of single states.
#[derive(Clone, Copy, Debug)]
pub struct StateProperty<'a> {
    /// The condition.
    pub condition: &'a StateExpr,
    /// When it is judged.
    pub moment: Moment,
    /// The truth of the condition that violates the property.
    pub violating: bool,
}

/// A formula of temporal logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    /// The formula, over the atoms below by their positions.
    pub formula: ltl::Formula,
    /// The conditions on states that it speaks of, at most 63. One that speaks of a register whose value is still to
    /// come is false.
    pub atoms: Vec<StateExpr>,
    /// Which runs count.
    pub fairness: Fairness,
}

impl Ltl {
    /// Its atoms as they stand in the formula, each with whether it is to the left of an `implies`.
    pub fn guarding(&self) -> Vec<(&StateExpr, bool)> {
        let mut found = Vec::new();
        let mut rest = vec![(&self.formula, false)];
        while let Some((formula, is_guard)) = rest.pop() {
            match formula {
                ltl::Formula::Atom(atom) => found.push((&self.atoms[*atom as usize], is_guard)),
                ltl::Formula::Implies(guard, then) => rest.extend([(&**then, is_guard), (&**guard, true)]),
                _ => rest.extend(formula.operands().into_iter().rev().map(|operand| (operand, is_guard))),
            }
        }
        found
    }

    /// Whether threads that need not be treated fairly may stop anywhere, so that a run may stay in a state that has steps.
    pub fn others_may_stop(&self) -> bool {
        matches!(self.fairness, Fairness::Thread(_))
    }
}

/// Which runs count for a temporal property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    /// All.
    None,
    /// Those that are fair to every thread and to every thread's memory operations.
    All,
    /// Those that are fair to this thread and to its memory operations: the other threads may stop anywhere.
    Thread(ThreadId),
}

/// A property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it states.
    pub kind: PropertyKind,
    /// Where it is stated, or first asserted.
    pub span: Span,
}

/// A cover property: something that must be reachable; it detects vacuous passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// Its name.
    pub name: String,
    /// The condition on states; none if points name it.
    pub condition: Option<StateExpr>,
    /// Where it is stated.
    pub span: Span,
}

/// When a condition on states is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// In every state.
    Always,
    /// In states in which all threads have ended with nothing pending.
    Quiescent,
}

/// What is stated, and may have no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stated {
    /// A property.
    Property(PropertyId),
    /// A cover property.
    Cover(CoverId),
}

/// What must be true for what is stated to have a value; where it is false, `property` is violated, and what is stated is not
/// judged (semantics 8.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definedness {
    /// What has no value otherwise.
    pub of: Stated,
    /// `in_range` or `valid_reference`.
    pub property: PropertyId,
    /// What must be true.
    pub condition: StateExpr,
    /// When.
    pub moment: Moment,
}

/// Points of threads whose actions are looked at together: one column of the matrix of proof obligations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarantee {
    /// Its name.
    pub name: String,
    /// A proof that it is respected may use invariants of at most this level.
    pub level: u32,
    /// Where it is stated.
    pub span: Span,
    /// The points.
    pub points: Vec<(ThreadId, PointId)>,
    /// What the actions there may do, thread by thread; empty if nothing is said of it.
    pub relations: Vec<Relation>,
}

impl Guarantee {
    /// What it says of a thread's actions, if anything.
    pub fn of(&self, thread: ThreadId) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.thread == thread)
    }
}

/// What a thread's actions may do: a relation between the states before and after each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The acting thread.
    pub thread: ThreadId,
    /// What is true before.
    pub requires: StateExpr,
    /// What is changed; none if only what is required is stated, and the action itself says the rest.
    pub effect: Option<Effect>,
}

/// What an action may change, and what is true then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// All that may be changed, in the state before; none if that is anything.
    pub modifies: Option<Vec<StatePlace>>,
    /// What is true of both states.
    pub ensures: StateExpr,
}

/// One system: threads, cells, properties.
///
/// The first three properties are always `deadlock`, `valid_reference` and `in_range`; `data_race` is next if an access is plain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automata {
    /// The cells.
    pub cells: Table<CellId, Cell>,
    /// The threads.
    pub threads: Table<ThreadId, Thread>,
    /// The properties.
    pub properties: Table<PropertyId, Property>,
    /// The cover properties.
    pub covers: Table<CoverId, Cover>,
    /// Where stated properties have values.
    pub definedness: Vec<Definedness>,
    /// The levels of invariants that are not of level 1.
    pub levels: Vec<(PropertyId, u32)>,
    /// The guarantees.
    pub guarantees: Vec<Guarantee>,
    /// What a symmetry may permute.
    pub scalars: Scalars,
    /// The abstract cell that says which thread holds the bus, by its index; -1 if none does. While one does, no memory
    /// operation of another thread is performed. None if no thread ever locks it.
    pub bus: Option<CellId>,
    /// The graphs that properties speak of; the conditions of one speak of earlier ones only.
    pub graphs: Table<GraphId, Graph>,
    /// The parts of stated properties, for people.
    pub parts: Vec<PropertyPart>,
    /// Locations that invariants ask something of and that a thread cannot come to, whatever happens: `at(mutator[0], marking)`.
    pub absent: Vec<(PropertyId, String)>,
}

impl Automata {
    /// Whether some thread takes a lock that may be elided.
    pub fn has_elidable_locks(&self) -> bool {
        let mut points = self.threads.values().flat_map(|thread| thread.automaton.points.values());
        points.any(|point| matches!(&point.action, Action::Access(access) if access.takes_elidable_lock()))
    }

    /// No thread may be stuck while not all have halted.
    pub const DEADLOCK: PropertyId = PropertyId(0);
    /// Every access has a cell.
    pub const VALID_REFERENCE: PropertyId = PropertyId(1);
    /// Every value is in its domain.
    pub const IN_RANGE: PropertyId = PropertyId(2);

    /// What the cell of the bus holds if no thread holds the bus.
    pub const FREE: Value = -1;

    /// The condition on states of which `definedness` is a part; its own if there is no such condition.
    pub fn whole_of<'a>(&'a self, definedness: &'a Definedness) -> &'a StateExpr {
        let whole = match definedness.of {
            Stated::Property(id) => self.properties[id].kind.state_property().map(|judged| judged.condition),
            Stated::Cover(id) => self.covers[id].condition.as_ref(),
        };
        whole.unwrap_or(&definedness.condition)
    }

    /// A system without threads and cells, with the three properties every system has.
    pub fn new() -> Self {
        Automata {
            cells: Table::new(),
            threads: Table::new(),
            properties: [
                builtin("deadlock", PropertyKind::Deadlock),
                builtin("valid_reference", PropertyKind::ValidReference),
                builtin("in_range", PropertyKind::InRange),
            ]
            .into_iter()
            .collect(),
            covers: Table::new(),
            definedness: Vec::new(),
            levels: Vec::new(),
            guarantees: Vec::new(),
            scalars: Scalars::default(),
            bus: None,
            graphs: Table::new(),
            parts: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// States that no two accesses race. For systems with plain accesses, before any other property is added.
    pub fn forbid_races(&mut self) {
        self.properties.push(builtin("data_race", PropertyKind::DataRace));
    }

    /// The property that no two accesses race, if it is stated.
    pub fn data_race(&self) -> Option<PropertyId> {
        self.properties.iter().find(|(_, property)| property.kind == PropertyKind::DataRace).map(|(id, _)| id)
    }

    /// The level of an invariant: in a proof it may use those of at most this level.
    pub fn level(&self, property: PropertyId) -> u32 {
        self.levels.iter().find(|(id, _)| *id == property).map_or(1, |(_, level)| *level)
    }
}

fn builtin(name: &str, kind: PropertyKind) -> Property {
    Property { name: name.into(), kind, span: Span::none() }
}

impl Default for Automata {
    fn default() -> Self {
        Self::new()
    }
}
