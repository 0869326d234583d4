//! The ways through one step, with what each keeps: the objects that it dereferences, what it asks about, what it puts into sets.

use super::footprint::family;
use super::kept::{Held, Kept, Registers, Sort, Sorts};
use super::texts::Texts;
use crate::layout::is_part_of_step_before;
use crate::problem::Problem;
use crate::step::{StepKind, StepOf};
use automata::scalars::{Shape, SortId};
use automata::{Access, Action, Automaton, BinaryOp, Domain, Expr, Op, PointId, RegId, ThreadId};
use base::Span;
use std::collections::BTreeSet;

/// Between the name of a cell and where it is read.
const READ: &str = " read at ";

/// So many ways are looked at.
const MAX_WAYS: usize = 512;

/// One way through a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// Where the thread is after it.
    pub(crate) end: Option<PointId>,
    pub(crate) registers: Registers,
    pub(crate) kept: Kept,
    pub(crate) written: BTreeSet<u32>,
    /// Queues whose oldest element is taken away, by the statement.
    pub(crate) popped: Vec<(u32, Span)>,
    /// What is read, by the place in the text.
    pub(crate) read: Vec<(u32, Span)>,
    /// What is known not to be in a queue: the element and the queue's cell.
    absent: Vec<(String, String)>,
    passed: BTreeSet<PointId>,
    is_inside: bool,
}

impl Way {
    /// Whether it, or a condition that reads these families, looks at a queue whose oldest element it takes away.
    pub(crate) fn reads_what_it_pops(&self, read: &[u32]) -> bool {
        self.popped.iter().any(|(family, stmt)| {
            let is_within = |span: &Span| stmt.contains(*span);
            let is_read = self.read.iter().any(|(of, span)| of == family && !is_within(span));
            is_read || read.contains(family)
        })
    }
}

/// One step being walked through.
pub(crate) struct Walk<'a> {
    pub(crate) problem: &'a Problem<'a>,
    pub(crate) sorts: &'a Sorts<'a>,
    pub(crate) texts: &'a Texts<'a>,
    pub(crate) thread: ThreadId,
    /// The sorts of the program by those of the automata.
    pub(crate) sort_of: &'a dyn Fn(SortId) -> Option<Sort>,
    ways: Vec<Way>,
}

type Result<T> = std::result::Result<T, String>;

/// All ways through `step`, or why they are not understood.
pub(crate) fn ways<'a>(
    problem: &'a Problem<'a>,
    (sorts, texts): (&'a Sorts<'a>, &'a Texts<'a>),
    sort_of: &'a dyn Fn(SortId) -> Option<Sort>,
    step: &StepOf,
) -> Result<Vec<Way>> {
    let mut walk = Walk { problem, sorts, texts, thread: step.thread, sort_of, ways: Vec::new() };
    let start = Way { registers: start(problem, sort_of, step.thread), ..Way::default() };
    match &step.kind {
        StepKind::Point(point) => walk.at(*point, start)?,
        StepKind::Interference { .. } => {
            unreachable!("where threads are looked at one by one, nothing is said of greater scopes")
        }
        StepKind::Commit { cells, .. } => {
            let mut way = start;
            for cell in cells {
                way.written.insert(family(problem.automata, *cell));
                for (shape, _) in problem.automata.scalars.cells.get(*cell).map_or(&[][..], |role| &role.indices[..]) {
                    if let Some(sort) = walk.element(shape) {
                        way.kept.keep(sort, "where the oldest store goes");
                    }
                }
            }
            walk.ways.push(way);
        }
    }
    Ok(walk.ways)
}

/// What the registers of a thread hold before a step.
pub(crate) fn start(problem: &Problem<'_>, sort_of: &dyn Fn(SortId) -> Option<Sort>, thread: ThreadId) -> Registers {
    let registers = problem.automata.threads[thread].automaton.registers.ids().map(|register| {
        let name = format!("register {register} before");
        let is_element = match problem.automata.scalars.register(thread, register) {
            Shape::Element(sort) => sort_of(*sort).is_some(),
            _ => false,
        };
        (register, if is_element { Held::Element(name) } else { Held::Other(name) })
    });
    registers.collect()
}

