//! Code of processors: a column for each thread.

use crate::herd::frame::Frame;
use crate::herd::held::{Held, Thread};
use crate::herd::{Code, Wrong};

/// One line of a thread's code.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    /// What follows, without empty lines.
    pub(crate) rest: &'a [(usize, String)],
}

/// A processor's instructions.
pub(crate) trait Reader {
    /// Reads one instruction.
    fn instruction(&mut self, thread: &mut Thread, line: &Line<'_>) -> Result<(), String>;

    /// The code ends.
    fn end(&mut self, thread: &mut Thread) -> Result<(), String>;
}

/// The threads' code.
pub(crate) fn threads<R: Reader + Default>(frame: &Frame) -> Result<Vec<Code>, Wrong> {
    let columns = columns(frame)?;
    let mut all = Vec::new();
    for (n, column) in columns.iter().enumerate() {
        let mut thread = Thread::default();
        for (_, register, value, _) in frame.registers.iter().filter(|(of, ..)| *of == n) {
            let held = match value.parse() {
                Ok(number) => Held::number(number),
                Err(_) => Held { cell: Some(value.clone()), ..Held::default() },
            };
            thread.held.insert(register.clone(), held);
        }
        let mut reader = R::default();
        for (at, (number, text)) in column.iter().enumerate() {
            let line = Line { number: *number, text, rest: &column[at + 1..] };
            reader.instruction(&mut thread, &line).map_err(|message| (line.number, message))?;
        }
        reader.end(&mut thread).map_err(|message| (column.last().map_or(1, |(line, _)| *line), message))?;
        all.push(thread.code());
    }
    Ok(all)
}

/// The lines of each thread.
fn columns(frame: &Frame) -> Result<Vec<Vec<(usize, String)>>, Wrong> {
    let mut lines = frame.code.iter();
    let (number, head) = lines.next().ok_or((1, "there is no code".to_string()))?;
    let names = head.trim().trim_end_matches(';').split('|').map(str::trim);
    if !names.enumerate().all(|(n, name)| name == format!("P{n}")) {
        return Err((*number, "expected `P0 | P1 ;`, with the threads in order".into()));
    }
    let n_threads = head.split('|').count();
    let mut columns = vec![Vec::new(); n_threads];
    for (number, line) in lines {
        let cells: Vec<&str> = line.trim().trim_end_matches(';').split('|').collect();
        if cells.len() > n_threads {
            return Err((*number, format!("this line has {} columns, and there are {n_threads} threads", cells.len())));
        }
        for (column, cell) in columns.iter_mut().zip(cells).filter(|(_, cell)| !cell.trim().is_empty()) {
            column.push((*number, cell.trim().to_string()));
        }
    }
    Ok(columns)
}

/// `LDR W0,[X1]` as `LDR` and `W0`, `[X1]`.
pub(crate) fn parts(text: &str) -> (String, Vec<String>) {
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let (mut operands, mut depth) = (vec![String::new()], 0);
    for c in rest.chars().filter(|c| !c.is_whitespace()) {
        depth += i32::from(matches!(c, '[' | '(')) - i32::from(matches!(c, ']' | ')'));
        match (c, operands.last_mut()) {
            (',', _) if depth == 0 => operands.push(String::new()),
            (c, Some(last)) => last.push(c),
            _ => {}
        }
    }
    operands.retain(|operand| !operand.is_empty());
    (word.to_uppercase(), operands)
}
