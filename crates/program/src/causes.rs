//! The enum `Cause`, which is declared wherever the handler of a transaction asks why it was aborted.

use crate::Loaded;
use syntax::parts;
use syntax::tree::{Item, ItemKind, Name, StmtKind};

/// The name of the enum.
pub(crate) const NAME: &str = "Cause";

/// Its variants, in the order of their values.
const VARIANTS: [&str; 4] = ["Conflict", "Explicit", "Capacity", "Spurious"];

/// Adds the declaration to the root file, if some handler needs it.
pub(crate) fn declare(loaded: &mut Loaded) {
    let stmts = loaded.modules.iter().flat_map(|module| &module.items).flat_map(parts::item_stmts);
    let cause = |kind: &StmtKind| match kind {
        StmtKind::Transaction(transaction) => transaction.cause.as_ref().map(|cause| cause.span),
        _ => None,
    };
    let first = stmts.filter_map(|stmt| cause(&stmt.kind)).next();
    if let (Some(span), Some(root)) = (first, loaded.modules.first_mut()) {
        let name = |text: &str| Name { text: text.to_string(), span };
        let kind = ItemKind::Enum { name: name(NAME), variants: VARIANTS.map(name).to_vec() };
        root.items.push(Item { doc: Vec::new(), kind, span });
    }
}
