//! Conjuncts as flat code over packed words: no tree is walked and nothing is allocated per state.
//!
//! Values are computed on a small stack. `and`, `or`, `implies` and `not` are jumps, so what does not matter is not looked
//! at. The most frequent question, whether a cell holds a constant, is one instruction.

use crate::properties::conjuncts::{Conjunct, Owner};
use crate::properties::reach::CompiledGraph;
use crate::tabulated::layout::{Layout, Slot};
use automata::{BinaryOp, CellId, Expr, NO_VALUE, StateExpr, StateLeaf, UnaryOp, Value, Wide};
use base::table::Id;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Flat code for a list of conjuncts.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    /// No other code has this number; 0 if there is none.
    pub(crate) number: u32,
    code: Box<[Instruction]>,
    /// Where the cells of computed places are.
    slots: Box<[Slot]>,
    graphs: Box<[Arc<CompiledGraph>]>,
    /// The most values on the stack.
    depth: usize,
}

/// What conjuncts refer to: where cells are, the code of graphs, and numbers for code.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) graphs: &'a [Arc<CompiledGraph>],
    pub(crate) numbers: &'a Numbers,
}

/// What a part of a thread's own state is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Value(Wide),
    /// Still to come.
    ToCome,
    /// The same as what a cell holds.
    Cell(Slot),
}

/// The parts of threads' states: by thread, then by the part's position among those of that thread.
pub(crate) type Views<'a> = [&'a [Part]];

/// Numbers for the code of one system: how many were given.
#[derive(Default)]
pub(crate) struct Numbers(AtomicU32);

impl Numbers {
    /// A number that no other code of the system has; never 0.
    pub(crate) fn next(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Above so many values, the stack is on the heap.
const SMALL: usize = 16;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Const(Wide),
    Cell(Slot),
    /// Replaces an index by the value of the cell there.
    CellAt {
        first: u32,
        count: u32,
    },
    /// Replaces a set by that of all objects reached from it.
    Reached(u32),
    /// A part of a thread's own state.
    Thread {
        thread: u32,
        part: u32,
    },
    Unary(UnaryOp),
    Binary(BinaryOp),
    Jump(u32),
    /// Jumps if the truth of the value is `when`; a value still to come counts as `to_come`.
    Test {
        when: bool,
        to_come: bool,
        target: u32,
    },
    /// Jumps if whether the bits of a word are these is `when`.
    TestBits {
        when: bool,
        word: u32,
        mask: u32,
        bits: u32,
        target: u32,
    },
    /// A conjunct is false.
    Found(Owner),
}

/// Translates conjuncts. `part` says where a part of a thread's state is among the `Views`.
pub(crate) fn translate<'a>(
    conjuncts: impl Iterator<Item = &'a Conjunct>,
    ground: Ground<'_>,
    part: &dyn Fn(&StateLeaf) -> (usize, usize),
) -> Kernel {
    let mut translator = Translator { ground, part, code: Vec::new(), slots: Vec::new(), height: 0, depth: 0 };
    for conjunct in conjuncts {
        let next = translator.jumps(&conjunct.condition, true, true);
        translator.code.push(Instruction::Found(conjunct.owner));
        translator.land(next);
    }
    let Translator { code, slots, depth, .. } = translator;
    let reaches = code.iter().any(|instruction| matches!(instruction, Instruction::Reached(_)));
    let graphs = if reaches { ground.graphs.into() } else { Box::default() };
    let number = if code.is_empty() { 0 } else { ground.numbers.next() };
    Kernel { number, code: code.into(), slots: slots.into(), graphs, depth }
}

struct Translator<'a> {
    ground: Ground<'a>,
    part: &'a dyn Fn(&StateLeaf) -> (usize, usize),
    code: Vec<Instruction>,
    slots: Vec<Slot>,
    height: usize,
    depth: usize,
}

