//! Expressions and types as text, with the parentheses that the tree needs and those the source had.

use super::Printer;
use super::flow::{BRACKET, Flow};
use crate::parser::operator::{COMPARISON, LOOSEST, NEGATE, NOT, RANGE_END, SET, UNTIL, binding};
use crate::tree::{
    Argument, BinaryOp, Expr, ExprKind, LabelPart, LabelPattern, Quantifier, TemporalOp, Type, TypeKind, UnaryOp,
};

/// What stands around an expression.
#[derive(Clone, Copy)]
struct Context {
    /// Operators looser than this need parentheses.
    least: u8,
    /// Whether nothing follows that the expression could swallow.
    rightmost: bool,
    /// Whether parentheses of the source are kept.
    operand: bool,
    /// Whether arithmetic is written without spaces, as in the ends of a range.
    tight: bool,
    /// The depth of line breaks.
    depth: u32,
}

const WHOLE: Context = Context { least: LOOSEST, rightmost: true, operand: false, tight: false, depth: 0 };
/// Binds tighter than every operator: what may stand before `.`, `[` or `(`.
const POSTFIX: u8 = NEGATE + 1;

impl Printer<'_> {
    /// Appends an expression that nothing stands around.
    pub(super) fn expr(&self, flow: &mut Flow, expr: &Expr) {
        self.write(flow, expr, WHOLE);
    }

    pub(super) fn ty(&self, flow: &mut Flow, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool => flow.push("bool"),
            TypeKind::Named(name) => flow.push(&name.text),
            TypeKind::Optional(name) => {
                flow.push(&name.text);
                flow.push("?");
            }
            TypeKind::Range(first, last) => {
                let context = Context { least: RANGE_END, operand: true, tight: true, ..WHOLE };
                self.write(flow, first, Context { rightmost: false, ..context });
                flow.push("..");
                self.write(flow, last, context);
            }
            TypeKind::Set(element) => {
                flow.push("set ");
                self.ty(flow, element);
            }
            TypeKind::Queue(element, length) => {
                flow.push("queue ");
                self.ty(flow, element);
                flow.push(" of ");
                let context = Context { least: RANGE_END, operand: true, tight: true, ..WHOLE };
                self.write(flow, length, context);
            }
            TypeKind::Error => flow.push("<error>"),
        }
    }

    fn write(&self, flow: &mut Flow, expr: &Expr, context: Context) {
        if self.needs_parentheses(expr, context) {
            flow.push("(");
            self.bare(flow, expr, Context { tight: context.tight, depth: context.depth + BRACKET, ..WHOLE });
            flow.push(")");
        } else {
            self.bare(flow, expr, context);
        }
    }

    fn needs_parentheses(&self, expr: &Expr, context: Context) -> bool {
        let needed = match &expr.kind {
            ExprKind::Binary(op, ..) => binding(*op) < context.least,
            ExprKind::Temporal(_, operands) if operands.len() > 1 => UNTIL < context.least,
            ExprKind::Temporal(..) | ExprKind::Unary(UnaryOp::Not, _) => NOT < context.least,
            ExprKind::Unary(UnaryOp::Negate, _) => NEGATE < context.least,
            ExprKind::Quantified { .. } | ExprKind::If { .. } | ExprKind::Choose(_) | ExprKind::ChooseIn(_) => {
                !context.rightmost || context.least == POSTFIX
            }
            // A `{` would end the type.
            ExprKind::Set(_) => return context.tight && context.least >= RANGE_END,
            _ => return false,
        };
        let kept = context.operand && self.layout.as_ref().is_some_and(|layout| layout.has_parentheses(expr.span));
        needed || kept
    }

    fn bare(&self, flow: &mut Flow, expr: &Expr, context: Context) {
        match &expr.kind {
            ExprKind::Int(value) => flow.push(&value.to_string()),
            ExprKind::Bool(value) => flow.push(if *value { "true" } else { "false" }),
            ExprKind::Null => flow.push("null"),
            ExprKind::SelfIndex => flow.push("self"),
            ExprKind::Name(name) => flow.push(&name.text),
            ExprKind::Error => flow.push("<error>"),
            ExprKind::Field(base, name) => {
                self.write(flow, base, postfix(context));
                flow.push(".");
                flow.push(&name.text);
            }
            ExprKind::Index(base, index) => {
                self.write(flow, base, postfix(context));
                flow.push("[");
                self.write(flow, index, inside(context));
                flow.push("]");
            }
            ExprKind::Call(name, arguments) => {
                flow.push(&name.text);
                self.elements(flow, ("(", ")"), arguments, context);
            }
            ExprKind::Method { place, name, arguments } => {
                self.write(flow, place, postfix(context));
                flow.push(".");
                flow.push(&name.text);
                self.arguments(flow, ("(", ")"), arguments.iter(), context, |flow, argument, inner| {
                    self.argument(flow, argument, inner)
                });
            }
            ExprKind::Unary(op, operand) => self.unary(flow, *op, operand, context),
            ExprKind::Binary(op, left, right) => self.binary(flow, *op, left, right, context),
            ExprKind::Temporal(op, operands) => self.temporal(flow, *op, operands, context),
            ExprKind::Quantified { quantifier, name, domain, body } => {
                flow.push(if *quantifier == Quantifier::All { "all " } else { "exists " });
                flow.push(&name.text);
                flow.push(" in ");
                self.ty(flow, domain);
                flow.push(":");
                let inner = inside(context);
                match body.kind {
                    ExprKind::Quantified { .. } => flow.push(" "),
                    _ => flow.space(inner.depth),
                }
                self.write(flow, body, inner);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.conditional(flow, (condition, then, otherwise), context)
            }
            ExprKind::Choose(ty) => {
                flow.push("choose ");
                self.ty(flow, ty);
            }
            ExprKind::Every(ty) => {
                flow.push("every ");
                self.ty(flow, ty);
            }
            ExprKind::ChooseIn(set) => {
                flow.push("choose in ");
                self.write(flow, set, Context { least: SET, operand: true, ..context });
            }
            ExprKind::Set(elements) => self.elements(flow, ("{", "}"), elements, context),
            ExprKind::List(elements) => self.elements(flow, ("[", "]"), elements, context),
            ExprKind::At { thread, labels } => {
                flow.push("at(");
                self.write(flow, thread, inside(context));
                for label in labels {
                    flow.push(",");
                    flow.space(context.depth + BRACKET);
                    flow.push(&pattern(label));
                }
                flow.push(")");
            }
        }
    }

    /// `if c then a else b`; of a long one, every `else` begins its line, also that of an `else if`.
    fn conditional(&self, flow: &mut Flow, (condition, then, otherwise): (&Expr, &Expr, &Expr), context: Context) {
        let list = inside(context);
        let part = inside(list);
        flow.push("if ");
        self.write(flow, condition, part);
        flow.push(" then ");
        self.write(flow, then, part);
        flow.space(list.depth + u32::from(binding(BinaryOp::Or)));
        flow.push("else ");
        let depth = if matches!(otherwise.kind, ExprKind::If { .. }) { context.depth } else { part.depth };
        self.write(flow, otherwise, Context { least: LOOSEST, depth, ..context });
    }

    fn unary(&self, flow: &mut Flow, op: UnaryOp, operand: &Expr, context: Context) {
        let (text, least) = match op {
            UnaryOp::Not => ("not ", NOT),
            UnaryOp::Negate => ("-", NEGATE),
        };
        flow.push(text);
        self.write(flow, operand, Context { least, operand: true, ..context });
    }

    fn binary(&self, flow: &mut Flow, op: BinaryOp, left: &Expr, right: &Expr, context: Context) {
        let level = binding(op);
        let (least_left, least_right) = match op {
            BinaryOp::Implies => (level + 1, level),
            _ if level == COMPARISON => (level + 1, level + 1),
            _ => (level, level + 1),
        };
        let tight = context.tight && level >= binding(BinaryOp::Add);
        self.write(flow, left, Context { least: least_left, rightmost: false, operand: true, ..context });
        if tight {
            flow.push(op.symbol());
        } else if matches!(op, BinaryOp::And | BinaryOp::Or) {
            // Of a long list, every part but the first begins its line with the operator.
            flow.space(context.depth + u32::from(level));
            flow.push(op.symbol());
            flow.push(" ");
        } else {
            flow.push(" ");
            flow.push(op.symbol());
            flow.space(context.depth + u32::from(level));
        }
        self.write(flow, right, Context { least: least_right, operand: true, ..context });
    }

    /// `always a`, `a until b`
    fn temporal(&self, flow: &mut Flow, op: TemporalOp, operands: &[Expr], context: Context) {
        let Some((last, before)) = operands.split_last() else { return };
        for left in before {
            self.write(flow, left, Context { least: UNTIL + 1, rightmost: false, operand: true, ..context });
            flow.push(" ");
        }
        flow.push(op.word());
        if before.is_empty() {
            flow.push(" ");
            self.write(flow, last, Context { least: NOT, operand: true, ..context });
        } else {
            flow.space(context.depth + u32::from(UNTIL));
            self.write(flow, last, Context { least: UNTIL, operand: true, ..context });
        }
    }

    /// `(a, b)`, or between other brackets.
    fn arguments<T>(
        &self,
        flow: &mut Flow,
        (open, close): (&str, &str),
        entries: impl Iterator<Item = T>,
        context: Context,
        write: impl Fn(&mut Flow, T, Context),
    ) {
        flow.push(open);
        for (idx, entry) in entries.enumerate() {
            if idx > 0 {
                flow.push(",");
                flow.space(context.depth + BRACKET);
            }
            write(flow, entry, inside(context));
        }
        flow.push(close);
    }

    fn elements(&self, flow: &mut Flow, brackets: (&str, &str), elements: &[Expr], context: Context) {
        self.arguments(flow, brackets, elements.iter(), context, |flow, element, inner| {
            self.write(flow, element, inner)
        });
    }

    fn argument(&self, flow: &mut Flow, argument: &Argument, context: Context) {
        match argument {
            Argument::Expr(expr) => self.write(flow, expr, context),
            Argument::Exchange(old, new) => {
                self.write(flow, old, context);
                flow.push(" -> ");
                self.write(flow, new, context);
            }
        }
    }
}

/// `label`, `lab*` or `*el`
pub(super) fn pattern(label: &LabelPattern) -> String {
    match label.part {
        LabelPart::Whole => label.name.text.clone(),
        LabelPart::Beginning => format!("{}*", label.name.text),
        LabelPart::End => format!("*{}", label.name.text),
    }
}

/// What stands before `.`, `[` or `(`.
fn postfix(context: Context) -> Context {
    Context { least: POSTFIX, rightmost: false, operand: false, ..context }
}

/// What stands inside brackets.
fn inside(context: Context) -> Context {
    Context { depth: context.depth + BRACKET, tight: context.tight, ..WHOLE }
}
