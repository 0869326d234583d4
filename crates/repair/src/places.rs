//! Places of a protocol's text where an ordering can be changed, and what can be put there.
//!
//! Places are found in the tree, so they are the same for every scenario and parameter. The threads of a scenario are the
//! question asked of a protocol and no part of it, so they have no places; nor have other files that state scenarios.

mod bodies;

pub(crate) use bodies::{bodies, heat};

use base::{Span, Table};
use memory::Fence;
use program::Loaded;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::tree::{Block, Item, ItemKind, Stmt, StmtKind};

base::id_type! {
    /// A place.
    pub struct PlaceId("place");
}

/// What can be put at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// A fence between two statements.
    Fence(Fence),
    /// Nothing younger passes the access.
    Acquire,
    /// The access passes nothing older.
    Release,
    /// Both, as far as the access reads and writes; and no access with this strength passes another one.
    SeqCst,
}

impl Strength {
    /// All that can be put at a target, weakest first. `SeqCst` is put only where the text has it.
    pub fn of(target: Target) -> &'static [Strength] {
        use Strength::{Acquire, Release};
        match target {
            Target::Fence => &FENCES,
            Target::Load => &[Acquire],
            Target::Store => &[Release],
            Target::Rmw => &[Acquire, Release],
        }
    }

    /// Whether it orders all that `other` orders.
    pub fn covers(self, other: Strength) -> bool {
        match (self, other) {
            (Strength::Fence(Fence::Full), Strength::Fence(_)) => true,
            (Strength::Fence(Fence::Release), Strength::Fence(Fence::StoreStore)) => true,
            (Strength::SeqCst, Strength::Acquire | Strength::Release) => true,
            _ => self == other,
        }
    }

    /// As the language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Fence(fence) => fence.name(),
            Strength::Acquire => "acquire",
            Strength::Release => "release",
            Strength::SeqCst => "seq_cst",
        }
    }
}

/// All fences.
const FENCES: [Strength; 4] = [
    Strength::Fence(Fence::StoreStore),
    Strength::Fence(Fence::Acquire),
    Strength::Fence(Fence::Release),
    Strength::Fence(Fence::Full),
];

/// What stands, or could stand, at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A fence.
    Fence,
    /// An access that reads.
    Load,
    /// An access that writes.
    Store,
    /// An access that does both.
    Rmw,
}

/// Where a place is in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Site {
    /// Before this statement.
    Before(Span),
    /// After this statement, the last of its block.
    After(Span),
    /// A fence statement; the span is that of the kind.
    Fence(Span),
    /// All fence statements that name this flag. It is set for one variant, so it offers only what its words say.
    Flag(String),
    /// The access with this span.
    Access(Span),
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where.
    pub site: Site,
    /// What for.
    pub target: Target,
    /// What to show of it: a statement, or an access.
    pub span: Span,
    /// Branches of its procedure around it.
    pub n_branches: u32,
}

/// Which places there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Wherever a fence could stand, but for those beside a fence that a flag names: the flag is to be set.
    All,
    /// Wherever a fence could stand.
    BesideFlags,
    /// Where a fence stands already, each statement for itself.
    Existing,
}

/// Places with the statements they stand at. Accesses are added when automata show them.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The places.
    pub table: Table<PlaceId, Place>,
    /// Statements before which a place is.
    pub before: FxHashMap<Span, PlaceId>,
    /// Statements after which a place is.
    pub after: FxHashMap<Span, PlaceId>,
    /// Places of accesses.
    pub accesses: FxHashMap<Span, PlaceId>,
    flags: FxHashMap<String, PlaceId>,
    /// The names of all flags.
    declared: FxHashSet<String>,
}

impl Places {
    /// The fences' places of all bodies.
    pub fn of(loaded: &Loaded, extent: Extent) -> Self {
        let items = loaded.modules.iter().flat_map(|module| &module.items);
        let flag = |item: &Item| match &item.kind {
            ItemKind::Flag { name, .. } => Some(name.text.clone()),
            _ => None,
        };
        let mut places = Places { declared: items.filter_map(flag).collect(), ..Places::default() };
        for body in bodies(loaded) {
            places.block(body, extent, 0);
        }
        places
    }

