//! Expressions and conditions as circuits.

use crate::layout::Layout;
use crate::state::State;
use automata::{Automata, BinaryOp, CellId, Expr, GraphId, NO_VALUE, StateExpr, StateLeaf, StatePlace, UnaryOp};
use base::table::Id;
use sat::{Bits, Graph, Lit};

/// The circuit of an expression, given those of its leaves.
pub(crate) fn value<L>(graph: &mut Graph, expr: &Expr<L>, leaf: &mut impl FnMut(&mut Graph, &L) -> Bits) -> Bits {
    match expr {
        Expr::Const(value) => Bits::constant(*value),
        Expr::Leaf(l) => leaf(graph, l),
        Expr::Unary(op, operand) => {
            let operand = value(graph, operand, leaf);
            match op {
                UnaryOp::Not => Bits::of_bool(!graph.is_true(&operand)),
                UnaryOp::Negate => graph.negate(&operand),
            }
        }
        Expr::Binary(op, left, right) => {
            let (left, right) = (value(graph, left, leaf), value(graph, right, leaf));
            binary(graph, *op, &left, &right)
        }
    }
}

/// When an expression has a value (semantics 1.5), given the circuits of its leaves.
pub(crate) fn has_value<L>(graph: &mut Graph, expr: &Expr<L>, leaf: &mut impl FnMut(&mut Graph, &L) -> Bits) -> Lit {
    match expr {
        Expr::Const(NO_VALUE) => Lit::FALSE,
        Expr::Const(_) | Expr::Leaf(_) => Lit::TRUE,
        Expr::Unary(_, operand) => has_value(graph, operand, leaf),
        Expr::Binary(op, left, right) => {
            let (has_left, has_right) = (has_value(graph, left, leaf), has_value(graph, right, leaf));
            if !is_arithmetic(*op) && has_right == Lit::TRUE {
                return has_left;
            }
            let (left, right) = (value(graph, left, leaf), value(graph, right, leaf));
            let rest = if_evaluated(graph, *op, &left, has_right);
            let own = has_own_value(graph, *op, &left, &right);
            graph.all([has_left, rest, own])
        }
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Divide, Multiply, Remainder, ShiftLeft, ShiftRight, Subtract};
    matches!(op, Add | Subtract | Multiply | Divide | Remainder | ShiftLeft | ShiftRight)
}

/// `lit`, unless the left side decides the operator.
fn if_evaluated(graph: &mut Graph, op: BinaryOp, left: &Bits, lit: Lit) -> Lit {
    let is_true = graph.is_true(left);
    match op {
        BinaryOp::And | BinaryOp::Implies => graph.implies(is_true, lit),
        BinaryOp::Or => graph.or(is_true, lit),
        _ => lit,
    }
}

/// When an operator has a value for operands that have one.
fn has_own_value(graph: &mut Graph, op: BinaryOp, a: &Bits, b: &Bits) -> Lit {
    match op {
        BinaryOp::Divide | BinaryOp::Remainder => !graph.is(b, 0),
        BinaryOp::ShiftRight => !b.sign(),
        BinaryOp::ShiftLeft => {
            let shifted = binary(graph, op, a, b);
            let (is_small, fits, is_zero) = (graph.is_within(b, 0, 63), fits(graph, &shifted), graph.is(a, 0));
            let is_exact = graph.and(is_small, fits);
            let is_exact = graph.or(is_exact, is_zero);
            graph.and(is_exact, !b.sign())
        }
        _ if is_arithmetic(op) => {
            let result = binary(graph, op, a, b);
            fits(graph, &result)
        }
        _ => Lit::TRUE,
    }
}

/// Whether a number is a value: the least one of 64 bits stands for none.
fn fits(graph: &mut Graph, bits: &Bits) -> Lit {
    if bits.width() < 64 { Lit::TRUE } else { graph.is_within(bits, i64::MIN + 1, i64::MAX) }
}

