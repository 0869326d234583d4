//! What the tests of this crate read: the repository's files, its manifests, its Markdown.
//!
//! The rules themselves are in `tests/`: `layers` (who may depend on whom), `sources` (Rust files),
//! `documents` (Markdown), `data` (protocols and litmus tests). Depends on nothing, so that a rule
//! can be broken by no crate but the one that breaks it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Every file under `folder`, sorted; what is hidden or built is left out.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|dir| dir.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Every file under `folder` whose name ends with `.ending`.
pub fn files_with(folder: &Path, ending: &str) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == ending)).collect()
}

/// The text of a file of the repository.
///
/// # Panics
/// If it cannot be read.
pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A path as people write it: from the root.
pub fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The folders of the workspace's crates, sorted by name: each folder of `crates/` and of `collector/`, and each folder of a
/// crate that is one by itself.
pub fn crate_folders() -> Vec<PathBuf> {
    let inside = |group: &Path| std::fs::read_dir(group).expect("there are crates").flatten().map(|entry| entry.path());
    let is_crate = |folder: &PathBuf| folder.join("Cargo.toml").is_file();
    let groups = ["crates", "collector"].map(|group| root().join(group));
    let outer: Vec<PathBuf> = groups.iter().flat_map(|group| inside(group)).filter(is_crate).collect();
    let inner: Vec<PathBuf> = outer.iter().flat_map(|folder| inside(folder)).filter(is_crate).collect();
    let mut folders = [outer, inner].concat();
    folders.sort_by_key(|folder| crate_name(folder));
    folders
}

/// The name of the crate in a folder: the folder's, after the outer crate's if it is inside one.
pub fn crate_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match folder.parent() {
        Some(outer) if outer.join("Cargo.toml").is_file() => format!("{}-{name}", crate_name(outer)),
        _ => name,
    }
}

/// The names of the workspace's crates, sorted.
pub fn crates() -> Vec<String> {
    crate_folders().iter().map(|folder| crate_name(folder)).collect()
}

/// The manifest of a crate.
///
/// # Panics
/// If there is none.
pub fn manifest(name: &str) -> String {
    let folder = crate_folders().into_iter().find(|folder| crate_name(folder) == name).expect("the crate is there");
    text(&folder.join("Cargo.toml"))
}

/// The lines of `[section]` of a manifest.
pub fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let header = format!("[{name}]");
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != header).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The crates of this workspace that a manifest's `[dependencies]` name.
pub fn dependencies(manifest: &str) -> BTreeSet<String> {
    let known = crates();
    let key = |line: &&str| line.split(['=', '.']).next().unwrap_or("").trim().to_string();
    section(manifest, "dependencies").iter().map(key).filter(|name| known.contains(name)).collect()
}

/// The cells of the first Markdown table under a header row that begins with `first`.
pub fn table(markdown: &str, first: &str) -> Vec<Vec<String>> {
    let is_head = |line: &&str| cells(line).first().is_some_and(|cell| cell == first);
    let lines = markdown.lines().skip_while(|line| !is_head(line)).skip(2);
    lines.take_while(|line| line.trim_start().starts_with('|')).map(cells).collect()
}

fn cells(line: &str) -> Vec<String> {
    let Some(inside) = line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) else { return Vec::new() };
    inside.split('|').map(|cell| cell.trim().to_string()).collect()
}

/// Markdown without its fenced blocks and without code spans.
pub fn prose(markdown: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let outside = line.split('`').step_by(2);
            out.push_str(&outside.collect::<Vec<_>>().join("``"));
            out.push('\n');
        }
    }
    out
}

/// The targets of the links `[text](target)` of a Markdown text.
pub fn links(markdown: &str) -> Vec<String> {
    let prose = prose(markdown);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_the_crates_of_the_section() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nbase.workspace = true\nserde = \"1\"\n[dev-dependencies]\nsyntax.workspace = true\n";
        assert_eq!(dependencies(manifest), BTreeSet::from(["base".to_string()]));
    }

    #[test]
    fn links_are_those_outside_code() {
        let text = "see [a](a.md) and `[b](b.md)`\n```text\n[c](c.md)\n```\n[d](d.md#part)\n";
        assert_eq!(links(text), ["a.md", "d.md#part"]);
    }

    #[test]
    fn a_table_is_found_by_its_first_heading() {
        assert_eq!(table("| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n", "a"), [["1", "2"]]);
    }
}
