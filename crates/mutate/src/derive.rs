//! All mutants of a text.

use crate::atomicity::atomicity;
use crate::bodies::bodies;
use crate::condition::condition;
use crate::constant::constant;
use crate::declared::Declared;
use crate::drop::{drop, drop_locks};
use crate::mutant::{Kind, Mutant};
use crate::swap::swap;
use crate::weaken::weaken;
use base::{FileId, Sources, Span};
use patch::Edit;
use program::Loaded;
use rustc_hash::FxHashMap;
use std::path::Path;
use syntax::parts;
use syntax::tree::{Block, Module, Stmt, StmtKind};

/// What every kind of change starts from.
pub(crate) struct Context<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) declared: &'a Declared,
    /// Flags and parameters with the values they have.
    constants: &'a [(String, String)],
}

impl<'a> Context<'a> {
    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }

    /// The value of a flag; any other word stands for itself.
    pub(crate) fn value<'b>(&'b self, word: &'b str) -> &'b str {
        self.constants.iter().find(|(name, _)| name == word).map_or(word, |(_, value)| value)
    }

    /// A name like `wanted` that the file does not have.
    pub(crate) fn fresh(&self, file: FileId, wanted: &str) -> String {
        let text = self.sources.get(file).map_or("", |source| source.text.as_str());
        let numbered = (1..).map(|n| format!("{wanted}_{n}"));
        std::iter::once(wanted.to_string()).chain(numbered).find(|name| !text.contains(name)).unwrap_or_default()
    }
}

/// A mutant that has no name yet.
pub(crate) struct Draft {
    kind: Kind,
    span: Span,
    what: String,
    edits: Vec<Edit>,
}

impl Draft {
    pub(crate) fn new(kind: Kind, span: Span, what: String, edits: Vec<Edit>) -> Self {
        Draft { kind, span, what, edits }
    }
}

/// The mutants of a protocol whose flags and parameters have the values `constants`, in the order of the text.
pub fn derive(loaded: &Loaded, constants: &[(String, String)]) -> Vec<Mutant> {
    // The trees of `loaded` have work packets expanded: what is changed is what was written.
    let modules: Vec<Module> = loaded.sources.iter().map(|(id, source)| syntax::parse(id, &source.text).0).collect();
    let declared = Declared::of(&modules);
    let context = Context { sources: &loaded.sources, declared: &declared, constants };
    let mut found = Vec::new();
    for body in bodies(&modules, loaded.root, &declared) {
        let mut walk = Walk { context: &context, owner: body.owner, found: &mut found };
        walk.block(body.block, Where::Code);
        for (draft, site) in drop_locks(&context, body.block) {
            walk.add(vec![draft], Some(site));
        }
    }
    found.sort_by_key(|mutant| (mutant.span.file, mutant.span.start, mutant.kind));
    number(&mut found);
    found
}

/// What a statement stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// The steps of a thread.
    Code,
    /// One step: an atomic action or a stopped world.
    Region,
}

struct Walk<'a, 'c> {
    context: &'a Context<'c>,
    owner: &'a str,
    found: &'a mut Vec<Mutant>,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &Block, place: Where) {
        // The `if` of an `else if` is a block without braces: no statement can stand before it.
        let has_braces = self.context.text(block.span).starts_with('{');
        let next = |n: usize| block.stmts.get(n + 1);
        for (n, stmt) in block.stmts.iter().enumerate() {
            self.stmt(stmt, next(n), place, has_braces);
        }
        for (n, pair) in block.stmts.windows(2).enumerate() {
            if next(n + 1).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Then(_) | StmtKind::Issued(_))) {
                continue;
            }
            let drafts = swap(self.context, &pair[0], &pair[1]);
            self.add(drafts, Some(pair[0].span));
        }
    }

    fn stmt(&mut self, stmt: &Stmt, next: Option<&Stmt>, place: Where, has_room: bool) {
        if self.context.declared.is_checking(stmt) {
            return;
        }
        let mut drafts = drop(self.context, stmt, next);
        drafts.extend(weaken(self.context, stmt));
        drafts.extend(condition(self.context, stmt));
        drafts.extend(constant(self.context, stmt));
        if place == Where::Code {
            drafts.extend(atomicity(self.context, stmt, has_room));
        }
        self.add(drafts, has_room.then_some(stmt.span));
        let is_region = matches!(
            stmt.kind,
            StmtKind::Atomic(_)
                | StmtKind::Then(_)
                | StmtKind::Issued(_)
                | StmtKind::Directly(_)
                | StmtKind::StopTheWorld(_)
        );
        let inner = if is_region { Where::Region } else { place };
        for block in parts::blocks(stmt) {
            self.block(block, inner);
        }
    }

    fn add(&mut self, drafts: Vec<Draft>, site: Option<Span>) {
        for Draft { kind, span, what, edits } in drafts {
            let name = format!("{} {} {} {what}", kind.name(), self.owner, line(self.context.sources, span));
            self.found.push(Mutant { name, kind, owner: self.owner.into(), span, what, edits, site });
        }
    }
}

/// `staccato.lac:37`
fn line(sources: &Sources, span: Span) -> String {
    let Some((source, place)) = sources.place(span) else { return String::new() };
    let file = Path::new(&source.name).file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    format!("{file}:{}", place.line)
}

/// Tells mutants of the same name apart.
fn number(mutants: &mut [Mutant]) {
    let mut count: FxHashMap<String, usize> = FxHashMap::default();
    for mutant in mutants {
        let n = count.entry(mutant.name.clone()).or_default();
        *n += 1;
        if *n > 1 {
            mutant.name = format!("{} #{n}", mutant.name);
        }
    }
}
