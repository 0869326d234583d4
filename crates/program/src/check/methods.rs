//! Memory operations on places: `p.load(acquire)`, `p.cas(a -> b, acq_rel)`.

use super::Checker;
use super::expressions::wrong;
use super::places::Target;
use super::scope::{self, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Access, Expr, ExprKind, Op, Place, SharedKind};
use crate::types::{Range, Type, Value};
use base::Span;
use memory::Order;
use syntax::tree::{self, Argument, Name};

/// How a method acts on memory, which decides the orders it may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Read,
    Write,
    Both,
}

/// Every method: its name, how it acts, and the values it takes.
const METHODS: &[(&str, Class, usize)] = &[
    ("load", Class::Read, 0),
    ("store", Class::Write, 1),
    ("cas", Class::Both, 2),
    ("cas_old", Class::Both, 2),
    ("swap", Class::Both, 1),
    ("fetch_add", Class::Both, 1),
    ("fetch_and", Class::Both, 1),
    ("fetch_or", Class::Both, 1),
    ("ll", Class::Read, 0),
    ("sc", Class::Write, 1),
];

impl<'a> Checker<'a> {
    pub(super) fn method(
        &mut self,
        scope: &mut Scope,
        place: &'a tree::Expr,
        name: &'a Name,
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        let place_span = place.span;
        let target = self.target(scope, place);
        let place = self.memory_place(target, place_span, name);
        let Some((_, class, n_values)) = METHODS.iter().find(|m| m.0 == name.text) else {
            let known: Vec<&str> = METHODS.iter().map(|m| m.0).collect();
            self.unknown(codes::UNKNOWN_METHOD, name, "memory operation", &known);
            return wrong(span);
        };
        if scope.place == scope::Place::Property {
            let message = "a property looks at a state and does nothing to it";
            self.error(codes::MISPLACED_CALL, name.span, message).hint =
                Some("name the cell alone for its value".into());
            return wrong(span);
        }
        let cell = place.as_ref().map_or(Type::Error, |p| p.ty);
        let is_fetch = name.text.starts_with("fetch");
        let operand = if is_fetch { Type::Int(Range::new(Value::MIN, Value::MAX)) } else { cell };
        let Some((values, orders)) = self.method_values(scope, name, *n_values, arguments, operand) else {
            return wrong(span);
        };
        let (order, failure_order) = self.orders(name, *class, orders);
        let (Some(op), Some(place)) = (operation(&name.text, values), place) else { return wrong(span) };
        if is_fetch && !matches!(cell, Type::Int(_) | Type::Error) {
            let message = format!("`{}` is for numbers, and this is {}", name.text, self.types.show(cell));
            self.error(codes::MISMATCH, place_span, message);
        }
        let ty = result_type(&op, cell);
        Expr { kind: ExprKind::Access(Box::new(Access { op, place, order, failure_order })), ty, span }
    }

    /// The memory cell that a method acts on.
    fn memory_place(&mut self, target: Target, span: Span, name: &Name) -> Option<Place> {
        match target {
            Target::Place(place) if place.kind == SharedKind::Cell => Some(place),
            Target::Place(_) => {
                let message = format!("`{}` is for memory, and this is abstract state", name.text);
                self.error(codes::NOT_MEMORY, span, message).hint =
                    Some("read and write it directly, in `atomic { .. }` if in one step".into());
                None
            }
            Target::Array { element, index, declared } => {
                self.unindexed(&element, index, declared);
                None
            }
            Target::Value(value) if value.ty == Type::Error => None,
            Target::Value(value) => {
                let is_part = matches!(value.kind, ExprKind::Part(..));
                let message = format!(
                    "`{}` is for memory cells, and this is {}",
                    name.text,
                    if is_part { "a part of a word" } else { "a value" }
                );
                let hint = is_part.then(|| "act on the whole word".to_string());
                self.error(codes::NOT_MEMORY, span, message).hint = hint;
                None
            }
        }
    }

