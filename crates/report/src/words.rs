//! What a step says: source lines and GC words, with issue and perform apart where something overtook.

use automata::{Access, Action, Automata, Cause, CellId, CellKind, FetchOp, Op, PointId, ThreadId, Value, Wide};
use base::{Sources, Span};
use machine::{Event, PlainStep, Source};
use workbench::Trace;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An operation was issued, and something younger was performed before it.
    Issued,
    /// An operation was performed.
    Performed {
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written.
        wrote: Option<Value>,
        /// Whether the value read came from the thread's own queue.
        from_queue: bool,
        /// The step (from 1; 0 is the start) in which it was issued, if something overtook it.
        issued_in: Option<usize>,
        /// What newer writes to the cell wrote that it has not seen, or that come after it.
        newer: Vec<Value>,
    },
    /// A transaction began.
    Begun,
    /// A transaction began in place of the operation that takes a lock.
    Elided,
    /// An operation was performed inside a transaction.
    Tracked {
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written, which memory does not hold before the commit.
        wrote: Option<Value>,
    },
    /// A transaction that commits wrote to memory.
    Published {
        /// The cell.
        cell: CellId,
        /// The value.
        value: Value,
    },
    /// A transaction committed.
    Committed,
    /// A transaction was aborted.
    Aborted(Cause),
    /// Control passed a safepoint or the border of a stopped world.
    Passed,
    /// The thread continued from a label at which it had paused.
    Proceeded,
    /// The thread looped without touching shared state, as it may do forever.
    Spun,
    /// A branch was guessed.
    Guessed(bool),
    /// The access races with an earlier one, and nothing orders the two.
    Raced {
        /// Who had the earlier one.
        with: ThreadId,
        /// In which step, from 1.
        step: usize,
        /// Where.
        point: PointId,
    },
    /// A property was violated.
    Failed(String),
    /// The thread is here when the property is violated.
    At,
}

impl EventKind {
    /// The kind in one word, as JSON has it.
    pub fn word(&self) -> &'static str {
        match self {
            EventKind::Issued => "issue",
            EventKind::Performed { .. } => "perform",
            EventKind::Begun | EventKind::Elided => "begin",
            EventKind::Tracked { .. } => "track",
            EventKind::Published { .. } => "publish",
            EventKind::Committed => "commit",
            EventKind::Aborted(_) => "abort",
            EventKind::Passed => "pass",
            EventKind::Proceeded => "proceed",
            EventKind::Spun => "spin",
            EventKind::Guessed(_) => "guess",
            EventKind::Raced { .. } => "race",
            EventKind::Failed(_) => "fail",
            EventKind::At => "at",
        }
    }
}

/// One thing that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// The step, from 1; 0 is what happened before the first.
    pub step: usize,
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub point: PointId,
    /// What.
    pub kind: EventKind,
    /// Links the issue of an operation that something overtakes with its perform, if that comes: both have the same number.
    pub arc: Option<usize>,
}

/// The events of a trace that are worth showing, in order.
pub fn trace_events(automata: &Automata, trace: &Trace) -> Vec<TraceEvent> {
    let mut events = step_events(automata, &trace.begun, &trace.taken);
    let step = trace.steps.len();
    let stops = trace.stops.iter().map(|(thread, snapshot)| (*thread, snapshot.point));
    let here = |(thread, point)| TraceEvent { step, thread, point, kind: EventKind::At, arc: None };
    events.extend(stops.map(here));
    events
}

/// The events that are worth showing, in order, when threads began so and took these steps.
pub fn step_events(automata: &Automata, begun: &[PlainStep], taken: &[PlainStep]) -> Vec<TraceEvent> {
    let begun = begun.iter().map(|step| (0, step));
    let taken = taken.iter().enumerate().map(|(n, step)| (n + 1, step));
    let mut drafts = Drafts { automata, pending: vec![Vec::new(); automata.threads.len()], drafts: Vec::new() };
    for (n, step) in begun.chain(taken) {
        for event in &step.events {
            drafts.event(n, step.thread, event);
        }
    }
    let events = drafts.shown();
    let is_new: Vec<bool> = (0..events.len()).map(|i| is_new(automata, &events, i)).collect();
    events.into_iter().zip(is_new).filter(|(_, is_new)| *is_new).map(|(event, _)| event).collect()
}

