//! What the lexer makes of the text: tokens, and the comments between them.
//!
//! A token knows whether it is the first of its line and how far that line is indented: the grammar
//! ends statements at line ends, and the indentation tells where a forgotten brace belongs.

use crate::tree::BinaryOp;
use base::Span;

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands.
    pub(crate) span: Span,
    /// Whether a line ends between the token before and this one.
    pub(crate) after_newline: bool,
    /// The width of the white space at the start of this token's line.
    pub(crate) indent: u32,
}

/// What a token is. Contextual keywords (`in`, `with`, ..) are names here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Keyword(Keyword),
    Int,
    Str,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    Semicolon,
    Colon,
    Dot,
    DotDot,
    Question,
    At,
    Arrow,
    Assign,
    /// An operator written with symbols; `and`, `or` and `implies` are keywords.
    Operator(BinaryOp),
    /// Well formed in some other language; the parser says what to write here.
    Foreign(Foreign),
    /// What the lexer has already reported.
    Error,
    /// The end of the file.
    End,
}

/// Symbols of other languages that are recognised in order to be refused with advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    AndAnd,
    OrOr,
    Bang,
    DotDotEqual,
    Ellipsis,
    ColonEqual,
    ColonColon,
    FatArrow,
    Increment,
    /// `+=` and the like.
    Compound(BinaryOp),
}

macro_rules! keywords {
    ($($variant:ident $text:literal)*) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($variant,)* }

        /// Every reserved word.
        pub const KEYWORDS: &[&str] = &[$($text,)*];

        impl Keyword {
            /// The keyword spelt `text`, if there is one.
            pub(crate) fn from_text(text: &str) -> Option<Keyword> {
                match text {
                    $($text => Some(Keyword::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

keywords! {
    Use "use" Param "param" Flag "flag" Const "const" Type "type" Enum "enum" Word "word" Object "object"
    Heap "heap" Cell "cell" Abstract "abstract" Ghost "ghost" Register "register" Require "require" Proc "proc" Thread "thread"
    Scenario "scenario" Variant "variant" Invariant "invariant" Guarantee "guarantee" Forbid "forbid" Ltl "ltl" Cover "cover" Expect "expect"
    Transaction "transaction" Abort "abort"
    Predicate "predicate" Work "work" Bucket "bucket" Releaser "releaser" Request "request" Perform "perform"
    Let "let" If "if" Else "else" While "while" Loop "loop" Each "each" Choose "choose" Or "or" Atomic "atomic" Directly "directly"
    StopTheWorld "stop_the_world" Fence "fence" Assert "assert" Assume "assume" Safepoint "safepoint"
    Return "return" Break "break" Continue "continue" Stop "stop" Skip "skip" And "and" Not "not"
    Implies "implies" Exists "exists" True "true" False "false" Null "null" SelfIndex "self" At "at" Bool "bool"
}

impl Keyword {
    /// Whether an item may begin with it.
    pub(crate) fn begins_item(self) -> bool {
        use Keyword::*;
        self.begins_only_item() || self == Cover
    }

    /// Whether an item, but no statement, may begin with it.
    pub(crate) fn begins_only_item(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Use | Param
                | Flag
                | Const
                | Type
                | Enum
                | Word
                | Object
                | Heap
                | Cell
                | Abstract
                | Ghost
                | Register
                | Require
                | Proc
                | Thread
                | Work
                | Bucket
                | Releaser
                | Scenario
                | Variant
                | Invariant
                | Guarantee
                | Forbid
                | Ltl
                | Predicate
                | Expect
        )
    }

    /// Whether a statement may begin with it.
    pub(crate) fn begins_statement(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Let | If
                | While
                | Loop
                | Each
                | Choose
                | Atomic
                | Directly
                | StopTheWorld
                | Transaction
                | Abort
                | Fence
                | Assert
                | Assume
                | Cover
                | Request
                | Perform
                | Safepoint
                | Return
                | Break
                | Continue
                | Stop
                | Skip
        )
    }
}

/// What a comment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommentKind {
    /// `//`
    Plain,
    /// `///`: about the next item.
    Item,
    /// `//!`: about the file.
    Module,
}

/// A comment up to the end of its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// What it is for.
    pub(crate) kind: CommentKind,
    /// Where it stands, without trailing white space.
    pub(crate) span: Span,
    /// Whether nothing stands before it on its line.
    pub(crate) own_line: bool,
    /// How many tokens stand before it.
    pub(crate) tokens_before: usize,
}
