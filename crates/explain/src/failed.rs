//! Which part of a property failed, for which values of what its quantifiers bind, and with which values of what it speaks of.

use crate::origin::made_so;
use crate::words::{Words, list};
use automata::{Automata, GraphId, PropertyPart, StateExpr, StateLeaf, ThreadId};
use base::table::Id;
use machine::{Interpreter, PlainState};
use workbench::Trace;

/// So many values of what a part speaks of are named.
const MAX_VALUES: usize = 6;

/// So many conditions of a temporal formula are named.
const MAX_CONDITIONS: usize = 5;

/// What failed, and for which values.
pub(crate) struct Failed<'a> {
    /// The first part that the last state violates.
    pub(crate) part: Option<&'a PropertyPart>,
    pub(crate) sentences: Vec<String>,
    /// Whether they name a step since which a condition of a temporal formula is as it is.
    pub(crate) names_step: bool,
}

/// What of the property failed in the run.
pub(crate) fn failed<'a>(words: &Words<'a>, interpreter: &Interpreter<'_>, trace: &Trace) -> Failed<'a> {
    let parts: Vec<&PropertyPart> =
        words.automata.parts.iter().filter(|part| part.property == trace.property).collect();
    let judged = Judged { words, interpreter, trace };
    if trace.loop_start.is_some() {
        let mut sentences: Vec<String> = Vec::new();
        for part in parts {
            let sentence = judged.over_time(part);
            if sentences.len() < MAX_CONDITIONS && !sentences.contains(&sentence) {
                sentences.push(sentence);
                sentences.extend(judged.where_it_stays(part));
            }
        }
        let names_step = sentences.iter().any(|sentence| sentence.contains(" on, forever: "));
        return Failed { part: None, sentences, names_step };
    }
    let part = parts.into_iter().find(|part| judged.is_violated(part));
    Failed { part, sentences: part.map_or(Vec::new(), |part| judged.at_the_end(part)), names_step: false }
}

struct Judged<'a, 'w> {
    words: &'a Words<'w>,
    interpreter: &'a Interpreter<'a>,
    trace: &'a Trace,
}

impl Judged<'_, '_> {
    fn last(&self) -> &PlainState {
        &self.trace.states[self.trace.steps.len()]
    }

    fn is_violated(&self, part: &PropertyPart) -> bool {
        let violating = |truth| self.interpreter.places(self.last(), &part.condition, truth).is_some();
        part.violating.is_some_and(violating)
    }

    /// The part with its source, and what it is about.
    fn title(&self, part: &PropertyPart) -> String {
        let (line, text) = (self.words.line_of(part.span), self.words.text_of(part.span));
        let bound: Vec<String> = part.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let of = if bound.is_empty() { String::new() } else { format!(" for {}", list(&bound)) };
        format!("`{text}` ({line}){of}")
    }

    fn at_the_end(&self, part: &PropertyPart) -> Vec<String> {
        let n_steps = self.trace.steps.len();
        let is = if part.violating == Some(true) { "true" } else { "false" };
        let when = if n_steps == 0 { "at the start".into() } else { format!("after step {n_steps}") };
        let mut sentences = vec![format!("{} is {is} {when}", self.title(part))];
        let values = self.values(&part.condition);
        if !values.is_empty() {
            sentences.push(format!("  {}", list(&values)));
        }
        sentences.extend(self.last_step(part));
        sentences
    }

    /// What the step did that made it so, beside its source. What is judged only at the end of a run may be so before.
    fn last_step(&self, part: &PropertyPart) -> Option<String> {
        let truth = part.violating.unwrap_or(false);
        let is_so = |state: &PlainState| self.interpreter.places(state, &part.condition, truth).is_some();
        let step = self.trace.states.iter().rposition(|state| !is_so(state))? + 1;
        let operations = 0..self.words.history.operations.len();
        let is_of_it =
            |id: &usize| self.words.operation(*id).step() == Some(step) && self.words.operation(*id).cell().is_some();
        let writes = |id: &usize| self.words.operation(*id).wrote().is_some();
        let done: Vec<usize> = operations.filter(is_of_it).collect();
        let id = *done.iter().rev().find(|id| writes(id)).or(done.last())?;
        let operation = self.words.operation(id);
        let text = self.words.text(operation.thread, operation.point);
        Some(format!("  step {step}, `{text}`: {}", self.words.did(id)))
    }

