//! Operations in words.

use crate::history::{History, Operation, Operations, Performed};
use automata::{Access, Action, Address, Automata, CellId, Op, PointId, RegId, Region, ThreadId, Value};
use base::{Sources, Span};
use report::words::{source_line, value_name};

/// What sentences are made from.
pub(crate) struct Words<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) sources: &'a Sources,
    pub(crate) history: &'a History,
}

impl Words<'_> {
    pub(crate) fn operation(&self, id: usize) -> &Operation {
        &self.history.operations[id]
    }

    pub(crate) fn span(&self, operation: &Operation) -> Span {
        self.automata.threads[operation.thread].automaton.points[operation.point].span
    }

    pub(crate) fn thread(&self, thread: ThreadId) -> &str {
        &self.automata.threads[thread].name
    }

    pub(crate) fn value(&self, cell: CellId, value: Value) -> String {
        let name = value_name(self.automata, cell, value);
        if name == value.to_string() { name } else { format!("`{name}`") }
    }

    fn access(&self, operation: &Operation) -> Option<&Access> {
        match &self.automata.threads[operation.thread].automaton.points[operation.point].action {
            Action::Access(access) => Some(access),
            _ => None,
        }
    }

    fn is_direct(&self, operation: &Operation) -> bool {
        let action = &self.automata.threads[operation.thread].automaton.points[operation.point].action;
        matches!(action, Action::Enter(Region::Direct(_)))
    }

    /// `store`, `CAS` and so on.
    pub(crate) fn kind(&self, operation: &Operation) -> &'static str {
        match self.access(operation).map(|access| &access.op) {
            None if self.is_direct(operation) => "direct action",
            None => "atomic region",
            Some(Op::Load) => "load",
            Some(Op::Store(_)) => "store",
            Some(Op::Cas { .. }) => "CAS",
            Some(Op::Swap(_)) => "swap",
            Some(Op::Fetch(..)) => "fetch",
            Some(Op::LoadLinked) => "load-linked",
            Some(Op::StoreConditional(_)) => "store-conditional",
        }
    }

    /// The cell's name, if it is known.
    pub(crate) fn cell(&self, operation: &Operation) -> Option<&str> {
        let named = |address: &Address| address.terms.is_empty().then_some(address.base);
        let cell = operation.cell().or_else(|| self.access(operation).and_then(|access| named(&access.address)))?;
        Some(&self.automata.cells[cell].name)
    }

    /// `line 20`, with the file's name if it is not the protocol's own.
    pub(crate) fn line(&self, thread: ThreadId, point: PointId) -> String {
        self.line_of(self.automata.threads[thread].automaton.points[point].span)
    }

    /// The same of any place in the source.
    pub(crate) fn line_of(&self, span: Span) -> String {
        let Some((source, place)) = self.sources.place(span) else { return "no source".into() };
        let own = self.sources.iter().next().map(|(_, source)| source.name.as_str());
        if own == Some(source.name.as_str()) {
            return format!("line {}", place.line);
        }
        let file = source.name.rsplit(['/', '\\']).next().unwrap_or("");
        format!("line {} of {file}", place.line)
    }

    /// The source text at a point, its first line.
    pub(crate) fn text(&self, thread: ThreadId, point: PointId) -> String {
        self.text_of(self.automata.threads[thread].automaton.points[point].span)
    }

    /// The same of any place in the source.
    pub(crate) fn text_of(&self, span: Span) -> String {
        source_line(self.sources, span).1
    }

    /// `its count is 3`; none for a register that the text does not name.
    pub(crate) fn register(&self, thread: ThreadId, register: RegId, value: Value) -> Option<String> {
        let register = &self.automata.threads[thread].automaton.registers[register];
        let name = register.names.iter().find(|(named, _)| *named == value).map(|(_, name)| format!("`{name}`"));
        let value = name.unwrap_or_else(|| value.to_string());
        (!register.name.starts_with('%')).then(|| format!("its {} is {value}", register.name))
    }

    /// `store to to.data (line 20)`.
    pub(crate) fn noun(&self, id: usize) -> String {
        let operation = self.operation(id);
        let kind = self.kind(operation);
        let of = if kind.starts_with("store") { "to" } else { "of" };
        let line = self.line(operation.thread, operation.point);
        match self.cell(operation) {
            Some(cell) => format!("{kind} {of} {cell} ({line})"),
            None => format!("{kind} ({line})"),
        }
    }

    /// `collector's store to to.data (line 20)`.
    pub(crate) fn owned(&self, id: usize) -> String {
        format!("{}'s {}", self.thread(self.operation(id).thread), self.noun(id))
    }

    /// `mutator wrote 1 to to.data (line 36)`.
    pub(crate) fn did(&self, id: usize) -> String {
        let operation = self.operation(id);
        let line = self.line(operation.thread, operation.point);
        let Some(Performed { cell: Some(cell), read, wrote, .. }) = operation.performed else {
            return format!("{} went through its {} ({line})", self.thread(operation.thread), self.kind(operation));
        };
        let name = &self.automata.cells[cell].name;
        let what = match (read, wrote) {
            (Some(read), Some(wrote)) => {
                format!("changed {name} from {} to {}", self.value(cell, read), self.value(cell, wrote))
            }
            (Some(read), None) => format!("read {} from {name}", self.value(cell, read)),
            (None, Some(wrote)) => format!("wrote {} to {name}", self.value(cell, wrote)),
            (None, None) => format!("failed to store to {name}"),
        };
        format!("{} {what} ({line})", self.thread(operation.thread))
    }

    /// One reordering: which operation is late, after which, and what others did meanwhile that matters.
    pub(crate) fn reordering(&self, older: usize, younger: &[usize], slice: &Operations) -> String {
        let (shown, others) = self.overtakers(younger);
        let after = list(&shown);
        let late = match self.operation(older).performed {
            Some(_) => format!("{} is performed after {after}", self.owned(older)),
            None => format!("{} is overtaken by {after} and still waits", self.owned(older)),
        };
        let too = match &others[..] {
            [] => String::new(),
            [one] => format!("; {one} overtakes it too"),
            several => format!("; {} overtake it too", list(several)),
        };
        let meanwhile = self.meanwhile(older, younger, slice);
        let between = if meanwhile.is_empty() { String::new() } else { format!("; in between {}", list(&meanwhile)) };
        late + &too + &between
    }

    /// An operation that passes over newer writes: what it reads, or where it is put, and which they are.
    pub(crate) fn stale(&self, id: usize) -> String {
        let operation = self.operation(id);
        let Some(Performed { cell: Some(cell), read, wrote, .. }) = operation.performed else { return self.owned(id) };
        let newer: Vec<String> = operation.passed_over.iter().map(|newer| self.wrote(*newer)).collect();
        let newer = list(&newer);
        let from = match operation.reads_from {
            Some(from) => format!("of {}", self.owned(from)),
            None => "that was there at the start".into(),
        };
        match (read, wrote) {
            (Some(read), None) => {
                format!("{} reads the {} {from} and passes over {newer}", self.owned(id), self.value(cell, read))
            }
            (Some(read), Some(_)) => {
                format!("{} changes the {} {from} and comes before {newer}", self.owned(id), self.value(cell, read))
            }
            _ => format!("{} comes before {newer}, though it is performed later", self.owned(id)),
        }
    }

    /// `the 1 of writer's store to x (line 5)`.
    fn wrote(&self, id: usize) -> String {
        match self.operation(id).performed {
            Some(Performed { cell: Some(cell), wrote: Some(value), .. }) => {
                format!("the {} of {}", self.value(cell, value), self.owned(id))
            }
            _ => self.owned(id),
        }
    }

    /// Two accesses that race.
    pub(crate) fn race(&self) -> Option<String> {
        let (earlier, later) = self.history.race?;
        Some(format!("{} and {} race: nothing orders the two", self.owned(earlier), self.owned(later)))
    }

    /// `its CAS of wide_data (line 22)`: those whose effect others can see, if they are few, else the last; and all others, for each is needed.
    fn overtakers(&self, younger: &[usize]) -> (Vec<String>, Vec<String>) {
        let writes = |id: &&usize| self.kind(self.operation(**id)) != "load";
        let visible: Vec<usize> = younger.iter().filter(writes).copied().collect();
        let first = match (&visible[..], younger) {
            ([_] | [_, _], _) => &visible[..],
            (_, [.., last]) => std::slice::from_ref(last),
            _ => &[],
        };
        let (mut shown, mut others) = (Vec::new(), Vec::new());
        let (firsts, rest): (Vec<usize>, Vec<usize>) = younger.iter().partition(|id| first.contains(id));
        for (ids, nouns) in [(firsts, &mut shown), (rest, &mut others)] {
            for noun in ids.into_iter().map(|id| format!("its {}", self.noun(id))) {
                if !nouns.contains(&noun) {
                    nouns.push(noun);
                }
            }
        }
        // What is done again and again is named once.
        others.retain(|noun| !shown.contains(noun));
        (shown, others)
    }

    /// What other threads did after the last of `younger` and before `older`, if it touches the late cell or sees what
    /// went first, and matters.
    fn meanwhile(&self, older: usize, younger: &[usize], slice: &Operations) -> Vec<String> {
        let turn = |id: usize| self.operation(id).performed.as_ref().map(|performed| performed.turn);
        let from = younger.last().and_then(|last| turn(*last)).unwrap_or(0);
        let to = turn(older).unwrap_or(usize::MAX);
        let is_between = |id: &usize| turn(*id).is_some_and(|turn| from < turn && turn < to);
        let cell = self.cell(self.operation(older));
        let touches = |id: &usize| {
            let operation = self.operation(*id);
            let is_here = cell.is_some() && self.cell(operation) == cell;
            is_here || operation.reads_from.is_some_and(|from| younger.contains(&from))
        };
        let is_other = |id: &usize| self.operation(*id).thread != self.operation(older).thread;
        let mut ids: Vec<usize> = slice.iter().copied().filter(is_other).filter(is_between).filter(touches).collect();
        ids.sort_by_key(|id| turn(*id));
        ids.into_iter().map(|id| self.did(id)).collect()
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
