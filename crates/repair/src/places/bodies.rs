//! The bodies of a protocol: its own threads and procedures.

use base::FileId;
use base::table::Id;
use program::Loaded;
use rustc_hash::FxHashSet;
use syntax::parts::{exprs, parts, stmts};
use syntax::tree::{Block, ExprKind, ItemKind, Module, StmtKind};

/// The bodies of all threads and procedures, apart from those of scenarios, of other files that state scenarios, and of
/// procedures that are called where the world is stopped, or in transactions: there no fence may stand, or helps.
pub(crate) fn bodies(loaded: &Loaded) -> Vec<&Block> {
    let stopped = called_in_regions(loaded);
    let mut bodies = Vec::new();
    for (n, module) in loaded.modules.iter().enumerate() {
        if FileId::new(n) != loaded.root && states_scenarios(module) {
            continue;
        }
        for item in &module.items {
            match &item.kind {
                ItemKind::Proc { signature, body } if !stopped.contains(signature.name.text.as_str()) => {
                    bodies.push(body);
                }
                ItemKind::Thread(thread) => bodies.push(&thread.body),
                _ => {}
            }
        }
    }
    bodies
}

fn states_scenarios(module: &Module) -> bool {
    module.items.iter().any(|item| matches!(item.kind, ItemKind::Scenario(_)))
}

/// The procedures called inside regions, directly or through others.
fn called_in_regions(loaded: &Loaded) -> FxHashSet<&str> {
    let items = || loaded.modules.iter().flat_map(|module| &module.items);
    let mut rest: Vec<&str> = Vec::new();
    for item in items() {
        let blocks: Vec<&Block> = match &item.kind {
            ItemKind::Proc { body, .. } => vec![body],
            ItemKind::Thread(thread) => vec![&thread.body],
            ItemKind::Scenario(scenario) => scenario.threads.iter().map(|thread| &thread.body).collect(),
            _ => Vec::new(),
        };
        let regions = blocks.into_iter().flat_map(stmts).filter_map(|stmt| match &stmt.kind {
            StmtKind::Atomic(block)
            | StmtKind::Then(block)
            | StmtKind::Issued(block)
            | StmtKind::Directly(block)
            | StmtKind::StopTheWorld(block) => Some(block),
            StmtKind::Transaction(transaction) => Some(&transaction.body),
            _ => None,
        });
        rest.extend(regions.flat_map(calls));
    }
    let mut called = FxHashSet::default();
    while let Some(name) = rest.pop() {
        if called.insert(name) {
            let bodies = items().filter_map(|item| match &item.kind {
                ItemKind::Proc { signature, body } if signature.name.text == name => Some(body),
                _ => None,
            });
            rest.extend(bodies.flat_map(calls));
        }
    }
    called
}

/// The names of procedures called in a block.
fn calls(block: &Block) -> Vec<&str> {
    let all = stmts(block).into_iter().flat_map(exprs).flat_map(parts);
    all.filter_map(|expr| match &expr.kind {
        ExprKind::Call(name, _) => Some(name.text.as_str()),
        _ => None,
    })
    .collect()
}
