//! Properties: expressions over a whole state, with quantifiers unrolled.

use crate::cells::Layout;
use crate::parts::Parts;
use crate::places::constant_base;
use crate::simplify::{binary, unary_op};
use crate::{Names, graphs, queues, sets, thread_id, words};
use automata::{Automata, BinaryOp, CellId, Expr, Moment, PointId, PropertyKind, RegId, StateExpr, StateLeaf, Stated};
use base::Span;
use base::table::Id;
use program::typed::{self, ExprKind, LabelPattern, Place, PlaceRoot, Quantifier, ThreadRef};
use program::{Program, types::Value};

/// Fills in the conditions of all stated properties.
pub(crate) fn state(program: &Program, layout: &Layout, names: &Names, automata: &mut Automata) {
    for (id, property) in program.properties.iter() {
        let Some(target) = names.properties[id] else { continue };
        let mut stating = Stating::new(program, layout, automata, &property.locals);
        let of = Stated::Property(target);
        let definedness = match &property.kind {
            typed::PropertyKind::Assert => Vec::new(),
            typed::PropertyKind::Invariant(condition) => stating.definedness(condition, of, Moment::Always),
            typed::PropertyKind::Forbid(condition) => stating.definedness(condition, of, Moment::Quiescent),
            typed::PropertyKind::Ltl { formula, .. } => stating.definedness_of_atoms(formula, of),
        };
        let kind = match &property.kind {
            typed::PropertyKind::Assert => continue,
            typed::PropertyKind::Invariant(condition) => PropertyKind::Invariant(stating.expr(condition)),
            typed::PropertyKind::Forbid(condition) => PropertyKind::Forbid(stating.expr(condition)),
            typed::PropertyKind::Ltl { formula, is_fair } => PropertyKind::Ltl(stating.ltl(formula, *is_fair)),
        };
        let mut parts = Parts::of(target);
        match &property.kind {
            typed::PropertyKind::Assert => {}
            typed::PropertyKind::Invariant(condition) => stating.parts(condition, false, &mut parts),
            typed::PropertyKind::Forbid(condition) => stating.parts(condition, true, &mut parts),
            typed::PropertyKind::Ltl { formula, .. } => stating.parts_of_formula(formula, &mut parts),
        }
        let absent: Vec<_> = stating.absent.into_iter().map(|location| (target, location)).collect();
        automata.absent.extend(absent);
        automata.parts.extend(parts.found);
        automata.properties[target].kind = kind;
        automata.definedness.extend(definedness);
    }
    for (id, cover) in program.covers.iter() {
        let (Some(target), Some(condition)) = (names.covers[id], &cover.condition) else { continue };
        let mut stating = Stating::new(program, layout, automata, &cover.locals);
        let definedness = stating.definedness(condition, Stated::Cover(target), Moment::Always);
        let condition = stating.expr(condition);
        automata.covers[target].condition = Some(condition);
        automata.definedness.extend(definedness);
    }
}

/// One property being stated.
pub(crate) struct Stating<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) automata: &'a Automata,
    pub(crate) locals: &'a base::Table<typed::LocalId, typed::Local>,
    /// The values of bound names.
    pub(crate) bindings: Vec<Value>,
    /// Whether what is stated now is left of an `implies`.
    is_guard: bool,
    /// The locations there that no thread can come to, though no constant leaves them out (semantics 9.3).
    absent: Vec<String>,
}

impl<'a> Stating<'a> {
    pub(crate) fn new(
        program: &'a Program,
        layout: &'a Layout,
        automata: &'a Automata,
        locals: &'a base::Table<typed::LocalId, typed::Local>,
    ) -> Self {
        Stating {
            program,
            layout,
            automata,
            locals,
            bindings: vec![0; locals.len()],
            is_guard: false,
            absent: Vec::new(),
        }
    }

    /// States what is left of an operator.
    pub(crate) fn left_of<T>(&mut self, op: typed::BinaryOp, state: impl FnOnce(&mut Self) -> T) -> T {
        let was_guard = self.is_guard;
        self.is_guard |= op == typed::BinaryOp::Implies;
        let stated = state(self);
        self.is_guard = was_guard;
        stated
    }

