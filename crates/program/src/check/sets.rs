//! Sets: their types, `{a, b}`, the words between them, `size`, and any element of one.
//!
//! `{a, b}` is the empty set with `a` and with `b`: no typed expression of its own is needed.

use super::Checker;
use super::expressions::wrong;
use super::scope::Scope;
use crate::codes;
use crate::typed::{BinaryOp, Expr, ExprKind};
use crate::types::{Range, Type, Value};
use base::Span;
use syntax::tree;

/// Values that the element type of a set may have: a set is one value of 32 bits, with a sign.
const MAX_ELEMENTS: u64 = 30;
/// Elements that may be written between two braces.
const MAX_WRITTEN: usize = 64;

/// Whether an expression is a set in braces (or a queue made from `{}`), whose type may have to be found elsewhere.
pub(super) fn is_set(expr: &tree::Expr) -> bool {
    match &expr.kind {
        tree::ExprKind::Set(_) => true,
        tree::ExprKind::If { then, otherwise, .. } => is_set(then) && is_set(otherwise),
        tree::ExprKind::Call(name, arguments) if matches!(name.text.as_str(), "push" | "pop") => {
            arguments.first().is_some_and(is_set)
        }
        _ => false,
    }
}

impl<'a> Checker<'a> {
    /// `set T`
    pub(super) fn set_type(&mut self, element: &'a tree::Type) -> Type {
        let ty = self.resolve_type(element);
        if let Type::Ref { object, is_optional: false } = ty
            && !self.has_objects(object, element.span)
        {
            return Type::Error;
        }
        self.set_of(ty, element.span)
    }

    /// The type of sets of such elements; reports what can be no element.
    fn set_of(&mut self, element: Type, span: Span) -> Type {
        let (message, hint) = match element {
            Type::Error => return Type::Error,
            Type::Ref { object, is_optional: true } => {
                let name = &self.types.objects[object].name;
                ("`null` cannot be an element of a set".to_string(), format!("write `set {name}`"))
            }
            Type::Word(_) | Type::Set(_) | Type::Queue(_) | Type::Null => {
                let message = format!("{} cannot be an element of a set", self.types.show(element));
                (message, "elements are numbers, `bool`, values of an enum, references and thread indices".into())
            }
            _ => match self.types.range(element).count() {
                n if n > MAX_ELEMENTS => (
                    format!("this type has {n} values; the elements of a set can have {MAX_ELEMENTS}"),
                    "use a smaller type, or an array `abstract is_in[T]: bool = false`".into(),
                ),
                _ => return self.types.set_of(element),
            },
        };
        self.error(codes::SET_ELEMENT, span, message).hint = Some(hint);
        Type::Error
    }

    /// Reports a set or queue as the type of memory, which `what` is.
    pub(super) fn not_a_set(&mut self, ty: Type, span: Span, what: &str) -> Type {
        let kind = match ty {
            Type::Set(_) => "set",
            Type::Queue(_) => "queue",
            _ => return ty,
        };
        let message = format!("{what} holds one word of memory, and a {kind} is none");
        let hint = match kind {
            "set" => "make it `abstract` or `ghost`; in memory, a set is an array of `bool` or a linked list",
            _ => "make it `abstract` or `ghost`; in memory, a queue is an array or a linked list",
        };
        self.error(codes::SET_IN_MEMORY, span, message).hint = Some(hint.into());
        Type::Error
    }

    /// `{a, b}`
    pub(super) fn set(
        &mut self,
        scope: &mut Scope,
        elements: &'a [tree::Expr],
        wanted: Option<Type>,
        span: Span,
    ) -> Expr {
        if let Some(ty @ Type::Queue(_)) = wanted {
            return self.empty_queue(ty, elements, span);
        }
        let typed: Vec<Expr> = elements.iter().map(|element| self.expr(scope, element)).collect();
        let ty = match wanted {
            Some(wanted @ (Type::Set(_) | Type::Error)) => wanted,
            _ => self.set_of_elements(&typed, span),
        };
        if ty == Type::Error {
            return wrong(span);
        }
        if typed.len() > MAX_WRITTEN {
            let message = format!("{} elements are written here; {MAX_WRITTEN} are the most", typed.len());
            self.error(codes::TOO_LARGE, span, message).hint = Some("write fewer, or join sets with `union`".into());
            return wrong(span);
        }
        let empty = Expr { kind: ExprKind::Const(0), ty, span };
        typed.into_iter().fold(empty, |set, element| self.joined(scope, BinaryOp::With, set, element, span))
    }

