//! What every crate shares: typed ids and tables, operators on numbers, a sequence of numbers for tests, source files and spans,
//! diagnostics as data, names nearly right.
//!
//! Knows no word of garbage collection, memory models or search.

pub mod arithmetic;
pub mod diagnostic;
pub mod random;
pub mod source;
pub mod suggest;
pub mod table;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use source::{FileId, Source, Sources, Span};
pub use table::Table;
