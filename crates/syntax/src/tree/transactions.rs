//! Transactions in the syntax tree.

use super::{Block, Expr, Name};

/// `transaction capacity 4 { .. } abort(cause, code) { .. }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// How many cells it may touch, where written.
    pub capacity: Option<Expr>,
    /// What is done in it.
    pub body: Block,
    /// The register that holds the cause of an abort.
    pub cause: Option<Name>,
    /// The register that holds the code of an explicit abort.
    pub code: Option<Name>,
    /// What is done after an abort.
    pub handler: Block,
}