/// Whether it says something that the rest of its step does not: what a step writes, it need not say to have read, nor
/// anything twice. Of abstract state only, since memory is accessed once at a time.
fn is_new(automata: &Automata, events: &[TraceEvent], index: usize) -> bool {
    let what = &events[index];
    let EventKind::Performed { cell, wrote: None, .. } = what.kind else { return true };
    if automata.cells[cell].kind != CellKind::Abstract {
        return true;
    }
    let same_step = |other: &&TraceEvent| other.step == what.step && other.thread == what.thread;
    let before = events[..index].iter().rev().take_while(same_step);
    let after = events[index + 1..].iter().take_while(same_step);
    let writes =
        |other: &TraceEvent| matches!(other.kind, EventKind::Performed { cell: c, wrote: Some(_), .. } if c == cell);
    let is_report = |other: &TraceEvent| {
        let action = &automata.threads[other.thread].automaton.points[other.point].action;
        matches!(action, Action::Access(Access { op: Op::Fetch(FetchOp::Next(_), _), .. }))
    };
    if before.clone().any(|other| writes(other) && is_report(other)) {
        return false;
    }
    !before.into_iter().any(|other| other.kind == what.kind) && !after.into_iter().any(writes)
}

struct Draft {
    event: TraceEvent,
    /// An issue is shown only once something has overtaken it.
    is_shown: bool,
}

/// The events so far.
struct Drafts<'a> {
    automata: &'a Automata,
    /// For each thread, the drafts of what it has issued and not yet performed, oldest first.
    pending: Vec<Vec<usize>>,
    drafts: Vec<Draft>,
}

