//! Statements and bodies.

use super::Checker;
use super::expressions::wrong;
use super::places::Target;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Body, Expr, ExprKind, LocalKind, ProcId, Region, Stmt, StmtKind, ThreadId};
use crate::types::{Range, Type, Value};
use base::Span;
use base::diagnostic::Note;
use memory::Fence;
use syntax::tree;

const FENCES: [&str; 5] = ["full", "acquire", "release", "store_store", "none"];

impl<'a> Checker<'a> {
    /// Checks the statements of a procedure.
    pub(super) fn proc_body(&mut self, id: ProcId, block: &'a tree::Block) {
        let signature = self.names.procs[base::table::Id::index(id)].0;
        let mut scope = Scope::new(Place::Proc(self.procs[id].result), self.self_range_of_procs());
        for (i, param) in signature.params.iter().enumerate() {
            let ty = self.procs[id].body.locals[base::table::Id::new(i)].ty;
            let local = self.declare_local(&mut scope, &param.name, ty, LocalKind::Param);
            scope.read(local);
        }
        self.statements_of(id, scope, signature, block);
    }

    /// Checks the statements of a procedure whose parameters are in scope.
    pub(super) fn statements_of(
        &mut self,
        id: ProcId,
        mut scope: Scope,
        signature: &'a tree::Signature,
        block: &'a tree::Block,
    ) {
        scope.open_block();
        let block = self.stmts(&mut scope, block);
        if self.procs[id].result.is_some() {
            self.check_returns(&self.procs[id].name.clone(), signature.name.span, &block);
        }
        self.unread.extend(unread(&scope));
        self.procs[id].body = Body { locals: scope.locals, block };
    }

    /// Checks the statements of a thread.
    pub(super) fn thread_body(&mut self, id: ThreadId, block: &'a tree::Block) {
        let self_range = self.threads[id].count.map(|n| Range::new(0, (n as Value - 1).max(0)));
        let mut scope = Scope::new(Place::Thread, self_range);
        let block = self.stmts(&mut scope, block);
        self.unread.extend(unread(&scope));
        self.threads[id].body = Body { locals: scope.locals, block };
    }

    fn stmts(&mut self, scope: &mut Scope, block: &'a tree::Block) -> Vec<Stmt> {
        block.stmts.iter().map(|stmt| self.stmt(scope, stmt)).collect()
    }

    pub(super) fn block(&mut self, scope: &mut Scope, block: &'a tree::Block) -> Vec<Stmt> {
        scope.open_block();
        let stmts = self.stmts(scope, block);
        scope.close_block();
        stmts
    }

    /// A block that a constant condition may leave out.
    fn branch(&mut self, scope: &mut Scope, block: &'a tree::Block, is_dead: bool) -> Vec<Stmt> {
        scope.dead += usize::from(is_dead);
        let stmts = self.block(scope, block);
        scope.dead -= usize::from(is_dead);
        stmts
    }

    fn looped(&mut self, scope: &mut Scope, block: &'a tree::Block, is_dead: bool) -> Vec<Stmt> {
        scope.loops += 1;
        let stmts = self.branch(scope, block, is_dead);
        scope.loops -= 1;
        stmts
    }

    fn stmt(&mut self, scope: &mut Scope, stmt: &'a tree::Stmt) -> Stmt {
        let kind = self.stmt_kind(scope, stmt);
        let label = stmt.label.as_ref().map(|l| l.text.clone());
        Stmt { label, is_unordered: stmt.is_unordered, kind, span: stmt.span }
    }

