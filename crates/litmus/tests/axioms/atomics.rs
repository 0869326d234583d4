//! Random litmus tests of atomics: two to four threads, all orders, fences, read-modify-writes, CAS with orders for failure.

use litmus::{FenceName, Instruction, OrderName, Test};

/// Random numbers from a seed (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    /// A number less than `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What a test prefers.
#[derive(Clone, Copy)]
struct Flavour {
    /// In percent: how often an access is seq_cst, how often an instruction is a fence, a full one, a read-modify-write.
    sc: usize,
    fence: usize,
    full: usize,
    rmw: usize,
}

const FLAVOURS: [Flavour; 5] = [
    Flavour { sc: 20, fence: 15, full: 33, rmw: 20 },
    Flavour { sc: 70, fence: 5, full: 50, rmw: 10 },
    Flavour { sc: 0, fence: 35, full: 90, rmw: 10 },
    Flavour { sc: 40, fence: 25, full: 90, rmw: 5 },
    Flavour { sc: 0, fence: 20, full: 10, rmw: 25 },
];

struct Generator {
    random: Random,
    flavour: Flavour,
    n_cells: usize,
    n_registers: usize,
    n_writes: i32,
    n_reads: i32,
    n_sums: i32,
}

/// More make too many candidates.
const MOST_INSTRUCTIONS: usize = 9;
const MOST_READS: i32 = 4;
const MOST_WRITES: i32 = 4;
const MOST_SUMS: i32 = 1;

