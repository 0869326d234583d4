//! Every protocol of the repository becomes automata that obey the rules, in every variant and scenario.

use program::Settings;
use std::path::{Path, PathBuf};

struct Disk;

impl program::World for Disk {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// All `.lac` files under `folder`, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|dir| dir.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "lac") {
            found.push(path);
        }
    }
    found
}

#[test]
fn protocols_become_valid_automata() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    for path in files(&root) {
        let loaded = program::load(&Disk, &path);
        let outline = program::outline(&loaded);
        for variant in &outline.variants {
            for scenario in &outline.scenarios {
                for set in [vec![], vec![("FIELDS".into(), "2".into()), ("MUTATORS".into(), "2".into())]] {
                    let (variant, scenario) = (Some(variant.name.clone()), Some(scenario.name.clone()));
                    let Some(program) = program::check(&loaded, &Settings { variant, scenario, set }).0 else {
                        continue;
                    };
                    let automata = lower::lower(&program);
                    assert_eq!(automata::validate(&automata), Ok(()), "{}", path.display());
                    if std::env::var("SHOW").is_ok_and(|s| s == format!("{}/{}", outline.name, program.scenario)) {
                        println!("{}", automata::text::write(&automata));
                    }
                }
            }
        }
    }
}
