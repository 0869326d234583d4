//! The memory models of `memory-models/`, each a file that a user could have written.

use crate::model::MemoryModel;
use crate::text;
use base::FileId;

/// Those of languages; they are asked for by name.
const LANGUAGES: [&str; 1] = [include_str!("../../../memory-models/rc11.memory")];

/// The memory models of papers, from the strongest to the weakest.
const TEXTS: [&str; 7] = [
    include_str!("../../../memory-models/sc.memory"),
    include_str!("../../../memory-models/tso.memory"),
    include_str!("../../../memory-models/pso-full.memory"),
    include_str!("../../../memory-models/pso-no.memory"),
    include_str!("../../../memory-models/rmo-full.memory"),
    include_str!("../../../memory-models/rmo-no.memory"),
    include_str!("../../../memory-models/relaxed.memory"),
];

/// Other readings of a paper's memory model; they are asked for by name.
const READINGS: [&str; 1] = [include_str!("../../../memory-models/relaxed-cas.memory")];

/// Those of processors; they are asked for by name.
const PROCESSORS: [&str; 3] = [
    include_str!("../../../memory-models/armv8.memory"),
    include_str!("../../../memory-models/armv8-ldar.memory"),
    include_str!("../../../memory-models/armv8-exclusives.memory"),
];

/// The memory models of papers, from the strongest to the weakest: those that `--memory all` stands for.
pub fn all() -> Vec<MemoryModel> {
    TEXTS.iter().map(|text| text::read(FileId(u32::MAX), text).0).collect()
}

/// Every built-in memory model.
pub fn every() -> Vec<MemoryModel> {
    let others = READINGS.iter().chain(&PROCESSORS).chain(&LANGUAGES).map(|text| text::read(FileId(u32::MAX), text).0);
    all().into_iter().chain(others).collect()
}

/// Those that people write for and that their code runs on: what `--memory real` stands for.
pub fn real() -> Vec<MemoryModel> {
    ["rc11", "armv8", "tso"].into_iter().filter_map(find).collect()
}

/// The built-in memory model of that name.
pub fn find(name: &str) -> Option<MemoryModel> {
    every().into_iter().find(|model| model.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_memory_is_histories_nothing_is_reordered() {
        let text = "memory: mine\nhistory: 3\nmachine: histories\nreorder: store->load\nrmw: full\n";
        let (mine, diagnostics) = text::read(FileId(0), text);
        assert_eq!((diagnostics, mine.reorder), (Vec::new(), crate::Reorder::default()));
        assert_eq!(mine.histories.map(|histories| histories.bound), Some(3));
    }

    #[test]
    fn every_built_in_memory_model_reads_without_diagnostics() {
        for text in TEXTS.into_iter().chain(READINGS).chain(PROCESSORS).chain(LANGUAGES) {
            let (model, diagnostics) = text::read(FileId(0), text);
            assert_eq!(diagnostics, [], "{}", model.name);
            assert!(!model.doc.is_empty(), "{}", model.name);
        }
    }
}
