//! Every protocol of the repository is free of complaints, in every variant and scenario.

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

/// The stems that some `use` names: those files are parts, not programs.
fn used(loaded: &[program::Loaded]) -> Vec<String> {
    let items = loaded.iter().flat_map(|l| l.modules.iter()).flat_map(|m| &m.items);
    items
        .filter_map(|item| match &item.kind {
            syntax::tree::ItemKind::Use(name) => Some(name.text.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn protocols_are_free_of_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let loaded: Vec<program::Loaded> = files(&root).iter().map(|path| program::load(&Disk, path)).collect();
    let parts = used(&loaded);
    let mut complaints = String::new();
    for loaded in loaded.iter().filter(|l| !parts.contains(&program::outline(l).name)) {
        for diagnostic in loaded.diagnostics.iter().chain(&program::check_all(loaded)).filter(|d| d.is_error()) {
            complaints.push_str(&diagnostic.render(&loaded.sources));
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}
