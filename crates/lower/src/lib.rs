//! Typed program to automata: one automaton per thread, one access per point.
//!
//! Reading order: `cells` (which cells there are), `builder` (points with open ends), `thread` (one
//! thread's automaton), `statements`, `jumps`, `calls` (inlining), `expressions`, `conditions`, `places`,
//! `bus` (the bus lock), `words` (packing), `sets` (bit masks), `queues` (slots), `simplify`, `properties`, `defined` (where they
//! have values, by `bounds`), `graphs`, `pending`, `temporal`, `guarantees`; `owners` says of each cell what it is part of,
//! `shapes` what a symmetry does to it. Never fails: `program::check` has seen to that.

mod bounds;
mod builder;
mod bus;
mod calls;
mod cells;
mod conditions;
mod defined;
mod expressions;
mod graphs;
mod guarantees;
mod jumps;
mod owners;
mod parts;
mod pending;
mod places;
mod properties;
mod queues;
mod sets;
mod shapes;
mod simplify;
mod statements;
mod temporal;
mod thread;
mod words;

use automata::{Automata, Cover, CoverId, Property, PropertyId, PropertyKind};
use base::Table;
use base::table::Id;
use cells::Layout;
pub use owners::{Owned, Owner, owners};
use program::{Program, typed};
use shapes::Shapes;

/// The automata of a checked program.
pub fn lower(program: &Program) -> Automata {
    let mut automata = Automata::new();
    let layout = Layout::new(program, &mut automata);
    bus::declare(program, &mut automata);
    if layout.has_plain() {
        automata.forbid_races();
    }
    let mut names = Names::declare(program, &mut automata);
    let shapes = Shapes::new(program);
    for (id, decl) in program.threads.iter() {
        for copy in 0..decl.count.unwrap_or(1) {
            let thread = thread::lower(program, (&layout, &shapes), &mut names, &mut automata, id, copy);
            automata.threads.push(thread);
        }
    }
    graphs::add(program, &layout, &mut automata);
    properties::state(program, &layout, &names, &mut automata);
    guarantees::add(program, &layout, &names, &mut automata);
    shapes.finish(&mut automata);
    debug_assert_eq!(automata::validate(&automata), Ok(()));
    automata
}

/// The properties and covers that the automata have so far.
struct Names {
    properties: Table<typed::PropertyId, Option<PropertyId>>,
    covers: Table<typed::CoverId, Option<CoverId>>,
}

impl Names {
    /// Declares the stated ones, so that they come first and in the order of the text.
    fn declare(program: &Program, automata: &mut Automata) -> Self {
        let mut names = Names {
            properties: program.properties.values().map(|_| None).collect(),
            covers: program.covers.values().map(|_| None).collect(),
        };
        for (id, property) in program.properties.iter() {
            if !matches!(property.kind, typed::PropertyKind::Assert) {
                names.property(program, automata, id);
            }
        }
        for (id, cover) in program.covers.iter() {
            if cover.condition.is_some() {
                names.cover(program, automata, id);
            }
        }
        // Those that threads state, whether or not control can come there (semantics 9.3).
        for stmt in program.live_stmts() {
            match stmt.kind {
                typed::StmtKind::Assert(id, _) => _ = names.property(program, automata, id),
                typed::StmtKind::Cover(id, _) => _ = names.cover(program, automata, id),
                _ => {}
            }
        }
        names
    }

    /// The property's id, which it gets when it is first used.
    fn property(&mut self, program: &Program, automata: &mut Automata, id: typed::PropertyId) -> PropertyId {
        *self.properties[id].get_or_insert_with(|| {
            let property = &program.properties[id];
            // What it states is filled in when all points are known.
            let is_asserted = matches!(property.kind, typed::PropertyKind::Assert);
            let kind = if is_asserted { PropertyKind::Assert } else { PropertyKind::Unchecked };
            automata.properties.push(Property { name: property.name.clone(), kind, span: property.span })
        })
    }

    /// The cover's id, which it gets when it is first used.
    fn cover(&mut self, program: &Program, automata: &mut Automata, id: typed::CoverId) -> CoverId {
        *self.covers[id].get_or_insert_with(|| {
            let cover = &program.covers[id];
            automata.covers.push(Cover { name: cover.name.clone(), condition: None, span: cover.span })
        })
    }
}

/// The automaton's thread that is copy `copy` of a declared one; none if there are fewer.
fn thread_id(program: &Program, thread: typed::ThreadId, copy: i32) -> Option<automata::ThreadId> {
    let count = |decl: &typed::Thread| decl.count.unwrap_or(1) as usize;
    let copy = usize::try_from(copy).ok().filter(|c| *c < count(&program.threads[thread]))?;
    let before: usize = program.threads.values().take(thread.index()).map(count).sum();
    Some(automata::ThreadId::new(before + copy))
}