    fn stmt_kind(&mut self, scope: &mut Scope, stmt: &'a tree::Stmt) -> StmtKind {
        use tree::StmtKind as T;
        match &stmt.kind {
            T::Let { name, ty, value } => self.let_stmt(scope, name, ty.as_ref(), value),
            T::Assign { place, value } => self.assign(scope, place, value),
            T::Expr(expr) => self.effect_stmt(scope, expr),
            T::If { condition, then, otherwise } => {
                let condition = self.condition(scope, condition);
                let known = condition.constant();
                let then = self.branch(scope, then, known == Some(0));
                let otherwise = otherwise.as_ref().map(|b| self.branch(scope, b, known == Some(1)));
                StmtKind::If(condition, then, otherwise.unwrap_or_default())
            }
            T::While { condition, body } => {
                let condition = self.condition(scope, condition);
                let is_dead = condition.constant() == Some(0);
                StmtKind::While(condition, self.looped(scope, body, is_dead))
            }
            T::Loop(body) => StmtKind::Loop(self.looped(scope, body, false)),
            T::Each { name, domain, body } => {
                let ty = self.turns(domain);
                scope.open_block();
                let local = self.declare_local(scope, name, ty, LocalKind::Bound);
                let body = self.looped(scope, body, false);
                scope.close_block();
                StmtKind::Each(local, body)
            }
            T::Choose(blocks) => StmtKind::Choose(blocks.iter().map(|b| self.block(scope, b)).collect()),
            T::Atomic(body) => StmtKind::Region(Region::Atomic, self.block(scope, body)),
            T::Then(body) => StmtKind::Region(Region::Then, self.block(scope, body)),
            T::Issued(body) => StmtKind::Region(Region::Issued, self.block(scope, body)),
            T::Directly(body) => StmtKind::Region(Region::Direct, self.block(scope, body)),
            T::StopTheWorld(body) => StmtKind::Region(Region::StopTheWorld, self.block(scope, body)),
            T::Transaction(transaction) => self.transaction(scope, transaction),
            T::Abort(code) => self.abort(code.as_ref()),
            T::Fence(name) => StmtKind::Fence(self.fence(name)),
            T::Assert { name, condition } => {
                let condition = self.condition(scope, condition);
                StmtKind::Assert(self.asserted(name.as_ref(), stmt.span), condition)
            }
            T::Assume(condition) => StmtKind::Assume(self.condition(scope, condition)),
            T::Discard(condition) => StmtKind::Discard(self.condition(scope, condition)),
            T::Cover { name, condition } => {
                let condition = condition.as_ref().map(|c| self.condition(scope, c));
                StmtKind::Cover(self.covered(name), condition)
            }
            T::Safepoint => StmtKind::Safepoint,
            T::Perform => StmtKind::Perform,
            T::Lock => StmtKind::Lock,
            T::Unlock => StmtKind::Unlock,
            T::Return(value) => self.return_stmt(scope, value.as_ref(), stmt.span),
            T::Break => self.jump(scope, stmt.span, "break", StmtKind::Break),
            T::Continue => self.jump(scope, stmt.span, "continue", StmtKind::Continue),
            T::Stop => StmtKind::Stop,
            T::Skip | T::Error | T::Request(_) => StmtKind::Skip,
        }
    }

