//! Automata as text, one line per point, for people and for tests.

use crate::action::{Access, Action, Address, CasResult, FetchOp, Op, Region, Wait};
use crate::automaton::{Automaton, Kept, Point, PointId};
use crate::collection::{Automata, CellKind, Ltl, PropertyKind};
use crate::expr::{BinaryOp, Domain, Expr, StateExpr, StateLeaf, StatePlace, UnaryOp};
use crate::graph::GraphNode;
use base::table::Id;
use memory::Order;
use std::fmt::Write;

/// All of it: cells, properties, covers, threads.
pub fn write(automata: &Automata) -> String {
    let mut out = String::new();
    for (id, cell) in automata.cells.iter() {
        let kind = match cell.kind {
            _ if automata.bus == Some(id) => "bus",
            CellKind::Memory => "cell",
            CellKind::Abstract => "abstract",
        };
        let _ = writeln!(out, "{kind} {}: {} = {}", cell.name, domain(cell.domain), cell.init);
    }
    for (id, graph) in automata.graphs.iter() {
        let _ = writeln!(out, "{id}");
        for node in &graph.nodes {
            let _ = writeln!(out, "  {}", self::node(automata, node));
        }
    }
    for property in automata.properties.values() {
        let _ = match &property.kind {
            PropertyKind::Invariant(c) => writeln!(out, "invariant {}: {}", property.name, state(automata, c)),
            PropertyKind::Forbid(c) => writeln!(out, "forbid {}: {}", property.name, state(automata, c)),
            PropertyKind::Ltl(ltl) => writeln!(out, "ltl {}: {}", property.name, formula(automata, ltl)),
            PropertyKind::Assert => writeln!(out, "assert {}", property.name),
            PropertyKind::Unchecked => writeln!(out, "unchecked {}", property.name),
            PropertyKind::Deadlock | PropertyKind::ValidReference | PropertyKind::InRange => Ok(()),
        };
    }
    for cover in automata.covers.values() {
        let _ = match &cover.condition {
            Some(condition) => writeln!(out, "cover {}: {}", cover.name, state(automata, condition)),
            None => writeln!(out, "cover {}", cover.name),
        };
    }
    for thread in automata.threads.values() {
        let _ = writeln!(out, "thread {}", thread.name);
        automaton(automata, &thread.automaton, &mut out);
    }
    out
}

/// An object of a graph: its references, and when paths may step to it.
fn node(automata: &Automata, node: &GraphNode) -> String {
    let fields: String = node.fields.iter().map(|cell| format!(" {}", automata.cells[*cell].name)).collect();
    let condition = node.condition.as_ref().map_or(String::new(), |c| format!(" if {}", state(automata, c)));
    format!("{}:{fields}{condition}", node.name)
}

fn automaton(automata: &Automata, automaton: &Automaton, out: &mut String) {
    for (id, register) in automaton.registers.iter() {
        let observed = if automaton.observed.contains(&id) { " observed" } else { "" };
        let init = if register.init == 0 { String::new() } else { format!(" = {}", register.init) };
        let _ = writeln!(out, "  register {}: {}{init}{observed}", register.name, domain(register.domain));
    }
    if automaton.entry.index() != 0 {
        let _ = writeln!(out, "  entry {}", automaton.entry);
    }
    let pairs =
        || automaton.kept.pairs().iter().map(|(older, younger)| format!(" {older}<{younger}")).collect::<String>();
    let _ = match automaton.kept {
        Kept::Nothing => Ok(()),
        Kept::Pairs(_) => writeln!(out, "  keeps{}", pairs()),
        Kept::AllBut(_) => writeln!(out, "  keeps all but{}", pairs()),
    };
    for (id, point) in automaton.points.iter() {
        let _ = writeln!(out, "  {}", line(automata, automaton, id, point));
    }
}

