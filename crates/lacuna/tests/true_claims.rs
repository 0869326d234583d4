//! What a sentence claims of the states of a run and of the program: since when something is so, what can be reached, who could write a cell and what
//! keeps them from it. All of it is worked out here again, from values by their names and from the automata.

use automata::{Action, Address, Automata, CellId, PointId, StateExpr, StateLeaf, ThreadId};
use base::Sources;
use base::table::Id;
use machine::{Event, Interpreter, Mode, PlainState};
use report::words::value_name;
use std::collections::BTreeSet;
use workbench::Trace;

/// A run, and what is needed to understand it.
pub(crate) struct Claims<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) sources: &'a Sources,
    pub(crate) interpreter: &'a Interpreter<'a>,
    pub(crate) trace: &'a Trace,
}

/// Words in the names of what the collector keeps, as the book lists them: no roots.
const COLLECTORS: [&str; 9] = ["mark", "grey", "gray", "black", "white", "work", "todo", "free", "scan"];

/// The names in `{a, b}`, or the one name.
fn members(value: &str) -> Vec<&str> {
    value.trim_matches(['{', '}', '`']).split(", ").collect()
}

/// The number that a text begins with.
pub(crate) fn number(text: &str) -> Option<usize> {
    text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

impl Claims<'_> {
    /// What is wrong with a sentence.
    pub(crate) fn wrong(&self, sentence: &str) -> Vec<String> {
        let sentence = sentence.trim();
        let since = self.wrong_since(sentence).into_iter();
        let wrong = since.chain(self.wrong_paths(sentence)).chain(self.wrong_writers(sentence));
        wrong
            .chain(self.wrong_failure(sentence))
            .chain(self.wrong_past(sentence))
            .chain(self.wrong_abort(sentence))
            .collect()
    }

    fn thread(&self, name: &str) -> Option<ThreadId> {
        self.automata.threads.iter().find(|(_, thread)| thread.name == name).map(|(id, _)| id)
    }

    /// `mutator goes past its store to a.marked (line 18): ..`: the thread has not written there, and will not.
    fn wrong_past(&self, sentence: &str) -> Option<String> {
        let (who, rest) = sentence.split_once(" goes past its ")?;
        let (what, rest) = rest.split_once(" (")?;
        let (line, thread) = (rest.split_once("): ")?.0, self.thread(who)?);
        let is_access = |point: &PointId| {
            let action = &self.automata.threads[thread].automaton.points[*point].action;
            self.line(thread, *point) == line && matches!(action, Action::Access(access) if access.op.is_write())
        };
        let points: Vec<PointId> = match what.split_once(" to ") {
            Some((_, name)) => self.writes(thread, self.cell(name)?),
            None => self.automata.threads[thread].automaton.points.ids().collect(),
        };
        let points: Vec<PointId> = points.into_iter().filter(is_access).collect();
        let was_at = |point: &PointId| {
            let taken = self.trace.begun.iter().chain(&self.trace.taken).filter(|step| step.thread == thread);
            taken.flat_map(|step| &step.events).any(|event| {
                matches!(event, Event::Issue(at) | Event::Perform { point: at, .. } | Event::Track { point: at, .. } if at == point)
            })
        };
        let is_missed = |point: &&PointId| !was_at(point) && !self.is_ahead(thread, &[**point]);
        (!points.iter().any(|point| is_missed(&point))).then(|| format!("it was there, or may come there: {points:?}"))
    }

    /// `mutator's transaction aborts in step 4 (line 7): conflict`.
    fn wrong_abort(&self, sentence: &str) -> Option<String> {
        let (who, rest) = sentence.split_once("'s transaction aborts in step ")?;
        let (step, line) = (number(rest)?, rest.split_once('(')?.1.split_once(')')?.0);
        let (taken, thread) = (self.trace.taken.get(step - 1)?, self.thread(who)?);
        let is_it = |event: &Event| matches!(event, Event::Abort { point, .. } if self.line(thread, *point) == line);
        (taken.thread != thread || !taken.events.iter().any(is_it)).then(|| "no transaction aborts there".into())
    }

    /// `mutator's `assert v == 1` (line 19) fails in step 4: ..`: something of that thread fails there and then.
    fn wrong_failure(&self, sentence: &str) -> Option<String> {
        let (what, rest) = sentence.split_once(") fails ")?;
        let (who, line) = (what.split_once("'s `")?.0, what.rsplit_once(" (")?.1);
        let step = rest.strip_prefix("in step ").map_or(Some(0), number)?;
        let taken = if step == 0 { &self.trace.begun[..] } else { self.trace.taken.get(step - 1..step)? };
        let fails = |thread: ThreadId, event: &Event| matches!(event, Event::Fail(point, _) if self.line(thread, *point) == line);
        let is_its = |thread: ThreadId| self.automata.threads[thread].name == who;
        let mut own = taken.iter().filter(|step| is_its(step.thread));
        let is_right = own.any(|step| step.events.iter().any(|event| fails(step.thread, event)));
        (!is_right).then(|| "nothing of it fails there".into())
    }

    fn cell(&self, name: &str) -> Option<CellId> {
        self.automata.cells.iter().find(|(_, cell)| cell.name == name).map(|(id, _)| id)
    }

    fn value(&self, state: &PlainState, cell: CellId) -> String {
        value_name(self.automata, cell, state.cells[cell.index()])
    }

    /// `WHAT since step 4: ..`: it is so from then to the end, and was not before; `since the start`: always.
    fn wrong_since(&self, sentence: &str) -> Option<String> {
        let (what, rest) = sentence.split_once(" since ")?;
        let from = rest.strip_prefix("step ").map_or(Some(0), number)?;
        let truths: Option<Vec<bool>> = self.trace.states.iter().map(|state| self.is_so(what, state)).collect();
        let truths = truths?;
        let is_right = truths[from..].iter().all(|so| *so) && (from == 0 || !truths[from - 1]);
        (!is_right).then(|| format!("`{what}` is {truths:?}"))
    }

    /// Whether `b is not reachable`, `b is in freed`, `a.edge refers to b`, `b.colour is White` or `` `x == 1` (line 3) is false``; none if it says
    /// nothing of the kind.
    fn is_so(&self, what: &str, state: &PlainState) -> Option<bool> {
        if what.starts_with('`') {
            return self.is_stated(what, state);
        }
        if let Some(object) = what.strip_suffix(" is not reachable") {
            return Some(!self.reached(state).contains(object));
        }
        if let Some((cell, object)) = what.split_once(" refers to ") {
            return Some(members(&self.value(state, self.cell(cell)?)).contains(&object));
        }
        let (name, value) = what.split_once(" is ")?;
        match value.strip_prefix("in ") {
            Some(set) => Some(members(&self.value(state, self.cell(set)?)).contains(&name)),
            None => Some(self.value(state, self.cell(name)?) == value.trim_matches('`')),
        }
    }

    /// Whether a part of the property, said as `` `x == 1` (line 3) is false``, is so.
    fn is_stated(&self, what: &str, state: &PlainState) -> Option<bool> {
        let (text, rest) = what[1..].split_once("` (line ")?;
        let truth = rest.ends_with(" is true");
        let parts = self.automata.parts.iter().filter(|part| part.property == self.trace.property);
        let is_it = |span| report::words::source_line(self.sources, span).1 == text;
        // Of those that differ in what quantifiers bind, the one that the last state violates.
        let is_so = |state: &PlainState, condition| self.interpreter.places(state, condition, truth).is_some();
        let last = self.trace.states.last()?;
        let part = parts.filter(|part| is_it(part.span)).find(|part| is_so(last, &part.condition))?;
        Some(is_so(state, &part.condition))
    }

    /// What can be reached: as the property says, or else from what looks like roots.
    fn reached(&self, state: &PlainState) -> BTreeSet<String> {
        let mut paths: Vec<StateLeaf> = Vec::new();
        for condition in self.automata.properties[self.trace.property].kind.conditions() {
            let is_path = |leaf: &StateLeaf| matches!(leaf, StateLeaf::Reached { .. });
            self.automata.leaves(condition, &mut |leaf| paths.extend(Some(leaf).filter(|leaf| is_path(leaf)).cloned()));
        }
        if paths.is_empty() {
            return self.closure(state, self.roots(state), |_| true);
        }
        paths.iter().filter_map(|path| self.on_paths(state, path)).flatten().collect()
    }

    /// The objects on paths from where a `reaches` begins.
    fn on_paths(&self, state: &PlainState, leaf: &StateLeaf) -> Option<BTreeSet<String>> {
        let StateLeaf::Reached { graph, from } = leaf else { return None };
        let nodes = &self.automata.graphs[*graph].nodes;
        let from = self.interpreter.value(state, from)?;
        let begin = nodes.iter().enumerate().filter(|(n, _)| from >> n & 1 == 1).map(|(_, node)| node.name.clone());
        let is_open = |condition: &Option<StateExpr>| {
            condition.as_ref().is_none_or(|condition| self.interpreter.judge(state, condition) == Some(true))
        };
        let may_be_entered = |name: &str| nodes.iter().any(|node| node.name == name && is_open(&node.condition));
        Some(self.closure(state, begin.collect(), may_be_entered))
    }

    /// All that fields lead to.
    fn closure(
        &self,
        state: &PlainState,
        mut open: Vec<String>,
        may_be_entered: impl Fn(&str) -> bool,
    ) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        while let Some(object) = open.pop() {
            let fields =
                self.automata.cells.iter().filter(|(_, cell)| cell.place.object.as_deref() == Some(object.as_str()));
            let values: Vec<String> = fields.map(|(id, _)| self.value(state, id)).collect();
            if reached.insert(object) {
                let next = values.iter().flat_map(|value| members(value)).filter(|name| may_be_entered(name));
                open.extend(next.map(str::to_string));
            }
        }
        reached
    }

    /// What cells outside objects hold, and sets and registers that are called roots or stacks.
    fn roots(&self, state: &PlainState) -> Vec<String> {
        let is_called_root = |name: &str| ["root", "stack"].iter().any(|word| name.to_lowercase().contains(word));
        let is_collectors = |name: &str| COLLECTORS.iter().any(|word| name.to_lowercase().contains(word));
        let mut roots = Vec::new();
        for (id, cell) in self.automata.cells.iter().filter(|(_, cell)| cell.place.object.is_none()) {
            let value = self.value(state, id);
            let is_root = !value.starts_with('{') || is_called_root(&cell.place.field);
            if is_root && !is_collectors(&cell.place.field) {
                roots.extend(members(&value).into_iter().map(str::to_string));
            }
        }
        for (thread, declared) in self.automata.threads.iter() {
            for (id, register) in declared.automaton.registers.iter().filter(|(_, r)| is_called_root(&r.name)) {
                let value = state.locals[thread.index()].register(id).value();
                let name = register.names.iter().find(|(named, _)| Some(*named) == value);
                roots.extend(name.iter().flat_map(|(_, name)| members(name)).map(str::to_string));
            }
        }
        roots
    }

    /// `from r0 and r1 one comes to r0, r1 and a`, at the end.
    fn wrong_paths(&self, sentence: &str) -> Vec<String> {
        let Some(state) = self.trace.states.last() else { return Vec::new() };
        let names = |list: &str| -> BTreeSet<String> {
            let list = list.replace(" and ", ", ");
            list.split(", ").filter(|name| !name.is_empty()).map(str::to_string).collect()
        };
        let mut wrong = Vec::new();
        for (at, word) in sentence.match_indices("from ") {
            let Some((from, rest)) = sentence[at + word.len()..].split_once(" one comes to ") else { continue };
            if from.contains(" is ") {
                continue;
            }
            // Another part of the sentence may follow.
            let end = rest.find(" and from ").or(rest.find(", from ")).unwrap_or(rest.len());
            let (from, said) = (names(from), names(rest[..end].split(" is ").next().unwrap_or("")));
            let reached = self.closure(state, from.into_iter().collect(), |_| true);
            // A path may be closed by a condition of its own; then less is reached.
            if !said.iter().all(|name| reached.contains(name) || self.cell(name).is_some()) {
                wrong.push(format!("one comes to {reached:?}"));
            }
        }
        wrong
    }

    /// The state in which threads are said to wait.
    fn waiting(&self) -> &PlainState {
        &self.trace.states[self.trace.loop_start.unwrap_or(self.trace.steps.len())]
    }

    /// The line of a point as sentences have it.
    fn line(&self, thread: ThreadId, point: PointId) -> String {
        let span = self.automata.threads[thread].automaton.points[point].span;
        let Some((source, place)) = self.sources.place(span) else { return "no source".into() };
        let own = self.sources.iter().next().is_some_and(|(_, first)| first.name == source.name);
        let file = source.name.rsplit(['/', '\\']).next().unwrap_or("");
        if own { format!("line {}", place.line) } else { format!("line {} of {file}", place.line) }
    }

    /// The points at which a thread may write a cell.
    fn writes(&self, thread: ThreadId, cell: CellId) -> Vec<PointId> {
        let points = self.automata.threads[thread].automaton.points.iter();
        let may_write = |action: &Action| match action {
            Action::Access(access) => access.op.is_write() && cells(&access.address).contains(&cell.index()),
            _ => false,
        };
        points.filter(|(_, point)| may_write(&point.action)).map(|(id, _)| id).collect()
    }

    /// Whether a thread can come to one of these points from where it is, or has issued one.
    fn is_ahead(&self, thread: ThreadId, points: &[PointId]) -> bool {
        let (local, automaton) = (&self.waiting().locals[thread.index()], &self.automata.threads[thread].automaton);
        let mut open = if local.mode == Mode::Halted { Vec::new() } else { vec![local.point] };
        let mut met: BTreeSet<PointId> = local.queue.iter().map(|entry| entry.point).collect();
        while let Some(point) = open.pop() {
            if met.insert(point) {
                open.extend(automaton.successors(point));
            }
        }
        points.iter().any(|point| met.contains(point))
    }

    /// `no other thread writes x`, `only worker writes x (line 3), and has ended`, `a writes x (..), and is at line 4 and b writes ..`.
    fn wrong_writers(&self, sentence: &str) -> Vec<String> {
        if let Some((who, name)) = sentence.split_once(" thread writes ") {
            let Some(cell) = self.cell(name) else { return vec![format!("there is no cell {name}")] };
            let all = self.automata.threads.ids().filter(|thread| !self.writes(*thread, cell).is_empty()).count();
            let most = usize::from(who == "no other");
            return if all > most { vec![format!("{all} threads write it")] } else { Vec::new() };
        }
        let threads = self.automata.threads.iter();
        let said = threads.filter_map(|(id, thread)| {
            let mark = format!("{} writes ", thread.name);
            let at = sentence
                .match_indices(&mark)
                .find(|(at, _)| sentence[..*at].is_empty() || sentence[..*at].ends_with(' '));
            at.map(|(at, mark)| (id, &sentence[at + mark.len()..]))
        });
        said.filter_map(|(thread, rest)| self.wrong_writer(thread, rest)).collect()
    }

    /// What is wrong with `x (line 3 and line 5), and is past that, at line 7` of a thread.
    fn wrong_writer(&self, thread: ThreadId, said: &str) -> Option<String> {
        let (name, rest) = said.split_once(" (")?;
        let (lines, why) = rest.split_once("), and ")?;
        let (name, points) = (name, self.writes(thread, self.cell(name)?));
        let own: BTreeSet<String> = points.iter().map(|point| self.line(thread, *point)).collect();
        let lines = lines.replace(" and line", ", line");
        if let Some(line) = lines.split(", ").find(|line| !own.contains(*line)) {
            return Some(format!("{name} is not written at {line}, but at {own:?}"));
        }
        let local = &self.waiting().locals[thread.index()];
        let next = machine::next_step(&self.automata.threads[thread].automaton, local);
        let (is_ahead, here) = (self.is_ahead(thread, &points), format!("at {}", self.line(thread, next)));
        let is_right = match why {
            why if why.starts_with("has ended") => local.mode == Mode::Halted && !is_ahead,
            why if why.starts_with("is past that, ") => !is_ahead && why["is past that, ".len()..].starts_with(&here),
            why if why.starts_with("is ") => is_ahead && why["is ".len()..].starts_with(&here),
            _ => false,
        };
        (!is_right).then(|| format!("it may be ahead: {is_ahead}; it is {here}, {:?}", local.mode))
    }
}

/// All cells that an address may be, by their positions.
fn cells(address: &Address) -> BTreeSet<usize> {
    let mut cells = BTreeSet::from([address.base.index()]);
    for term in &address.terms {
        let along = |cell: &usize| -> Vec<usize> {
            (0..term.count as usize).map(|n| cell + n * term.stride as usize).collect()
        };
        cells = cells.iter().flat_map(along).collect();
    }
    cells
}
