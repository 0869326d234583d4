//! What a call of a specification may do: a plain interpreter of procedures on ghosts, in one step, with every choice.
//!
//! A way that waits, or that would violate something, is no way.

use super::values::apply;
use crate::typed::{
    BinaryOp, Expr, ExprKind, LocalId, Place, PlaceRoot, Proc, ProcId, Quantifier, Region, Shared, SharedId,
    SharedKind, Stmt, StmtKind,
};
use crate::types::{Types, Value, Wide};
use base::Table;
use base::table::Id;

/// The values of a specification's ghosts, element by element.
pub(crate) type Ghosts = Vec<Value>;

/// The procedures of a specification with what they act on.
pub(crate) struct Behaviour<'p> {
    pub(crate) types: &'p Types,
    pub(crate) procs: &'p Table<ProcId, Proc>,
    pub(crate) shared: &'p Table<SharedId, Shared>,
    /// The ghosts, each with where its first element is.
    pub(crate) ghosts: Vec<(SharedId, usize)>,
}

/// A call does not end, or executes too much.
#[derive(Debug)]
pub(crate) struct Endless;

#[derive(Clone)]
struct World {
    ghosts: Ghosts,
    locals: Vec<Wide>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return(Wide),
}

type Ways = Result<Vec<(World, Flow)>, Endless>;
type Values<T> = Result<Vec<(World, T)>, Endless>;

/// One call, by a thread of which this is `self`.
struct Run<'b, 'p> {
    behaviour: &'b Behaviour<'p>,
    copy: Wide,
    proc: ProcId,
    /// How many more parts of statements may be executed.
    n_left: &'b mut usize,
}

/// Whether a statement may stand in a specification, which is one step on ghosts.
pub(crate) fn supports(stmt: &Stmt) -> bool {
    let may_stand = match &stmt.kind {
        StmtKind::Region(region, _) => *region == Region::Atomic,
        StmtKind::Store(place, _) => place.kind == SharedKind::Ghost,
        StmtKind::Transaction(_)
        | StmtKind::Abort(_)
        | StmtKind::Fence(_)
        | StmtKind::Discard(_)
        | StmtKind::Cover(..)
        | StmtKind::Safepoint
        | StmtKind::Perform
        | StmtKind::Lock
        | StmtKind::Unlock
        | StmtKind::Stop => false,
        _ => true,
    };
    may_stand && stmt.exprs().into_iter().all(is_of_ghosts)
}

fn is_of_ghosts(expr: &Expr) -> bool {
    let may_stand = match &expr.kind {
        ExprKind::Access(_) => false,
        ExprKind::Load(place) => place.kind == SharedKind::Ghost,
        _ => true,
    };
    may_stand && expr.operands().into_iter().all(is_of_ghosts)
}

impl Behaviour<'_> {
    /// The ghosts' first values.
    pub(crate) fn initial(&self) -> Ghosts {
        let mut all = Vec::new();
        for (id, _) in &self.ghosts {
            let decl = &self.shared[*id];
            let count = decl.index.map_or(1, |index| self.types.range(index).count()) as usize;
            all.extend(decl.init.iter().copied().cycle().take(count));
        }
        all
    }

    /// The ghosts as the language shows them.
    pub(crate) fn show(&self, ghosts: &Ghosts) -> String {
        let shown = |(n, (id, first)): (usize, &(SharedId, usize))| {
            let end = self.ghosts.get(n + 1).map_or(ghosts.len(), |(_, next)| *next);
            let values: Vec<String> =
                ghosts[*first..end].iter().map(|value| self.types.show_value(self.shared[*id].ty, *value)).collect();
            if self.shared[*id].index.is_some() { format!("[{}]", values.join(", ")) } else { values.concat() }
        };
        self.ghosts.iter().enumerate().map(shown).collect::<Vec<_>>().join(" and ")
    }

    /// What a call may lead to: the ghosts after it, and its result (0 if it has none). `n_left` is how much may be executed.
    pub(crate) fn outcomes(
        &self,
        ghosts: &Ghosts,
        proc: ProcId,
        arguments: &[Value],
        (copy, n_left): (u32, &mut usize),
    ) -> Result<Vec<(Ghosts, Value)>, Endless> {
        let mut run = Run { behaviour: self, copy: copy.into(), proc, n_left };
        let arguments = arguments.iter().map(|value| Wide::from(*value)).collect();
        let mut found: Vec<(Ghosts, Value)> = run
            .call(ghosts.clone(), proc, arguments)?
            .into_iter()
            .map(|(ghosts, value)| (ghosts, value as Value))
            .collect();
        found.sort();
        found.dedup();
        Ok(found)
    }
}

