//! Points under construction, with open ends.
//!
//! A hole is a way out of a point that does not lead anywhere yet. The next point emitted fills all
//! open holes; so no point is ever made only to jump. While there is no hole, control cannot get here,
//! and nothing is emitted. A label travels with the holes to the point they come to lead to.

use automata::scalars::Shape;
use automata::{Access, Action, Begin, Domain, Expr, Kept, Point, PointId, RegId, Region, Register, Value, Wait};
use base::table::Id;
use base::{Span, Table};
use rustc_hash::FxHashMap;

/// A way out of a point.
#[derive(Clone, Copy)]
enum Slot {
    Entry,
    Next(PointId),
    Then(PointId),
    Otherwise(PointId),
    Option(PointId, usize),
    Handler(PointId),
}

/// A way out that is open, with the labels that its target will get.
#[derive(Clone)]
pub(crate) struct Hole {
    slot: Slot,
    labels: Vec<String>,
}

/// Open ways out.
pub(crate) type Holes = Vec<Hole>;

/// A point that is not known yet.
pub(crate) const OPEN: PointId = PointId(u32::MAX);

/// One thread's automaton so far.
pub(crate) struct Builder {
    points: Table<PointId, Point>,
    registers: Table<RegId, Register>,
    /// What each register's values are.
    shapes: Table<RegId, Shape>,
    entry: PointId,
    /// The ways that lead to what is emitted next.
    pub(crate) holes: Holes,
    /// The procedures being inlined, outermost first.
    pub(crate) procs: Vec<String>,
    n_temporaries: usize,
    names: FxHashMap<String, usize>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Builder {
            points: Table::new(),
            registers: Table::new(),
            shapes: Table::new(),
            entry: OPEN,
            holes: vec![Hole { slot: Slot::Entry, labels: Vec::new() }],
            procs: Vec::new(),
            n_temporaries: 0,
            names: FxHashMap::default(),
        }
    }

    /// Whether control can get here.
    pub(crate) fn is_reachable(&self) -> bool {
        !self.holes.is_empty()
    }

    /// The number of points so far, which is the id of the next.
    pub(crate) fn n_points(&self) -> usize {
        self.points.len()
    }

    /// The accesses at the points from `first` on.
    pub(crate) fn accesses_since(&self, first: usize) -> impl Iterator<Item = &Access> {
        self.points.values().skip(first).filter_map(|point| match &point.action {
            Action::Access(access) => Some(access),
            _ => None,
        })
    }

    /// Makes the region that is entered at `point` unordered.
    pub(crate) fn wait_for_walls(&mut self, point: usize) {
        let entered = self.points.values_mut().nth(point).map(|point| &mut point.action);
        if let Some(Action::Enter(Region::Atomic(wait) | Region::Direct(wait))) = entered {
            *wait = Wait::Walls;
        }
    }

    /// Takes all open holes away: what follows is reached only by holes put back.
    pub(crate) fn take(&mut self) -> Holes {
        std::mem::take(&mut self.holes)
    }

    /// Names the point that the open holes come to lead to.
    pub(crate) fn label(&mut self, label: &str) {
        for hole in &mut self.holes {
            hole.labels.push(label.to_string());
        }
    }

    /// Whether an open hole has a label that no point has got yet.
    pub(crate) fn is_labelled(&self) -> bool {
        self.holes.iter().any(|hole| !hole.labels.is_empty())
    }

    /// Emits a point that continues at the next one.
    pub(crate) fn emit(&mut self, action: Action, span: Span) {
        if let Some(point) = self.push(action, span) {
            self.open(Slot::Next(point));
        }
    }

    /// Emits a branch; gives the ways on if the condition is true, and if it is false.
    pub(crate) fn branch(&mut self, condition: Expr, span: Span) -> (Holes, Holes) {
        let action = Action::Branch { condition, then: OPEN, otherwise: OPEN };
        let Some(point) = self.push(action, span) else { return (Vec::new(), Vec::new()) };
        let hole = |slot| vec![Hole { slot, labels: Vec::new() }];
        (hole(Slot::Then(point)), hole(Slot::Otherwise(point)))
    }

    /// Emits a choice of `n` ways; gives each of them.
    pub(crate) fn choose(&mut self, n: usize, span: Span) -> Vec<Holes> {
        let Some(point) = self.push(Action::Choose(vec![OPEN; n]), span) else { return vec![Vec::new(); n] };
        (0..n).map(|i| vec![Hole { slot: Slot::Option(point, i), labels: Vec::new() }]).collect()
    }

    /// Emits the beginning of a transaction; gives the way on if it aborts.
    pub(crate) fn begin(&mut self, begin: Begin, span: Span) -> Holes {
        let Some(point) = self.push(Action::Begin(begin), span) else { return Vec::new() };
        self.open(Slot::Next(point));
        vec![Hole { slot: Slot::Handler(point), labels: Vec::new() }]
    }

    /// Emits an abort of the transaction around: nothing continues from there.
    pub(crate) fn abort(&mut self, code: Value, span: Span) {
        self.push(Action::Abort(code), span);
    }

    /// Ends the thread here.
    pub(crate) fn halt(&mut self, span: Span) {
        self.push(Action::Halt, span);
    }

    /// Lets the holes lead to a point that exists.
    pub(crate) fn fill(&mut self, holes: Holes, target: PointId) {
        for hole in holes {
            match hole.slot {
                Slot::Entry => self.entry = target,
                Slot::Next(point) => self.points[point].next = target,
                Slot::Then(point) => {
                    if let Action::Branch { then, .. } = &mut self.points[point].action {
                        *then = target;
                    }
                }
                Slot::Otherwise(point) => {
                    if let Action::Branch { otherwise, .. } = &mut self.points[point].action {
                        *otherwise = target;
                    }
                }
                Slot::Handler(point) => {
                    if let Action::Begin(begin) = &mut self.points[point].action {
                        begin.handler = target;
                    }
                }
                Slot::Option(point, i) => {
                    if let Action::Choose(options) = &mut self.points[point].action {
                        options[i] = target;
                    }
                }
            }
            let labels = &mut self.points[target].labels;
            for label in hole.labels {
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
    }

    fn push(&mut self, action: Action, span: Span) -> Option<PointId> {
        let holes = self.take();
        if holes.is_empty() {
            return None;
        }
        let next = PointId::new(self.points.len());
        let point = self.points.push(Point { action, next, span, labels: Vec::new(), procs: self.procs.clone() });
        self.fill(holes, point);
        Some(point)
    }

    fn open(&mut self, slot: Slot) {
        self.holes.push(Hole { slot, labels: Vec::new() });
    }

    /// A register for a value that the source does not name.
    pub(crate) fn temporary(&mut self, domain: Domain) -> RegId {
        let name = format!("%{}", self.n_temporaries);
        self.n_temporaries += 1;
        self.shapes.push(Shape::Plain);
        self.registers.push(Register { name, domain, init: 0, names: Vec::new() })
    }

    /// A register for a name of the source; `x#2` if there is an `x` already.
    pub(crate) fn register(&mut self, name: String, domain: Domain, names: Vec<(Value, String)>) -> RegId {
        let n = self.names.entry(name.clone()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { name } else { format!("{name}#{n}") };
        self.shapes.push(Shape::Plain);
        self.registers.push(Register { name, domain, init: domain.low, names })
    }

    /// Lets a register start with a value.
    pub(crate) fn start_with(&mut self, register: RegId, init: Value) {
        self.registers[register].init = init;
    }

    /// Says what a register's values are.
    pub(crate) fn set_shape(&mut self, register: RegId, shape: Shape) {
        self.shapes[register] = shape;
    }

    /// What a register's values are.
    pub(crate) fn shape(&self, register: RegId) -> Shape {
        self.shapes[register].clone()
    }

    /// What all registers' values are.
    pub(crate) fn take_shapes(&mut self) -> Table<RegId, Shape> {
        std::mem::take(&mut self.shapes)
    }

    /// The domain of a register.
    pub(crate) fn domain(&self, register: RegId) -> Domain {
        self.registers[register].domain
    }

    /// Ends the thread at whatever is open, and gives its automaton.
    pub(crate) fn finish(mut self, span: Span, observed: Vec<RegId>) -> automata::Automaton {
        self.halt(span);
        for point in self.points.values_mut() {
            if let Action::Choose(ways) = &mut point.action {
                ways.sort();
                ways.dedup();
            }
        }
        automata::Automaton {
            points: self.points,
            entry: self.entry,
            registers: self.registers,
            observed,
            kept: Kept::Nothing,
        }
    }
}