impl Drafts<'_> {
    fn event(&mut self, step: usize, thread: ThreadId, event: &Event) {
        match event {
            Event::Issue(point) => {
                if matches!(self.action(thread, *point), Action::Access(_)) {
                    self.pending[thread.0 as usize].push(self.drafts.len());
                    self.draft(step, thread, *point, EventKind::Issued, false);
                }
            }
            Event::Compute(_) => {}
            Event::Perform { point, cell, read, wrote, source, passed, is_half } => {
                let late = self.performed(thread, *point, *passed, *is_half);
                let issued_in = late.map(|(_, step)| step);
                let from_queue = *source == Source::OwnStore;
                let (cell, read, wrote, newer) = (*cell, *read, *wrote, Vec::new());
                let kind = EventKind::Performed { cell, read, wrote, from_queue, issued_in, newer };
                self.draft(step, thread, *point, kind, true);
                if let Some(last) = self.drafts.last_mut() {
                    last.event.arc = late.map(|(arc, _)| arc);
                }
            }
            Event::Behind { newer: values, .. } => {
                if let Some(EventKind::Performed { newer, .. }) =
                    self.drafts.last_mut().map(|last| &mut last.event.kind)
                {
                    newer.clone_from(values);
                }
            }
            Event::Race { point, cell, with, writes, is_plain } => {
                if let Some((at, other)) = self.last_access(*with, *cell, *writes, *is_plain) {
                    let kind = EventKind::Raced { with: *with, step: at, point: other };
                    self.draft(step, thread, *point, kind, true);
                }
            }
            Event::Track { point, cell, read, wrote } => {
                let kind = EventKind::Tracked { cell: *cell, read: *read, wrote: *wrote };
                self.draft(step, thread, *point, kind, true);
            }
            Event::Publish { point, cell, value } => {
                self.draft(step, thread, *point, EventKind::Published { cell: *cell, value: *value }, true);
            }
            Event::Abort { point, cause } => self.draft(step, thread, *point, EventKind::Aborted(*cause), true),
            Event::Elide(point) => self.draft(step, thread, *point, EventKind::Elided, true),
            Event::GiveBack(point) => self.draft(step, thread, *point, EventKind::Committed, true),
            Event::Pass(point) if matches!(self.action(thread, *point), Action::Begin(_)) => {
                self.draft(step, thread, *point, EventKind::Begun, true);
            }
            Event::Pass(point) if matches!(self.action(thread, *point), Action::Commit) => {
                self.draft(step, thread, *point, EventKind::Committed, true);
            }
            Event::Pass(point) => {
                let is_shown = matches!(
                    self.action(thread, *point),
                    Action::Safepoint | Action::Enter(automata::Region::StopTheWorld)
                );
                self.draft(step, thread, *point, EventKind::Passed, is_shown);
            }
            Event::Proceed(point) => self.draft(step, thread, *point, EventKind::Proceeded, true),
            Event::Spin(point) => self.draft(step, thread, *point, EventKind::Spun, true),
            Event::Guess(point, guess) => self.draft(step, thread, *point, EventKind::Guessed(*guess), true),
            Event::Fail(point, property) => {
                let name = self.automata.properties[*property].name.clone();
                self.draft(step, thread, *point, EventKind::Failed(name), true);
            }
        }
    }

    /// What is shown: of every step something.
    fn shown(self) -> Vec<TraceEvent> {
        let mut shown: Vec<TraceEvent> = Vec::new();
        for (n, Draft { event, is_shown }) in self.drafts.iter().enumerate() {
            let in_step = |other: &Draft| other.event.step == event.step;
            // Of a step that shows nothing else, where it begins.
            let is_first = n == 0 || !in_step(&self.drafts[n - 1]);
            let is_only = || !self.drafts[n..].iter().take_while(|other| in_step(other)).any(|other| other.is_shown);
            if *is_shown {
                shown.push(event.clone());
            } else if event.step > 0 && is_first && is_only() {
                shown.push(TraceEvent { kind: EventKind::Passed, ..event.clone() });
            }
        }
        shown
    }

    /// The last access of that kind that `thread` has performed: its step and where it stands.
    fn last_access(&self, thread: ThreadId, cell: CellId, writes: bool, is_plain: bool) -> Option<(usize, PointId)> {
        let is_it = |event: &&TraceEvent| {
            let EventKind::Performed { cell: accessed, wrote, .. } = &event.kind else { return false };
            let plain = matches!(self.action(event.thread, event.point), Action::Access(access) if access.is_plain);
            event.thread == thread && *accessed == cell && wrote.is_some() == writes && plain == is_plain
        };
        let last = self.drafts.iter().rev().map(|draft| &draft.event).find(is_it)?;
        Some((last.step, last.point))
    }

    fn action(&self, thread: ThreadId, point: PointId) -> &Action {
        &self.automata.threads[thread].automaton.points[point].action
    }

    fn draft(&mut self, step: usize, thread: ThreadId, point: PointId, kind: EventKind, is_shown: bool) {
        self.drafts.push(Draft { event: TraceEvent { step, thread, point, kind, arc: None }, is_shown });
    }

    /// The operation at `point` is performed: all older ones still pending have been overtaken. If
    /// it was itself overtaken before, its arc and the step in which it was issued.
    fn performed(&mut self, thread: ThreadId, point: PointId, passed: usize, is_half: bool) -> Option<(usize, usize)> {
        let pending = &mut self.pending[thread.0 as usize];
        // What a region does at once was never issued.
        pending.get(passed).filter(|draft| self.drafts[**draft].event.point == point)?;
        let draft = if is_half { pending[passed] } else { pending.remove(passed) };
        for overtaken in &pending[..passed] {
            self.drafts[*overtaken].is_shown = true;
            self.drafts[*overtaken].event.arc = Some(*overtaken);
        }
        let issue = &self.drafts[draft];
        issue.is_shown.then_some((draft, issue.event.step))
    }
}

