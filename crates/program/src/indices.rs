//! Which numbers are indices of a thread's copies: those that flow from or to `self` and `thread[..]`, and are only compared,
//! assigned, put into sets and used as indices.
//!
//! A thread's index type is a range like any other, so this is found by unification. It is a proposal: symmetry verifies it.

use crate::typed::{
    BinaryOp, Body, CoverId, Expr, ExprKind, Formula, LocalId, LocalKind, Op, Place, PlaceRoot, ProcId, Program,
    PropertyId, PropertyKind, RegisterId, SharedId, Stmt, StmtKind, ThreadId, ThreadRef, UnaryOp,
};
use crate::types::{ObjectId, WordId};
use crate::walk::all_stmts;
use base::table::Id;
use rustc_hash::FxHashMap;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum Home {
    Thread(ThreadId),
    Proc(ProcId),
    Property(PropertyId),
    Cover(CoverId),
}

/// Something that holds numbers; a set or queue stands for its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum Holder {
    Local(Home, LocalId),
    Shared(SharedId),
    SharedIndex(SharedId),
    Field(ObjectId, usize),
    FieldIndex(ObjectId, usize),
    Part(WordId, usize),
    Result(ProcId),
    Item(RegisterId),
    /// `self` in a procedure.
    Caller(ProcId),
    /// The indices of a thread's copies.
    Copies(ThreadId),
    /// Numbers that are computed with.
    Plain,
}

/// For each holder, the thread whose copies its numbers are.
pub struct Indices {
    threads: FxHashMap<Holder, ThreadId>,
}

impl Indices {
    /// Looks through all of `program`.
    pub fn new(program: &Program) -> Self {
        let mut joins = Joins { program, uses_self: uses_self(program), parents: FxHashMap::default() };
        joins.program();
        let mut owners: FxHashMap<Holder, Vec<Holder>> = FxHashMap::default();
        let replicated = program.threads.iter().filter(|(_, thread)| thread.count.is_some_and(|n| n > 1));
        for owner in replicated.map(|(id, _)| Holder::Copies(id)).chain([Holder::Plain]) {
            owners.entry(joins.root(owner)).or_default().push(owner);
        }
        let holders: Vec<Holder> = joins.parents.keys().copied().collect();
        let only = |holder: Holder, joins: &mut Joins<'_>| match owners.get(&joins.root(holder)).map(Vec::as_slice) {
            Some([Holder::Copies(thread)]) => Some((holder, *thread)),
            _ => None,
        };
        Indices { threads: holders.into_iter().filter_map(|holder| only(holder, &mut joins)).collect() }
    }

    /// The thread whose copies the numbers in `holder` are, if they are.
    pub fn of(&self, holder: Holder) -> Option<ThreadId> {
        self.threads.get(&holder).copied()
    }

    /// The thread whose copies an expression speaks of, if it does.
    pub fn of_expr(&self, home: Home, expr: &Expr) -> Option<ThreadId> {
        self.of(holder(home, expr)?)
    }
}

/// What an expression's numbers come from.
fn holder(home: Home, expr: &Expr) -> Option<Holder> {
    match &expr.kind {
        ExprKind::Local(local) => Some(Holder::Local(home, *local)),
        ExprKind::SelfIndex => match home {
            Home::Thread(thread) => Some(Holder::Copies(thread)),
            Home::Proc(proc) => Some(Holder::Caller(proc)),
            _ => None,
        },
        ExprKind::Load(place) => Some(value_of(place)),
        ExprKind::Access(access) => match access.op {
            Op::Store(_) | Op::Cas(..) | Op::StoreConditional(_) => None,
            _ => Some(value_of(&access.place)),
        },
        ExprKind::Part(_, word, field) => Some(Holder::Part(*word, *field)),
        ExprKind::Call(proc, _) => Some(Holder::Result(*proc)),
        ExprKind::ChooseIn(held) | ExprKind::Push(held, _) | ExprKind::Pop(held) | ExprKind::Top(held) => {
            holder(home, held)
        }
        ExprKind::Oldest(_, place) => Some(value_of(place)),
        ExprKind::If(_, then, otherwise) => holder(home, then).or_else(|| holder(home, otherwise)),
        ExprKind::Binary(BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus, set, _) => {
            holder(home, set)
        }
        ExprKind::Register(thread, local) => Some(Holder::Local(Home::Thread(thread.thread), *local)),
        _ => None,
    }
}

fn value_of(place: &Place) -> Holder {
    match &place.root {
        PlaceRoot::Shared(id) => Holder::Shared(*id),
        PlaceRoot::Field(_, object, field) => Holder::Field(*object, *field),
    }
}

/// For each procedure, whether it or one that it calls speaks of `self`.
fn uses_self(program: &Program) -> Vec<bool> {
    fn speaks(expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::SelfIndex) || expr.operands().into_iter().any(speaks)
    }
    let stmts: Vec<Vec<&Stmt>> = program.procs.values().map(|proc| all_stmts(&proc.body.block)).collect();
    let mut uses: Vec<bool> = stmts.iter().map(|all| all.iter().any(|s| s.exprs().into_iter().any(speaks))).collect();
    loop {
        let calls = |all: &Vec<&Stmt>| all.iter().any(|s| s.calls().iter().any(|(proc, _)| uses[proc.index()]));
        let next: Vec<bool> = stmts.iter().zip(&uses).map(|(all, own)| *own || calls(all)).collect();
        if next == uses {
            return uses;
        }
        uses = next;
    }
}

/// Holders joined so far because numbers flow between them.
struct Joins<'a> {
    program: &'a Program,
    uses_self: Vec<bool>,
    parents: FxHashMap<Holder, Holder>,
}

