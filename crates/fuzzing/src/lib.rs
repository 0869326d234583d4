//! What a fuzzer calls: any text goes in, and nothing may panic or hang.
//!
//! `front_end` takes a text through parser, printer, formatter, checker and lowering, as far as it gets;
//! `memory_model` reads it as a memory model. `mutate` makes new texts of old ones, the same
//! for the same seed. The target in `fuzz/` and the test of this crate call the same functions.

mod mutate;

pub use mutate::{Random, mutate, pieces};

use base::{Diagnostic, FileId, Sources};
use program::{Settings, World};
use std::io;
use std::path::Path;

/// How far a text got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It was read, with complaints.
    Read,
    /// It is syntactically right, but means nothing.
    Parsed,
    /// It is a program in at least one variant and scenario.
    Lowered,
}

/// Variants and scenarios that are tried of one text.
const MAX_RUNS: usize = 4;

/// The frameworks that a fuzzed text may use, and the text itself.
struct Table<'a>(&'a str);

impl World for Table<'_> {
    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("fuzzed.lac") => Ok(self.0.to_string()),
            Some("copying.lac") => Ok(include_str!("../../../protocols/copying/copying.lac").to_string()),
            Some("handshake.lac") => Ok(include_str!("../../../protocols/copying/handshake.lac").to_string()),
            Some("sapphire.lac") => Ok(include_str!("../../../protocols/copying/sapphire/sapphire.lac").to_string()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Takes a text as far as it gets.
///
/// # Panics
/// If a promise of the front end is broken: formatting is not stable, a program cannot be
/// lowered to valid automata. Such a panic is what a fuzzer looks for.
pub fn front_end(text: &str) -> Reached {
    format_twice(text);
    let loaded = program::load(&Table(text), Path::new("fuzzed.lac"));
    render(&loaded.diagnostics, &loaded.sources);
    let mut reached = if loaded.diagnostics.iter().any(Diagnostic::is_error) { Reached::Read } else { Reached::Parsed };
    let outline = program::outline(&loaded);
    let runs = outline.variants.iter().flat_map(|v| outline.scenarios.iter().map(move |s| (v, s)));
    for (variant, scenario) in runs.take(MAX_RUNS) {
        let settings =
            Settings { variant: Some(variant.name.clone()), scenario: Some(scenario.name.clone()), set: Vec::new() };
        let (program, diagnostics) = program::check(&loaded, &settings);
        render(&diagnostics, &loaded.sources);
        if let Some(program) = program {
            let automata = lower::lower(&program);
            assert_eq!(automata::validate(&automata), Ok(()), "lowering gives valid automata");
            reached = Reached::Lowered;
        }
    }
    reached
}

/// Reads a text as a memory model.
pub fn memory_model(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("fuzzed.memory", text);
    let (_, diagnostics) = memory::text::read(file, text);
    render(&diagnostics, &sources);
}

/// Formats, if it can be formatted; then formatting once more changes nothing.
fn format_twice(text: &str) {
    let (module, _) = syntax::parse(FileId(0), text);
    let printed = syntax::print(&module);
    let _ = syntax::parse(FileId(0), &printed);
    if let Ok(formatted) = syntax::format(text) {
        let again = syntax::format(&formatted);
        assert_eq!(again.as_ref(), Ok(&formatted), "formatting twice changes nothing more");
    }
}

/// Renders what would be printed.
fn render(diagnostics: &[Diagnostic], sources: &Sources) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.render(sources).is_empty(), "a diagnostic says something");
    }
}