impl Translator<'_> {
    /// Code that jumps if the truth of `condition` is `when`, else continues. Where it jumps from, for `land`.
    fn jumps(&mut self, condition: &StateExpr, is_positive: bool, when: bool) -> Vec<usize> {
        match condition {
            Expr::Const(value) if (*value != 0) == when => vec![self.push(Instruction::Jump(0))],
            Expr::Const(_) => Vec::new(),
            Expr::Unary(UnaryOp::Not, operand) => self.jumps(operand, !is_positive, !when),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let left_is_positive = is_positive == (*op != BinaryOp::Implies);
                let early = self.jumps(left, left_is_positive, *op == BinaryOp::Or);
                let late = self.jumps(right, is_positive, when);
                // What the left operand alone decides: that the whole is false for `and`, else that it is true.
                if when == (*op != BinaryOp::And) {
                    return [early, late].concat();
                }
                self.land(early);
                late
            }
            _ => vec![self.test(condition, is_positive, when)],
        }
    }

    fn test(&mut self, condition: &StateExpr, to_come: bool, when: bool) -> usize {
        if let Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) = condition
            && let (Expr::Leaf(StateLeaf::Cell(cell)), Expr::Const(value))
            | (Expr::Const(value), Expr::Leaf(StateLeaf::Cell(cell))) = (&**left, &**right)
        {
            return self.test_bits(*cell, *value, when == (*op == BinaryOp::Equal));
        }
        self.value(condition);
        self.height -= 1;
        self.push(Instruction::Test { when, to_come, target: 0 })
    }

    fn test_bits(&mut self, cell: CellId, value: Wide, when: bool) -> usize {
        let slot = self.ground.layout.slot(cell);
        let (word, mask) = slot.place();
        let (_, shift, _) = slot.parts();
        // A value that the cell cannot have: no bits are these.
        let raw = Value::try_from(value).ok().map(|value| slot.raw_of(value));
        let raw = raw.filter(|raw| Wide::from(slot.value(*raw)) == value);
        let (mask, bits) = raw.map_or((0, 1), |raw| (mask, raw << shift));
        self.push(Instruction::TestBits { when, word: word as u32, mask, bits, target: 0 })
    }

    /// Code that puts the value of `expr` on the stack.
    fn value(&mut self, expr: &StateExpr) {
        match expr {
            Expr::Const(value) => self.grow(Instruction::Const(*value)),
            Expr::Leaf(StateLeaf::Cell(cell)) => self.grow(Instruction::Cell(self.ground.layout.slot(*cell))),
            Expr::Leaf(StateLeaf::CellAt { base, stride, count, index }) => {
                self.value(index);
                let first = self.slots.len() as u32;
                let cell = |i: u32| CellId::new(base.index() + (i * stride) as usize);
                self.slots.extend((0..*count).map(|i| self.ground.layout.slot(cell(i))));
                self.push(Instruction::CellAt { first, count: *count });
            }
            Expr::Leaf(StateLeaf::Reached { graph, from }) => {
                self.value(from);
                self.push(Instruction::Reached(graph.0));
            }
            Expr::Leaf(leaf) => {
                let (thread, part) = (self.part)(leaf);
                self.grow(Instruction::Thread { thread: thread as u32, part: part as u32 });
            }
            Expr::Unary(op, operand) => {
                self.value(operand);
                self.push(Instruction::Unary(*op));
            }
            Expr::Binary(op, left, right) => {
                self.value(left);
                self.value(right);
                self.height -= 1;
                self.push(Instruction::Binary(*op));
            }
        }
    }

    fn grow(&mut self, instruction: Instruction) {
        self.height += 1;
        self.depth = self.depth.max(self.height);
        self.push(instruction);
    }

    fn push(&mut self, instruction: Instruction) -> usize {
        self.code.push(instruction);
        self.code.len() - 1
    }

    /// Lets jumps lead to what comes next.
    fn land(&mut self, jumps: Vec<usize>) {
        let here = self.code.len() as u32;
        for jump in jumps {
            match &mut self.code[jump] {
                Instruction::Jump(target) | Instruction::Test { target, .. } | Instruction::TestBits { target, .. } => {
                    *target = here
                }
                _ => unreachable!("only jumps land"),
            }
        }
    }
}

impl Kernel {
    /// Calls `found` with the owner of each conjunct that is false in `words`.
    pub(crate) fn run(&self, words: &[u32], views: &Views<'_>, found: &mut dyn FnMut(Owner)) {
        if self.depth <= SMALL {
            self.run_on(&mut [0; SMALL], words, views, found);
        } else {
            self.run_on(&mut vec![0; self.depth], words, views, found);
        }
    }

    fn run_on(&self, stack: &mut [Wide], words: &[u32], views: &Views<'_>, found: &mut dyn FnMut(Owner)) {
        let (mut at, mut height) = (0, 0);
        let mut is_to_come = false;
        while let Some(instruction) = self.code.get(at) {
            at += 1;
            match *instruction {
                Instruction::TestBits { when, word, mask, bits, target } => {
                    if (words[word as usize] & mask == bits) == when {
                        at = target as usize;
                    }
                }
                Instruction::Test { when, to_come, target } => {
                    height -= 1;
                    let is_open = std::mem::take(&mut is_to_come) || stack[height] == NO_VALUE;
                    let truth = if is_open { to_come } else { stack[height] != 0 };
                    if truth == when {
                        at = target as usize;
                    }
                }
                Instruction::Const(value) => {
                    stack[height] = value;
                    height += 1;
                }
                Instruction::Cell(slot) => {
                    stack[height] = slot.get(words).into();
                    height += 1;
                }
                Instruction::CellAt { first, count } => {
                    let index = stack[height - 1];
                    let is_inside = 0 <= index && index < Wide::from(count);
                    let value = |index: usize| self.slots[first as usize + index].get(words).into();
                    stack[height - 1] = if is_inside { value(index as usize) } else { NO_VALUE };
                }
                Instruction::Reached(graph) => {
                    let from = stack[height - 1] as Value;
                    stack[height - 1] = self.graphs[graph as usize].reached(from, words).into();
                }
                Instruction::Thread { thread, part } => {
                    stack[height] = match views[thread as usize][part as usize] {
                        Part::Value(value) => value,
                        Part::Cell(slot) => slot.get(words).into(),
                        Part::ToCome => {
                            is_to_come = true;
                            0
                        }
                    };
                    height += 1;
                }
                Instruction::Unary(op) => stack[height - 1] = op.apply(stack[height - 1]),
                Instruction::Binary(op) => {
                    height -= 1;
                    stack[height - 1] = op.apply(stack[height - 1], stack[height]);
                }
                Instruction::Jump(target) => at = target as usize,
                Instruction::Found(owner) => found(owner),
            }
        }
    }

    /// An estimate of the bytes held, with what it was translated from.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.code.len() * size_of::<Instruction>() + self.slots.len() * size_of::<Slot>()) as u64
    }
}