    /// What a condition of a temporal formula is in the run.
    fn over_time(&self, part: &PropertyPart) -> String {
        let start = self.trace.loop_start.unwrap_or(0);
        let truths: Vec<bool> = self
            .trace
            .states
            .iter()
            .map(|state| self.interpreter.judge(state, &part.condition) == Some(true))
            .collect();
        let last = truths.last().copied().unwrap_or(false);
        let title = self.title(part);
        if truths[start..].iter().any(|truth| *truth != last) {
            return format!("{title} is true and false in turn in what repeats");
        }
        match truths.iter().rposition(|truth| *truth != last) {
            None if last => format!("{title} is always true"),
            None => format!("{title} is never true"),
            Some(at) => {
                let did = made_so(self.words, self.trace, at + 1, &part.condition);
                format!("{title} is {last} from step {} on, forever: {did}", at + 1)
            }
        }
    }

    /// The values of what a condition speaks of, if it is false in a state that the run never leaves.
    fn where_it_stays(&self, part: &PropertyPart) -> Option<String> {
        let stays = self.trace.loop_start == Some(self.trace.steps.len());
        let is_false = self.interpreter.judge(self.last(), &part.condition) == Some(false);
        let values = self.values(&part.condition);
        (stays && is_false && !values.is_empty()).then(|| format!("  at the end {}", list(&values)))
    }

    /// The values of what a condition speaks of, each once, and then which threads have ended.
    fn values(&self, condition: &StateExpr) -> Vec<String> {
        let (mut values, mut ended): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        self.words.automata.leaves(condition, &mut |leaf| {
            let facts = if matches!(leaf, StateLeaf::Ended(_)) { &mut ended } else { &mut values };
            let value = self.value(leaf);
            facts.extend(value.filter(|value| !facts.contains(value)));
        });
        values.extend(ended);
        values.truncate(MAX_VALUES);
        values
    }

    fn value(&self, leaf: &StateLeaf) -> Option<String> {
        let state = self.last();
        match leaf {
            StateLeaf::Cell(cell) => {
                let value = self.words.value(*cell, state.cells[cell.index()]);
                Some(format!("{} is {value}", self.words.automata.cells[*cell].name))
            }
            StateLeaf::Register(thread, register) => {
                let value = state.locals[thread.index()].register(*register).value()?;
                let said = self.words.register(*thread, *register, value)?;
                Some(said.replacen("its ", &format!("{}'s ", self.words.thread(*thread)), 1))
            }
            StateLeaf::Ended(thread) => self.truth(leaf, *thread, "has ended", "has not ended"),
            StateLeaf::At(thread, points) => {
                let line = self.words.line(*thread, *points.first()?);
                self.truth(leaf, *thread, &format!("is at {line}"), &format!("is not at {line}"))
            }
            StateLeaf::Reached { graph, from } => self.reached(*graph, from, leaf),
            _ => None,
        }
    }

    fn truth(&self, leaf: &StateLeaf, thread: ThreadId, yes: &str, no: &str) -> Option<String> {
        let is_true = self.interpreter.value(self.last(), &StateExpr::Leaf(leaf.clone()))? != 0;
        Some(format!("{} {}", self.words.thread(thread), if is_true { yes } else { no }))
    }

    fn reached(&self, graph: GraphId, from: &StateExpr, leaf: &StateLeaf) -> Option<String> {
        let names = |set| names(self.words.automata, graph, set);
        let from = names(self.interpreter.value(self.last(), from)?);
        let reached = names(self.interpreter.value(self.last(), &StateExpr::Leaf(leaf.clone()))?);
        Some(format!("from {} one comes to {}", list(&from), list(&reached)))
    }
}

/// The objects of a set over a graph.
fn names(automata: &Automata, graph: GraphId, set: automata::Wide) -> Vec<String> {
    let nodes = automata.graphs[graph].nodes.iter().enumerate();
    nodes.filter(|(n, _)| set >> n & 1 == 1).map(|(_, node)| node.name.clone()).collect()
}