impl Run<'_, '_> {
    fn call(&mut self, ghosts: Ghosts, id: ProcId, arguments: Vec<Wide>) -> Result<Vec<(Ghosts, Wide)>, Endless> {
        let proc = &self.behaviour.procs[id];
        let types = self.behaviour.types;
        let mut locals: Vec<Wide> = proc.body.locals.values().map(|local| types.range(local.ty).low.into()).collect();
        for (n, argument) in arguments.into_iter().enumerate() {
            if !types.range(proc.body.locals[LocalId::new(n)].ty).contains(argument) {
                return Ok(Vec::new());
            }
            locals[n] = argument;
        }
        let outer = std::mem::replace(&mut self.proc, id);
        let ways = self.block(&proc.body.block, World { ghosts, locals });
        self.proc = outer;
        let result = |(world, flow): (World, Flow)| match (flow, proc.result) {
            (Flow::Return(value), Some(ty)) => types.range(ty).contains(value).then_some((world.ghosts, value)),
            (_, None) => Some((world.ghosts, 0)),
            _ => None,
        };
        Ok(ways?.into_iter().filter_map(result).collect())
    }

    fn block(&mut self, block: &[Stmt], world: World) -> Ways {
        let mut ways = vec![(world, Flow::Next)];
        for stmt in block {
            let mut after = Vec::new();
            for (world, flow) in ways {
                match flow {
                    Flow::Next => after.extend(self.stmt(stmt, world)?),
                    flow => after.push((world, flow)),
                }
            }
            ways = after;
        }
        Ok(ways)
    }

    fn stmt(&mut self, stmt: &Stmt, world: World) -> Ways {
        self.count()?;
        let next = |worlds: Vec<World>| Ok(worlds.into_iter().map(|world| (world, Flow::Next)).collect());
        match &stmt.kind {
            StmtKind::Set(local, value) => {
                let range = self.range(*local);
                let values = self.expr(value, world)?;
                let fits = values.into_iter().filter(|(_, value)| range.contains(*value));
                next(fits.map(|(world, value)| world.with(*local, value)).collect())
            }
            StmtKind::Store(place, value) => {
                let mut after = Vec::new();
                for (world, slot) in self.slot(place, world)? {
                    for (mut world, value) in self.expr(value, world)? {
                        if let (Some(slot), true) = (slot, self.behaviour.types.range(place.ty).contains(value)) {
                            world.ghosts[slot] = value as Value;
                            after.push(world);
                        }
                    }
                }
                next(after)
            }
            StmtKind::Eval(expr) => next(self.expr(expr, world)?.into_iter().map(|(world, _)| world).collect()),
            StmtKind::Assert(_, condition) | StmtKind::Assume(condition) => {
                let values = self.expr(condition, world)?;
                next(values.into_iter().filter(|(_, value)| *value != 0).map(|(world, _)| world).collect())
            }
            StmtKind::If(condition, then, otherwise) => {
                let mut ways = Vec::new();
                for (world, value) in self.expr(condition, world)? {
                    ways.extend(self.block(if value != 0 { then } else { otherwise }, world)?);
                }
                Ok(ways)
            }
            StmtKind::While(condition, body) => self.repeat(Some(condition), body, world),
            StmtKind::Loop(body) => self.repeat(None, body, world),
            StmtKind::Each(local, body) => self.each(*local, body, world),
            StmtKind::Choose(blocks) => {
                let mut ways = Vec::new();
                for block in blocks {
                    ways.extend(self.block(block, world.clone())?);
                }
                Ok(ways)
            }
            StmtKind::Region(_, body) => self.block(body, world),
            StmtKind::Return(None) => Ok(vec![(world, Flow::Return(0))]),
            StmtKind::Return(Some(value)) => {
                Ok(self.expr(value, world)?.into_iter().map(|(world, value)| (world, Flow::Return(value))).collect())
            }
            StmtKind::Break => Ok(vec![(world, Flow::Break)]),
            StmtKind::Continue => Ok(vec![(world, Flow::Continue)]),
            _ => next(vec![world]),
        }
    }

    fn repeat(&mut self, condition: Option<&Expr>, body: &[Stmt], world: World) -> Ways {
        let (mut ways, mut turns) = (Vec::new(), vec![world]);
        while let Some(world) = turns.pop() {
            self.count()?;
            let values = match condition {
                Some(condition) => self.expr(condition, world)?,
                None => vec![(world, 1)],
            };
            for (world, value) in values {
                if value == 0 {
                    ways.push((world, Flow::Next));
                    continue;
                }
                for (world, flow) in self.block(body, world)? {
                    match flow {
                        Flow::Next | Flow::Continue => turns.push(world),
                        Flow::Break => ways.push((world, Flow::Next)),
                        flow => ways.push((world, flow)),
                    }
                }
            }
        }
        Ok(ways)
    }

    fn each(&mut self, local: LocalId, body: &[Stmt], world: World) -> Ways {
        let (mut ways, mut turns) = (Vec::new(), vec![world]);
        for value in self.range(local).values() {
            let mut after = Vec::new();
            for world in turns {
                for (world, flow) in self.block(body, world.with(local, value.into()))? {
                    match flow {
                        Flow::Next | Flow::Continue => after.push(world),
                        Flow::Break => ways.push((world, Flow::Next)),
                        flow => ways.push((world, flow)),
                    }
                }
            }
            turns = after;
        }
        ways.extend(turns.into_iter().map(|world| (world, Flow::Next)));
        Ok(ways)
    }

