//! A protocol that is open: its files, what they offer, and the system of one variant and scenario.

use crate::temporal::{terminates, unsuitable, wait_free};
use automata::{Automata, Property, PropertyKind, Stated};
use base::{Diagnostic, Sources, suggest};
use program::{Loaded, Outline, Program, Settings, World};
use std::path::{Path, PathBuf};

/// Why there is nothing to check.
#[derive(Clone, Debug)]
pub enum Error {
    /// What is wrong with the text.
    Text {
        /// The errors, and warnings beside them.
        diagnostics: Vec<Diagnostic>,
        /// The files that they speak of.
        sources: Sources,
    },
    /// What is wrong with the request.
    Input {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
}

impl Error {
    /// The request makes no sense.
    pub fn input(message: impl Into<String>) -> Self {
        Error::Input { message: message.into(), hint: None }
    }

    /// The same, and what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Error::Input { message, .. } => Error::Input { message, hint: Some(hint.into()) },
            text => text,
        }
    }
}

/// A protocol, loaded and outlined.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// Its file.
    pub file: PathBuf,
    /// All its files. What is left among their diagnostics are warnings.
    pub loaded: Loaded,
    /// What it offers.
    pub outline: Outline,
}

/// Reads a file and everything it uses.
///
/// # Errors
/// What is wrong with the texts. What could be read is checked too, so that all mistakes are reported at once.
pub fn open(world: &dyn World, file: &Path) -> Result<Protocol, Error> {
    let loaded = program::load(world, file);
    if !loaded.diagnostics.iter().any(Diagnostic::is_error) {
        let outline = program::outline(&loaded);
        return Ok(Protocol { file: file.to_path_buf(), loaded, outline });
    }
    let rest = program::check_rest(&loaded);
    let mut diagnostics: Vec<Diagnostic> = loaded.diagnostics.into_iter().chain(rest).collect();
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    Err(Error::Text { diagnostics, sources: loaded.sources })
}

impl Protocol {
    /// The variants asked for: one, `all`, or the default.
    pub fn variants(&self, wanted: Option<&str>) -> Result<Vec<String>, Error> {
        let all = self.outline.variants.iter().map(|variant| (variant.name.as_str(), variant.is_default));
        pick("variant", wanted, all)
    }

    /// The scenarios asked for: one, `all`, or the default.
    pub fn scenarios(&self, wanted: Option<&str>) -> Result<Vec<String>, Error> {
        let all = self.outline.scenarios.iter().map(|scenario| (scenario.name.as_str(), scenario.is_default));
        pick("scenario", wanted, all)
    }

    /// The system of one variant and scenario.
    ///
    /// # Errors
    /// What is wrong with the text under these settings, or a temporal property that cannot be checked.
    pub fn system(&self, settings: &Settings) -> Result<System, Error> {
        let wrong = |diagnostics| Error::Text { diagnostics, sources: self.loaded.sources.clone() };
        let system = System::of(&self.loaded, settings).map_err(wrong)?;
        match unsuitable(&system.automata) {
            None => Ok(system),
            Some((property, why)) => {
                let error = Error::input(format!("the property `{property}` cannot be checked: {why}"));
                Err(error.hint("state it as several properties, or use smaller parameters"))
            }
        }
    }
}

/// Those of `all` that are asked for, each given with whether it is the default.
fn pick<'a>(
    kind: &str,
    wanted: Option<&str>,
    all: impl Iterator<Item = (&'a str, bool)>,
) -> Result<Vec<String>, Error> {
    let all: Vec<(&str, bool)> = all.collect();
    let names = |is_picked: &dyn Fn(&str, bool) -> bool| -> Vec<String> {
        all.iter().filter(|(name, is_default)| is_picked(name, *is_default)).map(|(name, _)| name.to_string()).collect()
    };
    match wanted {
        None => Ok(names(&|_, is_default| is_default).into_iter().take(1).collect()),
        Some("all") => Ok(names(&|_, _| true)),
        Some(name) if all.iter().any(|(other, _)| *other == name) => Ok(vec![name.into()]),
        Some(name) => {
            let known: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            Err(Error::input(format!("there is no {kind} `{name}`")).hint(suggest::choice(name, &known)))
        }
    }
}

/// A protocol in one variant and scenario, with parameters set.
#[derive(Clone, Debug)]
pub struct System {
    /// The variant.
    pub variant: String,
    /// The scenario.
    pub scenario: String,
    /// The typed program.
    pub program: Program,
    /// Its threads, cells and properties.
    pub automata: Automata,
    /// Warnings about the text.
    pub warnings: Vec<Diagnostic>,
}

impl System {
    /// The system of some files under these settings, or what is wrong with them.
    pub fn of(loaded: &Loaded, settings: &Settings) -> Result<Self, Vec<Diagnostic>> {
        let (program, warnings) = program::check(loaded, settings);
        let Some(program) = program else { return Err(warnings) };
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        let (variant, scenario) = (name(&settings.variant), name(&settings.scenario));
        Ok(System { variant, scenario, automata: lower::lower(&program), program, warnings })
    }

    /// Every parameter and flag with its value.
    pub fn constants(&self) -> &[(String, String)] {
        &self.program.constants
    }

    /// Leaves out every invariant, forbidden outcome and temporal property that is not named.
    pub fn only(&mut self, names: &[String]) -> Result<(), Error> {
        let stated = self.automata.properties.values_mut().filter(|property| property.kind.is_stated());
        let (named, others): (Vec<_>, Vec<_>) = stated.partition(|property| names.contains(&property.name));
        if let Some(unknown) = names.iter().find(|name| !named.iter().any(|property| property.name == **name)) {
            let known: Vec<&str> = named.iter().chain(&others).map(|property| property.name.as_str()).collect();
            let error = Error::input(format!("there is no property `{unknown}` to choose"));
            return Err(error.hint(suggest::choice(unknown, &known)));
        }
        for other in others {
            other.kind = PropertyKind::Unchecked;
        }
        let properties = &self.automata.properties;
        let is_off = |of: Stated| matches!(of, Stated::Property(id) if properties[id].kind == PropertyKind::Unchecked);
        self.automata.definedness.retain(|definedness| !is_off(definedness.of));
        Ok(())
    }

    /// Adds the property `terminates`: every thread ends at last.
    pub fn must_terminate(&mut self) -> Result<(), Error> {
        let property = terminates(&self.automata);
        if self.automata.properties.values().any(|p| p.name == property.name) {
            let message = format!("the file has a property `{}` of its own, so there is nothing to add", property.name);
            return Err(Error::input(message).hint("leave out `--live`, or rename the property"));
        }
        self.add(vec![property])
    }

    /// Adds the property that each thread of this name ends at last, though the others may stop anywhere.
    pub fn must_be_wait_free(&mut self, name: &str) -> Result<(), Error> {
        let properties = wait_free(&self.automata, name);
        if properties.is_empty() {
            let names: Vec<&str> = self.automata.threads.values().map(|thread| thread.name.as_str()).collect();
            let error = Error::input(format!("there is no thread `{name}` to be wait-free"));
            return Err(error.hint(suggest::choice(name, &names)));
        }
        self.add(properties)
    }

    fn add(&mut self, properties: Vec<Property>) -> Result<(), Error> {
        properties.into_iter().for_each(|property| {
            self.automata.properties.push(property);
        });
        match unsuitable(&self.automata) {
            None => Ok(()),
            Some((property, why)) => Err(Error::input(format!("the property `{property}` cannot be checked: {why}"))),
        }
    }
}
