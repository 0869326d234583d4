//! Rules for the data that a visitor comes for: protocols, litmus tests, memory models, mutants.

use std::path::PathBuf;
use tidy::{files, files_with, root, short, text};

#[test]
fn every_protocol_and_litmus_test_says_first_what_it_is() {
    let mut data = files_with(&root().join("protocols"), "lac");
    data.extend(files_with(&root().join("litmus"), "lac"));
    assert!(!data.is_empty(), "the protocols are there");
    let silent: Vec<String> = data.iter().filter(|path| !text(path).starts_with("//! ")).map(|p| short(p)).collect();
    assert!(silent.is_empty(), "no `//!` header: {silent:?}");
}

#[test]
fn every_memory_model_says_first_what_it_is() {
    for path in files_with(&root().join("memory-models"), "memory") {
        assert!(text(&path).starts_with("# "), "{}", short(&path));
    }
}

#[test]
fn every_protocol_folder_has_a_page() {
    let protocols = files_with(&root().join("protocols"), "lac");
    // A framework, named by `use`, stands above the folders of the protocols that use it.
    let folders = protocols.iter().filter_map(|path| path.parent()).filter(|folder| {
        let subfolders = folder.read_dir().map(|dir| dir.flatten().any(|entry| entry.path().is_dir()));
        !subfolders.unwrap_or(false)
    });
    let without: Vec<String> = folders.filter(|folder| !folder.join("README.md").is_file()).map(short).collect();
    assert!(without.is_empty(), "no README.md: {without:?}");
}

#[test]
fn every_protocol_has_three_mutants() {
    let folders: Vec<PathBuf> = protocol_folders();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let n_mutants = files(&root().join("tests/mutants").join(&name)).len();
        assert!(n_mutants >= 3, "{name} has {n_mutants} mutants");
    }
}

fn protocol_folders() -> Vec<PathBuf> {
    let copying = root().join("protocols/copying").read_dir().expect("the study is there");
    copying.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[test]
fn every_machine_says_first_what_it_is() {
    for path in files_with(&root().join("machines"), "machine") {
        assert!(text(&path).starts_with("# "), "{}", short(&path));
    }
}
