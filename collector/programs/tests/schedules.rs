//! Small runs of every method, for tools that watch each access: Miri with many schedules, ThreadSanitizer.
//!
//! Two mutators, a heap of a few regions, a few hundred steps, so that a slow interpreter sees whole cycles.

use heap::Size;
use methods::{
    Baker, Brooks, Hardware, LoadValue, Method, Options, Sapphire, Selection, Software, StopTheWorld, Transactional,
    Trigger, run,
};
use programs::{Kind, Workload};

/// Steps of each mutator: few under Miri, which takes a microsecond for each access.
const N_STEPS: u64 = if cfg!(miri) { 60 } else { 3000 };
const KINDS: &[Kind] = if cfg!(miri) { &[Kind::Cache] } else { &[Kind::WriteFromStack, Kind::Map, Kind::Cache] };

fn schedules<M: Method>(aborts_per_mille: u32) {
    for kind in KINDS.iter().copied() {
        let options = Options {
            size: Size { n_regions: if cfg!(miri) { 12 } else { 32 }, region_shift: 9 },
            trigger: Trigger::Continuous,
            selection: Selection::All,
            sanity: true,
            aborts_per_mille,
            ..Options::default()
        };
        let programs = (0..2).map(|id| Workload::new(kind, N_STEPS, id + 3)).collect();
        if let Err(message) = run::<M, Workload>(options, programs) {
            panic!("{}, {}: {message}", M::NAME, kind.name());
        }
    }
}

#[test]
fn stop_the_world() {
    schedules::<StopTheWorld>(0);
}

#[test]
fn brooks() {
    schedules::<Brooks>(0);
}

#[test]
fn baker() {
    schedules::<Baker>(0);
}

#[test]
fn load_value() {
    schedules::<LoadValue>(0);
}

#[test]
fn sapphire() {
    schedules::<Sapphire>(0);
}

#[test]
fn transactional_falling_back() {
    schedules::<Transactional<Hardware>>(0);
}

#[test]
fn transactional_in_software() {
    schedules::<Transactional<Software>>(100);
}
