//! How words for orders and fences are written where a flag may have the same name.
//!
//! A flag hides the word that it is named like: `fence acquire` means what the flag `acquire` says. A change to the text must mean
//! the word itself. So
//! where a flag hides it, a flag of another name is declared beside, with that word alone, and its name is written.

use base::Span;
use patch::Edit;
use program::Loaded;
use syntax::tree::ItemKind;

/// A word that a flag hides.
#[derive(Clone, Debug)]
struct Hidden {
    word: String,
    /// The flag's declaration.
    flag: Span,
    /// A name that the texts have nowhere.
    stand_in: String,
}

/// How each word is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling {
    hidden: Vec<Hidden>,
}

impl Spelling {
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let items = loaded.modules.iter().flat_map(|module| &module.items);
        let flags = items.filter_map(|item| match &item.kind {
            ItemKind::Flag { name, .. } => Some((name.text.clone(), item.span)),
            _ => None,
        });
        let hidden = flags.map(|(word, flag)| Hidden { stand_in: unused(loaded, &word), word, flag });
        Spelling { hidden: hidden.collect() }
    }

    /// What stands for `word` in the text.
    pub(crate) fn write<'a>(&'a self, word: &'a str) -> &'a str {
        self.hidden.iter().find(|hidden| hidden.word == word).map_or(word, |hidden| &hidden.stand_in)
    }

    /// `edits`, and a declaration for each name that they write in place of a hidden word.
    pub(crate) fn declared(&self, mut edits: Vec<Edit>) -> Vec<Edit> {
        for Hidden { word, flag, stand_in } in &self.hidden {
            if edits.iter().any(|edit| edit.text.contains(stand_in.as_str())) {
                edits.push(Edit::insert(*flag, flag.end, format!("\nflag {stand_in}: {word} = {word}")));
            }
        }
        edits
    }
}

/// `acquire_order`, or a longer name if some text has that.
fn unused(loaded: &Loaded, word: &str) -> String {
    let mut name = format!("{word}_order");
    while loaded.sources.iter().any(|(_, source)| source.text.contains(&name)) {
        name.push('_');
    }
    name
}