/// One point: id, labels, action, where it goes unless to the next, procedures.
fn line(automata: &Automata, automaton: &Automaton, id: PointId, point: &Point) -> String {
    let mut text = format!("{id}: ");
    for label in &point.labels {
        let _ = write!(text, "@{label} ");
    }
    text.push_str(&action(automata, automaton, &point.action));
    let goes_on = !matches!(point.action, Action::Branch { .. } | Action::Choose(_) | Action::Abort(_) | Action::Halt);
    if goes_on && point.next.index() != id.index() + 1 {
        let _ = write!(text, " -> {}", point.next);
    }
    if !point.procs.is_empty() {
        let _ = write!(text, "  // {}", point.procs.join(" > "));
    }
    text
}

/// An action of a thread.
pub fn action(automata: &Automata, automaton: &Automaton, action: &Action) -> String {
    let expr = |e: &Expr| local(automaton, e);
    match action {
        Action::Access(a) => access(automata, automaton, a),
        Action::Fence(fence) => format!("fence {}", fence.name()),
        Action::Compute { dst, value } => format!("{} = {}", automaton.registers[*dst].name, expr(value)),
        Action::Branch { condition, then, otherwise } => {
            format!("if {} then {then} else {otherwise}", expr(condition))
        }
        Action::Choose(ways) => {
            let ways: Vec<String> = ways.iter().map(PointId::to_string).collect();
            format!("choose {}", ways.join(" "))
        }
        Action::Assert { condition, property } => {
            format!("assert {}: {}", automata.properties[*property].name, expr(condition))
        }
        Action::Assume(condition) => format!("assume {}", expr(condition)),
        Action::Discard(condition) => format!("discard unless {}", expr(condition)),
        Action::Cover { condition, cover } => format!("cover {}: {}", automata.covers[*cover].name, expr(condition)),
        Action::Safepoint => "safepoint".into(),
        Action::Perform => "perform".into(),
        Action::Enter(Region::Atomic(Wait::Performed)) => "enter atomic".into(),
        Action::Enter(Region::Atomic(Wait::Walls)) => "enter unordered atomic".into(),
        Action::Enter(Region::Then) => "enter then".into(),
        Action::Enter(Region::Issued) => "enter when issued".into(),
        Action::Enter(Region::Direct(Wait::Performed)) => "enter directly".into(),
        Action::Enter(Region::Direct(Wait::Walls)) => "enter unordered directly".into(),
        Action::Enter(Region::StopTheWorld) => "enter stop_the_world".into(),
        Action::Leave => "leave".into(),
        Action::Begin(begin) => {
            let capacity = begin.capacity.map_or(String::new(), |n| format!(" capacity {n}"));
            let told = [begin.cause, begin.code].into_iter().flatten().map(|r| automaton.registers[r].name.as_str());
            let told: Vec<&str> = told.collect();
            format!("begin{capacity}, abort({}) -> {}", told.join(", "), begin.handler)
        }
        Action::Commit => "commit".into(),
        Action::Abort(code) => format!("abort {code}"),
        Action::Halt => "halt".into(),
    }
}

fn access(automata: &Automata, automaton: &Automaton, access: &Access) -> String {
    let expr = |e: &Expr| local(automaton, e);
    let (name, mut arguments) = match &access.op {
        Op::Load => ("load", Vec::new()),
        Op::Store(value) => ("store", vec![expr(value)]),
        Op::Cas { expected, new, result } => {
            let name = if *result == CasResult::Success { "cas" } else { "cas_old" };
            (name, vec![format!("{} -> {}", expr(expected), expr(new))])
        }
        Op::Swap(value) => ("swap", vec![expr(value)]),
        Op::Fetch(FetchOp::Add, value) => ("fetch_add", vec![expr(value)]),
        Op::Fetch(FetchOp::And, value) => ("fetch_and", vec![expr(value)]),
        Op::Fetch(FetchOp::Or, value) => ("fetch_or", vec![expr(value)]),
        Op::LoadLinked => ("ll", Vec::new()),
        Op::StoreConditional(value) => ("sc", vec![expr(value)]),
    };
    let is_cas = matches!(access.op, Op::Cas { .. });
    let is_ordered = access.order != Order::Relaxed || (is_cas && access.failure_order != Order::Relaxed);
    if is_ordered {
        arguments.push(access.order.name().into());
    }
    if is_ordered && is_cas {
        arguments.push(access.failure_order.name().into());
    }
    let dst = access.dst.map_or(String::new(), |dst| format!("{} = ", automaton.registers[dst].name));
    format!("{dst}{}.{name}({})", address(automata, automaton, &access.address), arguments.join(", "))
}

