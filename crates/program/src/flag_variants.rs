//! `flag barrier: on | off as no_barrier = on` declares `variant no_barrier { barrier = off }`, after the variants that are written.

use crate::Loaded;
use syntax::tree::{Expr, ExprKind, FlagVariant, Item, ItemKind, Name, Setting};

/// Adds the variants that flags make, to the files of the flags.
pub(crate) fn declare(loaded: &mut Loaded) {
    for module in &mut loaded.modules {
        let made: Vec<Item> = module.items.iter().flat_map(|item| variants(&item.kind)).collect();
        module.items.extend(made);
    }
}

fn variants(flag: &ItemKind) -> Vec<Item> {
    match flag {
        ItemKind::Flag { name, variants, .. } => variants.iter().map(|variant| item(name, variant)).collect(),
        _ => Vec::new(),
    }
}

fn item(flag: &Name, variant: &FlagVariant) -> Item {
    let FlagVariant { word, name, title } = variant.clone();
    let value = Expr { span: word.span, kind: ExprKind::Name(word) };
    let settings = vec![Setting { name: flag.clone(), value }];
    Item { doc: Vec::new(), span: name.span, kind: ItemKind::Variant { name, title, settings } }
}
