//! What a source text says beside its tree: comments, blank lines, what stood on one line, and
//! parentheses that were not needed. The printer asks; a tree without source has none of it.

use crate::lexer::lex;
use crate::token::{Comment, CommentKind, Token, TokenKind};
use base::{FileId, Span};

/// The source of the tree that is printed. Comments are given out once, in order.
pub(crate) struct Layout<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    /// The first comment not yet given out.
    next: usize,
    /// The offsets of all line ends.
    newlines: Vec<u32>,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        let lexed = lex(file, text);
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32).collect();
        Layout { text, tokens: lexed.tokens, comments: lexed.comments, next: 0, newlines }
    }

    /// Whether a comment before `offset` is still to be given out.
    pub(crate) fn has_comment_before(&self, offset: u32) -> bool {
        self.comments.get(self.next).is_some_and(|comment| comment.span.start < offset)
    }

    /// The next comment, if it stands before `offset`.
    pub(crate) fn comment_before(&mut self, offset: u32) -> Option<Comment> {
        let comment = *self.comments.get(self.next).filter(|comment| comment.span.start < offset)?;
        self.next += 1;
        Some(comment)
    }

    pub(crate) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The comment's text as an ordinary comment: moved to another place it must document nothing.
    pub(crate) fn plain(&self, comment: Comment) -> String {
        let text = self.slice(comment.span);
        match comment.kind {
            CommentKind::Plain => text.to_string(),
            CommentKind::Item | CommentKind::Module => format!("//{}", text.get(3..).unwrap_or("")),
        }
    }

    /// Whether at least one empty line stands just before `offset`.
    pub(crate) fn blank_before(&self, offset: u32) -> bool {
        let before = self.text.get(..offset as usize).unwrap_or("");
        before.bytes().rev().take_while(|b| b.is_ascii_whitespace()).filter(|b| *b == b'\n').count() > 1
    }

    /// Whether `span` begins and ends on one line.
    pub(crate) fn is_one_line(&self, span: Span) -> bool {
        let line = |offset: u32| self.newlines.partition_point(|&newline| newline < offset);
        line(span.start) == line(span.end)
    }

    /// The start of the token before the one at `offset`.
    pub(crate) fn token_before(&self, offset: u32) -> u32 {
        let idx = self.tokens.partition_point(|token| token.span.start < offset);
        idx.checked_sub(1).and_then(|idx| self.tokens.get(idx)).map_or(offset, |token| token.span.start)
    }

    /// Whether parentheses stand right around `span`.
    pub(crate) fn has_parentheses(&self, span: Span) -> bool {
        let first = self.tokens.partition_point(|token| token.span.start < span.start);
        let after = self.tokens.partition_point(|token| token.span.start < span.end);
        let is = |idx: usize, kind| self.tokens.get(idx).is_some_and(|token| token.kind == kind);
        first > 0 && is(first - 1, TokenKind::OpenParen) && is(after, TokenKind::CloseParen)
    }
}
