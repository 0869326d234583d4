//! The enum `Cause`, which is declared wherever the handler of a transaction asks why it was aborted.

use crate::Loaded;
use syntax::tree::{Item, ItemKind, Name, StmtKind};
use syntax::walk;

/// The name of the enum.
pub(crate) const NAME: &str = "Cause";

/// Its variants, in the order of their values.
const VARIANTS: [&str; 4] = ["Conflict", "Explicit", "Capacity", "Spurious"];

/// Adds the declaration to the file asked for, if some handler needs it.
pub(crate) fn declare(loaded: &mut Loaded) {
    let mut asked = None;
    for item in loaded.modules.iter_mut().flat_map(|module| &mut module.items) {
        walk::stmts(&mut item.kind, &mut |stmt| {
            if let StmtKind::Transaction(transaction) = &stmt.kind {
                asked = asked.or(transaction.cause.as_ref().map(|cause| cause.span));
            }
        });
    }
    if let (Some(span), Some(root)) = (asked, loaded.modules.first_mut()) {
        let name = |text: &str| Name { text: text.to_string(), span };
        let kind = ItemKind::Enum { name: name(NAME), variants: VARIANTS.map(name).to_vec() };
        root.items.push(Item { doc: Vec::new(), kind, span });
    }
}
