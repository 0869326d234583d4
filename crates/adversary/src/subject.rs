//! A program as the front end gives it.

use automata::{Automata, PropertyKind};
use base::{Diagnostic, Sources};
use program::{Program, Settings, World};
use std::io;
use std::path::Path;

/// A program that the front end has accepted.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its text.
    pub text: String,
    /// Its files.
    pub sources: Sources,
    /// The typed program.
    pub program: Program,
    /// Its threads, cells and properties.
    pub automata: Automata,
}

/// The one file there is.
struct OneFile<'a>(&'a str);

impl World for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("case.lac") => Ok(self.0.to_string()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Subject {
    /// The program of a text, or what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let loaded = program::load(&OneFile(text), Path::new("case.lac"));
        complain(&loaded.diagnostics, &loaded.sources)?;
        let (program, diagnostics) = program::check(&loaded, &Settings::default());
        complain(&diagnostics, &loaded.sources)?;
        let program = program.ok_or("there is no program")?;
        let automata = lower::lower(&program);
        automata::validate(&automata).map_err(|errors| format!("lowering gives invalid automata: {errors:?}"))?;
        if let Some((property, why)) = workbench::unsuitable(&automata) {
            return Err(format!("{property} cannot be checked: {why}"));
        }
        Ok(Subject { text: text.into(), sources: loaded.sources, program, automata })
    }

    /// What kind of property has that name.
    pub fn kind_of(&self, property: &str) -> &'static str {
        let found = self.automata.properties.values().find(|p| p.name == property);
        match found.map(|p| &p.kind) {
            Some(PropertyKind::Assert) => "assert",
            Some(PropertyKind::Invariant(_)) => "invariant",
            Some(PropertyKind::Forbid(_)) => "forbid",
            Some(PropertyKind::Ltl(_)) => "ltl",
            Some(PropertyKind::InRange) => "in_range",
            Some(PropertyKind::ValidReference) => "valid_reference",
            Some(PropertyKind::Deadlock) => "deadlock",
            Some(PropertyKind::Unchecked) => "unchecked",
            None => "unknown",
        }
    }
}

/// The first error.
fn complain(diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), String> {
    match diagnostics.iter().find(|d| d.is_error()) {
        None => Ok(()),
        Some(error) => Err(error.render(sources)),
    }
}
