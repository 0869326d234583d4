//! Guarantees, point by point, and the levels of invariants.

use crate::cells::{Layout, offset};
use crate::properties::Stating;
use crate::{Names, thread_id};
use automata::{Automata, Effect, Expr, Guarantee, PointId, Relation, StatePlace, ThreadId};
use base::table::Id;
use program::types::Value;
use program::{Program, typed};

/// Adds the guarantees, and the levels that are not 1.
pub(crate) fn add(program: &Program, layout: &Layout, names: &Names, automata: &mut Automata) {
    for (id, property) in program.properties.iter().filter(|(_, property)| property.level != 1) {
        automata.levels.extend(names.properties[id].map(|id| (id, property.level)));
    }
    for guarantee in &program.guarantees {
        let n_copies = program.threads[guarantee.thread].count.unwrap_or(1) as i32;
        let threads = (0..n_copies).filter_map(|copy| Some((copy, thread_id(program, guarantee.thread, copy)?)));
        let points = threads.clone().flat_map(|(_, thread)| points(automata, guarantee, thread)).collect();
        let is_relation = guarantee.requires.is_some() || guarantee.is_relation();
        let relations = threads.filter(|_| is_relation).map(|(copy, thread)| {
            let stating = Stating::new(program, layout, automata, &guarantee.locals);
            relation(stating, guarantee, copy, thread)
        });
        let (name, level, relations) = (guarantee.name.clone(), guarantee.level, relations.collect());
        automata.guarantees.push(Guarantee { name, level, span: guarantee.span, points, relations });
    }
}

/// What the guarantee says of the steps of one copy.
fn relation(mut stating: Stating<'_>, guarantee: &typed::Guarantee, copy: Value, thread: ThreadId) -> Relation {
    // `self` comes first, where there is one.
    if stating.program.threads[guarantee.thread].count.is_some() {
        stating.bindings[0] = copy;
    }
    let mut condition = |of: &Option<typed::Expr>| of.as_ref().map_or(Expr::Const(1), |of| stating.expr(of));
    let (requires, ensures) = (condition(&guarantee.requires), condition(&guarantee.ensures));
    let modifies = guarantee.modifies.as_ref();
    let modifies =
        modifies.map(|places| places.iter().flat_map(|modified| places_of(&mut stating, modified)).collect());
    Relation { thread, requires, effect: guarantee.is_relation().then_some(Effect { modifies, ensures }) }
}

/// The places meant: of every object, and every element of an array without its index.
fn places_of(stating: &mut Stating<'_>, modified: &typed::Modified) -> Vec<StatePlace> {
    let objects: Vec<Value> = match modified.each {
        Some(each) => stating.program.types.range(stating.locals[each].ty).values().collect(),
        None => vec![0],
    };
    let mut places = Vec::new();
    for object in objects {
        if let Some(each) = modified.each {
            stating.bindings[each.index()] = object;
        }
        let place = stating.state_place(&modified.place);
        let n_elements = if modified.place.index.is_none() { modified.place.index_range.count() } else { 1 };
        places.extend((0..n_elements as usize).map(|n| StatePlace { base: offset(place.base, n), ..place.clone() }));
    }
    places
}

/// The points that belong to its labels: those that have one, and those after them that have none.
fn points(automata: &Automata, guarantee: &typed::Guarantee, thread: ThreadId) -> Vec<(ThreadId, PointId)> {
    let mut is_meant = false;
    let mut points = Vec::new();
    for (id, point) in automata.threads[thread].automaton.points.iter() {
        if !point.labels.is_empty() {
            is_meant = point.labels.iter().any(|label| guarantee.labels.iter().any(|pattern| pattern.matches(label)));
        }
        if is_meant {
            points.push((thread, id));
        }
    }
    points
}
