//! Litmus tests in herd's format, for C, AArch64 and X86_64: what the neutral format can say.
//!
//! `frame` takes a file apart: name, initial values, code, question. `held` is what a register of a processor holds while its code is
//! read: a number, an address, what was loaded. `aarch64`, `x86` and `c` read the code of threads. What they cannot read is an error with its line.

mod aarch64;
mod assembly;
mod c;
mod frame;
mod held;
mod x86;

use crate::format::{Instruction, Test};
use frame::{Frame, Question};
use std::collections::BTreeMap;

/// What is wrong, and in which line.
pub type Wrong = (usize, String);

/// What a thread's code is in the neutral format, and what its registers hold at the end.
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) registers: BTreeMap<String, End>,
}

/// What a register holds at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// This number.
    Number(i32),
    /// What the register of this name in the neutral format holds.
    Register(String),
    /// Something that the neutral format has no name for.
    Other,
}

/// Reads a test.
pub fn read(text: &str) -> Result<Test, Wrong> {
    let mut frame = Frame::of(text)?;
    let threads = match frame.architecture.as_str() {
        "AArch64" => aarch64::threads(&frame)?,
        "X86_64" | "X86" => x86::threads(&frame)?,
        "C" => c::threads(&frame)?,
        other => return Err((1, format!("`{other}` is not read: only C, AArch64 and X86_64 are"))),
    };
    for (thread, register, _, line) in &frame.registers {
        end(&frame, &threads, *thread, register).map_err(|message| (*line, message))?;
    }
    let question = frame.question()?;
    for cell in threads.iter().flat_map(|code| &code.instructions).flat_map(cells) {
        frame.cells.entry(cell).or_insert(0);
    }
    let mut exists = Vec::new();
    for (line, name, value) in &question.atoms {
        match named(&frame, &threads, name).map_err(|message| (*line, message))? {
            End::Number(number) if number == *value => {}
            // It is another number: nothing holds both of these.
            End::Number(_) => {
                let cell = frame.cells.keys().next().cloned().unwrap_or_default();
                exists.extend([(cell.clone(), 0), (cell, 1)]);
            }
            End::Register(name) => exists.push((name, *value)),
            End::Other => return Err((*line, format!("what `{name}` holds at the end cannot be observed"))),
        }
    }
    let observed = observed(&question, &exists);
    let threads = threads.into_iter().map(|code| code.instructions).collect();
    Ok(Test { name: frame.name, init: frame.cells, threads, exists, observed })
}

/// The cells of an instruction.
fn cells(instruction: &Instruction) -> Vec<String> {
    match instruction {
        Instruction::Store { loc, .. } | Instruction::Load { loc, .. } | Instruction::Swap { loc, .. } => {
            vec![loc.clone()]
        }
        Instruction::Fadd { loc, .. } | Instruction::Cas { loc, .. } => vec![loc.clone()],
        Instruction::Ll { loc, .. } | Instruction::Sc { loc, .. } => vec![loc.clone()],
        Instruction::If { then, .. } => then.iter().flat_map(cells).collect(),
        Instruction::Fence { .. } | Instruction::Branch { .. } => Vec::new(),
    }
}

/// What is listed of final states: what the question names.
fn observed(question: &Question, exists: &[(String, i32)]) -> Vec<String> {
    let mut names: Vec<String> = exists.iter().map(|(name, _)| name.clone()).collect();
    names.extend(question.locations.iter().cloned());
    names.sort();
    names.dedup();
    names
}

/// The end of `1:X0`, or the cell `x`.
fn named(frame: &Frame, threads: &[Code], name: &str) -> Result<End, String> {
    let Some((thread, register)) = name.split_once(':') else { return Ok(End::Register(name.into())) };
    let index: usize = thread.parse().map_err(|_| format!("`{name}` does not begin with a thread's number"))?;
    Ok(match end(frame, threads, index, register)? {
        End::Register(register) => End::Register(format!("{thread}:{register}")),
        end => end,
    })
}

/// What a thread's register holds at the end.
fn end(frame: &Frame, threads: &[Code], thread: usize, register: &str) -> Result<End, String> {
    let unknown = || format!("`{thread}:{register}` names a thread that the test does not have");
    let registers = &threads.get(thread).ok_or_else(unknown)?.registers;
    let found = registers.get(register).or_else(|| registers.get(&held::register(register)));
    let is_there = match frame.architecture.as_str() {
        "C" => found.is_some(),
        "AArch64" => aarch64::is_register(register),
        _ => x86::is_register(register),
    };
    match (is_there, frame.architecture.as_str()) {
        (true, _) => Ok(found.cloned().unwrap_or(End::Number(0))),
        (false, "C") => Err(format!("nothing sets `{thread}:{register}`")),
        (false, _) => Err(format!("`{register}` is no register")),
    }
}
