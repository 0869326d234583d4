//! What is to be proved: rows, columns and hypotheses of one system.

use crate::columns::{Column, columns};
use crate::layout::Layout;
use crate::liberties::{Liberty, liberties};
use crate::memory_model::Memory;
use crate::modular::{GUARANTEE, Owner, Promise, by_owner, interferences};
use crate::region::Endless;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::step::{Relation, StepOf, Violations, steps};
use crate::values::Conditions;
use automata::{
    Access, Action, Automata, BinaryOp, Definedness, Expr, FetchOp, Kept, Moment, Op, PropertyId, PropertyKind,
    StateExpr, StateLeaf, StateProperty, Stated, ThreadId,
};
use base::Span;
use sat::{Answer, Budget, Graph, Lit, Solver};

/// What a row asks of every step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// That the condition is true after it, too.
    Invariant,
    /// That it does not violate the property by itself: an assertion, `valid_reference`, `in_range`.
    Violation,
    /// That it is as a guarantee of its thread says.
    Guarantee,
}

/// One row of the matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The property's name.
    pub name: String,
    /// The property.
    pub property: PropertyId,
    /// The question.
    pub kind: RowKind,
    /// Which hypotheses it may use: those of at most this level.
    pub level: u32,
    /// Whether it is to be proved, or only a hypothesis.
    pub is_selected: bool,
    /// Whose assertion it is, where threads are looked at one by one.
    pub owner: Owner,
}

/// Why there are no circuits for a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What is not supported.
    pub what: String,
    /// Where it is in the text.
    pub span: Span,
}

/// A system with its obligations.
pub struct Problem<'a> {
    /// The system.
    pub automata: &'a Automata,
    /// The memory.
    pub memory: Memory,
    /// The rows: invariants and forbidden outcomes, then what a step may violate by itself.
    pub rows: Vec<Row>,
    /// The columns.
    pub columns: Vec<Column>,
    /// Every step, by its position.
    pub steps: Vec<StepOf>,
    /// Properties that no step can be held against: `deadlock`, and temporal ones; and rows of a higher level.
    pub left_out: Vec<String>,
    /// Whether there are invariants of a higher level.
    pub has_higher_levels: bool,
    /// The greatest level that is looked at; none if all are.
    pub(crate) level: Option<u32>,
    /// What each step is to be like, where threads are looked at one by one; else empty.
    pub(crate) promises: Vec<Promise>,
    /// Where `check` need not wait for what the proof takes to be done.
    pub liberties: Vec<Liberty>,
    pub(crate) layout: Layout,
    /// The graph with all that does not depend on a step.
    pub(crate) graph: Graph,
    pub(crate) state: State,
    pub(crate) typing: Lit,
    /// For each row that is an invariant, its condition.
    pub(crate) conditions: Vec<Lit>,
    /// The same as an expression.
    pub(crate) stated: Vec<StateExpr>,
    /// When a state is one in which the proof begins, besides the start of the text.
    pub(crate) begins: Option<Lit>,
}

impl<'a> Problem<'a> {
    /// The obligations of `automata`: of its invariants up to `level`, and of these rows only those in `only`, if any. What a step violates by
    /// itself is of the highest level, unless it is in `only`.
    pub fn new(automata: &'a Automata, memory: Memory, level: Option<u32>, only: &[String]) -> Result<Self, Refused> {
        Self::of(automata, memory, (level, only), |_, condition| vec![(Owner::Several, condition)])
    }

    /// The obligations of each thread by itself: conjuncts are split by whose own state they speak of, and others are known by
    /// their guarantees.
    pub fn modular(
        automata: &'a Automata,
        memory: Memory,
        level: Option<u32>,
        only: &[String],
    ) -> Result<Self, Refused> {
        let mut problem =
            Self::of(automata, memory, (level, only), |layout, condition| by_owner(automata, layout, condition))?;
        problem.promises = problem.steps.iter().map(|step| Promise::of(automata, step)).collect();
        let promises_something = problem.promises.iter().any(|promise| !promise.guarantees.is_empty());
        if promises_something {
            // It belongs to no property; what stands there is never asked for.
            let (name, property) = (GUARANTEE.to_string(), Automata::DEADLOCK);
            let (kind, owner) = (RowKind::Guarantee, Owner::Shared);
            problem.rows.push(Row { name, property, kind, level: 1, is_selected: true, owner });
        }
        problem.steps.extend(interferences(automata, &problem.promises, level));
        problem.promises.resize(problem.steps.len(), Promise::default());
        problem.columns = columns(automata, &problem.steps);
        Ok(problem)
    }

