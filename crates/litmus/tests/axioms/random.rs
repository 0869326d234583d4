//! Random litmus programs: two to four short threads over two or three cells.

use litmus::{FenceName, Instruction, OrderName, Test};
use std::collections::BTreeMap;

/// Small numbers without pattern (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const CELLS: [&str; 3] = ["x", "y", "z"];

/// What most accesses are like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accesses {
    /// They name their cells.
    Named,
    /// Some name their cells, some have a register for that: `x[r0]`.
    Computed,
    /// Many are load-linked, store-conditional or CASs.
    Linked,
}

/// A test. Its final states are those of all registers and cells.
pub(crate) fn test(random: &mut Random, accesses: Accesses) -> Test {
    let n_threads = random.one_of(&[2, 2, 2, 3, 3, 4]);
    let n_cells = random.one_of(&[2, 2, 3]);
    let most = [0, 0, 5, 4, 3][n_threads];
    let threads: Vec<Vec<Instruction>> = (0..n_threads)
        .map(|_| {
            let mut thread = Thread { random, n_cells, accesses, registers: 0, linked: None };
            let n = 2 + thread.random.below(most - 1);
            (0..n).map(|_| thread.instruction(true)).collect()
        })
        .collect();
    let init: BTreeMap<String, i32> = CELLS[..n_cells].iter().map(|cell| ((*cell).into(), 0)).collect();
    let registers = threads.iter().enumerate().flat_map(|(t, thread)| {
        let mut names: Vec<String> = thread.iter().flat_map(registers).collect();
        names.dedup();
        names.into_iter().map(move |name| format!("{t}:{name}"))
    });
    let observed = registers.chain(init.keys().cloned()).collect();
    Test { name: "random".into(), init, threads, exists: Vec::new(), observed }
}

/// The registers that an instruction sets.
fn registers(instruction: &Instruction) -> Vec<String> {
    match instruction {
        Instruction::Load { reg, .. } | Instruction::Swap { reg, .. } | Instruction::Fadd { reg, .. } => {
            vec![reg.clone()]
        }
        Instruction::Cas { reg, .. } | Instruction::Ll { reg, .. } => vec![reg.clone()],
        Instruction::Sc { status, .. } => vec![status.clone()],
        Instruction::If { then, .. } => then.iter().flat_map(registers).collect(),
        Instruction::Store { .. } | Instruction::Fence { .. } | Instruction::Branch { .. } => Vec::new(),
    }
}

struct Thread<'a> {
    random: &'a mut Random,
    n_cells: usize,
    accesses: Accesses,
    registers: usize,
    /// The cell of a load-linked whose store-conditional is still to come.
    linked: Option<String>,
}

impl Thread<'_> {
    fn cell(&mut self) -> String {
        CELLS[self.random.below(self.n_cells)].into()
    }

    /// A cell, in some of the cases a computed one.
    fn place(&mut self) -> String {
        let is_computed = self.accesses == Accesses::Computed && self.registers > 0 && self.random.percent(40);
        match is_computed {
            true => format!("{}[r{}]", CELLS[self.random.below(self.n_cells - 1)], self.random.below(self.registers)),
            false => self.cell(),
        }
    }

    fn new_register(&mut self) -> String {
        self.registers += 1;
        format!("r{}", self.registers - 1)
    }

    /// A register that has been set, in some of the cases.
    fn register(&mut self, percent: usize) -> Option<String> {
        (self.registers > 0 && self.random.percent(percent)).then(|| format!("r{}", self.random.below(self.registers)))
    }

    fn order(&mut self, strong: &[OrderName]) -> OrderName {
        if self.random.percent(30) { self.random.one_of(strong) } else { OrderName::Rlx }
    }

    fn instruction(&mut self, may_branch: bool) -> Instruction {
        use OrderName::{Acq, AcqRel, Rel, Sc};
        if let Some(loc) = self.linked.take_if(|_| may_branch && self.random.percent(70)) {
            return self.conditional(loc);
        }
        let val = 1 + self.random.below(2) as i32;
        let updating = [Acq, Rel, AcqRel, Sc];
        let kind = match self.accesses {
            Accesses::Linked if may_branch && self.random.percent(40) => 88 + self.random.below(12),
            _ => self.random.below(if may_branch { 100 } else { 60 }),
        };
        match kind {
            0..35 => {
                let (loc, order, addr_dep) = (self.place(), self.order(&[Acq, Acq, Sc]), self.register(25));
                Instruction::Load { loc, reg: self.new_register(), order, addr_dep }
            }
            35..60 => {
                let (loc, order, addr_dep) = (self.place(), self.order(&[Rel, Rel, Sc]), self.register(10));
                let (data_dep, val_reg) = (self.register(15), self.register(10));
                let data_dep = data_dep.filter(|_| val_reg.is_none());
                Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg }
            }
            60..70 => Instruction::Fence {
                kind: self.random.one_of(&[FenceName::Full, FenceName::Acq, FenceName::Rel, FenceName::Ww]),
            },
            70..75 => match self.register(100) {
                Some(on) => Instruction::Branch { on },
                None => self.instruction(may_branch),
            },
            75..78 => match self.register(100) {
                Some(reg) => Instruction::If { reg, eq: 1, then: vec![self.instruction(false)] },
                None => self.instruction(may_branch),
            },
            78..84 => {
                let (loc, order, data_dep) = (self.place(), self.order(&updating), self.register(20));
                Instruction::Swap { loc, val, reg: self.new_register(), order, data_dep }
            }
            84..88 => {
                let (loc, order, data_dep) = (self.place(), self.order(&updating), self.register(20));
                Instruction::Fadd { loc, val: 1, reg: self.new_register(), order, data_dep }
            }
            88..95 => {
                let (loc, order, expect) = (self.place(), self.order(&updating), self.random.below(2) as i32);
                Instruction::Cas { loc, expect, new: expect + 1, reg: self.new_register(), order, failure: None }
            }
            _ => {
                let (loc, order) = (self.cell(), self.order(&[Acq]));
                self.linked = Some(loc.clone());
                Instruction::Ll { loc, reg: self.new_register(), order }
            }
        }
    }

    fn conditional(&mut self, loc: String) -> Instruction {
        let (order, val_reg, data_dep) = (self.order(&[OrderName::Rel]), self.register(30), self.register(20));
        let data_dep = data_dep.filter(|_| val_reg.is_none());
        Instruction::Sc { loc, val: 1, status: self.new_register(), order, val_reg, data_dep }
    }
}
