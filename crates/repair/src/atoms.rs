//! Atoms: one strength at one place. A repair, and an assignment of orders, is a set of atoms.

use crate::marked::{Marked, is_used};
use crate::places::{PlaceId, Places, Site, Strength, heat};
use crate::problem::Question;
use base::{Span, Table};
use memory::{Fence, Order};
use program::Loaded;
use rustc_hash::FxHashMap;
use syntax::tree::ItemKind;

base::id_type! {
    /// An atom.
    pub struct AtomId("atom");
}

/// One strength at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The place.
    pub place: PlaceId,
    /// What is put there.
    pub strength: Strength,
    /// What that costs, in hundredths.
    pub cost: u64,
    /// Of atoms that cost the same, the one with less of this is better: what the text has already, and the protocol's own
    /// file.
    pub intrusion: u64,
}

/// What the text has: the orders of each access, and the fence at each place that has one.
type Present<'a> = (&'a FxHashMap<Span, (Order, Order)>, &'a FxHashMap<PlaceId, Fence>);

/// Whether a variant is declared by the word of a flag: `flag f: on | off as variant`.
fn is_made_by_flag(loaded: &Loaded, variant: &str) -> bool {
    loaded.modules.iter().flat_map(|module| &module.items).any(|item| match &item.kind {
        ItemKind::Flag { variants, .. } => variants.iter().any(|made| made.name.text == variant),
        _ => false,
    })
}

/// The atoms of all places that some system comes by.
pub(crate) fn atoms(
    places: &Places,
    systems: &[&Marked],
    question: &Question<'_>,
    (orders, fences): Present<'_>,
) -> Table<AtomId, Atom> {
    let Question { loaded, costs, set, memory, .. } = question;
    let is_made = is_made_by_flag(loaded, question.variant);
    const WEAKEST: Strength = Strength::Fence(Fence::StoreStore);
    let mut atoms = Table::new();
    for (id, place) in places.table.iter().filter(|(id, _)| is_used(*id, systems)) {
        let programs: Vec<&str> = systems.iter().flat_map(|system| system.programs_at(id)).collect();
        let weight = costs.weight(heat(loaded, place.span, &programs), &programs);
        let is_new = !matches!(place.site, Site::Fence(_) | Site::Flag(_));
        // A flag is set in the protocol's own file, wherever the fence stands.
        let is_foreign = place.span.file != loaded.root && !matches!(place.site, Site::Flag(_));
        let intrusion = u64::from(is_new) + 2 * u64::from(is_foreign);
        // A flag that the question sets is not to be set otherwise; and a variant that a flag makes has no text to set one in.
        let is_fixed = |flag: &String| is_made || set.iter().any(|(name, _)| name == flag);
        if matches!(&place.site, Site::Flag(flag) if is_fixed(flag)) {
            continue;
        }
        let is_seq_cst = matches!(&place.site, Site::Access(span) if orders[span].0 == Order::SeqCst);
        let own = is_seq_cst.then_some(Strength::SeqCst);
        // Where memory is histories it is a release fence by another name, and put only where that cannot be.
        let may_release = places.allows(loaded, id, Strength::Fence(Fence::Release));
        let is_alias = |s: &Strength| {
            *s == WEAKEST && memory.histories.is_some() && may_release && fences.get(&id) != Some(&Fence::StoreStore)
        };
        let offered = Strength::of(place.target).iter().copied().filter(|s| !is_alias(s)).chain(own);
        for strength in offered.filter(|strength| places.allows(loaded, id, *strength)) {
            let of = |strength| costs.cost(strength, place.target, place.n_branches, weight);
            // It orders what both order, so it is not chosen for being cheaper, nor for being as cheap.
            let parts = || Strength::of(place.target).iter().map(|part| of(*part)).sum();
            let is_seq_cst = strength == Strength::SeqCst;
            let cost = if is_seq_cst { of(strength).max(parts()) } else { of(strength) };
            atoms.push(Atom { place: id, strength, cost, intrusion: intrusion + 2 * u64::from(is_seq_cst) });
        }
    }
    atoms
}

/// Whether two atoms cannot be put together: one fence at a place is enough.
pub(crate) fn exclude(a: &Atom, b: &Atom) -> bool {
    let is_fence = |atom: &Atom| matches!(atom.strength, Strength::Fence(_));
    a.place == b.place && is_fence(a) && is_fence(b)
}

/// Whether `a` orders all that `b` orders.
pub(crate) fn covers(a: &Atom, b: &Atom) -> bool {
    a.place == b.place && a.strength.covers(b.strength)
}
