//! The permutations under which a system looks the same.
//!
//! For each sort, every exchange of two elements is tried; those that threads and properties do not notice generate the group.

use crate::rules::code::Code;
use crate::symmetry::conditions::conditions;
use crate::symmetry::invariance::Invariance;
use crate::symmetry::isomorphism::complete;
use crate::symmetry::permutation::Permutation;
use automata::scalars::{Sort, SortId};
use automata::{Automata, StateExpr, Value};
use base::table::Id;
use std::collections::BTreeSet;
use system::Budget;

/// A group of more permutations costs more than it gains: then the sorts that come last are left out.
const MAX_PERMUTATIONS: usize = 120;

/// Of a sort with more elements, no exchange is tried.
const MAX_ELEMENTS: u32 = 64;

/// All permutations but the identity. `interchangeable` threads are exchanged without these.
pub(crate) fn permutations(
    automata: &Automata,
    codes: &[Code],
    interchangeable: &[Vec<usize>],
    budget: &Budget,
) -> Vec<Permutation> {
    let invariance = Invariance::new(automata, budget);
    let conditions = conditions(automata);
    let mut group = vec![Permutation::identity(automata)];
    for (id, sort) in automata.scalars.sorts.iter().filter(|(_, sort)| sort.size <= MAX_ELEMENTS) {
        let is_unnoticed = |permutation: &Permutation| {
            carries_observed(codes, permutation) && conditions.iter().all(|c| invariance.holds(c, permutation))
        };
        let exchange = |(a, b): (u32, u32)| {
            let exchange = exchange(automata, id, sort, (a, b), interchangeable)?;
            if budget.look().is_some() {
                return None;
            }
            complete(automata, codes, &invariance.possible, exchange).filter(is_unnoticed)
        };
        let generators: Vec<Permutation> = pairs(sort.size).filter_map(exchange).collect();
        if let Some(larger) = close(&group, &generators) {
            group = larger;
        }
    }
    group.split_off(1)
}

/// Those of `permutations` that `atoms` do not notice.
pub(crate) fn unnoticed<'a>(
    automata: &'a Automata,
    atoms: &'a [StateExpr],
    budget: &'a Budget,
) -> impl Fn(&Permutation) -> bool + use<'a> {
    let invariance = Invariance::new(automata, budget);
    move |permutation| atoms.iter().all(|atom| invariance.holds(atom, permutation))
}

/// Whether the same registers matter to properties wherever a thread is and wherever its image is then. (Temporal ones too: a
/// register that matters in one of two threads only has a value in one and is reset in the other.)
fn carries_observed(codes: &[Code], permutation: &Permutation) -> bool {
    permutation.threads.iter().enumerate().all(|(thread, image)| {
        codes[thread].observed.iter().all(|(point, registers)| {
            let images = registers.iter().map(|register| permutation.registers[thread][*register]);
            let observed = codes[*image].observed[permutation.points[thread][point]].iter().copied();
            images.collect::<BTreeSet<_>>() == observed.collect::<BTreeSet<_>>()
        })
    })
}

fn pairs(size: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..size).flat_map(move |a| (a + 1..size).map(move |b| (a, b)))
}

/// The exchange of two elements of a sort, without points and registers; none if it is of threads that are exchanged anyway.
fn exchange(
    automata: &Automata,
    id: SortId,
    sort: &Sort,
    (a, b): (u32, u32),
    interchangeable: &[Vec<usize>],
) -> Option<Permutation> {
    let mut exchange = Permutation::identity(automata);
    exchange.elements[id].swap(a as usize, b as usize);
    if let Some(first) = sort.threads {
        let (a, b) = (first.index() + a as usize, first.index() + b as usize);
        exchange.threads.swap(a, b);
        let is_plain = interchangeable.iter().any(|group| group.contains(&a) && group.contains(&b));
        if is_plain {
            return None;
        }
    }
    Some(exchange)
}

/// All products of a group's permutations and generators; none if they are too many.
fn close(group: &[Permutation], generators: &[Permutation]) -> Option<Vec<Permutation>> {
    type Key<'a> = (Vec<&'a Vec<Value>>, &'a Vec<usize>);
    fn key(permutation: &Permutation) -> Key<'_> {
        (permutation.elements.values().collect(), &permutation.threads)
    }
    let mut all = group.to_vec();
    let mut next = 0;
    while let Some(permutation) = all.get(next).cloned() {
        next += 1;
        for product in generators.iter().map(|generator| permutation.then(generator)) {
            if !all.iter().any(|known| key(known) == key(&product)) {
                all.push(product);
            }
        }
        if all.len() > MAX_PERMUTATIONS {
            return None;
        }
    }
    Some(all)
}
