//! Text to tokens to tree and back. Never fails: the result is a tree and diagnostics.
//!
//! `lexer` makes tokens and sets comments aside; `parser` makes the tree; `print` writes a tree as
//! canonical text; `format` writes it with the comments and blank lines of its source; `marks` says what editors colour.

pub mod codes;
mod format;
mod layout;
mod lexer;
mod marks;
mod parser;
pub mod parts;
mod print;
mod token;
pub mod tree;
pub mod walk;
mod words;

pub use format::format;
pub use marks::{Mark, marks};
pub use parser::parse;
pub use print::print;
pub use token::KEYWORDS;
