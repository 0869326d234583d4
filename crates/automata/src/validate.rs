//! The rules that automata obey. Whoever makes automata keeps them; whoever runs them relies on them.
//!
//! - The first three properties are `deadlock`, `valid_reference` and `in_range`.
//! - The entry and every successor of a point exist; every point is reachable; a choice has a way.
//! - Every register, cell, property, cover and thread that is named exists.
//! - Domains are not empty; a cell's initial value is in its domain.
//! - An address leads only to existing cells, all of one kind; its terms have indices and strides.
//! - Regions are balanced: on all paths to a point the same region is open; `Enter` and `Halt` stand
//!   outside, `Leave` inside; fences and safepoints stand outside.
//! - Transactions are balanced in the same way: `Begin` stands outside, `Commit` and `Abort` inside; the handler stands
//!   outside; inside there is no region, safepoint, load-linked or store-conditional, and no end of the thread.
//! - Abstract cells are touched only inside regions, and only by loads, stores and reports; memory cells are
//!   not touched inside `Atomic` regions.
//! - `Then` stands right behind an access outside regions, its own, and `Issued` right behind a store; nothing else leads there.
//! - The bus is an abstract cell that can say that it is free, and name every thread.
//! - A store has no result.
//! - Observed registers are named once.
//! - A graph has at most 30 objects, with fields that are there; its conditions speak of earlier graphs only.
//! - Only what a guarantee ensures speaks of the state before a step.
//! - Pairs that keep program order name points that exist.

use crate::action::{Access, Action, Address, FetchOp, Op, Region};
use crate::automaton::{Automaton, PointId};
use crate::collection::{Automata, CellKind, PropertyKind};
use crate::expr::{Expr, StateExpr, StateLeaf, Value};
use crate::transaction::Begin;
use base::table::Id;

/// Every rule that is broken, in words.
pub fn validate(automata: &Automata) -> Result<(), Vec<String>> {
    let mut check = Check { automata, broken: Vec::new(), place: String::new(), n_graphs: 0, has_old: false };
    check.cells();
    check.graphs();
    check.properties();
    check.guarantees();
    for thread in automata.threads.values() {
        check.place = format!("thread {}", thread.name);
        check.automaton(&thread.automaton);
    }
    if check.broken.is_empty() { Ok(()) } else { Err(check.broken) }
}

/// What is open at a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Region(Region),
    Transaction,
}

struct Check<'a> {
    automata: &'a Automata,
    broken: Vec<String>,
    /// What is being checked, for messages.
    place: String,
    /// The graphs that may be spoken of.
    n_graphs: usize,
    /// Whether there is a state before a step to speak of.
    has_old: bool,
}