    /// The type of a set with these elements, where nothing else says it.
    fn set_of_elements(&mut self, elements: &[Expr], span: Span) -> Type {
        let mut common: Option<Type> = None;
        for element in elements {
            common = Some(match (common, element.ty) {
                (_, Type::Error) => return Type::Error,
                (Some(Type::Int(a)), Type::Int(b)) => Type::Int(Range::new(a.low.min(b.low), a.high.max(b.high))),
                (Some(Type::Null) | None, Type::Ref { object, .. }) => Type::Ref { object, is_optional: false },
                (None, ty) => ty,
                (Some(common), _) => common,
            });
        }
        match common {
            Some(element) if element != Type::Null => self.set_of(element, span),
            _ => {
                let message = "the type of this set is not known: nothing says what its elements could be";
                self.error(codes::UNKNOWN_SET, span, message).hint =
                    Some("write the type: `let s: set Node = {}`".into());
                Type::Error
            }
        }
    }

    /// `x in s`, `s with x`, `s without x`, `s union t`, `s minus t`
    pub(super) fn set_operator(
        &mut self,
        scope: &mut Scope,
        op: BinaryOp,
        (left, right): (&'a tree::Expr, &'a tree::Expr),
        wanted: Option<Type>,
        span: Span,
    ) -> Expr {
        let (left, right) = match op {
            BinaryOp::In => (self.expr(scope, left), self.expr(scope, right)),
            BinaryOp::With | BinaryOp::Without => (self.expr_like(scope, left, wanted), self.expr(scope, right)),
            _ => self.alike(scope, (left, right), wanted),
        };
        self.joined(scope, op, left, right, span)
    }

    /// `s == {a}`: the type of the one is that of the other.
    pub(super) fn set_comparison(
        &mut self,
        scope: &mut Scope,
        op: BinaryOp,
        (left, right): (&'a tree::Expr, &'a tree::Expr),
        span: Span,
    ) -> Expr {
        let (left, right) = self.alike(scope, (left, right), None);
        let ty = self.binary_type(scope, op, &left, &right).unwrap_or(Type::Error);
        let kind = match (left.constant(), right.constant()) {
            (Some(a), Some(b)) => ExprKind::Const(Value::from((a == b) == (op == BinaryOp::Equal))),
            _ => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty, span }
    }

    /// Two operands of one type, which either of them may tell.
    fn alike(
        &mut self,
        scope: &mut Scope,
        (left, right): (&'a tree::Expr, &'a tree::Expr),
        wanted: Option<Type>,
    ) -> (Expr, Expr) {
        if wanted.is_none() && is_set(left) && !is_set(right) {
            let right = self.expr(scope, right);
            return (self.expr_like(scope, left, Some(right.ty)), right);
        }
        let left = self.expr_like(scope, left, wanted);
        let right = self.expr_like(scope, right, Some(left.ty));
        (left, right)
    }

    /// One of the words on two typed operands.
    fn joined(&mut self, scope: &Scope, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (BinaryOp::In, Some(queue)) = (op, self.types.queue(right.ty)) {
            return self.in_queue(queue, left, right, span);
        }
        let (set, other) = if op == BinaryOp::In { (&right, &left) } else { (&left, &right) };
        let Some(element) = self.wants_set(op, set) else { return wrong(span) };
        let is_right = match op {
            BinaryOp::Union | BinaryOp::Minus => self.wants_like(op, set, other, element),
            _ => self.wants_element(scope, op, other, element),
        };
        if !is_right {
            return wrong(span);
        }
        let ty = if op == BinaryOp::In { Type::Bool } else { set.ty };
        let kind = match (set.constant(), other.constant()) {
            (Some(set), Some(other)) => ExprKind::Const(fold(op, set, other, self.types.range(element))),
            _ => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty, span }
    }

    /// The element type of an operand that must be a set.
    fn wants_set(&mut self, op: BinaryOp, set: &Expr) -> Option<Type> {
        if set.ty == Type::Error {
            return None;
        }
        let element = self.types.element(set.ty);
        if element.is_none() {
            let side = if op == BinaryOp::In { "right" } else { "left" };
            let message =
                format!("on the {side} of `{}` stands a set, and this is {}", op.symbol(), self.types.show(set.ty));
            self.error(codes::MISMATCH, set.span, message).hint =
                Some("a set is `{a, b}`, or a variable of type `set T`".into());
        }
        element
    }

    /// Whether the right operand of `union` or `minus` is a set like the left; reports it if not.
    fn wants_like(&mut self, op: BinaryOp, set: &Expr, other: &Expr, element: Type) -> bool {
        if other.ty == Type::Error || set.ty == other.ty {
            return other.ty != Type::Error;
        }
        let (wanted, found) = (self.types.show(set.ty), self.types.show(other.ty));
        let word = if op == BinaryOp::Union { "with" } else { "without" };
        let hint = element.accepts(other.ty).then(|| format!("for one element write `{word}`"));
        let message = format!("`{}` takes two sets of one type: {wanted} is wanted here, not {found}", op.symbol());
        self.error(codes::MISMATCH, other.span, message).hint = hint;
        false
    }

