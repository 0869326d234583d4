//! A system whose places are marked: any set of strengths can be put there without going through the text again.
//!
//! Every fence's place becomes a point of its own. While nothing is put there, the point does nothing but tell, in
//! traces, that a thread came by. Points keep their numbers whatever is put where.

use crate::atoms::Atom;
use crate::places::{PlaceId, Places, Strength, Target};
use automata::{Access, Action, Automata, Expr, Op, PointId, ThreadId};
use base::{FileId, Span};
use memory::{Fence, Order};
use program::Program;
use program::typed::{Stmt, StmtKind};
use rustc_hash::FxHashMap;

/// The file of spans that stand for places.
const MARK: FileId = FileId(u32::MAX - 1);

/// What becomes of the orders that the text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    /// They stay.
    Kept,
    /// They are taken away, within the places.
    Stripped,
}

/// A system with marked places.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The system with nothing put anywhere.
    automata: Automata,
    /// The points of each place.
    points: FxHashMap<PlaceId, Vec<(ThreadId, PointId)>>,
    /// The fence places by their points.
    marks: FxHashMap<(ThreadId, PointId), PlaceId>,
    /// For accesses whose orders are taken away, the order on failure that the text has.
    failures: FxHashMap<(ThreadId, PointId), Order>,
}

impl Marked {
    /// Marks the fences' places of `program` and lowers it. Accesses have no places yet.
    pub fn new(program: &Program, places: &Places, own: Own) -> Self {
        let mut program = program.clone();
        for proc in program.procs.values_mut() {
            proc.body.block = mark(std::mem::take(&mut proc.body.block), places, own);
        }
        for thread in program.threads.values_mut() {
            thread.body.block = mark(std::mem::take(&mut thread.body.block), places, own);
        }
        let mut marked = Marked {
            automata: lower::lower(&program),
            points: FxHashMap::default(),
            marks: FxHashMap::default(),
            failures: FxHashMap::default(),
        };
        marked.silence();
        marked
    }

    /// Makes every mark a point that does nothing.
    fn silence(&mut self) {
        for thread in self.automata.threads.ids() {
            let points = &mut self.automata.threads[thread].automaton.points;
            for id in points.ids() {
                let point = &mut points[id];
                if point.span.file == MARK {
                    let place = PlaceId(point.span.start);
                    point.action = nothing(point.next);
                    self.points.entry(place).or_default().push((thread, id));
                    self.marks.insert((thread, id), place);
                }
            }
        }
    }

    /// Every access: span, target, and its order with the one on failure.
    pub fn accesses(&self) -> Vec<(Span, Target, (Order, Order))> {
        let points = self.automata.threads.values().flat_map(|thread| thread.automaton.points.values());
        let accesses = points.filter_map(|point| match &point.action {
            // What is plain has no order to change.
            Action::Access(access) if access.is_plain => None,
            Action::Access(access) => Some((point.span, target(access), (access.order, access.failure_order))),
            _ => None,
        });
        accesses.collect()
    }

    /// Notes the points of the accesses' places, and takes their orders away if they are to be stripped.
    pub fn note_accesses(&mut self, places: &Places, own: Own) {
        for thread in self.automata.threads.ids() {
            let points = &mut self.automata.threads[thread].automaton.points;
            for id in points.ids() {
                let point = &mut points[id];
                let Action::Access(access) = &mut point.action else { continue };
                let Some(place) = places.accesses.get(&point.span) else { continue };
                self.points.entry(*place).or_default().push((thread, id));
                if own == Own::Stripped {
                    self.failures.insert((thread, id), access.failure_order);
                    (access.order, access.failure_order) = (Order::Relaxed, Order::Relaxed);
                }
            }
        }
    }

    /// The fence place that a thread comes by at a point.
    pub fn mark(&self, thread: ThreadId, point: PointId) -> Option<PlaceId> {
        self.marks.get(&(thread, point)).copied()
    }

    /// The programs of the threads that come by a place.
    pub fn programs_at(&self, place: PlaceId) -> Vec<&str> {
        let points = self.points.get(&place).map_or(&[][..], Vec::as_slice);
        points.iter().map(|(thread, _)| self.automata.threads[*thread].place.program.as_str()).collect()
    }