fn binary(graph: &mut Graph, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let truth = |graph: &mut Graph| (graph.is_true(a), graph.is_true(b));
    let lit = match op {
        BinaryOp::BitOr => return graph.bitwise(a, b, Graph::or),
        BinaryOp::BitXor => return graph.bitwise(a, b, Graph::xor),
        BinaryOp::BitAnd => return graph.bitwise(a, b, Graph::and),
        BinaryOp::ShiftLeft => return graph.shift_left(a, b),
        BinaryOp::ShiftRight => return graph.shift_right(a, b),
        BinaryOp::Add => return graph.add(a, b),
        BinaryOp::Subtract => return graph.subtract(a, b),
        BinaryOp::Multiply => return graph.multiply(a, b),
        BinaryOp::Divide => return graph.divide(a, b),
        BinaryOp::Remainder => return graph.remainder(a, b),
        BinaryOp::Implies => {
            let (a, b) = truth(graph);
            graph.implies(a, b)
        }
        BinaryOp::Or => {
            let (a, b) = truth(graph);
            graph.or(a, b)
        }
        BinaryOp::And => {
            let (a, b) = truth(graph);
            graph.and(a, b)
        }
        BinaryOp::Equal => graph.equal(a, b),
        BinaryOp::NotEqual => !graph.equal(a, b),
        BinaryOp::Less => graph.less(a, b),
        BinaryOp::LessEqual => !graph.less(b, a),
        BinaryOp::Greater => graph.less(b, a),
        BinaryOp::GreaterEqual => !graph.less(a, b),
    };
    Bits::of_bool(lit)
}

/// Conditions on whole states.
pub(crate) struct Conditions<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) state: &'a State,
    /// The state before a step, for what is said of two.
    pub(crate) old: Option<&'a State>,
    pub(crate) layout: &'a Layout,
}

