//! Expressions: one function per kind, each gives a typed expression however wrong the text.

use super::Checker;
use super::scope::{Place, Scope};
use super::temporal::is_temporal;
use crate::codes;
use crate::names::Decl;
use crate::typed::{BinaryOp, Expr, ExprKind, LocalKind, Op, Quantifier};
use crate::types::{NULL, Range, Type, Value, Wide};
use base::Span;
use base::diagnostic::{Note, Severity};
use base::table::Id;
use syntax::tree;

/// Values that `each`, `all`, `exists` and `choose` may range over.
pub(super) const MAX_TURNS: u64 = 64;

/// An expression that could not be understood.
pub(super) fn wrong(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(0), ty: Type::Error, span }
}

impl<'a> Checker<'a> {
    /// Checks an expression of which nothing is known.
    pub(super) fn expr(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Expr {
        self.expr_like(scope, expr, None)
    }

    /// Checks an expression; a set's elements are of the type that is `wanted`, if that is known.
    pub(super) fn expr_like(&mut self, scope: &mut Scope, expr: &'a tree::Expr, wanted: Option<Type>) -> Expr {
        use tree::ExprKind as T;
        let span = expr.span;
        let constant = |value, ty| Expr { kind: ExprKind::Const(value), ty, span };
        match &expr.kind {
            T::Int(value) => match Value::try_from(*value) {
                Ok(value) => constant(value, Type::Int(Range::new(value, value))),
                Err(_) => {
                    self.error(codes::OUT_OF_RANGE, span, "this number is too large");
                    wrong(span)
                }
            },
            T::Bool(value) => constant(Value::from(*value), Type::Bool),
            T::Null => constant(NULL, Type::Null),
            T::SelfIndex => self.self_index(scope, span),
            T::Name(_) | T::Field(..) | T::Index(..) => {
                let target = self.target(scope, expr);
                self.value_of(target, span)
            }
            T::Call(name, arguments) if name.text == "push" && self.names.get("push").is_none() => {
                self.push(scope, arguments, wanted, span)
            }
            T::Call(name, arguments) if name.text == "pop" && self.names.get("pop").is_none() => {
                self.pop(scope, arguments, wanted, span)
            }
            T::Call(..) | T::Method { .. } => {
                let typed = self.effect(scope, expr);
                self.wants_value(typed)
            }
            T::Unary(op, operand) => self.unary(scope, *op, operand, span),
            T::Binary(op, left, right) if BinaryOp::OF_SETS.contains(op) => {
                self.set_operator(scope, *op, (left, right), wanted, span)
            }
            T::Binary(op, left, right) => self.binary(scope, *op, (left, right), span),
            T::Set(elements) => self.set(scope, elements, wanted, span),
            T::List(_) => {
                self.error(codes::MISPLACED_LIST, span, "a list is the first value of an array, and nothing else")
                    .hint = Some("a set is written `{a, b}`".into());
                wrong(span)
            }
            T::ChooseIn(set) => self.choose_in(scope, set, span),
            T::Every(element) => self.every(element, span),
            T::Quantified { quantifier, name, domain, body } => {
                self.quantified(scope, *quantifier, (name, domain), body, span)
            }
            T::If { condition, then, otherwise } => self.conditional(scope, (condition, then, otherwise), wanted, span),
            T::Choose(ty) => self.choose(scope, ty, span),
            T::At { thread, labels } => self.at(scope, thread, labels, span),
            T::Temporal(op, operands) => self.temporal_in_state(scope, *op, operands, span),
            T::Error => wrong(span),
        }
    }

    /// Checks a call or memory operation, which may have no result.
    pub(super) fn effect(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Expr {
        match &expr.kind {
            tree::ExprKind::Call(name, arguments) => self.call(scope, name, arguments, expr.span),
            tree::ExprKind::Method { place, name, arguments } => self.method(scope, place, name, arguments, expr.span),
            _ => self.expr(scope, expr),
        }
    }

    /// Reports an operation without result where a value is wanted.
    fn wants_value(&mut self, expr: Expr) -> Expr {
        let name = match &expr.kind {
            ExprKind::Call(id, _) if self.procs[*id].result.is_none() => self.procs[*id].name.clone(),
            ExprKind::Access(access) if matches!(access.op, Op::Store(_)) => "store".to_string(),
            _ => return expr,
        };
        self.error(codes::MISMATCH, expr.span, format!("`{name}` has no result, and a value is wanted here"));
        wrong(expr.span)
    }

    /// Checks an expression whose value goes to a place of type `wanted` in a step: a constant that is out of range is a warning,
    /// because the step tells.
    pub(super) fn expr_for(&mut self, scope: &mut Scope, expr: &'a tree::Expr, wanted: Type) -> Expr {
        let typed = self.expr_like(scope, expr, Some(wanted));
        self.check_value_fits(scope, &typed, wanted, Severity::Warning);
        typed
    }

    /// Checks an expression whose value must be one of type `wanted`.
    pub(super) fn expr_of(&mut self, scope: &mut Scope, expr: &'a tree::Expr, wanted: Type) -> Expr {
        let typed = self.expr_like(scope, expr, Some(wanted));
        self.check_value_fits(scope, &typed, wanted, Severity::Error);
        typed
    }

    /// Reports a value that cannot go to a place of type `wanted`.
    pub(super) fn check_value_fits(&mut self, scope: &Scope, expr: &Expr, wanted: Type, severity: Severity) {
        if self.fits(expr.ty, wanted, expr.span)
            && let Some(value) = expr.wide()
            && scope.dead == 0
        {
            self.constant_fits(value, wanted, expr.span, severity);
        }
    }

    /// A name that is no place: a local or a constant.
    pub(super) fn named_value(&mut self, scope: &mut Scope, name: &'a tree::Name) -> Expr {
        let span = name.span;
        if let Some(id) = scope.find(&name.text) {
            scope.read(id);
            return Expr { kind: ExprKind::Local(id), ty: scope.locals[id].ty, span };
        }
        if let Some(alias) = scope.alias(&name.text) {
            return alias.clone();
        }
        let Some(entry) = self.names.get(&name.text) else {
            if scope.place == Place::Property && name.text == "quiescent" {
                return Expr { kind: ExprKind::Quiescent, ty: Type::Bool, span };
            }
            self.unknown_value(scope, name);
            return wrong(span);
        };
        let (ty, value) = match entry.decl {
            Decl::Register(id) => return self.own_register(scope, id, name),
            Decl::Param(..) | Decl::Const(_) => self.named_constant(&name.text),
            Decl::EnumVariant(id, index) => (Type::Enum(id), index as Wide),
            Decl::Instance(index) => match self.instances.get(index).and_then(Option::as_ref) {
                Some((object, alike)) => (Type::Ref { object: *object, is_optional: false }, alike.start as Wide),
                None => (Type::Error, 0),
            },
            other => {
                let message = format!("`{}` is {}, not a value", name.text, other.what());
                let hint = match other {
                    Decl::Flag(words, _) => {
                        Some(format!("compare it: `{} == {}`", name.text, words.first().map_or("word", |w| &w.text)))
                    }
                    Decl::Proc(_) => Some(format!("call it: `{}(..)`", name.text)),
                    _ => None,
                };
                let diagnostic = self.error(codes::NOT_A_VALUE, span, message);
                diagnostic.hint = hint;
                diagnostic.notes.push(Note { span: entry.span, message: "it is declared here".into() });
                (Type::Error, 0)
            }
        };
        Expr { kind: super::arithmetic::number(value, span), ty, span }
    }

    fn unknown_value(&mut self, scope: &Scope, name: &'a tree::Name) {
        let mut known = scope.names();
        known.extend(self.names.all(Decl::is_value));
        known.extend(["true", "false", "null", "self"]);
        let hint = match base::suggest::nearest(&name.text, &known) {
            _ if is_temporal(&name.text) => {
                Some(format!("`{}` is temporal where an operand follows it, in `ltl` only", name.text))
            }
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => self.word_of_flag(&name.text),
        };
        self.error(codes::UNKNOWN_NAME, name.span, format!("there is no name `{}` here", name.text)).hint = hint;
    }

    /// The hint for a flag's word that stands alone.
    fn word_of_flag(&self, word: &str) -> Option<String> {
        let is_flag_with = |d: &Decl| matches!(d, Decl::Flag(words, _) if words.iter().any(|w| w.text == word));
        let flag = *self.names.all(is_flag_with).first()?;
        Some(format!("`{word}` is a word of the flag `{flag}`: compare it as in `{flag} == {word}`"))
    }

    fn self_index(&mut self, scope: &Scope, span: Span) -> Expr {
        if let Some(id) = scope.find("self") {
            return Expr { kind: ExprKind::Local(id), ty: scope.locals[id].ty, span };
        }
        match scope.self_range {
            Some(range) => Expr { kind: ExprKind::SelfIndex, ty: Type::Int(range), span },
            None => {
                let message = "`self` is the index of a replicated thread, and none runs this";
                self.error(codes::MISPLACED_SELF, span, message).hint =
                    Some("replicate the thread: `thread name[N] { .. }`".into());
                wrong(span)
            }
        }
    }

    fn quantified(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        (name, domain): (&'a tree::Name, &'a tree::Type),
        body: &'a tree::Expr,
        span: Span,
    ) -> Expr {
        let ty = self.turns(domain);
        scope.open_block();
        let local = self.declare_local(scope, name, ty, LocalKind::Bound);
        let body = self.expr(scope, body);
        scope.close_block();
        let is_bool = self.wants(Type::Bool, &body);
        if !is_bool || ty == Type::Error {
            return Expr { ty: Type::Bool, ..wrong(span) };
        }
        Expr { kind: ExprKind::Quantified(quantifier, local, Box::new(body)), ty: Type::Bool, span }
    }

    /// A type whose values are enumerated.
    pub(super) fn turns(&mut self, domain: &'a tree::Type) -> Type {
        let ty = self.resolve_type(domain);
        if let Type::Ref { object, .. } = ty
            && !self.has_objects(object, domain.span)
        {
            return Type::Error;
        }
        if let Type::Queue(_) = ty {
            let message = format!("{} cannot be iterated over", self.types.show(ty));
            self.error(codes::MISMATCH, domain.span, message).hint = Some("go through the type of its elements".into());
            return Type::Error;
        }
        let n_values = self.types.range(ty).count();
        if n_values > MAX_TURNS {
            let message = format!("this type has {n_values} values; {MAX_TURNS} at most can be iterated over");
            self.error(codes::TOO_LARGE, domain.span, message);
            return Type::Error;
        }
        ty
    }

    fn choose(&mut self, scope: &Scope, ty: &'a tree::Type, span: Span) -> Expr {
        if !self.may_choose(scope, span) {
            return wrong(span);
        }
        Expr { kind: ExprKind::Choose, ty: self.turns(ty), span }
    }

    /// Whether a thread or procedure is being checked; reports a choice elsewhere.
    pub(super) fn may_choose(&mut self, scope: &Scope, span: Span) -> bool {
        let may_choose = matches!(scope.place, Place::Proc(_) | Place::Thread);
        if !may_choose {
            self.error(codes::MISPLACED_CALL, span, "`choose` is a step, and a step is taken by threads only");
        }
        may_choose
    }

    /// Declares a local; reports a name that is taken.
    pub(super) fn declare_local(
        &mut self,
        scope: &mut Scope,
        name: &'a tree::Name,
        ty: Type,
        kind: LocalKind,
    ) -> crate::typed::LocalId {
        let mut ty = ty;
        if let Some(first) = scope.declared(&name.text) {
            ty = Type::Error;
            self.out.push(crate::names::duplicate(name, first, "a register, parameter or bound name"));
        } else if let Some(entry) = self.names.get(&name.text)
            && entry.decl.is_value()
        {
            ty = Type::Error;
            self.out.push(crate::names::duplicate(name, entry.span, entry.decl.what()));
        }
        let id = scope.declare(name, ty, kind);
        debug_assert_eq!(id.index() + 1, scope.locals.len());
        id
    }
}
