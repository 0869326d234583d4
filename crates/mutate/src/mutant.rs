//! What a mutant is.

use base::Span;
use patch::Edit;

/// What was changed. The word before the dash is the group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is explained by its name in the table below")]
pub enum Kind {
    DropFence,
    DropCall,
    DropStore,
    DropAssignment,
    DropRmw,
    DropAssume,
    DropWait,
    DropRequest,
    DropPerform,
    DropLock,
    DropAtomicity,
    Swap,
    WeakenFence,
    WeakenOrder,
    WeakenWorld,
    ConditionAlways,
    ConditionNever,
    ConditionNegated,
    ConditionConnective,
    ConstantValue,
    ConstantNegated,
}

impl Kind {
    /// All kinds with their names.
    pub const ALL: [(Kind, &'static str); 21] = [
        (Kind::DropFence, "drop-fence"),
        (Kind::DropCall, "drop-call"),
        (Kind::DropStore, "drop-store"),
        (Kind::DropAssignment, "drop-assignment"),
        (Kind::DropRmw, "drop-rmw"),
        (Kind::DropAssume, "drop-assume"),
        (Kind::DropWait, "drop-wait"),
        (Kind::DropRequest, "drop-request"),
        (Kind::DropPerform, "drop-perform"),
        (Kind::DropLock, "drop-lock"),
        (Kind::DropAtomicity, "drop-atomicity"),
        (Kind::Swap, "swap"),
        (Kind::WeakenFence, "weaken-fence"),
        (Kind::WeakenOrder, "weaken-order"),
        (Kind::WeakenWorld, "weaken-world"),
        (Kind::ConditionAlways, "condition-always"),
        (Kind::ConditionNever, "condition-never"),
        (Kind::ConditionNegated, "condition-negated"),
        (Kind::ConditionConnective, "condition-connective"),
        (Kind::ConstantValue, "constant-value"),
        (Kind::ConstantNegated, "constant-negated"),
    ];

    /// The name, such as `drop-fence`.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The group, such as `drop`.
    pub fn group(self) -> &'static str {
        self.name().split('-').next().unwrap_or("")
    }

    /// Whether `word` is its name or that of its group.
    pub fn is_called(self, word: &str) -> bool {
        self.name() == word || self.group() == word
    }
}

/// A small change to a protocol's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// Kind, procedure or thread, file and line, and what is changed. No two mutants of a protocol have the same.
    pub name: String,
    /// What kind of change.
    pub kind: Kind,
    /// The procedure, thread or kind of work.
    pub owner: String,
    /// What is changed.
    pub span: Span,
    /// The change in words.
    pub what: String,
    /// The change.
    pub edits: Vec<Edit>,
    /// The statement that control must come to for the change to matter. None where the text has no room to ask that.
    pub site: Option<Span>,
}
