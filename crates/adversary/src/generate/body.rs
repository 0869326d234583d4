//! Statements, blocks, procedures and threads.

use super::builder::{Builder, Local, Place, Proc, Scope, ThreadInfo};
use super::types::Ty;
use crate::features::{BASIC, Maker};

/// How often a statement is tried before `skip` stands there.
const TRIES: usize = 12;

/// Blocks inside blocks.
const MAX_DEPTH: usize = 2;

impl Builder {
    /// Writes one statement, perhaps with a label.
    pub fn statement(&mut self) {
        let mut makers: Vec<(usize, Maker)> = BASIC.statements.to_vec();
        makers.extend(self.features.iter().flat_map(|f| f.statements.iter().copied()));
        let weights: Vec<usize> = makers.iter().map(|(weight, _)| *weight).collect();
        for _ in 0..TRIES {
            let (_, make) = makers[self.random.weighted(&weights)];
            let at = self.lines.len();
            if make(self) {
                self.perhaps_label(at);
                return;
            }
        }
        self.line("skip");
    }

    /// Puts a label before the statement that begins at that line.
    fn perhaps_label(&mut self, at: usize) {
        let may = self.scope.in_thread && self.is_free() && self.random.percent(15);
        let is_let = self.lines.get(at).is_none_or(|line| line.starts_with('@'));
        if may && !is_let {
            let label = self.fresh("l");
            self.lines[at] = format!("@{label} {}", self.lines[at]);
            self.scope.labels.push(label);
        }
    }

    /// A block of statements with its braces; registers declared in it end with it.
    pub fn block(&mut self, n_statements: usize) -> String {
        self.block_of(|b| (0..n_statements).for_each(|_| b.statement()))
    }

    /// A block that `write` writes.
    pub fn block_of(&mut self, write: impl FnOnce(&mut Builder)) -> String {
        let lines = std::mem::take(&mut self.lines);
        let n_locals = self.scope.locals.len();
        self.scope.depth += 1;
        write(self);
        self.scope.depth -= 1;
        self.scope.locals.truncate(n_locals);
        let inner = std::mem::replace(&mut self.lines, lines);
        format!("{{\n{}\n}}", inner.join("\n"))
    }

    /// The same, as the body of a region.
    pub fn region(&mut self, place: Place, write: impl FnOnce(&mut Builder)) -> String {
        let before = (self.scope.place, self.scope.in_loop);
        (self.scope.place, self.scope.in_loop) = (place, false);
        let text = self.block_of(write);
        (self.scope.place, self.scope.in_loop) = before;
        text
    }

    /// Whether one more block may be nested here.
    pub fn may_nest(&self) -> bool {
        self.scope.depth < MAX_DEPTH
    }

    /// Declares a register with a first value.
    pub fn let_register(&mut self, ty: Ty, value: &str) -> String {
        let name = self.fresh("r");
        self.line(format!("let {name}: {} = {value}", ty.text()));
        self.know(Local { name: name.clone(), ty, is_assignable: true });
        name
    }

    /// A register is in scope from here on.
    pub fn know(&mut self, local: Local) {
        if self.scope.depth == 0 && self.scope.in_thread {
            self.scope.outermost.push(local.clone());
        }
        self.scope.locals.push(local);
    }

    /// A procedure: pure, or on memory, or on abstract state.
    pub fn write_proc(&mut self, touches: Option<super::builder::Kind>) {
        use super::builder::Kind;
        let place = if touches == Some(Kind::Abstract) { Place::Atomic } else { Place::Free };
        let ty = if self.random.percent(50) { Ty::Num(0, 1) } else { Ty::Bool };
        let result = self.random.percent(70).then(|| ty.clone());
        let name = self.fresh("p");
        let parameter = self.fresh("q");
        let mut scope = Scope { in_thread: false, place, ..Scope::default() };
        scope.locals.push(Local { name: parameter.clone(), ty: ty.clone(), is_assignable: self.random.percent(50) });
        scope.depth = 1;
        let outer = std::mem::replace(&mut self.scope, scope);
        let n_statements = 1 + self.random.below(2);
        let is_pure = touches.is_none();
        let body = self.block_of(|b| {
            let shared = if is_pure { std::mem::take(&mut b.shared) } else { Vec::new() };
            for _ in 0..n_statements {
                b.statement();
            }
            if let Some(ty) = &result {
                let leaves = super::leaves::Leaves::REGISTERS;
                let value = b.expr(ty, leaves, 1);
                b.line(format!("return {value}"));
            }
            if is_pure {
                b.shared = shared;
            }
        });
        self.scope = outer;
        let arrow = result.as_ref().map_or(String::new(), |ty| format!(" -> {}", ty.text()));
        self.items.push(format!("proc {name}({parameter}: {}){arrow} {body}", ty.text()));
        self.procs.push(Proc { name, params: vec![ty], result, touches });
    }

    /// A thread, or two alike.
    pub fn write_thread(&mut self) {
        let reserved = self.reserved.take();
        let is_reserved = reserved.is_some();
        let name = reserved.unwrap_or_else(|| self.fresh("t"));
        let count = (is_reserved || self.random.percent(self.replicate)).then_some(2);
        self.scope = Scope { copies: count, is_reserved, ..Scope::default() };
        self.scope.locals.extend(self.registers.iter().cloned());
        let n_statements = 2 + self.random.below(self.n_statements);
        for _ in 0..n_statements {
            self.statement();
        }
        let lines = std::mem::take(&mut self.lines);
        let index = count.map_or(String::new(), |n| format!("[{n}]"));
        let body = lines.join("\n");
        self.items.push(format!("thread {name}{index} {{\n{body}\n}}"));
        let scope = std::mem::take(&mut self.scope);
        let used = self.registers.iter().filter(|r| body.contains(&r.name)).cloned();
        let own = is_reserved.then(|| Local { name: "mine".into(), ty: Ty::Num(0, 1), is_assignable: true });
        let registers = scope.outermost.into_iter().chain(used).chain(own).collect();
        self.threads.push(ThreadInfo { name, count, registers, labels: scope.labels });
    }
}
