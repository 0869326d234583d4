//! Blocks and statements as text.

use super::Printer;
use super::flow::Flow;
use super::transactions::handler_head;
use crate::parts;
use crate::tree::{Block, Stmt, StmtKind};

impl Printer<'_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.before(stmt.span.start);
        let blocks = parts::blocks(stmt);
        self.comments_inside(blocks.first().map_or(stmt.span.end, |block| block.span.start));
        if blocks.is_empty() {
            let head = self.head(stmt);
            self.line(&head);
        } else if !self.try_flat(&blocks, stmt.span.end, |p| p.flat_stmt(stmt)) {
            let head = self.head(stmt);
            self.parts(head, stmt);
        }
    }

    /// Prints what has `blocks` on one line, if they were on one line each and it fits.
    pub(super) fn try_flat(&mut self, blocks: &[&Block], end: u32, flat: impl Fn(&Self) -> String) -> bool {
        let may = blocks.iter().all(|block| self.was_one_line(block.span)) && !self.has_comment_before(end);
        if !may {
            return false;
        }
        let flat = flat(self);
        let fits = self.fits(&flat);
        if fits {
            self.raw_line(&flat);
        }
        fits
    }

    /// The statement after its label, up to its first block.
    fn head(&self, stmt: &Stmt) -> Flow {
        let mut flow = Flow::new("");
        if let Some(label) = &stmt.label {
            flow.push(&format!("@{} ", label.text));
        }
        if stmt.is_unordered {
            flow.push("unordered ");
        }
        match &stmt.kind {
            StmtKind::Let { name, ty, value } => {
                flow.push(&format!("let {}", name.text));
                if let Some(ty) = ty {
                    flow.push(": ");
                    self.ty(&mut flow, ty);
                }
                flow.push(" = ");
                self.expr(&mut flow, value);
            }
            StmtKind::Assign { place, value } => {
                self.expr(&mut flow, place);
                flow.push(" = ");
                self.expr(&mut flow, value);
            }
            StmtKind::Expr(expr) => self.expr(&mut flow, expr),
            StmtKind::If { condition, .. } => {
                flow.push("if ");
                self.expr(&mut flow, condition);
            }
            StmtKind::While { condition, .. } => {
                flow.push("while ");
                self.expr(&mut flow, condition);
            }
            StmtKind::Loop(_) => flow.push("loop"),
            StmtKind::Each { name, domain, .. } => {
                flow.push(&format!("each {} in ", name.text));
                self.ty(&mut flow, domain);
            }
            StmtKind::Choose(_) => flow.push("choose"),
            StmtKind::Atomic(_) => flow.push("atomic"),
            StmtKind::Then(_) => flow.push("then"),
            StmtKind::Issued(_) => flow.push("when issued"),
            StmtKind::Directly(_) => flow.push("directly"),
            StmtKind::StopTheWorld(_) => flow.push("stop_the_world"),
            StmtKind::Transaction(transaction) => self.transaction_head(&mut flow, transaction),
            StmtKind::Abort(Some(code)) => self.words(&mut flow, "abort ", code),
            StmtKind::Abort(None) => flow.push("abort"),
            StmtKind::Fence(kind) => flow.push(&format!("fence {}", kind.text)),
            StmtKind::Assert { name, condition } => {
                let name = name.as_ref().map(|name| format!("{}: ", name.text)).unwrap_or_default();
                self.words(&mut flow, &format!("assert {name}"), condition);
            }
            StmtKind::Assume(condition) => self.words(&mut flow, "assume ", condition),
            StmtKind::Discard(condition) => self.words(&mut flow, "discard unless ", condition),
            StmtKind::Cover { name, condition } => {
                flow.push(&format!("cover {}", name.text));
                if let Some(condition) = condition {
                    self.words(&mut flow, ": ", condition);
                }
            }
            StmtKind::Request(request) => self.request(&mut flow, request),
            StmtKind::Perform => flow.push("perform"),
            StmtKind::Lock => flow.push("lock"),
            StmtKind::Unlock => flow.push("unlock"),
            StmtKind::Return(Some(value)) => self.words(&mut flow, "return ", value),
            StmtKind::Return(None) => flow.push("return"),
            StmtKind::Safepoint => flow.push("safepoint"),
            StmtKind::Break => flow.push("break"),
            StmtKind::Continue => flow.push("continue"),
            StmtKind::Stop => flow.push("stop"),
            StmtKind::Skip => flow.push("skip"),
            StmtKind::Error => flow.push("<error>"),
        }
        flow
    }

    fn words(&self, flow: &mut Flow, text: &str, expr: &crate::tree::Expr) {
        flow.push(text);
        self.expr(flow, expr);
    }

    /// Prints the head and the blocks on lines of their own.
    fn parts(&mut self, head: Flow, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                let Some(otherwise) = otherwise else { return self.block(head, then) };
                let mut head = self.block_until(head, then);
                head.push(" else");
                match self.else_if(otherwise) {
                    Some(inner) => {
                        head.push(" ");
                        head.extend(self.head(inner));
                        self.parts(head, inner);
                    }
                    None => self.block(head, otherwise),
                }
            }
            StmtKind::Choose(blocks) => {
                let mut head = head;
                for (idx, block) in blocks.iter().enumerate() {
                    if idx + 1 == blocks.len() {
                        return self.block(head, block);
                    }
                    head = self.block_until(head, block);
                    head.push(" or");
                }
            }
            StmtKind::Transaction(transaction) => {
                let mut head = self.block_until(head, &transaction.body);
                head.push(&handler_head(transaction));
                self.block(head, &transaction.handler);
            }
            _ => {
                if let Some(block) = parts::blocks(stmt).first() {
                    self.block(head, block);
                }
            }
        }
    }

    /// The `if` of an `else if`. A source that wrote `else { if .. }` keeps it.
    fn else_if<'t>(&self, block: &'t Block) -> Option<&'t Stmt> {
        match block.stmts.as_slice() {
            [stmt] if stmt.label.is_none() && matches!(stmt.kind, StmtKind::If { .. }) => {
                (self.layout.is_none() || stmt.span == block.span).then_some(stmt)
            }
            _ => None,
        }
    }

    /// `head { statements }` on lines of its own.
    pub(super) fn block(&mut self, head: Flow, block: &Block) {
        let close = self.block_until(head, block);
        self.line(&close);
    }

    /// The same without its last line, which begins with what is returned.
    fn block_until(&mut self, mut head: Flow, block: &Block) -> Flow {
        if block.stmts.is_empty() && !self.has_comment_before(block.span.end) {
            head.push(" {}");
            return head;
        }
        head.push(" {");
        self.open(&head);
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.leave(block.span.end);
        Flow::new("}")
    }

    /// A statement on one line.
    fn flat_stmt(&self, stmt: &Stmt) -> String {
        let head = self.head(stmt).flat();
        match &stmt.kind {
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                let rest = match self.else_if(otherwise) {
                    Some(inner) => self.flat_stmt(inner),
                    None => self.flat_block(otherwise),
                };
                format!("{head} {} else {rest}", self.flat_block(then))
            }
            StmtKind::Transaction(transaction) => {
                let (body, handler) = (self.flat_block(&transaction.body), self.flat_block(&transaction.handler));
                format!("{head} {body}{} {handler}", handler_head(transaction))
            }
            _ => {
                let blocks: Vec<String> = parts::blocks(stmt).into_iter().map(|block| self.flat_block(block)).collect();
                if blocks.is_empty() { head } else { format!("{head} {}", blocks.join(" or ")) }
            }
        }
    }

    pub(super) fn flat_block(&self, block: &Block) -> String {
        let stmts: Vec<String> = block.stmts.iter().map(|stmt| self.flat_stmt(stmt)).collect();
        if stmts.is_empty() { "{}".to_string() } else { format!("{{ {} }}", stmts.join("; ")) }
    }
}
