//! Whether a condition on states says the same of a state and of its image.
//!
//! A condition is brought into a form that does not depend on the order of operands of `and` and `or`; what is neither is an
//! atom, written as the table of its truth over the values of its leaves. The condition of the image is the same text with the
//! leaves' images. Equal forms mean equal conditions, and the same registers whose values are waited for.

use crate::symmetry::isomorphism::possible_values;
use crate::symmetry::permutation::Permutation;
use automata::scalars::Shape;
use automata::{
    Automata, BinaryOp, CellId, Domain, Expr, GraphId, NO_VALUE, PointId, RegId, StateExpr, StateLeaf, StatePlace,
    ThreadId, UnaryOp, Value, Wide,
};
use base::Table;
use base::table::Id;
use system::Budget;

/// Above so many combinations of values an atom is not tabulated: then nothing is known.
const MAX_COMBINATIONS: usize = 1 << 14;

/// Stores that a thread may have pending: its queue is no longer.
const MAX_PENDING: Value = 255;

/// A condition, whatever the order of its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    All(Vec<Form>),
    Any(Vec<Form>),
    Not(Box<Form>),
    /// The leaves, sorted, with their domains, and for each combination of values the value or truth.
    Atom(Vec<(Leaf, Value, Value)>, Vec<Wide>),
    /// An atom of too many combinations, whose values the permutation leaves as they are.
    Text(String),
}

/// What an atom speaks of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Leaf {
    Cell(CellId),
    Register(usize, RegId),
    At(usize, Vec<PointId>),
    Ended(usize),
    Performed(usize),
    Pending(usize, Option<CellId>, Option<Wide>),
    Oldest(usize, Option<CellId>),
    /// What is reached in a graph from a set.
    Reached(Vec<Object>, Box<Form>),
}

/// An object of a graph: its fields, and when paths may step to it.
type Object = (Vec<CellId>, Option<Form>);

/// What is known of a leaf before it is permuted.
struct Known {
    shape: Shape,
    domain: Domain,
}

/// Judges conditions of one system.
pub(crate) struct Invariance<'a> {
    automata: &'a Automata,
    /// For each thread, what its registers may hold.
    pub(crate) possible: Vec<Table<RegId, Domain>>,
    identity: Permutation,
    budget: &'a Budget,
}

impl<'a> Invariance<'a> {
    /// Prepares to judge. When the budget is hit, nothing is known to be the same any more.
    pub(crate) fn new(automata: &'a Automata, budget: &'a Budget) -> Self {
        let possible = automata.threads.values().map(|t| possible_values(automata, &t.automaton)).collect();
        Invariance { automata, possible, identity: Permutation::identity(automata), budget }
    }

    /// Whether `condition` says the same of a state and of its image.
    pub(crate) fn holds(&self, condition: &StateExpr, permutation: &Permutation) -> bool {
        let own = self.form(condition, &self.identity);
        own.is_some() && own == self.form(condition, permutation)
    }

