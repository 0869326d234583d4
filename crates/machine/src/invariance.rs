//! Whether a condition on states says the same of a state and of its image.
//!
//! A condition is brought into a form that does not depend on the order of operands of `and` and `or`; what is neither is an
//! atom, written as the table of its truth over the values of its leaves. The condition of the image is the same text with the
//! leaves' images. Equal forms mean equal conditions, and the same registers whose values are waited for.

use crate::isomorphism::possible_values;
use crate::permutation::Permutation;
use automata::scalars::Shape;
use automata::{Automata, BinaryOp, CellId, Domain, Expr, PointId, RegId, StateExpr, StateLeaf, ThreadId, UnaryOp, Value};
use base::Table;
use base::table::Id;

/// Above so many combinations of values an atom is not tabulated: then nothing is known.
const MAX_COMBINATIONS: usize = 1 << 14;

/// A condition, whatever the order of its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    All(Vec<Form>),
    Any(Vec<Form>),
    Not(Box<Form>),
    /// The leaves, sorted, with their domains, and for each combination of values the value or truth.
    Atom(Vec<(Leaf, Value, Value)>, Vec<Value>),
    /// An atom of too many combinations, whose values the permutation leaves as they are.
    Text(String),
}

impl Form {
    fn is_never(&self) -> bool {
        matches!(self, Form::Atom(_, table) if table.iter().all(|value| *value == 0))
    }
}

/// What an atom speaks of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Leaf {
    Cell(CellId),
    Register(usize, RegId),
    At(usize, Vec<PointId>),
    Ended(usize),
    Performed(usize),
}

/// What is known of a leaf before it is permuted.
struct Known<'a> {
    shape: &'a Shape,
    domain: Domain,
}

/// Judges conditions of one system.
pub(crate) struct Invariance<'a> {
    automata: &'a Automata,
    /// For each thread, what its registers may hold.
    pub(crate) possible: Vec<Table<RegId, Domain>>,
    identity: Permutation,
}

impl<'a> Invariance<'a> {
    pub(crate) fn new(automata: &'a Automata) -> Self {
        let possible = automata.threads.values().map(|t| possible_values(automata, &t.automaton)).collect();
        Invariance { automata, possible, identity: Permutation::identity(automata) }
    }

    /// Whether `condition` says the same of a state and of its image.
    pub(crate) fn holds(&self, condition: &StateExpr, permutation: &Permutation) -> bool {
        let own = self.form(condition, &self.identity);
        own.is_some() && own == self.form(condition, permutation)
    }

    /// The form of the condition that is true of a state's image if `condition` is of the state.
    fn form(&self, condition: &StateExpr, by: &Permutation) -> Option<Form> {
        match condition {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut forms = Vec::new();
                self.flatten(condition, *op, by, &mut forms)?;
                Some(if *op == BinaryOp::And { all(forms) } else { any(forms) })
            }
            Expr::Binary(BinaryOp::Implies, left, right) => {
                Some(any(vec![Form::Not(Box::new(self.form(left, by)?)), self.form(right, by)?]))
            }
            Expr::Unary(UnaryOp::Not, inner) => Some(Form::Not(Box::new(self.form(inner, by)?))),
            _ => match computed_cell(condition) {
                Some(leaf) => self.split(condition, leaf, by),
                None => self.atom(condition, by),
            },
        }
    }

    /// The forms of the operands of nested applications of `op`.
    fn flatten(&self, condition: &StateExpr, op: BinaryOp, by: &Permutation, forms: &mut Vec<Form>) -> Option<()> {
        match condition {
            Expr::Binary(inner, left, right) if *inner == op => {
                self.flatten(left, op, by, forms)?;
                self.flatten(right, op, by, forms)
            }
            _ => {
                forms.push(self.form(condition, by)?);
                Some(())
            }
        }
    }

    /// A condition with a computed cell, case by case: which cell it is, and what is said of that one.
    fn split(&self, condition: &StateExpr, leaf: &StateLeaf, by: &Permutation) -> Option<Form> {
        let StateLeaf::CellAt { base, stride, count, index } = leaf else { return None };
        let mut cases = Vec::new();
        for i in 0..*count {
            let cell = StateLeaf::Cell(CellId::new(base.index() + (i * stride) as usize));
            let is_it = Expr::Binary(BinaryOp::Equal, index.clone(), Box::new(Expr::Const(i as Value)));
            let rest = replace(condition, leaf, &Expr::Leaf(cell));
            let is_it = self.form(&is_it, by)?;
            // Cells of other fields may lie between those that are meant.
            if !is_it.is_never() {
                cases.push(all(vec![is_it, self.form(&rest, by)?]));
            }
        }
        let below = Expr::Binary(BinaryOp::Less, index.clone(), Box::new(Expr::Const(0)));
        let above = Expr::Binary(BinaryOp::GreaterEqual, index.clone(), Box::new(Expr::Const(*count as Value)));
        let rest = self.form(&replace(condition, leaf, &Expr::Const(-1)), by)?;
        cases.push(all(vec![any(vec![self.form(&below, by)?, self.form(&above, by)?]), rest]));
        Some(any(cases))
    }

    /// The table of a condition without computed cells.
    fn atom(&self, condition: &StateExpr, by: &Permutation) -> Option<Form> {
        let mut leaves: Vec<&StateLeaf> = Vec::new();
        condition.leaves(&mut |leaf| {
            if !leaves.contains(&leaf) {
                leaves.push(leaf);
            }
        });
        let known: Vec<Known<'_>> = leaves.iter().map(|leaf| self.known(leaf)).collect::<Option<_>>()?;
        let mut order: Vec<(Leaf, usize)> =
            leaves.iter().enumerate().map(|(i, leaf)| Some((image(leaf, by)?, i))).collect::<Option<_>>()?;
        order.sort();
        let sizes: Vec<usize> = order.iter().map(|(_, i)| count(known[*i].domain)).collect();
        let n = sizes.iter().fold(1usize, |n, size| n.saturating_mul(*size));
        if n > MAX_COMBINATIONS {
            let are_fixed = known.iter().all(|known| by.fixes(known.shape));
            return if are_fixed { Some(Form::Text(text(condition, by)?)) } else { None };
        }
        // For each leaf in order, which value of its own each value of its image comes from.
        let origins: Vec<Vec<Value>> = order.iter().map(|(_, i)| origins(&known[*i], by)).collect::<Option<_>>()?;
        let mut table = Vec::with_capacity(n);
        for combination in 0..n {
            let mut rest = combination;
            let mut values = vec![0; leaves.len()];
            for ((_, i), (size, origins)) in order.iter().zip(sizes.iter().zip(&origins)) {
                values[*i] = origins[rest % size];
                rest /= size;
            }
            let value = |leaf: &StateLeaf| leaves.iter().position(|l| *l == leaf).map(|i| values[i]);
            table.push(Value::from(condition.eval(&mut |leaf| value(leaf))? != 0));
        }
        let leaves = order.into_iter().map(|(leaf, i)| (leaf, known[i].domain.low, known[i].domain.high)).collect();
        Some(Form::Atom(leaves, table))
    }

    fn known(&self, leaf: &StateLeaf) -> Option<Known<'_>> {
        let truth = Known { shape: &Shape::Plain, domain: Domain::new(0, 1) };
        match leaf {
            StateLeaf::Cell(cell) => {
                Some(Known { shape: self.automata.scalars.cell(*cell), domain: self.automata.cells[*cell].domain })
            }
            StateLeaf::Register(thread, register) => Some(Known {
                shape: self.automata.scalars.register(*thread, *register),
                domain: self.possible[thread.index()][*register],
            }),
            StateLeaf::At(..) | StateLeaf::Ended(_) | StateLeaf::Performed(_) => Some(truth),
            StateLeaf::CellAt { .. } => None,
        }
    }
}