    pub(crate) fn expr(&mut self, expr: &typed::Expr) -> StateExpr {
        match &expr.kind {
            ExprKind::Const(value) => Expr::constant(*value),
            ExprKind::Local(local) => Expr::constant(self.bindings[local.index()]),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, operand) => Expr::unary(unary_op(*op), self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                let first = self.left_of(*op, |stating| stating.expr(left));
                let second = self.expr(right);
                sets::apply(&self.program.types, *op, (first, left), (second, right))
            }
            ExprKind::Part(word, id, field) => {
                let word = self.expr(word);
                words::part(&self.program.types.words[*id], *field, word)
            }
            ExprKind::Build(id, parts) => {
                let parts = parts.iter().map(|part| self.expr(part)).collect();
                words::pack(&self.program.types.words[*id], parts)
            }
            ExprKind::Quantified(quantifier, local, body) => self.quantified(*quantifier, *local, body),
            ExprKind::Register(thread, local) => self.register(thread, *local),
            ExprKind::At(thread, patterns) => self.at(thread, patterns),
            ExprKind::Ended(thread) => self.copy(thread).map_or(Expr::Const(0), |id| Expr::Leaf(StateLeaf::Ended(id))),
            ExprKind::Performed(thread) => {
                self.copy(thread).map_or(Expr::Const(0), |id| Expr::Leaf(StateLeaf::Performed(id)))
            }
            ExprKind::LockedBy(thread) => self.locked_by(thread),
            ExprKind::Pending(thread, place, value) => self.pending(thread, place, value.as_deref()),
            ExprKind::Oldest(thread, place) => self.oldest(thread, place),
            ExprKind::Reaches(graph, from, to) => {
                let given = [from, to].map(|end| self.program.types.range(end.ty));
                let ends = (self.expr(from), self.expr(to));
                graphs::reaches(*graph, ends, given)
            }
            ExprKind::Quiescent => self.quiescent(),
            ExprKind::Old(value) => match self.expr(value) {
                Expr::Const(value) => Expr::Const(value),
                value => Expr::Leaf(StateLeaf::Old(Box::new(value))),
            },
            ExprKind::Push(held, _) | ExprKind::Pop(held) | ExprKind::Top(held) | ExprKind::Size(held)
                if self.program.types.queue(held.ty).is_some() =>
            {
                self.queue(expr, held)
            }
            ExprKind::Size(set) => sets::size(self.expr(set), self.program.types.range(set.ty).bits()),
            ExprKind::SelfIndex
            | ExprKind::If(..)
            | ExprKind::Call(..)
            | ExprKind::Access(_)
            | ExprKind::Choose
            | ExprKind::Push(..)
            | ExprKind::Pop(_)
            | ExprKind::Top(_)
            | ExprKind::ChooseIn(_) => unreachable!("the checker lets no property do this: {:?}", expr.kind),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, local: typed::LocalId, body: &typed::Expr) -> StateExpr {
        let (op, start) = match quantifier {
            Quantifier::All => (BinaryOp::And, 1),
            Quantifier::Exists => (BinaryOp::Or, 0),
        };
        let mut all = Expr::Const(start);
        for value in self.program.types.range(self.locals[local].ty).values() {
            self.bindings[local.index()] = value;
            all = binary(op, all, self.expr(body));
        }
        all
    }

    /// Whether the thread holds the bus; false if no thread ever locks it.
    fn locked_by(&mut self, thread: &ThreadRef) -> StateExpr {
        match (self.copy(thread), self.automata.bus) {
            (Some(id), Some(bus)) => {
                let holder = Expr::Leaf(StateLeaf::Cell(bus));
                binary(BinaryOp::Equal, holder, Expr::constant(id.index() as Value))
            }
            _ => Expr::Const(0),
        }
    }

    /// An operation on a queue. What is no element is not added, nor is anything to a full queue.
    fn queue(&mut self, expr: &typed::Expr, held: &typed::Expr) -> StateExpr {
        let queue = self.program.types.queue(held.ty).expect("only queues have these operations");
        let before = self.expr(held);
        match &expr.kind {
            ExprKind::Push(_, element) => {
                let is_sure = queue.range.includes(self.program.types.range(element.ty));
                queues::push(&queue, before, self.expr(element), is_sure)
            }
            ExprKind::Pop(_) => queues::pop(&queue, before),
            ExprKind::Top(_) => queues::top(&queue, before),
            _ => queues::size(&queue, before),
        }
    }

    /// All threads have ended, and nothing is pending.
    fn quiescent(&self) -> StateExpr {
        let ids = self.automata.threads.ids();
        ids.flat_map(|id| [StateLeaf::Ended(id), StateLeaf::Performed(id)])
            .fold(Expr::Const(1), |all, leaf| binary(BinaryOp::And, all, Expr::Leaf(leaf)))
    }

    /// The value of a cell; -1 where there is no such cell.
    pub(crate) fn load(&mut self, place: &Place) -> StateExpr {
        let (base, terms) = self.place(place);
        leaf(base, terms)
    }

    /// A cell and the computed parts of its address.
    pub(crate) fn place(&mut self, place: &Place) -> (CellId, Vec<Term>) {
        let types = &self.program.types;
        let (base, object) = match &place.root {
            PlaceRoot::Shared(id) => (self.layout.shared(*id), None),
            PlaceRoot::Field(object, id, field) => {
                let kind = &types.objects[*id];
                let index = self.expr(object);
                (
                    self.layout.field(types, *id, *field),
                    Some(Term { index, stride: kind.size, count: kind.instances.len() }),
                )
            }
        };
        let element = place.index.as_ref().map(|index| {
            let index = binary(BinaryOp::Subtract, self.expr(index), Expr::constant(place.index_range.low));
            Term { index, stride: 1, count: place.index_range.count() as usize }
        });
        let mut base = base;
        let mut terms = Vec::new();
        for term in object.into_iter().chain(element) {
            match constant_base(base, &term.index, term.stride, term.count) {
                Some(moved) => base = moved,
                None => terms.push(term),
            }
        }
        (base, terms)
    }

