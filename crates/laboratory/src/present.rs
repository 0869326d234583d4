//! The machine at hand: its caches as Linux lists them, and what is known about machines like it.

use crate::builtin;
use crate::cache::{Geometry, Replacement};
use crate::machine::{Machine, ReadTracking};
use std::path::Path;

/// The name of the machine at hand.
pub const NAME: &str = "this-machine";
/// Where Linux lists the caches of the first processor.
pub const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// The machine whose caches are listed in `folder`; none if no first-level data cache is.
///
/// What is not geometry comes from the newest built-in machine with the same first two levels, or else from the newest of all.
/// The replacement is not listed anywhere; LRU is assumed.
pub fn read(folder: &Path) -> Option<Machine> {
    let mut levels = [None; 3];
    for index in 0..8 {
        let folder = folder.join(format!("index{index}"));
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok().map(|text| text.trim().to_string());
        let number = |name: &str| text(name)?.parse::<usize>().ok().filter(|n| *n > 0);
        let holds_data = text("type").is_some_and(|kind| kind != "Instruction");
        let (Some(level), Some(sets), Some(ways)) =
            (number("level"), number("number_of_sets"), number("ways_of_associativity"))
        else {
            continue;
        };
        if holds_data && level <= 3 {
            levels[level - 1] = Some(Geometry { sets, ways, replacement: Replacement::Lru });
        }
    }
    let [l1, l2, l3] = levels;
    Some(describe(l1?, l2, l3))
}

fn describe(l1: Geometry, l2: Option<Geometry>, l3: Option<Geometry>) -> Machine {
    let shape = |level: Option<Geometry>| level.map(|level| (level.sets, level.ways));
    let is_alike = |machine: &Machine| shape(Some(machine.l1)) == shape(Some(l1)) && shape(machine.l2) == shape(l2);
    match builtin::all().into_iter().rev().find(is_alike) {
        Some(known) => Machine {
            name: NAME.into(),
            doc: format!(
                "The machine at hand; its first two levels are those of {0}, so it is taken for one.",
                known.name
            ),
            anchors: Vec::new(),
            published: Vec::new(),
            ..known
        },
        None => {
            let newest = builtin::newest();
            // Its tracking needs a second level.
            let read_tracking = if l2.is_some() { newest.read_tracking } else { ReadTracking::FirstLevel };
            let doc = format!(
                "The machine at hand; no machine with these caches is known, so this is what transactions as on {} would do here.",
                newest.name
            );
            let (anchors, published) = (Vec::new(), Vec::new());
            Machine { name: NAME.into(), doc, l1, l2, l3, read_tracking, anchors, published, ..newest }
        }
    }
}