/// The image of a leaf.
fn image(leaf: &StateLeaf, by: &Permutation) -> Option<Leaf> {
    let thread = |thread: &ThreadId| by.threads[thread.index()];
    match leaf {
        StateLeaf::Cell(cell) => Some(Leaf::Cell(by.cells[*cell])),
        StateLeaf::Register(t, register) => Some(Leaf::Register(thread(t), by.registers[t.index()][*register])),
        StateLeaf::At(t, points) => {
            let mut points: Vec<PointId> = points.iter().map(|point| by.points[t.index()][*point]).collect();
            points.sort();
            Some(Leaf::At(thread(t), points))
        }
        StateLeaf::Ended(t) => Some(Leaf::Ended(thread(t))),
        StateLeaf::Performed(t) => Some(Leaf::Performed(thread(t))),
        StateLeaf::CellAt { .. } => None,
    }
}

/// For each value of the image, the value that it is the image of; none if the domain is not mapped to itself.
fn origins(known: &Known<'_>, by: &Permutation) -> Option<Vec<Value>> {
    let mut origins = vec![None; count(known.domain)];
    for value in known.domain.low..=known.domain.high {
        let image = known.shape.map(value, by);
        let at = usize::try_from(i64::from(image) - i64::from(known.domain.low)).ok()?;
        *origins.get_mut(at)? = Some(value);
    }
    origins.into_iter().collect()
}

fn count(domain: Domain) -> usize {
    (i64::from(domain.high) - i64::from(domain.low) + 1).clamp(0, 1 << 40) as usize
}

/// The text of an atom of the image.
fn text(atom: &StateExpr, by: &Permutation) -> Option<String> {
    Some(match atom {
        Expr::Const(value) => value.to_string(),
        Expr::Leaf(leaf) => format!("{:?}", image(leaf, by)?),
        Expr::Unary(op, inner) => format!("{op:?}({})", text(inner, by)?),
        Expr::Binary(op, left, right) => format!("{op:?}({}, {})", text(left, by)?, text(right, by)?),
    })
}

fn all(mut forms: Vec<Form>) -> Form {
    forms.sort();
    forms.dedup();
    Form::All(forms)
}

fn any(mut forms: Vec<Form>) -> Form {
    forms.sort();
    forms.dedup();
    Form::Any(forms)
}

/// A computed cell whose index speaks of none, if there is a computed cell.
fn computed_cell(condition: &StateExpr) -> Option<&StateLeaf> {
    let mut found = None;
    condition.leaves(&mut |leaf| {
        if let (StateLeaf::CellAt { index, .. }, None) = (leaf, found) {
            found = computed_cell(index).or(Some(leaf));
        }
    });
    found
}

/// The condition with `new` in place of `leaf`, in indices too.
fn replace(condition: &StateExpr, leaf: &StateLeaf, new: &StateExpr) -> StateExpr {
    match condition {
        Expr::Leaf(l) if l == leaf => new.clone(),
        Expr::Leaf(StateLeaf::CellAt { base, stride, count, index }) => Expr::Leaf(StateLeaf::CellAt {
            base: *base,
            stride: *stride,
            count: *count,
            index: Box::new(replace(index, leaf, new)),
        }),
        Expr::Const(_) | Expr::Leaf(_) => condition.clone(),
        Expr::Unary(op, inner) => Expr::Unary(*op, Box::new(replace(inner, leaf, new))),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(replace(a, leaf, new)), Box::new(replace(b, leaf, new))),
    }
}
