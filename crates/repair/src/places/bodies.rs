//! The bodies of a protocol: its own threads and procedures.

use base::table::Id;
use base::{FileId, Span};
use program::Loaded;
use rustc_hash::FxHashSet;
use syntax::parts::{exprs, parts, stmts};
use syntax::tree::{Block, ExprKind, Heat, Item, ItemKind, Module, StmtKind};

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

/// What the text says of how often the procedure or thread runs in which `span` is; else of the threads that come by: hot if one is, cold if all are.
pub(crate) fn heat(loaded: &Loaded, span: Span, programs: &[&str]) -> Option<Heat> {
    let around = |item: &&Item| item.span.contains(span);
    let own = loaded.modules.iter().flat_map(|module| &module.items).find(around).and_then(|item| match &item.kind {
        ItemKind::Proc { signature, .. } => signature.heat,
        ItemKind::Thread(thread) => thread.heat,
        _ => None,
    });
    let heats: Vec<Option<Heat>> = programs.iter().map(|program| of_thread(loaded, program)).collect();
    let is_all = |heat| !heats.is_empty() && heats.iter().all(|of| *of == Some(heat));
    let of_threads = if heats.contains(&Some(Heat::Hot)) { Some(Heat::Hot) } else { None };
    own.or(of_threads).or(is_all(Heat::Cold).then_some(Heat::Cold))
}

fn of_thread(loaded: &Loaded, name: &str) -> Option<Heat> {
    let threads = loaded.modules.iter().flat_map(|module| &module.items).flat_map(|item| match &item.kind {
        ItemKind::Thread(thread) => std::slice::from_ref(thread),
        ItemKind::Scenario(scenario) => &scenario.threads,
        _ => &[],
    });
    threads.into_iter().find(|thread| thread.name.text == name)?.heat
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