/// The test of that number.
pub(crate) fn test(seed: u64) -> Test {
    let mut random = Random(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    let (n_threads, n_cells) = (2 + random.below(3), 1 + random.below(3));
    let flavour = random.pick(&FLAVOURS);
    let mut generator = Generator { random, flavour, n_cells, n_registers: 0, n_writes: 0, n_reads: 0, n_sums: 0 };
    let longest = [0, 0, 5, 4, 3][n_threads];
    let mut observed = Vec::new();
    let mut threads = Vec::new();
    let mut rest = MOST_INSTRUCTIONS;
    for thread in 0..n_threads {
        generator.n_registers = 0;
        let n = (1 + generator.random.below(longest)).min(rest);
        rest -= n;
        threads.push((0..n).map(|_| generator.instruction(true)).collect());
        observed.extend((0..generator.n_registers).map(|r| format!("{thread}:r{r}")));
    }
    let cells = ["x", "y", "z"].iter().take(n_cells);
    observed.extend(cells.clone().map(|cell| cell.to_string()));
    let init = cells.map(|cell| (cell.to_string(), 0)).collect();
    Test { name: format!("random {seed}"), init, threads, exists: Vec::new(), observed }
}

/// The test of that number, some of whose accesses are not atomic.
pub(crate) fn with_plain_accesses(seed: u64) -> Test {
    let (mut test, mut random) = (test(seed), Random(!seed));
    let cell = random.pick(&["x", "y", "z"]);
    for instruction in test.threads.iter_mut().flatten().map(inner) {
        if let Instruction::Load { loc, order, .. } | Instruction::Store { loc, order, .. } = instruction
            && loc == cell
            && random.below(100) < 60
        {
            *order = OrderName::Na;
        }
    }
    test
}

/// What an `if` decides about, or the instruction itself.
fn inner(instruction: &mut Instruction) -> &mut Instruction {
    match instruction {
        Instruction::If { then, .. } => &mut then[0],
        instruction => instruction,
    }
}

/// A test in which a plain cell is handed over: whoever reads a value of `y` may access `x`.
pub(crate) fn message(seed: u64) -> Test {
    use OrderName::{Acq, AcqRel, Na, Rel, Rlx, Sc};
    let mut random = Random(seed.wrapping_mul(0xA24B_AED4_963E_E407));
    let fence = |random: &mut Random, kind| {
        let is_full = random.below(4) == 0;
        let kind = if is_full { FenceName::Full } else { kind };
        (random.below(2) == 0).then_some(Instruction::Fence { kind })
    };
    let store = |loc: &str, val, order| Instruction::Store {
        loc: loc.into(),
        val,
        order,
        data_dep: None,
        addr_dep: None,
        val_reg: None,
    };
    let load = |loc: &str, order| Instruction::Load { loc: loc.into(), reg: "r0".into(), order, addr_dep: None };
    let mut writer = vec![store("x", 1, Na)];
    writer.extend(fence(&mut random, FenceName::Rel));
    writer.push(store("y", 1, random.pick(&[Rlx, Rel, Sc])));
    if random.below(3) == 0 {
        writer.push(store("y", 2, random.pick(&[Rlx, Rel, Na])));
    }
    let mut reader = vec![load("y", random.pick(&[Rlx, Acq, Sc]))];
    reader.extend(fence(&mut random, FenceName::Acq));
    let access = if random.below(2) == 0 { store("x", 3, random.pick(&[Na, Rlx])) } else { load("x", Na) };
    let eq = 1 + random.below(3) as i32;
    reader.push(Instruction::If { reg: "r0".into(), eq, then: vec![access] });
    let mut threads = vec![writer, reader];
    if random.below(2) == 0 {
        let order = random.pick(&[Rlx, Acq, Rel, AcqRel]);
        let (loc, reg) = ("y".to_string(), "r0".to_string());
        threads.push(vec![Instruction::Cas { loc, expect: 1, new: 3, reg, order, failure: None }]);
    }
    let init = [("x".to_string(), 0), ("y".to_string(), 0)].into_iter().collect();
    let observed = vec!["1:r0".into(), "x".into(), "y".into()];
    Test { name: format!("message {seed}"), init, threads, exists: Vec::new(), observed }
}

impl Generator {
    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn cell(&mut self) -> String {
        let n = self.n_cells;
        ["x", "y", "z"][self.random.below(n)].into()
    }

    fn register(&mut self) -> String {
        self.n_registers += 1;
        self.n_reads += 1;
        format!("r{}", self.n_registers - 1)
    }

    fn value(&mut self) -> i32 {
        self.n_writes += 1;
        if self.chance(70) { self.n_writes } else { 1 }
    }

    fn order(&mut self, others: &[OrderName]) -> OrderName {
        if self.chance(self.flavour.sc) { OrderName::Sc } else { self.random.pick(others) }
    }

    fn fence(&mut self) -> Instruction {
        let full = self.chance(self.flavour.full);
        let kind = if full { FenceName::Full } else { self.random.pick(&[FenceName::Acq, FenceName::Rel]) };
        Instruction::Fence { kind }
    }

    fn instruction(&mut self, may_branch: bool) -> Instruction {
        use OrderName::{Acq, AcqRel, Rel, Rlx};
        if self.chance(self.flavour.fence) {
            return self.fence();
        }
        if may_branch && self.n_registers > 0 && self.chance(8) {
            let reg = format!("r{}", self.random.below(self.n_registers));
            let (eq, then) = (self.random.below(2) as i32, vec![self.instruction(false)]);
            return Instruction::If { reg, eq, then };
        }
        let loc = self.cell();
        let (may_read, may_write) = (self.n_reads < MOST_READS, self.n_writes < MOST_WRITES);
        if !may_read && !may_write {
            return self.fence();
        }
        if may_read && may_write && self.chance(self.flavour.rmw) {
            let order = self.order(&[Rlx, Acq, Rel, AcqRel]);
            return self.update(loc, order);
        }
        if may_read && (!may_write || self.chance(50)) {
            let order = self.order(&[Rlx, Rlx, Acq]);
            return Instruction::Load { loc, reg: self.register(), order, addr_dep: None };
        }
        let order = self.order(&[Rlx, Rlx, Rel]);
        let is_sum = self.n_registers > 0 && self.n_sums < MOST_SUMS && self.chance(10);
        self.n_sums += i32::from(is_sum);
        let val_reg = is_sum.then(|| format!("r{}", self.random.below(self.n_registers)));
        Instruction::Store { loc, val: self.value(), order, data_dep: None, addr_dep: None, val_reg }
    }

    fn update(&mut self, loc: String, order: OrderName) -> Instruction {
        let reg = self.register();
        let may_sum = self.n_sums < MOST_SUMS;
        match self.random.below(3) {
            1 if may_sum => {
                self.n_sums += 1;
                Instruction::Fadd { loc, val: self.value(), reg, order, data_dep: None }
            }
            0 => Instruction::Swap { loc, val: self.value(), reg, order, data_dep: None },
            _ => {
                let failure =
                    self.random.pick(&[None, Some(OrderName::Rlx), Some(OrderName::Acq), Some(OrderName::Sc)]);
                let expect = self.random.below(2) as i32;
                Instruction::Cas { loc, expect, new: self.value(), reg, order, failure }
            }
        }
    }
}