fn address(automata: &Automata, automaton: &Automaton, address: &Address) -> String {
    let mut text = automata.cells[address.base].name.clone();
    for term in &address.terms {
        let _ = write!(text, " + {}*{}", atom(local(automaton, &term.index)), term.stride);
    }
    if address.terms.is_empty() { text } else { format!("[{text}]") }
}

fn domain(domain: Domain) -> String {
    format!("{}..{}", domain.low, domain.high)
}

/// An expression over registers.
fn local(automaton: &Automaton, expr: &Expr) -> String {
    show(expr, &|register| automaton.registers[*register].name.clone())
}

/// An expression over a state.
pub fn state(automata: &Automata, expr: &StateExpr) -> String {
    show(expr, &|leaf| match leaf {
        StateLeaf::Cell(cell) => automata.cells[*cell].name.clone(),
        StateLeaf::CellAt { base, stride, index, .. } => {
            format!("[{} + {}*{stride}]", automata.cells[*base].name, atom(state(automata, index)))
        }
        StateLeaf::Register(thread, register) => {
            let thread = &automata.threads[*thread];
            format!("{}.{}", thread.name, thread.automaton.registers[*register].name)
        }
        StateLeaf::At(thread, points) => {
            let points: Vec<String> = points.iter().map(PointId::to_string).collect();
            format!("at({}, {})", automata.threads[*thread].name, points.join(" "))
        }
        StateLeaf::Ended(thread) => format!("ended({})", automata.threads[*thread].name),
        StateLeaf::Performed(thread) => format!("performed({})", automata.threads[*thread].name),
        StateLeaf::Pending { thread, place, value } => {
            let value = value.as_ref().map_or(String::new(), |value| format!(", {}", state(automata, value)));
            format!("pending({}, {}{value})", automata.threads[*thread].name, state_place(automata, place))
        }
        StateLeaf::Oldest { thread, place } => {
            format!("oldest({}, {})", automata.threads[*thread].name, state_place(automata, place))
        }
        StateLeaf::Reached { graph, from } => format!("reached({graph}, {})", state(automata, from)),
    })
}

fn state_place(automata: &Automata, place: &StatePlace) -> String {
    let base = &automata.cells[place.base].name;
    match *place.index {
        Expr::Const(0) => base.clone(),
        _ => format!("[{base} + {}*{}]", atom(state(automata, &place.index)), place.stride),
    }
}

/// A temporal formula.
fn formula(automata: &Automata, ltl: &Ltl) -> String {
    let atoms: Vec<String> = ltl.atoms.iter().map(|condition| atom(state(automata, condition))).collect();
    let atoms: Vec<&str> = atoms.iter().map(String::as_str).collect();
    format!("{}{}", ltl.formula.words(&atoms), if ltl.is_fair { " fairly" } else { "" })
}

fn show<L>(expr: &Expr<L>, leaf: &dyn Fn(&L) -> String) -> String {
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Leaf(l) => leaf(l),
        Expr::Unary(UnaryOp::Not, operand) => format!("not {}", atom(show(operand, leaf))),
        Expr::Unary(UnaryOp::Negate, operand) => format!("-{}", atom(show(operand, leaf))),
        Expr::Binary(op, left, right) => {
            format!("{} {} {}", atom(show(left, leaf)), operator(*op), atom(show(right, leaf)))
        }
    }
}

/// In brackets, if it is more than one word.
fn atom(text: String) -> String {
    let is_bracketed = text.starts_with('[') && text.find(']') == Some(text.len() - 1);
    if text.contains(' ') && !is_bracketed { format!("({text})") } else { text }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Implies => "implies",
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}