    /// The values among the arguments, checked against the cell's type; and the rest, which are orders.
    fn method_values(
        &mut self,
        scope: &mut Scope,
        name: &Name,
        n_values: usize,
        arguments: &'a [Argument],
        cell: Type,
    ) -> Option<(Vec<Expr>, &'a [Argument])> {
        match (n_values, arguments) {
            (2, [Argument::Exchange(a, b), orders @ ..]) => {
                let values = vec![self.expr_for(scope, a, cell), self.expr_for(scope, b, cell)];
                Some((values, orders))
            }
            // The parser has already reported the missing `old -> new`.
            (2, _) => None,
            (1, [Argument::Expr(value), orders @ ..]) => Some((vec![self.expr_for(scope, value, cell)], orders)),
            (1, []) => {
                let message = format!("`{}` needs a value", name.text);
                self.error(codes::ARGUMENTS, name.span, message);
                None
            }
            (1, [Argument::Exchange(a, b), ..]) => {
                let message = format!("`->` is for `cas` and `cas_old`, not `{}`", name.text);
                self.error(codes::MISPLACED_EXCHANGE, a.span.to(b.span), message);
                None
            }
            _ => Some((Vec::new(), arguments)),
        }
    }

    /// The orders given: the first, and for a CAS the one on failure.
    fn orders(&mut self, name: &Name, class: Class, arguments: &'a [Argument]) -> (Order, Order) {
        let is_cas = name.text.starts_with("cas");
        let allowed = if is_cas { 2 } else { 1 };
        if let Some(extra) = arguments.get(allowed) {
            let message = format!("`{}` has {allowed} order{} at most", name.text, if is_cas { "s" } else { "" });
            self.error(codes::ARGUMENTS, argument_span(extra), message);
        }
        let order = arguments.first().and_then(|a| self.order(name, class, a)).unwrap_or_default();
        let on_failure = match order {
            _ if !is_cas => Order::Relaxed,
            Order::AcqRel => Order::Acquire,
            Order::Release => Order::Relaxed,
            other => other,
        };
        let failure = arguments.get(1).filter(|_| is_cas);
        (order, failure.and_then(|a| self.order(name, Class::Read, a)).unwrap_or(on_failure))
    }

    /// One order: a word, or a flag whose word is one.
    fn order(&mut self, method: &Name, class: Class, argument: &'a Argument) -> Option<Order> {
        let Argument::Expr(tree::Expr { kind: tree::ExprKind::Name(name), .. }) = argument else {
            let span = argument_span(argument);
            let hint = "orders are `relaxed`, `acquire`, `release`, `acq_rel` and `seq_cst`";
            self.error(codes::UNKNOWN_ORDER, span, "a memory order is wanted here").hint = Some(hint.into());
            return None;
        };
        let is_flag = matches!(self.names.get(&name.text).map(|e| e.decl), Some(Decl::Flag(..)));
        let word = if is_flag { self.flag_word(&name.text)? } else { &name.text };
        let Some(order) = Order::from_name(word) else {
            let known = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
            let word = Name { text: word.to_string(), span: name.span };
            self.unknown(codes::UNKNOWN_ORDER, &word, "memory order", &known);
            return None;
        };
        let reason = match (class, order) {
            (Class::Read, Order::Release | Order::AcqRel) => "a load writes nothing that could be released",
            (Class::Write, Order::Acquire | Order::AcqRel) => "a store reads nothing that could be acquired",
            _ => return Some(order),
        };
        let message = format!("`{}` cannot be `{}`: {reason}", method.text, order.name());
        let hint = if class == Class::Read {
            "use `acquire` or `seq_cst`; or put a `fence release` before it"
        } else {
            "use `release` or `seq_cst`; or put a `fence acquire` after it"
        };
        self.error(codes::MISPLACED_ORDER, name.span, message).hint = Some(hint.into());
        None
    }
}

fn argument_span(argument: &Argument) -> Span {
    match argument {
        Argument::Expr(expr) => expr.span,
        Argument::Exchange(a, b) => a.span.to(b.span),
    }
}

fn operation(name: &str, values: Vec<Expr>) -> Option<Op> {
    let mut values = values.into_iter();
    Some(match name {
        "load" => Op::Load,
        "ll" => Op::LoadLinked,
        "store" => Op::Store(values.next()?),
        "cas" => Op::Cas(values.next()?, values.next()?),
        "cas_old" => Op::CasOld(values.next()?, values.next()?),
        "swap" => Op::Swap(values.next()?),
        "fetch_add" => Op::FetchAdd(values.next()?),
        "fetch_and" => Op::FetchAnd(values.next()?),
        "fetch_or" => Op::FetchOr(values.next()?),
        "sc" => Op::StoreConditional(values.next()?),
        _ => return None,
    })
}

/// The type of the result; a store has none, which is found out where a value is wanted.
fn result_type(op: &Op, cell: Type) -> Type {
    match op {
        Op::Cas(..) | Op::StoreConditional(_) => Type::Bool,
        _ => cell,
    }
}
