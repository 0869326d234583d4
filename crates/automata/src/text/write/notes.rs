//! What no run depends on: names of values, guarantees, and what a symmetry may permute.

use super::exprs::{state, state_place};
use crate::collection::{Automata, Cell, Relation, ThreadId};
use crate::expr::Value;
use crate::name::CellPlace;
use crate::scalars::{Part, Shape};
use std::fmt::Write;

pub(super) fn write(automata: &Automata, out: &mut String) {
    for cell in automata.cells.values() {
        place(cell, out);
        names(&cell.name, &cell.names, out);
    }
    for thread in automata.threads.values() {
        for register in thread.automaton.registers.values() {
            names(&format!("{}.{}", thread.name, register.name), &register.names, out);
        }
    }
    for (property, location) in &automata.absent {
        let _ = writeln!(out, "absent {}: {location}", automata.properties[*property].name);
    }
    for guarantee in &automata.guarantees {
        let point = |(thread, point): &(ThreadId, _)| format!(" {} {point}", automata.threads[*thread].name);
        let points: String = guarantee.points.iter().map(point).collect();
        let level = if guarantee.level == 1 { String::new() } else { format!(" level {}", guarantee.level) };
        let _ = writeln!(out, "guarantee {}{level}:{points}", guarantee.name);
        guarantee.relations.iter().for_each(|of| relation(automata, &guarantee.name, of, out));
    }
    scalars(automata, out);
}

/// What a guarantee says of one thread's steps: all of it, on lines of their own.
fn relation(automata: &Automata, guarantee: &str, relation: &Relation, out: &mut String) {
    let of = format!("{guarantee} {}", automata.threads[relation.thread].name);
    let _ = writeln!(out, "requires {of}: {}", state(automata, &relation.requires));
    let Some(effect) = &relation.effect else { return };
    let _ = writeln!(out, "ensures {of}: {}", state(automata, &effect.ensures));
    if let Some(places) = &effect.modifies {
        let places: String = places.iter().map(|place| format!(" {}", state_place(automata, place))).collect();
        let _ = writeln!(out, "modifies {of}:{places}");
    }
}

/// The parts of a name that do not follow from its dots and brackets.
fn place(cell: &Cell, out: &mut String) {
    if CellPlace::from(cell.name.as_str()) != cell.place {
        let CellPlace { object, field, index } = &cell.place;
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        let _ = writeln!(out, "place {}: \"{}\" \"{field}\" \"{}\"", cell.name, text(object), text(index));
    }
}

fn names(of: &str, names: &[(Value, String)], out: &mut String) {
    if !names.is_empty() {
        let names: String = names.iter().map(|(value, name)| format!(" {value} \"{name}\"")).collect();
        let _ = writeln!(out, "names {of}:{names}");
    }
}

fn scalars(automata: &Automata, out: &mut String) {
    let scalars = &automata.scalars;
    for sort in scalars.sorts.values() {
        let threads = sort.threads.map_or(String::new(), |first| format!(" from {}", automata.threads[first].name));
        let _ = writeln!(out, "sort {}: {}{threads}", sort.name, sort.size);
    }
    for (id, role) in scalars.cells.iter() {
        let index = |(shape, value): &(Shape, Value)| format!(" [{} {value}]", self::shape(shape));
        let indices: String = role.indices.iter().map(index).collect();
        let shape = self::shape(&role.shape);
        let _ = writeln!(out, "role {}: {}{indices} {shape}", automata.cells[id].name, role.family);
    }
    for (id, shapes) in scalars.registers.iter() {
        let shapes: String = shapes.values().map(|shape| format!(" {}", self::shape(shape))).collect();
        let _ = writeln!(out, "shapes {}:{shapes}", automata.threads[id].name);
    }
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Plain => "plain".into(),
        Shape::Element(sort) => sort.to_string(),
        Shape::Thread => "thread".into(),
        Shape::Set { low, of } => format!("set({low} {})", self::shape(of)),
        Shape::Word(parts) => {
            let part = |p: &Part| format!("{} {} {} {} {}", p.shift, p.bits, p.low, p.high, self::shape(&p.shape));
            format!("word({})", parts.iter().map(part).collect::<Vec<_>>().join(", "))
        }
    }
}
