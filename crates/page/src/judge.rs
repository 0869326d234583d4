//! What properties say of a state.

use crate::run::place;
use crate::subject::Subject;
use crate::view::Property;
use crate::walk::Visit;
use automata::{Automata, Cover, CoverId, Moment, PropertyId, PropertyKind, StateProperty};
use base::table::Id;
use machine::{Interpreter, Mode, PlainState};
use system::Reached;

/// The first property that the state violates, deadlock included.
pub(crate) fn violated(interpreter: &Interpreter<'_>, visit: &Visit) -> Option<PropertyId> {
    let is_stuck = visit.enabled.is_empty() && !visit.discarded;
    interpreter.violation(&visit.state).or_else(|| interpreter.stuck(&visit.state).filter(|_| is_stuck))
}

/// Every property and cover; `reached` is what was reached on the way here.
pub(crate) fn properties(
    subject: &Subject<'_>,
    interpreter: &Interpreter<'_>,
    visit: &Visit,
    violated: Option<PropertyId>,
    reached: &Reached,
) -> Vec<Property> {
    let is_asked = |kind: &PropertyKind| *kind != PropertyKind::DataRace || subject.memory.has_races();
    let asked = subject.automata.properties.iter().filter(|(_, property)| is_asked(&property.kind));
    let stated = asked.map(|(id, property)| {
        let kind = match property.kind {
            PropertyKind::Deadlock | PropertyKind::ValidReference | PropertyKind::InRange | PropertyKind::DataRace => {
                "builtin"
            }
            ref kind => kind.word(),
        };
        let fails = violated == Some(id) || fails(interpreter, &visit.state, id, &property.kind);
        let now = match () {
            () if fails => "fails",
            () if is_open(interpreter, &visit.state, &property.kind) => "open",
            () => "holds",
        };
        Property { name: property.name.clone(), kind, now, place: place(subject.sources, property.span) }
    });
    let is_shown = |(id, _): &(CoverId, &Cover)| Some(*id) != subject.watch();
    let covers = subject.automata.covers.iter().filter(is_shown).map(|(id, cover)| {
        let now = if reached.has_cover(id.index()) { "reached" } else { "unreached" };
        Property { name: cover.name.clone(), kind: "cover", now, place: place(subject.sources, cover.span) }
    });
    stated.chain(covers).collect()
}

/// Whether the state by itself violates a property: several may fail at once.
fn fails(interpreter: &Interpreter<'_>, state: &PlainState, id: PropertyId, kind: &PropertyKind) -> bool {
    match kind.state_property() {
        Some(StateProperty { condition, moment, violating }) => {
            let is_judged = moment == Moment::Always || interpreter.is_quiescent(state);
            is_judged && interpreter.judge(state, condition) == Some(violating)
        }
        None => id != Automata::DEADLOCK && state.locals.iter().any(|local| local.mode == Mode::Failed(id)),
    }
}

/// Whether the state does not decide the property: it speaks of the end, of a whole run, or of a value still to come.
fn is_open(interpreter: &Interpreter<'_>, state: &PlainState, kind: &PropertyKind) -> bool {
    match kind.state_property() {
        Some(StateProperty { condition, moment: Moment::Always, .. }) => interpreter.judge(state, condition).is_none(),
        Some(StateProperty { moment: Moment::Quiescent, .. }) => !interpreter.is_quiescent(state),
        None => matches!(kind, PropertyKind::Ltl(_) | PropertyKind::Unchecked),
    }
}

/// Adds the covers whose condition is true in the state.
pub(crate) fn cover(subject: &Subject<'_>, interpreter: &Interpreter<'_>, state: &PlainState, reached: &mut Reached) {
    let is_true = |cover: &Cover| cover.condition.as_ref().and_then(|c| interpreter.judge(state, c)) == Some(true);
    let covers = subject.automata.covers.iter().filter(|(_, cover)| is_true(cover));
    covers.for_each(|(id, _)| reached.add_cover(id.index()));
}

/// Whether the condition that the user watches is true.
pub(crate) fn watch(subject: &Subject<'_>, interpreter: &Interpreter<'_>, state: &PlainState) -> Option<bool> {
    let condition = subject.automata.covers[subject.watch()?].condition.as_ref()?;
    interpreter.judge(state, condition)
}
