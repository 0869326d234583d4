//! Conditions on states, in Kleene's logic: true for certain, false for certain, or without value.

use crate::config::Mode;
use crate::interval::{self, Interval};
use crate::model::Model;
use crate::refusal::Refusal;
use crate::term::Term;
use automata::{Automata, BinaryOp, CellId, Expr, GraphId, StateExpr, StateLeaf, UnaryOp};
use base::Span;
use base::table::Id;

/// A set of objects that properties speak of.
pub(crate) struct Reached<'a> {
    pub(crate) graph: GraphId,
    pub(crate) from: &'a StateExpr,
}

/// What can be said of a condition in a state.
#[derive(Clone)]
pub(crate) struct Truth {
    /// It is true for certain.
    pub(crate) is_true: Term,
    /// It is false for certain.
    pub(crate) is_false: Term,
}

/// A value, and whether it is there: it is not still to come, and no part of it is without value.
struct Valued {
    value: Term,
    is_there: Term,
}

/// Every condition, with who asks it.
pub(crate) fn conditions(automata: &Automata) -> Vec<(&StateExpr, Span)> {
    let mut all = Vec::new();
    for property in automata.properties.values() {
        all.extend(property.kind.conditions().map(|condition| (condition, property.span)));
    }
    let properties = &automata.properties;
    all.extend(automata.definedness.iter().map(|defined| (&defined.condition, properties[defined.property].span)));
    all.extend(automata.covers.values().filter_map(|cover| Some((cover.condition.as_ref()?, cover.span))));
    all
}

/// The sets that conditions speak of; one that others need comes before them.
pub(crate) fn reached(automata: &Automata) -> Vec<Reached<'_>> {
    let mut all: Vec<Reached<'_>> = Vec::new();
    for (condition, _) in conditions(automata) {
        automata.leaves(condition, &mut |leaf| {
            if let StateLeaf::Reached { graph, from } = leaf
                && !all.iter().any(|known| known.graph == *graph && *known.from == **from)
            {
                all.push(Reached { graph: *graph, from });
            }
        });
    }
    // The conditions of a graph speak of earlier graphs only.
    all.sort_by_key(|reached| reached.graph);
    all
}

/// Looks for what conditions cannot say in Promela.
pub(crate) fn check(model: &Model<'_>) -> Result<(), Refusal> {
    for (condition, span) in conditions(model.automata) {
        let mut refused = None;
        model.automata.leaves(condition, &mut |leaf| match leaf {
            StateLeaf::Pending { .. } => refused = Some("`pending` in a property"),
            StateLeaf::Oldest { .. } => refused = Some("`oldest` in a property"),
            StateLeaf::Reached { from, graph } => {
                let mut speaks = false;
                let graph = &model.automata.graphs[*graph];
                let within = graph.nodes.iter().filter_map(|node| node.condition.as_ref()).chain([&**from]);
                for condition in within {
                    model.automata.leaves(condition, &mut |leaf| {
                        speaks |= matches!(leaf, StateLeaf::Register(..) | StateLeaf::CellAt { .. })
                    });
                }
                if speaks {
                    refused = Some("`reaches` from or through what a register or a field says");
                }
            }
            _ => {}
        });
        if let Some(what) = refused {
            return Err(Refusal::new(what, span));
        }
        if values(model.automata, condition).is_none() {
            return Err(Refusal::new("a property with arithmetic that may leave 32 bits", span));
        }
    }
    Ok(())
}

fn values(automata: &Automata, condition: &StateExpr) -> Option<Interval> {
    interval::of(condition, &mut |leaf: &StateLeaf| {
        automata.held(leaf).into_iter().map(|held| values(automata, held)).collect::<Option<Vec<_>>>()?;
        Some(match leaf {
            StateLeaf::Cell(cell) => interval::of_domain(automata.cells[*cell].domain),
            StateLeaf::CellAt { .. } => {
                let cells = automata.cells_of(leaf).into_iter().map(|cell| automata.cells[cell].domain);
                cells.map(interval::of_domain).fold((-1, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)))
            }
            StateLeaf::Register(thread, register) => {
                let domain = automata.threads[*thread].automaton.registers[*register].domain;
                let (low, high) = interval::of_domain(domain);
                (low.min(0), high.max(0))
            }
            StateLeaf::Reached { graph, .. } => (0, (1i64 << automata.graphs[*graph].nodes.len()) - 1),
            _ => (0, 64),
        })
    })
}