    /// The system with `atoms` put at their places.
    pub fn with<'a>(&self, atoms: impl IntoIterator<Item = &'a Atom>) -> Automata {
        let mut automata = self.automata.clone();
        for atom in atoms {
            for (thread, point) in self.points.get(&atom.place).into_iter().flatten() {
                let most = self.failures.get(&(*thread, *point)).copied();
                let point = &mut automata.threads[*thread].automaton.points[*point];
                match (&mut point.action, atom.strength) {
                    (Action::Access(access), strength) => strengthen(access, strength, most),
                    (action, Strength::Fence(fence)) => *action = Action::Fence(fence),
                    _ => {}
                }
            }
        }
        automata
    }
}

/// A block with a fence, to be silenced, at each of its places.
fn mark(block: Vec<Stmt>, places: &Places, own: Own) -> Vec<Stmt> {
    let mut marked = Vec::new();
    for mut stmt in block {
        let span = stmt.span;
        stmt.kind = mark_inside(stmt.kind, places, own);
        if let Some(place) = places.before.get(&span) {
            marked.push(marker(*place));
            if own == Own::Stripped && matches!(stmt.kind, StmtKind::Fence(_)) {
                stmt.kind = StmtKind::Skip;
            }
        }
        marked.push(stmt);
        marked.extend(places.after.get(&span).map(|place| marker(*place)));
    }
    marked
}

fn mark_inside(kind: StmtKind, places: &Places, own: Own) -> StmtKind {
    let inner = |block| mark(block, places, own);
    match kind {
        StmtKind::If(condition, then, otherwise) => StmtKind::If(condition, inner(then), inner(otherwise)),
        StmtKind::While(condition, body) => StmtKind::While(condition, inner(body)),
        StmtKind::Loop(body) => StmtKind::Loop(inner(body)),
        StmtKind::Each(local, body) => StmtKind::Each(local, inner(body)),
        StmtKind::Choose(blocks) => StmtKind::Choose(blocks.into_iter().map(inner).collect()),
        other => other,
    }
}

fn marker(place: PlaceId) -> Stmt {
    let span = Span { file: MARK, start: place.0, end: place.0 };
    Stmt { label: None, is_unordered: false, kind: StmtKind::Fence(Some(Fence::Full)), span }
}

/// A branch that always continues.
fn nothing(next: PointId) -> Action {
    Action::Branch { condition: Expr::Const(1), then: next, otherwise: next }
}

fn target(access: &Access) -> Target {
    match &access.op {
        op if op.is_rmw() => Target::Rmw,
        Op::Load | Op::LoadLinked => Target::Load,
        _ => Target::Store,
    }
}

/// Adds to the order of an access. What a CAS acquires, it acquires when it fails too, but no more than `most`.
fn strengthen(access: &mut Access, strength: Strength, most: Option<Order>) {
    access.order = stronger(access.order, strength);
    match most {
        Some(most) => access.failure_order = on_failure(access.order, most),
        None if matches!(strength, Strength::Acquire | Strength::SeqCst) => {
            access.failure_order = stronger(access.failure_order, strength);
        }
        None => {}
    }
}

/// What a CAS with this order is when it fails, if it is to be no more than `most`.
pub(crate) fn on_failure(order: Order, most: Order) -> Order {
    match (order, most) {
        (Order::SeqCst, Order::SeqCst) => Order::SeqCst,
        _ if order.is_acquire() && most.is_acquire() => Order::Acquire,
        _ => Order::Relaxed,
    }
}

/// The order that has `strength` too.
pub(crate) fn stronger(order: Order, strength: Strength) -> Order {
    let acquires = order.is_acquire() || strength == Strength::Acquire;
    let releases = order.is_release() || strength == Strength::Release;
    match (order, acquires, releases) {
        _ if order == Order::SeqCst || strength == Strength::SeqCst => Order::SeqCst,
        (_, true, true) => Order::AcqRel,
        (_, true, false) => Order::Acquire,
        (_, false, true) => Order::Release,
        (_, false, false) => Order::Relaxed,
    }
}

/// Whether an access place has points in any of `systems`.
pub(crate) fn is_used(place: PlaceId, systems: &[&Marked]) -> bool {
    systems.iter().any(|system| system.points.contains_key(&place))
}
