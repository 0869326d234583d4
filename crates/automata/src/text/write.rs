//! Automata to text.

mod exprs;
mod notes;
mod points;

pub use exprs::state;
pub(in crate::text) use points::REGIONS;
pub use points::action;

use crate::collection::{Automata, CellKind, Fairness, Ltl, Moment, PropertyKind, Stated};
use crate::graph::GraphNode;
use exprs::domain;
use std::fmt::Write;

/// All of it.
pub fn write(automata: &Automata) -> String {
    let mut out = program(automata);
    notes::write(automata, &mut out);
    out
}

/// What runs and verdicts depend on: cells, graphs, properties, covers, threads.
pub fn program(automata: &Automata) -> String {
    let mut out = String::new();
    cells(automata, &mut out);
    graphs(automata, &mut out);
    properties(automata, &mut out);
    for cover in automata.covers.values() {
        let condition = cover.condition.as_ref().map_or(String::new(), |c| format!(": {}", state(automata, c)));
        let _ = writeln!(out, "cover {}{condition}", cover.name);
    }
    definedness(automata, &mut out);
    for thread in automata.threads.values() {
        let _ = writeln!(out, "thread {}", thread.name);
        points::automaton(automata, &thread.automaton, &mut out);
    }
    out
}

fn cells(automata: &Automata, out: &mut String) {
    for (id, cell) in automata.cells.iter() {
        let kind = match cell.kind {
            _ if automata.bus == Some(id) => "bus",
            CellKind::Memory => "cell",
            CellKind::Abstract => "abstract",
        };
        let _ = writeln!(out, "{kind} {}: {} = {}", cell.name, domain(cell.domain), cell.init);
    }
}

fn graphs(automata: &Automata, out: &mut String) {
    for (id, graph) in automata.graphs.iter() {
        let _ = writeln!(out, "{id}");
        for node in &graph.nodes {
            let _ = writeln!(out, "  {}", self::node(automata, node));
        }
    }
}

/// An object of a graph: its references, and when paths may step to it.
fn node(automata: &Automata, node: &GraphNode) -> String {
    let fields: String = node.fields.iter().map(|cell| format!(" {}", automata.cells[*cell].name)).collect();
    let condition = node.condition.as_ref().map_or(String::new(), |c| format!(" if {}", state(automata, c)));
    format!("{}:{fields}{condition}", node.name)
}

fn properties(automata: &Automata, out: &mut String) {
    for (id, property) in automata.properties.iter() {
        let name = match automata.levels.iter().find(|(of, _)| *of == id) {
            Some((_, level)) => format!("{} level {level}", property.name),
            None => property.name.clone(),
        };
        let word = property.kind.word();
        let _ = match (&property.kind, property.kind.state_property()) {
            (_, Some(judged)) => writeln!(out, "{word} {name}: {}", state(automata, judged.condition)),
            (PropertyKind::Ltl(ltl), _) => write!(out, "{word} {name}: {}", formula(automata, ltl)),
            (PropertyKind::Deadlock | PropertyKind::ValidReference | PropertyKind::InRange, _) => Ok(()),
            (PropertyKind::DataRace, _) => writeln!(out, "{word}"),
            _ => writeln!(out, "{word} {name}"),
        };
    }
}

/// A temporal formula, and its atoms on lines of their own.
fn formula(automata: &Automata, ltl: &Ltl) -> String {
    let atoms: String = ltl.atoms.iter().map(|atom| format!("  {}\n", state(automata, atom))).collect();
    let fairness = match ltl.fairness {
        Fairness::None => String::new(),
        Fairness::All => " fairly".into(),
        Fairness::Thread(thread) => format!(" fairly to {}", automata.threads[thread].name),
    };
    format!("{}{fairness}\n{atoms}", ltl.formula.words(&[]))
}

fn definedness(automata: &Automata, out: &mut String) {
    for defined in &automata.definedness {
        let of = match defined.of {
            Stated::Property(id) => format!("property {}", automata.properties[id].name),
            Stated::Cover(id) => format!("cover {}", automata.covers[id].name),
        };
        let moment = match defined.moment {
            Moment::Always => "",
            Moment::Quiescent => " at the end",
        };
        let property = &automata.properties[defined.property].name;
        let _ = writeln!(out, "defined {property} of {of}{moment}: {}", state(automata, &defined.condition));
    }
}
