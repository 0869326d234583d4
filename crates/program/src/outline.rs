//! What a file offers, as data: variants, scenarios, parameters, flags, expectations.

use crate::Loaded;
use base::Span;
use std::path::Path;
use syntax::tree::{self, ExpectVerdict, ItemKind};

/// What a file and those it uses offer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The file's name without its ending.
    pub name: String,
    /// The lines of the file's own comment.
    pub doc: Vec<String>,
    /// The variants; one named `original` if none is declared.
    pub variants: Vec<Variant>,
    /// The scenarios; one named `main` if none is declared.
    pub scenarios: Vec<Scenario>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The flags.
    pub flags: Vec<Flag>,
    /// The expectations, in the order of the text.
    pub expectations: Vec<Expectation>,
}

/// A variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The row's name in a paper.
    pub title: Option<String>,
    /// Whether it runs when none is named.
    pub is_default: bool,
}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// A description.
    pub title: Option<String>,
    /// Whether it runs when none is named.
    pub is_default: bool,
}

/// A parameter, as the text writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The allowed values.
    pub domain: String,
    /// The value unless set.
    pub default: String,
    /// The lines of the comment above it.
    pub doc: Vec<String>,
}

/// A flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
    /// The word unless set.
    pub default: String,
    /// The lines of the comment above it.
    pub doc: Vec<String>,
}

/// Expected verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The variants spoken of; all when empty.
    pub variants: Vec<String>,
    /// The settings under which it is expected, as `(name, value)`.
    pub settings: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Where it stands.
    pub span: Span,
}

/// One row of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Memory models, or `all`.
    pub memories: Vec<MemoryName>,
    /// None if every scenario holds; else the violated scenarios (all when empty).
    pub violated: Option<Vec<String>>,
    /// The property violated, where named.
    pub property: Option<String>,
}

/// The name of a memory model in an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryName {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// The expected verdict of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing is violated.
    Holds,
    /// Something is violated.
    Violated {
        /// What, if it is named.
        property: Option<String>,
    },
}

/// What a file offers.
pub fn outline(loaded: &Loaded) -> Outline {
    let root = loaded.modules.first();
    let mut outline =
        Outline { name: stem(loaded), doc: root.map(|m| m.doc.clone()).unwrap_or_default(), ..Outline::default() };
    for item in loaded.modules.iter().flat_map(|m| &m.items) {
        outline.add(loaded, item);
    }
    if outline.variants.is_empty() {
        outline.variants.push(Variant { name: "original".into(), title: None, is_default: true });
    }
    if outline.scenarios.is_empty() {
        outline.scenarios.push(Scenario { name: "main".into(), title: None, is_default: true });
    }
    let variant = outline.variants.iter().position(|v| v.name == "original").unwrap_or(0);
    outline.variants[variant].is_default = true;
    if !outline.scenarios.iter().any(|s| s.is_default) {
        outline.scenarios[0].is_default = true;
    }
    outline
}

/// The name of the root file without its ending.
pub(crate) fn stem(loaded: &Loaded) -> String {
    let name = loaded.sources.get(loaded.root).map(|s| s.name.as_str()).unwrap_or_default();
    Path::new(name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Outline {
    fn add(&mut self, loaded: &Loaded, item: &tree::Item) {
        let text = |span| loaded.sources.text(span).to_string();
        let doc = item.doc.clone();
        match &item.kind {
            ItemKind::Param { name, ty, default } => self.params.push(Param {
                name: name.text.clone(),
                domain: text(ty.span),
                default: text(default.span),
                doc,
            }),
            ItemKind::Flag { name, alternatives, default, .. } => self.flags.push(Flag {
                name: name.text.clone(),
                words: texts(alternatives),
                default: default.text.clone(),
                doc,
            }),
            ItemKind::Variant { name, title, .. } => {
                let title = title.as_ref().map(|t| t.text.clone());
                self.variants.push(Variant { name: name.text.clone(), title, is_default: false });
            }
            ItemKind::Scenario(s) => self.scenarios.push(Scenario {
                name: s.name.text.clone(),
                title: s.title.as_ref().map(|t| t.text.clone()),
                is_default: s.is_default,
            }),
            ItemKind::Expect(expect) => self.expectations.push(Expectation {
                variants: texts(&expect.variants),
                settings: expect.settings.iter().map(|s| (s.name.text.clone(), text(s.value.span))).collect(),
                rows: expect.rows.iter().map(row).collect(),
                span: item.span,
            }),
            _ => {}
        }
    }
}

fn texts(names: &[tree::Name]) -> Vec<String> {
    names.iter().map(|n| n.text.clone()).collect()
}

fn row(row: &tree::ExpectRow) -> Row {
    let (violated, property) = match &row.verdict {
        ExpectVerdict::Holds => (None, None),
        ExpectVerdict::Violated { scenarios, property } => {
            (Some(texts(scenarios)), property.as_ref().map(|p| p.text.clone()))
        }
    };
    let memories = row.memories.iter().map(|m| MemoryName { name: m.text.clone(), span: m.span }).collect();
    Row { memories, violated, property }
}