impl Conditions<'_> {
    /// Whether the condition is true.
    pub(crate) fn holds(&self, graph: &mut Graph, condition: &StateExpr) -> Lit {
        let value = self.value(graph, condition);
        graph.is_true(&value)
    }

    pub(crate) fn value(&self, graph: &mut Graph, expr: &StateExpr) -> Bits {
        value(graph, expr, &mut |graph, leaf| self.leaf(graph, leaf))
    }

    fn leaf(&self, graph: &mut Graph, leaf: &StateLeaf) -> Bits {
        match leaf {
            StateLeaf::Cell(cell) => self.state.cells[cell.index()].clone(),
            StateLeaf::CellAt { base, stride, count, index } => {
                let index = self.boxed(graph, index);
                let cells = (0..*count).map(|i| CellId::new(base.index() + (i * stride) as usize));
                self.cell_at(graph, cells, &index)
            }
            StateLeaf::Register(thread, register) => {
                self.state.threads[thread.index()].registers[register.index()].clone()
            }
            StateLeaf::At(thread, points) => {
                let layout = &self.layout.threads[thread.index()];
                let places: Vec<usize> = points.iter().filter_map(|point| layout.place(*point)).collect();
                Bits::of_bool(self.state.is_at(graph, thread.index(), places))
            }
            StateLeaf::Ended(thread) => {
                let places = self.layout.threads[thread.index()].ends.clone();
                Bits::of_bool(self.state.is_at(graph, thread.index(), places))
            }
            StateLeaf::Old(value) => match self.old {
                Some(old) => Conditions { state: old, old: None, ..*self }.boxed(graph, value),
                None => Bits::constant(NO_VALUE),
            },
            StateLeaf::Reached { graph: of, from } => {
                let from = self.boxed(graph, from);
                self.reached(graph, *of, &from)
            }
            StateLeaf::Pending { thread, place, value } => {
                let value = value.as_ref().map(|value| self.boxed(graph, value));
                self.pending(graph, thread.index(), place, value.as_ref())
            }
            StateLeaf::Oldest { thread, place } => self.oldest(graph, thread.index(), place),
            StateLeaf::Performed(thread) => Bits::of_bool(self.state.is_committed(thread.index())),
        }
    }

    /// The value of the cell with that index among `cells`, else -1.
    fn cell_at(&self, graph: &mut Graph, cells: impl Iterator<Item = CellId>, index: &Bits) -> Bits {
        let mut found = Bits::constant(-1);
        for (i, cell) in cells.enumerate() {
            let is_it = graph.is(index, i as i32);
            found = graph.choose(is_it, &self.state.cells[cell.index()], &found);
        }
        found
    }

    /// For each place of a thread's buffer, whether it holds a store to that place whose value fits (semantics 8.4).
    fn stores_to(&self, graph: &mut Graph, thread: usize, place: &StatePlace) -> Vec<Lit> {
        let index = self.boxed(graph, &place.index);
        let stored = &self.layout.threads[thread].stored;
        let mut found = Vec::new();
        for slot in &self.state.threads[thread].buffer {
            let mut any = Lit::FALSE;
            for (i, cell) in place.cells().into_iter().enumerate() {
                let domain = self.automata.cells[cell].domain;
                let is_meant = graph.is(&index, i as i32);
                let (is_to, fits) =
                    (slot.is_to(graph, stored, cell), graph.is_within(&slot.value, domain.low, domain.high));
                let all = graph.all([is_meant, is_to, fits]);
                any = graph.or(any, all);
            }
            found.push(any);
        }
        found
    }

    /// How many stores to a place are buffered; with a value, whether one of that value is.
    fn pending(&self, graph: &mut Graph, thread: usize, place: &StatePlace, value: Option<&Bits>) -> Bits {
        let stores = self.stores_to(graph, thread, place);
        let slots = self.state.threads[thread].buffer.iter();
        let Some(value) = value else {
            return stores.into_iter().fold(Bits::constant(0), |n, is_it| graph.add(&n, &Bits::of_bool(is_it)));
        };
        let mut any = Lit::FALSE;
        for (is_it, slot) in stores.into_iter().zip(slots) {
            let is_equal = graph.equal(&slot.value, value);
            let both = graph.and(is_it, is_equal);
            any = graph.or(any, both);
        }
        Bits::of_bool(any)
    }

    /// The value of the oldest store to a place that is buffered, else the value there.
    fn oldest(&self, graph: &mut Graph, thread: usize, place: &StatePlace) -> Bits {
        let index = self.boxed(graph, &place.index);
        let mut value = self.cell_at(graph, place.cells().into_iter(), &index);
        let stores = self.stores_to(graph, thread, place);
        for (is_it, slot) in stores.into_iter().zip(&self.state.threads[thread].buffer).rev() {
            value = graph.choose(is_it, &slot.value, &value);
        }
        value
    }

    /// The set of what is reached from a set. With n objects no path has more than n - 1 steps worth taking.
    fn reached(&self, graph: &mut Graph, of: GraphId, from: &Bits) -> Bits {
        let nodes = &self.automata.graphs[of].nodes;
        let may_enter: Vec<Lit> = nodes.iter().map(|node| self.may_enter(graph, node.condition.as_ref())).collect();
        let mut reached: Vec<Lit> = (0..nodes.len()).map(|node| from.bit(node)).collect();
        for _ in 1..nodes.len() {
            let before = reached.clone();
            for (target, lit) in reached.iter_mut().enumerate() {
                for (node, is_reached) in nodes.iter().zip(&before) {
                    for field in &node.fields {
                        let is_it = graph.is(&self.state.cells[field.index()], target as i32);
                        let step = graph.all([*is_reached, is_it, may_enter[target]]);
                        *lit = graph.or(*lit, step);
                    }
                }
            }
            if reached == before {
                break;
            }
        }
        reached.push(Lit::FALSE);
        Bits::new(reached)
    }

    fn may_enter(&self, graph: &mut Graph, condition: Option<&StateExpr>) -> Lit {
        let Some(condition) = condition else { return Lit::TRUE };
        let value = self.boxed(graph, condition);
        graph.is_true(&value)
    }

    /// As `value`, for what is inside a leaf.
    fn boxed(&self, graph: &mut Graph, expr: &StateExpr) -> Bits {
        let leaf: &mut dyn FnMut(&mut Graph, &StateLeaf) -> Bits = &mut |graph, leaf| self.leaf(graph, leaf);
        value(graph, expr, &mut |graph, l| leaf(graph, l))
    }
}
