//! The searches that others ask for: up to the first violation or for every property, in memory, with checkpoints, or in any store.

use crate::breadth::{Goal, Search};
use crate::checkpoint::restore::restore;
use crate::checkpoint::save::Saver;
use crate::checkpoint::{Checkpoint, Unusable};
use crate::memory::InMemory;
use crate::result::{EveryResult, SearchOptions, SearchResult};
use crate::store::Store;
use std::sync::Mutex;
use system::{Control, TransitionSystem};

/// Searches `system` breadth-first, up to the first violation.
pub fn search<S: TransitionSystem + ?Sized>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
) -> SearchResult {
    search_in(&in_memory(system), system, options, control)
}

/// Searches `system` breadth-first and continues after violations: each property's first violation is at the least depth.
pub fn search_every<S: TransitionSystem + ?Sized>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
) -> EveryResult {
    search_every_in(&in_memory(system), system, options, control)
}

/// As `search_every`, with the states in `store`, which is empty.
pub fn search_every_in<S: TransitionSystem + ?Sized, K: Store>(
    store: &K,
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
) -> EveryResult {
    Search::new(store, system, options, control, Goal::EveryProperty).run().every_result()
}

/// As `search`, with checkpoints; continues with the one that is there.
///
/// # Errors
/// If the checkpoint that is there cannot be continued.
pub fn search_saving<S: TransitionSystem + ?Sized>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
    checkpoint: &Checkpoint,
) -> Result<SearchResult, Unusable> {
    saving(system, options, control, Goal::FirstViolation, checkpoint, |search| search.outcome())
}

/// As `search_every`, with checkpoints; continues with the one that is there.
///
/// # Errors
/// If the checkpoint that is there cannot be continued.
pub fn search_every_saving<S: TransitionSystem + ?Sized>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
    checkpoint: &Checkpoint,
) -> Result<EveryResult, Unusable> {
    saving(system, options, control, Goal::EveryProperty, checkpoint, |search| search.every_result())
}

fn saving<S: TransitionSystem + ?Sized, T>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
    goal: Goal,
    checkpoint: &Checkpoint,
    result: impl FnOnce(&Search<'_, S, InMemory<'_>>) -> T,
) -> Result<T, Unusable> {
    let unwritten = |error| Unusable(format!("cannot write to `{}`: {error}", checkpoint.folder.display()));
    let restored = restore(system, checkpoint, system.budget())?;
    let (store, manifest) = match restored {
        Some((store, manifest)) => (store, Some(manifest)),
        None => (in_memory(system), None),
    };
    let mut search = Search::new(&store, system, options, control, goal);
    let saver = match &manifest {
        Some(manifest) => {
            search.continue_with(manifest);
            Saver::continued(&store, checkpoint, manifest)
        }
        None => Saver::new(&store, checkpoint),
    };
    search.saver = Some(Mutex::new(saver.map_err(unwritten)?));
    Ok(result(&search.run()))
}

/// As `search`, with the states in `store`, which is empty.
pub fn search_in<S: TransitionSystem + ?Sized, K: Store>(
    store: &K,
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
) -> SearchResult {
    Search::new(store, system, options, control, Goal::FirstViolation).run().outcome()
}

fn in_memory<S: TransitionSystem + ?Sized>(system: &S) -> InMemory<'_> {
    InMemory::new(system.state_len(), system.budget())
}
