//! Precedence and parentheses: random trees survive printing, and random texts survive formatting.

use crate::samples::{assert_round_trip, canonical};
use base::{Diagnostic, FileId, Span};
use syntax::tree::{
    BinaryOp, Expr, ExprKind, Item, ItemKind, Module, Name, Quantifier, TemporalOp, Type, TypeKind, UnaryOp,
};

const OPERATORS: &[BinaryOp] = &[
    BinaryOp::Implies,
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Equal,
    BinaryOp::Less,
    BinaryOp::In,
    BinaryOp::With,
    BinaryOp::Minus,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::ShiftLeft,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
];

/// A linear congruential generator; the high bits are random enough.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn name(text: &str) -> Name {
    Name { text: text.to_string(), span: Span::none() }
}

fn random_type(random: &mut Random, depth: u32) -> Type {
    let kind = match random.below(5) {
        0 => TypeKind::Named(name("T")),
        3 => TypeKind::Set(Box::new(Type { kind: TypeKind::Named(name("T")), span: Span::none() })),
        4 => {
            let element = Type { kind: TypeKind::Named(name("T")), span: Span::none() };
            TypeKind::Queue(Box::new(element), Box::new(random_expr(random, depth)))
        }
        1 => TypeKind::Bool,
        _ => TypeKind::Range(Box::new(random_expr(random, depth)), Box::new(random_expr(random, depth))),
    };
    Type { kind, span: Span::none() }
}

fn random_expr(random: &mut Random, depth: u32) -> Expr {
    let leaf = depth == 0;
    let inner = |random: &mut Random| Box::new(random_expr(random, depth.saturating_sub(1)));
    let kind = match random.below(if leaf { 3 } else { 17 }) {
        0 => ExprKind::Name(name("x")),
        1 => ExprKind::Int(random.below(9) as i64),
        2 => ExprKind::SelfIndex,
        3 => ExprKind::Unary(UnaryOp::Not, inner(random)),
        4 => ExprKind::Unary(UnaryOp::Negate, inner(random)),
        5 => ExprKind::Choose(random_type(random, depth - 1)),
        6 => ExprKind::Field(inner(random), name("f")),
        7 => ExprKind::Index(inner(random), inner(random)),
        8 => {
            let (domain, body) = (random_type(random, depth - 1), inner(random));
            ExprKind::Quantified { quantifier: Quantifier::All, name: name("y"), domain, body }
        }
        10 => ExprKind::ChooseIn(inner(random)),
        11 => ExprKind::Set((0..random.below(3)).map(|_| *inner(random)).collect()),
        12 => ExprKind::If { condition: inner(random), then: inner(random), otherwise: inner(random) },
        9 => ExprKind::Call(name("p"), vec![*inner(random), *inner(random)]),
        _ => {
            let op = OPERATORS[random.below(OPERATORS.len() as u64) as usize];
            ExprKind::Binary(op, inner(random), inner(random))
        }
    };
    Expr { kind, span: Span::none() }
}

fn random_formula(random: &mut Random, depth: u32) -> Expr {
    if depth == 0 || random.below(4) == 0 {
        return random_expr(random, depth);
    }
    let inner = |random: &mut Random| random_formula(random, depth - 1);
    let kind = match random.below(5) {
        0 | 1 => {
            let op = TemporalOp::PREFIX[random.below(3) as usize];
            ExprKind::Temporal(op, vec![inner(random)])
        }
        2 => {
            let op = TemporalOp::INFIX[random.below(3) as usize];
            ExprKind::Temporal(op, vec![inner(random), inner(random)])
        }
        3 => ExprKind::Unary(UnaryOp::Not, Box::new(inner(random))),
        _ => {
            let op = OPERATORS[random.below(OPERATORS.len() as u64) as usize];
            ExprKind::Binary(op, Box::new(inner(random)), Box::new(inner(random)))
        }
    };
    Expr { kind, span: Span::none() }
}

#[test]
fn random_formulas_survive_printing() {
    let mut random = Random(8);
    for n in 0..20_000 {
        let depth = random.below(5) as u32;
        let formula = random_formula(&mut random, depth);
        let kind = ItemKind::Ltl { name: name("i"), formula, is_fair: n % 2 == 0 };
        let tree = Module { doc: Vec::new(), items: vec![Item { doc: Vec::new(), kind, span: Span::none() }] };
        let text = syntax::print(&tree);
        let (read, diagnostics) = syntax::parse(FileId(0), &text);
        assert!(!diagnostics.iter().any(Diagnostic::is_error), "{text}\n{diagnostics:?}\n{tree:?}");
        assert_eq!(without_spans(&read), without_spans(&tree), "{text}");
        assert_round_trip(&text);
    }
}

/// A module of one property.
fn module(condition: Expr) -> Module {
    let kind = ItemKind::Invariant { name: name("i"), level: None, condition };
    Module { doc: Vec::new(), items: vec![Item { doc: Vec::new(), kind, span: Span::none() }] }
}

#[test]
fn random_trees_survive_printing() {
    let mut random = Random(7);
    for _ in 0..20_000 {
        let depth = random.below(5) as u32;
        let tree = module(random_expr(&mut random, depth));
        let text = syntax::print(&tree);
        let (read, diagnostics) = syntax::parse(FileId(0), &text);
        assert!(!diagnostics.iter().any(Diagnostic::is_error), "{text}\n{diagnostics:?}\n{tree:?}");
        assert_eq!(without_spans(&read), without_spans(&tree), "{text}");
        assert_round_trip(&text);
    }
}

/// The debug form of a tree, its spans cut out: unlike the printed form it shows every node.
fn without_spans(module: &Module) -> String {
    let text = format!("{module:?}");
    let mut out = String::new();
    for (idx, part) in text.split("span: Span {").enumerate() {
        out.push_str(if idx == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) });
    }
    out
}

/// Pairs of texts that mean the same.
const SAME: &[(&str, &str)] = &[
    ("a or b and c", "a or (b and c)"),
    ("a implies b implies c", "a implies (b implies c)"),
    ("not a == b", "not (a == b)"),
    ("not a and b", "(not a) and b"),
    ("a - b - c", "(a - b) - c"),
    ("a + b * c", "a + (b * c)"),
    ("a | b ^ c & d << e + f", "a | (b ^ (c & (d << (e + f))))"),
    ("a == b | c", "a == (b | c)"),
    ("-a.b[c]", "-(a.b[c])"),
    ("not a in s and b", "(not (a in s)) and b"),
    ("a in s with b without c", "a in ((s with b) without c)"),
    ("s union t == u minus {a + 1}", "(s union t) == (u minus ({a + 1}))"),
    ("s with a | b", "s with (a | b)"),
    ("{a,\n b,\n}", "{a, b}"),
    ("all x in T: a or b", "all x in T: (a or b)"),
    ("a or all x in T: b and c", "a or (all x in T: (b and c))"),
    ("(a\n or b)", "a or b"),
    ("a or\n b", "a or b"),
    ("a\n .b\n .c", "a.b.c"),
    ("f(a,\n b,)", "f(a, b)"),
];

#[test]
fn operators_bind_as_the_reference_says() {
    for (left, right) in SAME {
        let read = |text: &str| canonical(&format!("invariant i: {text}\n"));
        assert!(read(left).is_some(), "{left}");
        assert_eq!(read(left), read(right), "{left} and {right}");
    }
}