    pub(super) fn condition(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Expr {
        let condition = self.expr(scope, expr);
        self.wants(Type::Bool, &condition);
        condition
    }

    fn let_stmt(
        &mut self,
        scope: &mut Scope,
        name: &'a tree::Name,
        ty: Option<&'a tree::Type>,
        value: &'a tree::Expr,
    ) -> StmtKind {
        let (value, ty, kind) = match ty {
            Some(ty) => {
                let ty = self.resolve_type(ty);
                (self.expr_for(scope, value, ty), ty, LocalKind::Register)
            }
            None => {
                let value = self.expr(scope, value);
                let ty = self.inferred(&value);
                (value, ty, LocalKind::Inferred)
            }
        };
        let local = self.declare_local(scope, name, ty, kind);
        StmtKind::Set(local, value)
    }

    /// The type of a register whose first value is `value`.
    fn inferred(&mut self, value: &Expr) -> Type {
        match value.ty {
            Type::Null => {
                let message = "the type of this register is not known: `null` fits every reference";
                self.error(codes::NEEDS_RANGE, value.span, message).hint = Some("write `let x: Node? = null`".into());
                Type::Error
            }
            ty => ty,
        }
    }

    fn assign(&mut self, scope: &mut Scope, place: &'a tree::Expr, value: &'a tree::Expr) -> StmtKind {
        if let tree::ExprKind::Name(name) = &place.kind
            && let Some(local) = scope.find(&name.text)
        {
            return self.assign_local(scope, local, name, value);
        }
        if let tree::ExprKind::Name(name) = &place.kind
            && let Some(Decl::Register(id)) = self.names.get(&name.text).map(|entry| entry.decl)
        {
            let Some(local) = self.own_local(scope, id, name) else { return StmtKind::Skip };
            return self.assign_local(scope, local, name, value);
        }
        let target = self.target(scope, place);
        let wanted = match &target {
            Target::Place(place) => place.ty,
            _ => Type::Error,
        };
        let value = self.expr_for(scope, value, wanted);
        match target {
            Target::Place(place) => return StmtKind::Store(place, value),
            Target::Array { element, index, declared } => self.unindexed(&element, index, declared),
            Target::Value(Expr { ty: Type::Error, .. }) => {}
            Target::Value(target) => self.not_assignable(place, &target),
        }
        StmtKind::Skip
    }

    fn not_assignable(&mut self, place: &'a tree::Expr, target: &Expr) {
        if let ExprKind::Part(..) = target.kind {
            let message = "a part of a word cannot be stored alone: the word is read and written as one";
            let hint = "build the whole word and store it, or use `cas` to keep what others write";
            self.error(codes::PART_OF_WORD, place.span, message).hint = Some(hint.into());
            return;
        }
        let (what, declared) = match &place.kind {
            tree::ExprKind::Name(name) => {
                let entry = self.names.get(&name.text);
                (entry.map_or("a value", |e| e.decl.what()), entry.map(|e| e.span))
            }
            _ => ("a value", None),
        };
        let diagnostic =
            self.error(codes::NOT_ASSIGNABLE, place.span, format!("this is {what}: nothing can be assigned to it"));
        diagnostic.notes.extend(declared.map(|span| Note { span, message: "it is declared here".into() }));
    }

    fn assign_local(
        &mut self,
        scope: &mut Scope,
        id: crate::typed::LocalId,
        name: &'a tree::Name,
        value: &'a tree::Expr,
    ) -> StmtKind {
        let local = scope.locals[id].clone();
        let value = self.expr_for(scope, value, local.ty);
        if local.kind == LocalKind::Bound {
            let message = format!("`{}` is a constant of each turn: nothing can be assigned to it", name.text);
            self.error(codes::NOT_ASSIGNABLE, name.span, message);
            return StmtKind::Skip;
        }
        if local.kind == LocalKind::Inferred
            && let (Type::Int(range), Type::Int(found)) = (local.ty, value.ty)
            && !range.spans(found)
            && scope.dead == 0
        {
            let (low, high) = (range.low.min(found.low), range.high.max(found.high));
            let show = |low, high| if low == high { format!("always {low}") } else { format!("in {low}..{high}") };
            let message = format!(
                "`{}` gets a value that is {} here, but from its first value it is {}",
                name.text,
                show(found.low, found.high).replace("always ", ""),
                show(range.low, range.high)
            );
            let diagnostic = self.error(codes::NEEDS_RANGE, value.span, message);
            diagnostic.hint =
                Some(format!("write the range of all its values, such as `let {}: {low}..{high} = ..`", name.text));
            diagnostic.notes.push(Note { span: local.span, message: "it is declared here".into() });
        }
        scope.locals[id].is_assigned = true;
        StmtKind::Set(id, value)
    }

    fn effect_stmt(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> StmtKind {
        let typed = self.effect(scope, expr);
        match typed.kind {
            ExprKind::Call(..) | ExprKind::Access(_) => StmtKind::Eval(typed),
            ExprKind::Push(..) | ExprKind::Pop(_) => {
                self.error(codes::MISMATCH, typed.span, "this gives another queue, and changes none").hint =
                    Some("assign it: `q = push(q, x)`, `q = pop(q)`".into());
                StmtKind::Skip
            }
            // A word that is built and dropped; of other expressions the parser has said that they do nothing.
            _ => StmtKind::Skip,
        }
    }

    /// The fence of that name, or the one a flag says.
    fn fence(&mut self, name: &'a tree::Name) -> Option<Fence> {
        let is_flag = matches!(self.names.get(&name.text).map(|e| e.decl), Some(Decl::Flag(..)));
        let word = if is_flag { self.flag_word(&name.text)? } else { &name.text };
        if !FENCES.contains(&word) {
            let named = tree::Name { text: word.to_string(), span: name.span };
            self.unknown(codes::UNKNOWN_FENCE, &named, "fence", &FENCES);
        }
        Fence::from_name(word)
    }

    fn return_stmt(&mut self, scope: &mut Scope, value: Option<&'a tree::Expr>, span: Span) -> StmtKind {
        let typed = match (scope.place, value) {
            (Place::Proc(Some(ty)), Some(value)) => Some(self.expr_for(scope, value, ty)),
            (_, Some(value)) => Some(self.expr(scope, value)),
            (_, None) => None,
        };
        let (message, hint) = match (scope.place, &typed) {
            (Place::Proc(Some(_)), Some(_)) | (Place::Proc(None), None) => return StmtKind::Return(typed),
            (Place::Proc(Some(_)), None) => ("this procedure has a result: `return` needs a value", "write `return e`"),
            (Place::Proc(None), Some(_)) => ("this procedure has no result", "declare it: `proc name(..) -> Type`"),
            _ => ("`return` is for procedures", "`stop` ends a thread"),
        };
        self.error(codes::MISPLACED_RETURN, span, message).hint = Some(hint.into());
        StmtKind::Return(Some(wrong(span)))
    }

    fn jump(&mut self, scope: &Scope, span: Span, word: &str, kind: StmtKind) -> StmtKind {
        if scope.loops > 0 {
            return kind;
        }
        self.error(codes::MISPLACED_BREAK, span, format!("`{word}` is for loops, and no loop is around it"));
        StmtKind::Skip
    }
}

/// The registers that are never read: their places and names.
fn unread(scope: &Scope) -> Vec<(Span, String)> {
    let is_register = |kind| matches!(kind, LocalKind::Register | LocalKind::Inferred);
    scope
        .locals
        .values()
        .zip(&scope.is_read)
        .filter(|(local, is_read)| !**is_read && is_register(local.kind) && !local.name.starts_with('_'))
        .map(|(local, _)| (local.span, local.name.clone()))
        .collect()
}
