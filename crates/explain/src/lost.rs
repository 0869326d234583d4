//! What became of the objects that a property speaks of: since when each is unreachable, in a set or of a colour, who still refers to it, and
//! which step made it so.

use crate::failed::Failed;
use crate::history::Operations;
use crate::passed::passed_by;
use crate::words::Words;
use automata::{CellId, CellKind, StateExpr, StateLeaf, Value};
use base::table::Id;
use machine::Interpreter;
use report::heap::{Heap, Objects, is_colour};
use std::cell::OnceCell;
use workbench::Trace;

/// So many objects, and so many references to one, are named.
const MAX_NAMED: usize = 3;

/// Sentences about objects, and the operations that they name.
#[derive(Default)]
pub(crate) struct Lost {
    pub(crate) sentences: Vec<String>,
    pub(crate) operations: Operations,
    /// Whether a reference is named: the last that was dropped, or one that is still there.
    pub(crate) names_reference: bool,
}

/// What became of the objects that the part of the property which failed speaks of; or, if no part says, the property.
pub(crate) fn lost(words: &Words<'_>, interpreter: &Interpreter<'_>, trace: &Trace, failed: &Failed<'_>) -> Lost {
    let objects = Objects::new(words.automata);
    let heaps = trace.states.iter().map(|_| OnceCell::new()).collect();
    let mut telling = Telling { words, interpreter, trace, objects, heaps, lost: Lost::default() };
    match failed.part {
        Some(part) if !telling.bound(part).is_empty() => {
            for object in telling.bound(part) {
                telling.fate(object, &part.condition);
            }
        }
        _ => {
            for object in telling.spoken_of() {
                telling.death(object, &[]);
            }
        }
    }
    telling.lost
}

struct Telling<'a, 'w> {
    words: &'a Words<'w>,
    interpreter: &'a Interpreter<'a>,
    trace: &'a Trace,
    objects: Objects<'w>,
    /// The heap of each state, once it was asked for.
    heaps: Vec<OnceCell<Heap>>,
    lost: Lost,
}

impl Telling<'_, '_> {
    /// The objects that quantifiers bind.
    fn bound(&self, part: &automata::PropertyPart) -> Vec<usize> {
        let is_bound = |object: &usize| part.bindings.iter().any(|(_, value)| value == self.objects.name(*object));
        self.objects.all().filter(is_bound).collect()
    }

    /// The objects whose fields the property names.
    fn spoken_of(&self) -> Vec<usize> {
        let automata = self.words.automata;
        let mut cells = Vec::new();
        for condition in automata.properties[self.trace.property].kind.conditions() {
            automata.leaves(condition, &mut |leaf| cells.extend(automata.cells_of(leaf)));
        }
        let mut named: Vec<usize> = cells.into_iter().filter_map(|cell| self.objects.owner_in_heap(cell)).collect();
        named.sort();
        named.dedup();
        named
    }

    /// All that is known of an object that the failed part is about.
    fn fate(&mut self, object: usize, condition: &StateExpr) {
        let mut sets = Vec::new();
        let mut reached: Vec<&StateLeaf> = Vec::new();
        self.words.automata.leaves(condition, &mut |leaf| match leaf {
            StateLeaf::Cell(cell) if self.words.automata.cells[*cell].kind == CellKind::Abstract => sets.push(*cell),
            StateLeaf::Reached { .. } => reached.push(leaf),
            _ => {}
        });
        sets.retain(|set| self.objects.owner(*set).is_none());
        sets.sort();
        sets.dedup();
        let name = self.objects.name(object).to_string();
        for set in sets {
            self.since(set, &format!("{name} is in {}", self.words.automata.cells[set].name), |telling, value| {
                telling.objects.referred_by(set, value).contains(&object)
            });
        }
        for colour in self.colours(object) {
            let value = self.last_value(colour);
            let cell = &self.words.automata.cells[colour].name;
            let shown = self.words.value(colour, value);
            self.since(colour, &format!("{cell} is {shown}"), |_, then| then == value);
            for place in passed_by(self.words, self.trace, colour) {
                self.lost.operations.extend(place.reads);
                self.lost.sentences.push(place.sentence);
            }
        }
        if !self.death(object, &reached) && !reached.is_empty() {
            self.references(object);
        }
    }

    fn last_value(&self, cell: CellId) -> Value {
        self.trace.states[self.trace.steps.len()].cells[cell.index()]
    }

    /// The cells that tell an object's colour.
    fn colours(&self, object: usize) -> Vec<CellId> {
        let name = self.objects.name(object);
        let tells = |(id, cell): &(CellId, &automata::Cell)| {
            let is_its = self.objects.owner(*id) == Some(object);
            let is_of_it = self.objects.owner(*id).is_none() && cell.place.index.as_deref() == Some(name);
            is_colour(&cell.place.field) && (is_its || is_of_it)
        };
        self.words.automata.cells.iter().filter(tells).map(|(id, _)| id).collect()
    }

