//! Changed texts, as a program and as a patch.

use crate::edit::Edit;
use base::{FileId, Sources};
use program::{Loaded, World};
use similar::TextDiff;
use std::io;
use std::path::Path;

/// Files with changed texts, without a disk.
#[derive(Clone, Debug)]
pub struct Patched {
    /// Name, text as it was, text as it is.
    files: Vec<(String, String, String)>,
}

impl World for Patched {
    fn read(&self, path: &Path) -> io::Result<String> {
        let name = path.display().to_string();
        let file = self.files.iter().find(|(n, ..)| *n == name);
        file.map(|(_, _, text)| text.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Patched {
    /// The files of `loaded` with `edits` made. A file in the usual layout is in the usual layout afterwards.
    pub fn new(loaded: &Loaded, edits: &[Edit]) -> Self {
        let patch = |(id, name, text): (FileId, &str, &str)| {
            if !edits.iter().any(|edit| edit.span.file == id) {
                return (name.to_string(), text.to_string(), text.to_string());
            }
            let changed = apply(id, text, edits);
            let is_formatted = syntax::format(text).is_ok_and(|formatted| formatted == text);
            let changed = if is_formatted { syntax::format(&changed).unwrap_or(changed) } else { changed };
            (name.to_string(), text.to_string(), changed)
        };
        Patched { files: files(&loaded.sources).into_iter().map(patch).collect() }
    }

    /// The program of the changed files.
    pub fn load(&self) -> Loaded {
        program::load(self, Path::new(&self.files[0].0))
    }

    /// The files that changed, with their new texts.
    pub fn changed(&self) -> Vec<(&str, &str)> {
        let differs = self.files.iter().filter(|(_, before, after)| before != after);
        differs.map(|(name, _, after)| (name.as_str(), after.as_str())).collect()
    }

    /// A unified diff for `patch -p1`. If a file is outside the present folder, all are named from the root, and the first line says so:
    /// `patch` and git refuse names with `..`.
    pub fn diff(&self) -> String {
        let changed: Vec<_> = self.files.iter().filter(|(_, before, after)| before != after).collect();
        let is_outside = changed.iter().any(|(name, ..)| name.starts_with("..") || name.starts_with('/'));
        let one = |(name, before, after): &&(String, String, String)| {
            let name = if is_outside { from_root(name) } else { name.clone() };
            // A name with blanks ends at a tab, as git and diff write it.
            let end = if name.contains(' ') { "\t" } else { "" };
            let diff = TextDiff::from_lines(before.as_str(), after.as_str());
            let (old, new) = (format!("a/{name}{end}"), format!("b/{name}{end}"));
            diff.unified_diff().context_radius(2).header(&old, &new).to_string()
        };
        let head = is_outside.then(|| "To apply: patch -p1 -d /\n".to_string());
        head.into_iter().filter(|_| !changed.is_empty()).chain(changed.iter().map(one)).collect()
    }
}

/// The name of a file from the root on, without the root.
fn from_root(name: &str) -> String {
    let whole = std::path::absolute(name).map_or_else(|_| name.into(), |whole| program::normal(&whole));
    whole.display().to_string().trim_start_matches('/').to_string()
}

fn files(sources: &Sources) -> Vec<(FileId, &str, &str)> {
    sources.iter().map(|(id, source)| (id, source.name.as_str(), source.text.as_str())).collect()
}

/// The text of a file with its edits made; insertions at one place stand in the order given.
fn apply(file: FileId, text: &str, edits: &[Edit]) -> String {
    let mut own: Vec<&Edit> = edits.iter().filter(|edit| edit.span.file == file).collect();
    own.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::new();
    let mut at = 0;
    for edit in own {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        out += &text[at..start.max(at)];
        out += &edit.text;
        at = end.max(at);
    }
    out + &text[at..]
}
