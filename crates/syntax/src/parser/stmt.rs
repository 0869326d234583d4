//! Blocks and statements.

use super::Parser;
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{Block, Expr, ExprKind, Stmt, StmtKind};
use base::Diagnostic;

impl Parser<'_> {
    /// `{ statement* }`; `after` says what the block belongs to.
    pub(super) fn block(&mut self, after: &str) -> Option<Block> {
        let start = self.position;
        if !self.at(TokenKind::OpenBrace) {
            let hint = format!("the statements of {after} stand in braces: `{{ .. }}`");
            self.expected(codes::EXPECTED_SYMBOL, "`{`", Some(&hint));
            return None;
        }
        if self.is_too_deep() {
            return None;
        }
        self.nesting += 1;
        self.bump();
        let stmts = self.statements(start);
        self.nesting -= 1;
        Some(Block { stmts, span: self.span_from(start) })
    }

    /// The statements after the `{` of token `open`, and the `}`.
    fn statements(&mut self, open: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        loop {
            match self.kind() {
                TokenKind::CloseBrace => {
                    self.bump();
                    self.note_closing(open);
                    return stmts;
                }
                TokenKind::Semicolon => self.empty_entry("statement"),
                TokenKind::End => {
                    self.missing_brace(open);
                    return stmts;
                }
                _ if self.at_item_outside(open) => {
                    self.missing_brace(open);
                    return stmts;
                }
                _ => stmts.push(self.stmt_or_skip()),
            }
        }
    }

    /// Consumes a separator with nothing before it.
    pub(super) fn empty_entry(&mut self, what: &str) {
        let token = self.token();
        let message = format!("there is no {what} before this `{}`", self.next_text());
        self.report(Diagnostic::warning(codes::EMPTY_ENTRY, token.span, message).hint("remove it"));
        self.bump();
    }

    fn stmt_or_skip(&mut self) -> Stmt {
        let start = self.position;
        let nesting = self.nesting;
        let stmt = self.stmt();
        self.nesting = nesting;
        match stmt {
            Some(stmt) => {
                if !self.stmt_end() {
                    self.skip_line(self.position, false);
                    // What the register holds was not read to its end, so nothing is known of it.
                    if matches!(stmt.kind, StmtKind::Let { .. }) {
                        return Stmt { kind: StmtKind::Error, ..stmt };
                    }
                }
                stmt
            }
            None => {
                self.skip_line(start, false);
                Stmt { label: None, is_unordered: false, kind: StmtKind::Error, span: self.span_from(start) }
            }
        }
    }

    /// Whether the statement ends here; reports what follows if not.
    fn stmt_end(&mut self) -> bool {
        let token = self.token();
        let ended = token.after_newline || self.previous().kind == TokenKind::CloseBrace;
        if self.eat(TokenKind::Semicolon) || ended {
            return true;
        }
        if matches!(token.kind, TokenKind::CloseBrace | TokenKind::End) {
            return true;
        }
        let hint = match token.kind {
            TokenKind::Assign => "`=` assigns once per statement; to compare, write `==`",
            TokenKind::Arrow => "a field is taken with `.`",
            TokenKind::Foreign(Foreign::Increment) => "write `x = x + 1`",
            TokenKind::Foreign(Foreign::ColonColon) => "a field is taken with `.`",
            TokenKind::Question => "a value is chosen with `if c then a else b`",
            TokenKind::Comma => "statements are separated by new lines or `;`",
            TokenKind::OpenBrace => "a block follows only `if`, `while`, `loop`, `each`, `choose` and the like",
            TokenKind::DotDot | TokenKind::Foreign(_) => "there is no such operator",
            TokenKind::CloseParen | TokenKind::CloseBracket => "it closes a bracket that is not open",
            _ => "begin the next statement on a new line, or put `;` between them",
        };
        self.expected(codes::EXPECTED_END, "the end of the statement", Some(hint));
        false
    }

    fn stmt(&mut self) -> Option<Stmt> {
        let start = self.position;
        let label = match self.eat(TokenKind::At) {
            true => Some(self.name("a label")?),
            false => None,
        };
        if label.is_some() && self.is_statement_missing() {
            let span = self.span_from(start);
            let message = "this label names no statement";
            let hint = "write `@label statement`, such as `@copied skip`";
            self.report(Diagnostic::error(codes::EXPECTED_STATEMENT, span, message).hint(hint));
            return None;
        }
        let is_unordered = self.eat_before("unordered", Keyword::begins_statement);
        let kind = match self.kind() {
            TokenKind::Keyword(keyword) => self.keyword_stmt(keyword)?,
            _ if self.at_then() => {
                self.bump();
                StmtKind::Then(self.block("`then`")?)
            }
            _ if self.eat_words(["when", "issued"]) => StmtKind::Issued(self.block("`when issued`")?),
            _ if self.eat_words(["discard", "unless"]) => StmtKind::Discard(self.condition()?),
            _ => match self.bus_stmt() {
                Some(kind) => kind,
                None => self.expr_stmt()?,
            },
        };
        Some(Stmt { label, is_unordered, kind, span: self.span_from(start) })
    }

    /// Consumes `word` before a name or such a keyword; elsewhere it is a name.
    pub(super) fn eat_before(&mut self, word: &str, may_follow: impl Fn(Keyword) -> bool) -> bool {
        let next = self.token_at(1);
        let follows = match next.kind {
            TokenKind::Name => true,
            TokenKind::Keyword(keyword) => may_follow(keyword),
            _ => false,
        };
        follows && !next.after_newline && self.eat_word(word)
    }

    /// Consumes two words, which are names anywhere else.
    fn eat_words(&mut self, words: [&str; 2]) -> bool {
        let next = self.token_at(1);
        let both = self.at_word(words[0]) && next.kind == TokenKind::Name && self.slice(next.span) == words[1];
        if both && !next.after_newline {
            self.bump();
            self.bump();
        }
        both && !next.after_newline
    }

    /// Whether `then { .. }` comes next; `then` may be a name.
    fn at_then(&self) -> bool {
        let next = self.token_at(1);
        self.at_word("then") && next.kind == TokenKind::OpenBrace && !next.after_newline
    }

    /// `lock` or `unlock`, which are names unless they are a whole statement.
    fn bus_stmt(&mut self) -> Option<StmtKind> {
        let kind = match () {
            () if self.at_word("lock") => StmtKind::Lock,
            () if self.at_word("unlock") => StmtKind::Unlock,
            () => return None,
        };
        let next = self.token_at(1);
        let continues = next.kind == TokenKind::Dot;
        let ends = matches!(next.kind, TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End);
        if continues || !(next.after_newline || ends) {
            return None;
        }
        self.bump();
        Some(kind)
    }

    /// Whether nothing that a label could name follows it.
    fn is_statement_missing(&self) -> bool {
        let ends = matches!(self.kind(), TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End);
        ends || matches!(self.kind(), TokenKind::Assign | TokenKind::Colon)
    }

    fn keyword_stmt(&mut self, keyword: Keyword) -> Option<StmtKind> {
        if self.is_keyword_assigned(keyword) {
            let (span, text) = (self.token().span, self.next_text());
            let message = format!("`{text}` is a keyword and cannot be assigned");
            let diagnostic = Diagnostic::error(codes::KEYWORD_AS_NAME, span, message);
            self.report(diagnostic.hint(format!("choose another name, such as `{text}_`")));
            return None;
        }
        if !keyword.begins_statement() {
            return self.other_keyword(keyword);
        }
        self.bump();
        Some(match keyword {
            Keyword::Let => self.let_stmt()?,
            Keyword::If => self.if_stmt()?,
            Keyword::While => {
                let condition = self.header_condition()?;
                StmtKind::While { condition, body: self.block("`while`")? }
            }
            Keyword::Loop => StmtKind::Loop(self.block("`loop`")?),
            Keyword::Each => {
                let name = self.name("the name that stands for each value")?;
                self.block_follows = true;
                let domain = self.domain("each");
                self.block_follows = false;
                let domain = domain?;
                StmtKind::Each { name, domain, body: self.block("`each`")? }
            }
            Keyword::Choose => self.choose_stmt()?,
            Keyword::Atomic => StmtKind::Atomic(self.block("`atomic`")?),
            Keyword::Directly => StmtKind::Directly(self.block("`directly`")?),
            Keyword::StopTheWorld => StmtKind::StopTheWorld(self.block("`stop_the_world`")?),
            Keyword::Transaction => self.transaction()?,
            Keyword::Abort => StmtKind::Abort(self.return_value()?),
            Keyword::Fence => self.fence_stmt()?,
            Keyword::Assert => {
                let named = self.at(TokenKind::Name) && self.token_at(1).kind == TokenKind::Colon;
                let name = if named { self.name("a property") } else { None };
                if named {
                    self.bump();
                }
                StmtKind::Assert { name, condition: self.condition()? }
            }
            Keyword::Assume => StmtKind::Assume(self.condition()?),
            Keyword::Cover => {
                let name = self.name("the name of what is covered")?;
                let condition = match self.eat(TokenKind::Colon) {
                    true => Some(self.condition()?),
                    false => None,
                };
                StmtKind::Cover { name, condition }
            }
            Keyword::Request => StmtKind::Request(self.request()?),
            Keyword::Perform => StmtKind::Perform,
            Keyword::Return => StmtKind::Return(self.return_value()?),
            Keyword::Safepoint => StmtKind::Safepoint,
            Keyword::Break => StmtKind::Break,
            Keyword::Continue => StmtKind::Continue,
            Keyword::Stop => StmtKind::Stop,
            _ => StmtKind::Skip,
        })
    }

    /// Whether a keyword stands where a cell or register should: `flag[0] = true`, `stop = false`.
    fn is_keyword_assigned(&self, keyword: Keyword) -> bool {
        let next = self.token_at(1);
        let is_word = keyword.begins_statement() || keyword.begins_item();
        let is_place = match next.kind {
            TokenKind::Assign => true,
            TokenKind::OpenBracket | TokenKind::Dot => keyword.begins_item(),
            _ => false,
        };
        is_word && is_place && !next.after_newline
    }

    /// A statement that begins with a keyword that begins none.
    fn other_keyword(&mut self, keyword: Keyword) -> Option<StmtKind> {
        let span = self.token().span;
        let text = self.next_text();
        let diagnostic = match keyword {
            Keyword::Else => Diagnostic::error(codes::MISPLACED_ELSE, span, "this `else` belongs to no `if`")
                .hint("`else` comes right after the `}` of its `if`"),
            Keyword::Or if self.token_at(1).kind == TokenKind::OpenBrace => {
                Diagnostic::error(codes::MISPLACED_ELSE, span, "this `or` belongs to no `choose`")
                    .hint("write `choose { .. } or { .. }`")
            }
            Keyword::And | Keyword::Or | Keyword::Implies => self.leading_operator(),
            keyword if keyword.begins_item() => Diagnostic::error(
                codes::ITEM_IN_BLOCK,
                span,
                format!("`{text}` declares an item and cannot stand here"),
            )
            .hint("move it out of the block; a register is declared with `let`"),
            _ => return self.expr_stmt(),
        };
        self.report(diagnostic);
        None
    }

    /// A line that begins with a binary operator.
    pub(super) fn leading_operator(&self) -> Diagnostic {
        let (span, text) = (self.token().span, self.next_text());
        Diagnostic::error(codes::LINE_STARTS_WITH_OPERATOR, span, format!("a statement cannot begin with `{text}`"))
            .hint(format!("end the line before with `{text}`, or put the whole expression in parentheses"))
    }

    fn let_stmt(&mut self) -> Option<StmtKind> {
        let next = self.token_at(1);
        if self.at_word("mut") && next.kind == TokenKind::Name && !next.after_newline {
            let span = self.token().span;
            self.report(
                Diagnostic::error(codes::EXPECTED_NAME, span, "there is no `mut`")
                    .hint("every register can be assigned: leave it out"),
            );
            self.bump();
        }
        let name = self.name("the name of a register")?;
        let ty = match self.eat(TokenKind::Colon) {
            true => Some(self.ty()?),
            false => None,
        };
        let what = format!("the register `{}`", name.text);
        let value = self.initial(&what, &format!("let {} = ..", name.text))?;
        Some(StmtKind::Let { name, ty, value })
    }

    /// `= e`. Where there is none, reports that `what` needs it, and continues.
    pub(super) fn initial(&mut self, what: &str, example: &str) -> Option<Expr> {
        let span = match self.kind() {
            TokenKind::Assign => {
                self.bump();
                return self.expr();
            }
            TokenKind::Foreign(Foreign::ColonEqual) | TokenKind::Operator(crate::tree::BinaryOp::Equal) => {
                let span = self.token().span;
                let message = format!("`{}` gives no value to {what}", self.next_text());
                self.report(Diagnostic::error(codes::COMPOUND_ASSIGNMENT, span, message).hint("write `=`"));
                self.bump();
                return self.expr();
            }
            TokenKind::Error => return None,
            _ => self.previous().span,
        };
        self.report_before(
            Diagnostic::error(codes::MISSING_VALUE, span, format!("{what} has no first value"))
                .hint(format!("write `{example}`")),
        );
        Some(Expr { kind: ExprKind::Error, span })
    }

    /// A condition before a block; a bad one does not keep the block from being read.
    fn header_condition(&mut self) -> Option<Expr> {
        let start = self.position;
        let nesting = self.nesting;
        self.block_follows = true;
        let condition = self.condition();
        self.block_follows = false;
        self.nesting = nesting;
        match condition {
            Some(condition) if self.at(TokenKind::OpenBrace) => Some(condition),
            Some(_) => {
                self.expected(codes::EXPECTED_SYMBOL, "`{`", Some("the statements stand in braces: `{ .. }`"));
                self.skip_to_block(start)
            }
            None => self.skip_to_block(start),
        }
    }

    /// After `if`. An `else if` is a block of one `if`.
    fn if_stmt(&mut self) -> Option<StmtKind> {
        let condition = self.header_condition()?;
        let then = self.block("`if`")?;
        let otherwise = if !self.eat(TokenKind::Keyword(Keyword::Else)) {
            None
        } else if self.at_keyword(Keyword::If) {
            if self.is_too_deep() {
                return None;
            }
            let start = self.position;
            self.bump();
            self.nesting += 1;
            let kind = self.if_stmt()?;
            self.nesting -= 1;
            let span = self.span_from(start);
            Some(Block { stmts: vec![Stmt { label: None, is_unordered: false, kind, span }], span })
        } else {
            Some(self.block("`else`")?)
        };
        Some(StmtKind::If { condition, then, otherwise })
    }

    fn choose_stmt(&mut self) -> Option<StmtKind> {
        let mut blocks = vec![self.block("`choose`")?];
        while self.at_keyword(Keyword::Or) && self.token_at(1).kind == TokenKind::OpenBrace {
            self.bump();
            blocks.push(self.block("`or`")?);
        }
        Some(StmtKind::Choose(blocks))
    }

    fn fence_stmt(&mut self) -> Option<StmtKind> {
        if !matches!(self.kind_same_line(), Some(TokenKind::Name | TokenKind::Keyword(_))) {
            let span = self.previous().span;
            self.report_before(Diagnostic::error(codes::FENCE_WITHOUT_KIND, span, "this fence has no kind").hint(
                "write `fence full`, `acquire`, `release`, `store_store`, or the name of a flag, without brackets",
            ));
            return None;
        }
        Some(StmtKind::Fence(self.name("the kind of a fence")?))
    }

    /// What follows on the same line, if anything.
    fn return_value(&mut self) -> Option<Option<Expr>> {
        match self.kind_same_line() {
            None | Some(TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End) => Some(None),
            Some(_) => self.expr().map(Some),
        }
    }
}
