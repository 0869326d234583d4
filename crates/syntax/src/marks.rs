//! What editors mark: the words, numbers, titles and comments of a text, each with its place.

use crate::lexer::lex;
use crate::token::TokenKind;
use base::{FileId, Span};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A reserved word.
    Keyword,
    /// A name, or a word that is a keyword only where the grammar expects it.
    Name,
    /// A number.
    Number,
    /// A title.
    Title,
    /// A comment.
    Comment,
}

/// The marked pieces of a text, in its order.
pub fn marks(file: FileId, text: &str) -> Vec<(Mark, Span)> {
    let lexed = lex(file, text);
    let tokens = lexed.tokens.iter().filter_map(|token| Some((mark(token.kind)?, token.span)));
    let comments = lexed.comments.iter().map(|comment| (Mark::Comment, comment.span));
    let mut all: Vec<(Mark, Span)> = tokens.chain(comments).collect();
    all.sort_by_key(|(_, span)| span.start);
    all
}

fn mark(kind: TokenKind) -> Option<Mark> {
    match kind {
        TokenKind::Keyword(_) => Some(Mark::Keyword),
        TokenKind::Name => Some(Mark::Name),
        TokenKind::Int => Some(Mark::Number),
        TokenKind::Str => Some(Mark::Title),
        _ => None,
    }
}
