//! Queues: their types, `push`, `pop`, `top`, and whether something is in one. The empty queue is `{}`.

use super::Checker;
use super::expressions::wrong;
use super::scope::Scope;
use crate::codes;
use crate::queues::{MAX_BITS, Queue};
use crate::typed::{BinaryOp, Expr, ExprKind};
use crate::types::{Range, Type, Value};
use base::Span;
use syntax::tree;

impl<'a> Checker<'a> {
    /// `queue T of N`
    pub(super) fn queue_type(&mut self, element: &'a tree::Type, length: &'a tree::Expr) -> Type {
        let ty = self.resolve_type(element);
        let n_elements = self.constant_number(length);
        if let Type::Ref { object, is_optional: false } = ty
            && !self.has_objects(object, element.span)
        {
            return Type::Error;
        }
        let Some(n_elements) = n_elements.filter(|_| ty != Type::Error) else { return Type::Error };
        let is_element = matches!(ty, Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Ref { is_optional: false, .. });
        if !is_element {
            let message = format!("{} cannot be an element of a queue", self.types.show(ty));
            self.error(codes::QUEUE_ELEMENT, element.span, message).hint =
                Some("elements are numbers, `bool`, values of an enum, references and thread indices".into());
            return Type::Error;
        }
        let Some(n_elements) = u32::try_from(n_elements).ok().filter(|n| *n > 0) else {
            self.error(codes::QUEUE_ELEMENT, length.span, "a queue has room for at least one element").hint =
                Some("write how many elements it can have: `queue Node of 3`".into());
            return Type::Error;
        };
        let bits = Queue { element: ty, range: self.types.range(ty), length: n_elements }.bits();
        if bits > MAX_BITS {
            let message = format!("a queue of {n_elements} such elements has {bits} bits; {MAX_BITS} are the most");
            self.error(codes::QUEUE_ELEMENT, length.span, message).hint =
                Some("use a shorter queue, or a smaller type".into());
            return Type::Error;
        }
        self.types.queue_of(ty, n_elements)
    }

    /// `{}` where a queue is wanted.
    pub(super) fn empty_queue(&mut self, ty: Type, elements: &'a [tree::Expr], span: Span) -> Expr {
        if !elements.is_empty() {
            self.error(codes::MISMATCH, span, "elements in braces are a set, and a queue is wanted here").hint =
                Some("begin with the empty queue: `push({}, a)`".into());
            return wrong(span);
        }
        Expr { kind: ExprKind::Const(0), ty, span }
    }

    /// `push(q, x)`
    pub(super) fn push(
        &mut self,
        scope: &mut Scope,
        arguments: &'a [tree::Expr],
        wanted: Option<Type>,
        span: Span,
    ) -> Expr {
        let [queue, element] = arguments else { return self.wants_arguments("push(q, x)", 2, arguments.len(), span) };
        let queue = self.expr_like(scope, queue, wanted);
        let Some(kind) = self.wants_queue("push(q, x)", &queue) else {
            self.expr(scope, element);
            return wrong(span);
        };
        let element = self.expr_of(scope, element, kind.element);
        let ty = queue.ty;
        let kind = match (queue.constant(), element.constant()) {
            (Some(held), Some(value)) => match kind.push(held, value) {
                Some(longer) => ExprKind::Const(longer),
                None if scope.dead > 0 || element.ty == Type::Error => ExprKind::Const(held),
                None => {
                    let message = format!("{} is full", self.types.show_value(queue.ty, held));
                    self.error(codes::OUT_OF_RANGE, span, message).hint = Some("declare a longer queue".into());
                    return wrong(span);
                }
            },
            _ => ExprKind::Push(Box::new(queue), Box::new(element)),
        };
        Expr { kind, ty, span }
    }

    /// `pop(q)`
    pub(super) fn pop(
        &mut self,
        scope: &mut Scope,
        arguments: &'a [tree::Expr],
        wanted: Option<Type>,
        span: Span,
    ) -> Expr {
        let [queue] = arguments else { return self.wants_arguments("pop(q)", 1, arguments.len(), span) };
        let queue = self.expr_like(scope, queue, wanted);
        let Some(kind) = self.wants_queue("pop(q)", &queue) else { return wrong(span) };
        let ty = queue.ty;
        let kind = match queue.constant() {
            Some(held) => ExprKind::Const(held >> kind.width()),
            None => ExprKind::Pop(Box::new(queue)),
        };
        Expr { kind, ty, span }
    }

    /// `top(q)`
    pub(super) fn top(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let [queue] = arguments else { return self.wants_arguments("top(q)", 1, arguments.len(), span) };
        let queue = self.expr(scope, queue);
        let Some(kind) = self.wants_queue("top(q)", &queue) else { return wrong(span) };
        let oldest = queue.constant().map(|held| kind.elements(held).and_then(|all| all.first().copied()));
        let ty = kind.element;
        match oldest {
            None => Expr { kind: ExprKind::Top(Box::new(queue)), ty, span },
            Some(Some(oldest)) => Expr { kind: ExprKind::Const(oldest), ty, span },
            Some(None) => {
                self.error(codes::OUT_OF_RANGE, span, "the empty queue has no oldest element");
                wrong(span)
            }
        }
    }

    /// `x in q`
    pub(super) fn in_queue(&mut self, kind: Queue, element: Expr, queue: Expr, span: Span) -> Expr {
        if element.ty == Type::Error {
            return wrong(span);
        }
        if !kind.element.accepts(element.ty) {
            let (wanted, found) = (self.types.show(kind.element), self.types.show(element.ty));
            let message = format!("the elements of this queue are {wanted}, and this is {found}");
            self.error(codes::MISMATCH, element.span, message);
            return wrong(span);
        }
        let kind = match (queue.constant().and_then(|held| kind.elements(held)), element.constant()) {
            (Some(held), Some(value)) => ExprKind::Const(Value::from(held.contains(&value))),
            _ => ExprKind::Binary(BinaryOp::In, Box::new(element), Box::new(queue)),
        };
        Expr { kind, ty: Type::Bool, span }
    }

    /// `size(q)`
    pub(super) fn queue_size(&mut self, kind: Queue, queue: &Expr, span: Span) -> Expr {
        let (kind, range) = match queue.constant().and_then(|held| kind.elements(held)) {
            Some(elements) => {
                let n = elements.len() as Value;
                (ExprKind::Const(n), Range::new(n, n))
            }
            None => (ExprKind::Size(Box::new(queue.clone())), Range::new(0, kind.length as Value)),
        };
        Expr { kind, ty: Type::Int(range), span }
    }

    fn wants_arguments(&mut self, what: &str, wanted: usize, n_given: usize, span: Span) -> Expr {
        let message =
            format!("`{what}` has {wanted} argument{}, and {n_given} are given", if wanted == 1 { "" } else { "s" });
        self.error(codes::ARGUMENTS, span, message);
        wrong(span)
    }

    /// The queue type of an operand that must be a queue.
    fn wants_queue(&mut self, what: &str, found: &Expr) -> Option<Queue> {
        let queue = self.types.queue(found.ty);
        if queue.is_none() && found.ty != Type::Error {
            let message = format!("`{what}` is for a queue, and this is {}", self.types.show(found.ty));
            self.error(codes::MISMATCH, found.span, message).hint =
                Some("a queue is a variable of type `queue T of N`".into());
        }
        queue
    }
}