    /// A register of one copy of a thread. Observed registers come first in every automaton.
    fn register(&mut self, thread: &ThreadRef, local: typed::LocalId) -> StateExpr {
        let position = self.program.threads[thread.thread].observed.iter().position(|l| *l == local);
        match (self.copy(thread), position) {
            (Some(id), Some(position)) => Expr::Leaf(StateLeaf::Register(id, RegId::new(position))),
            _ => Expr::Const(-1),
        }
    }

    fn at(&mut self, thread: &ThreadRef, patterns: &[LabelPattern]) -> StateExpr {
        let Some(id) = self.copy(thread) else { return Expr::Const(0) };
        let points = self.automata.threads[id].automaton.points.iter();
        let is_meant = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
        let named: Vec<PointId> = points.filter(|(_, p)| p.labels.iter().any(is_meant)).map(|(id, _)| id).collect();
        if !named.is_empty() {
            return Expr::Leaf(StateLeaf::At(id, named));
        }
        let labels = patterns.iter().map(|pattern| pattern.text.as_str()).collect::<Vec<_>>().join(", ");
        let location = format!("at({}, {labels})", self.automata.threads[id].name);
        if self.is_guard && self.is_stated(patterns) && !self.absent.contains(&location) {
            self.absent.push(location);
        }
        Expr::Const(0)
    }

    /// Whether a statement has such a label, and no constant leaves it out.
    fn is_stated(&self, patterns: &[LabelPattern]) -> bool {
        let live = self.program.live_stmts();
        let left_out: Vec<Span> = live.iter().flat_map(|stmt| left_out(stmt)).map(|stmt| stmt.span).collect();
        live.iter().any(|stmt| {
            let is_meant = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
            stmt.label.as_ref().is_some_and(is_meant) && !left_out.iter().any(|around| around.contains(stmt.span))
        })
    }

    /// The thread meant; none if the index is out of range.
    pub(crate) fn copy(&mut self, thread: &ThreadRef) -> Option<automata::ThreadId> {
        let copy = match &thread.index {
            None => 0,
            Some(index) => match self.expr(index) {
                Expr::Const(copy) => i32::try_from(copy).ok()?,
                _ => return None,
            },
        };
        thread_id(self.program, thread.thread, copy)
    }
}

/// One computed part of an address.
pub(crate) struct Term {
    pub(crate) index: StateExpr,
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// The leaf for a cell with no, one or several computed parts.
fn leaf(base: CellId, terms: Vec<Term>) -> StateExpr {
    let Some(Term { index, stride, count }) = one_term(terms) else { return Expr::Leaf(StateLeaf::Cell(base)) };
    let (stride, count) = (stride as u32, count as u32);
    Expr::Leaf(StateLeaf::CellAt { base, stride, count, index: Box::new(index) })
}

/// The computed parts of an address as one; none if there are none.
pub(crate) fn one_term(mut terms: Vec<Term>) -> Option<Term> {
    if terms.len() > 1 { Some(combine(terms)) } else { terms.pop() }
}

/// Several parts as one of stride 1, which is -1 if any part is out of its bounds.
fn combine(terms: Vec<Term>) -> Term {
    let reach: usize = terms.iter().map(|t| t.stride * t.count.saturating_sub(1)).sum();
    let mut is_valid = Expr::Const(1);
    let mut sum = Expr::Const(1);
    for term in terms {
        let low = binary(BinaryOp::GreaterEqual, term.index.clone(), Expr::Const(0));
        let high = binary(BinaryOp::Less, term.index.clone(), Expr::constant(term.count as i32));
        is_valid = binary(BinaryOp::And, is_valid, binary(BinaryOp::And, low, high));
        let cells = binary(BinaryOp::Multiply, term.index, Expr::constant(term.stride as i32));
        sum = binary(BinaryOp::Add, sum, cells);
    }
    let shifted = binary(BinaryOp::Multiply, is_valid, sum);
    Term { index: binary(BinaryOp::Subtract, shifted, Expr::Const(1)), stride: 1, count: reach + 1 }
}

/// What a constant beside `and` or `or` leaves out of a statement.
fn left_out(stmt: &typed::Stmt) -> &[typed::Stmt] {
    match &stmt.kind {
        typed::StmtKind::If(condition, then, otherwise) => match decided(condition) {
            Some(false) => then,
            Some(true) => otherwise,
            None => &[],
        },
        _ => &[],
    }
}

/// What constants make of a condition, whatever else it asks for.
fn decided(condition: &typed::Expr) -> Option<bool> {
    match &condition.kind {
        ExprKind::Const(value) => Some(*value != 0),
        ExprKind::Unary(typed::UnaryOp::Not, operand) => decided(operand).map(|truth| !truth),
        ExprKind::Binary(op @ (typed::BinaryOp::And | typed::BinaryOp::Or), left, right) => {
            let deciding = *op == typed::BinaryOp::Or;
            [left, right].into_iter().any(|operand| decided(operand) == Some(deciding)).then_some(deciding)
        }
        _ => None,
    }
}
