//! Code of X86_64, in both ways to write it: `MOV [x],$1` and `movl $1,(x)`.

use crate::format::{FenceName, Instruction, OrderName};
use crate::herd::assembly::{self, Line, Reader, parts};
use crate::herd::frame::Frame;
use crate::herd::held::{Held, Thread, register};
use crate::herd::{Code, Wrong};

pub(crate) fn threads(frame: &Frame) -> Result<Vec<Code>, Wrong> {
    assembly::threads::<X86>(frame)
}

#[derive(Default)]
struct X86;

impl Reader for X86 {
    fn instruction(&mut self, thread: &mut Thread, line: &Line<'_>) -> Result<(), String> {
        let text = line.text.trim();
        let (mut word, mut operands) = parts(text);
        let is_locked = word == "LOCK";
        if is_locked {
            (word, operands) = parts(text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest));
        }
        let refuse = || Err(format!("`{text}` is not read: see the book's page on litmus tests for what is"));
        // AT&T's way has the destination last.
        if text.contains(['%', '(']) {
            if text.contains('[') {
                return Err(format!("`{text}` is written in two ways: is the destination first, or last?"));
            }
            operands.reverse();
        }
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        let cell = |operand: &str| cell(thread, operand);
        match (word.trim_end_matches(['L', 'Q']), operands.as_slice()) {
            ("XADD" | "CMPXCHG", _) if !is_locked => {
                return Err(format!("`{text}` is no single step without LOCK; write `LOCK {text}`"));
            }
            ("XADD" | "CMPXCHG" | "XCHG", _) => {}
            _ if is_locked => return refuse(),
            _ => {}
        }
        match (word.trim_end_matches(['L', 'Q']), operands.as_slice()) {
            ("MFENCE", []) => thread.instructions.push(Instruction::Fence { kind: FenceName::Full }),
            ("LFENCE" | "SFENCE", []) => {}
            ("MOV", [to, from]) => match (cell(to)?, cell(from)?) {
                (Some(loc), None) => {
                    let Held { cell: None, number: val, loaded: val_reg, depends: None } = value(thread, from)? else {
                        return Err("an address cannot be stored".into());
                    };
                    let (order, data_dep, addr_dep) = (OrderName::Rlx, None, None);
                    thread.instructions.push(Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg });
                }
                (None, Some(loc)) if is_register(to) => {
                    let reg = thread.load(&register(to));
                    thread.instructions.push(Instruction::Load { loc, reg, order: OrderName::Rlx, addr_dep: None });
                }
                (None, None) if is_register(to) => _ = thread.held.insert(register(to), value(thread, from)?),
                _ => return refuse(),
            },
            ("XCHG" | "XADD", [one, other]) => {
                let (place, with) = if cell(one)?.is_some() { (one, other) } else { (other, one) };
                let Some(loc) = cell(place)?.filter(|_| is_register(with)) else { return refuse() };
                let Held { cell: None, number: val, loaded: None, depends: None } = value(thread, with)? else {
                    return Err("what a read-modify-write takes must be a number".into());
                };
                let (reg, order, data_dep) = (thread.load(&register(with)), OrderName::AcqRel, None);
                thread.instructions.push(match word.starts_with("XCHG") {
                    true => Instruction::Swap { loc, val, reg, order, data_dep },
                    false => Instruction::Fadd { loc, val, reg, order, data_dep },
                });
            }
            ("CMPXCHG", [place, with]) => {
                let Some(loc) = cell(place)? else { return refuse() };
                let (expect, new) = (thread.get("RAX"), value(thread, with)?);
                if expect != Held::number(expect.number) || new != Held::number(new.number) {
                    return Err("CMPXCHG is read only with numbers in its registers".into());
                }
                let (expect, new, reg) = (expect.number, new.number, thread.load("RAX"));
                thread.instructions.push(Instruction::Cas {
                    loc,
                    expect,
                    new,
                    reg,
                    order: OrderName::AcqRel,
                    failure: None,
                });
            }
            _ => return refuse(),
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Thread) -> Result<(), String> {
        Ok(())
    }
}

/// `[x]`, `(x)`, `(%rbx)`: the cell; none if the operand is no place in memory.
fn cell(thread: &Thread, operand: &str) -> Result<Option<String>, String> {
    let within = |open, close| operand.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    let Some(inside) = within('[', ']').or(within('(', ')')) else { return Ok(None) };
    let unknown = || format!("the address `{operand}` is not that of a cell");
    if is_register(inside) {
        return match thread.get(&register(inside)) {
            Held { cell: Some(cell), number: 0, loaded: None, depends: None } => Ok(Some(cell)),
            _ => Err(unknown()),
        };
    }
    let is_name =
        inside.chars().all(|c| c.is_alphanumeric() || c == '_') && !inside.starts_with(|c: char| c.is_numeric());
    is_name.then(|| Some(inside.to_string())).ok_or_else(unknown)
}

pub(crate) fn is_register(name: &str) -> bool {
    let name = register(name);
    let numbered = name.strip_prefix('R').and_then(|number| number.parse().ok());
    ["RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP"].contains(&name.as_str())
        || numbered.is_some_and(|number: u32| (8..16).contains(&number))
}

/// `$1`, `EAX`, `%eax`.
fn value(thread: &Thread, operand: &str) -> Result<Held, String> {
    match operand.trim_start_matches('$').parse() {
        Ok(number) => Ok(Held::number(number)),
        Err(_) if is_register(operand) => Ok(thread.get(&register(operand))),
        Err(_) => Err(format!("`{operand}` is neither a number nor a register")),
    }
}