/// The first line of the source text at `span`, with its line number; a made-up text where there is
/// no source.
pub fn source_line(sources: &Sources, span: Span) -> (Option<usize>, String) {
    match sources.place(span) {
        Some((_, place)) => {
            let text = sources.text(span).lines().next().unwrap_or("").trim().trim_end_matches('{').trim();
            (Some(place.line), text.to_string())
        }
        None => (None, String::from("(no source)")),
    }
}

/// A cell's value in words.
pub fn value_name(automata: &Automata, cell: CellId, value: impl Into<Wide>) -> String {
    let (names, value) = (&automata.cells[cell].names, value.into());
    names.iter().find(|(v, _)| Wide::from(*v) == value).map_or_else(|| value.to_string(), |(_, name)| name.clone())
}

/// What was read and written.
fn access(automata: &Automata, cell: CellId, read: Option<Value>, wrote: Option<Value>) -> String {
    let name = &automata.cells[cell].name;
    let value = |v: Value| value_name(automata, cell, v);
    match (read, wrote) {
        (Some(read), Some(wrote)) => format!("{name}: {} → {}", value(read), value(wrote)),
        (Some(read), None) => format!("{name} is {}", value(read)),
        (None, Some(wrote)) => format!("{name} ← {}", value(wrote)),
        (None, None) => format!("{name}: store-conditional fails"),
    }
}

/// What newer writes were passed over, or come after.
fn behind(automata: &Automata, cell: CellId, writes: bool, newer: &[Value]) -> String {
    let values: Vec<String> = newer.iter().map(|value| value_name(automata, cell, *value)).collect();
    match (values.is_empty(), writes) {
        (true, _) => String::new(),
        (false, true) => format!(", before {}", values.join(", ")),
        (false, false) => format!(", not yet {}", values.join(", ")),
    }
}

/// What happened, as a phrase without the source line.
pub fn phrase(automata: &Automata, event: &TraceEvent) -> String {
    match &event.kind {
        EventKind::Issued => "issued, waits".into(),
        EventKind::Performed { cell, read, wrote, from_queue, issued_in, newer } => {
            let mut phrase = access(automata, *cell, *read, *wrote);
            if *from_queue {
                phrase += " (from own queue)";
            }
            if issued_in.is_some() {
                phrase += ", late";
            }
            phrase += &behind(automata, *cell, wrote.is_some(), newer);
            phrase
        }
        EventKind::Begun => "begins".into(),
        EventKind::Elided => "begins a transaction in place of the lock".into(),
        EventKind::Tracked { cell, read, wrote } => {
            format!("{}, in the transaction", access(automata, *cell, *read, *wrote))
        }
        EventKind::Published { cell, value } => format!("publishes {}", access(automata, *cell, None, Some(*value))),
        EventKind::Committed => "commits".into(),
        EventKind::Aborted(Cause::Explicit(code)) => format!("aborts: explicit, code {code}"),
        EventKind::Aborted(cause) => format!("aborts: {}", cause.name().to_lowercase()),
        EventKind::Passed => String::new(),
        EventKind::Proceeded => {
            let labels = automata.threads[event.thread].automaton.points[event.point].labels.iter();
            format!("goes on at {}", labels.map(|label| format!("@{label}")).collect::<Vec<_>>().join(", "))
        }
        EventKind::Spun => "goes round forever".into(),
        EventKind::Guessed(guess) => format!("guessed {guess}"),
        EventKind::Raced { with, step, .. } => {
            format!("races with {} in step {step}", automata.threads[*with].name)
        }
        EventKind::Failed(property) => format!("✗ violates {property}"),
        EventKind::At => {
            let labels = &automata.threads[event.thread].automaton.points[event.point].labels;
            if labels.is_empty() { "is here".into() } else { format!("is at {}", labels.join(", ")) }
        }
    }
}
