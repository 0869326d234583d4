//! What else must be true of what Lacuna says: traces, explanations, proofs, and modes that ask the same question.

mod candidates;
mod coherence;
mod explanation;
mod proof;
mod traces;

use crate::judge::Case;

/// What is wrong: in what respect, and the details.
pub type Complaint = Option<(String, String)>;

/// Looks at a case; none if all is well, or nothing can be said.
pub type Check = fn(&Case<'_>) -> Complaint;

/// All checks.
pub const ALL: &[(&str, Check)] = &[
    ("both modes", coherence::modes),
    ("one property", coherence::one_property),
    ("said thrice", coherence::said_thrice),
    ("replay", traces::replayed),
    ("replay as deadlock", traces::not_a_deadlock),
    ("lanes", traces::shown),
    ("explain", explanation::explained),
    ("prove", proof::proved),
    ("prove of cells", candidates::proved_of_cells),
];
