//! Which parts of the text are the protocol: its threads, procedures and kinds of work.
//!
//! A scenario is the question asked of a protocol, so nothing of it is changed, nor of another file that states scenarios; nor
//! is what only checks.

use crate::declared::Declared;
use base::FileId;
use base::table::Id;
use syntax::tree::{Block, ItemKind, Module};

/// A body with the name of its procedure, thread or kind of work.
pub(crate) struct Body<'a> {
    pub(crate) owner: &'a str,
    pub(crate) block: &'a Block,
}

/// The protocol's bodies, in the order of the text.
pub(crate) fn bodies<'a>(modules: &'a [Module], root: FileId, declared: &Declared) -> Vec<Body<'a>> {
    let is_selected = |n: usize, module: &Module| FileId::new(n) == root || !states_scenarios(module);
    let own = modules.iter().enumerate().filter(|(n, module)| is_selected(*n, module)).map(|(_, module)| module);
    let bodies = own.flat_map(|module| &module.items).filter_map(|item| match &item.kind {
        ItemKind::Proc { signature, body } => Some(Body { owner: &signature.name.text, block: body }),
        ItemKind::Thread(thread) => Some(Body { owner: &thread.name.text, block: &thread.body }),
        ItemKind::Work(work) => Some(Body { owner: &work.name.text, block: &work.body }),
        _ => None,
    });
    bodies.filter(|body| !declared.is_checking_proc(body.owner)).collect()
}

fn states_scenarios(module: &Module) -> bool {
    module.items.iter().any(|item| matches!(item.kind, ItemKind::Scenario(_)))
}
