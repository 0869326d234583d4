//! Code of AArch64.

use crate::format::{FenceName, Instruction, OrderName};
use crate::herd::assembly::{self, Line, Reader, parts};
use crate::herd::frame::Frame;
use crate::herd::held::{Held, Thread, ZERO, register};
use crate::herd::{Code, Wrong};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn threads(frame: &Frame) -> Result<Vec<Code>, Wrong> {
    assembly::threads::<AArch64>(frame)
}

#[derive(Default)]
struct AArch64 {
    /// The register and number of the last comparison.
    compared: Option<(Held, i32)>,
    /// Jumps over what follows.
    jumps: Vec<Jump>,
    labels: BTreeSet<String>,
}

struct Jump {
    label: String,
    /// It is taken if this register is not this number.
    unless: (String, i32),
    /// Where what is jumped over begins, and what registers held there.
    start: usize,
    held: BTreeMap<String, Held>,
}

impl Reader for AArch64 {
    fn instruction(&mut self, thread: &mut Thread, line: &Line<'_>) -> Result<(), String> {
        if let Some(label) = line.text.strip_suffix(':') {
            return self.label(thread, label.trim());
        }
        let (word, operands) = parts(line.text);
        let operand = |n: usize| operands.get(n).map(String::as_str).ok_or(format!("`{}` lacks an operand", line.text));
        match word.as_str() {
            "NOP" => Ok(()),
            "MOV" => set(thread, operand(0)?, value(thread, operand(1)?)?),
            "EOR" if operand(1)? == operand(2)? => {
                let cleared = value(thread, operand(1)?)?.cleared();
                set(thread, operand(0)?, cleared.ok_or(format!("`{}` depends on two loads", line.text))?)
            }
            "ADD" => {
                let sum = value(thread, operand(1)?)?.plus(&value(thread, operand(2)?)?);
                set(thread, operand(0)?, sum.ok_or(format!("the sum `{}` cannot be said", line.text))?)
            }
            "DMB" | "DSB" => {
                let kind = fence(operand(0)?)?;
                thread.instructions.push(Instruction::Fence { kind });
                Ok(())
            }
            "CMP" => {
                let number = value(thread, operand(1)?)?;
                if number != Held::number(number.number) {
                    return Err("a comparison is read only with a number".into());
                }
                self.compared = Some((value(thread, operand(0)?)?, number.number));
                Ok(())
            }
            "B.NE" | "BNE" => {
                let (held, number) = self.compared.clone().ok_or("nothing was compared before")?;
                self.jump(thread, operand(0)?, (&held, number), line)
            }
            "CBNZ" => {
                let held = value(thread, operand(0)?)?;
                self.jump(thread, operand(1)?, (&held, 0), line)
            }
            "CBZ" if is_next(operand(1)?, line) => {
                let held = value(thread, operand(0)?)?;
                self.jump(thread, operand(1)?, (&held, 0), line)
            }
            word => access(thread, word, &operands).unwrap_or_else(|| {
                Err(format!("`{}` is not read: see the book's page on litmus tests for what is", line.text))
            }),
        }
    }

    fn end(&mut self, _: &mut Thread) -> Result<(), String> {
        match self.jumps.last() {
            Some(Jump { label, .. }) => Err(format!("the label `{label}` is missing, or stands before its jump")),
            None => Ok(()),
        }
    }
}

impl AArch64 {
    /// A jump to `label`, unless a register holds this number.
    fn jump(
        &mut self,
        thread: &mut Thread,
        label: &str,
        (held, number): (&Held, i32),
        line: &Line<'_>,
    ) -> Result<(), String> {
        if held.sources().next().is_none() {
            return Err(format!("`{}` asks for nothing that was loaded", line.text));
        }
        if is_next(label, line) {
            thread.instructions.extend(held.sources().map(|on| Instruction::Branch { on: on.clone() }));
        } else {
            let unless = held.compared(number);
            let unless = unless.ok_or(format!("what `{}` asks for is no loaded value plus a number", line.text))?;
            let (start, held) = (thread.instructions.len(), thread.held.clone());
            self.jumps.push(Jump { label: label.into(), unless, start, held });
        }
        Ok(())
    }

    /// What was jumped over is conditional.
    fn label(&mut self, thread: &mut Thread, label: &str) -> Result<(), String> {
        if !self.labels.insert(label.into()) {
            return Err(format!("the label `{label}` is there twice"));
        }
        while let Some(jump) = self.jumps.pop_if(|jump| jump.label == label) {
            thread.join(&jump.held)?;
            let (then, (reg, eq)) = (thread.instructions.split_off(jump.start), jump.unless);
            thread.instructions.push(Instruction::If { reg, eq, then });
        }
        Ok(())
    }
}

/// Whether a label stands right behind.
fn is_next(label: &str, line: &Line<'_>) -> bool {
    line.rest.first().is_some_and(|(_, next)| next.strip_suffix(':').is_some_and(|next| next.trim() == label))
}

/// `X0` to `X30` and the register that is always zero, in both widths.
pub(crate) fn is_register(name: &str) -> bool {
    let name = register(name);
    let number = name.strip_prefix('X').and_then(|number| number.parse().ok());
    name == ZERO || number.is_some_and(|number: u32| number <= 30)
}

fn set(thread: &mut Thread, to: &str, held: Held) -> Result<(), String> {
    if !is_register(to) {
        return Err(format!("`{to}` is no register"));
    }
    if register(to) != ZERO {
        thread.held.insert(register(to), held);
    }
    Ok(())
}

