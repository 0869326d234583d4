//! Transactions as text.

use super::Printer;
use super::flow::Flow;
use crate::tree::Transaction;

impl Printer<'_> {
    /// `transaction capacity n`
    pub(super) fn transaction_head(&self, flow: &mut Flow, transaction: &Transaction) {
        flow.push("transaction");
        if let Some(capacity) = &transaction.capacity {
            flow.push(" capacity ");
            self.expr(flow, capacity);
        }
    }
}

/// ` abort(cause, code)`, after the block of the transaction.
pub(super) fn handler_head(transaction: &Transaction) -> String {
    let results = transaction.cause.iter().chain(&transaction.code).map(|name| name.text.as_str());
    let results: Vec<&str> = results.collect();
    if results.is_empty() { " abort".into() } else { format!(" abort({})", results.join(", ")) }
}
