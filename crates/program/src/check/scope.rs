//! The names of one body: registers, parameters and bound constants, innermost block last.

use crate::typed::{self, Expr, Local, LocalId, LocalKind};
use crate::types::{Range, Type};
use base::table::Id;
use base::{Span, Table};
use syntax::tree::Name;

/// What kind of text is being checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A constant expression.
    Constant,
    /// A property of a state.
    Property,
    /// A procedure, with its result's type.
    Proc(Option<Type>),
    /// A thread.
    Thread,
}

/// The names in scope and what is known about where they stand.
pub(super) struct Scope {
    pub(super) place: Place,
    pub(super) locals: Table<LocalId, Local>,
    blocks: Vec<Vec<LocalId>>,
    /// Parameters of the procedure that are places, with what they stand for.
    pub(super) places: Vec<(Name, typed::Place)>,
    /// Parameters of the predicate being used, with what they stand for.
    aliases: Vec<(String, Expr)>,
    /// The predicates being used, outermost first.
    pub(super) predicates: Vec<usize>,
    /// For each local, whether it is read somewhere.
    pub(super) is_read: Vec<bool>,
    /// Loops around.
    pub(super) loops: usize,
    /// The values of `self`, if a replicated thread may run this.
    pub(super) self_range: Option<Range>,
    /// Whether `old` has a state to look at.
    pub(super) has_old: bool,
    /// Branches around that a constant condition leaves out: what is out of range there never happens.
    pub(super) dead: usize,
}

/// The names that are in scope where a predicate is used.
pub(super) struct Outside {
    blocks: Vec<Vec<LocalId>>,
    aliases: Vec<(String, Expr)>,
}

impl Scope {
    pub(super) fn new(place: Place, self_range: Option<Range>) -> Self {
        Scope {
            place,
            locals: Table::new(),
            blocks: vec![Vec::new()],
            places: Vec::new(),
            aliases: Vec::new(),
            predicates: Vec::new(),
            is_read: Vec::new(),
            loops: 0,
            self_range,
            has_old: false,
            dead: 0,
        }
    }

    pub(super) fn constant() -> Self {
        Scope::new(Place::Constant, None)
    }

    /// Adds a local to the innermost block.
    pub(super) fn declare(&mut self, name: &Name, ty: Type, kind: LocalKind) -> LocalId {
        let local = Local { name: name.text.clone(), span: name.span, ty, kind, is_assigned: false };
        let id = self.locals.push(local);
        self.is_read.push(false);
        self.blocks.last_mut().expect("there is always a block").push(id);
        id
    }

    /// Adds the local of a register that is an item: known everywhere, in no block.
    pub(super) fn declare_item(&mut self, local: Local) -> LocalId {
        self.is_read.push(true);
        self.locals.push(local)
    }

    /// The local of that name in the nearest block.
    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.blocks.iter().rev().flat_map(|b| b.iter().rev()).copied().find(|id| self.locals[*id].name == name)
    }

    /// What a parameter of the predicate being used stands for.
    pub(super) fn alias(&self, name: &str) -> Option<&Expr> {
        self.aliases.iter().find(|(alias, _)| alias == name).map(|(_, expr)| expr)
    }

    /// Goes into a predicate, where its parameters are the only names. Gives what `leave_predicate` wants.
    pub(super) fn enter_predicate(&mut self, index: usize, aliases: Vec<(String, Expr)>) -> Outside {
        self.predicates.push(index);
        Outside {
            blocks: std::mem::replace(&mut self.blocks, vec![Vec::new()]),
            aliases: std::mem::replace(&mut self.aliases, aliases),
        }
    }

    pub(super) fn leave_predicate(&mut self, outside: Outside) {
        self.predicates.pop();
        (self.blocks, self.aliases) = (outside.blocks, outside.aliases);
    }

    /// Marks a local as read.
    pub(super) fn read(&mut self, id: LocalId) {
        self.is_read[id.index()] = true;
    }

    pub(super) fn open_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(super) fn close_block(&mut self) {
        self.blocks.pop();
    }

    /// The names of all locals in scope.
    pub(super) fn names(&self) -> Vec<&str> {
        let locals = self.blocks.iter().flatten().map(|id| self.locals[*id].name.as_str());
        locals.chain(self.places.iter().map(|(place, _)| place.text.as_str())).collect()
    }

    /// Where the local of that name is declared.
    pub(super) fn declared(&self, name: &str) -> Option<Span> {
        let place = || self.places.iter().find(|(place, _)| place.text == name).map(|(place, _)| place.span);
        self.find(name).map(|id| self.locals[id].span).or_else(place)
    }

    /// The place that a parameter stands for, as it is named at `span`.
    pub(super) fn place_named(&self, name: &str, span: Span) -> Option<typed::Place> {
        let (_, place) = self.places.iter().find(|(place, _)| place.text == name)?;
        Some(typed::Place { span, ..place.clone() })
    }
}