    /// The flags that fences name.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.flags.keys().map(String::as_str)
    }

    /// Whether the text allows `strength` at a place.
    pub fn allows(&self, loaded: &Loaded, place: PlaceId, strength: Strength) -> bool {
        let Site::Flag(flag) = &self.table[place].site else { return true };
        loaded.modules.iter().flat_map(|module| &module.items).any(|item| match &item.kind {
            ItemKind::Flag { name, alternatives, .. } => {
                name.text == *flag && alternatives.iter().any(|word| word.text == strength.name())
            }
            _ => false,
        })
    }

    /// The place of an access; added if it is new.
    pub fn access(&mut self, span: Span, target: Target, n_branches: u32) -> PlaceId {
        let table = &mut self.table;
        let add = || table.push(Place { site: Site::Access(span), target, span, n_branches });
        *self.accesses.entry(span).or_insert_with(add)
    }

    fn block(&mut self, block: &Block, extent: Extent, n_branches: u32) {
        for (i, stmt) in block.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Fence(kind) => {
                    let place = self.fence(stmt, kind, extent, n_branches);
                    self.before.insert(stmt.span, place);
                }
                // Nothing comes between an operation and its block.
                StmtKind::Then(_) | StmtKind::Issued(_) => {}
                _ if extent != Extent::Existing && (i == 0 || !self.is_quiet(&block.stmts[i - 1], extent)) => {
                    self.gap(Site::Before(stmt.span), stmt.span, n_branches);
                }
                _ => {}
            }
            for (inner, is_branch) in inner_blocks(stmt) {
                self.block(inner, extent, n_branches + u32::from(is_branch));
            }
        }
        let needs_end = |stmt: &&Stmt| extent != Extent::Existing && !self.is_quiet(stmt, extent) && !is_jump(stmt);
        if let Some(last) = block.stmts.last().filter(needs_end) {
            self.gap(Site::After(last.span), last.span, n_branches);
        }
    }

    /// Whether a fence after the statement is as good as one before it, or as one in its place. A flag has only the fences that its
    /// words say.
    fn is_quiet(&self, stmt: &Stmt, extent: Extent) -> bool {
        match &stmt.kind {
            StmtKind::Fence(kind) => extent != Extent::BesideFlags || !self.declared.contains(&kind.text),
            // Before the block of an operation there is no place.
            StmtKind::Skip | StmtKind::Atomic(_) => true,
            StmtKind::Cover { condition, .. } => condition.is_none(),
            _ => false,
        }
    }

    fn gap(&mut self, site: Site, span: Span, n_branches: u32) {
        let is_after = matches!(site, Site::After(_));
        let place = self.table.push(Place { site, target: Target::Fence, span, n_branches });
        let side = if is_after { &mut self.after } else { &mut self.before };
        side.insert(span, place);
    }

    fn fence(&mut self, stmt: &Stmt, kind: &syntax::tree::Name, extent: Extent, n_branches: u32) -> PlaceId {
        if extent == Extent::Existing || !self.declared.contains(&kind.text) {
            let site = Site::Fence(kind.span);
            return self.table.push(Place { site, target: Target::Fence, span: stmt.span, n_branches });
        }
        if let Some(place) = self.flags.get(&kind.text) {
            return *place;
        }
        let site = Site::Flag(kind.text.clone());
        let place = self.table.push(Place { site, target: Target::Fence, span: stmt.span, n_branches });
        self.flags.insert(kind.text.clone(), place);
        place
    }
}

/// The blocks of a statement where fences may stand, and whether each is a way round that need not be taken. Of two ways,
/// neither is; nor is one that leaves a loop, for every way through the loop ends with such a one.
pub(crate) fn inner_blocks(stmt: &Stmt) -> Vec<(&Block, bool)> {
    match &stmt.kind {
        StmtKind::If { then, otherwise: None, .. } => vec![(then, !leaves_loop(then))],
        StmtKind::If { then, otherwise: Some(otherwise), .. } => vec![(then, false), (otherwise, false)],
        StmtKind::While { body, .. } => vec![(body, true)],
        StmtKind::Loop(body) | StmtKind::Each { body, .. } => vec![(body, false)],
        StmtKind::Choose(blocks) => blocks.iter().map(|b| (b, false)).collect(),
        // In a transaction nothing is left to order.
        StmtKind::Transaction(transaction) => vec![(&transaction.handler, true)],
        _ => Vec::new(),
    }
}

fn leaves_loop(block: &Block) -> bool {
    block.stmts.last().is_some_and(|last| matches!(last.kind, StmtKind::Break))
}

/// Whether control never comes to what follows the statement.
fn is_jump(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Return(_) | StmtKind::Abort(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Stop
    )
}