    /// Says since when a cell's value is so, if it is at the end.
    fn since(&mut self, cell: CellId, what: &str, is_so: impl Fn(&Self, Value) -> bool) {
        let then = |state: &machine::PlainState| is_so(self, state.cells[cell.index()]);
        if !self.trace.states.last().is_some_and(then) {
            return;
        }
        match self.trace.states.iter().rposition(|state| !then(state)) {
            None => self.lost.sentences.push(format!("{what} since the start")),
            Some(before) => self.by(before + 1, cell, &format!("{what} since step {}", before + 1)),
        }
    }

    /// Adds a sentence with the write to a cell that a step did.
    fn by(&mut self, step: usize, cell: CellId, what: &str) {
        let is_it = |id: &usize| {
            let operation = self.words.operation(*id);
            operation.step() == Some(step) && operation.cell() == Some(cell) && operation.wrote().is_some()
        };
        let by = (0..self.words.history.operations.len()).rev().find(is_it);
        let did = by.map_or(String::new(), |id| format!(": {}", self.words.did(id)));
        self.lost.operations.extend(by);
        self.lost.sentences.push(format!("{what}{did}"));
    }

    /// Whether an object can be reached in a state: as the property says, or else from what looks like roots.
    fn is_reached(&self, at: usize, object: usize, reached: &[&StateLeaf]) -> bool {
        let name = self.objects.name(object);
        let nodes = |leaf: &StateLeaf| match leaf {
            StateLeaf::Reached { graph, .. } => {
                let node = self.words.automata.graphs[*graph].nodes.iter().position(|node| node.name == name)?;
                let set = self.interpreter.value(&self.trace.states[at], &StateExpr::Leaf(leaf.clone()))?;
                Some(set >> node & 1 == 1)
            }
            _ => None,
        };
        let heap = || self.heaps[at].get_or_init(|| self.objects.heap(&self.trace.states[at]));
        let by_heap = || heap().objects.iter().any(|object| object.name == name && object.reachable);
        let stated: Vec<bool> = reached.iter().filter_map(|leaf| nodes(leaf)).collect();
        if stated.is_empty() { by_heap() } else { stated.contains(&true) }
    }

    /// Says since when an object cannot be reached, if it could be; false if it can, or never could.
    fn death(&mut self, object: usize, reached: &[&StateLeaf]) -> bool {
        let last = (0..self.trace.states.len()).rev().find(|at| self.is_reached(*at, object, reached));
        let Some(last) = last.filter(|last| last + 1 < self.trace.states.len()) else { return false };
        let step = last + 1;
        let Some(cell) = self.dropped(step, object) else { return false };
        if self.lost.sentences.len() < MAX_NAMED * 3 {
            self.by(step, cell, &format!("{} is not reachable since step {step}", self.objects.name(object)));
            self.lost.names_reference = true;
        }
        true
    }

    /// The reference that a step dropped: to the object if it did, or else any.
    fn dropped(&self, step: usize, object: usize) -> Option<CellId> {
        let (before, after) = (&self.trace.states[step - 1].cells, &self.trace.states[step].cells);
        let referred = |cell: CellId, values: &[Value]| self.objects.referred_by(cell, values[cell.index()]);
        let changed = self.words.automata.cells.ids().filter(|cell| before[cell.index()] != after[cell.index()]);
        let changed: Vec<CellId> = changed.filter(|cell| !referred(*cell, before).is_empty()).collect();
        changed.iter().find(|cell| referred(**cell, before).contains(&object)).or(changed.first()).copied()
    }

    /// Says who refers to an object that can be reached.
    fn references(&mut self, object: usize) {
        let name = self.objects.name(object).to_string();
        let holders = self.words.automata.cells.ids().filter(|cell| self.is_holder(*cell, object));
        let holders: Vec<CellId> = holders.take(MAX_NAMED).collect();
        self.lost.names_reference |= !holders.is_empty();
        for holder in holders {
            let cell = &self.words.automata.cells[holder].name;
            self.since(holder, &format!("{cell} refers to {name}"), |telling, value| {
                telling.objects.referred_by(holder, value).contains(&object)
            });
        }
    }

    /// Whether a cell is a field that refers to an object, or a root that does.
    fn is_holder(&self, cell: CellId, object: usize) -> bool {
        let refers = self.objects.referred_by(cell, self.last_value(cell)).contains(&object);
        let is_field = self.objects.owner(cell).is_some_and(|owner| owner != object);
        refers && (is_field || self.objects.owner(cell).is_none() && self.objects.is_root(cell))
    }
}