/// `#1`, `W0`.
fn value(thread: &Thread, operand: &str) -> Result<Held, String> {
    match operand.strip_prefix('#').unwrap_or(operand).parse() {
        Ok(number) => Ok(Held::number(number)),
        Err(_) if is_register(operand) => Ok(thread.get(&register(operand))),
        Err(_) => Err(format!("`{operand}` is neither a number nor a register")),
    }
}

fn fence(kind: &str) -> Result<FenceName, String> {
    match kind.to_uppercase().as_str() {
        "SY" | "ISH" | "OSH" => Ok(FenceName::Full),
        "LD" | "ISHLD" | "OSHLD" => Ok(FenceName::Acq),
        "ST" | "ISHST" | "OSHST" => Ok(FenceName::Ww),
        _ => Err(format!("the barrier `{kind}` is not read")),
    }
}

/// `[X1]`, `[X1,W2,SXTW]`, `[X1,#0]`: the cell, and the register that the address depends on.
fn address(thread: &Thread, operand: &str) -> Result<(String, Option<String>), String> {
    let inside = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inside = inside.ok_or(format!("`{operand}` is no address"))?;
    let mut sum = Held::default();
    for part in inside.split(',').filter(|part| !matches!(*part, "SXTW" | "UXTW")) {
        sum = sum.plus(&value(thread, part)?).ok_or(format!("the address `{operand}` cannot be said"))?;
    }
    match sum {
        Held { cell: Some(cell), number: 0, loaded: None, depends } => Ok((cell, depends)),
        _ => Err(format!("the address `{operand}` is not that of a cell")),
    }
}

/// A load, store or read-modify-write; none if it is none.
fn access(thread: &mut Thread, word: &str, operands: &[String]) -> Option<Result<(), String>> {
    let kind = |base: &str| word.strip_prefix(base).and_then(order);
    let read = match word {
        "LDR" => (0, OrderName::Rlx),
        "LDAPR" | "LDAR" => (0, if word == "LDAR" { OrderName::Sc } else { OrderName::Acq }),
        "LDXR" => (1, OrderName::Rlx),
        "LDAXR" => (1, OrderName::Acq),
        "STR" => (2, OrderName::Rlx),
        "STLR" => (2, OrderName::Rel),
        "STXR" => (3, OrderName::Rlx),
        "STLXR" => (3, OrderName::Rel),
        _ => match (kind("SWP"), kind("LDADD"), kind("CAS")) {
            (Some(order), ..) => (4, order),
            (_, Some(order), _) => (5, order),
            (.., Some(order)) => (6, order),
            _ => return None,
        },
    };
    Some(put(thread, read.0, read.1, operands))
}

/// The suffix of a read-modify-write.
fn order(suffix: &str) -> Option<OrderName> {
    match suffix {
        "" => Some(OrderName::Rlx),
        "A" => Some(OrderName::Acq),
        "L" => Some(OrderName::Rel),
        "AL" => Some(OrderName::AcqRel),
        _ => None,
    }
}

fn put(thread: &mut Thread, kind: usize, order: OrderName, operands: &[String]) -> Result<(), String> {
    let n_registers = [1, 1, 1, 2, 2, 2, 2][kind];
    let [registers @ .., place] = operands else { return Err("an operand is missing".into()) };
    if registers.len() != n_registers {
        return Err(format!("expected {n_registers} registers and an address"));
    }
    if let Some(other) = registers.iter().find(|name| !is_register(name)) {
        return Err(format!("`{other}` is no register"));
    }
    let (loc, addr_dep) = address(thread, place)?;
    if addr_dep.is_some() && !matches!(kind, 0 | 2) {
        return Err("an address dependency is read only for LDR, LDAR, LDAPR, STR and STLR".into());
    }
    let stored = |held: Held| match held.cell {
        None => Ok((held.number, held.depends, held.loaded)),
        Some(_) => Err("an address cannot be stored".to_string()),
    };
    let number = |held: Held| match held {
        Held { cell: None, loaded: None, depends: None, number } => Ok(number),
        _ => Err("this operand must be a number".to_string()),
    };
    let (first, last) = (register(&registers[0]), registers.last().map_or("", String::as_str));
    let instruction = match kind {
        0 => Instruction::Load { loc, reg: thread.load(&first), order, addr_dep },
        1 => Instruction::Ll { loc, reg: thread.load(&first), order },
        2 => {
            let (val, data_dep, val_reg) = stored(value(thread, &registers[0])?)?;
            Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg }
        }
        3 => {
            let (val, data_dep, val_reg) = stored(value(thread, last)?)?;
            Instruction::Sc { loc, val, status: thread.load(&first), order, val_reg, data_dep }
        }
        6 => {
            let (expect, new) = (number(value(thread, &registers[0])?)?, number(value(thread, last)?)?);
            Instruction::Cas { loc, expect, new, reg: thread.load(&first), order, failure: None }
        }
        _ => {
            let (val, data_dep, val_reg) = stored(value(thread, &registers[0])?)?;
            if val_reg.is_some() {
                return Err("what a read-modify-write takes must be a number".into());
            }
            if register(last) == ZERO {
                // Then it acquires nothing, and DMB LD does not order what it reads.
                return Err(format!("a read-modify-write into `{last}` is not read: its load orders nothing"));
            }
            let reg = thread.load(&register(last));
            match kind {
                4 => Instruction::Swap { loc, val, reg, order, data_dep },
                _ => Instruction::Fadd { loc, val, reg, order, data_dep },
            }
        }
    };
    thread.instructions.push(instruction);
    Ok(())
}
