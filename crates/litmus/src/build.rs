//! A litmus test as automata.

use crate::format::{self, FenceName, Instruction, OrderName, Test};
use crate::ranges;
use automata::{
    Access, Action, Address, AddressTerm, Automata, Automaton, BinaryOp, CasResult, Cell, CellId, CellKind, Domain,
    Expr, FetchOp, Kept, Op, Point, PointId, RegId, Register, Thread, ThreadId,
};
use base::table::Id;
use base::{Span, Table};
use memory::Fence;
use std::collections::BTreeMap;

/// A test as automata, and what its final states show.
pub struct Built {
    /// The system.
    pub automata: Automata,
    /// The variables whose final values are listed, in order.
    pub observed: Vec<Variable>,
    /// Enough room in every queue.
    pub queue_bound: usize,
    /// How many branches a thread has at most.
    pub n_branches: usize,
}

/// Something with a final value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A cell.
    Cell(CellId),
    /// A thread's register.
    Register(ThreadId, RegId),
    /// A register that no instruction writes: it stays 0.
    Unwritten,
}

/// Builds the automata of `test`. An error says what the test names and does not have, or that its values need more than 32 bits.
pub fn build(test: &Test) -> Result<Built, String> {
    let mut automata = Automata::new();
    let domain = ranges::domain(test)?;
    let mut cells = BTreeMap::new();
    for (name, init) in &test.init {
        let cell = Cell::new(name.as_str(), CellKind::Memory, domain, *init);
        cells.insert(name.clone(), automata.cells.push(cell));
    }
    automata.forbid_races();
    let mut registers = Vec::new();
    let (mut queue_bound, mut n_branches) = (1, 0);
    for (n, instructions) in test.threads.iter().enumerate() {
        let mut builder =
            Builder { cells: &cells, points: Table::new(), registers: Table::new(), names: BTreeMap::new(), domain };
        for instruction in instructions {
            builder.instruction(instruction)?;
        }
        let halt = builder.push(Action::Halt);
        // Nothing follows, and every point names one that exists.
        builder.points[halt].next = halt;
        // A read-modify-write may take two places.
        queue_bound = queue_bound.max(2 * builder.points.len() + 1);
        let is_branch = |point: &&Point| matches!(point.action, Action::Branch { .. });
        n_branches = n_branches.max(builder.points.values().filter(is_branch).count());
        let observed = builder.names.values().copied().collect();
        registers.push(builder.names);
        let (points, registers) = (builder.points, builder.registers);
        let automaton = Automaton { points, entry: PointId(0), registers, observed, kept: Kept::Nothing };
        automata.threads.push(Thread::new(format!("P{n}").as_str(), automaton));
    }
    let names = if test.observed.is_empty() { test.init.keys().cloned().collect() } else { test.observed.clone() };
    let observed = names.iter().map(|name| variable(name, &cells, &registers)).collect::<Result<_, _>>()?;
    Ok(Built { automata, observed, queue_bound, n_branches })
}

/// The variable of that name: a cell, or `T:rN`.
pub(crate) fn variable(
    name: &str,
    cells: &BTreeMap<String, CellId>,
    registers: &[BTreeMap<String, RegId>],
) -> Result<Variable, String> {
    let Some((thread, register)) = name.split_once(':') else {
        return cells.get(name).map(|c| Variable::Cell(*c)).ok_or(format!("there is no cell `{name}` in `init`"));
    };
    let index: usize = thread.parse().map_err(|_| format!("`{name}` does not begin with a thread's number"))?;
    let names = registers.get(index).ok_or(format!("`{name}` names a thread that the test does not have"))?;
    Ok(names.get(register).map_or(Variable::Unwritten, |r| Variable::Register(ThreadId(index as u32), *r)))
}

struct Builder<'a> {
    cells: &'a BTreeMap<String, CellId>,
    points: Table<PointId, Point>,
    registers: Table<RegId, Register>,
    names: BTreeMap<String, RegId>,
    domain: Domain,
}