    fn of(
        automata: &'a Automata,
        memory: Memory,
        (level, only): (Option<u32>, &[String]),
        split: impl Fn(&Layout, StateExpr) -> Vec<(Owner, StateExpr)>,
    ) -> Result<Self, Refused> {
        refuse(automata, memory)?;
        let layout = Layout::new(automata, memory);
        let mut graph = Graph::new();
        let state = State::free(&mut graph, automata, &layout);
        let typing = state.typing(&mut graph, automata, &layout);
        let of_state = Conditions { automata, state: &state, old: None, layout: &layout };
        let (mut rows, mut conditions, mut stated, mut higher) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let is_selected = |name: &String| only.is_empty() || only.contains(name);
        for Preserved { name, of, property, level: row_level, condition } in preserved(automata) {
            if level.is_some_and(|level| row_level > level) {
                higher.push(name);
                continue;
            }
            let is_selected = is_selected(&name) || is_selected(&of);
            let (name, kind, level) = (&name, RowKind::Invariant, row_level);
            for (owner, condition) in split(&layout, condition) {
                rows.push(Row { name: name.clone(), property, kind, level, is_selected, owner });
                conditions.push(of_state.holds(&mut graph, &condition));
                stated.push(condition);
            }
        }
        // What a step violates by itself may need every invariant, so it belongs to the highest level of all.
        let has_higher_levels = !higher.is_empty();
        let greatest = rows.iter().map(|row| row.level).max().unwrap_or(1);
        for (id, property) in automata.properties.iter().filter(|(id, _)| is_violated_by_a_step(automata, *id)) {
            let (name, kind) = (property.name.clone(), RowKind::Violation);
            if has_higher_levels && !only.contains(&name) {
                higher.push(name);
                continue;
            }
            let is_selected = is_selected(&name);
            let owner = Owner::Several;
            rows.push(Row { name, property: id, kind, level: greatest, is_selected, owner });
        }
        let steps = steps(automata, &layout);
        let columns = columns(automata, &steps);
        let left_out = automata.properties.values().filter(|p| matches!(p.kind, PropertyKind::Ltl(_)));
        let left_out = std::iter::once("deadlock".into()).chain(left_out.map(|p| p.name.clone()));
        let left_out = left_out.chain(higher).collect();
        Ok(Problem {
            automata,
            memory,
            rows,
            columns,
            steps,
            left_out,
            has_higher_levels,
            level,
            promises: Vec::new(),
            liberties: liberties(automata, memory),
            layout,
            graph,
            state,
            typing,
            conditions,
            stated,
            begins: None,
        })
    }

    pub(crate) fn relation(&self) -> Relation<'_> {
        Relation { automata: self.automata, memory: self.memory, layout: &self.layout, typing: self.typing }
    }

    /// Why there is no circuit for a loop inside a region of `thread`.
    pub(crate) fn endless(&self, thread: ThreadId, at: Endless) -> Refused {
        let span = self.automata.threads[thread].automaton.points[at.0].span;
        Refused { what: "a loop inside a region that is not seen to end".into(), span }
    }

    /// The invariants that some initial state does not satisfy, and what a thread violates before its first step, by their rows.
    pub(crate) fn false_at_the_start(&self) -> Result<Vec<usize>, Refused> {
        let mut graph = self.graph.clone();
        let (start, is_one, violations) = self.start(&mut graph)?;
        let mut at_start = self.state.replaced_by(&start);
        let mut solver = Solver::new();
        let mut found = Vec::new();
        for (row, condition) in self.conditions.iter().enumerate().filter(|(row, _)| self.rows[*row].is_selected) {
            let holds = at_start.apply(&mut graph, *condition);
            if !matches!(solver.solve(&graph, &[is_one, !holds], Budget::default()), Answer::Unsat(_)) {
                found.push(row);
            }
        }
        let is_asked = |row: &&Row| row.is_selected && row.kind == RowKind::Violation;
        for (number, row) in self.rows.iter().enumerate().filter(|(_, row)| is_asked(row)) {
            let mut own = violations.iter().filter(|(of, _)| *of == row.property);
            if own.any(|(_, when)| !matches!(solver.solve(&graph, &[*when], Budget::default()), Answer::Unsat(_))) {
                found.push(number);
            }
        }
        Ok(found)
    }

    /// The initial states, when there is one, and what is violated before: each thread has done its local actions, as it has in `check` (semantics 2.5).
    fn start(&self, graph: &mut Graph) -> Result<(State, Lit, Violations), Refused> {
        let mut state = Snapshot::initial(self.automata).constant(&self.layout);
        let (mut is_one, mut violations) = (Lit::TRUE, Vec::new());
        for thread in self.automata.threads.ids() {
            let (path, violated) =
                self.relation().start(graph, state, thread).map_err(|at| self.endless(thread, at))?;
            is_one = graph.and(is_one, path.condition);
            state = path.state;
            violations.extend(violated);
        }
        Ok((state, is_one, violations))
    }
}