impl Check<'_> {
    fn require(&mut self, holds: bool, rule: &str) {
        if !holds {
            self.broken.push(format!("{}: {rule}", self.place));
        }
    }

    fn cells(&mut self) {
        for cell in self.automata.cells.values() {
            self.place = format!("cell {}", cell.name);
            self.require(cell.domain.low <= cell.domain.high, "the domain is empty");
            self.require(cell.domain.contains(cell.init), "the initial value is outside the domain");
        }
        if let Some(bus) = self.automata.bus {
            self.place = "the bus".into();
            let n_threads = self.automata.threads.len() as Value;
            let is_right = self.automata.cells.get(bus).is_some_and(|cell| {
                let names_all = cell.domain.contains(Automata::FREE) && cell.domain.contains(n_threads - 1);
                cell.kind == CellKind::Abstract && names_all
            });
            self.require(is_right, "there is no such abstract cell, or it cannot name every thread");
        }
    }

    fn graphs(&mut self) {
        for (id, graph) in self.automata.graphs.iter() {
            self.place = format!("{id}");
            self.require(graph.nodes.len() <= 30, "more than 30 objects");
            for node in &graph.nodes {
                let are_there = node.fields.iter().all(|cell| self.automata.cells.get(*cell).is_some());
                self.require(are_there, "a field is not there");
                node.condition.iter().for_each(|condition| self.state_expr(condition));
            }
            self.n_graphs += 1;
        }
    }

    fn properties(&mut self) {
        let mut kinds = self.automata.properties.values().map(|p| &p.kind);
        let built_in = [kinds.next(), kinds.next(), kinds.next()];
        self.place = "properties".into();
        let is_right = matches!(
            built_in,
            [Some(PropertyKind::Deadlock), Some(PropertyKind::ValidReference), Some(PropertyKind::InRange)]
        );
        self.require(is_right, "the first three are not deadlock, valid_reference, in_range");
        for property in self.automata.properties.values() {
            self.place = format!("property {}", property.name);
            property.kind.conditions().for_each(|condition| self.state_expr(condition));
            if let PropertyKind::Ltl(ltl) = &property.kind {
                let n_atoms = ltl.atoms.len();
                let known = ltl.formula.atoms().is_some_and(|atoms| n_atoms < 64 && atoms >> n_atoms == 0);
                self.require(known, "the formula speaks of an atom that is not there");
            }
        }
        for cover in self.automata.covers.values() {
            self.place = format!("cover {}", cover.name);
            if let Some(condition) = &cover.condition {
                self.state_expr(condition);
            }
        }
    }

    fn guarantees(&mut self) {
        for guarantee in &self.automata.guarantees {
            self.place = format!("guarantee {}", guarantee.name);
            for relation in &guarantee.relations {
                self.require(self.automata.threads.get(relation.thread).is_some(), "there is no such thread");
                self.state_expr(&relation.requires);
                let Some(effect) = &relation.effect else { continue };
                effect.modifies.iter().flatten().for_each(|place| self.state_expr(&place.index));
                self.has_old = true;
                self.state_expr(&effect.ensures);
                self.has_old = false;
            }
        }
    }

    fn state_expr(&mut self, expr: &StateExpr) {
        let mut leaves = Vec::new();
        expr.leaves(&mut |leaf| leaves.push(leaf));
        for leaf in leaves {
            match leaf {
                StateLeaf::Cell(cell) => {
                    self.require(self.automata.cells.get(*cell).is_some(), "there is no such cell");
                }
                StateLeaf::CellAt { base, stride, count, index } => {
                    let reach = *stride as usize * (*count as usize).saturating_sub(1);
                    let is_there = base.index() + reach < self.automata.cells.len() || *count == 0;
                    self.require(is_there, "a computed cell is not there");
                    self.state_expr(index);
                }
                StateLeaf::Register(thread, register) => {
                    let thread = self.automata.threads.get(*thread);
                    let is_observed = thread.is_some_and(|t| t.automaton.observed.contains(register));
                    self.require(is_observed, "a register is not observed");
                }
                StateLeaf::Ended(thread) | StateLeaf::Performed(thread) => {
                    self.require(self.automata.threads.get(*thread).is_some(), "there is no such thread");
                }
                StateLeaf::Pending { thread, place, .. } | StateLeaf::Oldest { thread, place } => {
                    self.require(self.automata.threads.get(*thread).is_some(), "there is no such thread");
                    let kinds = place.cells().into_iter().map(|cell| self.automata.cells.get(cell).map(|c| c.kind));
                    let is_memory = kinds.into_iter().all(|kind| kind == Some(CellKind::Memory));
                    self.require(is_memory, "a place whose stores may be pending is no memory");
                    self.automata.held(leaf).into_iter().for_each(|held| self.state_expr(held));
                }
                StateLeaf::Old(value) => {
                    self.require(self.has_old, "`old` is asked where there is one state only");
                    self.state_expr(value);
                }
                StateLeaf::Reached { graph, from } => {
                    self.require(graph.index() < self.n_graphs, "a graph is not there, or not earlier");
                    self.state_expr(from);
                }
                StateLeaf::At(thread, points) => {
                    let thread = self.automata.threads.get(*thread);
                    let are_there = thread.is_some_and(|t| points.iter().all(|p| t.automaton.points.get(*p).is_some()));
                    self.require(are_there, "a point is not there");
                }
            }
        }
    }

    fn automaton(&mut self, automaton: &Automaton) {
        for register in automaton.registers.values() {
            self.require(register.domain.low <= register.domain.high, "a register's domain is empty");
        }
        for (i, register) in automaton.observed.iter().enumerate() {
            self.require(automaton.registers.get(*register).is_some(), "an observed register is not there");
            self.require(!automaton.observed[..i].contains(register), "a register is observed twice");
        }
        let exists = |point: &PointId| automaton.points.get(*point).is_some();
        let pairs_exist = automaton.kept.pairs().iter().all(|(older, younger)| exists(older) && exists(younger));
        self.require(pairs_exist, "a point of a kept pair is not there");
        let are_there = automaton.points.ids().all(|p| automaton.successors(p).iter().all(exists));
        self.require(are_there && exists(&automaton.entry), "a successor is not there");
        if are_there && exists(&automaton.entry) {
            self.paths(automaton);
        }
    }

    /// Follows all paths from the entry with what is open.
    fn paths(&mut self, automaton: &Automaton) {
        let thread = self.place.clone();
        let mut found: Vec<Option<Open>> = vec![None; automaton.points.len()];
        let mut rest = vec![(automaton.entry, Open::Nothing)];
        while let Some((point, open)) = rest.pop() {
            self.place = format!("{thread} at {point}");
            match found[point.index()] {
                Some(known) => self.require(known == open, "paths with different regions meet"),
                None => {
                    found[point.index()] = Some(open);
                    let after = self.point(automaton, point, open);
                    match &automaton.points[point].action {
                        Action::Begin(begin) => {
                            rest.extend([(begin.handler, Open::Nothing), (automaton.points[point].next, after)]);
                        }
                        _ => rest.extend(automaton.successors(point).into_iter().map(|next| (next, after))),
                    }
                    for next in automaton.successors(point) {
                        self.own_operation(&automaton.points[point].action, &automaton.points[next].action);
                    }
                }
            }
        }
        for (point, open) in automaton.points.ids().zip(&found) {
            self.place = format!("{thread} at {point}");
            self.require(open.is_some(), "the point cannot be reached");
        }
    }

    /// Checks one point; gives what is open after it.
    fn point(&mut self, automaton: &Automaton, point: PointId, open: Open) -> Open {
        let region = match open {
            Open::Region(region) => Some(region),
            Open::Nothing | Open::Transaction => None,
        };
        let is_in_transaction = open == Open::Transaction;
        let action = &automaton.points[point].action;
        let mut are_there = action.defines().is_none_or(|r| automaton.registers.get(r).is_some());
        action.uses(&mut |r| are_there &= automaton.registers.get(r).is_some());
        self.require(are_there, "a register is not there");
        match action {
            Action::Access(access) => {
                let is_linked = matches!(access.op, Op::LoadLinked | Op::StoreConditional(_));
                self.require(!(is_in_transaction && is_linked), "load-linked or store-conditional in a transaction");
                self.access(access, region);
            }
            Action::Safepoint if is_in_transaction => self.require(false, "a safepoint in a transaction"),
            Action::Fence(_) | Action::Safepoint | Action::Perform => {
                self.require(region.is_none(), "fence, safepoint or perform in a region")
            }
            Action::Choose(ways) => self.require(!ways.is_empty(), "a choice without ways"),
            Action::Assert { property, .. } => {
                self.require(self.automata.properties.get(*property).is_some(), "there is no such property");
            }
            Action::Cover { cover, .. } => {
                self.require(self.automata.covers.get(*cover).is_some(), "there is no such cover");
            }
            Action::Enter(inner) => {
                self.require(open == Open::Nothing, "a region inside another, or inside a transaction");
                return Open::Region(*inner);
            }
            Action::Leave => {
                self.require(region.is_some(), "no region to leave");
                return Open::Nothing;
            }
            Action::Begin(begin) => {
                self.require(open == Open::Nothing, "a transaction inside another, or inside a region");
                self.begin(automaton, begin);
                return Open::Transaction;
            }
            Action::Commit => {
                self.require(is_in_transaction, "no transaction to commit");
                return Open::Nothing;
            }
            Action::Abort(_) => self.require(is_in_transaction, "no transaction to abort"),
            Action::Halt => self.require(open == Open::Nothing, "the thread ends inside a region or transaction"),
            Action::Compute { .. } | Action::Branch { .. } | Action::Assume(_) | Action::Discard(_) => {}
        }
        open
    }

    /// What goes with an operation stands right behind it.
    fn own_operation(&mut self, action: &Action, next: &Action) {
        let is_access = |is_one: fn(&Op) -> bool| matches!(action, Action::Access(access) if is_one(&access.op));
        match next {
            Action::Enter(Region::Then) => self.require(is_access(|_| true), "`then` without an access of its own"),
            Action::Enter(Region::Issued) => {
                self.require(is_access(|op| matches!(op, Op::Store(_))), "`when issued` without a store of its own")
            }
            _ => {}
        }
    }

    fn begin(&mut self, automaton: &Automaton, begin: &Begin) {
        let results = [begin.cause, begin.code];
        let are_there = results.into_iter().flatten().all(|register| automaton.registers.get(register).is_some());
        self.require(are_there, "a register is not there");
    }

    fn access(&mut self, access: &Access, region: Option<Region>) {
        let Some(kind) = self.address(&access.address) else { return };
        let is_simple = matches!(access.op, Op::Load | Op::Store(_));
        let is_right = !access.is_plain || is_simple && access.order == memory::Order::Relaxed;
        self.require(is_right, "a plain access that is more than a relaxed load or store");
        match kind {
            CellKind::Abstract => {
                self.require(region.is_some(), "abstract state is touched outside a region");
                let is_report = matches!(access.op, Op::Fetch(FetchOp::Next(_), _));
                self.require(is_simple || is_report, "abstract state is touched by more than a load or store");
            }
            CellKind::Memory => {
                let is_atomic = matches!(region, Some(Region::Atomic(_) | Region::Then | Region::Issued));
                self.require(!is_atomic, "memory is touched inside an atomic region");
            }
        }
        let is_store = matches!(access.op, Op::Store(_));
        self.require(!is_store || access.dst.is_none(), "a store with a result");
    }

    /// The kind of the cells that an address may lead to.
    fn address(&mut self, address: &Address) -> Option<CellKind> {
        let cells = &self.automata.cells;
        let Some(kind) = cells.get(address.base).map(|c| c.kind) else {
            self.require(false, "there is no such cell");
            return None;
        };
        let reach: usize = address.terms.iter().map(|t| t.stride as usize * (t.count as usize).saturating_sub(1)).sum();
        let is_there = address.base.index() + reach < cells.len();
        self.require(is_there, "a computed cell is not there");
        let last = Id::new(address.base.index() + reach);
        self.require(cells.get(last).is_none_or(|c| c.kind == kind), "an address leads to cells of both kinds");
        let are_useful = address.terms.iter().all(|t| t.stride > 0 || matches!(t.index, Expr::Const(_)));
        self.require(are_useful, "an address has a term without stride");
        Some(kind)
    }
}
