//! Which row of a file's expectations speaks of a run.

use crate::codes;
use crate::outline::{Expectation, Expected, MemoryName, Outline, Row};
use base::suggest;
use base::{Diagnostic, Span};

/// A run that a verdict is expected of.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedOf<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The scenario.
    pub scenario: &'a str,
    /// The memory model.
    pub memory: &'a str,
    /// What is set from outside and differs from what variant and scenario have by themselves: a row must name it.
    pub given: &'a [(String, String)],
    /// Parameters, flags and switches with their values: a row may name them. A name may have several.
    pub values: &'a [(String, String)],
}

impl ExpectedOf<'_> {
    fn is_meant_by(&self, expectation: &Expectation) -> bool {
        let is_true = |(name, value): &(String, String)| {
            self.values.iter().chain(self.given).any(|(n, v)| n == name && v == value.trim())
        };
        let is_named = |(name, _): &(String, String)| expectation.settings.iter().any(|(n, _)| n == name);
        (expectation.variants.is_empty() || expectation.variants.iter().any(|v| v == self.variant))
            && expectation.settings.iter().all(is_true)
            && self.given.iter().all(is_named)
    }

    /// What an expectation says of the run; none if it says nothing.
    fn verdict(&self, expectation: &Expectation) -> Option<Expected> {
        let names = |row: &&Row| row.memories.iter().any(|m| m.name == self.memory || m.name == "all");
        let row = expectation.rows.iter().filter(|_| self.is_meant_by(expectation)).find(names)?;
        Some(match &row.violated {
            Some(scenarios) if scenarios.is_empty() || scenarios.iter().any(|s| s == self.scenario) => {
                Expected::Violated { property: row.property.clone() }
            }
            _ => Expected::Holds,
        })
    }
}

impl Outline {
    /// The verdict expected of a run, if the file says one; a diagnostic if it says two that cannot both be true.
    pub fn expected(&self, run: ExpectedOf<'_>) -> Result<Option<Expected>, Diagnostic> {
        let mut found: Option<(Expected, Span)> = None;
        for expectation in &self.expectations {
            let Some(verdict) = run.verdict(expectation) else { continue };
            found = match found {
                None => Some((verdict, expectation.span)),
                Some((first, span)) => match both(&first, &verdict) {
                    Some(both) => Some((both, span)),
                    None => return Err(contradiction(run, expectation.span, span)),
                },
            };
        }
        Ok(found.map(|(verdict, _)| verdict))
    }
}

impl Outline {
    /// The names of memory models in expectations that are not among the `known`. One that looks like a slip is an error, another
    /// may be the name of a file that is given another time.
    pub fn unknown_memories(&self, known: &[String]) -> Vec<Diagnostic> {
        let named = self.expectations.iter().flat_map(|e| &e.rows).flat_map(|row| &row.memories);
        let is_unknown = |memory: &&MemoryName| memory.name != "all" && !known.contains(&memory.name);
        let unknown = named.filter(is_unknown).map(|memory| {
            let message = format!("there is no memory model `{}`", memory.name);
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            match suggest::nearest(&memory.name, &known) {
                Some(near) => Diagnostic::error(codes::UNKNOWN_MEMORY, memory.span, message)
                    .hint(format!("did you mean `{near}`?")),
                None => Diagnostic::warning(codes::UNKNOWN_MEMORY, memory.span, message)
                    .hint("it is neither built in, nor given by `--memory`, nor in a `.memory` file beside this one"),
            }
        });
        unknown.collect()
    }
}

/// The verdict that is as both say; none if there is none.
fn both(a: &Expected, b: &Expected) -> Option<Expected> {
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (Expected::Violated { property: None }, b @ Expected::Violated { .. }) => Some(b.clone()),
        (a @ Expected::Violated { .. }, Expected::Violated { property: None }) => Some(a.clone()),
        _ => None,
    }
}

fn contradiction(run: ExpectedOf<'_>, span: Span, first: Span) -> Diagnostic {
    let message = format!(
        "`{}` already has another verdict under {} in scenario {} from an `expect` above",
        run.variant, run.memory, run.scenario
    );
    let diagnostic = Diagnostic::error(codes::BAD_EXPECTATION, span, message);
    diagnostic.note(first, "this one").hint("both speak of this run: keep one, or let `with` tell them apart")
}