    /// Where a ghost's element is among the values; none if there is no such element.
    fn slot(&mut self, place: &Place, world: World) -> Values<Option<usize>> {
        let PlaceRoot::Shared(id) = place.root else { return Ok(Vec::new()) };
        let first = self.behaviour.ghosts.iter().find(|(ghost, _)| *ghost == id).map_or(0, |(_, first)| *first);
        let Some(index) = &place.index else { return Ok(vec![(world, Some(first))]) };
        let range = place.index_range;
        let slot = |index: Wide| range.contains(index).then(|| first + (index - Wide::from(range.low)) as usize);
        Ok(self.expr(index, world)?.into_iter().map(|(world, index)| (world, slot(index))).collect())
    }

    fn count(&mut self) -> Result<(), Endless> {
        *self.n_left = self.n_left.checked_sub(1).ok_or(Endless)?;
        Ok(())
    }

    fn expr(&mut self, expr: &Expr, world: World) -> Values<Wide> {
        self.count()?;
        let one = |world, value| Ok(vec![(world, value)]);
        match &expr.kind {
            ExprKind::Const(value) => one(world, (*value).into()),
            ExprKind::SelfIndex => one(world, self.copy),
            ExprKind::Local(local) => {
                let value = world.locals[local.index()];
                one(world, value)
            }
            ExprKind::Load(place) => {
                let read = |(world, slot): (World, Option<usize>)| {
                    let value = world.ghosts[slot?];
                    Some((world, value.into()))
                };
                Ok(self.slot(place, world)?.into_iter().filter_map(read).collect())
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let (decisive, otherwise) = match op {
                    BinaryOp::And => (false, 0),
                    BinaryOp::Or => (true, 1),
                    _ => (false, 1),
                };
                let mut values = Vec::new();
                for (world, left) in self.expr(left, world)? {
                    if (left != 0) == decisive {
                        values.push((world, otherwise));
                    } else {
                        values.extend(self.expr(right, world)?.into_iter().map(|(w, v)| (w, Wide::from(v != 0))));
                    }
                }
                Ok(values)
            }
            ExprKind::If(condition, then, otherwise) => {
                let mut values = Vec::new();
                for (world, value) in self.expr(condition, world)? {
                    values.extend(self.expr(if value != 0 { then } else { otherwise }, world)?);
                }
                Ok(values)
            }
            ExprKind::Quantified(quantifier, local, body) => {
                let unit = Wide::from(*quantifier == Quantifier::All);
                let mut values = vec![(world, unit)];
                for value in self.range(*local).values() {
                    let mut after = Vec::new();
                    for (world, so_far) in values {
                        for (world, truth) in self.expr(body, world.with(*local, value.into()))? {
                            after.push((world, if (truth != 0) == (unit != 0) { so_far } else { 1 - unit }));
                        }
                    }
                    values = after;
                }
                Ok(values)
            }
            ExprKind::Choose => {
                let range = self.behaviour.types.range(expr.ty);
                Ok(range.values().map(|value| (world.clone(), value.into())).collect())
            }
            ExprKind::ChooseIn(set) => {
                let range = self.behaviour.types.range(expr.ty);
                let mut values = Vec::new();
                for (world, set) in self.expr(set, world)? {
                    let is_in = |value: &Value| set >> (Wide::from(*value) - Wide::from(range.low)) & 1 == 1;
                    values.extend(range.values().filter(is_in).map(|value| (world.clone(), value.into())));
                }
                Ok(values)
            }
            ExprKind::Call(id, arguments) => {
                let mut values = Vec::new();
                for (world, arguments) in self.operands(&arguments.iter().collect::<Vec<_>>(), world)? {
                    for (ghosts, value) in self.call(world.ghosts, *id, arguments)? {
                        values.push((World { ghosts, locals: world.locals.clone() }, value));
                    }
                }
                Ok(values)
            }
            _ => {
                let types = self.behaviour.types;
                let operands = self.operands(&expr.operands(), world)?;
                Ok(operands.into_iter().filter_map(|(w, v)| Some((w, apply(types, expr, &v)?))).collect())
            }
        }
    }

    fn operands(&mut self, operands: &[&Expr], world: World) -> Values<Vec<Wide>> {
        let mut ways = vec![(world, Vec::new())];
        for operand in operands {
            let mut after = Vec::new();
            for (world, before) in ways {
                for (world, value) in self.expr(operand, world)? {
                    after.push((world, before.iter().copied().chain([value]).collect()));
                }
            }
            ways = after;
        }
        Ok(ways)
    }

    fn range(&self, local: LocalId) -> crate::types::Range {
        self.behaviour.types.range(self.behaviour.procs[self.proc].body.locals[local].ty)
    }
}

impl World {
    fn with(mut self, local: LocalId, value: Wide) -> World {
        self.locals[local.index()] = value;
        self
    }
}
