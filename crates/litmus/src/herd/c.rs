//! Code of C: functions `P0 (atomic_int* x) { .. }` of atomic operations, assignments and `if (r == 1) { .. }`.

use crate::format::{FenceName, Instruction, OrderName};
use crate::herd::frame::Frame;
use crate::herd::held::{Held, Thread};
use crate::herd::{Code, Wrong};

/// Words of types, which say nothing here.
const TYPES: [&str; 9] =
    ["int", "atomic_int", "long", "atomic_long", "unsigned", "volatile", "const", "uint32_t", "uint64_t"];

pub(crate) fn threads(frame: &Frame) -> Result<Vec<Code>, Wrong> {
    let tokens = tokens(&frame.code);
    let last = frame.code.last().map_or(1, |(line, _)| *line);
    let cells: Vec<String> = frame.cells.keys().cloned().collect();
    let (thread, atomics, n_initial) = (Thread::default(), Vec::new(), cells.len());
    let mut reader = Reader { tokens, at: 0, thread, atomics, cells, n_initial, last };
    let mut threads = Vec::new();
    while reader.at < reader.tokens.len() {
        let line = reader.line();
        let code = reader.function(threads.len());
        threads.push(code.map_err(|message| (reader.line().max(line), message))?);
    }
    Ok(threads)
}

/// Words, numbers and signs, with their lines.
fn tokens(code: &[(usize, String)]) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    for (line, text) in code {
        let text = text.split("//").next().unwrap_or("");
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                '=' if rest.starts_with("==") => 2,
                c => c.len_utf8(),
            };
            tokens.push((*line, rest[..length].to_string()));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

struct Reader {
    tokens: Vec<(usize, String)>,
    at: usize,
    thread: Thread,
    /// The parameters of the thread that point to atomics.
    atomics: Vec<String>,
    /// The names of cells: with an initial value, or a parameter.
    cells: Vec<String>,
    n_initial: usize,
    last: usize,
}

type Read<T> = Result<T, String>;

