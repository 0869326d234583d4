//! A program as the front end gives it.

use automata::Automata;
use base::Sources;
use program::{Program, Settings, World};
use std::io;
use std::path::Path;
use workbench::{Error, System};

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
        let protocol = workbench::open(&OneFile(text), Path::new("case.lac")).map_err(first_error)?;
        let System { program, automata, .. } = protocol.system(&Settings::default()).map_err(first_error)?;
        automata::validate(&automata).map_err(|errors| format!("lowering gives invalid automata: {errors:?}"))?;
        Ok(Subject { text: text.into(), sources: protocol.loaded.sources, program, automata })
    }

    /// What kind of property has that name.
    pub fn kind_of(&self, property: &str) -> &'static str {
        let found = self.automata.properties.values().find(|p| p.name == property);
        found.map_or("unknown", |property| property.kind.word())
    }
}

/// What is wrong first.
fn first_error(error: Error) -> String {
    match error {
        Error::Text { diagnostics, sources } => {
            let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            first.map_or_else(String::new, |error| error.render(&sources))
        }
        Error::Input { message, .. } => message,
    }
}