/// A condition that every step is to preserve.
struct Preserved {
    name: String,
    /// The property or cover that it belongs to.
    of: String,
    property: PropertyId,
    level: u32,
    condition: StateExpr,
}

/// The conditions that are to be preserved: the invariants, and that what is stated has a value (semantics 8.4). A forbidden
/// outcome is one: no quiescent state is like that.
fn preserved(automata: &Automata) -> Vec<Preserved> {
    let condition = |kind: &PropertyKind| {
        let StateProperty { condition, moment, violating } = kind.state_property()?;
        let holds = match violating {
            true => Expr::unary(automata::UnaryOp::Not, condition.clone()),
            false => condition.clone(),
        };
        Some(at(automata, moment, holds))
    };
    let invariants = automata.properties.iter().filter_map(|(id, property)| {
        let (name, level) = (property.name.clone(), automata.level(id));
        Some(Preserved { of: name.clone(), name, property: id, level, condition: condition(&property.kind)? })
    });
    let mut all: Vec<Preserved> = invariants.collect();
    for Definedness { of, property, condition, moment } in &automata.definedness {
        let (of, level) = match of {
            Stated::Property(id) => (automata.properties[*id].name.clone(), automata.level(*id)),
            Stated::Cover(id) => (automata.covers[*id].name.clone(), 1),
        };
        let name = format!("{} of {of}", automata.properties[*property].name);
        let condition = at(automata, *moment, condition.clone());
        match all.iter_mut().find(|preserved| preserved.name == name) {
            Some(preserved) => {
                preserved.condition = Expr::binary(BinaryOp::And, preserved.condition.clone(), condition)
            }
            None => all.push(Preserved { name, of, property: *property, level, condition }),
        }
    }
    all
}

/// That the condition is true at that moment: in every state, or once all threads have ended with nothing pending.
fn at(automata: &Automata, moment: Moment, condition: StateExpr) -> StateExpr {
    if moment == Moment::Always {
        return condition;
    }
    let leaves = automata.threads.ids().flat_map(|id| [StateLeaf::Ended(id), StateLeaf::Performed(id)]);
    let quiescent = leaves.fold(Expr::Const(1), |all, leaf| Expr::binary(BinaryOp::And, all, Expr::Leaf(leaf)));
    Expr::binary(BinaryOp::Implies, quiescent, condition)
}

/// Whether some step could violate the property by itself.
fn is_violated_by_a_step(automata: &Automata, property: PropertyId) -> bool {
    let asserts = |action: &Action| matches!(action, Action::Assert { property: p, .. } if *p == property);
    match automata.properties[property].kind {
        PropertyKind::ValidReference | PropertyKind::InRange => true,
        PropertyKind::Assert => {
            automata.threads.values().any(|t| t.automaton.points.values().any(|point| asserts(&point.action)))
        }
        _ => false,
    }
}

fn refuse(automata: &Automata, memory: Memory) -> Result<(), Refused> {
    for thread in automata.threads.values() {
        if thread.automaton.kept != Kept::Nothing {
            return Err(Refused { what: "operations that are kept in order".into(), span: Span::none() });
        }
        if let (Memory::Tso { .. }, Some(span)) = (memory, thread.automaton.ordered_load()) {
            return Err(Refused { what: "`seq_cst` loads that wait for `seq_cst` stores".into(), span });
        }
        for point in thread.automaton.points.values() {
            let what = match point.action {
                Action::Access(Access { op: Op::LoadLinked | Op::StoreConditional(_), .. }) => {
                    "load-linked and store-conditional"
                }
                Action::Access(Access { op: Op::Fetch(FetchOp::Next(_), _), .. }) => "what `refines`",
                Action::Begin(_) => "transactions",
                _ => continue,
            };
            return Err(Refused { what: what.into(), span: point.span });
        }
    }
    Ok(())
}
