//! Items: the dispatch on their first word, and those that hold statements, settings or conditions.

use super::Parser;
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{
    Expr, Heat, ItemKind, Name, Param, Require, Scenario, Setting, SharedKind, Signature, ThreadDecl, Title, Type,
};
use crate::words;
use base::Diagnostic;

impl Parser<'_> {
    pub(super) fn item(&mut self) -> Option<ItemKind> {
        let is_unordered = self.eat_before("unordered", |keyword| matches!(keyword, Keyword::Abstract | Keyword::Work));
        let is_plain = !is_unordered && self.eat_word_before("plain", &[Keyword::Cell]);
        let is_elidable = !is_unordered && !is_plain && self.eat_word_before("elidable", &[Keyword::Cell]);
        let heat = self.eat_heat();
        let TokenKind::Keyword(keyword) = self.kind() else { return self.unknown_item() };
        if !keyword.begins_item() {
            return self.unknown_item();
        }
        self.bump();
        match keyword {
            Keyword::Use => self.use_module(),
            Keyword::Param => self.param(),
            Keyword::Flag => self.flag(),
            Keyword::Const => self.constant(),
            Keyword::Type => self.type_alias(),
            Keyword::Enum => self.enumeration(),
            Keyword::Word => self.word_decl(),
            Keyword::Object => self.object(),
            Keyword::Heap => self.heap(),
            Keyword::Cell => self.cell(is_plain, is_elidable),
            Keyword::Abstract => self.shared(SharedKind::Abstract, is_unordered).map(ItemKind::Shared),
            Keyword::Ghost => self.shared(SharedKind::Ghost, false).map(ItemKind::Shared),
            Keyword::Register => self.register(),
            Keyword::Require => self.require(),
            Keyword::Proc => self.procedure(heat),
            Keyword::Thread => self.thread(heat).map(ItemKind::Thread),
            Keyword::Work => self.work(is_unordered).map(ItemKind::Work),
            Keyword::Bucket => self.bucket().map(ItemKind::Bucket),
            Keyword::Releaser => self.releaser().map(ItemKind::Releaser),
            Keyword::Predicate => self.predicate(),
            Keyword::Scenario => self.scenario(),
            Keyword::Variant => self.variant(),
            Keyword::Expect => self.expectation(),
            Keyword::Ltl => self.ltl(),
            Keyword::Invariant => self.invariant(),
            Keyword::Guarantee => self.guarantee(),
            _ => self.property(keyword),
        }
    }

    /// Consumes `hot` or `cold` before `proc` or `thread`.
    fn eat_heat(&mut self) -> Option<Heat> {
        let words = [("hot", Heat::Hot), ("cold", Heat::Cold)];
        let is_next = |(word, _): &(&str, Heat)| self.eat_word_before(word, &[Keyword::Proc, Keyword::Thread]);
        words.into_iter().find(is_next).map(|(_, heat)| heat)
    }

    /// Consumes a word before one of these keywords; elsewhere it is a name.
    fn eat_word_before(&mut self, word: &str, keywords: &[Keyword]) -> bool {
        let next = self.token_at(1);
        let follows = matches!(next.kind, TokenKind::Keyword(keyword) if keywords.contains(&keyword));
        follows && !next.after_newline && self.eat_word(word)
    }

    /// Reports what follows an item on its line.
    pub(super) fn item_end(&mut self) {
        let token = self.token();
        if token.after_newline || token.kind == TokenKind::End || self.eat(TokenKind::Semicolon) {
            return;
        }
        if self.previous().kind == TokenKind::CloseBrace && token.kind != TokenKind::CloseBrace {
            return;
        }
        if token.kind != TokenKind::CloseBrace {
            let hint = match token.kind {
                TokenKind::Assign => "to compare, write `==`",
                TokenKind::Dot => "a module is named without its `.lac`",
                TokenKind::Foreign(_) => "there is no such operator",
                _ => "begin the next item on a new line",
            };
            self.expected(codes::EXPECTED_END, "the end of the line", Some(hint));
            self.skip_to_item(self.position);
        }
    }

    fn unknown_item(&mut self) -> Option<ItemKind> {
        let token = self.token();
        let text = self.next_text();
        let diagnostic = match token.kind {
            TokenKind::Error => return None,
            TokenKind::CloseBrace | TokenKind::CloseParen | TokenKind::CloseBracket => {
                Diagnostic::error(codes::UNMATCHED_CLOSE, token.span, format!("this `{text}` closes nothing"))
                    .hint("remove it, or add the opening one")
            }
            TokenKind::Keyword(Keyword::Let) => Diagnostic::error(
                codes::STATEMENT_OUTSIDE,
                token.span,
                "registers are declared in threads and procedures",
            )
            .hint("shared memory is declared with `cell`, a constant with `const`"),
            TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies) | TokenKind::Operator(_) => {
                let message = format!("an item cannot begin with `{text}`");
                let hint = format!("end the line before with `{text}`, or put the whole expression in parentheses");
                Diagnostic::error(codes::LINE_STARTS_WITH_OPERATOR, token.span, message).hint(hint)
            }
            TokenKind::Name if self.is_statement() => {
                Diagnostic::error(codes::STATEMENT_OUTSIDE, token.span, "this is a statement, and no item").hint(
                    "statements stand in the braces of a `thread` or `proc`; a cell begins with its declared value",
                )
            }
            TokenKind::Keyword(_) | TokenKind::At => {
                Diagnostic::error(codes::STATEMENT_OUTSIDE, token.span, format!("`{text}` does not begin an item"))
                    .hint("statements stand in the braces of a `thread` or `proc`")
            }
            _ => {
                let diagnostic =
                    Diagnostic::error(codes::EXPECTED_ITEM, token.span, format!("`{text}` does not begin an item"));
                match words::meant(text, words::ITEMS) {
                    Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
                    None => {
                        diagnostic.hint("an item begins with a word such as `cell`, `proc`, `thread` or `invariant`")
                    }
                }
            }
        };
        self.report(diagnostic);
        None
    }

    /// Whether a name is followed by what makes it an assignment, an access or a call.
    fn is_statement(&self) -> bool {
        let next = self.token_at(1);
        let follows =
            matches!(next.kind, TokenKind::Assign | TokenKind::Dot | TokenKind::OpenBracket | TokenKind::OpenParen);
        follows && !next.after_newline
    }

    fn use_module(&mut self) -> Option<ItemKind> {
        if self.at(TokenKind::Str) {
            self.expected(codes::EXPECTED_NAME, "the name of a module", Some("write `use copying` for `copying.lac`"));
            return None;
        }
        Some(ItemKind::Use(self.name("the name of a module")?))
    }

    /// `name(x: T, ..) -> T`
    fn signature(&mut self) -> Option<Signature> {
        let name = self.name("the name of a procedure")?;
        let params = self.places_and_values("procedure", &format!("proc {}()", name.text))?;
        Some(Signature { name, params, result: self.result()?, heat: None, refines: None })
    }

    /// `(x: T, ..)`, of values only.
    pub(super) fn parameters(&mut self, what: &str, example: &str) -> Option<Vec<(Name, Type)>> {
        let params = self.places_and_values(what, example)?;
        if let Some(place) = params.iter().find(|param| param.is_place) {
            let message = format!("a {what} takes values, and `{}` is a place", place.name.text);
            self.report_before(
                Diagnostic::error(codes::UNEXPECTED_PART, place.name.span, message)
                    .hint("only a procedure takes places"),
            );
        }
        Some(params.into_iter().map(|param| (param.name, param.ty)).collect())
    }

    /// `(x: T, place y: T, ..)` of what is written as in `example` if it has none.
    fn places_and_values(&mut self, what: &str, example: &str) -> Option<Vec<Param>> {
        let hint = format!("a {what} without parameters is written `{example}`");
        self.in_parentheses(&hint, Self::parameter)
    }

    /// `(a, b, ..)`, with a hint where there is no parenthesis.
    pub(super) fn in_parentheses<T>(&mut self, hint: &str, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if !self.at(TokenKind::OpenParen) {
            self.expected(codes::EXPECTED_SYMBOL, "`(`", Some(hint));
            return None;
        }
        self.bracketed(TokenKind::CloseParen, ")", |p| {
            let mut items = Vec::new();
            while !p.at(TokenKind::CloseParen) {
                items.push(item(p)?);
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            Some(items)
        })
    }

    fn parameter(&mut self) -> Option<Param> {
        let is_place = self.at_word("place") && self.token_at(1).kind == TokenKind::Name;
        if is_place {
            self.bump();
        }
        let name = self.name("the name of a parameter")?;
        if !self.eat(TokenKind::Colon) {
            let hint = format!("a parameter is written `{}: Type`", name.text);
            self.expected(codes::MISSING_TYPE, "`:` and a type", Some(&hint));
            return None;
        }
        Some(Param { is_place, name, ty: self.ty()? })
    }

    /// `-> T`, if there is a result.
    fn result(&mut self) -> Option<Option<Type>> {
        match self.kind_same_line() {
            Some(TokenKind::Arrow) => {}
            Some(TokenKind::Colon | TokenKind::Foreign(Foreign::FatArrow)) => {
                let message = format!("the result comes after `->`, not `{}`", self.next_text());
                let span = self.token().span;
                self.report(Diagnostic::error(codes::EXPECTED_SYMBOL, span, message).hint("write `-> Type`"));
            }
            _ => return Some(None),
        }
        self.bump();
        self.ty().map(Some)
    }

    fn procedure(&mut self, heat: Option<Heat>) -> Option<ItemKind> {
        let start = self.position;
        let Some(signature) = self.signature() else {
            self.skip_to_block(start)?;
            self.block("a procedure")?;
            return Some(ItemKind::Error);
        };
        let refines = if self.eat_word("refines") { Some(self.refines()?) } else { None };
        Some(ItemKind::Proc { signature: Signature { heat, refines, ..signature }, body: self.block("a procedure")? })
    }

    /// After `thread`.
    fn thread(&mut self, heat: Option<Heat>) -> Option<ThreadDecl> {
        let name = self.name("the name of a thread")?;
        let count = self.thread_count(&name)?;
        Some(ThreadDecl { name, count, body: self.block("a thread")?, heat })
    }

    /// `[n]`, if there is one.
    fn thread_count(&mut self, name: &Name) -> Option<Option<Expr>> {
        match self.kind_same_line() {
            Some(TokenKind::OpenBracket) => self.bracketed(TokenKind::CloseBracket, "]", Self::expr).map(Some),
            Some(TokenKind::OpenParen) => {
                let span = self.token().span;
                self.report(
                    Diagnostic::error(codes::UNEXPECTED_PART, span, "a thread has no parameters")
                        .hint(format!("write `thread {0}`, or `thread {0}[n]` for n threads alike", name.text)),
                );
                self.skip_to_block(self.position)?;
                Some(None)
            }
            _ => Some(None),
        }
    }

    fn require(&mut self) -> Option<ItemKind> {
        let Some(keyword) = self.at_required() else {
            let hint = "what a protocol supplies is a procedure, a thread, an object type or a cell";
            self.expected(codes::EXPECTED_SYMBOL, "`proc`, `thread`, `object` or `cell`", Some(hint));
            return None;
        };
        self.bump();
        let require = match keyword {
            Keyword::Proc => Require::Proc(self.signature()?),
            Keyword::Thread => Require::Thread(self.name("the name of a thread")?),
            Keyword::Object => Require::Object(self.name("the name of an object type")?),
            _ => {
                let name = self.name("the name of a cell")?;
                let ty = self.required_type(&name)?;
                Require::Cell(name, ty)
            }
        };
        if let Some(TokenKind::OpenBrace | TokenKind::Assign | TokenKind::OpenBracket) = self.kind_same_line() {
            let span = self.token().span;
            self.report(
                Diagnostic::error(codes::UNEXPECTED_PART, span, "what is required is only named here")
                    .hint("leave out the rest: the protocol supplies it"),
            );
            return None;
        }
        Some(ItemKind::Require(require))
    }

    /// `"title"`, if there is one.
    pub(super) fn title(&mut self) -> Option<Title> {
        if !self.at(TokenKind::Str) {
            return None;
        }
        let span = self.bump().span;
        let text = self.slice(span);
        let text = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        Some(Title { text: text.to_string(), span })
    }

    fn scenario(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a scenario")?;
        let mut title = self.title();
        let is_default = self.eat_word("default");
        if title.is_none() {
            title = self.title();
        }
        let mut settings: Vec<Setting> = Vec::new();
        let mut threads = Vec::new();
        self.list("thread or setting", |p| {
            if p.eat(TokenKind::Keyword(Keyword::Thread)) {
                threads.push(p.thread(None)?);
            } else if matches!(p.kind(), TokenKind::Keyword(_)) {
                let (span, text) = (p.token().span, p.next_text());
                let message = format!("`{text}` cannot stand in a scenario");
                let hint = "a scenario holds threads and settings `NAME = value`; statements stand in a thread";
                p.report(Diagnostic::error(codes::UNEXPECTED_PART, span, message).hint(hint));
                return None;
            } else {
                settings.push(p.setting()?);
            }
            Some(())
        })?;
        Some(ItemKind::Scenario(Scenario { name, is_default, title, settings, threads }))
    }

    fn variant(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a variant")?;
        let title = self.title();
        Some(ItemKind::Variant { name, title, settings: self.settings()? })
    }

    /// `NAME:` of a property, after its keyword.
    pub(super) fn property_name(&mut self) -> Option<Name> {
        let name = self.name("the name of a property")?;
        if !self.eat(TokenKind::Colon) {
            let hint = format!(
                "a property is written `{} {}: condition`",
                self.slice(self.tokens[self.position - 2].span),
                name.text
            );
            self.expected(codes::EXPECTED_SYMBOL, "`:` and a condition", Some(&hint));
            return None;
        }
        Some(name)
    }

    /// `marked(o: Object): condition`
    fn predicate(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a predicate")?;
        let params = self.parameters("predicate", &format!("predicate {}(): condition", name.text))?;
        self.expect(TokenKind::Colon, ":", "and a condition")?;
        Some(ItemKind::Predicate { name, params, condition: self.condition()? })
    }

    /// `forbid` or `cover`, after the keyword.
    fn property(&mut self, keyword: Keyword) -> Option<ItemKind> {
        let name = self.property_name()?;
        let condition = self.condition()?;
        Some(match keyword {
            Keyword::Forbid => ItemKind::Forbid { name, condition },
            _ => ItemKind::Cover { name, condition },
        })
    }
}
