//! Work packets in simpler terms: `work`, `bucket`, `releaser` and `request` become abstract state, procedures and threads.
//!
//! A kind of work becomes its pool (what waits, how many units are claimed), a procedure that claims, one that processes, and
//! its workers. A bucket becomes a variable that is true while it is open. The releaser becomes a thread that, in
//! one step, finds a guard true and acts on it. After [`expand`] no tree has any of the four, and the words for the state of
//! the pool (`drained`, `is_open`, `unclaimed`, ..) are expressions over it. Names made here hold a `.`, so no text can say them.
//!
//! Reading order: `pool` (the state of a kind of work), `counted` (how far what is done is counted), `threads`, `rewrite` (what
//! stands in statements and properties), `build`
//! (trees made by hand).

mod build;
mod counted;
mod pool;
mod rewrite;
mod threads;

use crate::{Loaded, codes};
use base::suggest;
use base::{Diagnostic, Span};
use counted::Counted;
use pool::Kind;
use syntax::tree::{Bucket, Item, ItemKind, Name, Releaser, Work};

/// Rewrites all files in simpler terms, and reports what does not fit together.
pub(crate) fn expand(loaded: &mut Loaded) {
    let pools = Pools::collect(loaded);
    if !loaded.diagnostics.iter().any(Diagnostic::is_error) {
        pools.check(&mut loaded.diagnostics);
    }
    let counted = counted::counted(loaded);
    rewrite::expressions(loaded, &pools);
    // The guards are rewritten by now.
    let pools = Pools { counted, ..Pools::collect(loaded) };
    for module in &mut loaded.modules {
        let items = std::mem::take(&mut module.items);
        module.items = items.into_iter().flat_map(|item| pools.item(item)).collect();
    }
}

/// All kinds of work, buckets and the releaser of a program.
#[derive(Default)]
struct Pools {
    kinds: Vec<Kind>,
    buckets: Vec<Bucket>,
    releaser: Option<Releaser>,
    /// Further releasers.
    others: Vec<Name>,
    /// Kinds whose number of done units something uses.
    counted: Vec<(String, Counted)>,
}

impl Pools {
    fn collect(loaded: &Loaded) -> Self {
        let mut pools = Pools::default();
        for item in loaded.modules.iter().flat_map(|module| &module.items) {
            match &item.kind {
                ItemKind::Work(work) => pools.kinds.push(Kind { work: work.clone() }),
                ItemKind::Bucket(bucket) => pools.buckets.push(bucket.clone()),
                ItemKind::Releaser(releaser) if pools.releaser.is_some() => pools.others.push(releaser.name.clone()),
                ItemKind::Releaser(releaser) => pools.releaser = Some(releaser.clone()),
                _ => {}
            }
        }
        pools
    }

    fn kind(&self, name: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.work.name.text == name)
    }

    /// How far the units of a kind that are done are counted, if they are.
    fn counted(&self, name: &str) -> Option<&Counted> {
        self.counted.iter().find(|(kind, _)| kind == name).map(|(_, counted)| counted)
    }

    fn bucket(&self, name: &str) -> Option<&Bucket> {
        self.buckets.iter().find(|bucket| bucket.name.text == name)
    }

    fn kind_names(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|kind| kind.work.name.text.as_str())
    }

    /// Reports buckets of unknown kinds, kinds in no bucket, buckets that never open, and a releaser that is not there.
    fn check(&self, out: &mut Vec<Diagnostic>) {
        for kind in self.buckets.iter().flat_map(|bucket| &bucket.kinds) {
            if self.kind(&kind.text).is_none() {
                out.push(unknown("kind of work", kind, self.kind_names()));
            }
        }
        if let (true, Some(Kind { work })) = (self.buckets.is_empty(), self.kinds.first()) {
            let hint = "declare `bucket NAME { .. }`; a framework is checked with a file that does";
            return out.push(complaint(work.name.span, "there is work, and no bucket".to_string(), hint));
        }
        for Kind { work } in &self.kinds {
            if !self.buckets.iter().any(|bucket| bucket.kinds.iter().any(|kind| kind.text == work.name.text)) {
                let message = format!("no bucket holds `{}`, so its units are never claimed", work.name.text);
                out.push(complaint(work.name.span, message, "name it in the braces of a `bucket`"));
            }
        }
        for bucket in self.buckets.iter().filter(|bucket| !bucket.is_open && bucket.opens.is_none()) {
            let message = format!("the bucket `{}` never opens", bucket.name.text);
            out.push(complaint(bucket.name.span, message, "write `open` or `opens when ..` after its braces"));
        }
        if let (None, Some(bucket)) = (&self.releaser, self.buckets.first()) {
            let hint = "write `releaser ends when ..`: it opens and closes the buckets, and workers end after it";
            out.push(complaint(bucket.name.span, "there are buckets, and no releaser".to_string(), hint));
        }
        for other in &self.others {
            out.push(complaint(
                other.span,
                "there is one releaser only".to_string(),
                "join the guards with `and` or `or`",
            ));
        }
    }

    /// What an item becomes.
    fn item(&self, item: Item) -> Vec<Item> {
        let kinds = match &item.kind {
            ItemKind::Work(work) => self.expanded_work(work),
            ItemKind::Bucket(bucket) => vec![pool::is_open_decl(bucket)],
            ItemKind::Releaser(releaser) => threads::releaser(self, releaser),
            _ => return vec![item],
        };
        let of = |kind| Item { doc: item.doc.clone(), kind, span: item.span };
        kinds.into_iter().map(of).collect()
    }

    fn expanded_work(&self, work: &Work) -> Vec<ItemKind> {
        let kind = Kind { work: work.clone() };
        let mut items = kind.state(self.counted(&work.name.text));
        items.extend([threads::claim(self, &kind), threads::process(&kind), threads::workers(self, &kind)]);
        items
    }
}

fn complaint(span: Span, message: String, hint: &str) -> Diagnostic {
    Diagnostic::error(codes::PACKETS, span, message).hint(hint)
}

/// The complaint that there is no `what` of that name.
fn unknown<'n>(what: &str, name: &Name, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("there is no {what} `{}`", name.text));
    let hint = suggest::hint(&name.text, known);
    diagnostic.hint(hint.unwrap_or_else(|| format!("this program declares no {what}")))
}