impl<'a> Walk<'a> {
    fn automaton(&self) -> &'a Automaton {
        &self.problem.automata.threads[self.thread].automaton
    }

    fn shape(&self, register: RegId) -> &'a Shape {
        self.problem.automata.scalars.register(self.thread, register)
    }

    fn element(&self, shape: &Shape) -> Option<Sort> {
        if let Shape::Element(sort) = shape { (self.sort_of)(*sort) } else { None }
    }

    fn finish(&mut self, mut way: Way, end: PointId) -> Result<()> {
        way.end = Some(end);
        self.ways.push(way);
        if self.ways.len() > MAX_WAYS { Err("a step with very many ways".into()) } else { Ok(()) }
    }

    fn at(&mut self, point: PointId, mut way: Way) -> Result<()> {
        if !way.passed.insert(point) {
            return Err("a loop inside one step: it may touch any number of objects".into());
        }
        let at = &self.automaton().points[point];
        match &at.action {
            Action::Access(access) => self.access(&mut way, point, access)?,
            Action::Compute { dst, value } => self.compute(&mut way, point, *dst, value)?,
            Action::Branch { condition, then, otherwise } => {
                self.evaluate(&mut way, point, condition)?;
                let mut no = way.clone();
                self.remember_absent(&mut no, point, condition);
                self.go_on(*then, way)?;
                return self.go_on(*otherwise, no);
            }
            Action::Choose(options) => {
                let n = if self.texts.chooses(at.span) { 1 } else { options.len() };
                return options.iter().take(n).try_for_each(|option| self.go_on(*option, way.clone()));
            }
            Action::Assert { condition, .. }
            | Action::Assume(condition)
            | Action::Discard(condition)
            | Action::Cover { condition, .. } => {
                if !matches!(condition, Expr::Const(_)) {
                    self.evaluate(&mut way, point, condition)?;
                }
            }
            Action::Enter(_) => way.is_inside = true,
            Action::Leave => way.is_inside = false,
            Action::Halt => return self.finish(way, point),
            Action::Begin(_) | Action::Commit | Action::Abort(_) => return Err("a transaction".into()),
            Action::Fence(_) | Action::Safepoint | Action::Perform => {}
        }
        self.go_on(at.next, way)
    }

    fn go_on(&mut self, next: PointId, way: Way) -> Result<()> {
        let automaton = self.automaton();
        if way.is_inside {
            return self.at(next, way);
        }
        if !is_part_of_step_before(automaton, next) {
            return self.finish(way, next);
        }
        if let Action::Assume(condition) = &automaton.points[next].action {
            let mut waiting = way.clone();
            if !matches!(condition, Expr::Const(_)) {
                self.evaluate(&mut waiting, next, condition)?;
            }
            self.finish(waiting, next)?;
        }
        self.at(next, way)
    }

    /// The elements that an expression is computed from are kept.
    fn keep_leaves(&self, way: &mut Way, expr: &Expr) -> Result<()> {
        let mut leaves = Vec::new();
        expr.leaves(&mut |register| leaves.push(*register));
        leaves.into_iter().try_for_each(|register| self.keep(way, register))
    }

    fn keep(&self, way: &mut Way, register: RegId) -> Result<()> {
        let shape = self.shape(register);
        let Some(sort) = self.element(shape) else {
            let is_understood = !matches!(shape, Shape::Word(parts) if parts.is_empty());
            return if is_understood { Ok(()) } else { Err("a word".into()) };
        };
        match way.registers.get(&register) {
            Some(Held::Element(name)) => way.kept.keep(sort, name.clone()),
            Some(Held::Null) => {}
            _ => return Err("a register whose value is not followed".into()),
        }
        Ok(())
    }

    /// A condition, or what a register gets: all that it asks about is kept.
    fn evaluate(&self, way: &mut Way, point: PointId, expr: &Expr) -> Result<()> {
        let needs = self.texts.needs(self.sorts, self.automaton().points[point].span)?;
        if needs.pops {
            return Err("a step takes a queue's oldest element away, which may be in it twice".into());
        }
        if needs.pushes {
            return Err("a step adds to a queue".into());
        }
        for (i, sort) in needs.witnesses.iter().enumerate() {
            way.kept.keep(*sort, format!("witness {i} at {point}"));
        }
        self.keep_leaves(way, expr)
    }

    fn compute(&self, way: &mut Way, point: PointId, dst: RegId, value: &Expr) -> Result<()> {
        let span = self.automaton().points[point].span;
        let sort = self.element(self.shape(dst));
        let held = match (value, sort) {
            (Expr::Leaf(register), _) => self.copied(way, *register, dst)?,
            (Expr::Binary(BinaryOp::Add, left, right), Some(_)) if **right == Expr::Const(0) => match &**left {
                Expr::Leaf(register) => self.copied(way, *register, dst)?,
                _ => return Err("an element that is computed".into()),
            },
            (Expr::Const(-1), Some(_)) => Held::Null,
            (Expr::Const(_), Some(Sort::Copies(_))) if self.texts.is_self(span) => {
                Held::Element("the acting thread".into())
            }
            (Expr::Const(_), Some(sort)) if self.texts.chooses(span) => {
                let name = format!("chosen at {point}");
                way.kept.keep(sort, name.clone());
                Held::Element(name)
            }
            (Expr::Const(_), None) if self.is_plain(dst) => {
                // A number that is chosen for a value without a name may be a thread.
                if self.texts.chooses(span) && self.automaton().registers[dst].name.starts_with('%') {
                    return Err("a number that is chosen and may be a thread".into());
                }
                Held::Other(format!("constant at {point}"))
            }
            (_, None) => {
                self.evaluate(way, point, value)?;
                Held::Other(format!("computed at {point}"))
            }
            (_, Some(sort)) => {
                let needs = self.texts.needs(self.sorts, span)?;
                if !needs.tops || needs.pops || needs.pushes {
                    return Err("an element that is computed".into());
                }
                let name = format!("the oldest at {point}");
                way.kept.keep(sort, name.clone());
                Held::Element(name)
            }
        };
        way.registers.insert(dst, held);
        Ok(())
    }

    fn is_plain(&self, register: RegId) -> bool {
        *self.shape(register) == Shape::Plain
    }

    /// What a copy of a register holds. What is not kept is `null` only where there may be `null`.
    fn copied(&self, way: &mut Way, from: RegId, to: RegId) -> Result<Held> {
        let registers = &self.automaton().registers;
        if is_optional(registers[from].domain) != is_optional(registers[to].domain) {
            self.keep(way, from)?;
        }
        way.registers.get(&from).cloned().ok_or_else(|| "a register whose value is not followed".into())
    }

    fn access(&self, way: &mut Way, point: PointId, access: &Access) -> Result<()> {
        let automata = self.problem.automata;
        let span = self.automaton().points[point].span;
        for term in &access.address.terms {
            let is_direct = match &term.index {
                Expr::Leaf(_) | Expr::Const(_) => true,
                Expr::Binary(BinaryOp::Subtract, left, right) => {
                    matches!((&**left, &**right), (Expr::Leaf(_), Expr::Const(_)))
                }
                _ => false,
            };
            let mut has_element = false;
            term.index.leaves(&mut |register| has_element |= self.element(self.shape(*register)).is_some());
            if has_element && !is_direct {
                return Err("an address that is computed from elements".into());
            }
            self.keep_leaves(way, &term.index)?;
        }
        let of = family(automata, access.address.base);
        let shape = automata.scalars.cell(access.address.base);
        match &access.op {
            Op::Load => way.read.push((of, span)),
            Op::Store(value) => self.store(way, (point, span), of, access, value)?,
            op => {
                let mut sorts = false;
                shape.sorts(&mut |sort| sorts |= sort.is_none_or(|sort| (self.sort_of)(sort).is_some()));
                if sorts {
                    return Err("an operation that compares and writes elements".into());
                }
                way.read.push((of, span));
                let mut exprs = Vec::new();
                op.exprs(&mut |expr| exprs.push(expr));
                exprs.into_iter().try_for_each(|expr| self.keep_leaves(way, expr))?;
            }
        }
        if access.op.is_write() {
            way.written.insert(of);
            way.absent.clear();
        }
        if let Some(dst) = access.dst {
            let held = match self.element(self.shape(dst)) {
                Some(_) => Held::Element(format!("read at {point}")),
                None => Held::Other(format!("{}{READ}{point}", self.cell(way, access))),
            };
            let cell = automata.cells[access.address.base].domain;
            if let (Held::Element(name), Some(sort)) = (&held, self.element(self.shape(dst)))
                && is_optional(cell) != is_optional(self.automaton().registers[dst].domain)
            {
                way.kept.keep(sort, name.clone());
            }
            way.registers.insert(dst, held);
        }
        Ok(())
    }

    /// A name for a cell.
    fn cell(&self, way: &Way, access: &Access) -> String {
        let mut name = format!("cell {}", access.address.base);
        for term in &access.address.terms {
            term.index.leaves(&mut |register| name += &format!(", {:?}", way.registers.get(register)));
        }
        name
    }

    fn store(
        &self,
        way: &mut Way,
        (point, span): (PointId, Span),
        of: u32,
        access: &Access,
        value: &Expr,
    ) -> Result<()> {
        if self.problem.automata.bus == Some(access.address.base) {
            return Ok(());
        }
        match value {
            Expr::Leaf(register) => {
                let cell = self.problem.automata.cells[access.address.base].domain;
                let is_same = is_optional(cell) == is_optional(self.automaton().registers[*register].domain);
                return if is_same { Ok(()) } else { self.keep(way, *register) };
            }
            Expr::Const(-1) => return Ok(()),
            Expr::Const(_) if *self.problem.automata.scalars.cell(access.address.base) == Shape::Plain => return Ok(()),
            _ => {}
        }
        let needs = self.texts.needs(self.sorts, span)?;
        if needs.pops {
            way.popped.push((of, span));
            return if needs.pushes { Err("a step changes a queue twice".into()) } else { Ok(()) };
        }
        if needs.pushes {
            return self.push(way, access, value);
        }
        if self.element(self.problem.automata.scalars.cell(access.address.base)).is_some() {
            return Err("an element that is computed is stored".into());
        }
        for (i, sort) in needs.witnesses.iter().enumerate() {
            way.kept.keep(*sort, format!("witness {i} at {point}"));
        }
        self.keep_leaves(way, value)
    }

    /// `q = push(q, x)` where `x` is known not to be in `q`.
    fn push(&self, way: &mut Way, access: &Access, value: &Expr) -> Result<()> {
        let (mut elements, mut queues) = (BTreeSet::new(), BTreeSet::new());
        value.leaves(&mut |register| match way.registers.get(register) {
            Some(Held::Element(name)) => drop(elements.insert(name.clone())),
            Some(Held::Other(name)) => drop(queues.insert(source(name))),
            _ => {}
        });
        let (Some(element), Some(queue)) = (elements.pop_first(), queues.pop_first()) else {
            return Err("a step adds to a queue in a way that is not understood".into());
        };
        let is_own = queue == self.cell(way, access) && elements.is_empty() && queues.is_empty();
        if !is_own || !way.absent.contains(&(element, queue)) {
            return Err("a step adds to a queue what may be in it".into());
        }
        self.keep_leaves(way, value)
    }

    /// On the way where `x in q` is false.
    fn remember_absent(&self, way: &mut Way, point: PointId, condition: &Expr) {
        use super::texts::Text;
        use program::typed::{BinaryOp as Word, ExprKind};
        let span = self.automaton().points[point].span;
        let is_in =
            |text: &Text<'_>| matches!(text, Text::Expr(e, _) if matches!(e.kind, ExprKind::Binary(Word::In, ..)));
        if self.texts.at(span).is_empty() || !self.texts.at(span).iter().all(is_in) {
            return;
        }
        let (mut elements, mut held) = (Vec::new(), Vec::new());
        condition.leaves(&mut |register| match way.registers.get(register) {
            Some(Held::Element(name)) => elements.push(name.clone()),
            Some(Held::Other(name)) => held.push(source(name)),
            _ => {}
        });
        elements.dedup();
        held.dedup();
        if let ([element], [queue]) = (&elements[..], &held[..]) {
            way.absent.push((element.clone(), queue.clone()));
        }
    }
}

/// Whether `null` is among the values.
fn is_optional(domain: Domain) -> bool {
    domain.low < 0
}

/// The cell that a value comes from.
fn source(name: &str) -> String {
    name.split(READ).next().unwrap_or(name).to_string()
}