    /// Whether an operand may be an element; reports it if not.
    fn wants_element(&mut self, scope: &Scope, op: BinaryOp, other: &Expr, element: Type) -> bool {
        if other.ty == Type::Error {
            return false;
        }
        if let ExprKind::Choose = other.kind
            && op == BinaryOp::In
        {
            self.error(codes::MISMATCH, other.span, "this asks whether any value at all is in the set").hint =
                Some("any element of the set `s` is `choose in s`".into());
            return false;
        }
        if !element.accepts(other.ty) {
            let (wanted, found) = (self.types.show(element), self.types.show(other.ty));
            let is_same = self.types.element(other.ty) == Some(element);
            let hint = match (op, is_same) {
                (BinaryOp::With, true) => Some("to join two sets write `union`".to_string()),
                (BinaryOp::Without, true) => Some("to take away a set write `minus`".into()),
                (BinaryOp::In, true) => Some("every element of `s` is in `t` if `s minus t == {}`".into()),
                _ => None,
            };
            let message = format!("the elements of this set are {wanted}, and this is {found}");
            self.error(codes::MISMATCH, other.span, message).hint = hint;
            return false;
        }
        let range = self.types.range(element);
        if op == BinaryOp::With
            && scope.dead == 0
            && let Some(value) = other.constant().filter(|v| !range.contains(*v))
        {
            let shown = self.types.show_value(other.ty, value);
            let message = format!("{shown} cannot be in this set: its elements are {}", self.types.show(element));
            let hint = match element {
                Type::Ref { .. } => "a set of references holds objects only: leave out `null`",
                _ => "widen the type of the elements",
            };
            self.error(codes::OUT_OF_RANGE, other.span, message).hint = Some(hint.into());
        }
        true
    }

    /// `size(s)`
    pub(super) fn size(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let typed: Vec<Expr> = arguments.iter().map(|argument| self.expr(scope, argument)).collect();
        let [set] = typed.as_slice() else {
            self.error(codes::ARGUMENTS, span, format!("`size` takes 1 set, and {} are given", typed.len()));
            return wrong(span);
        };
        if let Some(queue) = self.types.queue(set.ty) {
            return self.queue_size(queue, set, span);
        }
        let Some(element) = self.types.element(set.ty) else {
            self.wants_set_for("size(s)", set);
            return wrong(span);
        };
        let most = self.types.range(element).count() as Value;
        let (kind, range) = match set.constant() {
            Some(mask) => {
                let n = mask.count_ones() as Value;
                (ExprKind::Const(n), Range::new(n, n))
            }
            None => (ExprKind::Size(Box::new(set.clone())), Range::new(0, most)),
        };
        Expr { kind, ty: Type::Int(range), span }
    }

    /// `every T`
    pub(super) fn every(&mut self, element: &'a tree::Type, span: Span) -> Expr {
        let ty = self.set_type(element);
        match self.types.element(ty) {
            Some(element) => {
                let all = (1 << self.types.range(element).count()) - 1;
                Expr { kind: ExprKind::Const(all), ty, span }
            }
            None => wrong(span),
        }
    }

    /// `choose in s`
    pub(super) fn choose_in(&mut self, scope: &mut Scope, set: &'a tree::Expr, span: Span) -> Expr {
        let set = self.expr(scope, set);
        if !self.may_choose(scope, span) {
            return wrong(span);
        }
        match self.types.element(set.ty) {
            Some(ty) => Expr { kind: ExprKind::ChooseIn(Box::new(set)), ty, span },
            None => {
                self.wants_set_for("choose in s", &set);
                wrong(span)
            }
        }
    }

    /// Reports something else than a set in `what`.
    fn wants_set_for(&mut self, what: &str, found: &Expr) {
        if found.ty != Type::Error {
            let message = format!("`{what}` is for a set, and this is {}", self.types.show(found.ty));
            self.error(codes::MISMATCH, found.span, message).hint =
                Some("a set is `{a, b}`, or a variable of type `set T`".into());
        }
    }
}

/// The result of one of the words on constants; what is no element has no bit.
fn fold(op: BinaryOp, set: Value, other: Value, range: Range) -> Value {
    let bit = if range.contains(other) { 1 << (other - range.low) } else { 0 };
    match op {
        BinaryOp::In => Value::from(set & bit != 0),
        BinaryOp::With => set | bit,
        BinaryOp::Without => set & !bit,
        BinaryOp::Union => set | other,
        _ => set & !other,
    }
}
