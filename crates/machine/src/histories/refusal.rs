//! What a memory of histories has no meaning for.

use automata::{Action, Address, Automata, CellId, Op};
use base::Span;
use memory::{Locks, MemoryModel};

/// Something that a program says and its memory model does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What.
    pub what: &'static str,
    /// What to do instead, or why.
    pub hint: &'static str,
    /// Where.
    pub span: Span,
}

/// The first thing that `automata` say and `memory` has no meaning for.
pub fn refused(automata: &Automata, memory: &MemoryModel) -> Option<Refusal> {
    memory.histories?;
    let points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    let in_threads = points.filter_map(|point| {
        let elided = || {
            let takes_lock = matches!(&point.action, Action::Access(access) if access.takes_elidable_lock());
            let (what, hint) = ("lock elision", "RC11 says nothing of transactions; ask a processor's memory model");
            (takes_lock && memory.locks == Locks::Elided).then_some((what, hint))
        };
        let (what, hint) = refused_action(&point.action).or_else(elided)?;
        Some(Refusal { what, hint, span: point.span })
    });
    let bus = automata.bus.map(|bus| Refusal {
        what: "`lock` and `unlock` of the bus",
        hint: "the bus belongs to processors; use a CAS, or an `atomic` region",
        span: first_touch(automata, bus).unwrap_or_else(Span::none),
    });
    in_threads.chain(bus).next()
}

/// Where the first access to a cell stands.
fn first_touch(automata: &Automata, cell: CellId) -> Option<Span> {
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    let touches = |action: &Action| matches!(action, Action::Access(access) if access.address == Address::cell(cell));
    points.find(|point| touches(&point.action)).map(|point| point.span)
}

fn refused_action(action: &Action) -> Option<(&'static str, &'static str)> {
    match action {
        Action::Access(access) if matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)) => {
            Some(("`ll` and `sc`", "C++ and Rust have none; use `cas`"))
        }
        Action::Begin(_) => Some(("transactions", "RC11 says nothing of them; ask a processor's memory model")),
        _ => None,
    }
}
