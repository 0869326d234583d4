//! Items that declare constants, types, objects and shared state.

use super::Parser;
use crate::codes;
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    BinaryOp, FieldDecl, FlagVariant, HeapObject, ItemKind, Name, RegisterDecl, SharedDecl, SharedKind, Type, TypeKind,
};
use base::Diagnostic;

impl Parser<'_> {
    /// `: type`. Where there is none, reports that `what` needs it, and continues.
    fn type_of(&mut self, what: &str, example: &str) -> Option<Type> {
        if self.eat(TokenKind::Colon) {
            return self.ty();
        }
        if self.at(TokenKind::Error) {
            return None;
        }
        let span = self.previous().span;
        self.report_before(
            Diagnostic::error(codes::MISSING_TYPE, span, format!("{what} has no type"))
                .hint(format!("write `{example}`")),
        );
        let known = matches!(self.kind(), TokenKind::Assign | TokenKind::Comma | TokenKind::CloseBrace);
        (known || self.token().after_newline).then_some(Type { kind: TypeKind::Error, span })
    }

    /// `[type]`, if there is one.
    fn index_type(&mut self) -> Option<Option<Type>> {
        if self.kind_same_line() != Some(TokenKind::OpenBracket) {
            return Some(None);
        }
        self.bracketed(TokenKind::CloseBracket, "]", Self::ty).map(Some)
    }

    pub(super) fn param(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a parameter")?;
        let what = format!("the parameter `{}`", name.text);
        let example = format!("param {}: 1..4 = 1", name.text);
        let ty = self.type_of(&what, &example)?;
        let default = self.initial(&what, &example)?;
        Some(ItemKind::Param { name, ty, default })
    }

    pub(super) fn flag(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a flag")?;
        let hint = format!("write `flag {}: first | second = first`", name.text);
        if !self.eat(TokenKind::Colon) {
            self.expected(codes::EXPECTED_SYMBOL, "`:` and the words of the flag", Some(&hint));
            return None;
        }
        let (mut alternatives, mut variants) = (vec![self.name("a word of the flag")?], Vec::new());
        variants.extend(self.flag_variant(&alternatives)?);
        while self.at(TokenKind::Operator(BinaryOp::BitOr)) || self.at(TokenKind::Comma) {
            if self.at(TokenKind::Comma) {
                let span = self.token().span;
                let message = "the words of a flag are separated by `|`";
                self.report(Diagnostic::error(codes::EXPECTED_SEPARATOR, span, message).hint(&hint));
            }
            self.bump();
            alternatives.push(self.name("a word of the flag")?);
            variants.extend(self.flag_variant(&alternatives)?);
        }
        if !self.eat(TokenKind::Assign) {
            let span = self.previous().span;
            let message = format!("the flag `{}` has no first value", name.text);
            self.report_before(Diagnostic::error(codes::MISSING_VALUE, span, message).hint(hint));
            return None;
        }
        Some(ItemKind::Flag { name, alternatives, variants, default: self.name("a word of the flag")? })
    }

    /// `as name "title"` after the last of the words, if it is there.
    fn flag_variant(&mut self, words: &[Name]) -> Option<Option<FlagVariant>> {
        let Some(word) = words.last().filter(|_| self.at_word("as")).cloned() else { return Some(None) };
        self.bump();
        let name = self.name("the name of a variant")?;
        Some(Some(FlagVariant { word, name, title: self.title() }))
    }

    pub(super) fn constant(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a constant")?;
        if self.at(TokenKind::Colon) {
            let span = self.token().span;
            self.report(
                Diagnostic::error(codes::UNEXPECTED_PART, span, "a constant has no type")
                    .hint(format!("write `const {} = value`", name.text)),
            );
            self.bump();
            self.ty()?;
        }
        let value = self.initial(&format!("the constant `{}`", name.text), &format!("const {} = value", name.text))?;
        Some(ItemKind::Const { name, value })
    }

    pub(super) fn type_alias(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a type")?;
        if !self.eat(TokenKind::Assign) {
            let hint = format!("write `type {} = 0..3`; several named values are an `enum`", name.text);
            self.expected(codes::EXPECTED_SYMBOL, "`=` and a type", Some(&hint));
            return None;
        }
        Some(ItemKind::TypeAlias { name, ty: self.ty()? })
    }

    pub(super) fn enumeration(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of an enum")?;
        let variants = self.list("value of the enum", |p| p.name("a value of the enum"))?;
        Some(ItemKind::Enum { name, variants })
    }

    pub(super) fn word_decl(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a word")?;
        Some(ItemKind::Word { name, fields: self.list("field", Self::field)? })
    }

    pub(super) fn object(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of an object type")?;
        Some(ItemKind::Object { name, fields: self.list("field", Self::field)? })
    }

    /// `data[Field]: Value = 0`, `plain next: Node? = null`
    fn field(&mut self) -> Option<FieldDecl> {
        let is_plain = self.eat_before("plain", |_| false);
        let is_elidable = !is_plain && self.eat_before("elidable", |_| false);
        let name = self.name("the name of a field")?;
        let index = self.index_type()?;
        let ty = self.type_of(&format!("the field `{}`", name.text), &format!("{}: Type", name.text))?;
        let init = match self.eat(TokenKind::Assign) {
            true => Some(self.expr()?),
            false => None,
        };
        Some(FieldDecl { name, index, ty, init, is_plain, is_elidable })
    }

    pub(super) fn heap(&mut self) -> Option<ItemKind> {
        Some(ItemKind::Heap(self.list("object", Self::heap_object)?))
    }

    /// `from: Node { data = 0 }`, `from: Node[3]`
    fn heap_object(&mut self) -> Option<HeapObject> {
        let name = self.name("the name of an object")?;
        if !self.eat(TokenKind::Colon) {
            let hint = format!("an object of the heap is written `{}: Type`", name.text);
            self.expected(codes::EXPECTED_SYMBOL, "`:` and an object type", Some(&hint));
            return None;
        }
        let object = self.name("an object type")?;
        let count = match self.kind_same_line() == Some(TokenKind::OpenBracket) {
            true => Some(self.bracketed(TokenKind::CloseBracket, "]", Self::expr)?),
            false => None,
        };
        let settings = match self.kind_same_line() == Some(TokenKind::OpenBrace) {
            true => self.settings()?,
            false => Vec::new(),
        };
        Some(HeapObject { name, object, count, settings })
    }

    /// `cell`, `plain cell` and `elidable cell`
    pub(super) fn cell(&mut self, is_plain: bool, is_elidable: bool) -> Option<ItemKind> {
        let cell = self.shared(SharedKind::Cell, false)?;
        Some(ItemKind::Shared(SharedDecl { is_plain, is_elidable, ..cell }))
    }

    /// `cell`, `abstract` and `ghost`
    pub(super) fn shared(&mut self, kind: SharedKind, is_unordered: bool) -> Option<SharedDecl> {
        let (keyword, noun) = match kind {
            SharedKind::Cell => ("cell", "cell"),
            SharedKind::Abstract => ("abstract", "abstract variable"),
            SharedKind::Ghost => ("ghost", "ghost"),
        };
        let name = self.name(&format!("the name of a {noun}").replace("a abstract", "an abstract"))?;
        let index = self.index_type()?;
        let what = format!("the {noun} `{}`", name.text);
        let ty = self.type_of(&what, &format!("{keyword} {}: Type = value", name.text))?;
        let written = self.slice(ty.span);
        let init = self.initial(&what, &self.shared_example(keyword, &name, &ty, written))?;
        Some(SharedDecl { kind, name, index, ty, init, is_unordered, is_plain: false, is_elidable: false })
    }

    /// `phase: Phase = Idle`, `roots[mutator]: set Node = [{a}, {b}]`
    pub(super) fn register(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a register")?;
        let index = self.index_type()?;
        let what = format!("the register `{}`", name.text);
        let ty = self.type_of(&what, &format!("register {}: Type = value", name.text))?;
        let written = self.slice(ty.span);
        let init = self.initial(&what, &self.shared_example("register", &name, &ty, written))?;
        Some(ItemKind::Register(RegisterDecl { name, index, ty, init }))
    }

    fn shared_example(&self, keyword: &str, name: &Name, ty: &Type, written: &str) -> String {
        let value = match ty.kind {
            TypeKind::Bool => "false",
            TypeKind::Range(..) => "0",
            TypeKind::Optional(_) => "null",
            TypeKind::Set(_) | TypeKind::Queue(..) => "{}",
            _ => "value",
        };
        format!("{keyword} {}: {written} = {value}", name.text)
    }

    /// Whether the next token is the keyword of an item that `require` may ask for.
    pub(super) fn at_required(&self) -> Option<Keyword> {
        match self.kind() {
            TokenKind::Keyword(k @ (Keyword::Proc | Keyword::Thread | Keyword::Object | Keyword::Cell)) => Some(k),
            _ => None,
        }
    }

    /// `: type` of a required cell, which has neither index nor value.
    pub(super) fn required_type(&mut self, name: &Name) -> Option<Type> {
        self.type_of(&format!("the cell `{}`", name.text), &format!("require cell {}: Type", name.text))
    }
}
