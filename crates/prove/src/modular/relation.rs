//! What a guarantee allows as a circuit: from the relation alone, whatever the code does.

use crate::state::State;
use crate::step::{Relation, Step};
use crate::values::Conditions;
use automata::{Automata, CellId, Effect, StateExpr, StatePlace};
use base::table::Id;
use sat::{Bits, Graph, Lit};

impl Relation<'_> {
    /// Any change that `relation` allows: its thread's own state is anything then, and so is what may be modified.
    pub(crate) fn interference(&self, graph: &mut Graph, before: &State, relation: &automata::Relation) -> Step {
        let Some(effect) = &relation.effect else { unreachable!("only effects are looked at without code") };
        let mut after = before.clone();
        let free = State::free(graph, self.automata, self.layout);
        after.threads[relation.thread.index()] = free.threads[relation.thread.index()].clone();
        for cell in self.automata.cells.ids() {
            let may = self.may_change(graph, before, effect, cell);
            let (new, old) = (&free.cells[cell.index()], &before.cells[cell.index()]);
            after.cells[cell.index()] = graph.choose(may, new, old);
        }
        let typing = after.typing(graph, self.automata, self.layout);
        let allowed = self.is_allowed(graph, (before, &after), relation);
        let guard = graph.and(typing, allowed);
        Step { guard, violations: Vec::new(), after, choices: Vec::new() }
    }

    /// Whether a step from one state to another is as `relation` says. That it changes no other thread's own state goes without saying.
    pub(crate) fn is_allowed(
        &self,
        graph: &mut Graph,
        (before, after): (&State, &State),
        relation: &automata::Relation,
    ) -> Lit {
        let required = self.holds(graph, before, &relation.requires);
        let Some(effect) = &relation.effect else { return required };
        let conditions = Conditions { automata: self.automata, state: after, old: Some(before), layout: self.layout };
        let ensured = conditions.holds(graph, &effect.ensures);
        let mut all = graph.and(required, ensured);
        for cell in self.automata.cells.ids() {
            let may = self.may_change(graph, before, effect, cell);
            let same = graph.equal(&before.cells[cell.index()], &after.cells[cell.index()]);
            let is_framed = graph.or(may, same);
            all = graph.and(all, is_framed);
        }
        let bus = self.bus_is_kept(graph, (before, after), relation.thread.index());
        graph.and(all, bus)
    }

    /// Whether nothing shared changes.
    pub(crate) fn is_silent(&self, graph: &mut Graph, before: &State, after: &State) -> Lit {
        let same = |(old, new): (&Bits, &Bits)| graph.equal(old, new);
        let same: Vec<Lit> = before.cells.iter().zip(&after.cells).map(same).collect();
        graph.all(same)
    }

    /// When a condition is true of a state.
    pub(crate) fn holds(&self, graph: &mut Graph, state: &State, condition: &StateExpr) -> Lit {
        Conditions { automata: self.automata, state, old: None, layout: self.layout }.holds(graph, condition)
    }

    /// When an effect may change a cell. No text names the bus: a thread may take it and give it back.
    fn may_change(&self, graph: &mut Graph, before: &State, effect: &Effect, cell: CellId) -> Lit {
        let Some(places) = effect.modifies.as_ref().filter(|_| self.automata.bus != Some(cell)) else {
            return Lit::TRUE;
        };
        let is_it = places.iter().map(|place| self.is_place(graph, before, place, cell)).collect::<Vec<_>>();
        graph.any(is_it)
    }

    fn is_place(&self, graph: &mut Graph, before: &State, place: &StatePlace, cell: CellId) -> Lit {
        let Some(position) = place.cells().iter().position(|of| *of == cell) else { return Lit::FALSE };
        let conditions = Conditions { automata: self.automata, state: before, old: None, layout: self.layout };
        let index = conditions.value(graph, &place.index);
        graph.is(&index, position as i32)
    }

    /// Whether the bus is as before, or is taken or given back by the thread.
    fn bus_is_kept(&self, graph: &mut Graph, (before, after): (&State, &State), thread: usize) -> Lit {
        let Some(bus) = self.automata.bus else { return Lit::TRUE };
        let (old, new) = (&before.cells[bus.index()], &after.cells[bus.index()]);
        let mut all = Lit::TRUE;
        for holder in [old, new] {
            let (is_free, is_own) = (graph.is(holder, Automata::FREE), graph.is(holder, thread as i32));
            let either = graph.or(is_free, is_own);
            all = graph.and(all, either);
        }
        let same = graph.equal(old, new);
        graph.or(all, same)
    }
}