    /// The form of the condition that is true of a state's image if `condition` is of the state.
    fn form(&self, condition: &StateExpr, by: &Permutation) -> Option<Form> {
        if self.budget.look().is_some() {
            return None;
        }
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
            _ => match computed(self.automata, condition) {
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

    /// A condition with a computed leaf, case by case: what it is computed from, and what is said then.
    fn split(&self, condition: &StateExpr, leaf: &StateLeaf, by: &Permutation) -> Option<Form> {
        let computed = computed_from(leaf)?;
        let mut cases = Vec::new();
        for value in self.values(computed)? {
            let is_it = Expr::Binary(BinaryOp::Equal, Box::new(computed.clone()), Box::new(Expr::constant(value)));
            let rest = replace(condition, leaf, &known_leaf(leaf, value));
            cases.push(all(vec![self.form(&is_it, by)?, self.form(&rest, by)?]));
        }
        Some(any(cases))
    }

    /// All values that an expression without computed leaves may have.
    fn values(&self, expr: &StateExpr) -> Option<Vec<Wide>> {
        let Form::Atom(_, mut values) = self.table(expr, &self.identity, None)? else { return None };
        values.sort();
        values.dedup();
        Some(values)
    }

    /// The truth of a condition without computed leaves.
    fn atom(&self, condition: &StateExpr, by: &Permutation) -> Option<Form> {
        let truth = Expr::Binary(BinaryOp::NotEqual, Box::new(condition.clone()), Box::new(Expr::Const(0)));
        self.table(&truth, by, None)
    }

    /// The values, of this shape, of an expression without computed leaves.
    fn table(&self, condition: &StateExpr, by: &Permutation, shape: Option<&Shape>) -> Option<Form> {
        let mut leaves: Vec<&StateLeaf> = Vec::new();
        condition.leaves(&mut |leaf| {
            if !leaves.contains(&leaf) {
                leaves.push(leaf);
            }
        });
        let known: Vec<Known> = leaves.iter().map(|leaf| self.known(leaf)).collect::<Option<_>>()?;
        let mut order: Vec<(Leaf, usize)> =
            leaves.iter().enumerate().map(|(i, leaf)| Some((self.image(leaf, by)?, i))).collect::<Option<_>>()?;
        order.sort();
        let sizes: Vec<usize> = order.iter().map(|(_, i)| count(known[*i].domain)).collect();
        let n = sizes.iter().fold(1usize, |n, size| n.saturating_mul(*size));
        if n > MAX_COMBINATIONS {
            let are_fixed = known.iter().all(|known| by.fixes(&known.shape)) && shape.is_none();
            return if are_fixed { Some(Form::Text(self.text(condition, by)?)) } else { None };
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
            let value = condition.eval(&mut |leaf| value(leaf))?;
            table.push(shape.map_or(value, |shape| shape.map_wide(value, by)));
        }
        let leaves = order.into_iter().map(|(leaf, i)| (leaf, known[i].domain.low, known[i].domain.high)).collect();
        Some(Form::Atom(leaves, table))
    }

    fn known(&self, leaf: &StateLeaf) -> Option<Known> {
        let truth = Known { shape: Shape::Plain, domain: Domain::new(0, 1) };
        match leaf {
            StateLeaf::Cell(cell) => {
                let shape = self.automata.scalars.cell(*cell).clone();
                Some(Known { shape, domain: self.automata.cells[*cell].domain })
            }
            StateLeaf::Register(thread, register) => Some(Known {
                shape: self.automata.scalars.register(*thread, *register).clone(),
                domain: self.possible[thread.index()][*register],
            }),
            StateLeaf::At(..) | StateLeaf::Ended(_) | StateLeaf::Performed(_) => Some(truth),
            StateLeaf::Reached { graph, .. } => {
                let all = (1i64 << self.automata.graphs[*graph].nodes.len()) - 1;
                Some(Known { shape: self.objects(*graph)?, domain: Domain::new(0, Value::try_from(all).ok()?) })
            }
            StateLeaf::Pending { value: Some(_), .. } => Some(truth),
            StateLeaf::Pending { value: None, .. } => Some(Known { domain: Domain::new(0, MAX_PENDING), ..truth }),
            StateLeaf::Oldest { place, .. } => match cell_of(place)? {
                Some(cell) => self.known(&StateLeaf::Cell(cell)),
                None => Some(Known { domain: Domain::new(-1, -1), ..truth }),
            },
            StateLeaf::CellAt { .. } | StateLeaf::Old(_) => None,
        }
    }

    /// The image of a leaf that is not computed.
    fn image(&self, leaf: &StateLeaf, by: &Permutation) -> Option<Leaf> {
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
            StateLeaf::Reached { graph, from } => {
                let shape = self.objects(*graph)?;
                let from = self.table(from, by, Some(&shape))?;
                Some(Leaf::Reached(self.graph(*graph, &shape, by)?, Box::new(from)))
            }
            StateLeaf::Pending { thread: t, place, value } => {
                let cell = cell_of(place)?;
                let shape = cell.map_or(&Shape::Plain, |cell| self.automata.scalars.cell(cell));
                let value = match value.as_deref() {
                    Some(Expr::Const(value)) => Some(shape.map_wide(*value, by)),
                    Some(_) => return None,
                    None => None,
                };
                Some(Leaf::Pending(thread(t), cell.map(|cell| by.cells[cell]), value))
            }
            StateLeaf::Oldest { thread: t, place } => {
                Some(Leaf::Oldest(thread(t), cell_of(place)?.map(|cell| by.cells[cell])))
            }
            StateLeaf::CellAt { .. } | StateLeaf::Old(_) => None,
        }
    }

    /// What sets of a graph's objects are.
    fn objects(&self, graph: GraphId) -> Option<Shape> {
        let field = self.automata.graphs[graph].nodes.iter().flat_map(|node| &node.fields).next()?;
        let (object, _) = self.automata.scalars.cells.get(*field)?.indices.first()?;
        Some(Shape::Set { low: 0, of: Box::new(object.clone()) })
    }

    /// The image of a graph: its objects in the order of their images.
    fn graph(&self, graph: GraphId, shape: &Shape, by: &Permutation) -> Option<Vec<Object>> {
        let nodes = &self.automata.graphs[graph].nodes;
        let mut objects = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            let mut fields: Vec<CellId> = node.fields.iter().map(|cell| by.cells[*cell]).collect();
            fields.sort();
            let condition = match &node.condition {
                Some(condition) => Some(self.form(condition, by)?),
                None => None,
            };
            let image = shape.map(1 << i, by).trailing_zeros() as usize;
            *objects.get_mut(image)? = Some((fields, condition));
        }
        objects.into_iter().collect()
    }

