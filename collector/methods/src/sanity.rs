//! Sanity: the heap re-traced from the roots while the world is stopped, every object checked.
//!
//! Checked of each: its header is one, its region is in use, it is its own replica, and no other object has its
//! identity. So a reference to freed memory, to an original that has moved, or to a second copy is found.

use crate::collector::Collector;
use crate::method::Method;
use crate::world::World;
use heap::{N_ROOTS, Ref, RegionStatus, forwarding_addr, root};
use std::collections::{HashMap, HashSet};

impl<M: Method> Collector<'_, M> {
    /// Ends the run with a message if anything is wrong.
    pub(crate) fn check_sanity(&mut self) {
        match trace(self.world) {
            Ok(n_objects) => self.stats.n_checked += n_objects,
            Err(message) => self.world.fail(format!("sanity after cycle {}: {message}", self.cycle)),
        }
    }
}

/// Traces everything; how many objects there are, or what is wrong.
fn trace(world: &World) -> Result<u64, String> {
    let mut pending = vec![world.globals];
    for mutator in 0..world.controls.len() {
        pending.extend((0..N_ROOTS).map(|idx| Ref(world.heap.words.load(root(mutator, idx)))));
    }
    let mut seen = HashSet::new();
    let mut identities = HashMap::new();
    while let Some(object) = pending.pop() {
        if object.is_null() || !seen.insert(object) {
            continue;
        }
        check(world, object)?;
        if let Some(other) = identities.insert(world.heap.header(object).id(), object) {
            return Err(format!("{other:?} and {object:?} are copies of one object"));
        }
        pending.extend(world.heap.slots(object).map(|slot| Ref(world.heap.words.load(slot))));
    }
    Ok(seen.len() as u64)
}

fn check(world: &World, object: Ref) -> Result<(), String> {
    let heap = &world.heap;
    let Some(region) = heap.regions.of(object.header()) else { return Err(format!("{object:?} is in no region")) };
    let header = heap.header(object);
    if !header.is_valid() {
        return Err(format!("{object:?} in {region:?} has no header: {:#x}", header.0));
    }
    match heap.regions.status(region) {
        RegionStatus::InUse | RegionStatus::Immortal => {}
        status => return Err(format!("{object:?} is in {region:?}, which is {status:?}")),
    }
    match heap.words.load(forwarding_addr(object)) {
        itself if itself == object.0 => Ok(()),
        other => Err(format!("{object:?} is an original: its replica is {other:#x}")),
    }
}