impl Builder<'_> {
    fn push(&mut self, action: Action) -> PointId {
        let next = PointId(self.points.len() as u32 + 1);
        self.points.push(Point { action, next, span: Span::none(), labels: Vec::new(), procs: Vec::new() })
    }

    fn register(&mut self, name: &str) -> RegId {
        if let Some(register) = self.names.get(name) {
            return *register;
        }
        let register =
            self.registers.push(Register { name: name.into(), domain: self.domain, init: 0, names: Vec::new() });
        self.names.insert(name.into(), register);
        register
    }

    /// The cell `loc`; for `x[r]`, the cell `x` or the one behind it.
    fn address(&mut self, loc: &str) -> Result<Address, String> {
        let (name, index) = format::place(loc);
        let base = *self.cells.get(name).ok_or(format!("there is no cell `{name}` in `init`"))?;
        let Some(index) = index else { return Ok(Address::cell(base)) };
        if base.index() + 1 == self.cells.len() {
            return Err(format!("there is no cell behind `{name}` in `init`"));
        }
        let index = Expr::binary(BinaryOp::BitAnd, Expr::Leaf(self.register(index)), Expr::constant(1));
        Ok(Address { base, terms: vec![AddressTerm { index, stride: 1, count: 2 }] })
    }

    fn value(&mut self, val: i32, data_dep: Option<&String>, val_reg: Option<&String>) -> Expr {
        let mut value = Expr::constant(val);
        if let Some(name) = data_dep {
            let r = self.register(name);
            value = Expr::binary(BinaryOp::Add, Expr::binary(BinaryOp::BitXor, Expr::Leaf(r), Expr::Leaf(r)), value);
        }
        if let Some(name) = val_reg {
            value = Expr::binary(BinaryOp::Add, Expr::Leaf(self.register(name)), value);
        }
        value
    }

    fn access(
        &mut self,
        op: Op,
        loc: &str,
        order: OrderName,
        dst: Option<RegId>,
        addr_dep: Option<&String>,
    ) -> Result<(), String> {
        let is_plain = order == OrderName::Na && matches!(op, Op::Load | Op::Store(_));
        let (order, failure_order) = (order.order(), order.of_failure().order());
        let after = addr_dep.map(|name| self.register(name)).into_iter().collect();
        let address = self.address(loc)?;
        self.push(Action::Access(Access { order, failure_order, is_plain, dst, after, ..Access::new(op, address) }));
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), String> {
        match instruction {
            Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg } => {
                let value = self.value(*val, data_dep.as_ref(), val_reg.as_ref());
                self.access(Op::Store(value), loc, *order, None, addr_dep.as_ref())
            }
            Instruction::Load { loc, reg, order, addr_dep } => {
                let dst = self.register(reg);
                self.access(Op::Load, loc, *order, Some(dst), addr_dep.as_ref())
            }
            Instruction::Fence { kind } => {
                self.push(Action::Fence(match kind {
                    FenceName::Full => Fence::Full,
                    FenceName::Acq => Fence::Acquire,
                    FenceName::Rel => Fence::Release,
                    FenceName::Ww => Fence::StoreStore,
                }));
                Ok(())
            }
            Instruction::Branch { on } => {
                let condition = Expr::Leaf(self.register(on));
                let next = PointId(self.points.len() as u32 + 1);
                self.push(Action::Branch { condition, then: next, otherwise: next });
                Ok(())
            }
            Instruction::If { reg, eq, then } => {
                let condition = Expr::binary(BinaryOp::Equal, Expr::Leaf(self.register(reg)), Expr::constant(*eq));
                let branch = self.push(Action::Choose(Vec::new()));
                for instruction in then {
                    self.instruction(instruction)?;
                }
                let otherwise = PointId(self.points.len() as u32);
                let then = PointId(branch.0 + 1);
                self.points[branch].action = Action::Branch { condition, then, otherwise };
                Ok(())
            }
            Instruction::Swap { loc, val, reg, order, data_dep } => {
                let value = self.value(*val, data_dep.as_ref(), None);
                let dst = self.register(reg);
                self.access(Op::Swap(value), loc, *order, Some(dst), None)
            }
            Instruction::Fadd { loc, val, reg, order, data_dep } => {
                let value = self.value(*val, data_dep.as_ref(), None);
                let dst = self.register(reg);
                self.access(Op::Fetch(FetchOp::Add, value), loc, *order, Some(dst), None)
            }
            Instruction::Cas { loc, expect, new, reg, order, failure } => {
                let (expected, new) = (Expr::constant(*expect), Expr::constant(*new));
                let (address, dst) = (self.address(loc)?, Some(self.register(reg)));
                let op = Op::Cas { expected, new, result: CasResult::Old };
                let failure_order = failure.unwrap_or(order.of_failure()).order();
                let order = order.order();
                self.push(Action::Access(Access { order, failure_order, dst, ..Access::new(op, address) }));
                Ok(())
            }
            Instruction::Ll { loc, reg, order } => {
                let dst = self.register(reg);
                self.access(Op::LoadLinked, loc, *order, Some(dst), None)
            }
            Instruction::Sc { loc, val, status, order, val_reg, data_dep } => {
                let value = self.value(*val, data_dep.as_ref(), val_reg.as_ref());
                let dst = self.register(status);
                self.access(Op::StoreConditional(value), loc, *order, Some(dst), None)?;
                // The format says 0 for success, the machine 1.
                let value = Expr::binary(BinaryOp::Subtract, Expr::Const(1), Expr::Leaf(dst));
                self.push(Action::Compute { dst, value });
                Ok(())
            }
        }
    }
}
