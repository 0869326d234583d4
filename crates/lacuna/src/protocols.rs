//! Which protocols some paths mean: files as they are, and in folders every `.lac` file that is no framework and no part of another.

use crate::exit::Error;
use crate::session::Disk;
use program::Loaded;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syntax::tree::ItemKind;

/// The protocols that the paths mean, each once, those of a folder sorted.
pub(crate) fn named(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all: Vec<PathBuf> = Vec::new();
    for path in paths {
        let meant = if path.is_dir() { within(path)? } else { vec![path.clone()] };
        for file in meant {
            if !all.iter().any(|other| program::normal(other) == program::normal(&file)) {
                all.push(file);
            }
        }
    }
    Ok(all)
}

/// The protocols in a folder.
fn within(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = texts(folder)?;
    let parts = parts(&files);
    files.retain(|file| !parts.contains(file));
    if files.is_empty() {
        let error = Error::input(format!("there is no protocol in `{}`", folder.display()));
        return Err(error.hint("`lacuna new NAME` writes one; frameworks are checked with the protocols that use them"));
    }
    Ok(files)
}

/// Every `.lac` file in a folder and below, sorted. What is hidden is left out; so are folders behind links, which may lead in a circle.
///
/// # Errors
/// If a folder cannot be read.
pub fn texts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let cannot = |error| Error::input(format!("cannot read `{}`: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(cannot)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            if !path.is_symlink() {
                found.extend(texts(&path)?);
            }
        } else if path.extension().is_some_and(|ending| ending == "lac") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The files that are read for the sake of others: frameworks, and parts that mean nothing by themselves.
/// A mistake in one of them is found with the protocols that use it.
fn parts(files: &[PathBuf]) -> BTreeSet<PathBuf> {
    let loaded: Vec<Loaded> = files.iter().map(|file| program::load(&Disk, file)).collect();
    let used: BTreeSet<&str> = loaded.iter().flat_map(uses).collect();
    let is_part = |file: &Path, loaded: &Loaded| {
        (requires(loaded) || used.contains(program::normal(file).to_string_lossy().as_ref()))
            && !program::stands_alone(loaded)
    };
    files.iter().zip(&loaded).filter(|(file, loaded)| is_part(file, loaded)).map(|(file, _)| file.clone()).collect()
}

/// The files that a file uses, as their paths.
fn uses(loaded: &Loaded) -> impl Iterator<Item = &str> {
    loaded.sources.iter().filter(|(file, _)| *file != loaded.root).map(|(_, source)| source.name.as_str())
}

fn requires(loaded: &Loaded) -> bool {
    let items = loaded.modules.first().map_or(&[][..], |module| &module.items);
    items.iter().any(|item| matches!(item.kind, ItemKind::Require(..)))
}
