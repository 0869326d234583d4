//! The state of a kind of work: which units wait, how many are claimed, how many are done.

use super::build::Build;
use super::counted::Counted;
use syntax::tree::{
    BinaryOp, Bucket, Expr, ExprKind, ItemKind, Pool, SharedDecl, SharedKind, Stmt, StmtKind, Type, TypeKind, Work,
};

/// The most requests for one unit of a multiset that wait at once.
const MOST_ALIKE: i64 = 15;
/// The most units that are counted, where the count is compared with more than constants.
const MOST_COUNTED: i64 = 255;

/// The name of a requested unit, which no text can say.
const REQUESTED: &str = "requested.";

/// A kind of work.
pub(super) struct Kind {
    pub(super) work: Work,
}

impl Kind {
    pub(super) fn name(&self) -> &str {
        &self.work.name.text
    }

    pub(super) fn build(&self) -> Build {
        Build { span: self.work.head }
    }

    /// The type of its units. Where one unit is like another there is one.
    pub(super) fn unit_type(&self) -> Type {
        let build = self.build();
        self.work.unit.as_ref().map_or_else(|| build.up_to(build.int(0)), |(_, ty)| ty.clone())
    }

    pub(super) fn n_workers(&self) -> Expr {
        self.work.workers.clone().unwrap_or_else(|| self.build().int(1))
    }

    /// The declarations of its pool; with a count of what is done if that is `counted`.
    pub(super) fn state(&self, counted: Option<&Counted>) -> Vec<ItemKind> {
        let build = self.build();
        let count = |most: Expr| build.up_to(most);
        let (unit, zero) = (self.unit_type(), build.int(0));
        let mut items = match self.work.pool {
            Pool::Set => {
                let set = build.ty(TypeKind::Set(Box::new(unit)));
                vec![declare(build, self.part("waiting"), None, set, build.empty_set())]
            }
            Pool::Multiset => vec![
                declare(build, self.part("waiting"), Some(unit), count(build.int(MOST_ALIKE)), zero.clone()),
                declare(build, self.part("unclaimed"), None, count(build.int(MOST_COUNTED)), zero.clone()),
            ],
        };
        items.push(declare(build, self.part("claimed"), None, count(self.n_workers()), zero.clone()));
        if let Some(counted) = counted {
            let most = counted.enough(build).unwrap_or_else(|| build.int(MOST_COUNTED));
            items.push(declare(build, self.part("done"), None, count(most), zero));
        }
        for item in &mut items {
            if let ItemKind::Shared(decl) = item {
                decl.is_unordered = self.work.is_unordered;
            }
        }
        items
    }

    /// A step of its workers, unordered if the work is.
    pub(super) fn step(&self, stmt: Stmt) -> Stmt {
        Stmt { is_unordered: self.work.is_unordered, ..stmt }
    }

    /// The name of a part of its state.
    pub(super) fn part(&self, part: &str) -> String {
        format!("{}.{part}", self.name())
    }

    /// How many units are requested and not yet claimed.
    pub(super) fn unclaimed(&self, build: Build) -> Expr {
        match self.work.pool {
            Pool::Set => build.call("size", vec![build.var(self.part("waiting"))]),
            Pool::Multiset => build.var(self.part("unclaimed")),
        }
    }

    pub(super) fn claimed(&self, build: Build) -> Expr {
        build.var(self.part("claimed"))
    }

    pub(super) fn done(&self, build: Build) -> Expr {
        build.var(self.part("done"))
    }

    /// Whether every unit requested is done.
    pub(super) fn is_drained(&self, build: Build) -> Expr {
        let is_zero = |count| build.binary(BinaryOp::Equal, count, build.int(0));
        build.all([is_zero(self.unclaimed(build)), is_zero(self.claimed(build))])
    }

    /// One more unit is done.
    pub(super) fn count(&self, build: Build, counted: &Counted) -> Stmt {
        let one_more = build.add(self.done(build), 1);
        match counted.enough(build) {
            Some(enough) => build.when(build.binary(BinaryOp::Less, self.done(build), enough), one_more),
            None => one_more,
        }
    }

    /// One more request for `unit`, which is evaluated once.
    pub(super) fn request(&self, build: Build, unit: Expr) -> Vec<Stmt> {
        if self.work.pool == Pool::Set || is_plain(&unit) {
            return self.change(build, unit, BinaryOp::With, 1);
        }
        let bind = StmtKind::Let { name: build.name(REQUESTED), ty: None, value: unit };
        let mut stmts = vec![build.stmt(bind)];
        stmts.extend(self.change(build, build.var(REQUESTED), BinaryOp::With, 1));
        stmts
    }

    /// A unit that waits is claimed: the statements that bind it to `unit`.
    pub(super) fn claim(&self, unit: &str) -> Vec<Stmt> {
        let build = self.build();
        let waiting = build.var(self.part("waiting"));
        let bind = |value| build.stmt(StmtKind::Let { name: build.name(unit), ty: Some(self.unit_type()), value });
        let mut stmts = match self.work.pool {
            Pool::Set => vec![bind(build.choose_in(waiting))],
            Pool::Multiset => {
                let waits = build.binary(BinaryOp::Greater, build.index(waiting, build.var(unit)), build.int(0));
                vec![bind(build.choose(self.unit_type())), build.assume(waits)]
            }
        };
        stmts.extend(self.change(build, build.var(unit), BinaryOp::Without, -1));
        stmts.push(build.add(self.claimed(build), 1));
        stmts
    }

    /// `unit` waits once more, or once less.
    fn change(&self, build: Build, unit: Expr, op: BinaryOp, by: i64) -> Vec<Stmt> {
        let waiting = build.var(self.part("waiting"));
        match self.work.pool {
            Pool::Set => vec![build.assign(waiting.clone(), build.binary(op, waiting, unit))],
            Pool::Multiset => {
                vec![build.add(build.index(waiting, unit), by), build.add(build.var(self.part("unclaimed")), by)]
            }
        }
    }
}

/// Whether a unit is a number or a name, which mean the same however often they are read.
fn is_plain(unit: &Expr) -> bool {
    matches!(unit.kind, ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Name(_))
}

/// The variable that is true while a bucket is open.
pub(super) fn is_open(bucket: &Bucket) -> String {
    format!("{}.open", bucket.name.text)
}

/// Its declaration.
pub(super) fn is_open_decl(bucket: &Bucket) -> ItemKind {
    let build = Build { span: bucket.name.span };
    declare(build, is_open(bucket), None, build.ty(TypeKind::Bool), build.bool(bucket.is_open))
}

/// `abstract name[index]: ty = init`
pub(super) fn declare(build: Build, name: String, index: Option<Type>, ty: Type, init: Expr) -> ItemKind {
    ItemKind::Shared(SharedDecl {
        kind: SharedKind::Abstract,
        name: build.name(name),
        index,
        ty,
        init,
        is_unordered: false,
        is_plain: false,
        is_elidable: false,
    })
}
