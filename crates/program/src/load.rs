//! Files to trees: reads a file and, through `use`, every file it needs. The only part that reads.

use crate::codes;
use base::{Diagnostic, FileId, Sources, Span};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use syntax::tree::{ItemKind, Module, Name};

/// Where files come from: a disk, or a table in a test.
pub trait World {
    /// The text of the file at `path`.
    fn read(&self, path: &Path) -> io::Result<String>;
}

/// A function that reads files is a world.
impl<F: Fn(&Path) -> io::Result<String>> World for F {
    fn read(&self, path: &Path) -> io::Result<String> {
        self(path)
    }
}

/// Parent folders that a relative path may climb beyond its own first folder.
const MAX_CLIMB: usize = 8;

/// All files of one program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Their texts.
    pub sources: Sources,
    /// Their trees, in the order of the files, with work packets expanded and `Cause` declared.
    pub modules: Vec<Module>,
    /// What the reader and the parser complain of.
    pub diagnostics: Vec<Diagnostic>,
    /// The root file.
    pub root: FileId,
}

/// Reads the file at `path` and every file it uses, each once.
pub fn load(world: &dyn World, path: &Path) -> Loaded {
    let mut loader = Loader {
        world,
        loaded: Loaded { sources: Sources::default(), modules: Vec::new(), diagnostics: Vec::new(), root: FileId(0) },
        files: FxHashMap::default(),
        paths: Vec::new(),
    };
    let path = normal(path);
    match world.read(&path) {
        Ok(text) => loader.add(path, text),
        Err(error) => {
            loader.add(path.clone(), String::new());
            let message = format!("cannot read `{}`: {error}", path.display());
            let hint = match error.kind() {
                std::io::ErrorKind::InvalidData => "save it as UTF-8",
                std::io::ErrorKind::InvalidInput => "name another file",
                _ => "give the path of a `.lac` file",
            };
            loader.loaded.diagnostics.push(Diagnostic::error(codes::UNKNOWN_FILE, Span::none(), message).hint(hint));
        }
    }
    loader.follow();
    crate::packets::expand(&mut loader.loaded);
    crate::causes::declare(&mut loader.loaded);
    crate::flag_variants::declare(&mut loader.loaded);
    crate::conditionals::lift(&mut loader.loaded);
    loader.loaded.diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    loader.loaded
}

struct Loader<'w> {
    world: &'w dyn World,
    loaded: Loaded,
    files: FxHashMap<PathBuf, usize>,
    paths: Vec<PathBuf>,
}

impl Loader<'_> {
    /// Adds a file and parses it.
    fn add(&mut self, path: PathBuf, text: String) {
        let file = self.loaded.sources.add(path.display().to_string(), text.clone());
        let (module, diagnostics) = syntax::parse(file, &text);
        self.loaded.modules.push(module);
        self.loaded.diagnostics.extend(diagnostics);
        self.files.insert(path.clone(), self.paths.len());
        self.paths.push(path);
    }

    /// Follows the `use` items of every file, including those added on the way.
    fn follow(&mut self) {
        let mut next = 0;
        while let Some(module) = self.loaded.modules.get(next) {
            let uses: Vec<Name> = module
                .items
                .iter()
                .filter_map(|item| match &item.kind {
                    ItemKind::Use(name) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            let path = self.paths[next].clone();
            for name in uses {
                self.find(&path, &name);
            }
            next += 1;
        }
    }

    /// Seeks the file that `use name` in the file `user` means.
    fn find(&mut self, user: &Path, name: &Name) {
        let folders = folders_upward(user);
        for folder in &folders {
            let path = normal(&folder.join(format!("{}.lac", name.text)));
            if self.files.contains_key(&path) {
                return;
            }
            match self.world.read(&path) {
                Ok(text) => return self.add(path, text),
                Err(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) => {
                    let message = format!("cannot read `{}`: {error}", path.display());
                    self.loaded.diagnostics.push(Diagnostic::error(codes::UNKNOWN_FILE, name.span, message));
                    return;
                }
                Err(_) => {}
            }
        }
        self.loaded.diagnostics.push(
            Diagnostic::error(codes::UNKNOWN_FILE, name.span, format!("there is no file `{}.lac` to use", name.text))
                .hint("it is sought in the folder of this file and in each folder above"),
        );
    }
}

/// The file's own folder and each folder above it.
fn folders_upward(file: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = file.ancestors().skip(1).map(Path::to_path_buf).collect();
    if file.is_relative() {
        let climbed = file.components().take_while(|c| *c == Component::ParentDir).count();
        for levels in climbed + 1..=climbed.max(MAX_CLIMB) {
            folders.push((0..levels).map(|_| "..").collect());
        }
        // Within `../../x` the ancestors `..` and `` are below, not above.
        folders.retain(|f| {
            let ups = f.components().take_while(|c| *c == Component::ParentDir).count();
            ups >= climbed
        });
    }
    folders
}

/// The path without `.` and without `x/..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}