impl Reader {
    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(self.last, |(line, _)| *line)
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |(_, token)| token)
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_string();
        self.at += 1;
        token
    }

    fn has(&mut self, token: &str) -> bool {
        let is_here = self.peek() == token;
        self.at += usize::from(is_here);
        is_here
    }

    fn expect(&mut self, token: &str) -> Read<()> {
        if self.has(token) { Ok(()) } else { Err(format!("expected `{token}`, found `{}`", self.peek())) }
    }

    /// The thread that is the nth.
    fn function(&mut self, n: usize) -> Read<Code> {
        self.thread = Thread::default();
        let name = self.next();
        if name != format!("P{n}") {
            return Err(format!("expected the thread `P{n} (..) {{`, found `{name}`"));
        }
        self.parameters();
        self.expect("{")?;
        self.block()?;
        Ok(std::mem::take(&mut self.thread).code())
    }

    /// Passes over `(atomic_int* x, int* y)`, and keeps the names of atomics.
    fn parameters(&mut self) {
        let mut words = Vec::new();
        self.atomics.clear();
        self.cells.truncate(self.n_initial);
        while !matches!(self.peek(), "{" | "") {
            let word = self.next();
            if matches!(word.as_str(), "," | ")") {
                let is_atomic =
                    words.iter().any(|word: &String| word.to_lowercase().trim_start_matches('_').starts_with("atomic"));
                let name = words.pop();
                self.cells.extend(name.clone());
                self.atomics.extend(name.filter(|_| is_atomic));
                words.clear();
            } else {
                words.push(word);
            }
        }
    }

    /// The name of a cell.
    fn cell(&mut self) -> Read<String> {
        let name = self.next();
        if self.cells.contains(&name) { Ok(name) } else { Err(format!("`{name}` is no parameter of the thread")) }
    }

    /// The order of `*x`: an atomic is accessed so with the strongest, all else is not atomic.
    fn order_of(&self, loc: &String) -> OrderName {
        if self.atomics.contains(loc) { OrderName::Sc } else { OrderName::Na }
    }

    /// Statements up to `}`.
    fn block(&mut self) -> Read<()> {
        while !self.has("}") {
            if self.peek().is_empty() {
                return Err("`}` is missing".into());
            }
            self.statement()?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Read<()> {
        while TYPES.contains(&self.peek()) {
            self.at += 1;
        }
        match self.peek() {
            "if" => return self.condition(),
            "*" => {
                self.at += 1;
                let loc = self.cell()?;
                self.expect("=")?;
                let value = self.expression()?;
                let order = self.order_of(&loc);
                self.store(loc, value, order)?;
            }
            "atomic_store" | "atomic_store_explicit" => {
                self.at += 1;
                let (loc, value, order) = self.arguments(true)?;
                if matches!(order, OrderName::Acq | OrderName::AcqRel) {
                    return Err("a store cannot acquire".into());
                }
                self.store(loc, value, order)?;
            }
            "atomic_thread_fence" => {
                self.at += 1;
                self.expect("(")?;
                let kinds: &[FenceName] = match order(&self.next())? {
                    OrderName::Rlx | OrderName::Na => &[],
                    OrderName::Acq => &[FenceName::Acq],
                    OrderName::Rel => &[FenceName::Rel],
                    // What is full is seq_cst, and this is not.
                    OrderName::AcqRel => &[FenceName::Acq, FenceName::Rel],
                    OrderName::Sc => &[FenceName::Full],
                };
                self.expect(")")?;
                self.thread.instructions.extend(kinds.iter().map(|&kind| Instruction::Fence { kind }));
            }
            _ => {
                let register = self.next();
                if self.peek() == "(" {
                    return Err(format!("`{register}` is not read"));
                }
                if self.has("=") {
                    let held = self.operation(&register)?;
                    self.thread.held.insert(register, held);
                }
            }
        }
        self.expect(";")
    }

    fn condition(&mut self) -> Read<()> {
        self.at += 1;
        self.expect("(")?;
        let register = self.next();
        let held = self.thread.get(&register);
        if !self.has("==") {
            return Err(format!("only `if ({register} == 1)` with some number is read"));
        }
        let eq = self.next().parse().map_err(|_| "expected a number".to_string())?;
        let (reg, eq) = held.compared(eq).ok_or(format!("`{register}` is no loaded value plus a number"))?;
        self.expect(")")?;
        self.expect("{")?;
        let (start, before) = (self.thread.instructions.len(), self.thread.held.clone());
        self.block()?;
        self.thread.join(&before)?;
        let then = self.thread.instructions.split_off(start);
        self.thread.instructions.push(Instruction::If { reg, eq, then });
        if self.peek() == "else" { Err("`else` is not read".into()) } else { Ok(()) }
    }

    /// `(x, value, order)`: the cell, the value if there is one, the order.
    fn arguments(&mut self, has_value: bool) -> Read<(String, Held, OrderName)> {
        self.expect("(")?;
        self.has("&");
        let loc = self.cell()?;
        let mut value = Held::default();
        if has_value {
            self.expect(",")?;
            value = self.expression()?;
        }
        let order = if self.has(",") { order(&self.next())? } else { OrderName::Sc };
        self.expect(")")?;
        Ok((loc, value, order))
    }

    fn store(&mut self, loc: String, held: Held, order: OrderName) -> Read<()> {
        let Held { cell: None, number: val, loaded: val_reg, depends: data_dep } = held else {
            return Err("an address cannot be stored".into());
        };
        let addr_dep = None;
        self.thread.instructions.push(Instruction::Store { loc, val, order, data_dep, addr_dep, val_reg });
        Ok(())
    }

    /// What is assigned to a register.
    fn operation(&mut self, register: &str) -> Read<Held> {
        let word = self.peek().to_string();
        let name = word.trim_end_matches("_explicit");
        match name {
            "*" => {
                self.at += 1;
                let (loc, reg) = (self.cell()?, self.thread.load(register));
                let order = self.order_of(&loc);
                self.thread.instructions.push(Instruction::Load { loc, reg, order, addr_dep: None });
            }
            "atomic_load" => {
                self.at += 1;
                let (loc, _, order) = self.arguments(false)?;
                if matches!(order, OrderName::Rel | OrderName::AcqRel) {
                    return Err("a load cannot release".into());
                }
                let reg = self.thread.load(register);
                self.thread.instructions.push(Instruction::Load { loc, reg, order, addr_dep: None });
            }
            "atomic_exchange" | "atomic_fetch_add" | "atomic_fetch_sub" => {
                self.at += 1;
                let (loc, value, order) = self.arguments(true)?;
                let Held { cell: None, number: val, loaded: None, depends: data_dep } = value else {
                    return Err("what a read-modify-write takes must be a number".into());
                };
                let val =
                    if name == "atomic_fetch_sub" { val.checked_neg().ok_or("the number is too large")? } else { val };
                let reg = self.thread.load(register);
                self.thread.instructions.push(match name {
                    "atomic_exchange" => Instruction::Swap { loc, val, reg, order, data_dep },
                    _ => Instruction::Fadd { loc, val, reg, order, data_dep },
                });
            }
            name if name.starts_with("atomic_") => return Err(format!("`{name}` is not read")),
            _ => return self.expression(),
        }
        Ok(self.thread.get(register))
    }

    /// A sum of numbers, registers and `r ^ r`.
    fn expression(&mut self) -> Read<Held> {
        let mut sum = self.term()?;
        while self.has("+") {
            let term = self.term()?;
            sum = sum.plus(&term).ok_or("this sum cannot be said")?;
        }
        Ok(sum)
    }

    fn term(&mut self) -> Read<Held> {
        if self.has("(") {
            let inside = self.expression()?;
            self.expect(")")?;
            return Ok(inside);
        }
        let word = self.next();
        if let Ok(number) = word.parse() {
            return Ok(Held::number(number));
        }
        let held = self.thread.get(&word);
        if self.has("^") {
            let other = self.next();
            let cleared = held.cleared().filter(|_| other == word);
            return cleared.ok_or("only `r ^ r` is read, where `r` depends on one load".into());
        }
        if held == Held::default() { Err(format!("`{word}` holds nothing yet")) } else { Ok(held) }
    }
}

fn order(word: &str) -> Read<OrderName> {
    match word {
        "memory_order_relaxed" => Ok(OrderName::Rlx),
        "memory_order_acquire" | "memory_order_consume" => Ok(OrderName::Acq),
        "memory_order_release" => Ok(OrderName::Rel),
        "memory_order_acq_rel" => Ok(OrderName::AcqRel),
        "memory_order_seq_cst" => Ok(OrderName::Sc),
        _ => Err(format!("`{word}` is no memory order")),
    }
}