impl Joins<'_> {
    fn root(&mut self, holder: Holder) -> Holder {
        let parent = *self.parents.entry(holder).or_insert(holder);
        if parent == holder {
            return holder;
        }
        let root = self.root(parent);
        self.parents.insert(holder, root);
        root
    }

    fn join(&mut self, a: Option<Holder>, b: Option<Holder>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (self.root(a), self.root(b));
        self.parents.insert(a, b);
    }

    fn program(&mut self) {
        let program = self.program;
        for (id, thread) in program.threads.iter() {
            self.body(Home::Thread(id), &thread.body);
        }
        for (id, proc) in program.procs.iter() {
            self.body(Home::Proc(id), &proc.body);
        }
        for (id, property) in program.properties.iter() {
            match &property.kind {
                PropertyKind::Ltl { formula, .. } => self.formula(Home::Property(id), formula),
                kind => kind.of_states().into_iter().for_each(|condition| self.expr(Home::Property(id), condition)),
            }
        }
        for (id, cover) in program.covers.iter() {
            cover.condition.iter().for_each(|condition| self.expr(Home::Cover(id), condition));
        }
    }

    fn formula(&mut self, home: Home, formula: &Formula) {
        match formula {
            Formula::State(condition) => self.expr(home, condition),
            Formula::Not(inner) | Formula::Quantified(_, _, inner) => self.formula(home, inner),
            Formula::Join(_, left, right) => {
                self.formula(home, left);
                self.formula(home, right);
            }
            Formula::Temporal(_, operands) => operands.iter().for_each(|operand| self.formula(home, operand)),
        }
    }

    fn body(&mut self, home: Home, body: &Body) {
        for (local, decl) in body.locals.iter() {
            if let LocalKind::Item(item) = decl.kind {
                self.join(Some(Holder::Local(home, local)), Some(Holder::Item(item)));
            }
        }
        for stmt in all_stmts(&body.block) {
            stmt.exprs().into_iter().for_each(|expr| self.expr(home, expr));
            match &stmt.kind {
                StmtKind::Set(local, value) => self.join(Some(Holder::Local(home, *local)), holder(home, value)),
                StmtKind::Store(place, value) => {
                    self.place(home, place);
                    self.join(Some(value_of(place)), holder(home, value));
                }
                StmtKind::Return(Some(value)) => {
                    if let Home::Proc(proc) = home {
                        self.join(Some(Holder::Result(proc)), holder(home, value));
                    }
                }
                _ => {}
            }
        }
    }

    fn place(&mut self, home: Home, place: &Place) {
        let index = place.index.as_ref().and_then(|index| holder(home, index));
        let own = match &place.root {
            PlaceRoot::Shared(id) => Holder::SharedIndex(*id),
            PlaceRoot::Field(_, object, field) => Holder::FieldIndex(*object, *field),
        };
        self.join(Some(own), index);
    }

    fn copy(&mut self, home: Home, thread: &ThreadRef) {
        let index = thread.index.as_ref().and_then(|index| holder(home, index));
        self.join(Some(Holder::Copies(thread.thread)), index);
    }

    fn expr(&mut self, home: Home, expr: &Expr) {
        expr.operands().into_iter().for_each(|operand| self.expr(home, operand));
        match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (holder(home, left), holder(home, right));
                match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {}
                    BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::In => self.join(left, right),
                    BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus => self.join(left, right),
                    _ => [left, right].into_iter().for_each(|side| self.join(side, Some(Holder::Plain))),
                }
            }
            ExprKind::Unary(UnaryOp::Negate, operand) => self.join(holder(home, operand), Some(Holder::Plain)),
            ExprKind::Build(word, parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.join(Some(Holder::Part(*word, i)), holder(home, part));
                }
            }
            ExprKind::Call(proc, arguments) => {
                for (i, argument) in arguments.iter().enumerate() {
                    let param = Holder::Local(Home::Proc(*proc), LocalId::new(i));
                    self.join(Some(param), holder(home, argument));
                }
                let own = match home {
                    Home::Thread(thread) => Some(Holder::Copies(thread)),
                    Home::Proc(proc) => Some(Holder::Caller(proc)),
                    _ => None,
                };
                if self.uses_self[proc.index()] {
                    self.join(Some(Holder::Caller(*proc)), own);
                }
            }
            ExprKind::If(_, then, otherwise) => self.join(holder(home, then), holder(home, otherwise)),
            ExprKind::Push(queue, element) => self.join(holder(home, queue), holder(home, element)),
            ExprKind::Pending(thread, place, value, _) => {
                self.copy(home, thread);
                self.place(home, place);
                self.join(Some(value_of(place)), value.as_ref().and_then(|value| holder(home, value)));
            }
            ExprKind::Oldest(thread, place) => {
                self.copy(home, thread);
                self.place(home, place);
            }
            ExprKind::Load(place) => self.place(home, place),
            ExprKind::Access(access) => {
                self.place(home, &access.place);
                let is_computed =
                    matches!(access.op, Op::FetchAdd(_) | Op::FetchAnd(_) | Op::FetchOr(_) | Op::Report(..));
                let value = Some(value_of(&access.place));
                for operand in access.op.operands() {
                    self.join(value, if is_computed { Some(Holder::Plain) } else { holder(home, operand) });
                }
            }
            ExprKind::Register(thread, _)
            | ExprKind::At(thread, _)
            | ExprKind::Ended(thread)
            | ExprKind::Performed(thread) => self.copy(home, thread),
            _ => {}
        }
    }
}