    /// The text of an atom of the image.
    fn text(&self, atom: &StateExpr, by: &Permutation) -> Option<String> {
        Some(match atom {
            Expr::Const(value) => value.to_string(),
            Expr::Leaf(leaf) => format!("{:?}", self.image(leaf, by)?),
            Expr::Unary(op, inner) => format!("{op:?}({})", self.text(inner, by)?),
            Expr::Binary(op, left, right) => format!("{op:?}({}, {})", self.text(left, by)?, self.text(right, by)?),
        })
    }
}

/// For each value of the image, the value that it is the image of; none if the domain is not mapped to itself.
fn origins(known: &Known, by: &Permutation) -> Option<Vec<Value>> {
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

/// What a leaf is computed from, if it is: its place first.
fn computed_from(leaf: &StateLeaf) -> Option<&StateExpr> {
    let unless_known = |expr: &'_ StateExpr| !matches!(expr, Expr::Const(_));
    match leaf {
        StateLeaf::CellAt { index, .. } => Some(index),
        StateLeaf::Pending { place, .. } | StateLeaf::Oldest { place, .. } if unless_known(&place.index) => {
            Some(&place.index)
        }
        StateLeaf::Pending { value: Some(value), .. } if unless_known(value) => Some(value),
        _ => None,
    }
}

/// The cell of a place whose index is known; there may be none.
fn cell_of(place: &StatePlace) -> Option<Option<CellId>> {
    match *place.index {
        Expr::Const(index) => Some(place.cell(index)),
        _ => None,
    }
}

/// A place with its index known.
fn known_place(place: &StatePlace, index: Wide) -> StatePlace {
    StatePlace { index: Box::new(Expr::constant(index)), ..place.clone() }
}

/// A computed leaf, with the value that it is computed from known.
fn known_leaf(leaf: &StateLeaf, value: Wide) -> StateExpr {
    match leaf {
        StateLeaf::CellAt { base, stride, count, .. } => match u32::try_from(value) {
            Ok(index) if index < *count => Expr::Leaf(StateLeaf::Cell(CellId(base.0 + index * stride))),
            _ => Expr::Const(NO_VALUE),
        },
        StateLeaf::Oldest { thread, place } => {
            Expr::Leaf(StateLeaf::Oldest { thread: *thread, place: known_place(place, value) })
        }
        StateLeaf::Pending { thread, place, value: wanted } => {
            let is_placed = matches!(*place.index, Expr::Const(_));
            let wanted = if is_placed { Some(Box::new(Expr::constant(value))) } else { wanted.clone() };
            let place = if is_placed { place.clone() } else { known_place(place, value) };
            Expr::Leaf(StateLeaf::Pending { thread: *thread, place, value: wanted })
        }
        _ => Expr::Leaf(leaf.clone()),
    }
}

/// A computed leaf that is computed from none, if there is a computed leaf.
fn computed<'a>(automata: &'a Automata, condition: &'a StateExpr) -> Option<&'a StateLeaf> {
    let mut found = None;
    condition.leaves(&mut |leaf| {
        if found.is_none() {
            let within = match leaf {
                // The conditions of a graph have forms of their own.
                StateLeaf::Reached { from, .. } => computed(automata, from),
                _ => automata.held(leaf).into_iter().find_map(|held| computed(automata, held)),
            };
            found = within.or(computed_from(leaf).map(|_| leaf));
        }
    });
    found
}

/// The condition with `new` in place of `leaf`, within other leaves too.
fn replace(condition: &StateExpr, leaf: &StateLeaf, new: &StateExpr) -> StateExpr {
    let within = |inner: &StateExpr| Box::new(replace(inner, leaf, new));
    match condition {
        Expr::Leaf(l) if l == leaf => new.clone(),
        Expr::Leaf(StateLeaf::CellAt { base, stride, count, index }) => {
            Expr::Leaf(StateLeaf::CellAt { base: *base, stride: *stride, count: *count, index: within(index) })
        }
        Expr::Leaf(StateLeaf::Reached { graph, from }) => {
            Expr::Leaf(StateLeaf::Reached { graph: *graph, from: within(from) })
        }
        Expr::Leaf(StateLeaf::Oldest { thread, place }) => {
            let place = StatePlace { index: within(&place.index), ..place.clone() };
            Expr::Leaf(StateLeaf::Oldest { thread: *thread, place })
        }
        Expr::Leaf(StateLeaf::Pending { thread, place, value }) => {
            let place = StatePlace { index: within(&place.index), ..place.clone() };
            let value = value.as_ref().map(|value| within(value));
            Expr::Leaf(StateLeaf::Pending { thread: *thread, place, value })
        }
        Expr::Const(_) | Expr::Leaf(_) => condition.clone(),
        Expr::Unary(op, inner) => Expr::Unary(*op, within(inner)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, within(a), within(b)),
    }
}