impl Model<'_> {
    /// What can be said of a condition.
    pub(crate) fn truth(&self, condition: &StateExpr) -> Truth {
        match condition {
            Expr::Unary(UnaryOp::Not, operand) => self.truth(operand).negated(),
            Expr::Binary(BinaryOp::And, left, right) => self.truth(left).and(self.truth(right)),
            Expr::Binary(BinaryOp::Or, left, right) => {
                self.truth(left).negated().and(self.truth(right).negated()).negated()
            }
            Expr::Binary(BinaryOp::Implies, left, right) => self.truth(left).and(self.truth(right).negated()).negated(),
            _ => {
                let Valued { value, is_there } = self.value(condition);
                let is_true = match value {
                    Term::Var(_) | Term::Cell(_) => Term::Binary(BinaryOp::NotEqual, value.into(), Term::FALSE.into()),
                    value => value.negated().negated(),
                };
                Truth { is_true: is_there.clone().and(is_true.clone()), is_false: is_there.and(is_true.negated()) }
            }
        }
    }

    /// A value, whether all its parts are there or not.
    pub(crate) fn state_value(&self, expr: &StateExpr) -> Term {
        self.value(expr).value
    }

    /// A value that needs all its parts.
    fn value(&self, expr: &StateExpr) -> Valued {
        let known = |value: Term| Valued { value, is_there: Term::TRUE };
        match expr {
            Expr::Const(value) => known(Term::Const(*value)),
            Expr::Leaf(leaf) => self.leaf(leaf),
            Expr::Unary(op, operand) => {
                let operand = self.value(operand);
                Valued { value: Term::unary(*op, operand.value), ..operand }
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let shifts = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                let is_fit = match &right.value {
                    Term::Const(value) => Term::Const(i64::from(!(divides && *value == 0 || shifts && *value < 0))),
                    value if divides => value.clone().equals(Term::FALSE).negated(),
                    value if shifts => value.clone().outside(0, i64::from(i32::MAX)).negated(),
                    _ => Term::TRUE,
                };
                Valued {
                    is_there: left.is_there.and(right.is_there).and(is_fit),
                    value: Term::binary(*op, left.value, right.value),
                }
            }
        }
    }

    fn leaf(&self, leaf: &StateLeaf) -> Valued {
        let known = |value: Term| Valued { value, is_there: Term::TRUE };
        let cell = |cell: CellId| Term::cell(Term::Const(cell.0 as i64));
        match leaf {
            StateLeaf::Cell(id) => known(cell(*id)),
            StateLeaf::CellAt { base, stride, count, index } => {
                let index = self.value(index);
                let offset = Term::binary(BinaryOp::Multiply, index.value.clone(), Term::Const(*stride as i64));
                let number = Term::binary(BinaryOp::Add, Term::Const(base.0 as i64), offset);
                let is_inside = index.value.outside(0, *count as i64 - 1).negated();
                Valued {
                    value: Term::choice(is_inside.clone(), Term::cell(number), Term::Const(-1)),
                    is_there: index.is_there.and(is_inside),
                }
            }
            StateLeaf::Register(thread, register) => {
                let thread = &self.threads[thread.index()];
                let is_there = thread.is_among(&thread.coming(*register)).negated();
                Valued { is_there, ..known(thread.register(*register)) }
            }
            StateLeaf::At(thread, points) => {
                let thread = &self.threads[thread.index()];
                known(thread.is_among(&thread.plan.numbers(|config| points.contains(&config.point))))
            }
            StateLeaf::Ended(thread) => known(self.has_ended(thread.index())),
            StateLeaf::Performed(thread) => {
                let thread = &self.threads[thread.index()];
                let waiting = thread.plan.numbers(|config| config.pending.is_some());
                known(thread.is_among(&waiting).negated().and(thread.is_drained()))
            }
            StateLeaf::Reached { graph, from } => {
                let is_this = |known: &Reached<'_>| known.graph == *graph && *known.from == **from;
                let position = self.reached.iter().position(is_this).unwrap_or(0);
                known(Term::var(format!("reached_{position}")))
            }
            StateLeaf::Pending { .. } | StateLeaf::Oldest { .. } | StateLeaf::Old(_) => known(Term::FALSE),
        }
    }

    /// Whether a thread has ended; its operations may still wait.
    pub(crate) fn has_ended(&self, thread: usize) -> Term {
        let thread = &self.threads[thread];
        let is_end = |config: &crate::config::Config| {
            let action = &thread.automaton.points[config.point].action;
            config.mode == Mode::Going && matches!(action, automata::Action::Halt)
        };
        thread.is_among(&thread.plan.numbers(is_end))
    }
}

impl Truth {
    fn negated(self) -> Truth {
        Truth { is_true: self.is_false, is_false: self.is_true }
    }

    fn and(self, other: Truth) -> Truth {
        Truth { is_true: self.is_true.and(other.is_true), is_false: self.is_false.or(other.is_false) }
    }
}
