//! The memory models of `memory-models/`, each a file that a user could have written.

use crate::model::MemoryModel;
use crate::text;
use base::FileId;

/// The texts, from the strongest to the weakest.
const TEXTS: [&str; 7] = [
    include_str!("../../../memory-models/sc.memory"),
    include_str!("../../../memory-models/tso.memory"),
    include_str!("../../../memory-models/pso-full.memory"),
    include_str!("../../../memory-models/pso-no.memory"),
    include_str!("../../../memory-models/rmo-full.memory"),
    include_str!("../../../memory-models/rmo-no.memory"),
    include_str!("../../../memory-models/relaxed.memory"),
];

/// The texts of those that are asked for by name only.
const FURTHER: [&str; 1] = [include_str!("../../../memory-models/rc11.memory")];

/// All built-in memory models that `all` stands for, from the strongest to the weakest.
pub fn all() -> Vec<MemoryModel> {
    TEXTS.iter().map(|text| text::read(FileId(u32::MAX), text).0).collect()
}

/// The built-in memory model of that name.
pub fn find(name: &str) -> Option<MemoryModel> {
    all().into_iter().chain(further()).find(|model| model.name == name)
}

/// The built-in memory models that are asked for by name only.
pub fn further() -> Vec<MemoryModel> {
    FURTHER.iter().map(|text| text::read(FileId(u32::MAX), text).0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_memory_model_reads_without_diagnostics() {
        for text in TEXTS.iter().chain(&FURTHER) {
            let (model, diagnostics) = text::read(FileId(0), text);
            assert_eq!(diagnostics, [], "{}", model.name);
            assert!(!model.doc.is_empty(), "{}", model.name);
        }
    }
}
