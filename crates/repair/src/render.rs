//! Sets of atoms as changes to the text.

use crate::accesses::Writing;
use crate::atoms::AtomId;
use crate::edits::{put_fence, put_order};
use crate::marked::stronger;
use crate::places::{PlaceId, Site, Strength};
use crate::problem::Problem;
use memory::Fence;
use patch::Edit;

/// What becomes of a fence that stands where another is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FenceEdit {
    /// The new one replaces it, even if it is weaker in some respects.
    Replaced,
    /// The new one is made strong enough for both.
    Joined,
}

/// The edits that put `chosen` into the text as it is.
pub(crate) fn edits(problem: &Problem<'_>, chosen: &[AtomId], edit: FenceEdit) -> Vec<Edit> {
    let mut places: Vec<PlaceId> = chosen.iter().map(|atom| problem.atoms[*atom].place).collect();
    // Where two edits insert at one byte, that of a load comes before that of the store around it.
    places.sort_by_key(|place| (is_plain_store(problem, *place), *place));
    places.dedup();
    let at = |place: PlaceId| {
        let atoms = chosen.iter().map(|atom| &problem.atoms[*atom]).filter(move |atom| atom.place == place);
        at_place(problem, place, &atoms.map(|atom| atom.strength).collect::<Vec<_>>(), edit)
    };
    problem.spelling.declared(merged(places.into_iter().flat_map(at).collect()))
}

/// Settings that are put in place of the same empty braces are put there together.
fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut merged: Vec<Edit> = Vec::new();
    for edit in edits {
        let inner = edit.text.strip_prefix("{ ");
        match (merged.iter_mut().find(|other| other.span == edit.span && other.text.ends_with(" }")), inner) {
            (Some(other), Some(inner)) => other.text = format!("{}; {inner}", other.text.trim_end_matches(" }")),
            _ => merged.push(edit),
        }
    }
    merged
}

fn is_plain_store(problem: &Problem<'_>, place: PlaceId) -> bool {
    let span = problem.places.table[place].span;
    matches!(problem.written.get(&span).map(|w| w.writing), Some(Writing::Store(..)))
}

fn at_place(problem: &Problem<'_>, place: PlaceId, strengths: &[Strength], edit: FenceEdit) -> Vec<Edit> {
    let site = &problem.places.table[place].site;
    if let Site::Access(span) = site {
        let (order, failure) = problem.orders[span];
        let raised = strengths.iter().fold(order, |order, strength| stronger(order, *strength));
        let acquires = strengths.contains(&Strength::Acquire);
        let failure = if acquires { stronger(failure, Strength::Acquire) } else { failure };
        return put_order(&problem.spelling, *span, problem.written[span].writing, raised, failure);
    }
    let Some(Strength::Fence(new)) = strengths.first() else { return Vec::new() };
    let fence = match (problem.fences.get(&place), edit) {
        (Some(own), FenceEdit::Joined) => joined(*own, *new),
        _ => *new,
    };
    put_fence(problem.question.loaded, &problem.spelling, problem.question.variant, site, Some(fence))
}

/// The weakest fence that orders what either orders.
fn joined(a: Fence, b: Fence) -> Fence {
    let covers = |a, b| Strength::Fence(a).covers(Strength::Fence(b));
    if covers(a, b) {
        a
    } else if covers(b, a) {
        b
    } else {
        Fence::Full
    }
}
